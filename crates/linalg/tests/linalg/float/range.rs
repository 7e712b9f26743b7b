//! Determinants of doubles whose exponents are far apart, against exact rationals.

use sunzi_integer::{Integer, Natural, Rational};
use sunzi_linalg::DenseMatrix;
use sunzi_linalg::float::{Pivoting, determinant_by, product};
use sunzi_testkit::Random;

fn exact(value: f64) -> Rational {
    Rational::from_f64(value).expect("a finite number")
}

/// 2^`exponent`.
fn power(exponent: i64) -> Rational {
    let power = Integer::from(Natural::ONE << exponent.unsigned_abs() as usize);
    if exponent < 0 {
        Rational::ONE / Rational::from(power)
    } else {
        Rational::from(power)
    }
}

/// Whether the determinant is right to `bits` bits, with both choices of pivots, or said to be singular; the number
/// of those that are right.
fn agreeing(matrix: &DenseMatrix<f64>, bits: i64) -> usize {
    let expected = matrix.map(|&entry| exact(entry)).determinant().unwrap();
    let mut right = 0;
    for pivoting in Pivoting::ALL {
        let found = determinant_by(pivoting, matrix).unwrap();
        let value = exact(found.value().mantissa()) * power(found.value().exponent());
        let error = (&value - &expected) * power(bits);
        let bound = expected.clone();
        let is_right = &error * &error <= &bound * &bound;
        assert!(
            is_right || found.is_singular_to_working_precision(),
            "{matrix:?}, {pivoting:?}: {:?}",
            found.value()
        );
        right += usize::from(is_right);
        let again = product(found.factors());
        assert!(
            again == found.value().to_f64() || (again / found.value().to_f64() - 1.0).abs() < 1e-14
        );
    }
    right
}

#[test]
fn small_entries_that_make_up_the_determinant() {
    for (large, small) in [
        (1e160, 1e-160),
        (1e300, 1e-300),
        (f64::MAX, f64::from_bits(1)),
    ] {
        for entries in [
            [large, large, small, 0.0],
            [large, small, large, 0.0],
            [0.0, small, large, large],
            [small, large, 0.0, large],
            [small, large, small, -large],
        ] {
            let matrix = DenseMatrix::new(2, 2, entries.to_vec()).unwrap();
            assert_eq!(agreeing(&matrix, 50), 2);
            assert!(
                !determinant_by(Pivoting::Largest, &matrix)
                    .unwrap()
                    .is_singular_to_working_precision()
            );
        }
    }
    // Neither the largest entries of rows nor those of columns tell how to scale this one.
    let b = 1e300;
    let entries = vec![b, b, b, b, 1.0 / b, 0.1 / b, b, 0.01 / b, 1.0 / b];
    assert_eq!(agreeing(&DenseMatrix::new(3, 3, entries).unwrap(), 45), 2);
    let zero = DenseMatrix::new(3, 3, vec![b, b, b, b, 0.0, 0.0, b, 0.0, 0.0]).unwrap();
    assert_eq!(agreeing(&zero, 50), 2);
}

#[test]
fn random_exponents() {
    let mut random = Random::new(3);
    let (mut right, mut tried) = (0, 0);
    for range in [300, 700, 1000] {
        for _ in 0..300 {
            for order in 1..=4 {
                let matrix = DenseMatrix::from_fn(order, order, |_, _| {
                    let exponent = random.word() % (2 * range + 1);
                    let mantissa = random.word() as i64 as f64 / 2f64.powi(63);
                    if random.word().is_multiple_of(6) {
                        0.0
                    } else {
                        mantissa * 2f64.powi(exponent as i32 - range as i32)
                    }
                });
                right += agreeing(&matrix, 40);
                tried += 2;
            }
        }
    }
    assert!(right * 100 > tried * 98, "{right} of {tried}");
}
