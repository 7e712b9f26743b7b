//! Determinants over the integers.
//!
//! **Problem.** det A for a square matrix of integers of any size. **Bound.** Hadamard's: the product of the
//! rows' lengths, and that of the columns'. **Algorithms.**
//! - *Residues*: det A modulo primes of 31 bits until their product is twice the bound, then by the Chinese
//!   remainder theorem; n³/3 products a prime.
//! - *Lifting*: a divisor d of det A first, from one linear system ([`lifting`]), then det A/d by residues, for
//!   which few primes are left; O(n²) a prime for nearly all of the determinant's bits.
//! - *Big prime*: det A modulo one prime r^k + 1 above twice the bound (§2.9 of D. Mohajerani, *Parallel
//!   arbitrary-precision integer arithmetic*, 2021): no unlucky primes, no reconstruction.
//! - *Two-adic*: det A modulo one power of two above twice the bound, by elimination with the pivots of fewest factors 2
//!   ([`two_adic`]): for small orders, from the first on.
//! - *Fraction-free elimination* (E. Bareiss, 1968) on the integers themselves: for few rows of long entries, whose
//!   residues modulo thousands of primes would cost more than the elimination.
//!
//! All of them prove the result. Residues can stop as soon as some primes, drawn at random, have changed nothing, which is
//! quick for small determinants and leaves a known probability of error ([`early`](sunzi_rns::early)).

mod big_prime;
pub(crate) mod bound;
mod images;
pub(super) mod lifting;
mod plan;
mod problem;
pub(super) mod residues;
pub mod two_adic;
pub mod words;

pub use images::DeterminantImages;
pub use problem::{IntegerMethod, KnownDeterminant};
pub use residues::MatrixImages;

use super::matrix::DenseMatrix;
use super::reference;
use crate::error::MatrixError;
use bound::Bound;
use plan::Plan;
use residues::OfImages;
use sunzi_integer::Integer;
use sunzi_rns::Planes;
use sunzi_rns::early::EarlyTermination;

/// How determinants over the integers are to be computed.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::matrix::{DenseMatrix, IntegerDeterminant, IntegerMethod};
///
/// let matrix = DenseMatrix::new(2, 2, vec![3, 1, 1, 5].into_iter().map(Integer::from).collect())?;
/// let known = IntegerDeterminant::new().method(IntegerMethod::Residues).compute(&matrix)?;
/// assert_eq!((known.value, known.proved), (Integer::from(14), true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IntegerDeterminant {
    method: IntegerMethod,
    early: Option<EarlyTermination>,
}

impl IntegerDeterminant {
    /// Proved, by the quickest method.
    pub fn new() -> Self {
        Self::default()
    }

    /// By this method; by residues if it is lifting and the matrix looks singular.
    pub fn method(self, method: IntegerMethod) -> Self {
        Self { method, ..self }
    }

    /// By residues, whatever the method, modulo primes of 31 bits that are drawn by this seed, until some in a row have changed
    /// nothing: as many as make a wrong value less probable than 2^−[`ERROR_BITS`](sunzi_rns::early::ERROR_BITS). The
    /// result is then not proved.
    pub fn early(self, seed: u128) -> Self {
        Self {
            early: Some(EarlyTermination::new(seed)),
            ..self
        }
    }

    /// The determinant of a square matrix; 1 of one without rows.
    ///
    /// # Errors
    /// [`MatrixError::NotSquare`]; [`MatrixError::TooLarge`] for one big prime.
    pub fn compute(&self, matrix: &DenseMatrix<Integer>) -> Result<KnownDeterminant, MatrixError> {
        if self.method == IntegerMethod::BigPrime && self.early.is_none() {
            matrix.order()?;
            return big_prime::determinant(matrix, Bound::of(matrix).as_ref());
        }
        self.by_words(matrix)
    }

    /// The determinant by residues, whatever the method, whose determinants modulo primes of 31 bits are computed elsewhere: some
    /// at a time, in the order of [`MatrixImages::fields`]. Results are as right as those are.
    ///
    /// ```
    /// use sunzi::Integer;
    /// use sunzi::matrix::{DenseMatrix, IntegerDeterminant, MatrixError};
    ///
    /// let matrix = DenseMatrix::new(2, 2, vec![3, 1, 1, 5].into_iter().map(Integer::from).collect())?;
    /// let known = IntegerDeterminant::new()
    ///     .compute_by::<MatrixError>(&matrix, &mut |images| images.determinants())?;
    /// assert_eq!((known.value, known.proved, known.primes), (Integer::from(14), true, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`MatrixError::NotSquare`] as `E`, and errors of `determinants`.
    pub fn compute_by<E: From<MatrixError>>(
        &self,
        matrix: &DenseMatrix<Integer>,
        determinants: &mut dyn FnMut(&MatrixImages<'_>) -> Result<Vec<u32>, E>,
    ) -> Result<KnownDeterminant, E> {
        matrix.order()?;
        let Some(bound) = Bound::of(matrix) else {
            return Ok(KnownDeterminant::zero(IntegerMethod::Residues));
        };
        let planes = Planes::new(matrix.entries().iter());
        self.by_residues(matrix, &planes, &bound, determinants)
    }

    /// By residues alone.
    fn by_residues<E>(
        &self,
        matrix: &DenseMatrix<Integer>,
        planes: &Planes,
        bound: &Bound,
        determinants: &mut OfImages<'_, E>,
    ) -> Result<KnownDeterminant, E> {
        let images = (matrix.rows(), planes);
        let known =
            residues::determinant(images, bound.bits, self.early.as_ref(), None, determinants)?;
        Ok(KnownDeterminant {
            value: known.value,
            proved: known.proved,
            method: IntegerMethod::Residues,
            primes: known.primes,
        })
    }

    /// Modulo primes of a word.
    fn by_words(&self, matrix: &DenseMatrix<Integer>) -> Result<KnownDeterminant, MatrixError> {
        let n = matrix.order()?;
        if self.method == IntegerMethod::Automatic
            && self.early.is_none()
            && let Some(value) = two_adic::of_short_entries(matrix)
        {
            return Ok(KnownDeterminant {
                value,
                ..KnownDeterminant::zero(IntegerMethod::TwoAdic)
            });
        }
        let Some(bound) = Bound::of(matrix) else {
            return Ok(KnownDeterminant::zero(IntegerMethod::Residues));
        };
        let shape = match Plan::new(self.method, self.early.is_some(), matrix, &bound) {
            Plan::Residues => None,
            Plan::Lifting(shape) => Some(shape),
            Plan::TwoAdic(words) => {
                return Ok(KnownDeterminant {
                    value: two_adic::determinant(matrix, words),
                    ..KnownDeterminant::zero(IntegerMethod::TwoAdic)
                });
            }
            Plan::FractionFree => {
                return Ok(KnownDeterminant {
                    value: reference::integer_determinant(matrix)?,
                    ..KnownDeterminant::zero(IntegerMethod::FractionFree)
                });
            }
        };
        let planes = Planes::new(matrix.entries().iter());
        let mut on_processor = |images: &MatrixImages<'_>| images.determinants();
        if let Some(shape) = shape
            && let Some(divisor) = lifting::divisor(matrix, &planes, &bound, shape)
        {
            let left = bound.bits - (divisor.bit_len() as f64 - 1.0);
            let divisor = Integer::from(divisor);
            let known =
                residues::determinant((n, &planes), left, None, Some(&divisor), &mut on_processor)?;
            return Ok(KnownDeterminant {
                value: known.value * divisor,
                proved: known.proved,
                method: IntegerMethod::Lifting,
                primes: known.primes,
            });
        }
        self.by_residues(matrix, &planes, &bound, &mut on_processor)
    }
}

/// The determinant of a square matrix of integers, proved; 1 of one without rows.
///
/// For entries of b bits, the determinant has about B = n·(b + log₂(n)/2) bits. Residues take n³·B/90 products of
/// words; lifting, which runs from middle orders on, about n²·B/5; powers of two, for small orders, n³·B²/25 000.
/// [`IntegerDeterminant`] has the choice.
///
/// # Errors
/// [`MatrixError::NotSquare`].
pub(crate) fn integer_determinant(matrix: &DenseMatrix<Integer>) -> Result<Integer, MatrixError> {
    Ok(IntegerDeterminant::new().by_words(matrix)?.value)
}
