//! What the steps of a transform take.

use super::subject::Transform;
use serde::Serialize;
use std::time::Instant;
use sunzi::transform::DftError;
use sunzi_cli::door::Table;
use sunzi_measure::text::{duration, three_digits};

/// Fewer transforms than this make no median.
const FEWEST: usize = 3;
/// More than this make no median better.
const MOST: usize = 10_001;

/// Seconds of the steps of one transform: that of median time, so that they sum up.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Steps {
    pub points: u64,
    pub permutation: f64,
    pub base_case: f64,
    pub twiddle: f64,
}

impl Steps {
    /// The steps of transforms for about this many seconds.
    pub fn measure(points: u64, transform: &mut Transform, budget: f64) -> Result<Self, DftError> {
        Self::median_of(budget, || {
            let times = (transform.steps)()?;
            Ok(Self {
                points,
                permutation: times.permutation.as_secs_f64(),
                base_case: times.base_case.as_secs_f64(),
                twiddle: times.twiddle.as_secs_f64(),
            })
        })
    }

    /// Those of median time of what runs for about this many seconds.
    pub fn median_of<E>(budget: f64, mut run: impl FnMut() -> Result<Self, E>) -> Result<Self, E> {
        let start = Instant::now();
        let mut all = Vec::new();
        while all.len() < FEWEST || (all.len() < MOST && start.elapsed().as_secs_f64() < budget) {
            all.push(run()?);
        }
        let middle = all.len() / 2;
        let order = |a: &Self, b: &Self| a.total().total_cmp(&b.total());
        Ok(*all.select_nth_unstable_by(middle, order).1)
    }

    /// The same shares of another time.
    pub fn scaled_to(&self, seconds: f64) -> Self {
        let factor = seconds / self.total().max(f64::MIN_POSITIVE);
        Self {
            points: self.points,
            permutation: factor * self.permutation,
            base_case: factor * self.base_case,
            twiddle: factor * self.twiddle,
        }
    }

    fn total(&self) -> f64 {
        self.permutation + self.base_case + self.twiddle
    }
}

/// The table of one prime.
pub fn table(all: &[Steps]) -> Table {
    let mut table = Table::new([
        "N",
        "permutation",
        "%",
        "base case",
        "%",
        "twiddle",
        "%",
        "together",
    ]);
    for steps in all {
        let mut row = vec![steps.points.to_string()];
        for step in [steps.permutation, steps.base_case, steps.twiddle] {
            let share = 100.0 * step / steps.total().max(f64::MIN_POSITIVE);
            row.extend([duration(step), three_digits(share)]);
        }
        row.push(duration(steps.total()));
        table.push(row);
    }
    table
}
