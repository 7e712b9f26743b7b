//! Dense matrices.

use sunzi_linalg::DenseMatrix;

#[test]
fn transposed_in_place_and_by_copies_is_the_same() {
    for (rows, columns) in [
        (0, 0),
        (0, 3),
        (3, 0),
        (1, 1),
        (1, 4),
        (4, 1),
        (3, 5),
        (6, 6),
    ] {
        let matrix = DenseMatrix::from_fn(rows, columns, |i, j| (i, j));
        let transposed = matrix.transposed();
        assert_eq!((transposed.rows(), transposed.columns()), (columns, rows));
        assert_eq!(matrix.into_transposed(), transposed);
    }
}
