//! How long results get, told before they are computed.

use crate::commands::int::TEXT;
use sunzi::memory::Budget;
use sunzi::{Integer, Natural, Rational};
use sunzi_files::input::LineError;

/// Bits of a number.
pub fn bits(value: &Rational) -> u64 {
    let below = match value.is_integer() {
        true => 0,
        false => value.denominator().bit_len(),
    };
    (value.numerator().magnitude().bit_len() + below) as u64
}

/// Bits of a power, rounded up: powers of two have one bit less in each factor than others.
pub fn power_bits(base: &Rational, exponent: u64) -> u64 {
    let each = |x: &Natural| (x.bit_len() - usize::from(x.is_power_of_two())) as u64;
    let each = each(base.numerator().magnitude()) + each(base.denominator());
    each.saturating_mul(exponent).saturating_add(2)
}

/// Bits of n!, rounded up: n·log2(n/e) + log2(2πn)/2 by J. Stirling, and some more for small n.
pub fn factorial_bits(n: u64) -> u64 {
    let n = n as f64;
    (n * (n / std::f64::consts::E).max(2.0).log2() + 64.0) as u64
}

/// Bits of the binomial coefficient of n and k, rounded up: (e·n/k)^k, and 2^n. Of negative n it is that of k − n − 1, up to its sign.
pub fn binomial_bits(n: &Integer, k: u64) -> u64 {
    let n = match n.is_negative() {
        true => Natural::from(k) + n.magnitude() - 1u32,
        false => n.magnitude().clone(),
    };
    let word = u64::try_from(&n).ok();
    if word.is_some_and(|n| k > n) {
        return 0;
    }
    let k = word.map_or(k, |n| k.min(n - k));
    let each = n.bit_len() as u64 - u64::from(k.max(1).ilog2()) + 3;
    let by_subsets = word.unwrap_or(u64::MAX);
    k.saturating_mul(each).min(by_subsets)
}

/// Refuses a result of so many bits where there is too little memory for it.
///
/// # Errors
/// How much would be needed, and how much there is.
pub fn require(budget: Budget, bits: u64, offset: usize) -> Result<(), LineError> {
    // Text takes more than any operation.
    let bytes = (bits / 8).saturating_mul(TEXT);
    budget
        .require(bytes)
        .map_err(|error| LineError::too_large(offset, error.to_string()))
}
