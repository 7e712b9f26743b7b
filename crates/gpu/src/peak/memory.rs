//! Bytes a second, and what a launch takes.

use super::arithmetic::{CopyQuads, Nothing, QUADS, words as program};
use super::clock::{RUNS, median, seconds};
use std::time::Instant;
use sunzi_device::{DeviceKind, GpuError, Launch, Stream};

/// Words of a block that is copied at a time.
const QUAD_WORDS: usize = 4;

/// Bytes a second.
pub(super) struct Memory {
    pub kernel_copy: f64,
    pub driver_copy: f64,
    pub upload: f64,
    pub download: f64,
}

/// Measures them.
pub(super) fn memory(stream: &Stream) -> Result<Memory, GpuError> {
    let device = stream.device();
    let info = device.info();
    let threads = info.independent_threads();
    // Far beyond the caches of a GPU; a processor's copies are not measured for their own sake.
    let (wanted, staged) = match info.kind {
        DeviceKind::Cpu => (16 << 20, 4 << 20),
        DeviceKind::Gpu | DeviceKind::Accelerator => (512 << 20, 128 << 20),
    };
    let room = (device.memory_free() / 4).min(info.largest_buffer);
    let bytes = usize::try_from(room).unwrap_or(usize::MAX).min(wanted);
    let group_words = threads * QUADS * QUAD_WORDS;
    let groups = (bytes / (4 * group_words)).max(1);
    let words = groups * group_words;
    let mut from = device.buffer::<u32>(words)?;
    let mut to = device.buffer::<u32>(words)?;
    stream.clear(&mut from, 0, words)?;

    let kernel = device.program(&program(threads))?.kernel("copy_quads")?;
    let launch = Launch {
        groups: [groups, 1, 1],
        threads: [threads, 1, 1],
        shared_bytes: 0,
    };
    let by_kernel = seconds(stream, || {
        let parameters = CopyQuads {
            to: &mut to,
            from: &from,
        };
        stream.launch(&kernel, launch, parameters)
    })?;
    let by_driver = seconds(stream, || stream.copy((&from, 0), (&mut to, 0), words))?;

    let part = words.min(staged / 4);
    let mut staging = device.staging::<u32>(part)?;
    let up = seconds(stream, || stream.upload(&mut to, 0, &mut staging, part))?;
    let down = seconds(stream, || stream.download(&to, 0, &mut staging, part))?;
    let (copied, moved) = ((8 * words) as f64, (4 * part) as f64);
    Ok(Memory {
        kernel_copy: copied / by_kernel,
        driver_copy: copied / by_driver,
        upload: moved / up,
        download: moved / down,
    })
}

/// Launches that are submitted without waiting; drivers' queues hold as many.
const LAUNCHES: usize = 256;

/// Seconds of the host.
pub(super) struct Launches {
    /// For a launch that nobody waits for.
    pub submission: f64,
    /// For a launch and its end.
    pub round_trip: f64,
}

/// Measures them.
pub(super) fn launches(stream: &Stream) -> Result<Launches, GpuError> {
    let device = stream.device();
    let threads = device.info().independent_threads();
    let kernel = device.program(&program(threads))?.kernel("nothing")?;
    let mut memory = device.buffer::<u32>(1)?;
    let launch = Launch {
        groups: [1; 3],
        threads: [threads, 1, 1],
        shared_bytes: 0,
    };
    let mut submit = || stream.launch(&kernel, launch, Nothing { x: &mut memory });
    for _ in 0..LAUNCHES {
        submit()?;
    }
    stream.finish()?;
    let (mut submissions, mut round_trips) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        let start = Instant::now();
        (0..LAUNCHES).try_for_each(|_| submit())?;
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
