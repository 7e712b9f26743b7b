//! Pieces of work that take turns.

use crate::{Device, GpuError};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Lanes that take turns: while one is copied to, another computes and a third is copied from.
pub const LANES: usize = 3;

/// Words that are copied from which a batch is cut up for the sake of overlap alone.
const OVERLAP_WORDS: usize = 2 << 20;

/// Bytes of the device's memory that a lane takes at most, but for a product that needs more: enough for copies to run
/// at full speed, and little enough for lanes of several shapes to be kept.
const LANE_BYTES: u64 = 64 << 20;
/// The part of the device's memory that a lane takes at most, likewise.
const LANE_PART: u64 = 16;

/// A lane's memory, which serves every piece that fits.
pub trait Lane {
    /// What it has room for.
    type Size;

    /// Whether pieces of that size fit.
    fn holds(&self, size: &Self::Size) -> bool;
}

/// Lanes that wait for the next batch: memory that the device reads directly takes longer to get than to use.
#[derive(Debug)]
pub struct Idle<L>(Mutex<Vec<L>>);

impl<L> Default for Idle<L> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<L: Lane> Idle<L> {
    /// As many lanes as are wanted: those that wait, if they have the room, or new ones.
    pub fn take(
        &self,
        count: usize,
        size: &L::Size,
        new: impl Fn() -> Result<L, GpuError>,
    ) -> Result<Vec<L>, GpuError> {
        let mut lanes = self.take_all();
        lanes.retain(|lane| lane.holds(size));
        lanes.truncate(count);
        while lanes.len() < count {
            lanes.push(new()?);
        }
        Ok(lanes)
    }

    /// Lets lanes wait that have no work under way.
    pub fn put(&self, lanes: Vec<L>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = lanes;
    }

    fn take_all(&self) -> Vec<L> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Frees the memory of those that wait.
    pub fn clear(&self) {
        drop(self.take_all());
    }
}

/// What a batch needs.
#[derive(Clone, Copy, Debug)]
pub struct Load {
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
    /// Pairs of a piece, few enough for as many lanes to fit in the device's memory and for copies to overlap; and
    /// lanes.
    pub fn cut(&self, device: &Device) -> Result<(usize, usize), GpuError> {
        let bytes = 4 * self.device_words.max(1) as u64;
        let free = device.memory_free();
        let lane_bytes = LANE_BYTES.min(device.memory_limit() / LANE_PART).max(bytes);
        // Where there is no room for all lanes, one may do.
        let lanes = if free / bytes >= LANES as u64 {
            LANES
        } else {
            1
        };
        let room = (free / lanes as u64).min(lane_bytes) / bytes;
        let per_buffer = device.info().largest_buffer / (4 * self.buffer_words.max(1)) as u64;
        if room == 0 || per_buffer == 0 {
            return Err(device.out_of_memory(bytes));
        }
        let room = usize::try_from(room.min(per_buffer)).unwrap_or(usize::MAX);
        let overlapping = if self.copied_words * self.pairs >= OVERLAP_WORDS {
            self.pairs.div_ceil(lanes)
        } else {
            self.pairs
        };
        Ok((room.min(overlapping).max(1), lanes))
    }
}

/// The pieces of a batch, `room` pairs each but for the last.
pub fn pieces(pairs: usize, room: usize) -> Vec<Range<usize>> {
    let starts = (0..pairs).step_by(room);
    starts.map(|start| start..pairs.min(start + room)).collect()
}

/// Submits every piece on the next lane, and collects a lane's piece before the lane gets another.
pub fn take_turns<L, P>(
    lanes: &mut [L],
    pieces: impl IntoIterator<Item = P>,
    mut submit: impl FnMut(&mut L, &P) -> Result<(), GpuError>,
    mut collect: impl FnMut(&mut L, P) -> Result<(), GpuError>,
) -> Result<(), GpuError> {
    let mut under_way: VecDeque<(usize, P)> = VecDeque::new();
    let turns = (0..lanes.len()).cycle();
    for (lane, piece) in turns.zip(pieces) {
        // All lanes are busy, and this one has been for longest.
        if under_way.len() == lanes.len()
            && let Some((_, earlier)) = under_way.pop_front()
        {
            collect(&mut lanes[lane], earlier)?;
        }
        submit(&mut lanes[lane], &piece)?;
        under_way.push_back((lane, piece));
    }
    for (lane, piece) in under_way {
        collect(&mut lanes[lane], piece)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn pieces_come_back_in_order_each_from_its_lane() {
        for lanes in 1..4 {
            for pieces in 0..8 {
                // A lane holds the piece that it works on.
                let mut all = vec![None; lanes];
                let collected = RefCell::new(Vec::new());
                let submit = |lane: &mut Option<usize>, &piece: &usize| {
                    assert_eq!(lane.replace(piece), None, "the lane was free");
                    Ok(())
                };
                let collect = |lane: &mut Option<usize>, piece| {
                    assert_eq!(lane.take(), Some(piece));
                    collected.borrow_mut().push(piece);
                    Ok(())
                };
                take_turns(&mut all, 0..pieces, submit, collect).unwrap();
                assert_eq!(collected.into_inner(), (0..pieces).collect::<Vec<_>>());
                assert!(all.iter().all(Option::is_none));
            }
        }
    }
}
