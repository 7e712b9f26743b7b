//! Counting sort with few cache misses.
//!
//! **Problem.** Sort n keys from 0 to r − 1, stably, with values that go along or without. The classical
//! counting sort (Algorithm 1 of the thesis, 2013, chapter 4) is linear, and waits for memory: up to 3n
//! misses. **Algorithm.** The keys are first made *m-bucketed* (Definition 1, Algorithms 2 and 3): put
//! into buckets of m consecutive key values each, by counting; m is such that a bucket is sorted within the
//! cache. A bucket that got too much is distributed again.
//!
//! What is here beyond the thesis: lines of 64 bytes are collected for each bucket and written at once, past the
//! caches; a bucket grows by blocks of lines, so that nothing is counted before (`distribute`, `chunk`); of a
//! bare key only its remainder of 16 bits goes to a bucket, and the keys are written anew from their counts
//! (`dense`); widths are powers of two unless asked for, else division is by a reciprocal (`split`); the least
//! key is a base; chunks of the input and buckets go to threads.
//!
//! **Floor.** Bare keys of 32 bits, n of them: 4n bytes are read, 2n written and read, 4n written: 12n
//! bytes, 16n when output lines are read before they are written. Records of s bytes: 4sn, 5sn. Where the
//! range is not given but found, the keys are read once more before.

mod buckets;
mod chunk;
mod counter;
pub(crate) mod dense;
mod distribute;
pub(crate) mod plan;
mod problem;
pub(crate) mod records;
pub mod reference;
pub(crate) mod split;

use std::ops::Range;

use sunzi_machine::threads::Threads;

pub use plan::{Finish, SortPlan};
pub use problem::Key;

use crate::error::SortError;
use distribute::Buckets;
use problem::{check_lengths, check_range};
use records::{Pairs, Record, Value, Values};
use split::{Reciprocal, Shift, Split};

/// A counting sort of keys from 0 to below a range.
///
/// All its sorts are stable, run on the threads of rayon's current pool, and give the same on any number of
/// them. They need room for a second copy of what they sort, of bare keys that are dense in their range for 2 bytes
/// a key; and for the unfilled blocks of buckets, which take at most as much again, where keys are many about half.
///
/// ```
/// use sunzi::sort::CountingSort;
///
/// let sort = CountingSort::new(1000);
/// let mut keys = [500u32, 3, 999, 3];
/// sort.sort(&mut keys)?;
/// assert_eq!(keys, [3, 3, 500, 999]);
///
/// let error = sort.sort(&mut [1u32, 1000]).unwrap_err();
/// assert_eq!(error.to_string(), "key 1000 at index 1 is out of range: keys must be below 1000");
/// # Ok::<(), sunzi::sort::SortError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountingSort {
    range: u64,
    width: Option<u64>,
}

impl CountingSort {
    /// For keys below `range`.
    ///
    /// ```
    /// use sunzi::sort::CountingSort;
    ///
    /// assert!(CountingSort::new(0).sort::<u32>(&mut []).is_ok());
    /// assert!(CountingSort::new(0).sort(&mut [0u32]).is_err());
    /// ```
    pub fn new(range: u64) -> Self {
        Self { range, width: None }
    }

    /// Sets m, the number of key values that share a bucket, instead of the one that the plan finds; 0 is
    /// taken as 1. When that makes more buckets than the caches have lines for, buckets are made wider and
    /// distributed once more. Powers of two are quickest.
    ///
    /// ```
    /// use sunzi::sort::CountingSort;
    ///
    /// let mut keys = [50u32, 3, 99, 4];
    /// CountingSort::new(100).bucket_width(10).sort(&mut keys)?;
    /// assert_eq!(keys, [3, 4, 50, 99]);
    /// # Ok::<(), sunzi::sort::SortError>(())
    /// ```
    pub fn bucket_width(mut self, m: u64) -> Self {
        self.width = Some(m.clamp(1, 1 << 63));
        self
    }

    /// How [`sort`](Self::sort) will go with n keys.
    ///
    /// ```
    /// let plan = sunzi::sort::CountingSort::new(256).plan_keys(1000);
    /// assert_eq!(plan.to_string(), "1000 keys below 256: counted and written anew");
    /// ```
    pub fn plan_keys(&self, n: usize) -> SortPlan {
        SortPlan::keys(n, self.range.saturating_sub(1), self.width)
    }

    /// How the sorts of keys with values will go with n of them.
    ///
    /// ```
    /// let plan = sunzi::sort::CountingSort::new(1 << 20).plan_records(1 << 20);
    /// assert_eq!((plan.buckets(), plan.width()), (64, 16384));
    /// ```
    pub fn plan_records(&self, n: usize) -> SortPlan {
        SortPlan::records(n, self.range.saturating_sub(1), self.width)
    }

    /// Sorts keys.
    ///
    /// # Errors
    /// When a key is not below the range; the keys are then as they were.
    ///
    /// ```
    /// let mut keys = [2u8, 0, 1];
    /// sunzi::sort::CountingSort::new(3).sort(&mut keys)?;
    /// assert_eq!(keys, [0, 1, 2]);
    /// # Ok::<(), sunzi::sort::SortError>(())
    /// ```
    pub fn sort<K: Key>(&self, keys: &mut [K]) -> Result<(), SortError> {
        sort_keys(keys, 0, &self.plan_keys(keys.len()), Some(self.range))
    }

    /// Sorts keys, and values along with them, stably.
    ///
    /// # Errors
    /// When a key is not below the range, or there are not as many values as keys; nothing is moved then.
    ///
    /// ```
    /// let (mut keys, mut values) = ([2u32, 0, 2], ['a', 'b', 'c']);
    /// sunzi::sort::CountingSort::new(3).sort_pairs(&mut keys, &mut values)?;
    /// assert_eq!((keys, values), ([0, 2, 2], ['b', 'a', 'c']));
    /// # Ok::<(), sunzi::sort::SortError>(())
    /// ```
    pub fn sort_pairs<K: Key, V: Copy + Send + Sync>(
        &self,
        keys: &mut [K],
        values: &mut [V],
    ) -> Result<(), SortError> {
        check_lengths(keys.len(), values.len())?;
        sort_pairs_planned(
            keys,
            values,
            0,
            &self.plan_records(keys.len()),
            Some(self.range),
        )
    }

    /// The permutation that sorts keys stably: `keys[p[0]] ≤ keys[p[1]] ≤ …`.
    ///
    /// # Errors
    /// When a key is not below the range, or there are more than 2^32 − 1 of them.
    ///
    /// ```
    /// assert_eq!(sunzi::sort::CountingSort::new(3).permutation(&[2u32, 0, 2])?, [1, 0, 2]);
    /// # Ok::<(), sunzi::sort::SortError>(())
    /// ```
    pub fn permutation<K: Key>(&self, keys: &[K]) -> Result<Vec<u32>, SortError> {
        permutation(keys, 0, &self.plan_records(keys.len()), Some(self.range))
    }
}

/// Sorts keys of any range by counting; the least and the greatest are looked for first.
///
/// ```
/// let mut keys = [1_000_000_007u64, 1_000_000_000, 1_000_000_003];
/// sunzi::sort::sort(&mut keys);
/// assert_eq!(keys, [1_000_000_000, 1_000_000_003, 1_000_000_007]);
/// ```
pub fn sort<K: Key>(keys: &mut [K]) {
    let (low, last) = extent(keys);
    let plan = SortPlan::keys(keys.len(), last, None);
    sort_keys(keys, low, &plan, None).expect("keys lie between least and greatest");
}

/// Sorts keys of any range, and values along with them, stably.
///
/// # Errors
/// When there are not as many values as keys.
///
/// ```
/// let (mut keys, mut names) = ([70u16, 60, 70], ["x", "y", "z"]);
/// sunzi::sort::sort_pairs(&mut keys, &mut names)?;
/// assert_eq!(names, ["y", "x", "z"]);
/// # Ok::<(), sunzi::sort::SortError>(())
/// ```
pub fn sort_pairs<K: Key, V: Copy + Send + Sync>(
    keys: &mut [K],
    values: &mut [V],
) -> Result<(), SortError> {
    check_lengths(keys.len(), values.len())?;
    let (low, last) = extent(keys);
    let plan = SortPlan::records(keys.len(), last, None);
    sort_pairs_planned(keys, values, low, &plan, None)
}

/// The permutation that sorts keys of any range stably: `keys[p[0]] ≤ keys[p[1]] ≤ …`.
///
/// # Errors
/// When there are more than 2^32 − 1 keys.
///
/// ```
/// assert_eq!(sunzi::sort::sorting_permutation(&[30u64, 10, 20])?, [1, 2, 0]);
/// # Ok::<(), sunzi::sort::SortError>(())
/// ```
pub fn sorting_permutation<K: Key>(keys: &[K]) -> Result<Vec<u32>, SortError> {
    let (low, last) = extent(keys);
    let plan = SortPlan::records(keys.len(), last, None);
    permutation(keys, low, &plan, None)
}

/// Items that a thread takes at a time where they are only read or copied.
const PIECE: usize = 1 << 14;

/// Sorts items by a key, stably.
///
/// The key is computed once for each item.
///
/// ```
/// let mut pairs = [(3u32, 'a'), (1, 'b'), (3, 'c')];
/// sunzi::sort::sort_by_key(&mut pairs, |pair| pair.0);
/// assert_eq!(pairs, [(1, 'b'), (3, 'a'), (3, 'c')]);
/// ```
pub fn sort_by_key<T: Copy + Send + Sync, K: Key>(items: &mut [T], key: impl Fn(&T) -> K + Sync) {
    let keys_of = |items: &[T]| Vec::from_iter(items.iter().map(&key));
    let mut keys = Threads::all().map(items.chunks(PIECE), keys_of).concat();
    sort_pairs(&mut keys, items).expect("there are as many keys as items");
}

/// The least key, and the greatest less the least.
fn extent<K: Key>(keys: &[K]) -> (u64, u64) {
    let extents = Threads::all().map(keys.chunks(PIECE), |keys| {
        let words = keys.iter().min().zip(keys.iter().max());
        words.map_or((u64::MAX, 0), |(least, greatest)| {
            (least.word(), greatest.word())
        })
    });
    let wider = |(a, b): (u64, u64), (c, d)| (a.min(c), b.max(d));
    let extent = extents.into_iter().reduce(wider);
    extent.map_or((0, 0), |(least, greatest)| (least, greatest - least))
}

/// Sorts keys from `low` on, below `limit` if there is one.
pub fn sort_keys<K: Key>(
    keys: &mut [K],
    low: u64,
    plan: &SortPlan,
    limit: Option<u64>,
) -> Result<(), SortError> {
    let (width, buckets) = (plan.width, plan.buckets());
    match plan.finish {
        Finish::Rewrite if width.is_power_of_two() => {
            let split = Shift(width.ilog2());
            dense::sort(keys, low, width, buckets, split, limit, &plan.cuts)
        }
        Finish::Rewrite => {
            let split = Reciprocal::new(width);
            dense::sort(keys, low, width, buckets, split, limit, &plan.cuts)
        }
        Finish::Place => {
            let mut nothing = vec![(); keys.len()];
            sort_records(keys, &mut nothing, low, plan, limit)
        }
    }
}

pub fn sort_pairs_planned<K: Key, V: Value>(
    keys: &mut [K],
    values: &mut [V],
    low: u64,
    plan: &SortPlan,
    limit: Option<u64>,
) -> Result<(), SortError> {
    if const { chunk::fits::<Record<K, V>>() } {
        return sort_records(keys, values, low, plan, limit);
    }
    // Values that fill no part of a line evenly stay where they are until their places are known.
    let order = order::<K, usize>(keys, low, plan, limit, std::convert::identity)?;
    keys.copy_from_slice(&gather(keys, &order));
    values.copy_from_slice(&gather(values, &order));
    Ok(())
}

/// The items in another order.
fn gather<T: Value>(items: &[T], order: &[usize]) -> Vec<T> {
    let Some(&any) = items.first() else {
        return Vec::new();
    };
    let mut gathered = vec![any; order.len()];
    let pieces = gathered.chunks_mut(PIECE).zip(order.chunks(PIECE));
    Threads::all().each(pieces, |(gathered, order)| {
        for (place, &index) in gathered.iter_mut().zip(order) {
            *place = items[index];
        }
    });
    gathered
}

/// Sorts keys with values that together fill a line evenly.
fn sort_records<K: Key, V: Value>(
    keys: &mut [K],
    values: &mut [V],
    low: u64,
    plan: &SortPlan,
    limit: Option<u64>,
) -> Result<(), SortError> {
    let input = (&*keys, &*values);
    let source = |range: Range<usize>| {
        let pairs = input.0[range.clone()].iter().zip(&input.1[range]);
        pairs.map(|(&key, &value)| (key, value))
    };
    let buckets = distributed(input.0, low, plan, limit, source)?;
    records::finish(&buckets, low, plan.width, &plan.cuts, Pairs(keys, values));
    Ok(())
}

pub fn permutation<K: Key>(
    keys: &[K],
    low: u64,
    plan: &SortPlan,
    limit: Option<u64>,
) -> Result<Vec<u32>, SortError> {
    if keys.len() > u32::MAX as usize {
        return Err(SortError::TooManyItems { items: keys.len() });
    }
    order(keys, low, plan, limit, |index| index as u32)
}

/// The indices of the keys in sorted order, of the type that `number` gives.
fn order<K: Key, N: Value + Default>(
    keys: &[K],
    low: u64,
    plan: &SortPlan,
    limit: Option<u64>,
    number: impl Fn(usize) -> N + Copy + Sync,
) -> Result<Vec<N>, SortError> {
    let mut order = vec![N::default(); keys.len()];
    let source = |range: Range<usize>| {
        let first = range.start;
        let keys = keys[range].iter().enumerate();
        keys.map(move |(index, &key)| (key, number(first + index)))
    };
    let buckets = distributed(keys, low, plan, limit, source)?;
    records::finish(&buckets, low, plan.width, &plan.cuts, Values(&mut order));
    Ok(order)
}

/// Distributes records, one for each key, into the buckets of the plan.
fn distributed<K: Key, V: Value, I: Iterator<Item = Record<K, V>>>(
    keys: &[K],
    low: u64,
    plan: &SortPlan,
    limit: Option<u64>,
    records: impl Fn(Range<usize>) -> I + Sync,
) -> Result<Buckets<Record<K, V>>, SortError> {
    let check = |range: Range<usize>| check_range(range.start, &keys[range], limit);
    let (count, cuts) = (plan.buckets(), &plan.cuts);
    if plan.width.is_power_of_two() {
        let split = in_buckets(Shift(plan.width.ilog2()), low);
        distribute::distribute(keys.len(), count, cuts, &check, |range| {
            records(range).map(split)
        })
    } else {
        let split = in_buckets(Reciprocal::new(plan.width), low);
        distribute::distribute(keys.len(), count, cuts, &check, |range| {
            records(range).map(split)
        })
    }
}

/// Finds the bucket of a record.
fn in_buckets<K: Key, V: Value>(
    split: impl Split,
    low: u64,
) -> impl Fn(Record<K, V>) -> (usize, Record<K, V>) + Copy + Sync {
    move |record| (split.split(record.0.word().wrapping_sub(low)).0, record)
}
