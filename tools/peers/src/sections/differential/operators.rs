//! Operators and methods of `Integer` and `Rational`, against GMP.

use rug::integer::Order;
use rug::ops::{DivRounding as _, Pow as _, RemRounding as _};
use rug::{Integer as GmpInteger, Rational as GmpRational};
use sunzi_integer::{Divisor, Integer, Rational};

use super::operation::Operation;
use super::texts::compare_integers;
use super::trial::Trial;

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::alone("number-ring", "GMP", ring),
        Operation::new("number-division", "GMP", |trial| {
            let lengths = [trial.length(80, 2000), trial.length(40, 1000)];
            division(trial, lengths);
        }),
        // From where recursion, Newton's iteration and reciprocals that are kept begin.
        Operation::new("number-division-long", "GMP", |trial| {
            let divisor = trial.beside(&[32, 72, 500, 1350]);
            let quotient = trial.beside(&[32, 72, 500, 1350]);
            division(trial, [divisor + quotient, divisor]);
        }),
        Operation::new("number-gcd", "GMP", |trial| {
            let lengths = [trial.length(12, 100), trial.length(12, 100)];
            gcd(trial, lengths);
        }),
        Operation::new("number-gcd-long", "GMP", |trial| {
            let length = trial.beside(&[32, 250, 450, 700]);
            gcd(trial, [length, length]);
        }),
        Operation::new("number-roots", "GMP", roots),
        Operation::new("number-powers", "GMP", powers),
        Operation::new("number-powers-modulo", "GMP", powers_modulo),
        Operation::alone("number-fractions", "GMP", fractions),
    ]
}

/// An integer of either sign, of at most so many limbs.
fn integer(trial: &mut Trial, length: usize) -> GmpInteger {
    let value = GmpInteger::from_digits(&trial.limbs(length), Order::Lsf);
    match trial.below(2) {
        0 => -value,
        _ => value,
    }
}

fn natural(trial: &mut Trial, length: usize) -> GmpInteger {
    GmpInteger::from_digits(&trial.limbs(length), Order::Lsf)
}

fn ring(trial: &mut Trial) {
    let (n, m) = (trial.length(12, 200), trial.length(12, 200));
    let (a, b) = (integer(trial, n), integer(trial, m));
    let (x, y) = (Integer::from(&a), Integer::from(&b));
    compare_integers(trial, &(&x + &y), &GmpInteger::from(&a + &b));
    compare_integers(trial, &(&x - &y), &GmpInteger::from(&a - &b));
    compare_integers(trial, &(&x * &y), &GmpInteger::from(&a * &b));
    compare_integers(trial, &(&x * &x), &GmpInteger::from(a.square_ref()));
    compare_integers(trial, &(x.clone() - y.clone()), &GmpInteger::from(&a - &b));
    let bits = trial.below(300);
    compare_integers(trial, &(&x << bits), &GmpInteger::from(&a << bits as u32));
    compare_integers(trial, &(&x >> bits), &GmpInteger::from(&a >> bits as u32));
    trial.compare_one("order", x.cmp(&y), a.cmp(&b));
}

fn division(trial: &mut Trial, [n, m]: [usize; 2]) {
    let mut a = integer(trial, n);
    let b = integer(trial, m);
    if b == 0 {
        return;
    }
    if trial.below(4) == 0 {
        // Multiples of the divisor and their neighbours.
        a -= GmpInteger::from(&a % &b);
        a += trial.below(3) as i32 - 1;
    }
    let (x, y) = (Integer::from(&a), Integer::from(&b));
    let (quotient, remainder) = a.clone().div_rem(b.clone());
    let found = x.div_rem(&y);
    compare_integers(trial, &found.0, &quotient);
    compare_integers(trial, &found.1, &remainder);
    compare_integers(trial, &x.div_floor(&y), &a.clone().div_floor(&b));
    compare_integers(trial, &x.rem_euclid(&y), &a.clone().rem_euc(&b));
    if let Some(kept) = trial.expect("divisor", Divisor::new(y.magnitude().clone())) {
        let (quotient, remainder) = a.div_rem(b.abs());
        compare_integers(trial, &(&x / &kept), &quotient);
        compare_integers(trial, &(&x % &kept), &remainder);
    }
}

fn gcd(trial: &mut Trial, [n, m]: [usize; 2]) {
    let (mut a, mut b) = (integer(trial, n), integer(trial, m));
    if trial.below(2) == 0 {
        let common = natural(trial, 1 + n / 4);
        a *= &common;
        b *= common;
    }
    let (x, y) = (Integer::from(&a), Integer::from(&b));
    let theirs = GmpInteger::from(a.gcd_ref(&b));
    compare_integers(trial, &x.gcd(&y).into(), &theirs);
    let (gcd, s, t) = x.gcd_ext(&y);
    compare_integers(trial, &gcd.into(), &theirs);
    let identity = GmpInteger::from(&s) * &a + GmpInteger::from(&t) * &b;
    trial.check("cofactors", identity == theirs);
    let ours = x.inverse_mod(&y).map(|inverse| GmpInteger::from(&inverse));
    let theirs = match b == 0 {
        true => None,
        false => a.invert(&b.abs()).ok(),
    };
    trial.compare_one("inverse", ours, theirs);
}

fn roots(trial: &mut Trial) {
    let length = trial.length(60, 1500);
    let mut a = natural(trial, length);
    let degree = 2 + trial.below(6) as u32;
    if trial.below(2) == 0 {
        // Beside squares and powers.
        a = a.pow(if trial.below(2) == 0 { 2 } else { degree });
        a += trial.below(3) as i32 - 1;
        a = a.abs();
    }
    let x = Integer::from(&a);
    let (root, rest) = a.clone().sqrt_rem(GmpInteger::new());
    let found = x.magnitude().sqrt_rem();
    compare_integers(trial, &found.0.into(), &root);
    compare_integers(trial, &found.1.into(), &rest);
    compare_integers(trial, &x.magnitude().sqrt().into(), &root);
    trial.compare_one("square", x.is_square(), rest == 0);
    compare_integers(
        trial,
        &x.magnitude().root(degree as usize).into(),
        &a.root(degree),
    );
}

fn powers(trial: &mut Trial) {
    let length = trial.length(8, 60);
    let a = integer(trial, length);
    let exponent = trial.below(20);
    let ours = Integer::from(&a).pow(exponent);
    compare_integers(trial, &ours, &a.pow(exponent as u32));
}

fn powers_modulo(trial: &mut Trial) {
    let length = trial.length(20, 130);
    let (a, mut modulus) = (integer(trial, length), natural(trial, length));
    match trial.below(4) {
        0 => modulus <<= trial.below(200) as u32,
        1 => {}
        _ => modulus |= 1u32,
    }
    if modulus == 0 {
        return;
    }
    let exponent = trial.length(2, 8);
    let exponent = integer(trial, exponent);
    let (x, e, m) = (
        Integer::from(&a),
        Integer::from(&exponent),
        Integer::from(&modulus),
    );
    let ours = x.pow_mod(&e, &m).map(|power| GmpInteger::from(&power));
    let theirs = a.pow_mod(&exponent, &modulus).ok();
    trial.compare_one("power", ours, theirs);
}

fn fractions(trial: &mut Trial) {
    let mut number = || {
        let (n, m) = (trial.length(6, 60), trial.length(6, 60));
        let (numerator, mut denominator) = (integer(trial, n), natural(trial, m));
        if denominator == 0 {
            denominator += 1;
        }
        GmpRational::from((numerator, denominator))
    };
    let (a, b) = (number(), number());
    let (x, y) = (Rational::from(&a), Rational::from(&b));
    let mut compare = |what: &str, ours: Rational, theirs: GmpRational| {
        trial.compare_one(what, GmpRational::from(&ours), theirs);
    };
    compare("sum", &x + &y, GmpRational::from(&a + &b));
    compare("difference", &x - &y, GmpRational::from(&a - &b));
    compare("product", &x * &y, GmpRational::from(&a * &b));
    if b != 0 {
        compare("quotient", &x / &y, GmpRational::from(&a / &b));
    }
    trial.compare_one("order", x.cmp(&y), a.cmp(&b));
    trial.compare_one("text", x.to_string(), a.to_string());
}
