//! Bytes a second.

use super::clock::seconds;
use super::source::{self, QUADS};
use crate::{Argument, DeviceKind, GpuError, Launch, Stream};

/// Words of a block that is copied at a time.
const QUAD_WORDS: usize = 4;

/// Bytes a second.
pub struct Memory {
    pub kernel_copy: f64,
    pub driver_copy: f64,
    pub upload: f64,
    pub download: f64,
}

/// Measures them.
pub fn measure(stream: &Stream) -> Result<Memory, GpuError> {
    let device = stream.device();
    let info = device.info();
    let threads = source::threads(info);
    // Far beyond the caches of a GPU; what a processor copies is nobody's yardstick.
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

    let kernel = device
        .program(&source::words(threads))?
        .kernel("copy_quads")?;
    let launch = Launch {
        groups,
        threads,
        shared_bytes: 0,
    };
    let by_kernel = seconds(stream, || {
        let arguments = [Argument::of(&to), Argument::of(&from)];
        // SAFETY: the arguments are those of the kernel, and both buffers hold what its groups copy.
        unsafe { stream.launch(&kernel, launch, &arguments) }
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
