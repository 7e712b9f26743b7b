//! What multiplies polynomials over a field: the part of a ring that each kind of field has its own of.

use std::fmt::Debug;

use sunzi_field::Field;

use crate::PolyError;
use crate::plan::{Algorithm, Plan};

/// Products of polynomials over one field, by whatever algorithm is the fastest, and what they
/// precompute. [`PolyRing`](crate::PolyRing) is the way to use them.
pub trait Products<F: Field>: Debug + Send + Sync {
    /// What a product of operands with these numbers of coefficients runs, and why.
    fn plan(&self, len_a: usize, len_b: usize) -> Plan;

    /// The plan that runs the named algorithm.
    ///
    /// # Errors
    /// [`PolyError::Unavailable`] if it cannot do this product.
    fn plan_with(
        &self,
        algorithm: Algorithm,
        len_a: usize,
        len_b: usize,
    ) -> Result<Plan, PolyError>;

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
}
