//! The same integers in GMP.

use rug::Integer;
use rug::integer::Order;
use sunzi_field::{Field, LongInteger};

/// An integer, as GMP has it.
///
/// ```
/// assert_eq!(sunzi_testkit::to_gmp(&dashu_int::IBig::from(-5)), -5);
/// ```
pub fn to_gmp(value: &impl LongInteger) -> Integer {
    let (negative, limbs) = value.sign_and_limbs();
    let magnitude = Integer::from_digits(limbs, Order::Lsf);
    match negative {
        true => -magnitude,
        false => magnitude,
    }
}

/// An integer of GMP's.
///
/// ```
/// assert_eq!(sunzi_testkit::from_gmp::<dashu_int::IBig>(&rug::Integer::from(-5)), (-5).into());
/// ```
pub fn from_gmp<N: LongInteger>(value: &Integer) -> N {
    N::from_sign_and_limbs(value.is_negative(), &value.to_digits::<u64>(Order::Lsf))
}

/// The prime of a field, as GMP has it.
pub fn gmp_modulus<F: Field>(field: &F) -> Integer {
    Integer::from_digits(&field.modulus_limbs(), Order::Lsf)
}

/// The residue that an element is, as GMP has it.
pub fn gmp_residue<F: Field>(field: &F, element: F::Elem) -> Integer {
    Integer::from_digits(&field.to_limbs(element), Order::Lsf)
}
