//! What rows of non-zeros and columns of non-zeros have in common.

use sunzi_machine::memory::Budget;

use super::error::{Line, SparseError};

/// Lines (all rows, or all columns) of entries, one line after another.
///
/// The entries of line l are those from `starts[l]` to `starts[l + 1]`; their indices are below `width`
/// and ascend strictly. Kernels rely on the former for memory safety.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compressed<E> {
    width: usize,
    starts: Vec<usize>,
    indices: Vec<u32>,
    values: Vec<E>,
}

/// Entries that arrive in any order: line, index in it, value.
pub(super) trait Triplets<E>: Iterator<Item = (u32, u32, E)> + Clone {}

impl<E, I: Iterator<Item = (u32, u32, E)> + Clone> Triplets<E> for I {}

/// Refuses more lines than indices reach.
pub(super) fn check_count(line: Line, count: usize) -> Result<(), SparseError> {
    if count > u32::MAX as usize {
        return Err(SparseError::TooManyLines { line, count });
    }
    Ok(())
}

impl<E> Compressed<E> {
    /// Checks all that the type promises. `line` says in errors what the lines are.
    pub(super) fn new(
        line: Line,
        (lines, width): (usize, usize),
        starts: Vec<usize>,
        indices: Vec<u32>,
        values: Vec<E>,
    ) -> Result<Self, SparseError> {
        check_count(line, lines)?;
        check_count(line.across(), width)?;
        if starts.len() != lines + 1 {
            return Err(SparseError::StartsCount {
                line,
                lines,
                starts: starts.len(),
            });
        }
        if starts[0] != 0 {
            return Err(SparseError::FirstStart {
                line,
                start: starts[0],
            });
        }
        for (index, bounds) in starts.windows(2).enumerate() {
            let (start, end) = (bounds[0], bounds[1]);
            if start > end {
                return Err(SparseError::StartsDescend {
                    line,
                    index,
                    start,
                    end,
                });
            }
        }
        if starts[lines] != indices.len() || indices.len() != values.len() {
            return Err(SparseError::LastStart {
                line,
                end: starts[lines],
                indices: indices.len(),
                values: values.len(),
            });
        }
        let matrix = Self {
            width,
            starts,
            indices,
            values,
        };
        for index in 0..lines {
            matrix.check_line(line, index)?;
        }
        Ok(matrix)
    }

    fn check_line(&self, line: Line, index: usize) -> Result<(), SparseError> {
        let entries = self.line(index).0;
        if let Some(pair) = entries.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(SparseError::IndexOrder {
                line,
                index,
                before: pair[0],
                entry: pair[1],
            });
        }
        match entries.last() {
            Some(&entry) if entry as usize >= self.width => Err(SparseError::IndexRange {
                line,
                index,
                entry: entry as usize,
                width: self.width,
            }),
            _ => Ok(()),
        }
    }

    /// What is known to be as the type promises.
    pub(super) fn known(
        width: usize,
        starts: Vec<usize>,
        indices: Vec<u32>,
        values: Vec<E>,
    ) -> Self {
        Self {
            width,
            starts,
            indices,
            values,
        }
    }

    pub(super) fn lines(&self) -> usize {
        self.starts.len() - 1
    }

    #[inline]
    pub(super) fn width(&self) -> usize {
        self.width
    }

    #[inline]
    pub(super) fn starts(&self) -> &[usize] {
        &self.starts
    }

    #[inline]
    pub(super) fn indices(&self) -> &[u32] {
        &self.indices
    }

    #[inline]
    pub(super) fn values(&self) -> &[E] {
        &self.values
    }

    #[inline]
    pub(super) fn values_mut(&mut self) -> &mut [E] {
        &mut self.values
    }

    pub(super) fn into_parts(self) -> (Vec<usize>, Vec<u32>, Vec<E>) {
        (self.starts, self.indices, self.values)
    }

    /// The indices and values of a line.
    #[inline]
    pub(super) fn line(&self, index: usize) -> (&[u32], &[E]) {
        let range = self.starts[index]..self.starts[index + 1];
        (&self.indices[range.clone()], &self.values[range])
    }

    /// The value at an index of a line, if one is stored there.
    pub fn get(&self, line: usize, index: usize) -> Option<&E> {
        let range = *self.starts.get(line)?..*self.starts.get(line + 1)?;
        let index = u32::try_from(index).ok()?;
        let at = self.indices[range.clone()].binary_search(&index).ok()?;
        Some(&self.values[range.start + at])
    }

    /// The same places with other values.
    pub(super) fn with_values<T>(&self, values: Vec<T>) -> Compressed<T> {
        assert_eq!(values.len(), self.indices.len(), "a value for every entry");
        Compressed {
            width: self.width,
            starts: self.starts.clone(),
            indices: self.indices.clone(),
            values,
        }
    }
}

impl<E: Copy> Compressed<E> {
    /// All entries, line by line.
    pub(super) fn entries(&self) -> impl Iterator<Item = (u32, u32, E)> + Clone {
        (0..)
            .zip(self.starts.windows(2))
            .flat_map(move |(line, bounds)| {
                (bounds[0]..bounds[1]).map(move |at| (line, self.indices[at], self.values[at]))
            })
    }

    /// Entries in any order by line, those of a line in the order in which they come: a counting sort.
    /// The indices of the entries are below `lines` and `width`, but may repeat or descend within a
    /// line.
    fn counted((lines, width): (usize, usize), entries: impl Triplets<E>) -> Self {
        // The start of line l is kept one place further on while the entries of l are placed; after
        // that it has moved to where line l + 1 starts, which is its place.
        let mut starts = vec![0; lines + 2];
        // Nested iterators run faster from within.
        let counted = entries.clone();
        counted.for_each(|(line, _, _)| starts[line as usize + 2] += 1);
        for line in 2..lines + 2 {
            starts[line] += starts[line - 1];
        }
        let count = starts[lines + 1];
        let mut indices = vec![0; count];
        let mut values: Vec<E> = Vec::with_capacity(count);
        let slots = &mut values.spare_capacity_mut()[..count];
        entries.for_each(|(line, index, value)| {
            let place = &mut starts[line as usize + 1];
            indices[*place] = index;
            slots[*place].write(value);
            *place += 1;
        });
        // SAFETY: as many entries came for each line as were counted before, since the iterators that this is
        // called with, over a slice or over the entries of a matrix, give the same again: so every slot is written.
        unsafe { values.set_len(count) };
        starts.pop();
        Self {
            width,
            starts,
            indices,
            values,
        }
    }

    /// The same entries by columns if these are rows, by rows if these are columns. Their indices
    /// ascend, since the lines are gone through in order (thesis, Lemmas 2 and 3).
    pub(super) fn across(&self) -> Self {
        let entries = self
            .entries()
            .map(|(line, index, value)| (index, line, value));
        Self::counted((self.width, self.lines()), entries)
    }

    /// Entries in any order, those at one place made one by `add`, in the order in which they come.
    pub(super) fn from_entries(
        line: Line,
        (lines, width): (usize, usize),
        entries: impl Triplets<E>,
        add: impl FnMut(E, E) -> E,
    ) -> Result<Self, SparseError> {
        check_count(line, lines)?;
        check_count(line.across(), width)?;
        Budget::system().require((lines as u64 + width as u64 + 4) * size_of::<usize>() as u64)?;
        let across = entries.map(|(line, index, value)| (index, line, value));
        let mut matrix = Self::counted((width, lines), across).across();
        matrix.merge_repeated(add);
        Ok(matrix)
    }

    /// Makes one entry of those with the same index, in lines whose indices ascend but may repeat.
    fn merge_repeated(&mut self, mut add: impl FnMut(E, E) -> E) {
        let mut kept = 0;
        let mut start = 0;
        for line in 0..self.lines() {
            let end = self.starts[line + 1];
            let first = kept;
            for at in start..end {
                let (index, value) = (self.indices[at], self.values[at]);
                if kept > first && self.indices[kept - 1] == index {
                    self.values[kept - 1] = add(self.values[kept - 1], value);
                } else {
                    self.indices[kept] = index;
                    self.values[kept] = value;
                    kept += 1;
                }
            }
            start = end;
            self.starts[line + 1] = kept;
        }
        self.indices.truncate(kept);
        self.values.truncate(kept);
    }
}
