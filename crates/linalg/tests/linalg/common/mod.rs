//! What the tests of determinants share: matrices with known determinants, and independent oracles.

// Each test file is a program of its own and uses a part of this.
#![allow(dead_code)]

pub mod closed_forms;
pub mod families;
pub mod oracle;

use sunzi_field::Field;
use sunzi_integer::Integer;
use sunzi_linalg::DenseMatrix;
use sunzi_testkit::Random;

/// The image of an integer matrix over a field.
pub fn image<F: Field>(field: &F, matrix: &DenseMatrix<Integer>) -> DenseMatrix<F::Elem> {
    matrix.map(|entry| field.from_integer(entry))
}

/// A matrix of residues, edges among them.
pub fn random_residues<F: Field>(
    field: &F,
    order: usize,
    random: &mut Random,
) -> DenseMatrix<F::Elem> {
    let words = random.residues(order * order, u64::MAX);
    let entry = |i: usize, j: usize| field.from_u64(words[i * order + j]);
    DenseMatrix::from_fn(order, order, entry)
}

/// A matrix of integers from −`bound` to `bound`.
pub fn random_integers(order: usize, bound: u64, random: &mut Random) -> DenseMatrix<Integer> {
    DenseMatrix::from_fn(order, order, |_, _| {
        Integer::from(random.below(2 * bound + 1)) - Integer::from(bound)
    })
}

/// The product of two square matrices of one order.
pub fn product(a: &DenseMatrix<Integer>, b: &DenseMatrix<Integer>) -> DenseMatrix<Integer> {
    let n = a.order().unwrap();
    assert_eq!(b.order(), Ok(n));
    DenseMatrix::from_fn(n, n, |i, j| (0..n).map(|k| &a[(i, k)] * &b[(k, j)]).sum())
}

/// The matrix with rows `i` and `j` exchanged.
pub fn rows_exchanged<E: Clone>(matrix: &DenseMatrix<E>, i: usize, j: usize) -> DenseMatrix<E> {
    DenseMatrix::from_fn(matrix.rows(), matrix.columns(), |row, column| {
        let from = if row == i {
            j
        } else if row == j {
            i
        } else {
            row
        };
        matrix[(from, column)].clone()
    })
}
