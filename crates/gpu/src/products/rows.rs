//! Batches whose operands are rows of one length, padded with zeros: short integers and short polynomials.

use super::config::ProductConfig;
use super::load::{Load, Pool, Slot};
use super::packing::pack;
use std::collections::BTreeMap;
use std::ops::Range;
use sunzi_device::double_buffer::{pieces, run_double_buffered};
use sunzi_device::{Buffer, Device, GpuError, Staging, Stream};

/// Lengths up to which rows are padded to these, so that there are few kernels, which take longer to compile than batches
/// take to run on any device.
const SHORTEST: [usize; 4] = [2, 4, 8, 16];
/// Longer rows are padded by one part in this many at most.
const PADDED_PART: usize = 8;

/// Where a piece is worked on: operands left and right, products.
#[derive(Debug)]
pub(super) struct RowSlot {
    stream: Stream,
    sides: [Side; 2],
    product: Side,
}

/// Memory of the device and of the host for the same words.
#[derive(Debug)]
struct Side {
    staged: Staging<u32>,
    data: Buffer<u32>,
}

impl Slot for RowSlot {
    /// Words of operands, left and right, and of products.
    type Size = [usize; 3];

    fn holds(&self, size: &[usize; 3]) -> bool {
        let [left, right] = &self.sides;
        let sides = [left, right, &self.product];
        sides
            .iter()
            .zip(size)
            .all(|(side, &words)| side.data.len() >= words)
    }
}

/// The operands of a product, left and right: elements of whole words.
pub(super) type Pair<'a> = [&'a [u32]; 2];

/// Pairs by the lengths that they are padded to, the longer operand's first, each group with its numbers.
pub(super) fn groups(
    numbered: impl Iterator<Item = (usize, [usize; 2])>,
) -> BTreeMap<[usize; 2], Vec<usize>> {
    let mut groups: BTreeMap<[usize; 2], Vec<usize>> = BTreeMap::new();
    for (number, [left, right]) in numbered {
        let lengths = padded([left.max(right), left.min(right)]);
        groups.entry(lengths).or_default().push(number);
    }
    groups
}

/// What takes products, several at a time: the number of a pair, and the words of its product.
pub(super) type Take<'a> = dyn FnMut(&[(usize, &[u32])]) + 'a;

/// What takes several products at a time, by what takes one.
pub(super) fn one_by_one(mut take: impl FnMut(usize, &[u32])) -> impl FnMut(&[(usize, &[u32])]) {
    move |products| {
        for &(number, words) in products {
            take(number, words);
        }
    }
}

/// Products of some pairs with the numbers that these have among all.
pub(super) fn renumbered<'a>(
    products: &[(usize, &'a [u32])],
    numbers: &[usize],
) -> Vec<(usize, &'a [u32])> {
    let of_all = |&(index, words): &(usize, &'a [u32])| (numbers[index], words);
    products.iter().map(of_all).collect()
}

/// The pair with the longer operand first.
pub(super) fn ordered([left, right]: Pair<'_>) -> Pair<'_> {
    if left.len() < right.len() {
        [right, left]
    } else {
        [left, right]
    }
}

/// The lengths that rows of these lengths are padded to.
pub(crate) fn padded(lengths: [usize; 2]) -> [usize; 2] {
    let most = SHORTEST[SHORTEST.len() - 1];
    let short = lengths.iter().all(|&length| length <= most);
    lengths.map(|length| {
        if short {
            SHORTEST
                .into_iter()
                .find(|&longer| longer >= length)
                .unwrap_or(most)
        } else {
            length.next_multiple_of((length.next_power_of_two() / (2 * PADDED_PART)).max(1))
        }
    })
}

/// What products of rows have in common, in words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    /// Words that operands are padded to.
    pub lengths: [usize; 2],
    /// Words that a product has less than its operands together.
    pub overlap: usize,
    /// Words that a pair takes of the device's memory beside operands and product.
    pub work: usize,
}

/// What kernels are given of a piece, and what they fill.
pub(super) struct Piece<'a> {
    pub stream: &'a Stream,
    pub operands: [&'a Buffer<u32>; 2],
    pub product: &'a mut Buffer<u32>,
    pub count: usize,
    /// Whether there is one right operand for all.
    pub shared: bool,
}

impl Rows {
    const fn product(&self) -> usize {
        self.lengths[0] + self.lengths[1] - self.overlap
    }

    /// Pairs of a piece, and slots.
    pub(super) fn cut(
        &self,
        device: &Device,
        config: &ProductConfig,
        pairs: usize,
    ) -> Result<(usize, usize), GpuError> {
        let both = self.lengths[0] + self.lengths[1] + self.product();
        Load {
            pairs,
            device_words: both + self.work,
            buffer_words: self.product().max(self.lengths[0]).max(self.work),
            copied_words: both,
        }
        .cut(device, config)
    }

    /// Multiplies pairs in pieces of `room`, and hands the products of each to `take`.
    pub(super) fn multiply(
        &self,
        (device, config): (&Device, &ProductConfig),
        pool: &Pool<RowSlot>,
        (room, slots): (usize, usize),
        pairs: &[Pair<'_>],
        multiply: impl Fn(Piece<'_>) -> Result<(), GpuError>,
        take: &mut Take<'_>,
    ) -> Result<(), GpuError> {
        let (lengths, product_len) = (self.lengths, self.product());
        let pieces = pieces(pairs.len(), room);
        let shared = pairs.iter().all(|pair| std::ptr::eq(pair[1], pairs[0][1]));
        let right = if shared { 1 } else { room };
        let size = [room * lengths[0], right * lengths[1], room * product_len];
        let new = || {
            let [left, right, product] = size.map(|words| Side::new(device, words));
            Ok(RowSlot {
                stream: device.stream()?,
                sides: [left?, right?],
                product: product?,
            })
        };
        let mut slots = pool.take(slots.min(pieces.len()), &size, new)?;
        let submit = |slot: &mut RowSlot, piece: &Range<usize>| {
            let pairs = &pairs[piece.clone()];
            let rows = [pairs.len(), if shared { 1 } else { pairs.len() }];
            for (index, side) in slot.sides.iter_mut().enumerate() {
                let rows = pairs.iter().map(|pair| pair[index]).take(rows[index]);
                side.upload(&slot.stream, lengths[index], rows, config.host_words)?;
            }
            multiply(Piece {
                stream: &slot.stream,
                operands: slot.sides.each_ref().map(|side| &side.data),
                product: &mut slot.product.data,
                count: pairs.len(),
                shared,
            })?;
            let Side { staged, data } = &mut slot.product;
            slot.stream
                .download(data, 0, staged, pairs.len() * product_len)
        };
        let collect = |slot: &mut RowSlot, piece: Range<usize>| {
            let products = slot.product.staged.get()?;
            let rows = products.chunks(product_len).zip(piece);
            let rows = rows.map(|(row, number)| {
                let [left, right] = pairs[number];
                let len = left.len() + right.len() - self.overlap;
                (number, &row[..len])
            });
            take(&rows.collect::<Vec<_>>());
            Ok(())
        };
        run_double_buffered(&mut slots, pieces, submit, collect)?;
        pool.put(slots);
        Ok(())
    }
}

impl Side {
    fn new(device: &Device, words: usize) -> Result<Self, GpuError> {
        Ok(Self {
            staged: device.staging(words)?,
            data: device.buffer(words)?,
        })
    }

    /// Submits the copy of rows, each padded with zeros to `length` words.
    fn upload<'a>(
        &mut self,
        stream: &Stream,
        length: usize,
        rows: impl ExactSizeIterator<Item = &'a [u32]> + Clone + Send,
        host_words: usize,
    ) -> Result<(), GpuError> {
        let words = rows.len() * length;
        pack(self.staged.get_mut()?, rows, Some(length), host_words);
        stream.upload(&mut self.data, 0, &mut self.staged, words)
    }
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
