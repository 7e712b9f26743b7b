//! Inverses of a tree's nodes, and evaluation by remainders with them, against the definitions.

use crate::common::{
    check_some_values, distinct, long_transforms, product_of_points, short_transforms,
};
use proptest::prelude::*;
use sunzi_field::{Field, Fp32, Fp64, GeneralizedFermat};
use sunzi_poly::{CoefficientField, Poly, PolyRing, SubinverseTree, SubproductTree};
use sunzi_testkit::{Random, convolution_over, on_threads, value_at};

fn tree<F: CoefficientField>(
    ring: &PolyRing<F>,
    points: &[F::Elem],
    threshold: u32,
) -> SubproductTree<F> {
    SubproductTree::with_threshold(ring, points, threshold).unwrap()
}

/// Every inverse times its node, reversed, is 1; and there are no others.
fn check_inverses<F: CoefficientField>(
    field: &F,
    points: &[F::Elem],
    threshold: u32,
    inverses: &SubinverseTree<'_, F>,
) {
    for level in 0..=12 {
        let nodes = points.chunks(1 << level);
        let stored = level >= threshold && nodes.len() > 1;
        for (node, points) in nodes.enumerate() {
            let Some(inverse) = inverses.inverse(level, node) else {
                assert!(!stored, "level {level}, node {node}");
                continue;
            };
            assert!(stored, "level {level}, node {node}");
            assert_eq!(inverse.len(), points.len());
            let mut reversed = product_of_points(field, points);
            reversed.reverse();
            let product = convolution_over(field, &reversed, inverse);
            assert_eq!(product[0], field.one());
            let zeros = &product[1..points.len()];
            assert!(zeros.iter().all(|&c| c == field.zero()), "{level}, {node}");
        }
        assert_eq!(
            inverses.inverse(level, points.len().div_ceil(1 << level)),
            None
        );
    }
    assert_eq!(inverses.inverse(u32::MAX, 0), None);
}

/// Values of polynomials of several lengths.
fn check_values<F: CoefficientField>(
    ring: &PolyRing<F>,
    points: &[F::Elem],
    inverses: &SubinverseTree<'_, F>,
) {
    let (field, n) = (ring.field(), points.len());
    for len in [0, 1, n / 2, n.saturating_sub(1), n, n + 1, 3 * n + 5] {
        let f = Poly::new(Random::new(len as u64).elements(field, len));
        let values = inverses.evaluate(&f).unwrap();
        let expected = points.iter().map(|&u| value_at(field, f.coefficients(), u));
        assert!(
            values.iter().copied().eq(expected),
            "{len} coefficients, {n} points"
        );
    }
}

fn battery<F: CoefficientField>(
    field: F,
    counts: impl IntoIterator<Item = usize>,
    thresholds: impl IntoIterator<Item = u32> + Clone,
) {
    let ring = PolyRing::new(field);
    for count in counts {
        let points = distinct(ring.field(), count);
        for threshold in thresholds.clone() {
            let tree = tree(&ring, &points, threshold);
            let inverses = SubinverseTree::new(&tree).unwrap();
            check_inverses(ring.field(), &points, threshold, &inverses);
            check_values(&ring, &points, &inverses);
        }
    }
}

#[test]
fn every_small_count_and_every_threshold() {
    battery(Fp32::new(469_762_049).unwrap(), 0..40, 0..7);
    battery(Fp32::new(2_147_483_647).unwrap(), 0..20, 0..6);
    battery(Fp32::new(3).unwrap(), 0..=3, 0..3);
    battery(Fp64::new((1 << 60) - (1 << 18) + 1).unwrap(), 0..20, 0..6);
    battery(Fp64::new((1 << 63) - 25).unwrap(), 0..20, 0..6);
    battery(long_transforms(), 0..12, 0..5);
    battery(short_transforms(), 0..20, 0..5);
    battery(Fp32::new(12_289).unwrap(), 0..20, 0..5);
    battery(GeneralizedFermat::<2>::new(10).unwrap(), 0..20, 0..5);
}

#[test]
fn counts_around_powers_of_two() {
    let counts = [63, 64, 65, 127, 128, 129, 192, 193, 255, 257, 384, 513, 640];
    battery(
        Fp32::new(469_762_049).unwrap(),
        counts,
        [0, 1, 4, 5, 6, 7, 8],
    );
    battery(
        Fp64::new((1 << 60) - (1 << 18) + 1).unwrap(),
        counts,
        [3, 5],
    );
    let counts = [65, 127, 129, 192, 257, 321];
    battery(Fp32::new(2_147_483_647).unwrap(), counts, [2, 6]);
    battery(Fp64::new((1 << 63) - 25).unwrap(), counts, [2, 6]);
    battery(long_transforms(), [33, 64, 65], [2, 4, 5]);
    battery(short_transforms(), [33, 64, 65], [2, 4, 5]);
    // Transforms of the field up to 512 points, and over several primes beyond.
    battery(Fp32::new(7681).unwrap(), [255, 257, 640], [2, 6]);
}

#[test]
fn the_fastest_leaves() {
    let ring = PolyRing::new(Fp32::new(469_762_049).unwrap());
    for count in [1, 64, 65, 1000, 2049] {
        let points = distinct(ring.field(), count);
        let tree = SubproductTree::new(&ring, &points).unwrap();
        check_values(&ring, &points, &SubinverseTree::new(&tree).unwrap());
    }
}

#[test]
fn equal_points_have_values() {
    let ring = PolyRing::new(Fp32::new(469_762_049).unwrap());
    let field = ring.field();
    for point in [field.zero(), field.one(), field.neg(field.one())] {
        let points = vec![point; 100];
        let tree = tree(&ring, &points, 3);
        let inverses = SubinverseTree::new(&tree).unwrap();
        check_inverses(field, &points, 3, &inverses);
        check_values(&ring, &points, &inverses);
    }
}

#[test]
fn long_trees_on_several_threads() {
    let ring = PolyRing::new(Fp64::new((1 << 60) - (1 << 18) + 1).unwrap());
    let points = distinct(ring.field(), 40_000);
    let f = Poly::new(Random::new(9).elements(ring.field(), 40_000));
    let run = |threads: usize| {
        on_threads(threads, || {
            let tree = SubproductTree::new(&ring, &points).unwrap();
            let inverses = SubinverseTree::new(&tree).unwrap();
            inverses.evaluate(&f).unwrap()
        })
    };
    let values = run(1);
    assert_eq!(values, run(3));
    check_some_values(ring.field(), &f, &points, &values);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn both_ways_have_the_same_values(
        seed: u64,
        count in 1usize..600,
        len in 0usize..900,
        threshold in 0u32..9,
    ) {
        let ring = PolyRing::new(Fp32::new(2_147_483_647).unwrap());
        let points = Random::new(seed).elements(ring.field(), count);
        let f = Poly::new(Random::new(seed ^ 1).elements(ring.field(), len));
        let tree = tree(&ring, &points, threshold);
        let values = SubinverseTree::new(&tree).unwrap().evaluate(&f).unwrap();
        for (i, &point) in points.iter().enumerate() {
            prop_assert_eq!(values[i], value_at(ring.field(), f.coefficients(), point));
        }
        prop_assert_eq!(values, tree.evaluate(&f).unwrap());
    }
}
