//! Linear algebra over the rational numbers, proved: rank, systems, inverse, nullspace, reduced echelon form, products.
//!
//! Rows are multiplied by their common denominators, and all else is done with integers: [`echelon`] for what needs an
//! elimination, [`lifted`] for the systems in it, [`product`] and [`short_product`] for products.

mod echelon;
pub mod lifted;
mod product;
pub mod short_product;

pub(crate) use product::integer_product;
use sunzi_rns::limbs::bit_len;

use super::integer::two_adic::of_short_entries;
use super::matrix::DenseMatrix;
use super::rational::RowMultiples;
use super::reduced::{Solution, nullspace};
use crate::error::MatrixError;
use echelon::{Reduced, profiles, reduce};
use sunzi_integer::{Integer, Natural, Rational};
use sunzi_machine::{
    memory::Budget,
    threads::{Threads, Work},
};

/// Linear algebra with matrices of rational numbers, exact and proved.
///
/// For rank r, entries of b bits and w wanted columns (right sides and, but for systems with one solution, columns
/// without a pivot), numerators have up to about B = r·(b + log₂(r)/2) bits. A system takes about r²·w·B/30 products of
/// words by p-adic lifting (J. Dixon, *Exact solution of linear equations using p-adic expansions*, 1982), and the
/// proof of the rank B/30 products of residues modulo primes of the rows that were left out. All threads of the
/// current pool compute; results depend neither on their number nor on primes.
///
/// ```
/// use sunzi::Rational;
/// use sunzi::matrix::{DenseMatrix, RationalElimination};
///
/// let hilbert = DenseMatrix::from_fn(2, 2, |i, j| Rational::from_parts(1.into(), (i + j + 1).into()));
/// let inverse = RationalElimination::new().inverse(&hilbert)?;
/// assert_eq!(inverse.entries(), [4, -6, -6, 12].map(Rational::from));
/// # Ok::<(), sunzi::matrix::MatrixError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RationalElimination {
    budget: Budget,
}

impl Default for RationalElimination {
    fn default() -> Self {
        Self::new()
    }
}

impl RationalElimination {
    /// With all memory that the system can give.
    pub fn new() -> Self {
        Self {
            budget: Budget::system(),
        }
    }

    /// Within this memory.
    #[must_use]
    pub fn within(self, budget: Budget) -> Self {
        Self { budget }
    }

    /// The rank.
    ///
    /// A full rank modulo a prime is a proof; otherwise the nullspace of the matrix or of the transposed one, whichever
    /// is smaller, is found.
    ///
    /// ```
    /// use sunzi::Rational;
    /// use sunzi::matrix::{DenseMatrix, RationalElimination};
    ///
    /// let matrix = DenseMatrix::from_fn(3, 3, |i, j| Rational::from(i + j));
    /// assert_eq!(RationalElimination::new().rank(&matrix)?, 2);
    /// # Ok::<(), sunzi::matrix::MatrixError>(())
    /// ```
    ///
    /// # Errors
    /// [`MatrixError::Memory`].
    pub fn rank(&self, matrix: &DenseMatrix<Rational>) -> Result<usize, MatrixError> {
        let integers = RowMultiples::new(matrix).integers();
        let (rows, columns) = (integers.rows(), integers.columns());
        if let Some(profile) = profiles(&integers).next() {
            let rank = profile?.pivots.len();
            if rank == rows.min(columns) {
                return Ok(rank);
            }
        }
        let matrix = match rows < columns {
            true => integers.into_transposed(),
            false => integers,
        };
        let none = DenseMatrix::new(matrix.rows(), 0, Vec::new())?;
        Ok(reduce(&matrix, &none, self.budget)?.pivots.len())
    }

    /// An X with A·X = B for an A of any shape, in which variables without a pivot are 0.
    ///
    /// ```
    /// use sunzi::Rational;
    /// use sunzi::matrix::{DenseMatrix, RationalElimination};
    ///
    /// let matrix = DenseMatrix::new(2, 2, [1, 2, 3, 4].map(Rational::from).to_vec())?;
    /// let right = DenseMatrix::new(2, 1, [5, 6].map(Rational::from).to_vec())?;
    /// let solution = RationalElimination::new().solve(&matrix, &right)?;
    /// assert!(solution.is_unique());
    /// assert_eq!(solution.matrix.entries(), [Rational::from(-4), Rational::from_parts(9.into(), 2u8.into())]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MatrixError::RightSide`] if B has another number of rows than A; [`MatrixError::Inconsistent`] if there is no
    /// solution; [`MatrixError::Memory`].
    pub fn solve(
        &self,
        matrix: &DenseMatrix<Rational>,
        right: &DenseMatrix<Rational>,
    ) -> Result<Solution<Rational>, MatrixError> {
        let (rows, columns) = (matrix.rows(), matrix.columns());
        if right.rows() != rows {
            let right = right.rows();
            return Err(MatrixError::RightSide { rows, right });
        }
        // A row of both sides has one multiple.
        let both = DenseMatrix::from_fn(rows, columns + right.columns(), |i, j| {
            match j.checked_sub(columns) {
                Some(j) => right[(i, j)].clone(),
                None => matrix[(i, j)].clone(),
            }
        });
        let mut integers = RowMultiples::new(&both).integers();
        let mut part = |first: usize, count: usize| {
            DenseMatrix::from_fn(rows, count, |i, j| {
                std::mem::take(&mut integers[(i, first + j)])
            })
        };
        let (a, b) = (part(0, columns), part(columns, right.columns()));
        let reduced = reduce(&a, &b, self.budget)?;
        let fractions = reduced.fractions(reduced.free.len(), false)?;
        let mut solution = DenseMatrix::from_fn(columns, right.columns(), |_, _| Rational::ZERO);
        for (t, &pivot) in reduced.pivots.iter().enumerate() {
            solution.row_mut(pivot).clone_from_slice(fractions.row(t));
        }
        Ok(Solution {
            matrix: solution,
            rank: reduced.pivots.len(),
        })
    }

    /// The inverse.
    ///
    /// # Errors
    /// [`MatrixError::NotSquare`]; [`MatrixError::Singular`] if it is not invertible; [`MatrixError::Memory`].
    pub fn inverse(
        &self,
        matrix: &DenseMatrix<Rational>,
    ) -> Result<DenseMatrix<Rational>, MatrixError> {
        let order = matrix.order()?;
        // A matrix that is singular modulo the first prime most probably is: its rank is proved before it is told. A determinant of short
        // entries is found sooner.
        let integers = RowMultiples::new(matrix).integers();
        let looks_singular = match of_short_entries(&integers) {
            Some(determinant) => determinant.is_zero(),
            None => match profiles(&integers).next() {
                Some(profile) => profile?.pivots.len() < order,
                None => false,
            },
        };
        if looks_singular {
            let rank = self.rank(matrix)?;
            if rank < order {
                return Err(MatrixError::Singular { rank, order });
            }
        }
        let identity = DenseMatrix::from_fn(order, order, |i, j| match i == j {
            true => Rational::ONE,
            false => Rational::ZERO,
        });
        Ok(self.solve(matrix, &identity)?.matrix)
    }

    /// A basis of the nullspace, the x with A·x = 0, as the columns of a matrix: one for each column without a pivot,
    /// which is 1 there and 0 in the other ones.
    ///
    /// ```
    /// use sunzi::Rational;
    /// use sunzi::matrix::{DenseMatrix, RationalElimination};
    ///
    /// let matrix = DenseMatrix::new(1, 2, [2, 3].map(Rational::from).to_vec())?;
    /// let basis = RationalElimination::new().nullspace(&matrix)?;
    /// assert_eq!(basis.entries(), [Rational::from_parts((-3).into(), 2u8.into()), Rational::ONE]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MatrixError::Memory`].
    pub fn nullspace(
        &self,
        matrix: &DenseMatrix<Rational>,
    ) -> Result<DenseMatrix<Rational>, MatrixError> {
        let reduced = self.reduced(matrix)?;
        let entries = reduced.fractions(0, true)?;
        let (pivots, free) = (&reduced.pivots, &reduced.free);
        Ok(nullspace(
            pivots,
            free,
            &entries,
            &Rational::ZERO,
            &Rational::ONE,
        ))
    }

    /// The reduced row echelon form, and the columns of its pivots.
    ///
    /// ```
    /// use sunzi::Rational;
    /// use sunzi::matrix::{DenseMatrix, RationalElimination};
    ///
    /// let matrix = DenseMatrix::new(2, 2, [2, 3, 4, 6].map(Rational::from).to_vec())?;
    /// let (form, pivots) = RationalElimination::new().reduced_row_echelon_form(&matrix)?;
    /// assert_eq!(form.row(0), [Rational::ONE, Rational::from_parts(3.into(), 2u8.into())]);
    /// assert_eq!((form.row(1), pivots), (&[Rational::ZERO, Rational::ZERO][..], vec![0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MatrixError::Memory`].
    pub fn reduced_row_echelon_form(
        &self,
        matrix: &DenseMatrix<Rational>,
    ) -> Result<(DenseMatrix<Rational>, Vec<usize>), MatrixError> {
        let reduced = self.reduced(matrix)?;
        let mut entries = reduced.fractions(0, false)?;
        let mut form = DenseMatrix::from_fn(matrix.rows(), matrix.columns(), |_, _| Rational::ZERO);
        for (t, &pivot) in reduced.pivots.iter().enumerate() {
            form[(t, pivot)] = Rational::ONE;
            for (&column, entry) in reduced.free.iter().zip(entries.row_mut(t)) {
                form[(t, column)] = std::mem::take(entry);
            }
        }
        Ok((form, reduced.pivots))
    }

    /// The product A·B, by that of integers.
    ///
    /// ```
    /// use sunzi::Rational;
    /// use sunzi::matrix::{DenseMatrix, RationalElimination};
    ///
    /// let half = DenseMatrix::new(1, 1, vec![Rational::from_parts(1.into(), 2u8.into())])?;
    /// let product = RationalElimination::new().product(&half, &half)?;
    /// assert_eq!(product.entries(), [Rational::from_parts(1.into(), 4u8.into())]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MatrixError::Inner`] if A has not as many columns as B has rows; [`MatrixError::Memory`].
    pub fn product(
        &self,
        a: &DenseMatrix<Rational>,
        b: &DenseMatrix<Rational>,
    ) -> Result<DenseMatrix<Rational>, MatrixError> {
        let inner = a.inner(b)?;
        // Rows of A and columns of B have common denominators; the latter are rows of the transposed matrix.
        let transposed = b.transposed();
        let (rows, columns) = (RowMultiples::new(a), RowMultiples::new(&transposed));
        let (left, right) = (rows.integers(), columns.integers().into_transposed());
        let bits = product::most_bits(&left) + product::most_bits(&right) + bit_len(inner);
        let entries = a.rows() as u64 * b.columns() as u64;
        self.budget
            .require(entries.saturating_mul(bits as u64 / 8 * 3 + 100))?;
        let product = integer_product(&left, &right)?;
        let multiples = (rows.multiples(), columns.multiples());
        fractions(&product, 0, |i, j| &multiples.0[i] * &multiples.1[j], false)
    }

    fn reduced(&self, matrix: &DenseMatrix<Rational>) -> Result<Reduced, MatrixError> {
        let integers = RowMultiples::new(matrix).integers();
        let none = DenseMatrix::new(matrix.rows(), 0, Vec::new())?;
        reduce(&integers, &none, self.budget)
    }
}

impl Reduced {
    /// The entries of the columns from `first` on, or their negatives, in lowest terms.
    fn fractions(
        &self,
        first: usize,
        negative: bool,
    ) -> Result<DenseMatrix<Rational>, MatrixError> {
        let denominator = |_, _| self.denominator.clone();
        fractions(&self.numerators, first, denominator, negative)
    }
}

/// Fractions in lowest terms of the numerators in the columns from `first` on, or of their negatives.
fn fractions(
    numerators: &DenseMatrix<Integer>,
    first: usize,
    denominator: impl Fn(usize, usize) -> Natural + Sync,
    negative: bool,
) -> Result<DenseMatrix<Rational>, MatrixError> {
    let (rows, columns) = (numerators.rows(), numerators.columns() - first);
    let work = Work::new(rows as u64, "rows of fractions");
    let made = Threads::all().map(0..rows, |i| {
        let entries = numerators.row(i)[first..].iter().enumerate();
        let fraction = |(j, entry): (usize, &Integer)| {
            let numerator = if negative { -entry } else { entry.clone() };
            Rational::from_parts(numerator, denominator(i, j))
        };
        let row = entries.map(fraction).collect::<Vec<Rational>>();
        work.done(1);
        row
    });
    let entries = made.into_iter().flatten().collect();
    DenseMatrix::new(rows, columns, entries)
}
