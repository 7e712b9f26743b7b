//! What an eliminated matrix of any shape tells: its reduced echelon form, its nullspace, and solutions of systems.
//!
//! With U and W for the columns of E that have pivots and those that have none, R = U⁻¹·W holds all of it: R beside the
//! identity is the reduced echelon form, −R above the identity a basis of the nullspace. U is triangular, so that R
//! takes r²·(n − r)/2 products of residues for rank r and n columns, in blocks.

use super::decomposition::Decomposition;
use super::echelon;
use super::matrix::DenseMatrix;
use super::panels::Panels;
use super::product::MatrixField;
use super::view::ViewMut;
use crate::error::MatrixError;

/// A solution of a linear system A·X = B, and how many there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution<E> {
    /// X; variables in columns of A without a pivot are 0.
    pub matrix: DenseMatrix<E>,
    /// The rank of A.
    pub rank: usize,
}

impl<E> Solution<E> {
    /// Whether there is no other solution: if not, columns of the nullspace may be added to those of X.
    pub fn is_unique(&self) -> bool {
        self.rank == self.matrix.rows()
    }
}

impl<F: MatrixField> Decomposition<'_, F> {
    /// The columns without a pivot, ascending: variables that may have any value.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::matrix::{Decomposition, DenseMatrix};
    ///
    /// let field = Fp32::new(7)?;
    /// let matrix = DenseMatrix::new(2, 3, vec![0, 1, 2, 0, 2, 5])?;
    /// assert_eq!(Decomposition::new(&field, matrix).free_columns(), [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn free_columns(&self) -> Vec<usize> {
        free_columns(self.matrix.columns(), &self.echelon.pivots)
    }

    /// The reduced row echelon form: ones as pivots, zeros above and below them, and rows of zeros at the end.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::matrix::{Decomposition, DenseMatrix};
    ///
    /// let field = Fp32::new(7)?;
    /// let matrix = DenseMatrix::new(2, 3, vec![2, 4, 6, 1, 2, 4])?;
    /// let reduced = Decomposition::new(&field, matrix).reduced_row_echelon_form();
    /// assert_eq!(reduced.entries(), [1, 2, 0, 0, 0, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reduced_row_echelon_form(&self) -> DenseMatrix<F::Elem> {
        let free = self.free_columns();
        let combinations = self.combinations(&free);
        let (rows, columns) = (self.matrix.rows(), self.matrix.columns());
        let mut form = DenseMatrix::from_fn(rows, columns, |_, _| self.field.zero());
        for (t, &pivot) in self.echelon.pivots.iter().enumerate() {
            form[(t, pivot)] = self.field.one();
            for (&column, &entry) in free.iter().zip(combinations.row(t)) {
                form[(t, column)] = entry;
            }
        }
        form
    }

    /// A basis of the nullspace, the x with A·x = 0, as the columns of a matrix: one for each of
    /// [`Self::free_columns`], which is 1 there and 0 in the other ones.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::matrix::{Decomposition, DenseMatrix};
    ///
    /// let field = Fp32::new(7)?;
    /// let matrix = DenseMatrix::new(1, 3, vec![1, 2, 3])?;
    /// let basis = Decomposition::new(&field, matrix).nullspace();
    /// assert_eq!(basis.row(0), [7 - 2, 7 - 3]);
    /// assert_eq!((basis.row(1), basis.row(2)), (&[1, 0][..], &[0, 1][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nullspace(&self) -> DenseMatrix<F::Elem> {
        let free = self.free_columns();
        let mut combinations = self.combinations(&free);
        self.field.neg_slice(combinations.entries_mut());
        let (zero, one) = (self.field.zero(), self.field.one());
        nullspace(&self.echelon.pivots, &free, &combinations, &zero, &one)
    }

    /// An X with A·X = B for an A of any shape, in which variables without a pivot are 0.
    ///
    /// Takes O(r·(m + r)) operations for each of the right sides, for rank r and m rows.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::matrix::{Decomposition, DenseMatrix, MatrixError};
    ///
    /// let field = Fp32::new(7)?;
    /// let matrix = DenseMatrix::new(2, 3, vec![1, 2, 3, 2, 4, 6])?;
    /// let decomposition = Decomposition::new(&field, matrix);
    /// let solution = decomposition.solve_any(&DenseMatrix::new(2, 1, vec![5, 3])?)?;
    /// assert_eq!(solution.matrix.entries(), [5, 0, 0]);
    /// assert!(!solution.is_unique());
    /// let none = decomposition.solve_any(&DenseMatrix::new(2, 1, vec![5, 4])?);
    /// assert_eq!(none, Err(MatrixError::Inconsistent { column: 0 }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MatrixError::RightSide`] if B has another number of rows than A; [`MatrixError::Inconsistent`] if there is no solution.
    pub fn solve_any(
        &self,
        right: &DenseMatrix<F::Elem>,
    ) -> Result<Solution<F::Elem>, MatrixError> {
        let (rows, rank) = (self.matrix.rows(), self.rank());
        if right.rows() != rows {
            return Err(MatrixError::RightSide {
                rows,
                right: right.rows(),
            });
        }
        let columns = right.columns();
        let mut work = right.clone();
        let mut view = ViewMut::new(work.entries_mut(), rows, columns);
        self.echelon.exchange_rows(&mut view);
        let (lower, upper) = (self.matrix.view(), self.upper());
        Panels::of::<F>().each_right_side(view.reborrow(), |room, panel| {
            let (mut top, bottom) = panel.split_rows(rank);
            let square = lower.block((0, rank), (0, rank));
            echelon::solve_unit_lower(self.field, room, square, top.reborrow());
            let below = lower.block((rank, rows - rank), (0, rank));
            self.field
                .subtract_product(room, bottom, below, top.as_view());
            echelon::solve_upper(self.field, room, upper.view(), top);
        });
        let (top, bottom) = view.split_rows(rank);
        // What is left of the rows without a pivot are equations 0 = b.
        let zero = self.field.zero();
        let places = (0..bottom.rows()).filter_map(|i| {
            let row = bottom.row(i);
            row.iter().position(|&entry| entry != zero)
        });
        if let Some(column) = places.min() {
            return Err(MatrixError::Inconsistent { column });
        }
        let mut matrix = DenseMatrix::from_fn(self.matrix.columns(), columns, |_, _| zero);
        for (t, &pivot) in self.echelon.pivots.iter().enumerate() {
            matrix.row_mut(pivot).copy_from_slice(top.row(t));
        }
        Ok(Solution { matrix, rank })
    }

    /// U: the columns of E with a pivot.
    fn upper(&self) -> DenseMatrix<F::Elem> {
        let pivots = &self.echelon.pivots;
        DenseMatrix::from_fn(pivots.len(), pivots.len(), |t, j| match j < t {
            true => self.field.zero(),
            false => self.matrix[(t, pivots[j])],
        })
    }

    /// R = U⁻¹·W: how the columns without a pivot are combined of those with one.
    fn combinations(&self, free: &[usize]) -> DenseMatrix<F::Elem> {
        let pivots = &self.echelon.pivots;
        let mut combinations =
            DenseMatrix::from_fn(pivots.len(), free.len(), |t, f| match free[f] < pivots[t] {
                true => self.field.zero(),
                false => self.matrix[(t, free[f])],
            });
        let view = ViewMut::new(combinations.entries_mut(), pivots.len(), free.len());
        let upper = self.upper();
        Panels::of::<F>().each_right_side(view, |room, panel| {
            echelon::solve_upper(self.field, room, upper.view(), panel);
        });
        combinations
    }
}

/// The columns that are no pivots, ascending as these are.
pub(super) fn free_columns(columns: usize, pivots: &[usize]) -> Vec<usize> {
    let is_free = |column: &usize| pivots.binary_search(column).is_err();
    (0..columns).filter(is_free).collect()
}

/// A basis of the nullspace as columns: these entries in the rows of pivots, ones in those of free columns.
pub(super) fn nullspace<E: Clone>(
    pivots: &[usize],
    free: &[usize],
    entries: &DenseMatrix<E>,
    zero: &E,
    one: &E,
) -> DenseMatrix<E> {
    let rows = pivots.len() + free.len();
    let mut basis = DenseMatrix::from_fn(rows, free.len(), |_, _| zero.clone());
    for (t, &pivot) in pivots.iter().enumerate() {
        basis.row_mut(pivot).clone_from_slice(entries.row(t));
    }
    for (f, &column) in free.iter().enumerate() {
        basis[(column, f)] = one.clone();
    }
    basis
}
