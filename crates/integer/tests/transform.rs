//! Transform products against GMP.

use rug::Integer;
use rug::integer::Order;
use sunzi_integer::{Algorithm, Multiplier};
use sunzi_testkit as _;
use sunzi_testkit::on_threads;

fn limbs(seed: u64, len: usize) -> Vec<u64> {
    let mut state = seed;
    (0..len)
        .map(|_| {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z ^ (z >> 27)
        })
        .collect()
}

fn check(multiplier: &Multiplier, a: &[u64], b: &[u64]) {
    let mut out = vec![1; a.len() + b.len()];
    multiplier
        .mul_with(Algorithm::Transform, &mut out, a, b)
        .unwrap();
    let [x, y] = [a, b].map(|limbs| Integer::from_digits(limbs, Order::Lsf));
    let product: Integer = x * y;
    let mut expected = product.to_digits::<u64>(Order::Lsf);
    expected.resize(out.len(), 0);
    assert!(out == expected, "{} × {} limbs", a.len(), b.len());
}

#[test]
fn any_lengths_and_all_ones() {
    let multiplier = Multiplier::new();
    for la in [
        1, 2, 3, 7, 8, 15, 16, 31, 33, 64, 100, 127, 129, 500, 1024, 1025, 3000,
    ] {
        for lb in [1, 2, 5, 16, 17, 63, 64, 65, 333, 1024, 2049] {
            check(&multiplier, &limbs(1, la), &limbs(2, lb));
            check(&multiplier, &vec![u64::MAX; la], &vec![u64::MAX; lb]);
        }
        let a = limbs(3, la);
        check(&multiplier, &a, &a);
    }
}

#[test]
fn threads_and_long_operands() {
    for threads in [1, 2] {
        on_threads(threads, || {
            let multiplier = Multiplier::new();
            for (la, lb) in [
                (20_000, 30_001),
                (65_536, 65_536),
                (70_000, 1000),
                (300_000, 17_000),
            ] {
                check(&multiplier, &limbs(4, la), &limbs(5, lb));
                check(&multiplier, &vec![u64::MAX; la], &vec![u64::MAX; lb]);
            }
        });
    }
}

#[test]
fn digits_shorter_than_limbs_beyond_two_million_limbs() {
    let len = (1 << 21) + 5;
    check(
        &Multiplier::new(),
        &vec![u64::MAX; len + 3],
        &vec![u64::MAX; len],
    );
    check(&Multiplier::new(), &limbs(6, len), &limbs(7, len + 1000));
}
