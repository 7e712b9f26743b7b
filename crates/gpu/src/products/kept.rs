//! Workspaces that are kept from one product to the next.
//!
//! Nobody waits for a product to be done before its workspace is given back: the stream that gets it next follows its last
//! use on the device. Each stream gets its own again as long as there are not too many, so that products on different
//! streams overlap.

use super::load::Slot;
use std::sync::{Mutex, MutexGuard, PoisonError};
use sunzi_device::{GpuError, Stream, StreamIdentity};

/// A workspace, and where it was used last.
#[derive(Debug)]
struct Used<W> {
    work: W,
    on: StreamIdentity,
}

/// Workspaces of a context, those used last at the end.
#[derive(Debug)]
pub(super) struct Kept<W> {
    used: Mutex<Vec<Used<W>>>,
    most: usize,
}

impl<W: Slot> Kept<W> {
    /// None yet, and `most` at most.
    pub(super) fn new(most: usize) -> Self {
        Self {
            used: Mutex::default(),
            most,
        }
    }

    fn all(&self) -> MutexGuard<'_, Vec<Used<W>>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A workspace for work on a stream: a kept one that has the room, or a new one.
    pub(super) fn take(
        &self,
        stream: &Stream,
        size: &W::Size,
        new: impl FnOnce() -> Result<W, GpuError>,
    ) -> Result<W, GpuError> {
        match self.find(stream, size) {
            Some(used) => Ok(used.work),
            None => new(),
        }
    }

    /// One that has the room: what this stream used last, or anybody's if no more are to be kept.
    fn find(&self, stream: &Stream, size: &W::Size) -> Option<Used<W>> {
        let mut all = self.all();
        let fits = |used: &Used<W>| used.work.holds(size);
        let own = |used: &Used<W>| fits(used) && used.on == stream.identity();
        let place = all.iter().rposition(own).or_else(|| {
            let full = all.len() >= self.most;
            all.iter().position(fits).filter(|_| full)
        });
        place.map(|place| all.remove(place))
    }

    /// Keeps a workspace that work which was submitted to a stream uses.
    pub(super) fn put(&self, stream: &Stream, work: W) {
        let on = stream.identity();
        let mut all = self.all();
        all.push(Used { work, on });
        if all.len() > self.most {
            all.remove(0);
        }
    }

    /// Frees all of them.
    pub(super) fn clear(&self) {
        self.all().clear();
    }
}
