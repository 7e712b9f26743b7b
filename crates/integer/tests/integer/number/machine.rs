//! Conversions from and to machine integers.

use super::{integer, natural, numbers, same};
use rug::Integer as Gmp;
use sunzi_integer::{Integer, Natural, OutOfRange, Rational};

#[test]
fn what_fits_is_converted() {
    macro_rules! each {
        ($($m:ty)*) => {$(
            for m in [<$m>::MIN, <$m>::MIN + 1, 0, 1, <$m>::MAX - 1, <$m>::MAX] {
                let (x, expected) = (Integer::from(m), Gmp::from(m));
                same(&x, &expected);
                assert_eq!(<$m>::try_from(&x), Ok(m));
                assert_eq!(<$m>::try_from(x), Ok(m));
                assert_eq!(Rational::from(m), m);
                assert_eq!(Natural::try_from(m).is_ok(), expected >= 0);
            }
            for a in &numbers() {
                let expected = <$m>::try_from(a).map_err(|_| OutOfRange);
                assert_eq!(<$m>::try_from(&integer(a)), expected, "{a}");
                if *a >= 0 {
                    assert_eq!(<$m>::try_from(&natural(a)), expected, "{a}");
                    assert_eq!(<$m>::try_from(natural(a)), expected);
                }
            }
            for beside in [Gmp::from(<$m>::MIN) - 1, Gmp::from(<$m>::MAX) + 1] {
                assert_eq!(<$m>::try_from(integer(&beside)), Err(OutOfRange));
            }
        )*};
    }
    each!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
    assert_eq!(Natural::try_from(Integer::MINUS_ONE), Err(OutOfRange));
    assert_eq!(Natural::try_from(&Integer::ONE), Ok(Natural::ONE));
    assert_eq!(Integer::from(true) + Natural::from(false), 1);
}
