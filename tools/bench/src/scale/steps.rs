//! The steps of a transform as columns and rows, in memory, against the transform of the whole.

use serde::Serialize;
use std::fmt;
use std::time::Instant;
use sunzi::field::Fp64;
use sunzi::memory::Budget;
use sunzi::transform::{Bands, Decimation, DftContext, DftError, Direction, Ordering};
use sunzi::{Error, alone};
use sunzi_measure::text::duration;

/// Points at most.
const MOST_POINTS: usize = 1 << 24;

/// Bands of columns.
const BANDS: usize = 8;

/// Runs, of which the fastest counts.
const RUNS: usize = 5;

/// Seconds on one thread.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Steps {
    pub points: usize,
    /// The transform of the whole, in natural order.
    pub whole: f64,
    /// Columns, in bands, with their products, and rows.
    pub columns: f64,
    pub rows: f64,
    /// Columns and rows over the whole.
    pub over_whole: f64,
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "In memory, 2^{} residues of 62 bits on one thread: the whole {}; by columns {} and rows {}, {:.2} of that",
            self.points.trailing_zeros(),
            duration(self.whole),
            duration(self.columns),
            duration(self.rows),
            self.over_whole
        )
    }
}

/// Measures it modulo a prime of 62 bits, on vectors of an eighth of the memory at most.
pub fn measure(prime: u64, memory: u64) -> Result<Steps, Error> {
    let field = Fp64::new(prime)?;
    let points = MOST_POINTS.min(1 << (memory / 64).max(64).ilog2());
    let height = 1 << (points.ilog2() / 2);
    let width = points / height;
    let budget = Budget::within(Some(memory));
    let whole = DftContext::within(&field, points, budget)?;
    let bands = Bands::new(&field, height, width, budget)?;
    let mut x: Vec<u64> = (0..points as u64).map(|i| i * i % prime).collect();
    let mut fastest = |work: &mut dyn FnMut(&mut [u64]) -> Result<(), DftError>| {
        let mut least = f64::INFINITY;
        for _ in 0..RUNS {
            let start = Instant::now();
            alone(|| work(&mut x))?;
            least = least.min(start.elapsed().as_secs_f64());
        }
        Ok::<_, DftError>(least)
    };
    let (forward, in_frequency) = (Direction::Forward, Decimation::InFrequency);
    let of_whole = fastest(&mut |x| whole.forward(x, Ordering::Natural))?;
    let columns = fastest(&mut |x| {
        let mut parts = x.chunks_exact_mut(points / BANDS).enumerate();
        parts.try_for_each(|(band, part)| {
            bands.columns(part, band * width / BANDS, forward, in_frequency)
        })
    })?;
    let rows = fastest(&mut |x| bands.rows(x, forward))?;
    Ok(Steps {
        points,
        whole: of_whole,
        columns,
        rows,
        over_whole: (columns + rows) / of_whole,
    })
}
