//! Evaluation and interpolation by trees against the definitions.

use crate::common::{check_some_values, distinct, long_transforms, short_transforms};
use proptest::prelude::*;
use sunzi_field::{Field, Fp32, Fp64, GeneralizedFermat};
use sunzi_poly::{CoefficientField, Poly, PolyError, PolyRing, SubproductTree};
use sunzi_testkit::{Random, on_threads, value_at};

/// A tree over `count` distinct points: values of polynomials of several lengths, and back.
fn check<F: CoefficientField>(ring: &PolyRing<F>, tree: &SubproductTree<F>) {
    let (field, count) = (ring.field(), tree.len());
    for len in [
        0,
        1,
        count / 2,
        count.saturating_sub(1),
        count,
        count + 1,
        3 * count + 5,
    ] {
        let f = Poly::new(Random::new(len as u64).elements(field, len));
        let values = tree.evaluate(&f).unwrap();
        let expected = tree
            .points()
            .iter()
            .map(|&u| value_at(field, f.coefficients(), u));
        assert!(
            values.iter().copied().eq(expected),
            "{len} coefficients, {count} points"
        );
        if len <= count {
            assert_eq!(tree.interpolate(&values).unwrap(), f, "{count} points");
        }
    }
    let product = tree.product();
    assert_eq!(product.degree(), Some(count));
    assert!(
        tree.points()
            .iter()
            .all(|&u| value_at(field, product.coefficients(), u) == field.zero())
    );
}

fn battery<F: CoefficientField>(field: F, counts: impl IntoIterator<Item = usize>) {
    let ring = PolyRing::new(field);
    for count in counts {
        let points = distinct(ring.field(), count);
        check(&ring, &SubproductTree::new(&ring, &points).unwrap());
    }
}

#[test]
fn every_small_count_over_every_field() {
    battery(Fp32::new(469_762_049).unwrap(), 0..40);
    battery(Fp32::new(3).unwrap(), 0..=3);
    battery(Fp32::new(257).unwrap(), [255, 256, 257]);
    battery(Fp64::new((1 << 63) - 25).unwrap(), 0..20);
    battery(long_transforms(), 0..36);
    battery(short_transforms(), 0..36);
    battery(GeneralizedFermat::<2>::new(10).unwrap(), 0..36);
}

#[test]
fn counts_around_leaves_and_powers_of_two() {
    let counts = [
        63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 383, 385, 512, 513, 640, 1000,
        1025,
    ];
    battery(Fp32::new(469_762_049).unwrap(), counts);
    battery(Fp64::new((1 << 60) - (1 << 18) + 1).unwrap(), counts);
    let counts = [255, 256, 257, 511, 512, 513, 769, 1025, 1500];
    battery(Fp32::new(2_147_483_647).unwrap(), counts);
    battery(Fp64::new((1 << 62) - 57).unwrap(), counts);
    battery(Fp64::new((1 << 63) - 25).unwrap(), [513]);
    battery(long_transforms(), [63, 64, 65, 100, 257]);
    battery(short_transforms(), [63, 64, 65, 100, 257]);
    // Transforms of the field up to 512 points, and over several primes beyond.
    battery(Fp32::new(7681).unwrap(), counts);
}

#[test]
fn every_threshold() {
    for prime in [469_762_049, 2_147_483_647] {
        let ring = PolyRing::new(Fp32::new(prime).unwrap());
        for count in [1, 2, 3, 5, 8, 13, 31, 33, 64, 100] {
            for threshold in 0..8 {
                let points = distinct(ring.field(), count);
                check(
                    &ring,
                    &SubproductTree::with_threshold(&ring, &points, threshold).unwrap(),
                );
            }
        }
    }
}

#[test]
fn equal_points_have_values_but_no_interpolation() {
    let ring = PolyRing::new(Fp32::new(469_762_049).unwrap());
    for count in [2, 100, 1000] {
        let mut points = distinct(ring.field(), count);
        points[count - 1] = points[count / 2 - 1];
        let tree = SubproductTree::new(&ring, &points).unwrap();
        let f = Poly::new(Random::new(1).elements(ring.field(), count));
        let values = tree.evaluate(&f).unwrap();
        let expected = points
            .iter()
            .map(|&u| value_at(ring.field(), f.coefficients(), u));
        assert!(values.iter().copied().eq(expected));
        let error = tree.interpolate(&values).unwrap_err();
        let (first, second) = (count / 2 - 1, count - 1);
        assert_eq!(error, PolyError::RepeatedPoint { first, second });
    }
}

#[test]
fn wrong_input_is_refused() {
    let ring = PolyRing::new(Fp32::new(101).unwrap());
    let error = SubproductTree::new(&ring, &[1, 101]).unwrap_err();
    assert_eq!(error, PolyError::PointOutside { index: 1 });
    let tree = SubproductTree::new(&ring, &[1, 2]).unwrap();
    let error = tree.interpolate(&[1]).unwrap_err();
    assert_eq!(
        error,
        PolyError::ValueCount {
            points: 2,
            values: 1
        }
    );
}

#[test]
fn long_trees_on_several_threads() {
    let ring = PolyRing::new(Fp64::new((1 << 60) - (1 << 18) + 1).unwrap());
    let points = distinct(ring.field(), 70_000);
    let f = Poly::new(Random::new(9).elements(ring.field(), 70_000));
    let run = |threads: usize| {
        on_threads(threads, || {
            let tree = SubproductTree::new(&ring, &points).unwrap();
            let values = tree.evaluate(&f).unwrap();
            assert_eq!(tree.interpolate(&values).unwrap(), f);
            values
        })
    };
    let values = run(1);
    assert_eq!(values, run(3));
    check_some_values(ring.field(), &f, &points, &values);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn values_multiply_and_add(seed: u64, count in 1usize..800, a in 1usize..500, b in 1usize..500) {
        let ring = PolyRing::new(Fp32::new(2_147_483_647).unwrap());
        let field = ring.field();
        let points = Random::new(seed).elements(field, count);
        let tree = SubproductTree::new(&ring, &points).unwrap();
        let [a, b] = [a, b].map(|len| Poly::new(Random::new(seed ^ len as u64).elements(field, len)));
        let product = ring.mul(&a, &b);
        let [mut a, b, product] = [a, b, product].map(|f| tree.evaluate(&f).unwrap());
        field.mul_assign_slice(&mut a, &b);
        prop_assert_eq!(a, product);
    }
}
