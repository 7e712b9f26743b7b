//! How long results get, told before they are computed.

use sunzi::memory::Budget;
use sunzi::{Integer, Rational};
use sunzi_files::input::LineError;

/// Bytes that a result takes while it is computed and turned into text, for each of its own: powers of ten, quotients, and their
/// transforms. Measured, about 46.
const WORK: u64 = 48;

/// Bits of a number.
pub fn bits(value: &Rational) -> u64 {
    (value.numerator().magnitude().bit_len() + value.denominator().bit_len()) as u64
}

/// Bits of n!, rounded up: n·log2(n/e) + log2(2πn)/2 by J. Stirling, and some more for small n.
pub fn factorial_bits(n: u64) -> u64 {
    let n = n as f64;
    (n * (n / std::f64::consts::E).max(2.0).log2() + 64.0) as u64
}

/// Bits of the binomial coefficient of n and k, rounded up: (e·n/k)^k, and 2^n.
pub fn binomial_bits(n: &Integer, k: u64) -> u64 {
    let n_bits = n.magnitude().bit_len() as u64;
    let by_factors = k.saturating_mul(n_bits.saturating_sub(u64::from(k.max(1).ilog2())) + 3);
    let by_subsets = match u64::try_from(n) {
        Ok(n) if k > n => return 0,
        Ok(n) => n,
        Err(_) => u64::MAX,
    };
    by_factors.min(by_subsets)
}

/// Refuses a result of so many bits where there is too little memory for it.
///
/// # Errors
/// How much would be needed, and how much there is.
pub fn require(budget: Budget, bits: u64, offset: usize) -> Result<(), LineError> {
    let bytes = (bits / 8).saturating_mul(WORK);
    budget
        .require(bytes)
        .map_err(|error| LineError::too_large(offset, error.to_string()))
}
