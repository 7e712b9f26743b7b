//! Fractions from their residues.

use dashu_int::ops::Gcd;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use sunzi_field::euclid::first_remainder_below;

/// The fraction n/d with |n| < `numerator`, 0 < d ≤ `denominator` and n ≡ d·`residue` modulo `modulus`, in lowest terms, d
/// coprime to the modulus; `None` if there is none.
///
/// It is unique if 2·numerator·denominator ≤ modulus (P. Wang, 1981).
pub(crate) fn rational(
    residue: &IBig,
    modulus: &UBig,
    numerator: &UBig,
    denominator: &UBig,
) -> Option<RBig> {
    let whole = IBig::from(modulus.clone());
    let mut value = residue % &whole;
    if value < IBig::ZERO {
        value += whole;
    }
    let value = UBig::try_from(value).ok()?;
    let (remainder, cofactor) = first_remainder_below(modulus, &value, numerator);
    let (sign, divisor) = cofactor.into_parts();
    let proper = !divisor.is_zero() && divisor <= *denominator;
    if !proper || !(&divisor).gcd(&remainder).is_one() || !(&divisor).gcd(modulus).is_one() {
        return None;
    }
    Some(RBig::from_parts(IBig::from_parts(sign, remainder), divisor))
}
