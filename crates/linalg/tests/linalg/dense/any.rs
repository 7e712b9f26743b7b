//! Matrices over a field found at run time.

use sunzi_field::{AnyField, Fp32, Fp64};
use sunzi_linalg::DenseMatrix;
use sunzi_linalg::dense::{AnyDenseMatrix, AnyMatrixError};

/// Fields of all kinds.
pub fn fields() -> Vec<AnyField> {
    let mut fields: Vec<_> = [3, 101, (1 << 31) + 11, u64::MAX - 58]
        .map(|prime| AnyField::modulo_word(prime).unwrap())
        .into();
    fields.push(AnyField::generalized_fermat(10, 2).unwrap());
    let radix = (1 << 59) + (1 << 58) + (1 << 11);
    fields.push(AnyField::generalized_fermat(radix, 4).unwrap()); // P4
    fields
}

/// A matrix of small integers, and its determinant.
const ENTRIES: [i64; 9] = [2, -1, 3, 0, 5, -7, 4, 1, 1];
const DETERMINANT: i64 = 2 * 12 + 28 - 3 * 20;

#[test]
fn determinants_are_images_of_those_of_integers() {
    for field in fields() {
        let mut words = Vec::new();
        for entry in ENTRIES {
            field.push_integer(&entry.into(), &mut words);
        }
        let mut expected = Vec::new();
        field.push_integer(&DETERMINANT.into(), &mut expected);
        let matrix = AnyDenseMatrix::new(&field, 3, 3, words.clone()).unwrap();
        assert_eq!(matrix.condensed_determinant().unwrap(), expected);
        let copy = matrix.clone();
        assert_eq!(copy.determinant().unwrap(), expected);
        assert_eq!(*matrix.words(), words);
        assert_eq!(matrix.determinant().unwrap(), expected);
        let long = AnyDenseMatrix::new(&field, 1, 9, words).unwrap();
        assert!(matches!(
            long.condensed_determinant(),
            Err(AnyMatrixError::Shape(_))
        ));
        assert!(matches!(long.determinant(), Err(AnyMatrixError::Shape(_))));
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let field = AnyField::modulo_word(101).unwrap();
    let outside = AnyDenseMatrix::new(&field, 1, 2, vec![0, 101]).unwrap_err();
    assert_eq!(outside, AnyMatrixError::EntryOutside { index: 1 });
    let shape = AnyDenseMatrix::new(&field, 2, 2, vec![0]).unwrap_err();
    assert!(matches!(shape, AnyMatrixError::Shape(_)));
    let wide = AnyField::generalized_fermat(10, 2).unwrap();
    let half = AnyDenseMatrix::new(&wide, 1, 1, vec![1, 2, 3]).unwrap_err();
    assert_eq!(half, AnyMatrixError::EntryOutside { index: 1 });
    let matrix = DenseMatrix::new(1, 1, vec![1u64]).unwrap();
    let other = AnyDenseMatrix::over::<Fp64>(&field, matrix).unwrap_err();
    assert_eq!(other, AnyMatrixError::OtherField);
    let matrix = AnyDenseMatrix::new(&field, 1, 2, vec![7, 8]).unwrap();
    assert_eq!(matrix.field(), &field);
    let elements = matrix.elements::<Fp32>().unwrap();
    assert_eq!(elements.entries(), [7, 8]);
    let other = matrix.elements::<Fp64>().unwrap_err();
    assert_eq!(other, AnyMatrixError::OtherField);
}
