//! Numbers of other crates, the traits of `num-traits`, and formats of `serde`.

use super::{integer, natural, numbers};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use malachite_nz::{integer::Integer as MalachiteInteger, natural::Natural as MalachiteNatural};
use malachite_q::Rational as MalachiteRational;
use num_bigint::{BigInt, BigUint};
use num_traits::{FromPrimitive, Num, One, Pow, Signed, ToPrimitive, Zero};
use sunzi_integer::{Integer, Natural, OutOfRange, Rational};

/// There and back, with the text that the other crate makes of it.
macro_rules! there_and_back {
    ($there:ty, $x:expr) => {{
        let mut x = $x;
        let there = <$there>::from(&x);
        assert_eq!(there.to_string(), x.to_string());
        assert!(<$there>::from(x.clone()) == there);
        let before = x.clone();
        x = (&there).into();
        assert!(x == before);
        x = there.into();
        assert!(x == before);
    }};
}

#[test]
fn numbers_of_other_crates() {
    let numbers = numbers();
    for (a, b) in numbers.iter().zip(numbers.iter().rev()) {
        there_and_back!(IBig, integer(a));
        there_and_back!(BigInt, integer(a));
        there_and_back!(rug::Integer, integer(a));
        there_and_back!(MalachiteInteger, integer(a));
        if *a >= 0 {
            there_and_back!(UBig, natural(a));
            there_and_back!(BigUint, natural(a));
            there_and_back!(MalachiteNatural, natural(a));
        }
        assert_eq!(
            Natural::try_from(a),
            if *a < 0 {
                Err(OutOfRange)
            } else {
                Ok(natural(a))
            }
        );
        if let Ok(value) = Rational::new(integer(a), integer(b)) {
            there_and_back!(RBig, value.clone());
            there_and_back!(rug::Rational, value.clone());
            there_and_back!(MalachiteRational, value);
        }
    }
}

/// A generic function, as users of `num-traits` write them.
fn factorial<T: Num + Clone>(n: usize) -> T {
    let mut product = T::one();
    let mut factor = T::zero();
    for _ in 0..n {
        factor = factor + T::one();
        product = product * factor.clone();
    }
    product
}

#[test]
fn traits_of_num_traits() {
    assert_eq!(
        factorial::<Integer>(30),
        Integer::from(265252859812191058636308480000000i128)
    );
    assert_eq!(factorial::<Natural>(20), 2432902008176640000u64);
    assert!(<Integer as Zero>::zero().is_zero() && <Rational as One>::one().is_integer());
    assert_eq!(Pow::pow(&Integer::from(-2), 5usize), -32);
    assert_eq!(Signed::signum(&Integer::from(-7)), -1);
    assert_eq!(Signed::abs_sub(&Integer::from(3), &Integer::from(5)), 0);
    assert_eq!(
        <Natural as Num>::from_str_radix("ff", 16),
        Ok(Natural::from(255u32))
    );
    assert_eq!(Integer::from(-5).to_i32(), Some(-5));
    assert_eq!(ToPrimitive::to_u128(&Integer::from(-5)), None);
    assert_eq!(ToPrimitive::to_f64(&Integer::from(-5)), Some(-5.0));
    assert_eq!(<Natural as FromPrimitive>::from_i64(-5), None);
    assert_eq!(
        <Integer as FromPrimitive>::from_f64(2.9),
        Some(Integer::from(2))
    );
    assert_eq!(
        <Rational as FromPrimitive>::from_f64(0.5),
        "1/2".parse().ok()
    );
}

/// Serialized and read again.
fn again<T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug>(
    value: &T,
) {
    let text = serde_json::to_string(value).expect("text");
    assert_eq!(serde_json::from_str::<T>(&text).expect("a number"), *value);
    let bytes = postcard::to_allocvec(value).expect("bytes");
    assert_eq!(postcard::from_bytes::<T>(&bytes).expect("a number"), *value);
}

#[test]
fn formats_of_serde() {
    let numbers = numbers();
    for (a, b) in numbers.iter().zip(numbers.iter().rev()) {
        again(&integer(a));
        if *a >= 0 {
            again(&natural(a));
        }
        if let Ok(value) = Rational::new(integer(a), integer(b)) {
            again(&value);
        }
    }
    let json = |text: &str| serde_json::from_str::<Integer>(text).ok();
    assert_eq!(
        serde_json::to_string(&Integer::from(-5)).expect("text"),
        "\"-5\""
    );
    assert_eq!(json("\"-5\""), Some(Integer::from(-5)));
    assert_eq!(json("-5"), Some(Integer::from(-5)));
    assert_eq!(json("18446744073709551615"), Some(Integer::from(u64::MAX)));
    assert_eq!(
        (json("\"5x\""), json("1.5"), json("[]")),
        (None, None, None)
    );
    assert!(serde_json::from_str::<Natural>("-5").is_err());
    assert!(serde_json::from_str::<Natural>("\"-5\"").is_err());
    // A negative zero, and a denominator of zero: the first is 0, the second refused.
    let zero = postcard::to_allocvec(&(true, Natural::ZERO)).expect("bytes");
    assert_eq!(postcard::from_bytes::<Integer>(&zero), Ok(Integer::ZERO));
    let fraction = postcard::to_allocvec(&(Integer::ONE, Natural::ZERO)).expect("bytes");
    assert!(postcard::from_bytes::<Rational>(&fraction).is_err());
    assert_eq!(
        postcard::to_allocvec(&Natural::from(256u32)).expect("bytes"),
        [2, 0, 1]
    );
}
