//! The same integers in GMP.

use dashu_int::{IBig, Sign, UBig};
use rug::Integer;
use rug::integer::Order;
use sunzi_field::Field;

/// An integer, as GMP has it.
///
/// ```
/// assert_eq!(sunzi_testkit::to_gmp(&dashu_int::IBig::from(-5)), -5);
/// ```
pub fn to_gmp(value: &(impl Clone + Into<IBig>)) -> Integer {
    let (sign, magnitude) = value.clone().into().into_parts();
    let magnitude = Integer::from_digits(magnitude.as_words(), Order::Lsf);
    match sign {
        Sign::Positive => magnitude,
        Sign::Negative => -magnitude,
    }
}

/// An integer of GMP's.
///
/// ```
/// assert_eq!(sunzi_testkit::from_gmp(&rug::Integer::from(-5)), (-5).into());
/// ```
pub fn from_gmp(value: &Integer) -> IBig {
    let sign = match value.is_negative() {
        true => Sign::Negative,
        false => Sign::Positive,
    };
    let magnitude = UBig::from_words(&value.to_digits::<u64>(Order::Lsf));
    IBig::from_parts(sign, magnitude)
}

/// The prime of a field, as GMP has it.
pub fn gmp_modulus<F: Field>(field: &F) -> Integer {
    to_gmp(&field.modulus())
}

/// The residue that an element is, as GMP has it.
pub fn gmp_residue<F: Field>(field: &F, element: F::Elem) -> Integer {
    to_gmp(&field.to_integer(element))
}
