//! Points in a stream.

use crate::device::Device;
use crate::error::GpuError;
use crate::hazards::Point;
use crate::mark::Mark;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A point in a stream.
pub struct Event {
    pub(crate) device: Device,
    pub(crate) mark: Arc<Mark>,
    /// What it is behind.
    pub(crate) point: Point,
    /// Whether the device notes when it is reached.
    pub(crate) timed: bool,
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Event of {}", self.device.info().name)
    }
}

impl Event {
    /// Waits until the stream is past it.
    ///
    /// # Errors
    /// If what came before failed.
    pub fn wait(&self) -> Result<(), GpuError> {
        // SAFETY: the event is alive and of this driver.
        unsafe { self.device.driver().wait(self.mark.raw())? };
        self.point.note_done();
        Ok(())
    }

    /// The device's time from `earlier` to this event, both of streams that keep the time
    /// ([`Device::timed_stream`]); waits for both.
    ///
    /// # Errors
    /// If what came before failed; [`GpuError::Shape`] for an event of another device or of a stream that keeps no time.
    pub fn since(&self, earlier: &Self) -> Result<Duration, GpuError> {
        self.device
            .must_own("earlier event", earlier.device.identity())?;
        if !(self.timed && earlier.timed) {
            return Err(GpuError::Shape(
                "events of a stream that keeps no time were compared: Device::timed_stream makes one that does"
                    .to_owned(),
            ));
        }
        earlier.wait()?;
        self.wait()?;
        // SAFETY: both are alive, of this driver, and complete.
        unsafe {
            self.device
                .driver()
                .elapsed(earlier.mark.raw(), self.mark.raw())
        }
    }
}
