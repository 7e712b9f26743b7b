//! Products on all threads, whatever the values are.

use sunzi_field::simd::{Simd, SimdTask, dispatch};
use sunzi_threads::Threads;

use super::kernel::Kernel;
use crate::sparse::compressed::Compressed;
use crate::sparse::{Line, SparseError};

/// Entries and lines below which one thread does all: some tens of microseconds.
const GRAIN: usize = 1 << 15;

/// Most partial results that a product across the lines takes.
const MOST_PARTS: usize = 16;

/// Entries per element of the result that make a partial result worth its sum.
const PART_DENSITY: usize = 4;

fn length(
    what: &'static str,
    line: Line,
    expected: usize,
    found: usize,
) -> Result<(), SparseError> {
    if expected == found {
        return Ok(());
    }
    Err(SparseError::Length {
        what,
        line,
        expected,
        found,
    })
}

/// Refuses x and y that don't fit y = A·x.
pub(super) fn check_lengths(
    (rows, columns): (usize, usize),
    x: usize,
    y: usize,
) -> Result<(), SparseError> {
    length("the vector", Line::Column, columns, x)?;
    length("the result", Line::Row, rows, y)
}

/// Refuses x that doesn't fit y = Aᵀ·x.
pub(super) fn check_rows(rows: usize, x: usize) -> Result<(), SparseError> {
    length("the vector", Line::Row, rows, x)
}

/// `y[l] = Σ line l · x`.
pub(super) fn along<E, K>(kernel: &K, matrix: &Compressed<E>, x: &[E], y: &mut [E])
where
    E: Copy + Send + Sync,
    K: Kernel<E>,
{
    // Checked before with the errors that users see.
    assert_eq!(y.len(), matrix.lines(), "an element for each line");
    along_from(kernel, matrix, x, 0, y, GRAIN);
}

/// Where to cut two or more lines into parts of about as many entries and lines together. A part with more than
/// half of them ends in the line that has the middle, so that the next cut takes that line off or halves: cuts of
/// cuts end after O(log) steps, wherever the entries lie.
fn middle_line(starts: &[usize]) -> usize {
    let lines = starts.len() - 1;
    let weight = |line: usize| starts[line] - starts[0] + line;
    let half = weight(lines) / 2;
    let (mut low, mut high) = (1, lines - 1);
    while low < high {
        let middle = low + (high - low) / 2;
        if weight(middle) < half {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The part of [`along`] for lines from `first` on: halves of about as much work, in parallel, from `grain` entries
/// and lines on.
pub(super) fn along_from<E, K>(
    kernel: &K,
    matrix: &Compressed<E>,
    x: &[E],
    first: usize,
    y: &mut [E],
    grain: usize,
) where
    E: Copy + Send + Sync,
    K: Kernel<E>,
{
    let starts = &matrix.starts()[first..=first + y.len()];
    let work = starts[y.len()] - starts[0] + y.len();
    if work < grain || y.len() < 2 || sunzi_threads::count() == 1 {
        dispatch(Along {
            kernel,
            matrix,
            x,
            first,
            y,
        });
        return;
    }
    let (before, after) = y.split_at_mut(middle_line(starts));
    let next = first + before.len();
    sunzi_threads::join(
        || along_from(kernel, matrix, x, first, before, grain),
        || along_from(kernel, matrix, x, next, after, grain),
    );
}

/// Lines from `first` on, times x, on one thread.
pub(super) struct Along<'a, E, K> {
    pub(super) kernel: &'a K,
    pub(super) matrix: &'a Compressed<E>,
    pub(super) x: &'a [E],
    pub(super) first: usize,
    pub(super) y: &'a mut [E],
}

impl<E: Copy, K: Kernel<E>> SimdTask for Along<'_, E, K> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _simd: S) {
        assert_eq!(
            self.x.len(),
            self.matrix.width(),
            "an element for each index"
        );
        let starts = &self.matrix.starts()[self.first..=self.first + self.y.len()];
        let (indices, values) = (self.matrix.indices(), self.matrix.values());
        for (y, bounds) in self.y.iter_mut().zip(starts.windows(2)) {
            let range = bounds[0]..bounds[1];
            // SAFETY: `Compressed` promises that starts ascend up to the number of indices, which is that of values,
            // and that indices are below the width, which is the length of x, as just checked.
            *y = unsafe {
                let indices = indices.get_unchecked(range.clone());
                self.kernel
                    .dot(indices, values.get_unchecked(range), self.x)
            };
        }
    }
}

/// `y = Σ line l · x[l]`. Lines are added in parts, each in order, and the parts in order; how many there
/// are depends on the matrix alone.
pub(super) fn across<E, K>(kernel: &K, matrix: &Compressed<E>, x: &[E], y: &mut [E])
where
    E: Copy + Send + Sync,
    K: Kernel<E>,
{
    assert_eq!(x.len(), matrix.lines(), "an element for each line");
    assert_eq!(y.len(), matrix.width(), "an element for each index");
    let entries = matrix.indices().len();
    let by_density = entries / (PART_DENSITY * y.len()).max(1);
    let parts = by_density.min(entries / GRAIN).clamp(1, MOST_PARTS);
    across_in_parts(kernel, matrix, x, y, parts);
}

/// [`across`] in so many parts, of about as many entries.
pub(super) fn across_in_parts<E, K>(
    kernel: &K,
    matrix: &Compressed<E>,
    x: &[E],
    y: &mut [E],
    parts: usize,
) where
    E: Copy + Send + Sync,
    K: Kernel<E>,
{
    let entries = matrix.indices().len();
    let bound = |part: usize| match part {
        0 => 0,
        _ if part == parts => matrix.lines(),
        // No overflow: entries number less than 2^58, and parts are few.
        _ => matrix
            .starts()
            .partition_point(|&start| start < entries * part / parts)
            .min(matrix.lines()),
    };
    let sums = Threads::all().map(1..parts, |part| {
        let mut sum = vec![kernel.zero(); y.len()];
        add_lines(kernel, matrix, x, bound(part)..bound(part + 1), &mut sum);
        sum
    });
    y.fill(kernel.zero());
    add_lines(kernel, matrix, x, 0..bound(1), y);
    for sum in &sums {
        kernel.add(y, sum);
    }
}

/// Adds lines times elements of x to y, in order.
fn add_lines<E: Copy, K: Kernel<E>>(
    kernel: &K,
    matrix: &Compressed<E>,
    x: &[E],
    lines: std::ops::Range<usize>,
    y: &mut [E],
) {
    for line in lines {
        let (indices, values) = matrix.line(line);
        for (&index, &value) in indices.iter().zip(values) {
            let place = &mut y[index as usize];
            *place = kernel.mul_add(*place, value, x[line]);
        }
    }
}
