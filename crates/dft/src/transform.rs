//! What every algorithm offers to a context, and what its steps take.

use crate::problem::{Direction, Ordering};
use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use sunzi_field::TwoAdicField;

/// A transform of a fixed length, ready to run. The context has checked all lengths.
pub(crate) trait Transform<F: TwoAdicField>:
    Debug + Send + Sync + UnwindSafe + RefUnwindSafe
{
    /// Elements of scratch memory that every method needs; their contents do not matter.
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

    /// The same, and adds what its steps took to `times`.
    fn transform_timed(
        &self,
        data: &mut [F::Elem],
        scratch: &mut [F::Elem],
        direction: Direction,
        ordering: Ordering,
        times: Option<&Mutex<StepTimes>>,
    ) {
        let start = Instant::now();
        self.transform(data, scratch, direction, ordering);
        if let Some(times) = times {
            let mut times = times.lock().unwrap_or_else(PoisonError::into_inner);
            times.base_case += start.elapsed();
        }
    }

    /// From canonical coefficients to values in a form of its own.
    fn evaluate(&self, data: &mut [F::Elem], scratch: &mut [F::Elem]);

    /// The same from the first coefficients, the others 0, to `values`, which are zeros.
    fn evaluate_first(
        &self,
        coefficients: &[F::Elem],
        values: &mut [F::Elem],
        scratch: &mut [F::Elem],
    ) {
        values[..coefficients.len()].copy_from_slice(coefficients);
        self.evaluate(values, scratch);
    }

    /// From values of [`Transform::evaluate`] to the canonical coefficients of their products with
    /// `other`, values as well.
    fn multiply(&self, values: &mut [F::Elem], other: &[F::Elem], scratch: &mut [F::Elem]);

    /// The same for the first `out.len()` coefficients; the values are used up.
    fn multiply_first(
        &self,
        out: &mut [F::Elem],
        values: &mut [F::Elem],
        other: &[F::Elem],
        scratch: &mut [F::Elem],
    ) {
        self.multiply(values, other, scratch);
        out.copy_from_slice(&values[..out.len()]);
    }
}

/// Time spent in the steps of a transform, on all threads together.
///
/// The steps are those of the six-step transform: permutations, base cases, twiddles. Where one pass
/// does several, each has its part; loads from memory belong to the step that waits for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepTimes {
    /// Between the order of the caller's elements and that of blocks, and between lanes and rows.
    pub permutation: Duration,
    /// Base cases: sums and rotations.
    pub base_case: Duration,
    /// Products with twiddles, rotations instead of them, and carries.
    pub twiddle: Duration,
}

impl StepTimes {
    /// All steps together.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.permutation + self.base_case + self.twiddle
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.permutation += other.permutation;
        self.base_case += other.base_case;
        self.twiddle += other.twiddle;
    }
}
