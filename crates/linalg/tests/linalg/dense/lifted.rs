//! Solutions by lifting.

use sunzi_integer::Integer;
use sunzi_linalg::DenseMatrix;
use sunzi_linalg::internals::lifted::{Sizes, solve};

/// S·N = d·C for halves and thirds, of which every other combination is an integer.
#[test]
fn denominators_that_combinations_do_not_show() {
    let n = 4;
    for diagonal in [2, 3, 6] {
        let matrix = DenseMatrix::from_fn(n, n, |i, j| match i == j {
            true => Integer::from(diagonal),
            false => Integer::ZERO,
        });
        let mut fallbacks = 0;
        for mask in 0..16u32 {
            for columns in [1, 2] {
                let right = DenseMatrix::from_fn(n, columns, |i, j| {
                    Integer::from(mask.rotate_right((i + 3 * j) as u32) & 1)
                });
                let sizes = Sizes::new(&matrix, &right).unwrap();
                let (numerators, d) = solve(&matrix, &right, &sizes).unwrap().unwrap();
                let d = Integer::from(d);
                for (x, c) in numerators.entries().iter().zip(right.entries()) {
                    assert_eq!(x * Integer::from(diagonal), c * &d);
                }
                fallbacks += usize::from(d == Integer::from(diagonal).pow(n));
            }
        }
        assert!(fallbacks > 0 && fallbacks < 32, "{fallbacks} of {diagonal}");
    }
}

#[test]
fn singular_matrices_are_not_waited_for() {
    let zero = DenseMatrix::from_fn(2, 2, |_, j| Integer::from(j));
    assert!(Sizes::new(&zero, &zero).is_none());
}
