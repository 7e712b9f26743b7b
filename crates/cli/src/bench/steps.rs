//! What the steps of a transform take.

use super::subject::Transform;
use super::table::Table;
use super::text::{duration, three_digits};
use serde::Serialize;
use std::time::{Duration, Instant};
use sunzi::dft::{DftError, StepTimes};

/// Fewer transforms than this make no mean.
const FEWEST: u32 = 3;

/// Mean seconds of the steps of one transform.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Steps {
    pub points: u64,
    pub permutation: f64,
    pub base_case: f64,
    pub twiddle: f64,
}

impl Steps {
    /// The steps of transforms for about so many seconds.
    pub fn measure(points: u64, transform: &mut Transform, budget: f64) -> Result<Self, DftError> {
        let start = Instant::now();
        let mut sum = StepTimes::default();
        let mut count = 0;
        while count < FEWEST || start.elapsed().as_secs_f64() < budget {
            let times = (transform.steps)()?;
            sum.permutation += times.permutation;
            sum.base_case += times.base_case;
            sum.twiddle += times.twiddle;
            count += 1;
        }
        let mean = |time: Duration| time.as_secs_f64() / f64::from(count);
        Ok(Self {
            points,
            permutation: mean(sum.permutation),
            base_case: mean(sum.base_case),
            twiddle: mean(sum.twiddle),
        })
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
