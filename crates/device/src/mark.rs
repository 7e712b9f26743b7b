//! Events of the driver.

use crate::backend::Raw;
use crate::device::Device;
use crate::error::GpuError;

/// An event of the driver.
pub(crate) struct Mark {
    device: Device,
    raw: Raw,
}

impl Mark {
    /// Records one on a stream of the device, which is alive.
    pub(crate) fn record(device: &Device, stream: Raw, timed: bool) -> Result<Self, GpuError> {
        // SAFETY: the stream is alive and of this driver, as this function asks.
        let raw = unsafe { device.driver().record(stream, timed)? };
        Ok(Self {
            device: device.clone(),
            raw,
        })
    }

    pub(crate) const fn device(&self) -> &Device {
        &self.device
    }

    pub(crate) fn raw(&self) -> Raw {
        self.raw
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        // SAFETY: the event is of this driver, and this is its only owner.
        unsafe { self.device.driver().free_event(self.raw) };
    }
}
