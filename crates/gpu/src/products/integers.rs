//! Integers of all lengths: the short ones word by word, the long ones by transforms.

use super::lanes::{Idle, Lane, Load, pieces, take_turns};
use super::{Operand, ProductForm, Transformer};
use crate::integer::IntegerBatch;
use crate::{Buffer, Device, GpuError, Staging, Stream};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Words of the longer integer up to which products are computed word by word: from there on, a transform's passes
/// over memory take less time than so many multiplications.
const MOST_WORDS: usize = 1024;
/// Lengths up to which a kernel is compiled for them alone: few of them, so that there are few kernels.
const COMPILED: [usize; 4] = [2, 4, 8, 16];
/// Longer integers are padded by one part in so many at most.
const PADDED_PART: usize = 8;

/// Multiplies batches of integers, whatever the lengths.
#[derive(Debug)]
pub struct IntegerProducts {
    device: Device,
    kept: Mutex<HashMap<[usize; 2], Arc<IntegerBatch>>>,
    idle: Idle<IntegerLane>,
}

/// Where a piece is worked on: operands left and right, products.
#[derive(Debug)]
struct IntegerLane {
    stream: Stream,
    sides: [Side; 2],
    product: Side,
}

/// Memory of the device and of the host for the same words.
#[derive(Debug)]
struct Side {
    staged: Staging<u32>,
    words: Buffer<u32>,
}

impl Lane for IntegerLane {
    /// Words of operands, left and right, and of products.
    type Size = [usize; 3];

    fn holds(&self, size: &[usize; 3]) -> bool {
        let [left, right] = &self.sides;
        let sides = [left, right, &self.product];
        sides
            .iter()
            .zip(size)
            .all(|(side, &words)| side.words.len() >= words)
    }
}

impl IntegerProducts {
    /// Has no kernels yet.
    pub fn new(device: &Device) -> Self {
        Self {
            device: device.clone(),
            kept: Mutex::default(),
            idle: Idle::default(),
        }
    }

    /// Multiplies pairs of integers, digits of 32 bits with the lowest first, and hands each product's digits to
    /// `take`, with the pair's number: as many as both have together, none if one has none. `transformer` does the
    /// long ones.
    ///
    /// # Errors
    /// As [`Transformer::multiply`].
    pub fn multiply(
        &self,
        transformer: &Transformer,
        pairs: &[[&[u32]; 2]],
        mut take: impl FnMut(usize, &[u32]),
    ) -> Result<(), GpuError> {
        let mut groups: BTreeMap<[usize; 2], Vec<usize>> = BTreeMap::new();
        let mut long = Vec::new();
        for (number, pair) in pairs.iter().enumerate() {
            let mut lengths = pair.map(<[u32]>::len);
            if lengths.contains(&0) {
                take(number, &[]);
            } else if lengths.iter().any(|&length| length > MOST_WORDS) {
                long.push(number);
            } else {
                lengths.sort_unstable_by(|a, b| b.cmp(a));
                groups.entry(padded(lengths)).or_default().push(number);
            }
        }
        for (lengths, numbers) in groups {
            let ordered = |&number: &usize| {
                let [left, right] = pairs[number];
                if left.len() < right.len() {
                    [right, left]
                } else {
                    [left, right]
                }
            };
            let group: Vec<_> = numbers.iter().map(ordered).collect();
            self.word_by_word(transformer, lengths, &group, |index, words| {
                take(numbers[index], words)
            })?;
        }
        let operands = long
            .iter()
            .map(|&number| pairs[number].map(|words| Operand::new(words, 1)));
        let operands: Vec<_> = operands.collect();
        transformer.multiply(&ProductForm::INTEGERS, &operands, |index, words| {
            take(long[index], words)
        })
    }

    /// The kernel for integers of these lengths.
    fn batch(&self, lengths: [usize; 2]) -> Result<Arc<IntegerBatch>, GpuError> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(batch) = kept.get(&lengths) {
            return Ok(batch.clone());
        }
        let batch = Arc::new(IntegerBatch::best(&self.device, lengths[0], lengths[1])?);
        kept.insert(lengths, batch.clone());
        Ok(batch)
    }

    /// Multiplies pairs of integers of these lengths or fewer.
    fn word_by_word(
        &self,
        transformer: &Transformer,
        lengths: [usize; 2],
        pairs: &[[&[u32]; 2]],
        mut take: impl FnMut(usize, &[u32]),
    ) -> Result<(), GpuError> {
        let batch = self.batch(lengths)?;
        let product_words = lengths[0] + lengths[1];
        let load = Load {
            pairs: pairs.len(),
            device_words: 2 * product_words,
            buffer_words: product_words,
            copied_words: 2 * product_words,
        };
        let (room, lanes) = match load.cut(&self.device) {
            Err(GpuError::OutOfMemory { .. }) => {
                self.idle.clear();
                transformer.forget();
                load.cut(&self.device)?
            }
            cut => cut?,
        };
        let pieces = pieces(pairs.len(), room);
        let shared = pairs.iter().all(|pair| std::ptr::eq(pair[1], pairs[0][1]));
        let right = if shared { 1 } else { room };
        let size = [room * lengths[0], right * lengths[1], room * product_words];
        let new = || {
            let [left, right, product] = size.map(|words| Side::new(&self.device, words));
            Ok(IntegerLane {
                stream: self.device.stream()?,
                sides: [left?, right?],
                product: product?,
            })
        };
        let mut lanes = self.idle.take(lanes.min(pieces.len()), &size, new)?;
        let submit = |lane: &mut IntegerLane, piece: &Range<usize>| {
            let pairs = &pairs[piece.clone()];
            let rows = [pairs.len(), if shared { 1 } else { pairs.len() }];
            for (index, side) in lane.sides.iter_mut().enumerate() {
                let rows = pairs.iter().map(|pair| pair[index]).take(rows[index]);
                side.upload(&lane.stream, lengths[index], rows)?;
            }
            let [left, right] = &lane.sides;
            let product = (&mut lane.product.words, 0);
            batch.multiply(
                &lane.stream,
                (&left.words, 0),
                (&right.words, 0),
                product,
                pairs.len(),
                shared,
            )?;
            let words = pairs.len() * product_words;
            lane.stream
                .download(&lane.product.words, 0, &mut lane.product.staged, words)
        };
        let collect = |lane: &mut IntegerLane, piece: Range<usize>| {
            let words = lane.product.staged.get()?;
            for (row, number) in words.chunks(product_words).zip(piece) {
                let [left, right] = pairs[number];
                take(number, &row[..left.len() + right.len()]);
            }
            Ok(())
        };
        take_turns(&mut lanes, pieces, submit, collect)?;
        self.idle.put(lanes);
        Ok(())
    }
}

impl Side {
    fn new(device: &Device, words: usize) -> Result<Self, GpuError> {
        Ok(Self {
            staged: device.staging(words)?,
            words: device.buffer(words)?,
        })
    }

    /// Submits the copy of rows, each padded with zeros to `length` words.
    fn upload<'a>(
        &mut self,
        stream: &Stream,
        length: usize,
        rows: impl ExactSizeIterator<Item = &'a [u32]>,
    ) -> Result<(), GpuError> {
        let words = rows.len() * length;
        for (place, row) in self.staged.get_mut()?.chunks_mut(length).zip(rows) {
            let (digits, padding) = place.split_at_mut(row.len());
            digits.copy_from_slice(row);
            padding.fill(0);
        }
        stream.upload(&mut self.words, 0, &mut self.staged, words)
    }
}

/// The lengths that a kernel is asked for where integers have these.
fn padded(lengths: [usize; 2]) -> [usize; 2] {
    let most = COMPILED[COMPILED.len() - 1];
    let compiled = lengths.iter().all(|&length| length <= most);
    lengths.map(|length| {
        if compiled {
            COMPILED
                .into_iter()
                .find(|&longer| longer >= length)
                .unwrap_or(most)
        } else {
            length.next_multiple_of((length.next_power_of_two() / (2 * PADDED_PART)).max(1))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::padded;

    #[test]
    fn lengths_are_padded_by_little_and_to_few() {
        assert_eq!(padded([1, 16]), [2, 16]);
        assert_eq!(padded([1, 17]), [1, 18]);
        for length in 17..=1024 {
            let [longer, _] = padded([length, 1024]);
            assert!(
                longer >= length && longer - length <= length / 8 + 1,
                "{length}: {longer}"
            );
        }
        let all: std::collections::BTreeSet<_> =
            (17..=1024).map(|length| padded([length, 17])[0]).collect();
        assert!(all.len() <= 60, "{}", all.len());
    }
}
