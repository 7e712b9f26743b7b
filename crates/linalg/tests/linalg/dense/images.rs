//! Determinants over the integers from parts.

use crate::common::oracle::by_gmp;
use sunzi_integer::Integer;
use sunzi_linalg::MatrixError;
use sunzi_linalg::dense::{DenseMatrix, DeterminantImages};
use sunzi_rns::images::{Images, PartsError};
use sunzi_testkit::{Random, on_threads};

#[test]
fn parts_give_the_determinant() {
    let mut random = Random::new(11);
    for order in [0, 1, 2, 7, 24, 40] {
        let matrix = DenseMatrix::from_fn(order, order, |_, _| {
            let entry = (Integer::from(random.word()) << 20) + random.word();
            if random.word().is_multiple_of(2) {
                -entry
            } else {
                entry
            }
        });
        let job = DeterminantImages::new(&matrix).unwrap();
        let expected = by_gmp(&matrix);
        let needed = job.needed();
        for cut in [0, 1, needed / 2, needed.saturating_sub(1), needed] {
            on_threads(3, || {
                // More than are needed do no harm.
                let parts = [
                    job.compute(cut..needed + 2).unwrap(),
                    job.compute(0..cut).unwrap(),
                ];
                assert_eq!(
                    job.combine(&parts).as_ref(),
                    Ok(&expected),
                    "{order}, {cut}"
                );
            });
        }
        let missing = PartsError::Missing { numbers: 0..needed };
        assert_eq!(job.combine(&[]), Err(missing));
        let mut other = matrix.clone();
        if order > 0 {
            other[(0, 0)] += 1;
            let other = DeterminantImages::new(&other).unwrap();
            let part = other.compute(0..needed).unwrap();
            assert_eq!(job.combine(&[part]), Err(PartsError::OtherJob { first: 0 }));
        }
    }
}

#[test]
fn a_row_of_zeros_needs_no_images() {
    let matrix = DenseMatrix::from_fn(3, 3, |i, _| Integer::from(i));
    let job = DeterminantImages::new(&matrix).unwrap();
    assert_eq!((job.needed(), job.combine(&[])), (0, Ok(Integer::ZERO)));
    assert!(DeterminantImages::new(&DenseMatrix::from_fn(2, 3, |_, _| Integer::ONE)).is_err());
    // More than there are.
    let most = job.compute(0..u64::MAX);
    let none = MatrixError::NoSuchImage {
        number: u64::MAX - 1,
        count: 50_697_537,
    };
    assert_eq!(most, Err(none));
}
