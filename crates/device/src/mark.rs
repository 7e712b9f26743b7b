//! Events of the driver.

use crate::backend::{Driver, Raw};
use crate::error::GpuError;
use std::sync::Arc;

/// An event of the driver.
pub(crate) struct Mark {
    driver: Arc<dyn Driver>,
    raw: Raw,
}

impl Mark {
    /// Records one on a stream of the driver, which is alive.
    pub(crate) fn record(
        driver: &Arc<dyn Driver>,
        stream: Raw,
        timed: bool,
    ) -> Result<Self, GpuError> {
        // SAFETY: the stream is alive and of this driver, as this function asks.
        let raw = unsafe { driver.record(stream, timed)? };
        Ok(Self {
            driver: Arc::clone(driver),
            raw,
        })
    }

    pub(crate) fn raw(&self) -> Raw {
        self.raw
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        // SAFETY: the event is of this driver, and this is its only owner.
        unsafe { self.driver.free_event(self.raw) };
    }
}
