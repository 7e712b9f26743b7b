//! Digits from integers and back, by halves: in subquadratic time.

use dashu_int::UBig;
use dashu_int::ops::DivRem;

/// The powers r, r², r⁴, … of which [`write_digits`] and [`read_digits`] need log2(K).
pub(super) fn powers(radix: u64, digits: usize) -> Vec<UBig> {
    let mut powers = vec![UBig::from(radix)];
    for _ in 1..digits.trailing_zeros() {
        let last = &powers[powers.len() - 1];
        powers.push(last * last);
    }
    powers
}

/// Writes the digits of `value < r^digits.len()`; their number is a power of two.
pub(super) fn write_digits(value: UBig, powers: &[UBig], digits: &mut [u64]) {
    let half = digits.len() / 2;
    if half == 0 {
        // Below r, so it fits.
        digits[0] = value.try_into().unwrap_or_default();
        return;
    }
    let (low, high) = digits.split_at_mut(half);
    let (quotient, rest) = value.div_rem(&powers[half.trailing_zeros() as usize]);
    write_digits(rest, powers, low);
    write_digits(quotient, powers, high);
}

/// `Σ x_i·r^i`.
pub(super) fn read_digits(digits: &[u64], powers: &[UBig]) -> UBig {
    let half = digits.len() / 2;
    if half == 0 {
        return digits[0].into();
    }
    let (low, high) = digits.split_at(half);
    let high = read_digits(high, powers) * &powers[half.trailing_zeros() as usize];
    high + read_digits(low, powers)
}
