use crate::cache::{Array, CacheError, Trace};

/// An integer type that sparse matrices use for row pointers or column indices.
///
/// ```
/// use sunzi::sparse::cache::CsrIndex;
/// assert_eq!(7u32.to_usize(), 7);
/// ```
pub trait CsrIndex: Copy {
    /// The value; where it does not fit, the largest, which no array reaches.
    fn to_usize(self) -> usize;
}

impl CsrIndex for u32 {
    fn to_usize(self) -> usize {
        usize::try_from(self).unwrap_or(usize::MAX)
    }
}

impl CsrIndex for u64 {
    fn to_usize(self) -> usize {
        usize::try_from(self).unwrap_or(usize::MAX)
    }
}

impl CsrIndex for usize {
    fn to_usize(self) -> usize {
        self
    }
}

const VALUE: usize = 0;
const COLIND: usize = 1;
const ROWPTR: usize = 2;
const X: usize = 3;
const Y: usize = 4;

/// The product of a sparse matrix by rows and a vector, y = S·x (Algorithm 6 of the thesis).
///
/// Arrays "value", "colind", "rowptr", "x" and "y"; each product touches the column index, the value,
/// the element of x and the sum in y, after y has been set to zero. With [`Spmv::x_only`] there is
/// only "x", whose accesses alone depend on the order of rows and columns.
///
/// ```
/// use sunzi::sparse::cache::{CacheShape, Replacement, Spmv, simulate};
///
/// // Three rows of a tridiagonal matrix.
/// let (row_ptr, columns) = ([0usize, 2, 5, 7], [0u32, 1, 0, 1, 2, 1, 2]);
/// let cache = CacheShape::new(64, 2)?;
/// let report = simulate(&Spmv::new(&row_ptr, &columns, 3)?.x_only(), cache, Replacement::Optimal)?;
/// assert_eq!((report.accesses(), report.misses()), (7, 2));
/// # Ok::<(), sunzi::sparse::cache::CacheError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Spmv<'a, P, I> {
    row_ptr: &'a [P],
    columns: &'a [I],
    cols: usize,
    x_only: bool,
    value_words: usize,
    index_words: usize,
}

impl<'a, P: CsrIndex, I: CsrIndex> Spmv<'a, P, I> {
    /// The product with a matrix of `cols` columns whose row i has its non-zeros in the columns
    /// `columns[row_ptr[i]..row_ptr[i + 1]]`. Every element is one word.
    ///
    /// # Errors
    ///
    /// Row pointers that do not begin with 0, decrease, or do not end with the number of columns'
    /// indices, and indices that are no column.
    pub fn new(row_ptr: &'a [P], columns: &'a [I], cols: usize) -> Result<Self, CacheError> {
        let refuse = |why: String| Err(CacheError::NotCsr(why));
        let (Some(first), Some(last)) = (row_ptr.first(), row_ptr.last()) else {
            return refuse("there are no row pointers, not even the one that ends row 0".into());
        };
        if first.to_usize() != 0 {
            return refuse(format!(
                "the first row pointer is {}, not 0",
                first.to_usize()
            ));
        }
        if let Some(row) = row_ptr
            .windows(2)
            .position(|pair| pair[0].to_usize() > pair[1].to_usize())
        {
            return refuse(format!("row {row} ends before it begins"));
        }
        if last.to_usize() != columns.len() {
            return refuse(format!(
                "the last row pointer is {}, but there are {} indices",
                last.to_usize(),
                columns.len()
            ));
        }
        if let Some(k) = columns.iter().position(|j| j.to_usize() >= cols) {
            return refuse(format!(
                "index {k} is column {} of {cols}",
                columns[k].to_usize()
            ));
        }
        Ok(Self {
            row_ptr,
            columns,
            cols,
            x_only: false,
            value_words: 1,
            index_words: 1,
        })
    }

    /// The accesses to x alone.
    #[must_use]
    pub fn x_only(self) -> Self {
        Self {
            x_only: true,
            ..self
        }
    }

    /// The same with values of `value` words and indices of `index` words: 2 and 1 for `f64` values
    /// and `u32` indices when a word is 4 bytes.
    #[must_use]
    pub fn element_words(self, value: usize, index: usize) -> Self {
        Self {
            value_words: value,
            index_words: index,
            ..self
        }
    }
}

impl<P: CsrIndex, I: CsrIndex> Trace for Spmv<'_, P, I> {
    fn arrays(&self) -> Vec<Array> {
        let x = Array::new("x", self.cols).element_words(self.value_words);
        if self.x_only {
            return vec![x];
        }
        vec![
            Array::new("value", self.columns.len()).element_words(self.value_words),
            Array::new("colind", self.columns.len()).element_words(self.index_words),
            Array::new("rowptr", self.row_ptr.len()).element_words(self.index_words),
            x,
            Array::new("y", self.row_ptr.len() - 1).element_words(self.value_words),
        ]
    }

    fn replay(&self, touch: &mut dyn FnMut(usize, usize)) {
        if self.x_only {
            return self.columns.iter().for_each(|j| touch(0, j.to_usize()));
        }
        let rows = self.row_ptr.len() - 1;
        (0..rows).for_each(|i| touch(Y, i));
        for i in 0..rows {
            touch(ROWPTR, i);
            touch(ROWPTR, i + 1);
            for k in self.row_ptr[i].to_usize()..self.row_ptr[i + 1].to_usize() {
                touch(COLIND, k);
                touch(VALUE, k);
                touch(X, self.columns[k].to_usize());
                touch(Y, i);
            }
        }
    }
}
