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
//!
//! - *Fraction-free elimination* (E. Bareiss, 1968) on the integers themselves: for few rows of long entries, whose
//!   residues modulo thousands of primes would cost more than the elimination.
//!
//! All of them prove the result. Residues can stop as soon as several primes have changed nothing, which is
//! quick for small determinants and proves nothing.

mod basis;
mod big_prime;
mod bound;
mod costs;
mod lifting;
mod planes;
mod primes;
mod residues;

use super::decomposition::determinant;
use super::matrix::{DenseMatrix, ShapeError};
use super::reference;
use bound::Bound;
use costs::Costs;
use dashu_int::IBig;
use dashu_int::ops::{Abs, BitTest};
use lifting::Shape;
use planes::Planes;
use residues::Reconstruction;
use std::fmt;
use sunzi_field::Fp32;
use sunzi_threads::Threads;
use thiserror::Error;

/// Why a determinant over the integers is not computed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum IntegerDeterminantError {
    /// The matrix is not square.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// No named prime is large enough.
    #[error(
        "the determinant may have {bits} bits, and the largest prime r^k + 1 with a name has {largest}: use residues or lifting"
    )]
    TooLarge {
        /// Bits that the prime would need.
        bits: u64,
        /// Bits of the largest one.
        largest: u64,
    },
}

/// How a determinant over the integers is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IntegerMethod {
    /// Whatever is quickest for the order and the entries.
    #[default]
    Automatic,
    /// By residues modulo many primes.
    Residues,
    /// By a linear system for nearly all of it, and residues for the rest.
    Lifting,
    /// Modulo one prime r^k + 1.
    BigPrime,
    /// By fraction-free elimination.
    FractionFree,
}

impl fmt::Display for IntegerMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Automatic => "automatic",
            Self::Residues => "residues",
            Self::Lifting => "lifting",
            Self::BigPrime => "big prime",
            Self::FractionFree => "fraction-free",
        })
    }
}

/// A determinant, and how it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownDeterminant {
    /// The determinant; if it is not proved, only most probably.
    pub value: IBig,
    /// Whether that is proved: always without early termination.
    pub proved: bool,
    /// What computed it; never `Automatic`.
    pub method: IntegerMethod,
    /// Primes that it was computed modulo, those of a linear system apart; none by fraction-free elimination.
    pub primes: usize,
}

impl KnownDeterminant {
    /// That of a matrix with a row or a column of zeros.
    fn zero(method: IntegerMethod) -> Self {
        Self {
            value: IBig::ZERO,
            proved: true,
            method,
            primes: 0,
        }
    }
}

/// How determinants over the integers are to be computed.
///
/// ```
/// use dashu_int::IBig;
/// use sunzi_linalg::DenseMatrix;
/// use sunzi_linalg::dense::{IntegerDeterminant, IntegerMethod};
///
/// let matrix = DenseMatrix::new(2, 2, vec![3, 1, 1, 5].into_iter().map(IBig::from).collect())?;
/// let known = IntegerDeterminant::new().method(IntegerMethod::Residues).compute(&matrix)?;
/// assert_eq!((known.value, known.proved), (IBig::from(14), true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IntegerDeterminant {
    method: IntegerMethod,
    early: Option<usize>,
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

    /// By residues, whatever the method, until so many primes in a row have changed nothing: the result is then not proved. Each
    /// prime has 31 bits; that a wrong value survives k of them by chance has a probability of about
    /// 2^(−30·k).
    pub fn early(self, unchanged: usize) -> Self {
        Self {
            early: Some(unchanged.max(1)),
            ..self
        }
    }

    /// The determinant of a square matrix; 1 of one without rows.
    ///
    /// # Errors
    /// [`IntegerDeterminantError`].
    pub fn compute(
        &self,
        matrix: &DenseMatrix<IBig>,
    ) -> Result<KnownDeterminant, IntegerDeterminantError> {
        if self.method == IntegerMethod::BigPrime && self.early.is_none() {
            matrix.order()?;
            return big_prime::determinant(matrix, Bound::of(matrix).as_ref());
        }
        Ok(self.by_words(matrix)?)
    }

    /// Modulo primes of a word.
    fn by_words(&self, matrix: &DenseMatrix<IBig>) -> Result<KnownDeterminant, ShapeError> {
        let n = matrix.order()?;
        let Some(bound) = Bound::of(matrix) else {
            return Ok(KnownDeterminant::zero(IntegerMethod::Residues));
        };
        let shape = match self.way(matrix, &bound) {
            Way::Residues => None,
            Way::Lifting(shape) => Some(shape),
            Way::FractionFree => {
                return Ok(KnownDeterminant {
                    value: reference::integer_determinant(matrix)?,
                    ..KnownDeterminant::zero(IntegerMethod::FractionFree)
                });
            }
        };
        let planes = Planes::new(matrix.entries().iter());
        if let Some(shape) = shape
            && let Some(divisor) = lifting::divisor(matrix, &planes, &bound, shape)
        {
            let left = bound.bits - (divisor.bit_len() as f64 - 1.0);
            let divisor = IBig::from(divisor);
            let (quotient, primes) = by_residues(n, &planes, left, None, Some(&divisor));
            return Ok(KnownDeterminant {
                value: quotient.least() * divisor,
                proved: true,
                method: IntegerMethod::Lifting,
                primes,
            });
        }
        let (value, primes) = by_residues(n, &planes, bound.bits, self.early, None);
        Ok(KnownDeterminant {
            value: value.least(),
            proved: primes >= primes_for(bound.bits),
            method: IntegerMethod::Residues,
            primes,
        })
    }

    /// What to do for a matrix that is not obviously singular.
    fn way(&self, matrix: &DenseMatrix<IBig>, bound: &Bound) -> Way {
        if self.early.is_some() {
            return Way::Residues;
        }
        let n = matrix.rows();
        let entry_bits = |entry: &IBig| entry.abs().bit_len();
        let bits = matrix.entries().iter().map(entry_bits).max().unwrap_or(0);
        let costs = Costs::new(n, bits, bound);
        let lifting = costs.quickest_lifting();
        match self.method {
            IntegerMethod::Lifting => Way::Lifting(lifting.1),
            IntegerMethod::FractionFree => Way::FractionFree,
            IntegerMethod::Automatic => costs.quickest(lifting),
            IntegerMethod::Residues | IntegerMethod::BigPrime => Way::Residues,
        }
    }
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Residues,
    Lifting(Shape),
    FractionFree,
}

/// Primes whose product is more than twice 2^bits.
fn primes_for(bits: f64) -> usize {
    ((bits.max(0.0) + 1.0) / primes::BITS).ceil() as usize
}

/// An integer c below 2^bits with det A = c·divisor, by residues, and how many there were.
fn by_residues(
    n: usize,
    planes: &Planes,
    bits: f64,
    early: Option<usize>,
    divisor: Option<&IBig>,
) -> (Reconstruction, usize) {
    let residue = |field: &Fp32| -> Option<u32> {
        use sunzi_field::Field;
        let matrix = DenseMatrix::new(n, n, planes.reduce(field)).ok()?;
        let determinant = determinant(field, matrix).ok()?;
        match divisor {
            None => Some(determinant),
            Some(divisor) => Some(field.mul(determinant, field.inv(field.from_integer(divisor))?)),
        }
    };
    let wanted = primes_for(bits);
    let mut fields = primes::fields();
    let mut result = Reconstruction::new();
    let (mut used, mut unchanged) = (0, 0);
    while used < wanted {
        // Groups, so that early termination is soon, and the same on any number of threads.
        let group = early.unwrap_or(GROUP).min(wanted - used);
        let group: Vec<Fp32> = fields.by_ref().take(group).collect();
        let residues = Threads::all().map(&group, residue);
        for (field, residue) in group.iter().zip(residues) {
            // A prime that divides the divisor tells nothing.
            let Some(residue) = residue else { continue };
            used += 1;
            unchanged = if result.add(field, residue) {
                0
            } else {
                unchanged + 1
            };
        }
        if early.is_some_and(|early| unchanged >= early) {
            break;
        }
    }
    (result, used)
}

/// Primes whose determinants are computed together.
const GROUP: usize = 64;

/// The determinant of a square matrix of integers, proved; 1 of one without rows.
///
/// ```
/// use dashu_int::IBig;
/// use sunzi_linalg::{DenseMatrix, dense::integer_determinant};
///
/// // Entries of any size: 10^30·10^30 − 1.
/// let large = IBig::from(10).pow(30);
/// let matrix = DenseMatrix::new(2, 2, vec![large.clone(), IBig::ONE, IBig::ONE, large])?;
/// assert_eq!(integer_determinant(&matrix)?, IBig::from(10).pow(60) - IBig::ONE);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// For entries of b bits, the determinant has about B = n·(b + log₂(n)/2) bits. Residues take n³·B/90 products of
/// words; lifting, which runs from middle orders on, about n²·B/5. [`IntegerDeterminant`] has the choice.
///
/// # Errors
/// [`ShapeError::NotSquare`].
pub fn integer_determinant(matrix: &DenseMatrix<IBig>) -> Result<IBig, ShapeError> {
    Ok(IntegerDeterminant::new().by_words(matrix)?.value)
}
