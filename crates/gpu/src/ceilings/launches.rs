//! What a launch takes.

use super::clock::{RUNS, median};
use super::source;
use crate::{Argument, GpuError, Launch, Stream};
use std::time::Instant;

/// Launches that are submitted without waiting; drivers' queues hold as many.
const LAUNCHES: usize = 256;

/// Seconds of the host.
pub struct Launches {
    /// For a launch that nobody waits for.
    pub submission: f64,
    /// For a launch and its end.
    pub round_trip: f64,
}

/// Measures them.
pub fn measure(stream: &Stream) -> Result<Launches, GpuError> {
    let device = stream.device();
    let threads = source::threads(device.info());
    let kernel = device.program(&source::words(threads))?.kernel("nothing")?;
    let memory = device.buffer::<u32>(1)?;
    let launch = Launch {
        groups: 1,
        threads,
        shared_bytes: 0,
    };
    // SAFETY: the argument is that of the kernel, which does nothing.
    let submit = || unsafe { stream.launch(&kernel, launch, &[Argument::of(&memory)]) };
    let many = || (0..LAUNCHES).try_for_each(|_| submit());
    many()?;
    stream.finish()?;
    let (mut submissions, mut round_trips) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let start = Instant::now();
        many()?;
        submissions.push(start.elapsed().as_secs_f64() / LAUNCHES as f64);
        stream.finish()?;
        let start = Instant::now();
        submit()?;
        stream.finish()?;
        round_trips.push(start.elapsed().as_secs_f64());
    }
    Ok(Launches {
        submission: median(submissions),
        round_trip: median(round_trips),
    })
}
