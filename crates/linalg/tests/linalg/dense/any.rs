//! Matrices over a field found at run time.

use sunzi_field::{AnyField, Field, Fp32, Fp64};
use sunzi_integer::Integer;
use sunzi_linalg::dense::{AnyDenseMatrix, Decomposition, condensation, determinant, product};
use sunzi_linalg::{DenseMatrix, MatrixError};
use sunzi_testkit::WidePrime;

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
            field.push_integer(&Integer::from(entry), &mut words);
        }
        let mut expected = Vec::new();
        field.push_integer(&Integer::from(DETERMINANT), &mut expected);
        let matrix = AnyDenseMatrix::new(&field, 3, 3, words.clone()).unwrap();
        assert_eq!(matrix.condensed_determinant().unwrap(), expected);
        let copy = matrix.clone();
        assert_eq!(copy.determinant().unwrap(), expected);
        assert_eq!(*matrix.words(), words);
        assert_eq!(matrix.determinant().unwrap(), expected);
        let long = AnyDenseMatrix::new(&field, 1, 9, words).unwrap();
        let (rows, columns) = (1, 9);
        let refused = Err(MatrixError::NotSquare { rows, columns });
        assert_eq!(long.condensed_determinant(), refused);
        assert_eq!(long.determinant(), refused);
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let field = AnyField::modulo_word(101).unwrap();
    let outside = AnyDenseMatrix::new(&field, 1, 2, vec![0, 101]).unwrap_err();
    assert_eq!(outside, MatrixError::EntryOutside { index: 1 });
    let shape = AnyDenseMatrix::new(&field, 2, 2, vec![0]).unwrap_err();
    assert!(matches!(shape, MatrixError::Count { entries: 1, .. }));
    let wide = AnyField::generalized_fermat(10, 2).unwrap();
    let half = AnyDenseMatrix::new(&wide, 1, 1, vec![1, 2, 3]).unwrap_err();
    assert_eq!(half, MatrixError::EntryOutside { index: 1 });
    let matrix = DenseMatrix::new(1, 1, vec![1u64]).unwrap();
    let other = AnyDenseMatrix::over::<Fp64>(&field, matrix).unwrap_err();
    assert_eq!(other, MatrixError::OtherField);
    let matrix = AnyDenseMatrix::new(&field, 1, 2, vec![7, 8]).unwrap();
    assert_eq!(matrix.field(), &field);
    let elements = matrix.elements::<Fp32>().unwrap();
    assert_eq!(elements.entries(), [7, 8]);
    let other = matrix.elements::<Fp64>().unwrap_err();
    assert_eq!(other, MatrixError::OtherField);
}

#[test]
fn a_field_without_kernels_of_its_own() {
    let entries = ENTRIES.map(|entry| WidePrime.from_i64(entry)).to_vec();
    let matrix = DenseMatrix::new(3, 3, entries).unwrap();
    let expected = WidePrime.from_i64(DETERMINANT);
    assert_eq!(determinant(&WidePrime, matrix.clone()), Ok(expected));
    assert_eq!(condensation::determinant(&WidePrime, &matrix), Ok(expected));
    let decomposition = Decomposition::new(&WidePrime, matrix.clone());
    let inverse = decomposition.inverse().unwrap();
    let one = product(&WidePrime, &matrix, &inverse).unwrap();
    for (at, &entry) in one.entries().iter().enumerate() {
        assert_eq!(entry, WidePrime.from_u64(u64::from(at % 4 == 0)));
    }
}
