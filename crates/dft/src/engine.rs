//! What every algorithm offers to a plan.

use crate::{Direction, Ordering};
use std::fmt::Debug;
use sunzi_field::TwoAdicField;

/// A transform of a fixed length, ready to run. The plan has checked all lengths.
pub(crate) trait Engine<F: TwoAdicField>: Debug + Send + Sync {
    /// Elements of scratch memory that every method needs, whatever they hold.
    fn scratch_len(&self) -> usize;

    /// Bytes of the tables.
    fn table_bytes(&self) -> usize;

    /// From canonical coefficients to canonical values or back, divided by N.
    fn transform(
        &self,
        data: &mut [F::Elem],
        scratch: &mut [F::Elem],
        direction: Direction,
        ordering: Ordering,
    );

    /// From canonical coefficients to values in a form of the engine's own.
    fn evaluate(&self, data: &mut [F::Elem], scratch: &mut [F::Elem]);

    /// From values of [`Engine::evaluate`] to the canonical coefficients of their products with
    /// `other`, values as well.
    fn multiply(&self, values: &mut [F::Elem], other: &[F::Elem], scratch: &mut [F::Elem]);
}
