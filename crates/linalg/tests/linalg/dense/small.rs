//! Determinants of small orders modulo a word, compared with those over the integers of GMP.

use crate::common::oracle::by_gmp;
use sunzi_field::{Fp32, Fp64};
use sunzi_integer::Integer;
use sunzi_linalg::DenseMatrix;
use sunzi_linalg::dense::{Decomposition, determinant};
use sunzi_testkit::Random;

/// Families of matrices of residues, the hidden edges first.
fn families(order: usize, prime: u64, random: &mut Random) -> Vec<DenseMatrix<u64>> {
    let general = random.residues(order * order, prime);
    let general = DenseMatrix::new(order, order, general).unwrap();
    let mut matrices = vec![
        DenseMatrix::from_fn(order, order, |_, _| prime - 1),
        DenseMatrix::from_fn(order, order, |i, j| if i == j { 0 } else { prime - 1 }),
        DenseMatrix::from_fn(order, order, |i, j| u64::from(i + j + 1 == order)),
        DenseMatrix::from_fn(order, order, |i, j| {
            if i <= j {
                prime - 1 - (i + j) as u64 % 2
            } else {
                0
            }
        }),
        DenseMatrix::from_fn(order, order, |i, j| (i * order + j) as u64 % prime),
    ];
    if order > 0 {
        let mut zero = general.clone();
        zero[(0, 0)] = 0;
        let mut twice = general.clone();
        twice.row_mut(order - 1).copy_from_slice(general.row(0));
        let mut empty = general.clone();
        empty.row_mut(order / 2).fill(0);
        matrices.extend([zero, twice.transposed(), twice, empty.transposed(), empty]);
    }
    matrices.push(general);
    matrices
}

#[test]
fn determinants_modulo_words() {
    let mut random = Random::new(41);
    for prime in [
        3,
        7,
        65_521,
        2_147_483_629,
        (1 << 31) - 1,
        (1 << 60) - (1 << 18) + 1,
        (1 << 61) - 1,
    ] {
        // Elimination row by row, then in panels.
        for order in [0, 1, 2, 3, 4, 5, 9, 16, 17, 23, 24, 25] {
            for matrix in families(order, prime, &mut random) {
                let over_integers = by_gmp(&matrix.map(|&entry| Integer::from(entry)));
                let expected = over_integers.rem_euclid(&Integer::from(prime));
                let field = Fp64::new(prime).unwrap();
                let found = determinant(&field, matrix.clone()).unwrap();
                assert_eq!(found, expected, "{matrix:?} mod {prime}");
                let by_panels = Decomposition::new(&field, matrix.clone());
                assert_eq!(found, by_panels.determinant().unwrap());
                if let Ok(Ok(field)) = u32::try_from(prime).map(Fp32::new) {
                    let found = determinant(&field, matrix.map(|&entry| entry as u32)).unwrap();
                    assert_eq!(found, expected, "{matrix:?} mod {prime}");
                }
            }
        }
    }
}
