//! Big integers in order, sparse ones by the positions of their ones, dense ones by their digits.
//!
//! **Problem.** Sort n integers that no word holds, so that comparing two of them takes longer than a
//! step. **Algorithm.** §5.4 of the thesis (2013): the refinement by first, second, third … position of a one
//! ([`Partition`]), until lists are short on average; those are then sorted by comparison of what is
//! left (Propositions 15 and 16). Stable (Proposition 13). Equal integers cost a reading of their lists.
//! **Bound.** When a bit is 1 with probability 1/p, about log_p(n) steps of O(n) (Proposition 18).
//! **Floor.** Each step that is needed reads a position of each integer, a cache miss each.

use std::cmp::Ordering;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::error::SortError;
use crate::refinement::{Direction, Partition, PositionLists};

/// When open lists have at most this number of items on average, comparison ends the sort.
const SHORT: usize = 4;

/// The order that puts integers, given by the positions of their ones, in ascending order: item
/// `order[0]` is the least. Equal integers stay in the order of their numbers.
///
/// Position 0 is the most significant of [`bits`](PositionLists::bits) bits. Runs on the threads of rayon's
/// current pool; memory for 4 words an integer.
///
/// ```
/// use sunzi::sort::{PositionLists, sort_sparse_integers};
///
/// // 0110, 0001, 0100 and 0001.
/// let lists = PositionLists::new(&[0, 2, 3, 4, 5], &[1, 2, 3, 1, 3], 4)?;
/// assert_eq!(sort_sparse_integers(&lists), [1, 3, 2, 0]);
/// # Ok::<(), sunzi::sort::SortError>(())
/// ```
pub fn sort_sparse_integers(lists: &PositionLists<'_>) -> Vec<u32> {
    refine_until_short(lists, |_| Direction::Descending, compare_sparse_integers)
}

/// Compares two integers by the ascending positions of their ones, position 0 being the most
/// significant.
///
/// ```
/// use sunzi::sort::compare_sparse_integers;
///
/// // 0110 and 0100.
/// assert!(compare_sparse_integers(&[1, 2], &[1]).is_gt());
/// assert!(compare_sparse_integers(&[2], &[1, 3]).is_lt());
/// ```
pub fn compare_sparse_integers(a: &[u32], b: &[u32]) -> Ordering {
    match first_difference(a, b) {
        None => Ordering::Equal,
        // Whoever has a one where the other has none is greater.
        Some((_, true)) => Ordering::Greater,
        Some((_, false)) => Ordering::Less,
    }
}

/// How many ones come before the first bit that differs, and whether it is a's that is 1.
pub(crate) fn first_difference(a: &[u32], b: &[u32]) -> Option<(usize, bool)> {
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    match (a.get(same), b.get(same)) {
        (None, None) => None,
        (Some(_), None) => Some((same, true)),
        (None, Some(_)) => Some((same, false)),
        (Some(a), Some(b)) => Some((same, a < b)),
    }
}

/// Refines step by step in the directions given, and sorts short lists by comparison.
pub(crate) fn refine_until_short(
    lists: &PositionLists<'_>,
    direction: impl Fn(usize) -> Direction,
    compare: fn(&[u32], &[u32]) -> Ordering,
) -> Vec<u32> {
    let mut partition = Partition::whole(lists.len() as u32);
    let mut k = 0;
    while partition.open_items() > SHORT * partition.open_lists() {
        partition.refine_by(|item| lists.explore(item, k), lists.bits(), direction(k));
        k += 1;
    }
    // Items of a list have the first k positions in common, and the comparison would find them equal
    // again; but directions count from the first, so that an even number of positions may be left out.
    let skip = k & !1;
    partition.settle_by(|a, b| compare(lists.tail(a, skip), lists.tail(b, skip)));
    partition.into_order()
}

/// The order that puts integers, given by limbs of 64 bits from the least significant one, in
/// ascending order: `order[0]` is the index of the least. Equal integers stay in their order;
/// leading zero limbs do not matter.
///
/// This is the same refinement with digits of 32 bits in place of bits, since a dense integer has ones
/// everywhere: a step looks for the next digit that is not 0, the one after it sorts by that digit.
/// Digits are looked at from the top, and only as far as needed.
///
/// # Errors
/// When there are more than 2^32 − 1 integers, or one has 2^31 limbs or more.
///
/// ```
/// use sunzi::sort::sort_integers;
///
/// let integers = [vec![5, 1], vec![7], vec![], vec![7, 0], vec![4, 1]];
/// assert_eq!(sort_integers(&integers)?, [2, 1, 3, 4, 0]);
/// # Ok::<(), sunzi::sort::SortError>(())
/// ```
pub fn sort_integers<T: AsRef<[u64]> + Sync>(integers: &[T]) -> Result<Vec<u32>, SortError> {
    let items = integers.len();
    let count = u32::try_from(items).map_err(|_| SortError::TooManyItems { items })?;
    let limbs = integers.iter().map(|integer| integer.as_ref().len()).max();
    let limbs = limbs.unwrap_or(0);
    if limbs >= 1 << 31 {
        return Err(SortError::TooManyLimbs { limbs });
    }
    let digits = 2 * limbs as u32;
    // The digit from the top that each integer was refined by last, plus 1.
    let seen: Vec<AtomicU32> = (0..items).map(|_| AtomicU32::new(0)).collect();
    let next_digit = |item: u32| {
        let integer = integers[item as usize].as_ref();
        let seen = &seen[item as usize];
        let next = next_nonzero(integer, digits, seen.load(Relaxed));
        seen.store(next + 1, Relaxed);
        next
    };
    let digit = |item: u32| {
        let place = digits - seen[item as usize].load(Relaxed);
        (integers[item as usize].as_ref()[place as usize / 2] >> (place % 2 * 32)) as u32
    };
    let mut partition = Partition::whole(count);
    while partition.open_items() > SHORT * partition.open_lists() {
        partition.refine_by(next_digit, digits, Direction::Descending);
        partition.refine_by(digit, 0, Direction::Ascending);
    }
    partition.settle_by(|a, b| {
        // Items of a list agree down to here.
        let limbs = (digits - seen[a as usize].load(Relaxed)).div_ceil(2) as usize;
        compare_limbs(
            integers[a as usize].as_ref(),
            integers[b as usize].as_ref(),
            limbs,
        )
    });
    Ok(partition.into_order())
}

/// The next digit that is not 0 from digit `from` on, counted from the top of `digits`, or `digits`.
fn next_nonzero(integer: &[u64], digits: u32, from: u32) -> u32 {
    let below = (digits - from) as usize;
    let mut limbs = below.div_ceil(2).min(integer.len());
    if below % 2 == 1 && limbs == below.div_ceil(2) {
        // Half of this limb was seen.
        if integer[limbs - 1] as u32 != 0 {
            return digits - below as u32;
        }
        limbs -= 1;
    }
    match integer[..limbs].iter().rposition(|&limb| limb != 0) {
        None => digits,
        Some(limb) => digits - 1 - (2 * limb as u32 + u32::from(integer[limb] >> 32 != 0)),
    }
}

/// Compares the lower `limbs` limbs.
fn compare_limbs(a: &[u64], b: &[u64], limbs: usize) -> Ordering {
    let limb = |integer: &[u64], index| integer.get(index).copied().unwrap_or(0);
    (0..limbs)
        .rev()
        .map(|index| limb(a, index).cmp(&limb(b, index)))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}
