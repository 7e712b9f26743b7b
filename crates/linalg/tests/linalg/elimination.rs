//! Elimination modulo primes, against known determinants and the definitions of rank and inverse.

use crate::common;
use crate::common::closed_forms::{Case, cases};
use crate::common::{image, random_residues};
use proptest::prelude::*;
use sunzi_field::{Field, Fp32, Fp64, GeneralizedFermat};
use sunzi_linalg::dense::{Decomposition, MatrixField, determinant};
use sunzi_linalg::{DenseMatrix, MatrixError};
use sunzi_testkit::{Random, on_threads};

const SMALL_PRIMES: [u32; 5] = [3, 7, 65537, 469_762_049, 2_147_483_647];
const LARGE_PRIMES: [u64; 6] = [
    5,
    469_762_049,
    4_294_967_291,
    (1 << 60) - (1 << 18) + 1,
    (1 << 62) - 57,
    (1 << 63) - 25,
];

fn known_determinants<F: MatrixField>(field: &F, cases: &[Case]) {
    for case in cases {
        assert_eq!(
            determinant(field, image(field, &case.matrix)),
            Ok(field.from_integer(&case.determinant)),
            "{} modulo {}",
            case.name,
            field.modulus::<sunzi_integer::Natural>()
        );
    }
}

#[test]
fn known_determinants_modulo_words() {
    let cases = cases(129);
    for prime in SMALL_PRIMES {
        known_determinants(&Fp32::new(prime).unwrap(), &cases);
    }
    for prime in LARGE_PRIMES {
        known_determinants(&Fp64::new(prime).unwrap(), &cases);
    }
}

#[test]
fn known_determinants_modulo_big_primes() {
    let p8 = (1 << 59) + (1 << 57) + (1 << 39);
    known_determinants(&GeneralizedFermat::<8>::new(p8).unwrap(), &cases(40));
}

/// A·B by the definition.
fn product<F: Field>(
    field: &F,
    a: &DenseMatrix<F::Elem>,
    b: &DenseMatrix<F::Elem>,
) -> DenseMatrix<F::Elem> {
    DenseMatrix::from_fn(a.rows(), b.columns(), |i, j| {
        (0..a.columns()).fold(field.zero(), |sum, t| {
            field.add(sum, field.mul(a[(i, t)], b[(t, j)]))
        })
    })
}

/// A matrix of known rank: a product through `rank` columns, of unit triangles so that it has no less.
fn of_rank<F: Field>(
    field: &F,
    (rows, columns): (usize, usize),
    rank: usize,
    random: &mut Random,
) -> DenseMatrix<F::Elem> {
    let mut triangle = |rows: usize, columns: usize, lower: bool| {
        let words = random.residues(rows * columns, u64::MAX);
        DenseMatrix::from_fn(rows, columns, |i, j| match (i.cmp(&j), lower) {
            (std::cmp::Ordering::Equal, _) => field.one(),
            (std::cmp::Ordering::Greater, true) | (std::cmp::Ordering::Less, false) => {
                field.from_u64(words[i * columns + j])
            }
            _ => field.zero(),
        })
    };
    let (left, right) = (triangle(rows, rank, true), triangle(rank, columns, false));
    let matrix = product(field, &left, &right);
    // Rows and columns in another order, by a step that is prime to their number.
    let step = |n: usize| (2..).find(|&s| n < 2 || gcd(s, n) == 1).unwrap_or(1);
    let (row_step, column_step) = (step(rows), step(columns));
    DenseMatrix::from_fn(rows, columns, |i, j| {
        matrix[(i * row_step % rows, j * column_step % columns)]
    })
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[test]
fn ranks_and_pivot_columns() {
    let field = Fp32::new(469_762_049).unwrap();
    let mut random = Random::new(1);
    for (rows, columns) in [
        (1, 1),
        (1, 40),
        (40, 1),
        (17, 33),
        (33, 17),
        (64, 64),
        (70, 130),
        (131, 67),
    ] {
        let full = rows.min(columns);
        for rank in [0, 1, 2, full / 2, full - 1, full] {
            let rank = rank.min(full);
            let matrix = of_rank(&field, (rows, columns), rank, &mut random);
            let decomposition = Decomposition::new(&field, matrix.clone());
            assert_eq!(decomposition.rank(), rank, "{rows} by {columns}");
            let pivots = decomposition.pivot_columns();
            assert_eq!(
                pivots,
                naive_pivots(&field, &matrix),
                "{rows} by {columns}, rank {rank}"
            );
        }
    }
}

/// The columns that are independent of those before them, by plain elimination.
fn naive_pivots<F: Field>(field: &F, matrix: &DenseMatrix<F::Elem>) -> Vec<usize> {
    let mut rows: Vec<Vec<F::Elem>> = (0..matrix.rows()).map(|i| matrix.row(i).to_vec()).collect();
    let mut pivots = Vec::new();
    for column in 0..matrix.columns() {
        let rank = pivots.len();
        let Some(found) = (rank..rows.len()).find(|&i| rows[i][column] != field.zero()) else {
            continue;
        };
        rows.swap(rank, found);
        pivots.push(column);
        let (above, below) = rows.split_at_mut(rank + 1);
        let pivot = &above[rank];
        let inverse = field.inv(pivot[column]).unwrap();
        for row in below {
            let factor = field.mul(row[column], inverse);
            for (entry, &above) in row.iter_mut().zip(pivot) {
                *entry = field.sub(*entry, field.mul(factor, above));
            }
        }
    }
    pivots
}

fn solutions<F: MatrixField>(field: &F, orders: &[usize]) {
    let mut random = Random::new(2);
    for &order in orders {
        let matrix = of_rank(field, (order, order), order, &mut random);
        let decomposition = Decomposition::new(field, matrix.clone());
        let inverse = decomposition.inverse().unwrap();
        let identity = product(field, &matrix, &inverse);
        for i in 0..order {
            for j in 0..order {
                let expected = if i == j { field.one() } else { field.zero() };
                assert_eq!(identity[(i, j)], expected, "order {order}");
            }
        }
        let solution = random_residues(field, order, &mut random);
        let right = product(field, &matrix, &solution);
        assert_eq!(decomposition.solve(&right), Ok(solution), "order {order}");
    }
}

#[test]
fn solutions_and_inverses() {
    let orders = [0, 1, 2, 15, 16, 17, 31, 33, 64, 100];
    solutions(&Fp32::new(2_147_483_647).unwrap(), &orders);
    solutions(&Fp64::new((1 << 60) - (1 << 18) + 1).unwrap(), &orders);
    solutions(&Fp64::new((1 << 63) - 25).unwrap(), &orders);
    let p8 = (1 << 59) + (1 << 57) + (1 << 39);
    solutions(&GeneralizedFermat::<8>::new(p8).unwrap(), &[0, 1, 17, 33]);
}

#[test]
fn what_has_no_answer() {
    let field = Fp32::new(7).unwrap();
    let wide = DenseMatrix::new(1, 2, vec![1, 2]).unwrap();
    let not_square = MatrixError::NotSquare {
        rows: 1,
        columns: 2,
    };
    assert_eq!(determinant(&field, wide.clone()), Err(not_square.clone()));
    let wide = Decomposition::new(&field, wide);
    assert_eq!(wide.determinant(), Err(not_square.clone()));
    assert_eq!(wide.inverse(), Err(not_square));
    let singular = DenseMatrix::new(2, 2, vec![1, 2, 3, 6]).unwrap();
    let singular = Decomposition::new(&field, singular);
    assert_eq!(singular.determinant(), Ok(0));
    assert_eq!(
        singular.inverse(),
        Err(MatrixError::Singular { rank: 1, order: 2 })
    );
    let right = DenseMatrix::new(1, 1, vec![1]).unwrap();
    assert_eq!(
        singular.solve(&right),
        Err(MatrixError::RightSide { rows: 2, right: 1 })
    );
}

#[test]
fn threads_do_not_matter() {
    let mut random = Random::new(3);
    let field = Fp64::new((1 << 60) - (1 << 18) + 1).unwrap();
    let matrix = random_residues(&field, 300, &mut random);
    let [one, three] = [1, 3].map(|threads| {
        on_threads(threads, || {
            Decomposition::new(&field, matrix.clone()).inverse()
        })
    });
    assert_eq!(one, three);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn laws(seed: u64, order in 0usize..70, prime in 0usize..SMALL_PRIMES.len()) {
        let field = Fp32::new(SMALL_PRIMES[prime]).unwrap();
        let mut random = Random::new(seed);
        let (a, b) = (random_residues(&field, order, &mut random), random_residues(&field, order, &mut random));
        let det = |matrix: &DenseMatrix<u32>| determinant(&field, matrix.clone()).unwrap();
        prop_assert_eq!(det(&product(&field, &a, &b)), field.mul(det(&a), det(&b)));
        prop_assert_eq!(det(&a.transposed()), det(&a));
        if order > 1 {
            prop_assert_eq!(det(&common::rows_exchanged(&a, 0, order - 1)), field.neg(det(&a)));
        }
    }
}
