//! Products modulo primes r^k + 1 against GMP.

use sunzi_field::generalized_fermat::NAMED;
use sunzi_integer::fermat::{FermatPlan, FermatProducts};
use sunzi_integer::{Algorithm, MulError, Multiplier};
use sunzi_testkit::{Kind, Random, mul_limbs, on_every_thread_count, ones, power_sum};

fn check(products: &FermatProducts, plan: &FermatPlan, a: &[u64], b: &[u64]) {
    let mut out = vec![0x5555_5555_5555_5555; a.len() + b.len()];
    products.multiply(plan, &mut out, a, b).unwrap();
    assert!(
        out == mul_limbs(a, b),
        "{plan}: {} × {} limbs",
        a.len(),
        b.len()
    );
}

/// Every prime up to 64 digits, operands of one word and of many, and coefficients at their maximum.
#[test]
fn every_prime_at_all_kinds_of_lengths() {
    let products = FermatProducts::new();
    let mut random = Random::new(8);
    for prime in NAMED.into_iter().filter(|prime| prime.digits <= 64) {
        for (la, lb) in [(1, 1), (2, 1), (17, 90), (300, 301), (1200, 40), (3, 2000)] {
            let Some(plan) = FermatPlan::over(prime, la, lb) else {
                assert!(prime.digits < 4);
                continue;
            };
            let mut operands = vec![
                (vec![u64::MAX; la], vec![u64::MAX; lb]),
                (vec![0; la], random.words(lb)),
                (power_sum(&[0], la), random.words(lb)),
                (power_sum(&[64 * la - 1], la), power_sum(&[64 * lb - 1], lb)),
            ];
            for kind in Kind::ALL {
                operands.push((
                    kind.limbs(la, la, &mut random),
                    kind.limbs(lb, lb, &mut random),
                ));
            }
            for (a, b) in operands {
                check(&products, &plan, &a, &b);
            }
        }
        if let Some(plan) = FermatPlan::over(prime, 333, 333) {
            let a = random.words(333);
            check(&products, &plan, &a, &a);
        }
    }
}

/// Lengths around those where coefficients fill their transforms, on every number of threads: runs of ones whose carry goes
/// through whole pieces of the sum.
#[test]
fn carries_cross_the_pieces_of_threads() {
    let products = FermatProducts::new();
    let known = [
        (ones(300_000, 4688), power_sum(&[0, 262_143], 4096)),
        (vec![u64::MAX; 9000], vec![u64::MAX; 9001]),
        (Random::new(5).words(20_000), vec![u64::MAX; 70]),
    ];
    on_every_thread_count(|_| {
        for (a, b) in &known {
            let plan = FermatPlan::choose(a.len(), b.len()).unwrap();
            check(&products, &plan, a, b);
        }
    });
}

#[test]
fn bounds_hold_for_every_plan() {
    for prime in NAMED {
        for log in 0..48 {
            let limbs = (1usize << log) + log;
            let Some(plan) = FermatPlan::over(prime, limbs, limbs) else {
                continue;
            };
            // n·(2^b − 1)² < p, by the logarithm of p from below: that of r − 1 is smaller still.
            let terms = (64 * limbs).div_ceil(plan.bits()) as f64;
            let largest = terms.log2() + 2.0 * plan.bits() as f64;
            let p = prime.digits as f64 * (prime.radix as f64).log2();
            assert!(largest < p + 1e-6, "{}: {largest} of {p} bits", prime.name);
            // And no bit is given away but what rounding takes.
            assert!(largest > p - 4.0, "{}: {largest} of {p} bits", prime.name);
        }
    }
}

#[test]
fn by_name_through_the_multiplier() {
    let multiplier = Multiplier::new();
    let mut random = Random::new(3);
    for (la, lb) in [(0, 0), (5, 0), (0, 5), (1, 1), (40, 7), (7, 40)] {
        let (a, b) = (random.words(la), random.words(lb));
        let mut out = vec![9; la + lb];
        let done = multiplier.mul_with(Algorithm::Fermat, &mut out, &a, &b);
        assert_eq!((done, out), (Ok(()), mul_limbs(&a, &b)));
    }
    let plan = multiplier.plan_with(Algorithm::Fermat, 1 << 14, 1 << 14);
    let plan = plan.unwrap();
    assert_eq!((plan.algorithm(), plan.pieces()), (Algorithm::Fermat, 1));
    assert!(plan.to_string().contains(" bits a coefficient"), "{plan}");
    // Two operands and a product of 2^14 limbs are 2^19 bytes, of whose elements half the bits are used.
    assert!((1 << 20..1 << 24).contains(&plan.bytes()));
    for lengths in [[usize::MAX; 2], [1 << 58, 1]] {
        let beyond = multiplier.plan_with(Algorithm::Fermat, lengths[0], lengths[1]);
        let refused = matches!(
            beyond,
            Err(MulError::Unavailable {
                algorithm: Algorithm::Fermat,
                ..
            })
        );
        assert!(refused || beyond.unwrap().bytes() > 1 << 60);
    }
}

#[test]
fn operands_of_other_lengths_than_planned_are_refused() {
    let plan = FermatPlan::choose(100, 100).unwrap();
    let products = FermatProducts::new();
    let refused = products.multiply(&plan, &mut [0; 2], &[1], &[1]);
    assert!(matches!(refused, Err(MulError::PlanLength { .. })));
    let refused = products.multiply(&plan, &mut [0; 9], &[1; 100], &[1; 100]);
    assert!(matches!(refused, Err(MulError::OutputLength { .. })));
    assert_eq!(FermatPlan::choose(0, 4), None);
}
