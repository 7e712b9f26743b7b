//! Time as the device tells it.

use sunzi_device::{GpuError, Stream};

/// The result is the median of this many runs.
pub(super) const RUNS: usize = 7;
/// Seconds that a run should take: far more than the resolution of any clock, and than a launch.
const RUN: f64 = 2e-3;
/// The resolution of clocks: no time is shorter.
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

/// Rounds a second of work that is given a number of rounds.
pub(super) fn rounds_per_second(
    stream: &Stream,
    mut submit: impl FnMut(u32) -> Result<(), GpuError>,
) -> Result<f64, GpuError> {
    const FIRST: u32 = 8;
    let each = seconds(stream, || submit(FIRST))? / f64::from(FIRST);
    let rounds = (RUN / each).clamp(f64::from(FIRST), 1e6) as u32;
    Ok(f64::from(rounds) / seconds(stream, || submit(rounds))?)
}

/// The median, which is no less than the resolution of clocks.
pub(super) fn median(mut all: Vec<f64>) -> f64 {
    let middle = all.len() / 2;
    let (_, &mut median, _) = all.select_nth_unstable_by(middle, f64::total_cmp);
    median.max(STEP)
}
