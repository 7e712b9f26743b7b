//! Double buffering: pieces of work take turns on a few slots, so that the copies of one overlap the kernels of another.

use crate::buffer::{Buffer, Staging};
use crate::device::Device;
use crate::error::GpuError;
use crate::stream::Stream;
use bytemuck::Pod;
use std::collections::VecDeque;
use std::ops::Range;

/// Into which pieces rows are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DoubleBufferConfig {
    /// Pieces that may be under way at a time, each on a stream of its own.
    pub slots: usize,
    /// Bytes of a piece, all of its buffers together, unless one row has more.
    pub piece_bytes: usize,
}

/// Bytes whose copies take far longer than to submit them.
const OVERLAP_BYTES: usize = 1 << 20;

/// The part of the memory that is free which the pieces under way take at most.
const FREE_PART: u64 = 8;

impl DoubleBufferConfig {
    /// What suits rows of so many bytes on a device: two slots where there is enough to overlap, and pieces of 32 MiB or
    /// less.
    ///
    /// ```
    /// use sunzi::gpu::{Device, Selection};
    /// use sunzi_device::double_buffer::DoubleBufferConfig;
    /// # let Ok(device) = Device::open(Selection::Any) else { return };
    /// assert_eq!(DoubleBufferConfig::for_device(&device, 1, 1 << 24).slots, 1);
    /// assert_eq!(DoubleBufferConfig::for_device(&device, 1000, 1 << 16).slots, 2);
    /// ```
    pub fn for_device(device: &Device, rows: usize, row_bytes: usize) -> Self {
        let bytes = rows.saturating_mul(row_bytes);
        let slots = if rows > 1 && bytes >= OVERLAP_BYTES {
            2
        } else {
            1
        };
        let room = usize::try_from(device.memory_free() / FREE_PART).unwrap_or(usize::MAX);
        Self {
            slots,
            piece_bytes: (32 << 20).min(room / slots).min(bytes.div_ceil(slots)),
        }
    }
}

/// Rows of the host on their way through a device, each in a place of its own in every one of some buffers.
///
/// ```
/// use sunzi::gpu::{Device, Selection};
/// use sunzi_device::double_buffer::DoubleBuffer;
/// # fn main() -> Result<(), sunzi::gpu::GpuError> {
/// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
/// // Three rows of two words, which the device copies to another buffer.
/// let mut rows = DoubleBuffer::<u32>::new(&device, 3, &[2, 2], 1)?;
/// let mut found = Vec::new();
/// rows.run(
///     |_, rows, words| rows.zip(words.chunks_mut(2)).for_each(|(row, words)| words.fill(row as u32)),
///     |stream, buffers, rows| {
///         let [from, to] = buffers else { unreachable!() };
///         stream.copy((from, 0), (to, 0), 2 * rows)
///     },
///     |_, words| found.extend_from_slice(words),
/// )?;
/// assert_eq!(found, [0, 0, 1, 1, 2, 2]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct DoubleBuffer<E: Pod> {
    rows: usize,
    piece: usize,
    /// Elements of a row in each buffer.
    lens: Vec<usize>,
    /// The buffers before this one are filled by the host.
    uploaded: usize,
    slots: Vec<RowSlot<E>>,
}

/// A stream, and the memory of a piece.
#[derive(Debug)]
struct RowSlot<E> {
    stream: Stream,
    buffers: Vec<Buffer<E>>,
    /// Of the buffers that the host fills.
    up: Vec<Staging<E>>,
    down: Staging<E>,
}

impl<E: Pod> DoubleBuffer<E> {
    /// For `rows` rows, which have `lens` elements in each buffer; the host fills the first `uploaded` ones, and gets the
    /// last one back.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for no buffers or more to fill than there are; [`GpuError::OutOfMemory`]; errors of the driver.
    pub fn new(
        device: &Device,
        rows: usize,
        lens: &[usize],
        uploaded: usize,
    ) -> Result<Self, GpuError> {
        let row = lens
            .iter()
            .fold(0, |sum: usize, &len| sum.saturating_add(len));
        let row_bytes = row.saturating_mul(size_of::<E>());
        let config = DoubleBufferConfig::for_device(device, rows, row_bytes);
        Self::with_config(device, rows, lens, uploaded, config)
    }

    /// In given pieces.
    ///
    /// # Errors
    /// As [`DoubleBuffer::new`], and [`GpuError::Shape`] for no slots.
    pub fn with_config(
        device: &Device,
        rows: usize,
        lens: &[usize],
        uploaded: usize,
        config: DoubleBufferConfig,
    ) -> Result<Self, GpuError> {
        let (Some(&last), 1..) = (lens.last(), config.slots) else {
            return Err(GpuError::Shape(
                "rows take turns in at least one buffer and one slot".to_owned(),
            ));
        };
        if uploaded > lens.len() {
            return Err(GpuError::Shape(format!(
                "{uploaded} buffers cannot be filled where there are {}",
                lens.len()
            )));
        }
        let element = size_of::<E>().max(1);
        let row = lens
            .iter()
            .fold(0, |sum: usize, &len| sum.saturating_add(len));
        let longest = lens.iter().copied().max().unwrap_or(0);
        let largest = usize::try_from(device.info().largest_buffer).unwrap_or(usize::MAX);
        let piece = (config.piece_bytes / row.saturating_mul(element).max(1))
            .min(largest / longest.saturating_mul(element).max(1))
            .clamp(1, rows.max(1));
        let len_of_piece = |len: usize| {
            let shape = || GpuError::Shape(format!("{piece} rows of {len} elements are too many"));
            len.checked_mul(piece).ok_or_else(shape)
        };
        let slot = || {
            let buffers = lens.iter().map(|&len| device.buffer(len_of_piece(len)?));
            let up = lens[..uploaded]
                .iter()
                .map(|&len| device.staging(len_of_piece(len)?));
            Ok(RowSlot {
                stream: device.stream()?,
                buffers: buffers.collect::<Result<_, GpuError>>()?,
                up: up.collect::<Result<_, GpuError>>()?,
                down: device.staging(len_of_piece(last)?)?,
            })
        };
        let slots = config.slots.min(rows.div_ceil(piece));
        Ok(Self {
            rows,
            piece,
            lens: lens.to_vec(),
            uploaded,
            slots: (0..slots)
                .map(|_| slot())
                .collect::<Result<_, GpuError>>()?,
        })
    }

    /// The rows of a piece, but for the last one, which may have less.
    pub const fn piece(&self) -> usize {
        self.piece
    }

    /// Computes all rows: `fill` writes the rows of a piece for a buffer, `submit` submits what is computed of so many rows,
    /// and `collect` gets the first row's number and what the last buffer then has of the rows, in order.
    ///
    /// # Errors
    /// Those of `submit`, and of the driver.
    pub fn run(
        &mut self,
        mut fill: impl FnMut(usize, Range<usize>, &mut [E]),
        mut submit: impl FnMut(&Stream, &mut [Buffer<E>], usize) -> Result<(), GpuError>,
        mut collect: impl FnMut(usize, &[E]),
    ) -> Result<(), GpuError> {
        let Self {
            rows,
            piece,
            lens,
            uploaded,
            slots,
        } = self;
        let last = lens.len() - 1;
        run_double_buffered(
            slots,
            pieces(*rows, *piece),
            |slot, rows| {
                for (number, staging) in slot.up.iter_mut().enumerate().take(*uploaded) {
                    let len = rows.len() * lens[number];
                    fill(number, rows.clone(), &mut staging.get_mut()?[..len]);
                    let buffer = &mut slot.buffers[number];
                    slot.stream.upload(buffer, 0, staging, len)?;
                }
                submit(&slot.stream, &mut slot.buffers, rows.len())?;
                let len = rows.len() * lens[last];
                let RowSlot {
                    stream,
                    buffers,
                    down,
                    ..
                } = slot;
                stream.download(&buffers[last], 0, down, len)
            },
            |slot, rows| {
                let len = rows.len() * lens[last];
                collect(rows.start, &slot.down.get()?[..len]);
                Ok(())
            },
        )
    }
}

/// The pieces of a batch, `room` pairs each, one at least, but for the last.
pub fn pieces(pairs: usize, room: usize) -> Vec<Range<usize>> {
    let starts = (0..pairs).step_by(room.max(1));
    starts
        .map(|start| start..pairs.min(start + room.max(1)))
        .collect()
}

/// Submits every piece on the next slot, and collects a slot's piece before the slot gets another.
pub fn run_double_buffered<L, P>(
    slots: &mut [L],
    pieces: impl IntoIterator<Item = P>,
    mut submit: impl FnMut(&mut L, &P) -> Result<(), GpuError>,
    mut collect: impl FnMut(&mut L, P) -> Result<(), GpuError>,
) -> Result<(), GpuError> {
    let mut under_way: VecDeque<(usize, P)> = VecDeque::new();
    let turns = (0..slots.len()).cycle();
    for (slot, piece) in turns.zip(pieces) {
        // All slots are busy, and this one has been for longest.
        if under_way.len() == slots.len()
            && let Some((_, earlier)) = under_way.pop_front()
        {
            collect(&mut slots[slot], earlier)?;
        }
        submit(&mut slots[slot], &piece)?;
        under_way.push_back((slot, piece));
    }
    for (slot, piece) in under_way {
        collect(&mut slots[slot], piece)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn pieces_come_back_in_order_each_from_its_slot() {
        for slots in 1..4 {
            for pieces in 0..8 {
                // A slot holds the piece that it works on.
                let mut all = vec![None; slots];
                let collected = RefCell::new(Vec::new());
                let submit = |slot: &mut Option<usize>, &piece: &usize| {
                    assert_eq!(slot.replace(piece), None, "the slot was free");
                    Ok(())
                };
                let collect = |slot: &mut Option<usize>, piece| {
                    assert_eq!(slot.take(), Some(piece));
                    collected.borrow_mut().push(piece);
                    Ok(())
                };
                run_double_buffered(&mut all, 0..pieces, submit, collect).unwrap();
                assert_eq!(collected.into_inner(), (0..pieces).collect::<Vec<_>>());
                assert!(all.iter().all(Option::is_none));
            }
        }
    }
}
