//! How much working memory products over several primes take, to be asked before they start.

/// Points up to which the primes may run side by side, each with the values of both operands;
/// beyond, they take turns with the second operand's memory.
const SIDE_BY_SIDE_POINTS: u64 = 1 << 19;

/// About how many bytes a product of `len` coefficients modulo `primes` primes takes beside
/// operands and result: the values of one operand and the transforms' multipliers modulo each
/// prime, and the values of the other operand; each 8 bytes for every point of a transform whose
/// length is the next power of two. Saturating.
///
/// ```
/// // 2^20 points: three primes' values and multipliers, and one second operand.
/// assert_eq!(sunzi_crt::scratch_bytes(3, 1_000_000), (3 + 3 + 1) * (8 << 20));
/// ```
#[must_use]
pub fn scratch_bytes(primes: usize, len: usize) -> u64 {
    let (primes, len) = (primes as u64, len as u64);
    let points = len.checked_next_power_of_two().unwrap_or(u64::MAX);
    let second_operands = if points <= SIDE_BY_SIDE_POINTS {
        primes
    } else {
        primes.min(1)
    };
    let vectors = primes.saturating_mul(2).saturating_add(second_operands);
    points.saturating_mul(8).saturating_mul(vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_with_points_and_primes_and_saturates() {
        assert_eq!(scratch_bytes(0, 100), 0);
        assert_eq!(scratch_bytes(1, 0), 3 * 8);
        assert_eq!(scratch_bytes(3, 1 << 19), (9 * 8) << 19);
        assert_eq!(scratch_bytes(3, (1 << 19) + 1), (7 * 8) << 20);
        assert_eq!(scratch_bytes(4, usize::MAX), u64::MAX);
    }
}
