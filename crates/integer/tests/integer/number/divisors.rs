//! Greatest common divisors, cofactors, inverses.

use super::{integer, numbers, random_number, same, same_natural};
use rug::Integer as Gmp;
use sunzi_testkit::Random;

fn check(a: &Gmp, b: &Gmp) {
    let (x, y) = (integer(a), integer(b));
    let gcd = Gmp::from(a.gcd_ref(b));
    same_natural(&x.gcd(&y), &gcd);
    same_natural(&x.lcm(&y), &Gmp::from(a.lcm_ref(b)));
    let (g, s, t) = x.gcd_ext(&y);
    same_natural(&g, &gcd);
    same(&(&s * &x + &t * &y), &gcd);
    if *b != 0 && *a != 0 && !a.is_divisible(b) && !b.is_divisible(a) {
        assert!(&s.abs() * &g * 2 <= y.abs(), "{a} {b}");
        assert!(&t.abs() * &g * 2 <= x.abs(), "{a} {b}");
    }
    if a.is_divisible(b) && *b != 0 {
        assert!(s.is_zero());
    }
    if *b != 0 {
        let inverse = a.clone().invert(&Gmp::from(b.abs_ref())).ok();
        assert_eq!(x.inverse_mod(&y), inverse.map(|x| integer(&x)), "{a} {b}");
    } else {
        assert_eq!(x.inverse_mod(&y), None);
    }
}

#[test]
fn divisors_of_edges() {
    let numbers = numbers();
    for a in &numbers {
        for b in &numbers {
            check(a, b);
        }
    }
}

#[test]
fn random_divisors() {
    let mut random = Random::new(10);
    for round in 0..1000 {
        // The upper row of the matrix is kept up to 32 limbs.
        let most = match round % 20 {
            0 => [40, 36, 3],
            1 => [31, 31, 1],
            2 => [32, 32, 1],
            _ => [8, 8, 4],
        };
        let [a, b, c] = most.map(|most| random_number(&mut random, most));
        check(&a, &b);
        check(&(a * &c), &(b * c));
    }
}
