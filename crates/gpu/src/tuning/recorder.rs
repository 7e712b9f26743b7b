//! Launches, recorded without a device.

use crate::device::Device;
use crate::error::GpuError;
use crate::info::DeviceInfo;
use crate::program::Source;
use crate::stream::Stream;
use std::fmt;
use std::sync::Arc;

/// A launch, and what it comes to.
///
/// Bytes are what it reads and writes once, factors and constants left out; multiplications are 32-bit multiply-adds, those
/// with the zeros that fill up groups included: two for a product of words with all 64 bits, and operations on doubles where
/// residues are doubles.
#[derive(Clone, Debug)]
pub struct LaunchWork {
    /// The program.
    pub source: Arc<Source<'static>>,
    /// Its kernel.
    pub kernel: &'static str,
    /// Groups of threads.
    pub groups: usize,
    /// Threads of a group.
    pub threads: usize,
    /// Bytes of its tile that a group shares: those of [`Launch`](crate::Launch).
    pub shared_bytes: usize,
    /// Times that the threads of a group wait for each other.
    pub barriers: usize,
    /// Bytes of the device's memory that are read and written.
    pub bytes: u64,
    /// 32-bit multiply-adds.
    pub multiplications: u64,
}

/// A device that is not there, and what was submitted to it: contexts run on it as on any other, so that what is counted is
/// what they launch. Many counts by one recorder take less time than those by one each: it keeps programs.
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
    pub(super) fn info(&self) -> &DeviceInfo {
        self.device.info()
    }

    pub(super) const fn device(&self) -> &Device {
        &self.device
    }

    pub(super) const fn stream(&self) -> &Stream {
        &self.stream
    }

    /// What was launched on the stream since this was last asked.
    pub(super) fn take(&self) -> Vec<LaunchWork> {
        self.device.take_launches(self.stream.identity())
    }

    /// What is launched by what is submitted here.
    pub(super) fn launches<T>(
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
