//! Reusable scratch memory: a product borrows a buffer and gives it back, so that repeated products
//! through one multiplier allocate nothing.

use std::sync::{Mutex, PoisonError};

/// A pool of buffers; as many as products ran at the same time.
#[derive(Debug, Default)]
pub(crate) struct ScratchPool {
    free: Mutex<Vec<Vec<u64>>>,
}

impl ScratchPool {
    /// Runs `work` with at least `limbs` limbs of arbitrary content.
    pub(crate) fn with<R>(&self, limbs: usize, work: impl FnOnce(&mut [u64]) -> R) -> R {
        let mut buffer = self.lock().pop().unwrap_or_default();
        if buffer.len() < limbs {
            buffer.resize(limbs.next_power_of_two(), 0);
        }
        let result = work(&mut buffer[..limbs]);
        self.lock().push(buffer);
        result
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Vec<u64>>> {
        // A panic elsewhere cannot leave a list of buffers half-changed in a way that matters.
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
