//! What pieces of products that take turns need: memory, and how many pairs a piece has.

use super::config::ProductConfig;
use std::sync::{Mutex, PoisonError};
use sunzi_device::{Device, GpuError};

/// The part of the device's memory that a slot takes at most, whatever its configuration says: slots of several sizes are kept.
const SLOT_PART: u64 = 16;

/// A slot's memory, which serves every piece that fits.
pub(super) trait Slot {
    /// What it has room for.
    type Size;

    /// Whether pieces of that size fit.
    fn holds(&self, size: &Self::Size) -> bool;
}

/// Slots kept for the next batch: memory that the device reads directly takes longer to get than to use.
#[derive(Debug)]
pub(super) struct Pool<L>(Mutex<Vec<L>>);

impl<L> Default for Pool<L> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<L: Slot> Pool<L> {
    /// `count` slots: kept ones that have the room, or else new ones.
    pub(super) fn take(
        &self,
        count: usize,
        size: &L::Size,
        new: impl Fn() -> Result<L, GpuError>,
    ) -> Result<Vec<L>, GpuError> {
        let mut slots = self.take_all();
        slots.retain(|slot| slot.holds(size));
        slots.truncate(count);
        while slots.len() < count {
            slots.push(new()?);
        }
        Ok(slots)
    }

    /// Keeps slots, which must have no work under way, for the next batch.
    pub(super) fn put(&self, slots: Vec<L>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = slots;
    }

    fn take_all(&self) -> Vec<L> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Frees the memory of kept slots.
    pub(super) fn clear(&self) {
        drop(self.take_all());
    }
}

/// What a batch needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    /// Pairs of operands.
    pub pairs: usize,
    /// Words of the device's memory that a pair takes at most, product and work included.
    pub device_words: usize,
    /// Words that a pair takes at most in any one buffer.
    pub buffer_words: usize,
    /// Words that are copied of a pair and its product.
    pub copied_words: usize,
}

impl Load {
    /// Pairs of a piece, few enough for as many slots to fit in the device's memory and for copies to overlap; and
    /// slots.
    pub(super) fn cut(
        &self,
        device: &Device,
        config: &ProductConfig,
    ) -> Result<(usize, usize), GpuError> {
        let bytes = 4 * self.device_words.max(1) as u64;
        let free = device.memory_free();
        let most = config.slot_bytes.min(device.memory_limit() / SLOT_PART);
        // Where there is no room for all slots, one may do.
        let slots = if free / bytes >= config.slots as u64 {
            config.slots
        } else {
            1
        };
        let room = (free / slots as u64).min(most.max(bytes)) / bytes;
        let per_buffer = device.info().largest_buffer / (4 * self.buffer_words.max(1)) as u64;
        if room == 0 || per_buffer == 0 {
            return Err(device.out_of_memory(bytes));
        }
        let room = usize::try_from(room.min(per_buffer)).unwrap_or(usize::MAX);
        let overlapping = if self.copied_words * self.pairs >= config.overlap_words {
            self.pairs.div_ceil(slots)
        } else {
            self.pairs
        };
        Ok((room.min(overlapping).max(1), slots))
    }
}
