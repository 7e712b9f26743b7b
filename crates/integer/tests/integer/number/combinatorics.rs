//! Factorials and binomial coefficients against GMP, and by their recurrences.

use super::{natural, same, same_natural};
use rug::{Complete, Integer as Gmp};
use sunzi_integer::{Integer, Natural};
use sunzi_testkit::Random;

#[test]
fn factorials() {
    for n in (0..300).chain([1023, 1024, 1025, 4095, 4096, 4097, 10_007, 65_536, 100_003]) {
        same_natural(&Natural::factorial(n.into()), &Gmp::factorial(n).complete());
    }
}

#[test]
fn every_small_binomial_coefficient() {
    for n in 0..130u32 {
        for k in 0..n + 3 {
            let expected = Gmp::from(n).binomial(k);
            same_natural(&Natural::from(n).binomial(k.into()), &expected);
        }
    }
    for n in -20..20i32 {
        for k in 0..25 {
            same(
                &Integer::from(n).binomial(k.into()),
                &Gmp::from(n).binomial(k),
            );
        }
    }
}

/// Where one algorithm takes turns with the other, at prime powers, and with numbers that have no word.
#[test]
fn binomial_coefficients_of_all_sizes() {
    for (n, k) in [
        (4096, 2048),
        (4095, 2047),
        (4097, 1),
        (6561, 81),
        (10_000, 155),
        (10_000, 156),
        (10_000, 157),
        (10_000, 9844),
        (65_536, 32_768),
        (100_003, 1562),
        (1_000_000, 10),
        (4_294_967_295, 3),
    ] {
        let expected = Gmp::binomial_u(n, k).complete();
        same_natural(&Natural::from(n).binomial(k.into()), &expected);
    }
    let greatest = Natural::from(u64::MAX);
    assert_eq!(greatest.binomial(0), 1);
    assert_eq!(greatest.binomial(u64::MAX), 1);
    assert_eq!(greatest.binomial(u64::MAX - 1), greatest);
    assert_eq!(Integer::from(-1).binomial(u64::MAX), -1);
    let mut random = Random::new(5);
    for bits in [64, 65, 128, 129, 700] {
        for k in [0, 1, 2, 3, 20] {
            let n: Gmp = (Gmp::from(1) << bits) + random.word();
            let expected = n.clone().binomial(k);
            same_natural(&natural(&n).binomial(k.into()), &expected);
            let negative = Integer::from(&-n.clone());
            same(&negative.binomial(k.into()), &(-n).binomial(k));
        }
    }
}
