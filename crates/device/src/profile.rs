//! How long a device takes for each command, where it was opened to keep the time.

use crate::backend::Driver;
use crate::error::GpuError;
use crate::mark::Mark;
use crate::work::LaunchWork;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What was submitted to a stream.
#[derive(Clone, Debug)]
pub enum Command {
    /// A kernel, by its description.
    Launch(LaunchWork),
    /// Bytes from the host.
    Upload(usize),
    /// Bytes to the host.
    Download(usize),
    /// Bytes within the device's memory.
    Copy(usize),
}

/// A command, and how long it took.
#[derive(Clone, Debug)]
pub struct CommandTime {
    /// What it was.
    pub command: Command,
    /// From what was before it on its stream to its end: what other streams did at the same time is in it.
    pub time: Duration,
}

/// Commands between two marks each.
#[derive(Default)]
pub(crate) struct Profile(Mutex<Vec<(Command, [Arc<Mark>; 2])>>);

impl Profile {
    pub(crate) fn keep(&self, command: Command, between: [Arc<Mark>; 2]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push((command, between));
    }

    /// All that was kept; waits for it.
    pub(crate) fn take(&self, driver: &dyn Driver) -> Result<Vec<CommandTime>, GpuError> {
        let kept = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        let told = |(command, [start, end]): (Command, [Arc<Mark>; 2])| {
            // SAFETY: both marks are alive, of this driver, keep the time, and are complete when that is asked for.
            let time = unsafe {
                driver.wait(start.raw())?;
                driver.wait(end.raw())?;
                driver.elapsed(start.raw(), end.raw())?
            };
            Ok(CommandTime { command, time })
        };
        kept.into_iter().map(told).collect()
    }
}
