//! Blocks of a dense matrix, which can be cut into blocks again.
//!
//! Blocked algorithms read one block and change another of the same rows, which slices cannot express.
//! Everything unsafe about that is here.

use std::marker::PhantomData;

/// A block to read: rows of `columns` entries, `stride` entries apart.
#[derive(Debug)]
pub struct View<'a, E> {
    start: *const E,
    rows: usize,
    columns: usize,
    stride: usize,
    entries: PhantomData<&'a [E]>,
}

/// A block to change.
#[derive(Debug)]
pub struct ViewMut<'a, E> {
    start: *mut E,
    rows: usize,
    columns: usize,
    stride: usize,
    entries: PhantomData<&'a mut [E]>,
}

// SAFETY: a view gives what `&[E]` gives, shared references to its entries.
unsafe impl<E: Sync> Send for View<'_, E> {}
// SAFETY: likewise; `&View` gives no more than a copy of it.
unsafe impl<E: Sync> Sync for View<'_, E> {}
// SAFETY: a mutable view gives what `&mut [E]` gives: its entries are in no other view while it lives.
unsafe impl<E: Send> Send for ViewMut<'_, E> {}
// SAFETY: through a shared one, entries are only read (`row`, `as_view`).
unsafe impl<E: Sync> Sync for ViewMut<'_, E> {}

impl<E> Clone for View<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for View<'_, E> {}

impl<'a, E> View<'a, E> {
    /// The whole matrix of `rows` rows that `entries` hold.
    ///
    /// # Panics
    /// If these are not `rows · columns`.
    pub fn new(entries: &'a [E], rows: usize, columns: usize) -> Self {
        assert_eq!(
            rows.checked_mul(columns),
            Some(entries.len()),
            "the entries of the block"
        );
        Self {
            start: entries.as_ptr(),
            rows,
            columns,
            stride: columns,
            entries: PhantomData,
        }
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Row `i`.
    #[inline]
    pub fn row(self, i: usize) -> &'a [E] {
        assert!(i < self.rows, "row {i} of {}", self.rows);
        // SAFETY: row i < `rows` starts at i·stride and has `columns` entries, within the slice that `new` was given:
        // `new` has checked their number, cuts stay inside. Nothing changes them as long as 'a.
        unsafe { std::slice::from_raw_parts(self.start.add(i * self.stride), self.columns) }
    }

    /// Rows and columns in these ranges, given by first and number.
    pub fn block(self, rows: (usize, usize), columns: (usize, usize)) -> Self {
        assert!(rows.0 + rows.1 <= self.rows && columns.0 + columns.1 <= self.columns);
        Self {
            start: self.start.wrapping_add(rows.0 * self.stride + columns.0),
            rows: rows.1,
            columns: columns.1,
            ..self
        }
    }
}

impl<'a, E> ViewMut<'a, E> {
    /// The whole matrix of `rows` rows that `entries` hold.
    ///
    /// # Panics
    /// If these are not `rows · columns`.
    pub fn new(entries: &'a mut [E], rows: usize, columns: usize) -> Self {
        assert_eq!(
            rows.checked_mul(columns),
            Some(entries.len()),
            "the entries of the block"
        );
        Self {
            start: entries.as_mut_ptr(),
            rows,
            columns,
            stride: columns,
            entries: PhantomData,
        }
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> &[E] {
        self.as_view().row(i)
    }

    /// Row `i`.
    #[inline]
    pub fn row_mut(&mut self, i: usize) -> &mut [E] {
        assert!(i < self.rows, "row {i} of {}", self.rows);
        // SAFETY: row i < `rows` lies within the slice that `new` was given, as for `View::row`; cuts have no entries
        // in common, so that `self`, borrowed mutably, is the only way to it.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(i * self.stride), self.columns) }
    }

    /// The block to read, as long as nothing changes it.
    pub fn as_view(&self) -> View<'_, E> {
        View {
            start: self.start,
            rows: self.rows,
            columns: self.columns,
            stride: self.stride,
            entries: PhantomData,
        }
    }

    /// The same block, for a shorter time.
    pub fn reborrow(&mut self) -> ViewMut<'_, E> {
        ViewMut {
            start: self.start,
            rows: self.rows,
            columns: self.columns,
            stride: self.stride,
            entries: PhantomData,
        }
    }

    /// The rows before `at`, and those from there on.
    pub fn split_rows(self, at: usize) -> (Self, Self) {
        assert!(at <= self.rows, "row {at} of {}", self.rows);
        let below = Self {
            start: self.start.wrapping_add(at * self.stride),
            rows: self.rows - at,
            ..self
        };
        (Self { rows: at, ..self }, below)
    }

    /// The columns before `at`, and those from there on.
    pub fn split_columns(self, at: usize) -> (Self, Self) {
        assert!(at <= self.columns, "column {at} of {}", self.columns);
        let right = Self {
            start: self.start.wrapping_add(at),
            columns: self.columns - at,
            ..self
        };
        (
            Self {
                columns: at,
                ..self
            },
            right,
        )
    }

    /// Exchanges two rows.
    pub fn swap_rows(&mut self, i: usize, j: usize) {
        if i == j {
            return;
        }
        let (upper, lower) = (i.min(j), i.max(j));
        let (mut above, mut below) = self.reborrow().split_rows(lower);
        above.row_mut(upper).swap_with_slice(below.row_mut(0));
    }

    /// Pieces of at most `rows` rows.
    pub fn row_blocks(self, rows: usize) -> Vec<Self> {
        let mut blocks = Vec::with_capacity(self.rows.div_ceil(rows));
        let mut rest = self;
        while rest.rows > rows {
            let (block, below) = rest.split_rows(rows);
            blocks.push(block);
            rest = below;
        }
        if rest.rows > 0 {
            blocks.push(rest);
        }
        blocks
    }
}
