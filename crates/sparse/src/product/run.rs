//! Products on all threads, whatever the values are.

use sunzi_machine::{
    simd::{Simd, SimdTask, dispatch},
    threads::Threads,
};

use crate::compressed::Compressed;

/// Entries and lines below which one thread does all: some tens of microseconds.
const GRAIN: usize = 1 << 15;

/// Most partial results that a product across the lines takes.
const MOST_PARTS: usize = 16;

/// Entries per element of the result that make a partial result worth its sum.
const PART_DENSITY: usize = 4;

/// What products need of the arithmetic of the values.
pub trait Arithmetic<E: Copy>: Sync {
    /// 0.
    fn zero(&self) -> E;

    /// `Σ values[k]·x[indices[k]]`.
    ///
    /// # Safety
    /// All indices are below `x.len()`.
    unsafe fn dot(&self, indices: &[u32], values: &[E], x: &[E]) -> E;

    /// `sum + a·b`.
    fn mul_add(&self, sum: E, a: E, b: E) -> E;

    /// `sum[i] += x[i]`, for slices of the same length.
    fn add(&self, sum: &mut [E], x: &[E]);
}

/// `y[l] = Σ line l · x`.
pub fn along<E, A>(arithmetic: &A, matrix: &Compressed<E>, x: &[E], y: &mut [E])
where
    E: Copy + Send + Sync,
    A: Arithmetic<E>,
{
    // Checked before with the errors that users see.
    assert_eq!(y.len(), matrix.lines(), "an element for each line");
    along_from(arithmetic, matrix, x, 0, y, GRAIN);
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
pub fn along_from<E, A>(
    arithmetic: &A,
    matrix: &Compressed<E>,
    x: &[E],
    first: usize,
    y: &mut [E],
    grain: usize,
) where
    E: Copy + Send + Sync,
    A: Arithmetic<E>,
{
    let starts = &matrix.starts()[first..=first + y.len()];
    let work = starts[y.len()] - starts[0] + y.len();
    if work < grain || y.len() < 2 || sunzi_machine::threads::count() == 1 {
        dispatch(Along {
            arithmetic,
            matrix,
            x,
            first,
            y,
        });
        return;
    }
    let (before, after) = y.split_at_mut(middle_line(starts));
    let next = first + before.len();
    sunzi_machine::threads::join(
        || along_from(arithmetic, matrix, x, first, before, grain),
        || along_from(arithmetic, matrix, x, next, after, grain),
    );
}

/// Lines from `first` on, times x, on one thread.
pub struct Along<'a, E, A> {
    pub arithmetic: &'a A,
    pub matrix: &'a Compressed<E>,
    pub x: &'a [E],
    pub first: usize,
    pub y: &'a mut [E],
}

impl<S: Simd, E: Copy, A: Arithmetic<E>> SimdTask<S> for Along<'_, E, A> {
    type Output = ();

    #[inline(always)]
    fn run(self, _simd: S) {
        assert_eq!(
            self.x.len(),
            self.matrix.width(),
            "an element for each index"
        );
        let starts = &self.matrix.starts()[self.first..=self.first + self.y.len()];
        let (indices, values) = (self.matrix.indices(), self.matrix.values());
        for (y, bounds) in self.y.iter_mut().zip(starts.windows(2)) {
            let range = bounds[0]..bounds[1];
            // SAFETY: `Compressed` promises that starts ascend up to the number of indices, as many as there are values,
            // and that indices are below the width, which is the length of x, as just checked.
            *y = unsafe {
                let indices = indices.get_unchecked(range.clone());
                self.arithmetic
                    .dot(indices, values.get_unchecked(range), self.x)
            };
        }
    }
}

/// `y = Σ line l · x[l]`. Lines are added in parts, each in order, and the parts in order; how many there
/// are depends on the matrix alone.
pub fn across<E, A>(arithmetic: &A, matrix: &Compressed<E>, x: &[E], y: &mut [E])
where
    E: Copy + Send + Sync,
    A: Arithmetic<E>,
{
    assert_eq!(x.len(), matrix.lines(), "an element for each line");
    assert_eq!(y.len(), matrix.width(), "an element for each index");
    let entries = matrix.indices().len();
    let by_density = entries / (PART_DENSITY * y.len()).max(1);
    let parts = by_density.min(entries / GRAIN).clamp(1, MOST_PARTS);
    across_in_parts(arithmetic, matrix, x, y, parts);
}

/// [`across`] in this number of parts, each of about as many entries.
pub fn across_in_parts<E, A>(
    arithmetic: &A,
    matrix: &Compressed<E>,
    x: &[E],
    y: &mut [E],
    parts: usize,
) where
    E: Copy + Send + Sync,
    A: Arithmetic<E>,
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
        let mut sum = vec![arithmetic.zero(); y.len()];
        add_lines(
            arithmetic,
            matrix,
            x,
            bound(part)..bound(part + 1),
            &mut sum,
        );
        sum
    });
    y.fill(arithmetic.zero());
    add_lines(arithmetic, matrix, x, 0..bound(1), y);
    for sum in &sums {
        arithmetic.add(y, sum);
    }
}

/// Adds lines times elements of x to y, in order.
fn add_lines<E: Copy, A: Arithmetic<E>>(
    arithmetic: &A,
    matrix: &Compressed<E>,
    x: &[E],
    lines: std::ops::Range<usize>,
    y: &mut [E],
) {
    for line in lines {
        let (indices, values) = matrix.line(line);
        for (&index, &value) in indices.iter().zip(values) {
            let place = &mut y[index as usize];
            *place = arithmetic.mul_add(*place, value, x[line]);
        }
    }
}
