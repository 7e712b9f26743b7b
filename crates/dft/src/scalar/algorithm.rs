//! What every algorithm that takes one element at a time offers.

use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};
use sunzi_field::TwoAdicField;

/// The order in which an algorithm computes values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Natural,
    BitReversed,
}

/// An algorithm for cyclic transforms of one length.
pub(crate) trait ScalarDft<F: TwoAdicField>:
    Debug + Send + Sync + UnwindSafe + RefUnwindSafe
{
    /// The order of the values.
    fn order(&self) -> Order;

    /// Elements of scratch memory for transforms of `len` points.
    fn scratch_len(&self, len: usize) -> usize;

    /// Elements in tables.
    fn table_len(&self) -> usize;

    /// From coefficients to values.
    fn forward(&self, data: &mut [F::Elem], scratch: &mut [F::Elem]);

    /// From values to N times the coefficients.
    ///
    /// In natural order, `Σ X_j·ω^{−ij}` is what a forward transform gives at −i mod N.
    fn inverse(&self, data: &mut [F::Elem], scratch: &mut [F::Elem]) {
        debug_assert_eq!(self.order(), Order::Natural);
        self.forward(data, scratch);
        data[1..].reverse();
    }
}
