//! Determinants by ways that share nothing with the crate's own.

use rug::Integer as GmpInteger;
use sunzi_integer::{Integer, Rational};
use sunzi_linalg::DenseMatrix;
use sunzi_testkit::{from_gmp, to_gmp};

/// The determinant by fraction-free elimination on GMP's integers (Bareiss, 1968).
pub fn by_gmp(matrix: &DenseMatrix<Integer>) -> Integer {
    let n = matrix.order().unwrap();
    let mut rows: Vec<Vec<GmpInteger>> = (0..n)
        .map(|i| matrix.row(i).iter().map(to_gmp).collect())
        .collect();
    let mut previous = GmpInteger::from(1);
    let mut negative = false;
    for k in 0..n {
        let Some(pivot) = (k..n).find(|&i| rows[i][k] != 0) else {
            return Integer::ZERO;
        };
        if pivot != k {
            rows.swap(pivot, k);
            negative = !negative;
        }
        let (above, below) = rows.split_at_mut(k + 1);
        let top = &above[k];
        for row in below {
            for j in k + 1..n {
                let minor =
                    GmpInteger::from(&top[k] * &row[j]) - GmpInteger::from(&row[k] * &top[j]);
                row[j] = minor.div_exact(&previous);
            }
        }
        previous = rows[k][k].clone();
    }
    from_gmp(&if negative { -previous } else { previous })
}

/// The determinant as the sum over all permutations (Leibniz), for orders up to 8.
pub fn by_definition(matrix: &DenseMatrix<Integer>) -> Integer {
    let n = matrix.order().unwrap();
    assert!(n <= 8, "{n}! terms");
    let mut columns: Vec<usize> = (0..n).collect();
    let mut sum = Integer::ZERO;
    add_permutations(matrix, &mut columns, 0, Integer::ONE, &mut sum);
    sum
}

/// Adds the terms of all permutations that begin with `columns[..row]`, whose signed product is `term`.
fn add_permutations(
    matrix: &DenseMatrix<Integer>,
    columns: &mut [usize],
    row: usize,
    term: Integer,
    sum: &mut Integer,
) {
    if row == columns.len() {
        *sum += term;
        return;
    }
    for choice in row..columns.len() {
        columns.swap(row, choice);
        let factor = &term * &matrix[(row, columns[row])];
        let signed = if choice == row { factor } else { -factor };
        add_permutations(matrix, columns, row + 1, signed, sum);
        columns.swap(row, choice);
    }
}

/// The reduced row echelon form by Gauss and Jordan's elimination of fractions, and the columns of its pivots.
pub fn rational_form(matrix: &DenseMatrix<Rational>) -> (DenseMatrix<Rational>, Vec<usize>) {
    let (mut form, mut pivots) = (matrix.clone(), Vec::new());
    for column in 0..form.columns() {
        let rank = pivots.len();
        let Some(found) = (rank..form.rows()).find(|&i| !form[(i, column)].is_zero()) else {
            continue;
        };
        let pivot = form[(found, column)].clone();
        for j in 0..form.columns() {
            let entry = &form[(found, j)] / &pivot;
            form[(found, j)] = form[(rank, j)].clone();
            form[(rank, j)] = entry;
        }
        for i in (0..form.rows()).filter(|&i| i != rank) {
            let factor = form[(i, column)].clone();
            for j in 0..form.columns() {
                let product = &factor * &form[(rank, j)];
                form[(i, j)] -= product;
            }
        }
        pivots.push(column);
    }
    (form, pivots)
}

/// The product by its definition.
pub fn rational_product(
    a: &DenseMatrix<Rational>,
    b: &DenseMatrix<Rational>,
) -> DenseMatrix<Rational> {
    DenseMatrix::from_fn(a.rows(), b.columns(), |i, j| {
        (0..a.columns())
            .map(|k| &a[(i, k)] * &b[(k, j)])
            .fold(Rational::ZERO, |sum, x| sum + x)
    })
}
