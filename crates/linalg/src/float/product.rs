//! Products that stay in range.

use super::scaled::{split, times_power_of_two};

/// The product of these factors, which overflows or underflows only if it does itself, as that of Algorithm 10
/// in the thesis of 2013 does.
///
/// That algorithm pairs small factors with large ones, and loses digits where a factor, or what is left at the
/// end, is below the normal doubles. Here exponents are added apart, so that each product of mantissas is rounded as
/// one of normal doubles, and the result once more if it is below those. Takes as many products as there are
/// factors; a product of none is 1. Infinite factors, and those that are no numbers, count as in a plain product.
///
/// ```
/// use sunzi::matrix::float::product;
///
/// let factors = [1e-200, 1e-200, 1e300, 1e300, 1e-200];
/// assert_eq!(factors.iter().product::<f64>(), 0.0);
/// assert!((product(&factors) - 1.0).abs() < 1e-14);
/// ```
pub fn product(factors: &[f64]) -> f64 {
    let (mut product, mut exponent) = (1.0, 0_i64);
    for &factor in factors {
        product *= mantissa(factor, &mut exponent);
        product = mantissa(product, &mut exponent);
    }
    if has_exponent(product) {
        times_power_of_two(product, exponent.clamp(-2200, 2200) as i32)
    } else {
        product
    }
}

fn has_exponent(value: f64) -> bool {
    value != 0.0 && value.is_finite()
}

/// The mantissa, whose exponent goes to the others; numbers without one stay as they are.
fn mantissa(value: f64, exponents: &mut i64) -> f64 {
    if !has_exponent(value) {
        return value;
    }
    let (mantissa, exponent) = split(value);
    *exponents += i64::from(exponent);
    mantissa
}
