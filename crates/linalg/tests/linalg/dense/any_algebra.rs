//! Linear algebra over a field found at run time.

use super::any::fields;
use sunzi_field::AnyField;
use sunzi_integer::Integer;
use sunzi_linalg::MatrixError;
use sunzi_linalg::dense::AnyDenseMatrix;

fn matrix(field: &AnyField, rows: usize, columns: usize, entries: &[i64]) -> AnyDenseMatrix {
    let mut words = Vec::new();
    for &entry in entries {
        field.push_integer(&Integer::from(entry), &mut words);
    }
    AnyDenseMatrix::new(field, rows, columns, words).unwrap()
}

#[test]
fn every_field() {
    for field in fields() {
        let wide = || matrix(&field, 2, 3, &[1, 2, 3, 2, 4, 7]);
        let words = |matrix: &AnyDenseMatrix| matrix.words().into_owned();
        let is = |found: &AnyDenseMatrix, expected: AnyDenseMatrix| {
            assert_eq!(found.shape(), expected.shape());
            assert_eq!(words(found), words(&expected));
        };
        assert_eq!(wide().shape(), (2, 3));
        assert_eq!(wide().rank(), Ok(2));
        let form = wide().reduced_row_echelon_form().unwrap();
        is(&form.matrix, matrix(&field, 2, 3, &[1, 2, 0, 0, 0, 1]));
        let basis = wide().nullspace().unwrap();
        assert_eq!(basis.rank, 2);
        is(&basis.matrix, matrix(&field, 3, 1, &[-2, 1, 0]));
        let zeros = wide().product(&basis.matrix).unwrap();
        is(&zeros, matrix(&field, 2, 1, &[0, 0]));
        let square = || matrix(&field, 2, 2, &[1, 1, 1, 2]);
        let inverse = square().inverse().unwrap();
        is(&inverse.matrix, matrix(&field, 2, 2, &[2, -1, -1, 1]));
        let solution = square().solve_any(&matrix(&field, 2, 1, &[3, 5])).unwrap();
        is(&solution.matrix, matrix(&field, 2, 1, &[1, 2]));
        let singular = matrix(&field, 2, 2, &[1, 1, 1, 1]).inverse().unwrap_err();
        assert_eq!(singular, MatrixError::Singular { rank: 1, order: 2 });
        let shapes = wide().product(&wide()).unwrap_err();
        assert!(matches!(shapes, MatrixError::Inner { .. }));
    }
    let one = |prime| matrix(&AnyField::modulo_word(prime).unwrap(), 1, 1, &[1]);
    assert_eq!(
        one(3).product(&one(5)).unwrap_err(),
        MatrixError::OtherField
    );
    assert_eq!(
        one(3).solve_any(&one(5)).unwrap_err(),
        MatrixError::OtherField
    );
}
