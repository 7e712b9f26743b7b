//! How much working memory products over several primes take, to be asked before they start.

/// Coefficients of a product from which the primes go one after the other, each on all threads:
/// side by side they would need their working memory all at once.
pub(crate) const SEQUENTIAL_PRIMES_LEN: usize = 1 << 19;

/// About how many bytes a product of `len` coefficients modulo `primes` primes takes beside
/// operands and result: the values of one operand and the transforms' multipliers modulo each
/// prime, and the values of the other operand, which the primes of a long product use in turn. A
/// word of 8 bytes each for every point of a transform whose length is the next power of two; long
/// products keep and write but parts of them. Saturating.
///
/// ```
/// // 2^20 points: three primes' values and multipliers, and one second operand.
/// assert_eq!(sunzi_crt::scratch_bytes(3, 1_048_576), (3 + 3 + 1) * (8 << 20));
/// ```
#[must_use]
pub fn scratch_bytes(primes: usize, len: usize) -> u64 {
    let one_by_one = len >= SEQUENTIAL_PRIMES_LEN;
    let (primes, len) = (primes as u64, len as u64);
    let points = len.checked_next_power_of_two().unwrap_or(u64::MAX);
    // Of the upper half of a table, twice as much is written as the transform reaches into it.
    let reached = len.checked_next_multiple_of((points / 32).max(1));
    let table = match reached {
        Some(reached) if one_by_one => {
            points.min(reached.saturating_mul(2).saturating_sub(points / 2))
        }
        _ => points,
    };
    let finished = if one_by_one && len <= points / 4 * 3 {
        len
    } else {
        points
    };
    let second_operands = if one_by_one { primes.min(1) } else { primes };
    let words = [
        table.saturating_mul(primes),
        finished.saturating_mul(primes.saturating_sub(1)),
        points.saturating_mul(primes.min(1)),
        points.saturating_mul(second_operands),
    ];
    words
        .into_iter()
        .fold(0, u64::saturating_add)
        .saturating_mul(8)
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
    fn just_above_a_power_of_two_little_more_than_half_is_written() {
        let (points, len) = (1 << 21, (1 << 20) + 1);
        // Three tables, two finished products, one in work and the second operand.
        let words = 3 * (points / 2 + points / 16) + 2 * len + 2 * points;
        assert_eq!(scratch_bytes(3, len), 8 * words as u64);
    }
}
