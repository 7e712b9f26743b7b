//! Hadamard's bound.

use sunzi_integer::{Integer, Natural};
use sunzi_linalg::DenseMatrix;
use sunzi_linalg::internals::{Bound, log2_above};

#[test]
fn logarithms_are_above_and_near() {
    for bits in [0, 1, 20, 51, 52, 53, 64, 200, 5000] {
        let power = Natural::ONE << bits;
        let log = log2_above(&power);
        assert!(log >= bits as f64 && log < bits as f64 + 1e-9 * (1.0 + bits as f64));
        let below = log2_above(&(&power + &power - Natural::ONE));
        assert!(below <= bits as f64 + 1.0 + 1e-9 * (1.0 + bits as f64));
    }
    assert_eq!(
        Bound::of(&DenseMatrix::from_fn(2, 2, |i, _| Integer::from(i))),
        None
    );
}

#[test]
fn hadamard_matrices_reach_the_bound() {
    let matrix = DenseMatrix::from_fn(4, 4, |i, j: usize| {
        Integer::from(1 - 2 * (((i & j).count_ones() & 1) as i32))
    });
    let bound = Bound::of(&matrix).unwrap();
    assert!(
        (bound.bits - 5.0).abs() < 1e-6,
        "16 = 2^4, and a bit of slack"
    );
}
