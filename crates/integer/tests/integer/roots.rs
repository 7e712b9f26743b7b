//! Square roots against GMP.

use rug::Integer;
use rug::integer::Order;
use sunzi_integer::Multiplier;
use sunzi_integer::internals::{Divide, DivisionLengths as Lengths};
use sunzi_testkit::Random;

fn check(multiplier: &Multiplier, a: &Integer, lengths: Lengths) {
    let limbs: Vec<u64> = a.to_digits(Order::Lsf);
    let by = Divide {
        multiplier,
        lengths,
    };
    let (root, remainder) = by.sqrt_rem(&limbs);
    let (expected, rest) = a.clone().sqrt_rem(Integer::new());
    assert!(
        Integer::from_digits(&root, Order::Lsf) == expected,
        "{} limbs",
        limbs.len()
    );
    assert!(
        Integer::from_digits(&remainder, Order::Lsf) == rest,
        "{} limbs",
        limbs.len()
    );
}

/// Squares, their neighbours, runs of ones and zeros, at every length and shift.
#[test]
fn roots_are_those_of_gmp() {
    let multiplier = Multiplier::new();
    let mut random = Random::new(23);
    for [recursive, newton] in [[2, 1000], [2, 3], [1000, 1000]] {
        let lengths = Lengths {
            recursive,
            newton,
            kept: 1000,
        };
        for bits in (0..130).chain([
            191, 192, 193, 255, 256, 257, 511, 640, 1000, 1023, 1024, 1025,
        ]) {
            for d in [-2, -1, 0, 1, 2] {
                let power = (Integer::from(1) << bits) + d;
                if power >= 0 {
                    check(&multiplier, &power, lengths);
                    let square = Integer::from(power.square_ref());
                    check(&multiplier, &(square.clone() + 2 * power), lengths);
                    for d in [-1, 0, 1] {
                        let beside = square.clone() + d;
                        if beside >= 0 {
                            check(&multiplier, &beside, lengths);
                        }
                    }
                }
            }
        }
        for n in (1..14).chain([31, 32, 33]) {
            for zeros in [0, 1, 2, 32, 33, 63] {
                let value = Integer::from_digits(&random.words(n), Order::Lsf) >> zeros;
                check(&multiplier, &value, lengths);
                // The upper half is a square less 1, or less 1 more than its root: remainders of twice the root.
                let half = Integer::from_digits(&random.words(n), Order::Lsf);
                let top: Integer = Integer::from(half.square_ref()) - 1;
                if top >= 0 {
                    for low in [Integer::ZERO, (Integer::from(1) << (128 * n as u32)) - 1] {
                        let whole = (top.clone() << (128 * n as u32)) + low;
                        check(&multiplier, &whole, lengths);
                    }
                }
            }
        }
    }
}
