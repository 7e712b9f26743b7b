//! Products against GMP, on random and adversarial limbs.

use rug::Integer;
use rug::integer::Order;
use sunzi_integer::Multiplier;

fn gmp_product(a: &[u64], b: &[u64]) -> Vec<u64> {
    let product = Integer::from_digits(a, Order::Lsf) * Integer::from_digits(b, Order::Lsf);
    let mut limbs = product.to_digits::<u64>(Order::Lsf);
    limbs.resize(a.len() + b.len(), 0);
    limbs
}

/// Operands of one length: constant, sparse and pseudo-random ones.
fn battery(len: usize, seed: u64) -> Vec<Vec<u64>> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut one = vec![0; len];
    let mut top = vec![0; len];
    if len > 0 {
        one[0] = 1;
        top[len - 1] = 1 << 63;
    }
    let mut low_zero: Vec<u64> = (0..len).map(|_| random()).collect();
    if len > 0 {
        low_zero[0] = 0;
    }
    vec![
        vec![0; len],
        one,
        top,
        vec![u64::MAX; len],
        vec![1 << 63; len],
        (0..len)
            .map(|i| if i % 2 == 0 { 0 } else { u64::MAX })
            .collect(),
        low_zero,
        (0..len).map(|_| random()).collect(),
    ]
}

fn check(multiplier: &Multiplier, a: &[u64], b: &[u64]) {
    let mut out = vec![0x5555_5555_5555_5555; a.len() + b.len()];
    multiplier.mul(&mut out, a, b);
    assert_eq!(
        out,
        gmp_product(a, b),
        "{} × {} limbs: {a:x?} × {b:x?}",
        a.len(),
        b.len()
    );
}

#[test]
fn all_small_lengths() {
    let multiplier = Multiplier::new();
    for len_a in 0..=40 {
        for len_b in 0..=40 {
            for (i, a) in battery(len_a, len_a as u64 + 1).iter().enumerate() {
                for b in battery(len_b, len_b as u64 + 100)
                    .iter()
                    .skip(i % 3)
                    .step_by(3)
                {
                    check(&multiplier, a, b);
                }
            }
        }
    }
}

#[test]
fn long_and_unbalanced() {
    let multiplier = Multiplier::new();
    let lengths = [
        1, 27, 28, 29, 55, 56, 57, 64, 100, 111, 112, 113, 200, 256, 333, 512, 777, 1024,
    ];
    for len_a in lengths {
        for len_b in lengths {
            let (a, b) = (
                battery(len_a, len_a as u64 + 1),
                battery(len_b, len_b as u64 + 100),
            );
            for (x, y) in [(7, 7), (3, 3), (3, 7), (5, 3), (6, 2)] {
                check(&multiplier, &a[x], &b[y]);
            }
        }
    }
}

#[test]
fn squares() {
    let multiplier = Multiplier::new();
    for len in (0..=130).chain([255, 256, 257, 1000]) {
        for a in battery(len, len as u64 + 7) {
            let mut out = vec![1; 2 * len];
            multiplier.sqr(&mut out, &a);
            assert_eq!(out, gmp_product(&a, &a), "square of {len} limbs {a:x?}");
        }
    }
}
