//! Sparse products over fields known at run time, against those over types.

use sunzi_field::{AnyField, Rows, with_field};
use sunzi_integer::Integer;
use sunzi_sparse::{
    AnySparseMatrix, CsrMatrix, SparseError,
    matrix_market::{self, ResidueRows},
};
use sunzi_testkit::{Random, on_threads};

/// Word primes, and one r^k + 1 for every number of digits.
fn fields() -> Vec<AnyField> {
    let words = [
        3,
        469_762_049,
        (1 << 31) + 11,
        (1 << 60) - (1 << 18) + 1,
        u64::MAX - 58,
    ];
    let mut fields: Vec<_> = words
        .map(|prime| AnyField::modulo_word(prime).unwrap())
        .into();
    let radices = [
        (10, 2),
        (4, 4),
        (2, 8),
        (2, 16),
        (30, 32),
        (102, 64),
        (120, 128),
        (278, 256),
    ];
    for (radix, digits) in radices {
        fields.push(AnyField::generalized_fermat(radix, digits).unwrap());
    }
    fields
}

/// Rows of 0, −1 and others.
fn random_rows(field: &AnyField, count: usize, random: &mut Random) -> Vec<u64> {
    let mut rows = Vec::new();
    for _ in 0..count {
        let value = match random.below(4) {
            0 => Integer::ZERO,
            1 => Integer::MINUS_ONE,
            _ => Integer::from(random.word()).pow(20),
        };
        field.push_integer(&value, &mut rows);
    }
    rows
}

/// The sums of products, in the field's own elements.
fn expected<F: Rows>(field: &F, indices: &CsrMatrix<u32>, rows: &[u64], x: &[u64]) -> Vec<u64> {
    let values = F::from_rows(rows.to_vec());
    let matrix = indices.map(|&index| values[index as usize]);
    let x = F::from_rows(x.to_vec());
    let mut y = vec![field.zero(); matrix.rows()];
    for (i, j, value) in matrix.iter() {
        y[i as usize] = field.add(y[i as usize], field.mul(value, x[j as usize]));
    }
    F::into_rows(y)
}

#[test]
fn products_are_those_of_elements() {
    let mut random = Random::new(5);
    let fields = fields();
    // Rows without entries are in all but the second.
    for (rows, columns, entries) in [(0, 0, 0), (1, 1, 1), (4, 3, 0), (0, 3, 0), (40, 30, 100)] {
        let triplets: Vec<(u32, u32, u32)> = (0..entries)
            .map(|_| {
                let row = random.below((rows as u64).div_ceil(2)) as u32;
                (
                    row,
                    random.below(columns as u64) as u32,
                    random.below(50) as u32,
                )
            })
            .collect();
        // One index of two: several entries name a row, and many rows are not named.
        let matrix = CsrMatrix::from_triplets_with(rows, columns, &triplets, |a, _| a).unwrap();
        for field in &fields {
            let values = random_rows(field, 50, &mut random);
            for matrix in [matrix.clone(), matrix.transposed()] {
                let x = random_rows(field, matrix.columns(), &mut random);
                let any = AnySparseMatrix::new(field, matrix.clone(), values.clone()).unwrap();
                let expected = with_field!(field, field => expected(field, &matrix, &values, &x));
                for threads in [1, 2, 3, 7] {
                    let found = on_threads(threads, || any.mul_vector(&x).unwrap());
                    assert_eq!(found, expected, "{field:?}");
                }
            }
        }
    }
}

#[test]
fn files_are_read_as_rows() {
    let entries = "3 3 7\n1 1 -1\n2 1 7e3\n2 1 123456789012345678901234567890\n3 2 0\n3 1 4.0\n2 1 5\n2 1 -6\n";
    let fields = fields();
    for symmetry in ["general", "symmetric", "skew-symmetric"] {
        let entries = match symmetry {
            "skew-symmetric" => entries.replace("1 1 -1", "3 2 -1"),
            _ => entries.to_owned(),
        };
        let file = format!("%%MatrixMarket matrix coordinate real {symmetry}\n{entries}");
        for field in &fields {
            fn typed<F: Rows>(field: &F, file: &str) -> (Vec<u32>, Vec<u64>) {
                let values = matrix_market::Residues(field);
                let matrix = matrix_market::read(file.as_bytes(), &values).unwrap();
                let places = matrix.column_indices().to_vec();
                (places, F::rows(matrix.values()).into_owned())
            }
            let values = ResidueRows::new(field);
            let matrix = matrix_market::read(file.as_bytes(), &values).unwrap();
            let rows = values.into_rows();
            let width = field.width();
            let row = |&index: &u32| rows[index as usize * width..][..width].to_vec();
            let found: Vec<u64> = matrix.values().iter().flat_map(row).collect();
            let (places, expected) = with_field!(field, field => typed(field, &file));
            assert_eq!((matrix.column_indices(), found), (&places[..], expected));
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let field = AnyField::generalized_fermat(10, 2).unwrap();
    let matrix = |index| CsrMatrix::new(1, 2, vec![0, 1], vec![1], vec![index]).unwrap();
    let outside = |of, index| SparseError::EntryOutside { of, index };
    let new = |index, rows: &[u64]| AnySparseMatrix::new(&field, matrix(index), rows.to_vec());
    assert_eq!(new(1, &[0, 1, 2]).unwrap_err(), outside("matrix", 0));
    assert_eq!(new(u32::MAX, &[]).unwrap_err(), outside("matrix", 0));
    assert_eq!(new(0, &[10, 10]).unwrap_err(), outside("matrix", 0));
    let good = new(0, &[3, 1]).unwrap();
    assert_eq!(good.mul_vector(&[9, 9, 2, 0]).unwrap(), [6, 2]);
    assert_eq!(
        good.mul_vector(&[0, 0, 11, 0]).unwrap_err(),
        outside("vector", 1)
    );
    assert_eq!(
        good.mul_vector(&[0, 0, 0]).unwrap_err(),
        outside("vector", 1)
    );
    let short = good.mul_vector(&[0, 0]).unwrap_err();
    assert!(matches!(short, SparseError::Length { .. }));
}
