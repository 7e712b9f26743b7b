//! How large numbers are.

use super::dyadic::Dyadic;
use sunzi_integer::Integer;

/// Bits of a count.
pub(super) fn bits_of(count: usize) -> u32 {
    usize::BITS - count.leading_zeros()
}

/// log2 |value|, −∞ for zero.
pub fn log2(value: &Integer) -> f64 {
    let words = value.magnitude().as_limbs();
    let weight = |at: usize| f64::from(at as u32) * 64.0;
    match words {
        [] => f64::NEG_INFINITY,
        [word] => (*word as f64).log2(),
        [.., low, high] => {
            (*high as f64 * 2f64.powi(64) + *low as f64).log2() + weight(words.len() - 2)
        }
    }
}

/// log2 x for x > 0.
pub(super) fn log2_of(x: &Dyadic) -> f64 {
    log2(x.mantissa()) + x.exponent() as f64
}
