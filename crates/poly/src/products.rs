//! What multiplies polynomials over a field: the part of a ring that each kind of field has its own of.

use std::fmt::Debug;

use sunzi_field::Field;

use crate::PolyError;
use crate::plan::{Algorithm, Plan, Reason};

/// Products of polynomials over one field, by whatever algorithm is the fastest, and what they
/// precompute. [`PolyRing`](crate::PolyRing) is the way to use them.
pub trait Products<F: Field>: Debug + Send + Sync {
    /// The algorithm that wins for operands with these numbers of coefficients, and why.
    fn choose(&self, len_a: usize, len_b: usize) -> (Algorithm, Reason);

    /// Whether the named algorithm can do this product.
    ///
    /// # Errors
    /// [`PolyError::Unavailable`] if it cannot.
    fn require(&self, algorithm: Algorithm, len_a: usize, len_b: usize) -> Result<(), PolyError>;

    /// Memory that the named algorithm takes beside operands and product, in bytes.
    fn scratch_bytes(&self, algorithm: Algorithm, len_a: usize, len_b: usize) -> u64;

    /// What a product of operands with these numbers of coefficients runs, and why.
    fn plan(&self, len_a: usize, len_b: usize) -> Plan {
        let (algorithm, reason) = self.choose(len_a, len_b);
        Plan {
            len_a,
            len_b,
            algorithm,
            reason,
            scratch_bytes: self.scratch_bytes(algorithm, len_a, len_b),
        }
    }

    /// The plan that runs the named algorithm.
    ///
    /// # Errors
    /// As [`Products::require`].
    fn plan_with(
        &self,
        algorithm: Algorithm,
        len_a: usize,
        len_b: usize,
    ) -> Result<Plan, PolyError> {
        self.require(algorithm, len_a, len_b)?;
        Ok(Plan {
            len_a,
            len_b,
            algorithm,
            reason: Reason::Asked,
            scratch_bytes: self.scratch_bytes(algorithm, len_a, len_b),
        })
    }

    /// `out = a · b` by the named algorithm, where `out.len() == a.len() + b.len() − 1`; nothing if an
    /// operand is empty.
    ///
    /// # Errors
    /// [`PolyError::Unavailable`], [`PolyError::OutOfMemory`].
    fn execute(
        &self,
        algorithm: Algorithm,
        out: &mut [F::Elem],
        a: &[F::Elem],
        b: &[F::Elem],
    ) -> Result<(), PolyError>;

    /// A part of a value at a point.
    type Word: Copy + Debug + Default + Send + Sync + 'static;

    /// Points at which polynomials are evaluated whose products have up to `len` coefficients.
    fn points(&self, len: usize) -> usize;

    /// The least such number that is at least `len` and for which products may be longer: they are then
    /// known modulo x^N − 1, N the number of points, a power of two.
    fn cyclic_points(&self, len: usize) -> usize;

    /// Words that hold the values at so many points, a number that one of the above gave.
    fn value_words(&self, points: usize) -> usize;

    /// The values at so many points of the polynomial with coefficients `a`, at most as many.
    ///
    /// # Errors
    /// [`PolyError::Transform`], [`PolyError::Residues`] if a length is wrong.
    fn evaluate(
        &self,
        values: &mut [Self::Word],
        points: usize,
        a: &[F::Elem],
    ) -> Result<(), PolyError>;

    /// The sum of the products of one or two pairs of polynomials by their values at so many points, by one
    /// transform back over word-size primes, and one for each pair over others: its first coefficients, as many as `out` has room for (at most `points`).
    ///
    /// # Errors
    /// As [`Products::evaluate`]; [`PolyError::OutOfMemory`].
    fn sum_products<const PAIRS: usize>(
        &self,
        out: &mut [F::Elem],
        points: usize,
        pairs: [[&[Self::Word]; 2]; PAIRS],
    ) -> Result<(), PolyError>;
}
