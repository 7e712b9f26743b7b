//! Exact determinants of rational matrices against closed forms.

use crate::common;
use crate::common::families::{cleared_cauchy, hilbert_denominator};
use crate::common::oracle::by_gmp;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use proptest::prelude::*;
use sunzi_linalg::dense::rational_determinant;
use sunzi_linalg::{DenseMatrix, MatrixError};
use sunzi_testkit::Random;

fn ratio(numerator: i64, denominator: u64) -> RBig {
    RBig::from_parts(numerator.into(), denominator.into())
}

#[test]
fn hilbert_matrices() {
    for order in [0, 1, 2, 3, 10, 33, 100, 120] {
        let matrix = DenseMatrix::from_fn(order, order, |i, j| ratio(1, (i + j + 1) as u64));
        let expected = RBig::from_parts(IBig::ONE, hilbert_denominator(order).try_into().unwrap());
        assert_eq!(rational_determinant(&matrix), Ok(expected), "order {order}");
    }
}

#[test]
fn cauchy_matrices() {
    let order = 20;
    let x: Vec<i64> = (0..order).map(|i| 5 * i - 31).collect();
    let y: Vec<i64> = (0..order).map(|i| 60 + 3 * i).collect();
    let entry = |i: usize, j: usize| RBig::ONE / RBig::from(x[i] + y[j]);
    let matrix = DenseMatrix::from_fn(20, 20, entry);
    let sums = x.iter().flat_map(|x| y.iter().map(move |y| x + y));
    let denominator: IBig = sums.map(IBig::from).product();
    let expected = RBig::from(cleared_cauchy(&x, &y).1) / RBig::from(denominator);
    assert_eq!(rational_determinant(&matrix), Ok(expected));
}

#[test]
fn shapes_and_singular_matrices() {
    let wide = DenseMatrix::from_fn(2, 3, |_, _| RBig::ONE);
    let refused = MatrixError::NotSquare {
        rows: 2,
        columns: 3,
    };
    assert_eq!(rational_determinant(&wide), Err(refused));
    let singular = DenseMatrix::from_fn(3, 3, |i, j| ratio(i as i64 + 1, j as u64 + 2));
    assert_eq!(rational_determinant(&singular), Ok(RBig::ZERO));
}

proptest! {
    #[test]
    fn rows_over_integers_divide_the_determinant(order in 1_usize..9, seed: u64) {
        let mut random = Random::new(seed);
        let integers = common::random_integers(order, 1 << 40, &mut random);
        let denominators: Vec<u64> = (0..order).map(|_| random.below(1 << 30) + 1).collect();
        let matrix = DenseMatrix::from_fn(order, order, |i, j| {
            RBig::from_parts(integers[(i, j)].clone(), denominators[i].into())
        });
        let denominator: UBig = denominators.iter().map(|&d| UBig::from(d)).product();
        let expected = RBig::from_parts(by_gmp(&integers), denominator);
        prop_assert_eq!(rational_determinant(&matrix), Ok(expected));
    }
}
