//! Division by products with the divisor's reciprocal.
//!
//! **Algorithm.** The quotient is found in blocks of s limbs, at most as many as the divisor's m, with one reciprocal of s limbs
//! (P. Barrett, 1987; R. Brent and P. Zimmermann, *Modern Computer Arithmetic*, §2.4.1). **Bound.** Let d be the divisor,
//! D = d·2^(−64m), and I its [reciprocal]: 0 ≤ 1/D − I·2^(−64s) < 2·2^(−64s). What a block divides is W < d·2^(64s); ŵ are
//! its leading s + 1 limbs. Then Q̂ = ⌊ŵ·I·2^(−64(s+1))⌋ is at most W/d, and more than W/d − 4: the reciprocal is less than 2
//! units too small, the limbs that ŵ lacks make less than 2^(−62), and rounding less than 1. So the remainder is below 4·d, which fits
//! m + 1 limbs, and three times d comes off at most.

use super::Divide;
use std::cmp::Ordering;
use sunzi_rns::limbs::{add_1, cmp, sub_assign, sub_n};

/// Limbs of the blocks of a quotient of n limbs by a divisor of m.
pub(super) fn block(n: usize, m: usize) -> usize {
    // Two blocks are cheaper than one: their reciprocal costs less than half as much.
    n.div_ceil(n.div_ceil(m).max(2))
}

impl Divide<'_> {
    /// As [`Divide::normalized`](super::Divide::normalized), in blocks for which the reciprocal suffices.
    pub(super) fn newton(
        &self,
        quotient: &mut [u64],
        a: &mut [u64],
        divisor: &[u64],
        inverse: &[u64],
    ) {
        let (n, m) = (quotient.len(), divisor.len());
        let block = inverse.len() - 1;
        let mut estimate = vec![0; 2 * (block + 1)];
        let mut product = vec![0; block + m];
        let mut end = n;
        while end > 0 {
            // The first block takes what others leave, the divisor's leading limbs then have zeros before them.
            let len = (end - 1) % block + 1;
            let start = end - len;
            let window = &mut a[start..end + m];
            // Of a shorter block fewer limbs of the reciprocal count: it is still below the true one by less than two units.
            let inverse = &inverse[block - len..];
            let estimate = &mut estimate[..2 * (len + 1)];
            self.multiplier.mul(estimate, &window[m - 1..], inverse);
            let block = &mut quotient[start..end];
            block.copy_from_slice(&estimate[len + 1..2 * len + 1]);
            debug_assert_eq!(estimate[2 * len + 1], 0);

            let product = &mut product[..len + m];
            self.multiplier.mul(product, block, divisor);
            let (low, high) = window.split_at_mut(m + 1);
            let remainder: Vec<u64> = low.to_vec();
            sub_n(low, &remainder, product);
            high.fill(0);
            while cmp(low, divisor) != Ordering::Less {
                sub_assign(low, divisor);
                add_1(block, 1);
            }
            end = start;
        }
    }
}
