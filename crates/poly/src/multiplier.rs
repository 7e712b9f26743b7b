//! What a ring asks of the products over its field, whatever the field's size.
//!
//! [`PolyMultiplier`] is used by a pointer, so that products are compiled in this crate, once for each
//! field, and not wherever a ring is made.

use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use sunzi_dft::{DftField, TransformKernels};
use sunzi_field::TwoAdicField;

use crate::compiled::Compiled;
use crate::error::PolyError;
use crate::plan::{Algorithm, Plan};
use crate::thresholds::Thresholds;

/// A kind of kernels ([`Field::Kernels`](sunzi_field::Field::Kernels)) with products of polynomials over the field F.
pub trait ProductKernels<F: TwoAdicField>: TransformKernels<F> {
    /// The built-in lengths from which ways to multiply win over this field.
    fn thresholds(field: &F) -> Thresholds;

    /// The algorithms over this field, as compiled in this crate.
    fn compiled() -> &'static Compiled<F>
    where
        F: CoefficientField;

    /// What multiplies polynomials over this field. Nothing is precomputed before a product needs it.
    fn multiplier(field: &F, thresholds: &Thresholds) -> Arc<dyn PolyMultiplier<F>>
    where
        F: CoefficientField;
}

/// A field over which [`PolyRing`](crate::PolyRing) computes: its kind of kernels has transforms, and products of polynomials.
pub trait CoefficientField: DftField<Kernels: ProductKernels<Self>> {
    /// The algorithms over this field, as compiled in this crate.
    #[doc(hidden)]
    fn compiled() -> &'static Compiled<Self> {
        Self::Kernels::compiled()
    }
}

impl<F: DftField<Kernels: ProductKernels<F>>> CoefficientField for F {}

/// Products of polynomials over one field, by whatever algorithm is the fastest, and what they
/// precompute.
///
/// Polynomials that take part in several products can be evaluated first: where "values" are meant below,
/// they are those at `points` points, a number that [`PolyMultiplier::points`] or
/// [`PolyMultiplier::cyclic_points`] gave.
pub trait PolyMultiplier<F: CoefficientField>:
    Debug + Send + Sync + UnwindSafe + RefUnwindSafe
{
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

    /// `out = a · b` by the plan's algorithm, where `out.len() == a.len() + b.len() − 1`; nothing if an
    /// operand is empty.
    ///
    /// # Errors
    /// [`PolyError::Unavailable`], [`PolyError::OutOfMemory`].
    fn execute(
        &self,
        plan: &Plan,
        out: &mut [F::Elem],
        a: &[F::Elem],
        b: &[F::Elem],
    ) -> Result<(), PolyError>;

    /// Points at which polynomials are evaluated whose products have up to `len` coefficients.
    fn points(&self, len: usize) -> usize;

    /// The least number of points that is at least `len` and for which products may be longer: they are
    /// then known modulo x^N − 1, N the number of points, a power of two.
    fn cyclic_points(&self, len: usize) -> usize {
        self.points(len.next_power_of_two())
    }

    /// Words that hold the values.
    fn value_words(&self, points: usize) -> usize;

    /// The values of the polynomial with coefficients `a`, at most as many as there are points.
    ///
    /// # Errors
    /// [`PolyError::Transform`] if a length is wrong.
    fn evaluate(&self, values: &mut [u64], points: usize, a: &[F::Elem]) -> Result<(), PolyError>;

    /// The sum of the products of one or two pairs of polynomials by their values: its first
    /// coefficients, as many as `out` has room for (at most `points`). Word-size primes take one transform
    /// back for both pairs, others one for each.
    ///
    /// # Errors
    /// As [`PolyMultiplier::evaluate`]; [`PolyError::OutOfMemory`].
    fn sum_products(
        &self,
        out: &mut [F::Elem],
        points: usize,
        pairs: &[[&[u64]; 2]],
    ) -> Result<(), PolyError>;
}
