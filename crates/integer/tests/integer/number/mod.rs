//! Numbers of any size against GMP: a battery of edges, and random operands of all lengths.

mod bits;
mod combinatorics;
mod conversions;
mod division;
mod divisors;
mod floats;
mod machine;
mod operators;
mod powers;
mod primality;
mod rationals;
mod text;
mod threads;

use rug::Integer as Gmp;
use rug::integer::Order;
use sunzi_integer::{Integer, Natural};
use sunzi_testkit::Random;

/// Absolute values at which storage, carries and borrows change.
fn magnitudes() -> Vec<Gmp> {
    let mut found = vec![Gmp::ZERO];
    for bits in [
        0u32, 1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 191, 192, 193, 256, 511, 512, 513, 700,
    ] {
        let power = Gmp::from(1) << bits;
        for d in [-1, 0, 1] {
            found.push(power.clone() + d);
        }
    }
    // Ones above zeros, and between them.
    for (ones, zeros) in [
        (64u32, 64u32),
        (64, 128),
        (128, 64),
        (1, 200),
        (65, 63),
        (300, 300),
    ] {
        found.push(((Gmp::from(1) << ones) - 1u32) << zeros);
    }
    let mut random = Random::new(40);
    for limbs in [1, 2, 3, 4, 5, 8, 9, 12, 13, 17, 30] {
        found.push(Gmp::from_digits(&random.words(limbs), Order::Lsf));
    }
    found.sort();
    found.dedup();
    found
}

/// Both signs of them.
fn numbers() -> Vec<Gmp> {
    let magnitudes = magnitudes();
    let negative = magnitudes.iter().rev().map(|x| Gmp::from(-x));
    let mut found: Vec<Gmp> = negative.chain(magnitudes.clone()).collect();
    found.dedup();
    found
}

fn integer(value: &Gmp) -> Integer {
    let found = Integer::from(value);
    canonical(&found);
    found
}

fn natural(value: &Gmp) -> Natural {
    Natural::from_limbs(value.to_digits(Order::Lsf))
}

/// Whether a result is stored as its value is, and is the one that GMP has.
#[track_caller]
fn same(found: &Integer, expected: &Gmp) {
    canonical(found);
    assert!(
        rug::Integer::from(found) == *expected,
        "{found} is not {expected}"
    );
    assert!(*found == Integer::from(expected));
}

#[track_caller]
fn same_natural(found: &Natural, expected: &Gmp) {
    assert!(*expected >= 0);
    assert!(found.as_limbs().last() != Some(&0));
    assert!(
        rug::Integer::from(found) == *expected,
        "{found} is not {expected}"
    );
    assert!(*found == natural(expected));
}

#[track_caller]
fn canonical(value: &Integer) {
    assert!(value.magnitude().as_limbs().last() != Some(&0));
    assert!(!(value.is_negative() && value.magnitude().is_zero()));
}

/// Numbers of up to so many limbs, of which some have many ones or zeros.
fn random_number(random: &mut Random, most: u64) -> Gmp {
    let limbs = random.below(most + 1) as usize;
    let mut words = random.words(limbs);
    for word in &mut words {
        match random.below(4) {
            0 => *word = 0,
            1 => *word = u64::MAX,
            _ => {}
        }
    }
    let value = Gmp::from_digits(&words, Order::Lsf);
    if random.below(2) == 1 { -value } else { value }
}
