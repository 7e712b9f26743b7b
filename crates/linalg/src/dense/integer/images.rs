//! Determinants over the integers whose images are computed in parts.

use super::bound::Bound;
use super::plan::residues_over_quickest;
use super::residues::{MatrixImages, fields, prime_fields, primes_for};
use crate::dense::matrix::DenseMatrix;
use crate::error::MatrixError;
use std::ops::Range;
use sunzi_integer::{Integer, mul_limbs};
use sunzi_machine::threads::Work;
use sunzi_rns::images::{
    Fingerprint, Images, NumberedPrimes, Part, PartsError, put_together, room,
};
use sunzi_rns::{PRIMES_31, Planes};

/// The images of a determinant over the integers, modulo primes from 2^30 upward.
///
/// [`Images`] says how they are computed in parts. [`IntegerDeterminant`](super::IntegerDeterminant) finds the same on one machine, from
/// middle orders on in a fraction of the time: [`Self::relative_work`] tells from how many cores on parts win.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::images::{Images, PartsError};
/// use sunzi::matrix::{DenseMatrix, DeterminantImages};
///
/// let matrix = DenseMatrix::from_fn(4, 4, |i, j| Integer::from(10).pow(20 * i) + Integer::from(7 * j));
/// let job = DeterminantImages::new(&matrix)?;
/// let half = job.needed() / 2;
/// // Anywhere, in any order.
/// let parts = [job.compute(half..job.needed())?, job.compute(0..half)?];
/// assert_eq!(job.combine(&parts), Ok(matrix.determinant()?));
/// let missing = PartsError::Missing { numbers: 0..half };
/// assert_eq!(job.combine(&parts[..1]), Err(missing));
/// # Ok::<(), sunzi::matrix::MatrixError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DeterminantImages {
    order: usize,
    planes: Planes,
    needed: u64,
    fingerprint: u128,
    primes: NumberedPrimes,
}

impl DeterminantImages {
    /// Those of a square matrix.
    ///
    /// # Errors
    /// [`MatrixError::NotSquare`]; [`MatrixError::NoSuchImage`] for a determinant of more than 1.5·10^9 bits.
    pub fn new(matrix: &DenseMatrix<Integer>) -> Result<Self, MatrixError> {
        let order = matrix.order()?;
        let entries = matrix.entries();
        // A row or a column of zeros needs none.
        let needed = Bound::of(matrix).map_or(0, |bound| primes_for(bound.bits) as u64);
        check_number(needed)?;
        Ok(Self {
            order,
            planes: Planes::new(entries.iter()),
            needed,
            fingerprint: Fingerprint::of("determinant").with(entries.iter()).finish(),
            primes: NumberedPrimes::default(),
        })
    }
}

impl DeterminantImages {
    /// How many times the work of the quickest method all images of a matrix's determinant are, as the choice of methods
    /// counts it: in parts they are quicker on more than as many times the cores. `None` if a row or a column is 0.
    ///
    /// ```
    /// use sunzi::Integer;
    /// use sunzi::matrix::{DenseMatrix, DeterminantImages};
    ///
    /// let random = |i, j| Integer::from((i * i + 7 * j * j + 3 * i * j) % 1009);
    /// let times = |order| DeterminantImages::relative_work(&DenseMatrix::from_fn(order, order, random));
    /// assert!(times(50)? < times(100)?);
    /// # Ok::<(), sunzi::matrix::MatrixError>(())
    /// ```
    ///
    /// # Errors
    /// [`MatrixError::NotSquare`].
    pub fn relative_work(matrix: &DenseMatrix<Integer>) -> Result<Option<f64>, MatrixError> {
        matrix.order()?;
        let bound = Bound::of(matrix);
        Ok(bound.map(|bound| residues_over_quickest(matrix, &bound)))
    }
}

/// Refuses more images than there are.
fn check_number(end: u64) -> Result<(), MatrixError> {
    let count = PRIMES_31.count();
    match end <= count {
        true => Ok(()),
        false => Err(MatrixError::NoSuchImage {
            number: end - 1,
            count,
        }),
    }
}

impl Images for DeterminantImages {
    type Value = Integer;
    type Error = MatrixError;

    fn fingerprint(&self) -> u128 {
        self.fingerprint
    }

    fn needed(&self) -> u64 {
        self.needed
    }

    fn compute(&self, numbers: Range<u64>) -> Result<Part, MatrixError> {
        /// Fields at a time.
        const GROUP: usize = 1 << 12;
        check_number(numbers.end)?;
        let count = room(&numbers, 1)?;
        let begin = || PRIMES_31.ascending();
        let primes = self.primes.from_number(numbers.start, count, begin);
        if primes.len() < count {
            // As many as were counted are not to be found.
            return Err(MatrixError::NoSuchImage {
                number: numbers.start + primes.len() as u64,
                count: PRIMES_31.count(),
            });
        }
        let work = Work::new(count as u64, "primes");
        let mut images = Vec::new();
        for group in primes.chunks(GROUP) {
            let group: Vec<_> = fields(group.iter().copied()).collect();
            let of_group = MatrixImages::new((self.order, &self.planes), &group, &work);
            let residues = of_group.determinants()?.into_iter();
            images.extend(residues.map(|residue| Some(vec![residue.into()])));
        }
        Ok(Part {
            fingerprint: self.fingerprint,
            first: numbers.start,
            images,
        })
    }

    fn combine(&self, parts: &[Part]) -> Result<Integer, PartsError> {
        let primes = prime_fields().map(|field| field.prime().into());
        let values = put_together((self.fingerprint, self.needed), 1, primes, parts, mul_limbs)?;
        Ok(values.into_iter().next().unwrap_or_default())
    }
}
