//! Binary reflected Gray codes: ranks, and bit strings in the order of their ranks.
//!
//! The code of q bits is G^1 = [0, 1], and G^q lists 0 before each string of G^(q−1), then 1 before each in
//! reverse order; the place in the list is the rank (thesis, 2013, §6.2.5). Of two strings, the first
//! bit that differs decides: the one with the 1 has the greater rank when an even number of ones
//! come before, the smaller one when it is odd (Corollary 3). So the refinement of sparse integers sorts by
//! rank when its directions alternate (Proposition 19).

use std::cmp::Ordering;

use crate::integers::{first_difference, refine_until_short};
use crate::refinement::{Direction, PositionLists};

/// The rank of a Gray code of up to 64 bits.
///
/// ```
/// // G^3 = [000, 001, 011, 010, 110, 111, 101, 100].
/// assert_eq!(sunzi::sort::gray_rank(0b011), 2);
/// ```
pub fn gray_rank(code: u64) -> u64 {
    // Bit i of the rank is the parity of the code's bits from i upward.
    [1, 2, 4, 8, 16, 32]
        .into_iter()
        .fold(code, |rank, shift| rank ^ rank >> shift)
}

/// The Gray code of a rank.
///
/// ```
/// assert_eq!((0..4).map(sunzi::sort::gray_code).collect::<Vec<_>>(), [0b00, 0b01, 0b11, 0b10]);
/// ```
pub fn gray_code(rank: u64) -> u64 {
    rank ^ rank >> 1
}

/// Compares the ranks of two bit strings given by the ascending positions of their ones, position 0
/// being the most significant bit (Corollary 3).
///
/// ```
/// use sunzi::sort::compare_gray_ranks;
///
/// // 110 has rank 4, 111 has 5, 100 has 7.
/// assert!(compare_gray_ranks(&[0, 1], &[0, 1, 2]).is_lt());
/// assert!(compare_gray_ranks(&[0], &[0, 1, 2]).is_gt());
/// ```
pub fn compare_gray_ranks(a: &[u32], b: &[u32]) -> Ordering {
    match first_difference(a, b) {
        None => Ordering::Equal,
        Some((ones, one_is_a)) if (ones % 2 == 0) == one_is_a => Ordering::Greater,
        Some(_) => Ordering::Less,
    }
}

/// The order that puts bit strings, given by the positions of their ones, in ascending order of their
/// ranks as Gray codes: item `order[0]` has the least. Equal ones stay in the order of their numbers.
///
/// Runs on the threads of rayon's current pool.
///
/// ```
/// use sunzi::sort::{PositionLists, sort_by_gray_rank};
///
/// // 100, 111, 110 and 010, of ranks 7, 5, 4 and 3.
/// let lists = PositionLists::new(&[0, 1, 4, 6, 7], &[0, 0, 1, 2, 0, 1, 1], 3)?;
/// assert_eq!(sort_by_gray_rank(&lists), [3, 2, 1, 0]);
/// # Ok::<(), sunzi::sort::SortError>(())
/// ```
pub fn sort_by_gray_rank(lists: &PositionLists<'_>) -> Vec<u32> {
    let direction = |k| match k % 2 {
        0 => Direction::Descending,
        _ => Direction::Ascending,
    };
    refine_until_short(lists, direction, compare_gray_ranks)
}
