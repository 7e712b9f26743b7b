//! Shifts, composition, values at geometric progressions and linear operations against their definitions.

mod shift;

use crate::common::{long_transforms, random_of_len, short_transforms};
use proptest::prelude::*;
use sunzi_field::{Field, Fp32, Fp64};
use sunzi_poly::{CoefficientField, Poly, PolyError, PolyRing};
use sunzi_testkit::{Random, convolution_over, value_at};

/// Calls a generic check with rings over small and large fields of every kind.
macro_rules! over_every_field {
    ($check:ident) => {
        for prime in [3, 5, 101, 469_762_049, 2_147_483_647] {
            $check(&PolyRing::new(Fp32::new(prime).unwrap()));
        }
        for prime in [(1 << 60) - (1 << 18) + 1, (1 << 63) - 25] {
            $check(&PolyRing::new(Fp64::new(prime).unwrap()));
        }
        $check(&PolyRing::new(long_transforms()));
        $check(&PolyRing::new(short_transforms()));
    };
}

/// f(g) by the rule of Horner with schoolbook products.
fn composed<F: Field>(field: &F, f: &[F::Elem], g: &[F::Elem]) -> Poly<F::Elem> {
    let mut sum: Vec<F::Elem> = Vec::new();
    for &coefficient in f.iter().rev() {
        let mut shifted = convolution_over(field, &sum, g);
        shifted.resize(shifted.len().max(1), field.zero());
        shifted[0] = field.add(shifted[0], coefficient);
        sum = Poly::new(shifted).into_coefficients();
    }
    Poly::new(sum)
}

fn progression<F: Field>(field: &F, start: F::Elem, ratio: F::Elem, n: usize) -> Vec<F::Elem> {
    let mut point = start;
    let mut points = Vec::new();
    for _ in 0..n {
        points.push(point);
        point = field.mul(point, ratio);
    }
    points
}

#[test]
fn linear_operations() {
    fn check<F: CoefficientField>(ring: &PolyRing<F>) {
        let field = ring.field();
        let at = |f: &Poly<F::Elem>, i: usize| {
            let coefficient = f.coefficients().get(i).copied();
            coefficient.unwrap_or(field.zero())
        };
        let poly = |len, entry: &dyn Fn(usize) -> F::Elem| Poly::new((0..len).map(entry).collect());
        let lens = [0, 1, 2, 3, 4, 5, 15, 16, 17, 64, 65];
        for len_a in lens {
            let a = random_of_len(field, len_a as u64, len_a);
            for len_b in lens {
                let b = random_of_len(field, 100 + len_b as u64, len_b);
                let len = len_a.max(len_b);
                let sum = poly(len, &|i| field.add(at(&a, i), at(&b, i)));
                let difference = poly(len, &|i| field.sub(at(&a, i), at(&b, i)));
                assert_eq!(ring.add(&a, &b), sum);
                assert_eq!(ring.sub(&a, &b), difference);
            }
            assert!(ring.sub(&a, &a).is_zero());
            assert!(ring.add(&a, &ring.neg(&a)).is_zero());
            for factor in Random::new(7).elements(field, 4) {
                let scaled = poly(len_a, &|i| field.mul(factor, at(&a, i)));
                assert_eq!(ring.scale(&a, factor), scaled);
                let value = value_at(field, a.coefficients(), factor);
                assert_eq!(ring.evaluate_at(&a, factor).unwrap(), value);
            }
            let monic = ring.monic(&a);
            if let Some(&leading) = a.coefficients().last() {
                assert_eq!(monic.coefficients().last(), Some(&field.one()));
                assert_eq!(ring.scale(&monic, leading), a);
            } else {
                assert!(monic.is_zero());
            }
            let derivative = poly(len_a.saturating_sub(1), &|i| {
                field.mul(field.from_u64(i as u64 + 1), at(&a, i + 1))
            });
            assert_eq!(ring.derivative(&a), derivative);
            for k in lens {
                let power = poly(k + 1, &|i| field.from_u64(u64::from(i == k)));
                let up = ring.mul_power_of_x(&a, k).unwrap();
                assert_eq!(up, ring.mul(&a, &power));
                assert_eq!(ring.div_power_of_x(&up, k), a);
                let low = ring.truncate(&a, k);
                assert_eq!(low, poly(k.min(len_a), &|i| at(&a, i)));
                let high = ring.mul_power_of_x(&ring.div_power_of_x(&a, k), k).unwrap();
                assert_eq!(ring.add(&low, &high), a);
                if k + 1 >= len_a {
                    let reversed = poly(k + 1, &|i| at(&a, k - i));
                    assert_eq!(ring.reverse(&a, k).unwrap(), reversed);
                } else {
                    let error = PolyError::DegreeTooSmall {
                        degree: k,
                        found: len_a - 1,
                    };
                    assert_eq!(ring.reverse(&a, k), Err(error));
                }
            }
        }
    }
    over_every_field!(check);
}

#[test]
fn bad_scalars_and_impossible_lengths_are_refused() {
    let ring = PolyRing::new(Fp32::new(101).unwrap());
    let f = Poly::new(vec![1, 2, 3]);
    let outside = |index| PolyError::PointOutside { index };
    assert_eq!(ring.evaluate_at(&f, 101), Err(outside(0)));
    assert_eq!(ring.taylor_shift(&f, 101), Err(outside(0)));
    assert_eq!(ring.evaluate_geometric(&f, 101, 1, 2), Err(outside(0)));
    assert_eq!(ring.evaluate_geometric(&f, 1, 200, 2), Err(outside(1)));
    assert_eq!(ring.interpolate_geometric(1, 101, &[1]), Err(outside(1)));
    if cfg!(target_os = "linux") {
        let huge = usize::MAX;
        assert!(ring.mul_power_of_x(&f, huge).is_err());
        assert!(ring.reverse(&f, huge).is_err());
        assert!(ring.random(huge, 1).is_err());
        assert!(ring.evaluate_geometric(&f, 1, 2, huge).is_err());
        assert!(ring.inverse_series(&[1, 1], huge).is_err());
        assert!(ring.divide_series(&[1, 1], &[1, 1], huge).is_err());
    }
    assert!(
        ring.mul_power_of_x(&Poly::zero(), usize::MAX)
            .unwrap()
            .is_zero()
    );
    assert!(ring.reverse(&Poly::zero(), usize::MAX).unwrap().is_zero());
}

#[test]
fn shifts() {
    fn check<F: CoefficientField>(ring: &PolyRing<F>) {
        let field = ring.field();
        let lens = [
            0, 1, 2, 3, 4, 5, 6, 9, 10, 16, 20, 21, 25, 26, 31, 32, 33, 34, 63, 64, 65, 100, 101,
            102, 127, 128, 129, 257,
        ];
        for len in lens {
            let f = random_of_len(field, len as u64, len);
            let shifts = Random::new(1000 + len as u64).elements(field, 3);
            for a in [field.zero(), field.one()].into_iter().chain(shifts) {
                let expected = composed(field, f.coefficients(), &[a, field.one()]);
                let found = ring.taylor_shift(&f, a).unwrap();
                assert_eq!(found, expected, "{len} coefficients, {field:?}");
            }
        }
    }
    over_every_field!(check);
}

/// Several digits of the powers in base p, blocks and rows that are not complete, all threads.
#[test]
fn long_shifts_modulo_small_primes() {
    for (prime, len) in [
        (3, 5000),
        (19, 4000),
        (23, 4000),
        (101, 11_000),
        (1009, 5000),
    ] {
        let ring = PolyRing::new(Fp32::new(prime).unwrap());
        for len in [len, len + 1] {
            let f = random_of_len(ring.field(), u64::from(prime), len);
            let a = prime / 2 + 1;
            // Synthetic division.
            let mut expected = f.coefficients().to_vec();
            for lowest in 0..len - 1 {
                for i in (lowest..len - 1).rev() {
                    let product = ring.field().mul(a, expected[i + 1]);
                    expected[i] = ring.field().add(expected[i], product);
                }
            }
            let found = ring.taylor_shift(&f, a).unwrap();
            assert_eq!(found.coefficients(), expected, "{len} modulo {prime}");
        }
    }
}

#[test]
fn compositions() {
    fn check<F: CoefficientField>(ring: &PolyRing<F>) {
        let field = ring.field();
        for len_f in [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 65] {
            for len_g in [0, 1, 2, 3, 4, 7] {
                let f = random_of_len(field, len_f as u64, len_f);
                let g = random_of_len(field, 50 + len_g as u64, len_g);
                let expected = composed(field, f.coefficients(), g.coefficients());
                let found = ring.compose(&f, &g).unwrap();
                assert_eq!(found, expected, "{len_f} and {len_g}, {field:?}");
            }
        }
    }
    over_every_field!(check);
    // Halves on different threads, and zeros within f.
    let ring = PolyRing::new(Fp32::new(2_147_483_647).unwrap());
    let mut coefficients = Random::new(3).elements(ring.field(), 300);
    coefficients[64..200].fill(0);
    let (f, g) = (Poly::new(coefficients), random_of_len(ring.field(), 4, 41));
    let expected = composed(ring.field(), f.coefficients(), g.coefficients());
    assert_eq!(ring.compose(&f, &g).unwrap(), expected);
}

/// Starts and ratios: edges, random ones, and a root of unity.
fn progressions<F: CoefficientField>(field: &F, seed: u64) -> Vec<[F::Elem; 2]> {
    let (zero, one) = (field.zero(), field.one());
    let random = Random::new(seed).elements(field, 2);
    let big = field.pow(field.from_u64(3 + seed), 5);
    vec![
        [zero, zero],
        [one, zero],
        [zero, one],
        [big, one],
        [big, field.neg(one)],
        [one, big],
        [big, field.from_u64(2)],
        [random[0], random[1]],
    ]
}

#[test]
fn values_at_geometric_progressions() {
    fn check<F: CoefficientField>(ring: &PolyRing<F>) {
        let field = ring.field();
        let lens = [0, 1, 2, 3, 16, 17, 64, 129];
        for len in lens {
            let f = random_of_len(field, len as u64, len);
            for n in lens {
                for [start, ratio] in progressions(field, (len + n) as u64) {
                    let points = progression(field, start, ratio, n);
                    let values = points.iter().map(|&x| value_at(field, f.coefficients(), x));
                    let expected: Vec<F::Elem> = values.collect();
                    let found = ring.evaluate_geometric(&f, start, ratio, n).unwrap();
                    assert_eq!(found, expected, "{len} at {n}, {field:?}");
                }
            }
        }
    }
    over_every_field!(check);
}

/// More entries than a thread takes at a time, against some of the values.
#[test]
fn values_at_long_progressions() {
    fn check<F: CoefficientField>(ring: &PolyRing<F>) {
        let field = ring.field();
        let [start, ratio] = [5, 7].map(|word| field.from_u64(word));
        let f = random_of_len(field, 9, 2500);
        let found = ring.evaluate_geometric(&f, start, ratio, 4100).unwrap();
        assert_eq!(found.len(), 4100);
        let points = progression(field, start, ratio, 4100);
        for i in (0..4100)
            .step_by(241)
            .chain([2047, 2048, 2049, 4095, 4096, 4099])
        {
            assert_eq!(
                found[i],
                value_at(field, f.coefficients(), points[i]),
                "{i}"
            );
        }
    }
    over_every_field!(check);
}

#[test]
fn interpolation_at_geometric_progressions() {
    fn check<F: CoefficientField>(ring: &PolyRing<F>) {
        let field = ring.field();
        for n in [0, 1, 2, 3, 4, 5, 15, 16, 17, 64, 65, 100, 101, 257] {
            for [start, ratio] in progressions(field, n as u64) {
                let points = progression(field, start, ratio, n);
                let values = Random::new(77 + n as u64).elements(field, n);
                // The first point that is equal to an earlier one.
                let repeated = (0..n).find_map(|second| {
                    let first = (0..second).find(|&first| points[first] == points[second])?;
                    Some(PolyError::RepeatedPoint { first, second })
                });
                match (ring.interpolate_geometric(start, ratio, &values), repeated) {
                    (found, Some(error)) => assert_eq!(found, Err(error), "{n}, {field:?}"),
                    (found, None) => {
                        let found = found.unwrap();
                        assert!(found.len() <= n);
                        for (&point, value) in points.iter().zip(values) {
                            let found = value_at(field, found.coefficients(), point);
                            assert_eq!(found, value, "{n}, {field:?}");
                        }
                    }
                }
            }
        }
    }
    over_every_field!(check);
}

/// As many points as the ratio's order: 1 − q^n is 0, and the points are all but not too many.
#[test]
fn interpolation_at_all_roots_of_unity() {
    let ring = PolyRing::new(Fp32::new(101).unwrap());
    for (ratio, order) in [(2, 100), (4, 50), (10, 4), (100, 2)] {
        let f = random_of_len(ring.field(), order, order as usize);
        let values = ring
            .evaluate_geometric(&f, 3, ratio, order as usize)
            .unwrap();
        assert_eq!(ring.interpolate_geometric(3, ratio, &values).unwrap(), f);
        let error = PolyError::RepeatedPoint {
            first: 0,
            second: order as usize,
        };
        let values = [&values[..], &[1, 2]].concat();
        assert_eq!(ring.interpolate_geometric(3, ratio, &values), Err(error));
    }
}

#[test]
fn random_polynomials_are_determined_and_uniform() {
    fn check<F: CoefficientField>(ring: &PolyRing<F>) {
        let field = ring.field();
        assert!(ring.random(0, 1).unwrap().is_zero());
        let f = ring.random(500, 1).unwrap();
        assert_eq!(f, ring.random(500, 1).unwrap());
        assert_ne!(f, ring.random(500, 2).unwrap());
        // A shorter one is the beginning of a longer one.
        assert_eq!(ring.random(100, 1).unwrap(), ring.truncate(&f, 100));
        assert!(f.coefficients().iter().all(|&x| field.is_canonical(x)));
        let half = field.modulus::<sunzi_integer::Natural>() / 2u32;
        let large = f
            .coefficients()
            .iter()
            .filter(|&&x| field.to_integer::<sunzi_integer::Natural>(x) > half);
        // Of 500 with probability about 1/2 (1/3 modulo 3), at 6 standard deviations and more.
        assert!((90..=325).contains(&large.count()));
    }
    over_every_field!(check);

    for prime in [3, 5, 101] {
        let ring = PolyRing::new(Fp32::new(prime).unwrap());
        let f = ring.random(100_000, 42).unwrap();
        let mut counts = vec![0f64; prime as usize];
        for &coefficient in f.coefficients() {
            counts[coefficient as usize] += 1.0;
        }
        let expected = 100_000.0 / f64::from(prime);
        let deviation = counts.iter().map(|count| (count - expected).abs());
        assert!(deviation.fold(0.0, f64::max) < 6.0 * expected.sqrt());
    }
    // The first word of SplitMix64 for seed 0 is 0xe220a8397b1dcdaf: its highest 63 bits.
    let ring = PolyRing::new(Fp64::new((1 << 63) - 25).unwrap());
    assert_eq!(ring.random(1, 0).unwrap()[0], 0xe220_a839_7b1d_cdaf >> 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn shifting_back(seed: u64, len in 0usize..2000, a in 0u64..(1 << 60) - (1 << 18) + 1) {
        let ring = PolyRing::new(Fp64::new((1 << 60) - (1 << 18) + 1).unwrap());
        let f = ring.random(len, seed).unwrap();
        let shifted = ring.taylor_shift(&f, a).unwrap();
        prop_assert_eq!(ring.taylor_shift(&shifted, ring.field().neg(a)).unwrap(), f);
    }

    #[test]
    fn shifts_add_up_modulo_small_primes(seed: u64, len in 0usize..3000, a in 0u32..41, b in 0u32..41) {
        let ring = PolyRing::new(Fp32::new(41).unwrap());
        let f = ring.random(len, seed).unwrap();
        let twice = ring.taylor_shift(&ring.taylor_shift(&f, a).unwrap(), b).unwrap();
        prop_assert_eq!(ring.taylor_shift(&f, (a + b) % 41).unwrap(), twice);
    }

    #[test]
    fn composition_is_associative(seed: u64, f in 0usize..14, g in 0usize..14, h in 0usize..14) {
        let ring = PolyRing::new(Fp32::new(2_147_483_647).unwrap());
        let [f, g, h] = [f, g, h].map(|len| ring.random(len, seed ^ len as u64).unwrap());
        let left = ring.compose(&ring.compose(&f, &g).unwrap(), &h).unwrap();
        prop_assert_eq!(ring.compose(&f, &ring.compose(&g, &h).unwrap()).unwrap(), left);
    }

    #[test]
    fn interpolation_inverts_evaluation(seed: u64, n in 0usize..2000, start in 1u64..1 << 60) {
        let ring = PolyRing::new(Fp64::new((1 << 63) - 25).unwrap());
        let f = ring.random(n, seed).unwrap();
        // A random ratio has an order that is long enough but for a probability below 2^-40.
        let ratio = ring.field().from_u64(seed | 1 << 60);
        let values = ring.evaluate_geometric(&f, start, ratio, n).unwrap();
        prop_assert_eq!(ring.interpolate_geometric(start, ratio, &values).unwrap(), f);
    }
}
