//! Quotients and remainders by every rule of rounding.

use super::operators::{all_forms, all_natural_forms};
use super::{integer, natural, numbers, random_number, same, same_natural};
use rug::Integer as Gmp;
use std::panic::catch_unwind;
use sunzi_integer::{DivisionByZero, Divisor, Integer, Natural};
use sunzi_testkit::Random;

fn both(found: (Integer, Integer), (quotient, remainder): (Gmp, Gmp)) {
    same(&found.0, &quotient);
    same(&found.1, &remainder);
}

fn check(a: &Gmp, b: &Gmp) {
    let (x, y) = (integer(a), integer(b));
    if *b == 0 {
        assert_eq!(x.checked_div_rem(&y), Err(DivisionByZero));
        assert_eq!(x.checked_div_rem_euclid(&y), Err(DivisionByZero));
        assert_eq!(x.checked_div_rem_floor(&y), Err(DivisionByZero));
        assert_eq!(x.div_exact(&y), None);
        assert_eq!(x.is_multiple_of(&y), *a == 0);
        return;
    }
    let of = |method: fn(Gmp, Gmp) -> (Gmp, Gmp)| method(a.clone(), b.clone());
    let trunc = of(Gmp::div_rem);
    both(x.div_rem(&y), trunc.clone());
    both(x.div_rem_floor(&y), of(Gmp::div_rem_floor));
    both(x.div_rem_euclid(&y), of(Gmp::div_rem_euc));
    same(&x.div_floor(&y), &of(Gmp::div_rem_floor).0);
    same(&x.rem_floor(&y), &of(Gmp::div_rem_floor).1);
    same(&x.div_euclid(&y), &of(Gmp::div_rem_euc).0);
    same(&x.rem_euclid(&y), &of(Gmp::div_rem_euc).1);
    same(&x.div_ceil(&y), &of(Gmp::div_rem_ceil).0);
    all_forms!(x, y, /, /=, trunc.0);
    all_forms!(x, y, %, %=, trunc.1);
    let kept = Divisor::new(y.magnitude().clone()).expect("not 0");
    let by_magnitude = a.clone().div_rem(Gmp::from(b.abs_ref()));
    same(&(&x / &kept), &by_magnitude.0);
    same(&(x.clone() % &kept), &by_magnitude.1);
    let divides = a.is_divisible(b);
    assert_eq!(x.is_multiple_of(&y), divides);
    assert_eq!(x.div_exact(&y), divides.then(|| integer(&trunc.0)));
    same(&(&x * &y).div_exact(&y).expect("a multiple"), a);
    if *a >= 0 && *b >= 0 {
        let (x, y) = (natural(a), natural(b));
        all_natural_forms!(x, y, /, /=, trunc.0);
        all_natural_forms!(x, y, %, %=, trunc.1);
        same_natural(&x.div_ceil(&y), &of(Gmp::div_rem_ceil).0);
        assert_eq!(x.is_multiple_of(&y), divides);
        let (quotient, remainder) = kept.div_rem(&x);
        same_natural(&quotient, &trunc.0);
        same_natural(&remainder, &trunc.1);
        let (mut quotient, mut remainder) = (x.clone(), x);
        quotient /= &kept;
        remainder %= &kept;
        same_natural(&quotient, &trunc.0);
        same_natural(&remainder, &trunc.1);
    }
}

/// At the lengths from which reciprocals are kept, and beside them, for dividends of less and of more than twice the length.
#[test]
fn long_divisors_that_are_kept() {
    let mut random = Random::new(14);
    for n in [499, 500, 501, 650] {
        for b in [
            random_number(&mut random, n).abs() + 1u32,
            (Gmp::from(1) << (64 * n as u32)) - 1u32,
            Gmp::from(1) << (64 * n as u32 - 1),
        ] {
            let kept = Divisor::new(natural(&b)).expect("not 0");
            for m in [n - 1, n, n + 5, 2 * n - 1, 2 * n, 2 * n + 1, 5 * n + 7] {
                for a in [
                    random_number(&mut random, m).abs(),
                    (Gmp::from(1) << (64 * m as u32)) - 1u32,
                    Gmp::from(&b << (64 * (m - n.min(m)) as u32)) - 1u32,
                ] {
                    let (quotient, remainder) = a.clone().div_rem(b.clone());
                    let found = kept.div_rem(&natural(&a));
                    same_natural(&found.0, &quotient);
                    same_natural(&found.1, &remainder);
                }
            }
        }
    }
    assert_eq!(Divisor::new(0u32).err(), Some(DivisionByZero));
}

#[test]
fn quotients_of_edges() {
    let numbers = numbers();
    for a in &numbers {
        for b in &numbers {
            check(a, b);
        }
    }
}

#[test]
fn random_quotients() {
    let mut random = Random::new(8);
    for _ in 0..3000 {
        let (a, b) = (
            random_number(&mut random, 20),
            random_number(&mut random, 10),
        );
        check(&a, &b);
        // A remainder of zero, and one less than the divisor.
        let product = Gmp::from(&a * &b);
        check(&product, &b);
        check(&(product - 1), &b);
    }
    for _ in 0..10 {
        let (a, b) = (
            random_number(&mut random, 600),
            random_number(&mut random, 300),
        );
        check(&a, &b);
    }
}

#[test]
fn zero_divides_nothing() {
    let long = Natural::ONE << 200;
    for x in [Natural::ZERO, Natural::ONE, long] {
        let message = |work: fn(&Natural) -> Natural| {
            let x = x.clone();
            let panic = catch_unwind(move || work(&x)).expect_err("no quotient");
            *panic.downcast::<&str>().expect("a text")
        };
        for work in [
            (|x| x / Natural::ZERO) as fn(&Natural) -> Natural,
            |x| x % Natural::ZERO,
            |x| x.clone() / 0,
            |x| x.clone() % 0u8,
            |x| x.div_ceil(&Natural::ZERO),
        ] {
            assert_eq!(message(work), "attempt to divide by zero");
        }
    }
}
