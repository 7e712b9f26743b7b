//! Time as the device tells it.

use crate::error::GpuError;
use crate::stream::Stream;

/// Runs of which the median counts.
pub(super) const RUNS: usize = 7;
/// Seconds that a run should take: far above the step of any clock, and of a launch.
const RUN: f64 = 2e-3;
/// The step of clocks, below which no time is believed.
const STEP: f64 = 1e-9;

/// Median seconds of what is submitted, after a first time that is not counted.
pub(super) fn seconds(
    stream: &Stream,
    mut submit: impl FnMut() -> Result<(), GpuError>,
) -> Result<f64, GpuError> {
    submit()?;
    stream.finish()?;
    let runs = (0..RUNS).map(|_| {
        let start = stream.record()?;
        submit()?;
        Ok(stream.record()?.since(&start)?.as_secs_f64())
    });
    Ok(median(runs.collect::<Result<_, GpuError>>()?))
}

/// How many rounds a second work does that is told how many to do.
pub(super) fn rounds_per_second(
    stream: &Stream,
    mut submit: impl FnMut(u32) -> Result<(), GpuError>,
) -> Result<f64, GpuError> {
    const FIRST: u32 = 8;
    let each = seconds(stream, || submit(FIRST))? / f64::from(FIRST);
    let rounds = (RUN / each).clamp(f64::from(FIRST), 1e6) as u32;
    Ok(f64::from(rounds) / seconds(stream, || submit(rounds))?)
}

/// The median, which is no less than the step of clocks.
pub(super) fn median(mut all: Vec<f64>) -> f64 {
    let middle = all.len() / 2;
    let (_, &mut median, _) = all.select_nth_unstable_by(middle, f64::total_cmp);
    median.max(STEP)
}
