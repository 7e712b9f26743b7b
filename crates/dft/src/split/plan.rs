//! Lengths of truncated transforms, and what they take: pure numbers, to be asked before anything runs.

/// The last blocks of truncated transforms, as a fraction of the whole length.
pub(crate) const GRAIN_FRACTION: usize = 32;

/// Points of a whole transform up to which all multipliers are written, for whatever length comes
/// next. Beyond, a transform truncated to little more than half its points would pay for nearly
/// twice the memory that it reads.
pub(crate) const ALL_WRITTEN: usize = 1 << 16;

/// Points that a truncated transform of up to `len` points rounds up to: at least `square` and at
/// most about 1/16 above `len`.
pub(crate) fn truncated_len(len: usize, square: usize) -> usize {
    let whole = len.max(1).next_power_of_two();
    let grain = (whole / GRAIN_FRACTION).max(square);
    len.next_multiple_of(grain).max(square)
}

/// The power of two of which all lengths in a truncated transform of `points` points are multiples.
pub(crate) fn grain(points: usize) -> usize {
    1 << points.trailing_zeros()
}

/// The memory footprint of a product: what it reads and writes of the memory that is laid out for a transform
/// of the next power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Footprint {
    /// Points of an operand: the first half, and beyond it a block that holds the rest.
    pub(crate) values: u64,
    /// Points whose multipliers are written: the first half, and beyond it twice the rest.
    pub(crate) multipliers: u64,
}

impl Footprint {
    /// The footprint of a product of `len` coefficients. Saturating.
    pub(crate) fn of(len: usize) -> Self {
        let len = len as u64;
        let points = len.checked_next_power_of_two().unwrap_or(u64::MAX);
        let half = points / 2;
        let grain = (points / GRAIN_FRACTION as u64).max(1);
        let above = len.saturating_sub(half).checked_next_multiple_of(grain);
        let block = above.and_then(u64::checked_next_power_of_two);
        let block = block.filter(|&block| block <= half / 2);
        let twice = above.map(|above| above.saturating_mul(2));
        let twice = twice.filter(|&twice| twice <= half && points > ALL_WRITTEN as u64);
        let rest = points - half;
        Self {
            values: half.saturating_add(block.unwrap_or(rest)),
            multipliers: half.saturating_add(twice.unwrap_or(rest)),
        }
    }
}
