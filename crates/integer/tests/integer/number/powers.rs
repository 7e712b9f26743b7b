//! Powers, powers modulo a number, and roots.

use super::{integer, magnitudes, natural, numbers, random_number, same, same_natural};
use rug::Integer as Gmp;
use rug::ops::Pow;
use std::panic::catch_unwind;
use sunzi_integer::{Integer, Natural};
use sunzi_testkit::Random;

#[test]
fn powers_of_edges() {
    for a in &numbers() {
        for exponent in [0, 1, 2, 3, 4, 7, 8, 15, 16, 17] {
            same(
                &integer(a).pow(exponent),
                &Gmp::from(a.pow(exponent as u32)),
            );
        }
    }
    same_natural(&Natural::from(10u32).pow(5000), &Gmp::from(10).pow(5000));
    same_natural(&Natural::from(1u32).pow(usize::MAX), &Gmp::from(1));
}

/// Odd and even moduli of all lengths, exponents at whose lengths windows get wider.
#[test]
fn powers_modulo() {
    let mut random = Random::new(11);
    for limbs in [1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 20, 95, 96] {
        for round in 0..8 {
            let mut modulus = random_number(&mut random, limbs).abs() + 1u32;
            match round {
                // Odd, all bits set, a multiple of a power of two.
                0..3 => modulus |= 1u32,
                3 => modulus = (Gmp::from(1) << (64 * limbs as u32)) - 1u32,
                4 => modulus <<= 64 * round as u32 + 3,
                _ => {}
            }

            let base = random_number(&mut random, 2 * limbs);
            for exponent in [
                random_number(&mut random, 1),
                random_number(&mut random, limbs),
                Gmp::ZERO,
            ] {
                let expected = base.clone().pow_mod(&exponent, &modulus).ok();
                let (x, y, m) = (integer(&base), integer(&exponent), integer(&modulus));
                assert_eq!(x.pow_mod(&y, &m), expected.as_ref().map(integer));
                assert_eq!(x.pow_mod(&y, &-m), expected.as_ref().map(integer));
            }
        }
    }
    let base = integer(&Gmp::from(3));
    for bits in [
        6u32, 7, 8, 34, 35, 36, 37, 139, 140, 141, 449, 450, 451, 1302, 1303, 1304, 3528, 3529,
        3530,
    ] {
        for modulus in [(Gmp::from(1) << 127) - 1, Gmp::from(1) << 67] {
            for exponent in [
                (Gmp::from(1) << bits) - 1,
                Gmp::from(1) << bits,
                (Gmp::from(1) << bits) + 5,
            ] {
                let expected = Gmp::from(3)
                    .pow_mod(&exponent, &modulus)
                    .expect("not negative");
                let found = base.pow_mod(&integer(&exponent), &integer(&modulus));
                same(&found.expect("not negative"), &expected);
            }
        }
    }
    // What is reduced is as near to the modulus as can be.
    for a in magnitudes().iter().filter(|a| **a > 1) {
        let x = natural(a);
        let exponent = Gmp::from(a - 1);
        for base in [Gmp::from(a - 1), Gmp::from(a + 1), Gmp::from(2)] {
            let expected = base.clone().pow_mod(&exponent, a).expect("not negative");
            same_natural(&natural(&base).pow_mod(&natural(&exponent), &x), &expected);
        }
    }
    assert_eq!(Integer::ONE.pow_mod(&Integer::ONE, &Integer::ZERO), None);
    assert!(catch_unwind(|| Natural::ONE.pow_mod(&Natural::ONE, &Natural::ZERO)).is_err());
}

fn check_roots(a: &Gmp) {
    let x = natural(a);
    let (root, remainder) = a.clone().sqrt_rem(Gmp::new());
    let found = x.sqrt_rem();
    same_natural(&found.0, &root);
    same_natural(&found.1, &remainder);
    assert_eq!(x.is_square(), a.is_perfect_square());
    for degree in [1, 2, 3, 4, 5, 7, 10, 63, 64, 65, 100, 1000] {
        let (root, remainder) = a.clone().root_rem(Gmp::new(), degree as u32);
        let found = x.root_rem(degree);
        same_natural(&found.0, &root);
        same_natural(&found.1, &remainder);
        same(
            &Integer::from(&x).root(degree).expect("not negative"),
            &root,
        );
        let negative = (-Integer::from(&x)).root(degree);
        let expected = (degree % 2 == 1 || *a == 0).then(|| integer(&-root));
        assert_eq!(negative, expected);
    }
}

#[test]
fn roots_and_remainders() {
    for a in &magnitudes() {
        check_roots(a);
        for degree in [2, 3, 5] {
            let power = Gmp::from(a.pow(degree));
            for d in [-1, 0, 1] {
                let beside = power.clone() + d;
                if beside >= 0 {
                    check_roots(&beside);
                }
            }
        }
    }
    let mut random = Random::new(12);
    for _ in 0..100 {
        check_roots(&random_number(&mut random, 20).abs());
    }
    for n in 0..3000u32 {
        let square = Gmp::from(n).is_perfect_square();
        assert_eq!(Natural::from(n).is_square(), square, "{n}");
    }
    assert!(!Integer::from(-4).is_square() && Integer::from(-4).sqrt().is_none());
    assert_eq!(Integer::ONE.root(0), None);
    assert!(catch_unwind(|| Natural::ONE.root(0)).is_err());
}
