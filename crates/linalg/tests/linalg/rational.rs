//! Exact determinants of rational matrices against closed forms.

use crate::common;
use crate::common::families::{cleared_cauchy, hilbert_denominator};
use crate::common::oracle::by_gmp;
use proptest::prelude::*;
use sunzi_integer::{Integer, Natural, Rational};
use sunzi_linalg::{DenseMatrix, MatrixError};
use sunzi_testkit::Random;

fn ratio(numerator: i64, denominator: u64) -> Rational {
    Rational::from_parts(numerator.into(), denominator.into())
}

#[test]
fn hilbert_matrices() {
    for order in [0, 1, 2, 3, 10, 33, 100, 120] {
        let matrix = DenseMatrix::from_fn(order, order, |i, j| ratio(1, (i + j + 1) as u64));
        let expected =
            Rational::from_parts(Integer::ONE, hilbert_denominator(order).try_into().unwrap());
        assert_eq!(matrix.determinant(), Ok(expected), "order {order}");
    }
}

#[test]
fn cauchy_matrices() {
    let order = 20;
    let x: Vec<i64> = (0..order).map(|i| 5 * i - 31).collect();
    let y: Vec<i64> = (0..order).map(|i| 60 + 3 * i).collect();
    let entry = |i: usize, j: usize| Rational::ONE / Rational::from(x[i] + y[j]);
    let matrix = DenseMatrix::from_fn(20, 20, entry);
    let sums = x.iter().flat_map(|x| y.iter().map(move |y| x + y));
    let denominator: Integer = sums.map(Integer::from).product();
    let expected = Rational::from(cleared_cauchy(&x, &y).1) / Rational::from(denominator);
    assert_eq!(matrix.determinant(), Ok(expected));
}

#[test]
fn shapes_and_singular_matrices() {
    let wide = DenseMatrix::from_fn(2, 3, |_, _| Rational::ONE);
    let refused = MatrixError::NotSquare {
        rows: 2,
        columns: 3,
    };
    assert_eq!(wide.determinant(), Err(refused));
    let singular = DenseMatrix::from_fn(3, 3, |i, j| ratio(i as i64 + 1, j as u64 + 2));
    assert_eq!(singular.determinant(), Ok(Rational::ZERO));
}

proptest! {
    #[test]
    fn rows_over_integers_divide_the_determinant(order in 1_usize..9, seed: u64) {
        let mut random = Random::new(seed);
        let integers = common::random_integers(order, 1 << 40, &mut random);
        let denominators: Vec<u64> = (0..order).map(|_| random.below(1 << 30) + 1).collect();
        let matrix = DenseMatrix::from_fn(order, order, |i, j| {
            Rational::from_parts(integers[(i, j)].clone(), denominators[i].into())
        });
        let denominator: Natural = denominators.iter().map(|&d| Natural::from(d)).product();
        let expected = Rational::from_parts(by_gmp(&integers), denominator);
        prop_assert_eq!(matrix.determinant(), Ok(expected));
    }
}
