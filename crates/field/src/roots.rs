//! The fixed roots of unity of word-size prime fields.

use crate::word_modulus::WordModulus;

/// ω = a^((p−1)/N) for N = 2^`log_n`, with a ≥ 2 the least quadratic non-residue modulo the odd
/// prime p; `None` when N does not divide p − 1.
pub(crate) fn root_of_unity(modulus: &WordModulus, log_n: u32) -> Option<u64> {
    let order = modulus.get() - 1;
    if log_n > order.trailing_zeros() {
        return None;
    }
    let non_residue = (2..).find(|&a| modulus.pow(a, order / 2) == order)?;
    Some(modulus.pow(non_residue, order >> log_n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_have_exactly_their_order_and_square_to_each_other() {
        for p in [
            3,
            5,
            17,
            469762049,
            (1 << 60) - (1 << 18) + 1,
            (1 << 63) - 25,
        ] {
            let ring = WordModulus::new(p);
            assert_eq!(root_of_unity(&ring, 0), Some(1));
            let mut lower = 1;
            for log_n in 1..=(p - 1).trailing_zeros() {
                let root = root_of_unity(&ring, log_n).unwrap();
                assert_eq!(ring.pow(root, 1 << (log_n - 1)), p - 1, "{p} {log_n}");
                assert_eq!(ring.mul(root, root), lower);
                lower = root;
            }
            assert_eq!(root_of_unity(&ring, (p - 1).trailing_zeros() + 1), None);
        }
    }

    #[test]
    fn the_least_non_residue_is_taken() {
        // 3 is the least non-residue mod 469762049 = 7·2^26 + 1, since 2 is a square.
        let ring = WordModulus::new(469762049);
        assert_eq!(root_of_unity(&ring, 26), Some(2187)); // 3^7
    }
}
