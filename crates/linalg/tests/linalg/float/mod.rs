//! Determinants of doubles against exact ones.

mod decimal;
mod product;
mod range;
mod scaled;
mod scaling;
mod step;

use crate::common;
use crate::common::closed_forms::cases;
use proptest::prelude::*;
use sunzi_integer::Integer;
use sunzi_linalg::float::{Pivoting, ScaledFloat, determinant, determinant_by};
use sunzi_linalg::{DenseMatrix, MatrixError};
use sunzi_testkit::{Random, on_threads, to_gmp};

/// An integer, rounded by GMP.
fn scaled(value: &Integer) -> ScaledFloat {
    let (mantissa, exponent) = to_gmp(value).to_f64_exp();
    ScaledFloat::new(mantissa, exponent.into())
}

/// |found/expected − 1|, or 0 where both are 0.
fn error(found: ScaledFloat, expected: ScaledFloat) -> f64 {
    if found == expected {
        return 0.0;
    }
    let inverse = ScaledFloat::new(1.0 / expected.mantissa(), -expected.exponent());
    ((found * inverse).to_f64() - 1.0).abs()
}

fn hilbert(order: usize) -> DenseMatrix<f64> {
    DenseMatrix::from_fn(order, order, |i, j| 1.0 / (i + j + 1) as f64)
}

#[test]
fn well_conditioned_families() {
    let names = [
        "order 0",
        "order 1",
        "order 2",
        "permutation",
        "identity",
        "reversal",
        "rotation",
        "second difference",
        "Hadamard",
        "zero row",
        "zero column",
    ];
    for case in cases(129) {
        if !names.iter().any(|name| case.name.starts_with(name)) {
            continue;
        }
        let matrix = case.matrix.map(|entry| scaled(entry).to_f64());
        for pivoting in Pivoting::ALL {
            let found = determinant_by(pivoting, &matrix).unwrap();
            let error = error(found.value(), scaled(&case.determinant));
            assert!(
                error < 1e-12,
                "{}, {pivoting:?}: {:?}",
                case.name,
                found.value()
            );
        }
    }
}

#[test]
fn random_integers_agree_with_gmp() {
    let mut random = Random::new(11);
    for order in [3, 10, 40, 90] {
        let integers = common::random_integers(order, 1 << 30, &mut random);
        let expected = scaled(&common::oracle::by_gmp(&integers));
        let matrix = integers.map(|entry| scaled(entry).to_f64());
        let found = determinant(&matrix).unwrap();
        assert!(!found.is_singular_to_working_precision());
        assert!(error(found.value(), expected) < 1e-11, "order {order}");
        // The pivots nearest to 1 are the smallest of these rows, so entries grow.
        let condensed = determinant_by(Pivoting::NearestToOne, &matrix).unwrap();
        assert!(error(condensed.value(), expected) < 1e-3, "order {order}");
    }
}

/// Hilbert's determinants are as good as doubles allow: the condition grows by 30 an order.
#[test]
fn hilbert_matrices() {
    for order in 1..=12 {
        let denominator = scaled(&common::families::hilbert_denominator(order));
        let expected = ScaledFloat::new(1.0 / denominator.mantissa(), -denominator.exponent());
        for pivoting in Pivoting::ALL {
            let found = determinant_by(pivoting, &hilbert(order)).unwrap();
            let bound = 1e-17 * 30_f64.powi(order as i32);
            let error = error(found.value(), expected);
            assert!(
                error < bound.max(1e-15),
                "order {order}, {pivoting:?}: {error}"
            );
        }
    }
    for order in [15, 100, 300] {
        for pivoting in Pivoting::ALL {
            let found = determinant_by(pivoting, &hilbert(order)).unwrap();
            assert!(found.is_singular_to_working_precision());
            assert_ne!(found.value(), ScaledFloat::ZERO);
        }
    }
    // Far outside the range of doubles, like the thesis's, and still with digits.
    let found = determinant(&hilbert(300)).unwrap();
    assert!((-5500.0..-4500.0).contains(&found.value().log10()));
    assert_eq!(found.to_f64(), 0.0);
    assert_eq!(found.factors().len(), 300);
}

#[test]
fn determinants_far_out_of_range() {
    for (entry, order) in [
        (1e300, 700),
        (1e-300, 700),
        (f64::MAX, 50),
        (f64::from_bits(1), 50),
    ] {
        let matrix = DenseMatrix::from_fn(order, order, |i, j| if i == j { entry } else { 0.0 });
        let expected: ScaledFloat = vec![ScaledFloat::from_f64(entry); order]
            .into_iter()
            .product();
        for pivoting in Pivoting::ALL {
            let found = determinant_by(pivoting, &matrix).unwrap();
            assert!(error(found.value(), expected) < 1e-12, "{entry}");
            assert_eq!(found.to_f64(), expected.to_f64());
        }
    }
    // Entries from end to end of the range, and a determinant in its middle.
    let mixed = DenseMatrix::new(2, 2, vec![1e300, 1e-300, 1e300, 0.0]).unwrap();
    let dense = DenseMatrix::new(2, 2, vec![f64::MAX, f64::MAX, -f64::MAX, f64::MAX]).unwrap();
    for pivoting in Pivoting::ALL {
        let found = determinant_by(pivoting, &mixed).unwrap();
        assert!((found.to_f64() + 1.0).abs() < 1e-15);
        let found = determinant_by(pivoting, &dense).unwrap();
        assert_eq!(
            found.value(),
            ScaledFloat::new(f64::MAX, 1) * ScaledFloat::from_f64(f64::MAX)
        );
    }
}

/// The matrix on which partial pivoting doubles an entry a step: it grows out of the range of doubles.
#[test]
fn growth_out_of_range() {
    let order = 1500;
    let matrix = DenseMatrix::from_fn(order, order, |i, j| {
        if i == order - 1 || i == j {
            1.0
        } else if i < j {
            -1.0
        } else {
            0.0
        }
    });
    let found = determinant(&matrix).unwrap();
    assert_eq!(found.value(), ScaledFloat::new(1.0, order as i64 - 1));
    assert_eq!(found.to_f64(), f64::INFINITY);
}

#[test]
fn entries_that_are_no_numbers_are_named() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut matrix = hilbert(4);
        matrix[(2, 3)] = value;
        let Err(MatrixError::NotFinite {
            row: 2, column: 3, ..
        }) = determinant(&matrix)
        else {
            panic!("{value} is refused");
        };
    }
    let wide = DenseMatrix::from_fn(1, 2, |_, _| 0.0);
    let refused = MatrixError::NotSquare {
        rows: 1,
        columns: 2,
    };
    assert_eq!(determinant(&wide), Err(refused));
}

#[test]
fn results_do_not_depend_on_threads() {
    let mut random = Random::new(1);
    let matrix = DenseMatrix::from_fn(400, 400, |_, _| random.word() as i64 as f64);
    for pivoting in Pivoting::ALL {
        let [one, two, five] = [1, 2, 5]
            .map(|threads| on_threads(threads, || determinant_by(pivoting, &matrix).unwrap()));
        assert_eq!(one, two);
        assert_eq!(one, five);
    }
}

proptest! {
    #[test]
    fn transposes_and_products(order in 1_usize..12, seed: u64) {
        let mut random = Random::new(seed);
        let mut matrix = || DenseMatrix::from_fn(order, order, |i, j| {
            let noise = random.word() as i64 as f64 / 2f64.powi(63);
            if i == j { noise + order as f64 } else { noise }
        });
        let (a, b) = (matrix(), matrix());
        let product = DenseMatrix::from_fn(order, order, |i, j| {
            (0..order).map(|k| a[(i, k)] * b[(k, j)]).sum::<f64>()
        });
        for pivoting in Pivoting::ALL {
            let det = |matrix: &DenseMatrix<f64>| determinant_by(pivoting, matrix).unwrap().value();
            prop_assert!(error(det(&a), det(&a.transposed())) < 1e-10);
            prop_assert!(error(det(&product), det(&a) * det(&b)) < 1e-10);
        }
    }
}
