//! What holds for every product, on random polynomials of every shape.

use proptest::prelude::*;
use sunzi_field::{Field, Fp32, Fp64};
use sunzi_integer::Integer;
use sunzi_poly::{
    Algorithm, CoefficientField, FlatPoly, IntegerPolyRing, Poly, PolyError, PolyRing,
};
use sunzi_testkit::{Random, on_threads};

/// The value at a point, by Horner's rule with lazy residues.
fn evaluate(field: &Fp64, f: &Poly<u64>, point: u64) -> u64 {
    let point = field.prepare(point);
    let value = f
        .coefficients()
        .iter()
        .rev()
        .fold(field.lazy(0), |value, &coefficient| {
            let shifted = field.mul_lazy(value.representative(), point);
            field.add_lazy(shifted, field.lazy(coefficient))
        });
    field.canonical(value)
}

fn sum<F: Field>(field: &F, f: &Poly<F::Elem>, g: &Poly<F::Elem>) -> Poly<F::Elem> {
    let (long, short) = if f.len() >= g.len() { (f, g) } else { (g, f) };
    let mut coefficients = long.coefficients().to_vec();
    field.add_assign_slice(&mut coefficients[..short.len()], short.coefficients());
    Poly::new(coefficients)
}

fn ring_laws<F: CoefficientField>(field: F, seed: u64, lens: [usize; 3]) {
    let ring = PolyRing::new(field);
    let [f, g, h] = std::array::from_fn(|i| {
        Poly::new(Random::new(seed + i as u64).elements(ring.field(), lens[i]))
    });
    assert_eq!(ring.mul(&f, &g), ring.mul(&g, &f));
    let left = ring.mul(&sum(ring.field(), &f, &g), &h);
    let right = sum(ring.field(), &ring.mul(&f, &h), &ring.mul(&g, &h));
    assert_eq!(left, right);
    assert_eq!(
        ring.mul(&ring.mul(&f, &g), &h),
        ring.mul(&f, &ring.mul(&g, &h))
    );
    assert_eq!(ring.sqr(&f), ring.mul(&f, &f.clone()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn small_fields(seed: u64, a in 0usize..700, b in 0usize..700, c in 0usize..700) {
        for prime in [3, 469762049, 2147483647] {
            ring_laws(Fp32::new(prime).unwrap(), seed >> 2, [a, b, c]);
        }
    }

    #[test]
    fn large_fields(seed: u64, a in 0usize..500, b in 0usize..500, c in 0usize..500) {
        for prime in [(1 << 60) - (1 << 18) + 1, (1 << 62) - 57, (1 << 63) - 25] {
            ring_laws(Fp64::new(prime).unwrap(), seed >> 2, [a, b, c]);
        }
    }

    #[test]
    fn values_multiply(seed: u64, a in 0usize..2000, b in 0usize..2000, point: u64) {
        for prime in [(1 << 60) - (1 << 18) + 1, (1 << 63) - 25] {
            let ring = PolyRing::new(Fp64::new(prime).unwrap());
            let f = Poly::new(Random::new(seed >> 1).elements(ring.field(), a));
            let g = Poly::new(Random::new((seed >> 1) + 1).elements(ring.field(), b));
            let point = ring.field().from_u64(point);
            let product = ring.field().mul(
                evaluate(ring.field(), &f, point),
                evaluate(ring.field(), &g, point),
            );
            prop_assert_eq!(evaluate(ring.field(), &ring.mul(&f, &g), point), product);
        }
    }

    #[test]
    fn integers(seed: u64, a in 0usize..300, b in 0usize..300, bits in 1usize..200) {
        let ring = IntegerPolyRing::new();
        let mut random = Random::new(seed);
        let mut poly = |len: usize| {
            let coefficients = (0..len).map(|_| {
                let words = random.words(bits.div_ceil(64));
                let magnitude = sunzi_integer::Natural::from_limbs(words) >> (bits.div_ceil(64) * 64 - bits);
                Integer::from_sign_magnitude(random.below(2) == 1, magnitude)
            });
            Poly::new(coefficients.collect::<Vec<_>>())
        };
        let (f, g, h) = (poly(a), poly(b), poly(a));
        let add = |f: &Poly<Integer>, g: &Poly<Integer>| {
            let len = f.len().max(g.len());
            let at = |f: &Poly<Integer>, i| f.coefficients().get(i).cloned().unwrap_or(Integer::ZERO);
            Poly::new((0..len).map(|i| at(f, i) + at(g, i)).collect())
        };
        prop_assert_eq!(ring.mul(&f, &g), ring.mul(&g, &f));
        let left = ring.mul(&add(&f, &h), &g);
        prop_assert_eq!(left, add(&ring.mul(&f, &g), &ring.mul(&h, &g)));
        let mut flat = FlatPoly::default();
        ring.mul_flat(&mut flat, &FlatPoly::from_poly(&f), &FlatPoly::from_poly(&g)).unwrap();
        prop_assert_eq!(flat.to_poly(), ring.mul(&f, &g));
    }
}

#[test]
fn batches_are_their_products_on_any_number_of_threads() {
    let ring = PolyRing::new(Fp32::new(469762049).unwrap());
    let mut random = Random::new(8);
    for (len_a, len_b, count) in [(1, 1, 5), (64, 33, 700), (300, 300, 30), (7, 1000, 40)] {
        let a = random.residues32(len_a * count, 469762049);
        let b = random.residues32(len_b * count, 469762049);
        let len = len_a + len_b - 1;
        let mut expected = vec![0; len * count];
        for ((out, a), b) in expected
            .chunks_mut(len)
            .zip(a.chunks(len_a))
            .zip(b.chunks(len_b))
        {
            ring.mul_slices(out, a, b);
        }
        for threads in [1, 2, 3] {
            let mut out = vec![0; len * count];
            on_threads(threads, || ring.mul_batch(&mut out, &a, &b, len_a, len_b)).unwrap();
            assert_eq!(out, expected, "{threads} threads");
        }
    }
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let ring = PolyRing::new(Fp32::new(17).unwrap());
    let wrong = ring.try_mul_slices(&mut [0; 4], &[1, 2], &[3, 4]);
    let (expected, found) = (3, 4);
    assert_eq!(wrong, Err(PolyError::OutputLength { expected, found }));
    assert_eq!(ring.try_mul_slices(&mut [], &[], &[3, 4]), Ok(()));
    assert!(
        ring.mul_batch(&mut [0; 3], &[1, 2, 3], &[1, 2], 2, 2)
            .is_err()
    );
    assert!(ring.mul_batch(&mut [0; 2], &[1, 2], &[1, 2], 2, 2).is_err());
    assert_eq!(ring.mul_batch(&mut [], &[], &[], 0, 2), Ok(()));
    let (expected, found) = (0, 1);
    for (len_a, len_b) in [(0, 2), (usize::MAX, 2), (usize::MAX, usize::MAX)] {
        assert_eq!(ring.mul_batch(&mut [], &[], &[], len_a, len_b), Ok(()));
        assert_eq!(
            ring.mul_batch(&mut [1], &[], &[], len_a, len_b),
            Err(PolyError::OutputLength { expected, found })
        );
        assert!(ring.mul_batch(&mut [1], &[1], &[1], len_a, len_b).is_err());
    }
}

#[test]
fn lengths_beyond_any_memory_are_planned_for() {
    let ring = PolyRing::new(Fp64::new((1 << 63) - 25).unwrap());
    for (len_a, len_b) in [(usize::MAX, usize::MAX), (usize::MAX, 1), (usize::MAX, 0)] {
        assert_eq!(ring.plan(len_a, len_b).len_a, len_a);
        for algorithm in Algorithm::ALL {
            if let Ok(plan) = ring.plan_with(algorithm, len_a, len_b) {
                assert_eq!((plan.algorithm, plan.len_b), (algorithm, len_b));
            }
        }
    }
    let plan = ring.plan(usize::MAX, usize::MAX);
    assert_eq!(plan.scratch_bytes, u64::MAX);
}

#[test]
fn working_memory_counts_the_transforms() {
    let ring = PolyRing::new(Fp64::new((1 << 63) - 25).unwrap());
    let bytes = |algorithm| {
        let len = 1 << 19;
        ring.plan_with(algorithm, len, len).unwrap().scratch_bytes
    };
    // 126 + 20 bits: three primes, each with its values and multipliers, and one second operand.
    assert_eq!(bytes(Algorithm::CrtNtt), (7 * 8) << 20);
    // 146 bits a coefficient: 2.3·2^20 limbs of operands, as many of the product, 2^22 points of
    // which the transforms reach little more than half.
    assert!(bytes(Algorithm::Kronecker) > (5 * 8) << 22);
}
