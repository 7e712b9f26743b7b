//! `+`, `-`, `*` in all forms of their operands.

use super::{integer, magnitudes, natural, numbers, random_number, same, same_natural};
use rug::Integer as Gmp;
use std::collections::HashSet;
use std::panic::catch_unwind;
use sunzi_integer::{Integer, Natural};
use sunzi_testkit::Random;

/// All forms of an operator for two integers.
macro_rules! all_forms {
    ($x:ident, $y:ident, $op:tt, $assign:tt, $expected:expr) => {{
        let (x, y, expected): (&Integer, &Integer, &Gmp) = (&$x, &$y, &$expected);
        same(&(x $op y), expected);
        same(&(x.clone() $op y), expected);
        same(&(x $op y.clone()), expected);
        same(&(x.clone() $op y.clone()), expected);
        let mut z = x.clone();
        z $assign y;
        same(&z, expected);
        let mut z = x.clone();
        z $assign y.clone();
        same(&z, expected);
        if !y.is_negative() {
            let y = y.magnitude();
            same(&(x $op y), expected);
            same(&(x.clone() $op y), expected);
            same(&(x $op y.clone()), expected);
            same(&(x.clone() $op y.clone()), expected);
            let mut z = x.clone();
            z $assign y;
            same(&z, expected);
            let mut z = x.clone();
            z $assign y.clone();
            same(&z, expected);
        }
        if !x.is_negative() {
            let x = x.magnitude();
            same(&(x $op y), expected);
            same(&(x.clone() $op y), expected);
            same(&(x $op y.clone()), expected);
            same(&(x.clone() $op y.clone()), expected);
        }
    }};
}

/// All forms of an operator for two natural numbers.
macro_rules! all_natural_forms {
    ($x:ident, $y:ident, $op:tt, $assign:tt, $expected:expr) => {{
        let (x, y, expected): (&Natural, &Natural, &Gmp) = (&$x, &$y, &$expected);
        same_natural(&(x $op y), expected);
        same_natural(&(x.clone() $op y), expected);
        same_natural(&(x $op y.clone()), expected);
        same_natural(&(x.clone() $op y.clone()), expected);
        let mut z = x.clone();
        z $assign y;
        same_natural(&z, expected);
        let mut z = x.clone();
        z $assign y.clone();
        same_natural(&z, expected);
    }};
}

pub(super) use {all_forms, all_natural_forms};

fn check(a: &Gmp, b: &Gmp) {
    let (x, y) = (integer(a), integer(b));
    all_forms!(x, y, +, +=, Gmp::from(a + b));
    all_forms!(x, y, -, -=, Gmp::from(a - b));
    all_forms!(x, y, *, *=, Gmp::from(a * b));
    assert_eq!(x.cmp(&y), a.cmp(b));
    assert_eq!(x == y, a == b);
    if *a >= 0 && *b >= 0 {
        let (x, y) = (natural(a), natural(b));
        all_natural_forms!(x, y, +, +=, Gmp::from(a + b));
        all_natural_forms!(x, y, *, *=, Gmp::from(a * b));
        if a >= b {
            all_natural_forms!(x, y, -, -=, Gmp::from(a - b));
        } else {
            assert_eq!(x.checked_sub(&y), None);
        }
        same_natural(&x.abs_diff(&y), &Gmp::from(a - b).abs());
        assert_eq!(x.cmp(&y), a.cmp(b));
    }
}

#[test]
fn edges_meet_each_other() {
    let numbers = numbers();
    for a in &numbers {
        let x = integer(a);
        // One and the same object on both sides.
        same(&(&x * &x), &Gmp::from(a * a));
        same(&(&x + &x), &Gmp::from(a + a));
        same(&(&x - &x), &Gmp::ZERO);
        same(&x.square(), &Gmp::from(a * a));
        same(&-&x, &Gmp::from(-a));
        same(&x.abs(), &Gmp::from(a.abs_ref()));
        assert_eq!(x.signum(), a.cmp0() as i32);
        for b in &numbers {
            check(a, b);
        }
    }
}

#[test]
fn random_operands_of_all_lengths() {
    let mut random = Random::new(7);
    for _ in 0..3000 {
        let (a, b) = (
            random_number(&mut random, 20),
            random_number(&mut random, 20),
        );
        check(&a, &b);
    }
    for _ in 0..20 {
        let (a, b) = (
            random_number(&mut random, 900),
            random_number(&mut random, 900),
        );
        check(&a, &b);
    }
}

/// Machine integers on either side, their ends among them.
#[test]
fn operators_take_machine_integers() {
    macro_rules! each {
        ($($m:ty)*) => {$(
            for m in [<$m>::MIN, <$m>::MIN + 1, 0, 1, 2, <$m>::MAX / 2 + 1, <$m>::MAX] {
                let y = Gmp::from(m);
                for a in super::numbers().iter().step_by(3) {
                    let x = integer(a);
                    same(&(&x + m), &Gmp::from(a + &y));
                    same(&(x.clone() - m), &Gmp::from(a - &y));
                    same(&(m - &x), &Gmp::from(&y - a));
                    same(&(m * x.clone()), &Gmp::from(&y * a));
                    let mut z = x.clone();
                    z *= m;
                    same(&z, &Gmp::from(&y * a));
                    assert_eq!(x.partial_cmp(&m), a.partial_cmp(&y));
                    assert_eq!(m.partial_cmp(&x), y.partial_cmp(a));
                    assert_eq!(x == m, *a == y);
                    assert_eq!(m == x, *a == y);
                    if m != 0 {
                        same(&(&x / m), &Gmp::from(a / &y));
                        same(&(&x % m), &Gmp::from(a % &y));
                    }
                    if *a != 0 {
                        same(&(m / &x), &Gmp::from(&y / a));
                        same(&(m % x), &Gmp::from(&y % a));
                    }
                    if *a >= 0 {
                        let x = natural(a);
                        assert_eq!(x.partial_cmp(&m), a.partial_cmp(&y));
                        if y >= 0 {
                            same_natural(&(&x * m), &Gmp::from(a * &y));
                            same_natural(&(m + x), &Gmp::from(a + &y));
                        }
                    }
                }
            }
        )*};
    }
    each!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
}

#[test]
fn negative_differences_of_natural_numbers_panic() {
    let (five, long) = (Natural::from(5u32), Natural::ONE << 300);
    let message = |work: fn(&Natural, &Natural) -> Natural, a: &Natural, b: &Natural| {
        let (a, b) = (a.clone(), b.clone());
        let panic = catch_unwind(move || work(&a, &b)).expect_err("negative");
        *panic.downcast::<&str>().expect("a text")
    };
    let said = "attempt to subtract a larger natural number: take integers, or `checked_sub`";
    for (a, b) in [(&five, &long), (&Natural::ZERO, &five)] {
        assert_eq!(message(|a, b| a - b, a, b), said);
        assert_eq!(message(|a, b| a.clone() - b, a, b), said);
        assert_eq!(message(|a, b| a - b.clone(), a, b), said);
    }
    assert!(catch_unwind(|| Natural::ONE + -1).is_err());
}

/// Long numbers that become short are stored as short ones, so that they are equal and have the same hash.
#[test]
fn equal_numbers_are_the_same_key() {
    let long: Natural = Natural::ONE << 128;
    let mut shrunk = long.clone();
    shrunk -= 1;
    let keys = [
        shrunk,
        &long - 1,
        Natural::from(u128::MAX),
        Natural::from_limbs(vec![u64::MAX, u64::MAX, 0, 0]),
        (&long << 64) - (&long << 64) + u128::MAX,
    ];
    let set: HashSet<&Natural> = keys.iter().collect();
    assert_eq!(set.len(), 1);
}

#[test]
fn sums_and_products_of_iterators() {
    let naturals = magnitudes();
    let product: Gmp = naturals[1..].iter().product();
    let sum: Gmp = naturals.iter().sum();
    let ours: Vec<Natural> = naturals.iter().map(natural).collect();
    same_natural(&ours[1..].iter().product(), &product);
    same_natural(&ours.iter().cloned().product(), &Gmp::ZERO);
    same_natural(&ours.iter().sum(), &sum);
    let ours: Vec<Integer> = numbers().iter().map(integer).collect();
    let nonzero = || ours.iter().filter(|x| !x.is_zero());
    let expected: Gmp = numbers().iter().filter(|x| **x != 0).product();
    same(&nonzero().product(), &expected);
    same(
        &nonzero().take(3).product(),
        &numbers().iter().take(3).product(),
    );
    same(&ours.iter().sum(), &Gmp::ZERO);
    for n in [0, 1, 2, 20, 21, 34, 35, 100, 1000, 3000u32] {
        same_natural(&(1..=n).product(), &Gmp::from(Gmp::factorial(n)));
    }
    same(&(-5..=-1i8).product(), &Gmp::from(-120));
    same_natural(&[].iter().product(), &Gmp::from(1));
    same_natural(&(0..1000u64).sum(), &Gmp::from(499_500));
}

#[test]
fn numbers_go_between_threads() {
    fn check<T: Send + Sync + std::panic::UnwindSafe + std::panic::RefUnwindSafe + Unpin>() {}
    check::<Natural>();
    check::<Integer>();
    check::<sunzi_integer::Rational>();
    let long = Natural::from(3u32).pow(5000);
    let expected = (&long * &long).to_string();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| assert!((&long * &long).to_string() == expected));
        }
    });
}
