//! Bits, shifts, and operations bit by bit.

use super::operators::{all_forms, all_natural_forms};
use super::{integer, natural, numbers, random_number, same, same_natural};
use rug::Integer as Gmp;
use std::panic::catch_unwind;
use sunzi_integer::{Integer, Natural};
use sunzi_testkit::Random;

const AMOUNTS: [usize; 17] = [
    0, 1, 2, 31, 32, 63, 64, 65, 100, 127, 128, 129, 191, 192, 256, 700, 5000,
];

#[test]
fn shifts_by_limbs_and_bits() {
    for a in &numbers() {
        let x = integer(a);
        for bits in AMOUNTS {
            let (left, right) = (Gmp::from(a << bits), Gmp::from(a >> bits));
            same(&(&x << bits), &left);
            same(&(x.clone() << bits as i32), &left);
            same(&(&x >> bits), &right);
            same(&(x.clone() >> bits as u64), &right);
            if *a >= 0 {
                let x = natural(a);
                same_natural(&(&x << bits), &left);
                same_natural(&(x.clone() << bits as i128), &left);
                same_natural(&(&x >> bits), &right);
                same_natural(&(x >> bits), &right);
            }
        }
        same(&(&x >> u128::MAX), &Gmp::from(-i32::from(x.is_negative())));
    }
    same(&(Integer::ZERO << u64::MAX), &Gmp::ZERO);
    assert!(catch_unwind(|| Integer::ONE << -1).is_err());
    assert!(catch_unwind(|| Natural::ONE >> -1).is_err());
}

#[test]
fn single_bits() {
    for a in &numbers() {
        let x = integer(a);
        let magnitude = x.magnitude();
        assert_eq!(
            x.bit_len(),
            a.significant_bits() as usize * usize::from(*a != 0)
        );
        assert_eq!(x.is_even(), a.is_even());
        let zeros = a.find_one(0).map(|zeros| zeros as usize);
        assert_eq!(x.trailing_zeros(), zeros);
        let absolute = Gmp::from(a.abs_ref());
        assert_eq!(
            magnitude.count_ones(),
            absolute.count_ones().unwrap_or(0) as usize
        );
        assert_eq!(magnitude.is_power_of_two(), absolute.is_power_of_two());
        for index in AMOUNTS {
            assert_eq!(x.bit(index), a.get_bit(index as u32), "{a} {index}");
            for one in [false, true] {
                let mut expected = absolute.clone();
                expected.set_bit(index as u32, one);
                let mut found = magnitude.clone();
                found.set_bit(index, one);
                same_natural(&found, &expected);
            }
        }
    }
}

fn check(a: &Gmp, b: &Gmp) {
    let (x, y) = (integer(a), integer(b));
    all_forms!(x, y, &, &=, Gmp::from(a & b));
    all_forms!(x, y, |, |=, Gmp::from(a | b));
    all_forms!(x, y, ^, ^=, Gmp::from(a ^ b));
    same(&!&x, &Gmp::from(!a));
    if *a >= 0 && *b >= 0 {
        let (x, y) = (natural(a), natural(b));
        all_natural_forms!(x, y, &, &=, Gmp::from(a & b));
        all_natural_forms!(x, y, |, |=, Gmp::from(a | b));
        all_natural_forms!(x, y, ^, ^=, Gmp::from(a ^ b));
    }
}

#[test]
fn operations_of_twos_complement() {
    let numbers = numbers();
    for a in &numbers {
        for b in &numbers {
            check(a, b);
        }
    }
    let mut random = Random::new(9);
    for _ in 0..2000 {
        check(
            &random_number(&mut random, 9),
            &random_number(&mut random, 9),
        );
    }
}
