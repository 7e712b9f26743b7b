//! How much working memory products over several primes take, to be asked before they start.

use sunzi_dft::internals::Footprint;

/// Coefficients of a product from which the primes go one after the other, each on all threads:
/// side by side they would need their working memory all at once.
pub(crate) const SEQUENTIAL_PRIMES_LEN: usize = 1 << 19;

/// About how many bytes a product of `len` coefficients modulo `primes` primes takes beside
/// operands and result: the values of one operand and the transforms' multipliers modulo each
/// prime, and the values of the other operand, which the primes of a long product use in turn. Each
/// is a word of 8 bytes for every point of a transform whose length is the next power of two; but
/// long ones leave alone what truncated transforms do not reach. Saturating.
///
/// ```
/// // 2^20 points: three primes' values and multipliers, and one second operand.
/// assert_eq!(sunzi_crt::scratch_bytes(3, 1_048_576), (3 + 3 + 1) * (8 << 20));
/// ```
#[must_use]
pub fn scratch_bytes(primes: usize, len: usize) -> u64 {
    let one_by_one = len >= SEQUENTIAL_PRIMES_LEN;
    let footprint = if one_by_one {
        Footprint::of(len)
    } else {
        Footprint::of(len.next_power_of_two())
    };
    let primes = primes as u64;
    let second_operands = if one_by_one { primes.min(1) } else { primes };
    let vectors = primes.saturating_add(second_operands);
    let values = footprint.values.saturating_mul(vectors);
    let multipliers = footprint.multipliers.saturating_mul(primes);
    values.saturating_add(multipliers).saturating_mul(8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_with_points_and_primes_and_saturates() {
        assert_eq!(scratch_bytes(0, 100), 0);
        assert_eq!(scratch_bytes(1, 0), 3 * 8);
        assert_eq!(scratch_bytes(3, (1 << 19) - 1), (9 * 8) << 19);
        assert_eq!(scratch_bytes(3, 1 << 19), (7 * 8) << 19);
        assert_eq!(scratch_bytes(4, usize::MAX), u64::MAX);
    }

    #[test]
    fn just_above_a_power_of_two_little_more_than_half_is_reached() {
        let (points, len) = (1 << 21, (1 << 20) + 1);
        let values = points / 2 + points / 32;
        let multipliers = points / 2 + points / 16;
        let bytes = 8 * (3 * multipliers + 4 * values);
        assert_eq!(scratch_bytes(3, len), bytes as u64);
    }
}
