//! Division against GMP, with every algorithm at every short length.

mod reciprocal;
mod word;

use rug::Integer;
use rug::integer::Order;
use sunzi_integer::internals::{Divide, DivisionLengths as Lengths, Kept};
use sunzi_integer::{DivisionByZero, Multiplier};
use sunzi_rns::limbs::trim;
use sunzi_testkit::Random;

/// Vectors whose runs of ones and zeros end at or beside limbs, and random ones.
fn operands(len: usize) -> Vec<Vec<u64>> {
    let mut random = Random::new(len as u64);
    let mut all = vec![vec![u64::MAX; len], random.words(len), random.words(len)];
    for at in [0, 1, len / 2, len.saturating_sub(1)] {
        // A one and zeros below it; ones below it; ones above it.
        let mut power = vec![0; len];
        power[at.min(len - 1)] = 1;
        power[len - 1] |= 1 << 63;
        let mut below = vec![0; len];
        below[..=at.min(len - 1)].fill(u64::MAX);
        below[len - 1] |= 1;
        let mut above = vec![u64::MAX; len];
        above[..at.min(len - 1)].fill(0);
        all.extend([power, below, above]);
    }
    for v in &mut all {
        if v[len - 1] == 0 {
            v[len - 1] = 1;
        }
    }
    all
}

fn gmp(limbs: &[u64]) -> Integer {
    Integer::from_digits(limbs, Order::Lsf)
}

/// What divides by other algorithms from these lengths on.
fn from(multiplier: &Multiplier, [recursive, newton, kept]: [usize; 3]) -> Divide<'_> {
    let lengths = Lengths {
        recursive,
        newton,
        kept,
    };
    Divide {
        multiplier,
        lengths,
    }
}

fn check(divide: &Divide<'_>, a: &[u64], b: &[u64]) {
    let (quotient, remainder) = divide.div_rem(trim(a), trim(b)).unwrap();
    let kept = Kept::new(divide, trim(b));
    let again = kept.divided(divide, [trim(a), trim(b)], |quotient, remainder| {
        (quotient.to_vec(), remainder.to_vec())
    });
    assert!(again == (quotient.clone(), remainder.clone()));
    let (expected, rest) = gmp(a).div_rem(gmp(b));
    let sizes = (a.len(), b.len(), divide.lengths);
    assert!(
        gmp(&quotient) == expected,
        "quotient: {sizes:?} {a:x?} {b:x?}"
    );
    assert!(gmp(&remainder) == rest, "remainder: {sizes:?}");
}

#[test]
fn every_algorithm_at_every_short_length() {
    let multiplier = Multiplier::new();
    for lengths in [
        [2, 1000, 1000],
        [3, 1000, 1000],
        [5, 1000, 1000],
        [2, 2, 3],
        [3, 4, 2],
        [1000, 1000, 1000],
    ] {
        let divide = from(&multiplier, lengths);
        for m in (1..8).chain([11]) {
            for n in (1..18).chain([25]) {
                for a in operands(n) {
                    for b in operands(m) {
                        check(&divide, &a, &b);
                    }
                }
            }
        }
    }
}

/// Dividends just below and at multiples of the divisor: quotients of ones, of zeros, remainders 0 and d − 1.
#[test]
fn products_and_their_neighbours() {
    let multiplier = Multiplier::new();
    for lengths in [
        [2, 1000, 1000],
        [4, 1000, 1000],
        [2, 3, 2],
        [1000, 1000, 1000],
    ] {
        let divide = from(&multiplier, lengths);
        for (n, m) in [
            (1, 2),
            (2, 2),
            (3, 3),
            (5, 9),
            (9, 5),
            (12, 12),
            (7, 20),
            (25, 8),
        ] {
            for q in operands(n) {
                for d in operands(m) {
                    let mut product = vec![0; n + m];
                    multiplier.mul(&mut product, &q, &d);
                    check(&divide, &product, &d);
                    let mut above = product.clone();
                    sunzi_rns::limbs::add_1(&mut above, 1);
                    check(&divide, &above, &d);
                    sunzi_rns::limbs::sub_1(&mut product, 1);
                    check(&divide, &product, &d);
                }
            }
        }
    }
}

#[test]
fn long_operands_as_built_in() {
    let multiplier = Multiplier::new();
    let mut random = Random::new(7);
    for (n, m) in [
        (100, 50),
        (97, 48),
        (3000, 1500),
        (4700, 1600),
        (5000, 2500),
        (1700, 1650),
        (9000, 300),
    ] {
        let divide = Divide {
            multiplier: &multiplier,
            lengths: Lengths::BUILT_IN,
        };
        check(&divide, &random.words(n), &random.words(m));
        check(&divide, &vec![u64::MAX; n], &vec![u64::MAX; m]);
    }
}

#[test]
fn zero_is_no_divisor() {
    assert_eq!(
        Multiplier::new().div_rem(&[1], &[0, 0]),
        Err(DivisionByZero)
    );
    assert_eq!(Multiplier::new().div_rem(&[0], &[3]), Ok((vec![], vec![])));
}
