//! Records that move with their keys: distributed into buckets that fit the second cache, and sorted there
//! by counting.

use super::buckets::{OutputParts, for_each_bucket};
use super::counter::Counter;
use super::distribute::{self, Buckets};
use super::plan::Cuts;
use super::problem::Key;
use super::split::{Shift, Split};

/// What moves with its key.
pub trait Value: Copy + Send + Sync {}

impl<V: Copy + Send + Sync> Value for V {}

/// A key and what moves with it; bare keys have `()`, which takes no room.
pub type Record<K, V> = (K, V);

/// Where sorted records go.
pub trait Output<R>: Send {
    /// Cuts off the first `len` places.
    fn cut(self, len: usize) -> (Self, Self)
    where
        Self: Sized;
    /// Puts a record to its place.
    fn put(&mut self, place: usize, record: R);
}

impl<R: Copy + Send> Output<R> for &mut [R] {
    fn cut(self, len: usize) -> (Self, Self) {
        self.split_at_mut(len)
    }
    #[inline(always)]
    fn put(&mut self, place: usize, record: R) {
        self[place] = record;
    }
}

/// Keys and values in slices of their own.
pub(super) struct Pairs<'a, K, V>(pub &'a mut [K], pub &'a mut [V]);

impl<K: Copy + Send, V: Copy + Send> Output<(K, V)> for Pairs<'_, K, V> {
    fn cut(self, len: usize) -> (Self, Self) {
        let (keys, more_keys) = self.0.split_at_mut(len);
        let (values, more_values) = self.1.split_at_mut(len);
        (Pairs(keys, values), Pairs(more_keys, more_values))
    }
    #[inline(always)]
    fn put(&mut self, place: usize, (key, value): (K, V)) {
        self.0[place] = key;
        self.1[place] = value;
    }
}

/// Values whose keys are not wanted.
pub(super) struct Values<'a, V>(pub &'a mut [V]);

impl<K, V: Copy + Send> Output<(K, V)> for Values<'_, V> {
    fn cut(self, len: usize) -> (Self, Self) {
        let (values, more) = self.0.split_at_mut(len);
        (Values(values), Values(more))
    }
    #[inline(always)]
    fn put(&mut self, place: usize, (_, value): (K, V)) {
        self.0[place] = value;
    }
}

/// Sorts the records of each bucket into `output`, in parallel.
///
/// Bucket b holds the records with keys from `low + b·width` to below `low + (b + 1)·width`.
pub(super) fn finish<K: Key, V: Value, O: Output<Record<K, V>>>(
    buckets: &Buckets<Record<K, V>>,
    low: u64,
    width: u64,
    cuts: &Cuts,
    output: O,
) {
    let lens = buckets.lens();
    let outputs = OutputParts::new(&lens, output, O::cut);
    for_each_bucket(lens.len(), &|| {
        let mut scratch = Scratch::default();
        let (lens, outputs) = (&lens, &outputs);
        Box::new(move |bucket| {
            let low = low.wrapping_add((bucket as u64).wrapping_mul(width));
            finish_bucket(
                buckets.pieces(bucket),
                lens[bucket],
                (low, width),
                cuts,
                &mut scratch,
                outputs.take(bucket),
            );
        })
    });
}

/// Room of one thread.
struct Scratch<R> {
    counts: Vec<u32>,
    records: Vec<R>,
    other: Vec<R>,
}

impl<R> Default for Scratch<R> {
    fn default() -> Self {
        Self {
            counts: Vec::new(),
            records: Vec::new(),
            other: Vec::new(),
        }
    }
}

/// Sorts `len` records with keys from `low` to below `low + width`.
fn finish_bucket<'a, K: Key, V: Value + 'a, O: Output<Record<K, V>>>(
    pieces: impl Iterator<Item = &'a [Record<K, V>]> + Clone,
    len: usize,
    (low, width): (u64, u64),
    cuts: &Cuts,
    scratch: &mut Scratch<Record<K, V>>,
    mut output: O,
) {
    let records = pieces.flatten().copied();
    let bits = u64::BITS - (width - 1).leading_zeros();
    if len <= cuts.few || (bits > 3 * cuts.digit_bits && len <= cuts.many) {
        scratch.records.clear();
        scratch.records.extend(records);
        sort_by_comparison(&mut scratch.records);
        for (place, &record) in scratch.records.iter().enumerate() {
            output.put(place, record);
        }
        return;
    }
    if bits <= cuts.digit_bits || width <= 2 * len as u64 && width <= cuts.counted {
        let digit = |record: &Record<K, V>| record.0.word().wrapping_sub(low) as usize;
        return count_into(
            records,
            len,
            width as usize,
            digit,
            &mut scratch.counts,
            &mut output,
        );
    }
    if len > cuts.many {
        return distribute_again(records.collect(), low, width, cuts, output);
    }
    // The low digits first, between two rows in turn, the last one into the output.
    let passes = bits.div_ceil(cuts.digit_bits);
    let digit_bits = bits.div_ceil(passes);
    let digit = |pass: u32| {
        move |record: &Record<K, V>| {
            (record.0.word().wrapping_sub(low) >> (pass * digit_bits)) as usize
                & ((1 << digit_bits) - 1)
        }
    };
    let Scratch {
        counts,
        records: row,
        other,
    } = scratch;
    row.clear();
    row.extend(records);
    other.clone_from(row);
    for pass in 0..passes - 1 {
        count_into(
            row.iter().copied(),
            len,
            1 << digit_bits,
            digit(pass),
            counts,
            &mut &mut other[..],
        );
        std::mem::swap(row, other);
    }
    count_into(
        row.iter().copied(),
        len,
        1 << digit_bits,
        digit(passes - 1),
        counts,
        &mut output,
    );
}

/// A function of its own, so that it is compiled once for all outputs.
fn sort_by_comparison<K: Key, V: Value>(records: &mut [Record<K, V>]) {
    records.sort_by_key(|record| record.0);
}

/// Algorithm 1: sorts `len` records by a digit below `digits`, stably.
///
/// Counters are `Narrow`, those of the scratch, unless there are more records than they can count.
pub fn count_into<Narrow: Counter, R: Copy>(
    records: impl Iterator<Item = R> + Clone,
    len: usize,
    digits: usize,
    digit: impl Fn(&R) -> usize,
    counts: &mut Vec<Narrow>,
    output: &mut impl Output<R>,
) {
    if len <= Narrow::MOST {
        counts.clear();
        counts.resize(digits, Narrow::default());
        count_by(records, digit, counts, output);
    } else {
        count_by(records, digit, &mut vec![0_usize; digits], output);
    }
}

fn count_by<C: Counter, R: Copy>(
    records: impl Iterator<Item = R> + Clone,
    digit: impl Fn(&R) -> usize,
    counts: &mut [C],
    output: &mut impl Output<R>,
) {
    // `for_each` runs through the pieces in two loops, where `for` would ask at each record for its piece.
    records.clone().for_each(|record| {
        counts[digit(&record)].step();
    });
    let mut place = 0;
    for count in counts.iter_mut() {
        place += count.replace(place);
    }
    records.for_each(|record| output.put(counts[digit(&record)].step(), record));
}

/// A bucket that got most of the records is distributed like the whole was.
fn distribute_again<K: Key, V: Value, O: Output<Record<K, V>>>(
    records: Vec<Record<K, V>>,
    mut low: u64,
    mut width: u64,
    cuts: &Cuts,
    mut output: O,
) {
    // Keys may fill a small part of the bucket only.
    let keys = || records.iter().map(|record| record.0.word());
    let least = keys().min().unwrap_or(low);
    let greatest = keys().max().unwrap_or(low);
    (low, width) = (least, (greatest - least).saturating_add(1).min(width));
    if width == 1 {
        for (place, &record) in records.iter().enumerate() {
            output.put(place, record);
        }
        return;
    }
    let split = Shift(cuts.shift(records.len(), width - 1));
    let count = split.split(width - 1).0 + 1;
    let buckets = distribute::distribute(records.len(), count, cuts, &|_| Ok(()), |range| {
        records[range]
            .iter()
            .map(move |record| (split.split(record.0.word().wrapping_sub(low)).0, *record))
    })
    .expect("nothing was checked");
    drop(records);
    finish(&buckets, low, 1 << split.0, cuts, output);
}
