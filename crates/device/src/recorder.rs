//! Launches, recorded without a device.

use crate::device::Device;
use crate::error::GpuError;
use crate::info::DeviceInfo;
use crate::source::Source;
use crate::stream::Stream;
use crate::work::LaunchWork;
use std::fmt;
use std::sync::Arc;

/// A device that is not there, and what was submitted to it: contexts run on it as on any other, so that what is counted is
/// what they launch. Many counts by one recorder take less time than those by one each: it keeps programs.
///
/// ```
/// use sunzi::gpu::{Buffer, DeviceInfo, Launch, Source};
/// use sunzi_device::{Recorder, Work, kernel};
///
/// kernel! {
///     /// x[i] = 2·x[i].
///     unsafe struct Twice<'a> for "twice" {
///         x: &'a mut Buffer<u32> [count],
///         count: u32,
///     }
///     work(k, _launch) {
///         Work { bytes: 2 * 4 * u64::from(k.count), ..Work::default() }
///     }
/// }
/// let recorder = Recorder::new(&DeviceInfo::h100())?;
/// let text = "KERNEL twice(GLOBAL u32* x, u32 count) { … }";
/// let twice = recorder.device().program(&Source::new("twice", 64).part(text))?.kernel("twice")?;
/// let mut x = recorder.device().buffer(1000)?;
/// let (launch, count) = (Launch::new(16, 64, 0)?, 1000);
/// let launches = recorder.launches(|stream| stream.launch(&twice, launch, Twice { x: &mut x, count }))?;
/// assert_eq!((launches[0].groups, launches[0].bytes), (16, 8000));
/// # Ok::<(), sunzi::gpu::GpuError>(())
/// ```
pub struct Recorder {
    device: Device,
    stream: Stream,
}

impl Recorder {
    /// One with the limits of a device, but for its memory.
    ///
    /// # Errors
    /// As [`Device::stream`]: none, since nothing is asked of a driver.
    pub fn new(info: &DeviceInfo) -> Result<Self, GpuError> {
        let device = Device::recorder(info);
        Ok(Self {
            stream: device.stream()?,
            device,
        })
    }

    /// What the device is, and its limits.
    pub fn info(&self) -> &DeviceInfo {
        self.device.info()
    }

    /// The device that is not there.
    pub const fn device(&self) -> &Device {
        &self.device
    }

    /// A stream of it.
    pub const fn stream(&self) -> &Stream {
        &self.stream
    }

    /// What was launched on the stream since this was last asked.
    pub fn take(&self) -> Vec<LaunchWork> {
        self.device.take_launches(self.stream.identity())
    }

    /// All programs that were asked for, by their labels.
    pub fn programs(&self) -> Vec<Arc<Source<'static>>> {
        self.device.recorded_sources()
    }

    /// What is launched by what is submitted here.
    ///
    /// # Errors
    /// Those of `submit`.
    pub fn launches<T>(
        &self,
        submit: impl FnOnce(&Stream) -> Result<T, GpuError>,
    ) -> Result<Vec<LaunchWork>, GpuError> {
        drop(self.take());
        submit(&self.stream)?;
        Ok(self.take())
    }
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Recorder of launches on {}", self.device.info().name)
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.device.end_recording();
    }
}
