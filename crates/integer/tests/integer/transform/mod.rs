//! Transform products against GMP.

mod segments;

use sunzi_integer::{Algorithm, Multiplier};
use sunzi_testkit::{Kind, Random, mul_limbs, on_every_thread_count, on_threads, ones, power_sum};

fn check(multiplier: &Multiplier, a: &[u64], b: &[u64]) {
    let mut out = vec![1; a.len() + b.len()];
    multiplier
        .mul_with(Algorithm::Transform, &mut out, a, b)
        .unwrap();
    assert!(out == mul_limbs(a, b), "{} × {} limbs", a.len(), b.len());
}

#[test]
fn any_lengths_and_all_ones() {
    let multiplier = Multiplier::new();
    for la in [
        1, 2, 3, 7, 8, 15, 16, 31, 33, 64, 100, 127, 129, 500, 1024, 1025, 3000,
    ] {
        for lb in [1, 2, 5, 16, 17, 63, 64, 65, 333, 1024, 2049] {
            check(
                &multiplier,
                &Random::new(1).words(la),
                &Random::new(2).words(lb),
            );
            check(&multiplier, &vec![u64::MAX; la], &vec![u64::MAX; lb]);
        }
        let a = Random::new(3).words(la);
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
                check(
                    &multiplier,
                    &Random::new(4).words(la),
                    &Random::new(5).words(lb),
                );
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
    check(
        &Multiplier::new(),
        &Random::new(6).words(len),
        &Random::new(7).words(len + 1000),
    );
}

/// A run of ones whose carry goes through the whole last segment, and out at its top: 4097 by 4096
/// limbs are the fewest that are cut.
#[test]
fn a_carry_runs_out_of_the_last_segment() {
    let known = [
        (ones(300_000, 4688), power_sum(&[0, 262_143], 4096)),
        (ones(262_208, 4097), power_sum(&[1280, 262_143], 4096)),
    ];
    on_every_thread_count(|_| {
        let multiplier = Multiplier::new();
        for (a, b) in &known {
            check(&multiplier, a, b);
        }
    });
}

/// Around the lengths from which threads share segments (2^13 coefficients) and primes go one after the other (2^19),
/// with runs of ones that end where segments do.
#[test]
fn structured_operands_around_the_thresholds_of_threads() {
    on_every_thread_count(|_| {
        let mut random = Random::new(20);
        let multiplier = Multiplier::new();
        for sum in [1 << 13, 3 << 13] {
            for (case, len) in (sum - 1..=sum + 2).enumerate() {
                for kind in Kind::ALL {
                    let short = len / 2 - case * 300;
                    let a = kind.limbs(len - short, 1024, &mut random);
                    let other = Kind::ALL[random.below(6) as usize];
                    let b = other.limbs(short, 1024, &mut random);
                    check(&multiplier, &a, &b);
                }
            }
        }
    });
    let long = |len: usize| {
        let a = ones(64 * (len - 70_000), len - 70_000);
        let b = power_sum(&[64 * 70_000 - 1, 64 * 1024], 70_000);
        check(&Multiplier::new(), &a, &b);
    };
    on_every_thread_count(|_| long(1 << 19));
    on_threads(2, || {
        [(1 << 19) - 1, (1 << 19) + 1].into_iter().for_each(long)
    });
}
