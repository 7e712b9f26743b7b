//! Whatever thresholds a ring has, results are those of the definitions.

use crate::common::{distinct, long_transforms, short_transforms};
use sunzi_field::{AnyField, Fp32, Fp64};
use sunzi_integer::{Integer, Multiplier};
use sunzi_poly::{
    Algorithm, AnyPolyRing, CoefficientField, IntegerPolyRing, IntegerThresholds, Poly, PolyRing,
    SubproductTree, Thresholds,
};
use sunzi_testkit::{Random, convolution_over, value_at};

const NEVER: usize = usize::MAX;

/// Thresholds in several orders, extreme ones among them.
const THRESHOLDS: [Thresholds; 5] = [
    thresholds([0; 4], 0),
    thresholds([NEVER; 4], u32::MAX),
    thresholds([NEVER, 2, 2, 9], 1),
    thresholds([3, NEVER, NEVER, 4], 2),
    thresholds([70, 5, 12, NEVER], 3),
];

const fn thresholds(
    [ntt, ntt_long, karatsuba, over_integers]: [usize; 4],
    leaf_log: u32,
) -> Thresholds {
    Thresholds {
        ntt,
        ntt_long,
        karatsuba,
        over_integers,
        leaf_log,
    }
}

fn battery<F: CoefficientField>(field: &F) {
    for thresholds in THRESHOLDS {
        let ring = PolyRing::new(field.clone()).with_thresholds(thresholds);
        assert_eq!(ring.thresholds().karatsuba, thresholds.karatsuba.max(2));
        for (len_a, len_b) in [(1, 1), (2, 3), (9, 9), (13, 40), (71, 70), (5, 140)] {
            let (a, b) = (
                Random::new(1).elements(field, len_a),
                Random::new(2).elements(field, len_b),
            );
            let mut out = vec![field.one(); len_a + len_b - 1];
            ring.mul_slices(&mut out, &a, &b);
            let plan = ring.plan(len_a, len_b);
            assert!(
                out == convolution_over(field, &a, &b),
                "{thresholds:?}: {plan}"
            );
        }
        let points = distinct(field, 23);
        let tree = SubproductTree::new(&ring, &points).unwrap();
        let f = Poly::new(Random::new(3).elements(field, 23));
        let values = tree.evaluate(&f).unwrap();
        let expected = points.iter().map(|&u| value_at(field, f.coefficients(), u));
        assert!(values.iter().copied().eq(expected), "{thresholds:?}");
        assert_eq!(tree.interpolate(&values).unwrap(), f, "{thresholds:?}");
    }
}

#[test]
fn they_change_no_result_over_any_field() {
    battery(&Fp32::new(469_762_049).unwrap());
    battery(&Fp32::new((1 << 31) - 1).unwrap());
    battery(&Fp64::new((1 << 60) - (1 << 18) + 1).unwrap());
    battery(&Fp64::new((1 << 61) - 1).unwrap());
    battery(&long_transforms());
    battery(&short_transforms());
}

#[test]
fn they_change_no_product_over_the_integers() {
    for (kronecker, crt_ntt) in [(0, 0), (NEVER, NEVER), (NEVER, 3), (5, NEVER), (4, 8)] {
        let thresholds = IntegerThresholds { kronecker, crt_ntt };
        let ring = IntegerPolyRing::new()
            .with_thresholds(thresholds)
            .with_multiplier(Multiplier::new());
        assert_eq!(ring.thresholds(), thresholds);
        for (len_a, len_b, bits) in [(1, 1, 1), (3, 5, 63), (9, 9, 20), (2, 30, 64)] {
            let coefficients = |len: usize, seed: u64| -> Vec<Integer> {
                let words = sunzi_testkit::Random::new(seed).residues(len, u64::MAX);
                let signed = |(index, word): (usize, u64)| {
                    let value = Integer::from(word >> (64 - bits));
                    if index % 3 == 1 { -value } else { value }
                };
                words.into_iter().enumerate().map(signed).collect()
            };
            let (a, b) = (coefficients(len_a, 1), coefficients(len_b, 2));
            let mut expected = vec![Integer::ZERO; len_a + len_b - 1];
            for (i, x) in a.iter().enumerate() {
                for (j, y) in b.iter().enumerate() {
                    expected[i + j] += x * y;
                }
            }
            let (a, b) = (Poly::new(a), Poly::new(b));
            let plan = ring.plan(&a, &b);
            assert_eq!(ring.mul(&a, &b), Poly::new(expected), "{plan}");
        }
    }
}

/// What is chosen is what the thresholds say.
#[test]
fn they_decide_what_runs() {
    let ring = AnyPolyRing::new(&AnyField::modulo_word((1 << 61) - 1).unwrap());
    let ring = ring.with_thresholds(Thresholds {
        karatsuba: 10,
        over_integers: 20,
        ..ring.thresholds()
    });
    assert_eq!(ring.thresholds().over_integers, 20);
    let found = [9, 10, 19, 20].map(|len| ring.plan(len, 100).algorithm);
    let expected = [
        Algorithm::Schoolbook,
        Algorithm::Karatsuba,
        Algorithm::Karatsuba,
        Algorithm::CrtNtt,
    ];
    assert_eq!(found, expected);
}
