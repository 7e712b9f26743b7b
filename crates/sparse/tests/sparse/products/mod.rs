//! Sparse products against dense ones, on several numbers of threads.

mod cuts;

use proptest::prelude::*;
use sunzi_field::{Field, Fp32, Fp64};
use sunzi_sparse::{CsrMatrix, ModularProduct, test_matrices::TestMatrix};
use sunzi_testkit::{Random, edge_residues, on_threads};

/// A line's product with the order of additions that the documentation promises.
fn promised(indices: &[u32], values: &[f64], x: &[f64]) -> f64 {
    let products: Vec<f64> = indices
        .iter()
        .zip(values)
        .map(|(&j, a)| a * x[j as usize])
        .collect();
    let whole = products.len() / 8 * 8;
    let mut sum = 0.0;
    if whole > 0 {
        let mut sums = [0.0; 8];
        for (k, product) in products[..whole].iter().enumerate() {
            sums[k % 8] += product;
        }
        let half = |i: usize| sums[i] + sums[i + 4];
        sum = (half(0) + half(2)) + (half(1) + half(3));
    }
    products[whole..]
        .iter()
        .fold(sum, |sum, product| sum + product)
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

fn random_matrix(rows: usize, columns: usize, count: usize, random: &mut Random) -> CsrMatrix<f64> {
    let triplets: Vec<_> = (0..count)
        .map(|_| {
            let row = random.below(rows as u64) as u32;
            let column = random.below(columns as u64) as u32;
            (row, column, random.word() as i64 as f64 / 1e18)
        })
        .collect();
    CsrMatrix::from_triplets(rows, columns, &triplets).unwrap()
}

fn check_doubles(matrix: &CsrMatrix<f64>, random: &mut Random) {
    let x: Vec<f64> = (0..matrix.columns())
        .map(|_| random.word() as i64 as f64)
        .collect();
    let expected: Vec<f64> = (0..matrix.rows())
        .map(|i| promised(matrix.row(i).0, matrix.row(i).1, &x))
        .collect();
    let csc = matrix.to_csc();
    let transposed = matrix.transposed();
    for threads in [1, 2, 3] {
        on_threads(threads, || {
            assert_eq!(bits(&matrix.mul_vector(&x).unwrap()), bits(&expected));
            assert_eq!(
                bits(
                    &transposed
                        .clone()
                        .into_transposed_csc()
                        .to_csr()
                        .mul_vector(&x)
                        .unwrap()
                ),
                bits(&expected)
            );
        });
    }
    let close = |a: &[f64], b: &[f64]| {
        let size = b.iter().fold(1.0, |size: f64, b| size.max(b.abs()));
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9 * size)
    };
    let across = on_threads(1, || csc.mul_vector(&x).unwrap());
    assert!(close(&across, &expected));
    for threads in [2, 3] {
        let again = on_threads(threads, || csc.mul_vector(&x).unwrap());
        assert_eq!(bits(&again), bits(&across));
        let through_rows = on_threads(threads, || transposed.transposed_mul_vector(&x).unwrap());
        assert_eq!(bits(&through_rows), bits(&across));
    }
}

#[test]
fn doubles_in_the_promised_order() {
    let mut random = Random::new(1);
    for (rows, columns, count) in [
        (0, 0, 0),
        (1, 1, 1),
        (3, 0, 0),
        (0, 3, 0),
        (5, 7, 12),
        (40, 30, 700),
        (2, 5000, 9000),
        (5000, 2, 9000),
        (300, 300, 80_000),
        (20_000, 15_000, 100_000),
        (1000, 400, 200_000),
    ] {
        let matrix = random_matrix(rows, columns, count, &mut random);
        check_doubles(&matrix, &mut random);
    }
    check_doubles(
        &"rmat:13,8"
            .parse::<TestMatrix>()
            .unwrap()
            .generate(1)
            .unwrap(),
        &mut random,
    );
}

#[test]
fn empty_lines_by_the_million() {
    let empty = 1_000_000;
    let rows = 3 * empty + 2;
    let field = Fp64::new((1 << 61) - 1).unwrap();
    for places in [
        vec![rows - 1],
        vec![0],
        vec![rows / 2],
        vec![empty, 2 * empty + 1],
    ] {
        let triplets: Vec<_> = places.iter().map(|&row| (row as u32, 0, 2.0)).collect();
        let matrix = CsrMatrix::from_triplets(rows, 1, &triplets).unwrap();
        let residues = matrix.map(|_| 2u64);
        let mut expected = vec![0.0; rows];
        places.iter().for_each(|&row| expected[row] = 6.0);
        for threads in [1, 2, 4] {
            on_threads(threads, || {
                assert_eq!(matrix.mul_vector(&[3.0]).unwrap(), expected);
                let across = matrix.transposed().to_csc();
                assert_eq!(across.transposed_mul_vector(&[3.0]).unwrap(), expected);
                let product = residues.mul_vector_mod(&field, &[3]).unwrap();
                assert!(product.iter().zip(&expected).all(|(&a, &b)| a as f64 == b));
            });
        }
    }
    // One line that holds nearly all, with empty ones around it.
    let width = 200_000;
    let triplets: Vec<_> = (0..width).map(|j| (empty as u32, j as u32, 1.0)).collect();
    let matrix = CsrMatrix::from_triplets(2 * empty, width, &triplets).unwrap();
    let y = on_threads(4, || matrix.mul_vector(&vec![1.0; width]).unwrap());
    assert!((0..2 * empty).all(|row| y[row] == if row == empty { width as f64 } else { 0.0 }));
}

#[test]
fn a_minus_zero_is_the_same_everywhere() {
    let matrix = CsrMatrix::from_triplets(2, 9, &[(0, 0, -1.0)]).unwrap();
    let y = matrix.mul_vector(&[0.0; 9]).unwrap();
    assert_eq!(bits(&y), bits(&[0.0, 0.0]));
}

fn check_field<F: ModularProduct>(
    field: &F,
    prime: u64,
    random: &mut Random,
    (rows, columns, count): (usize, usize, usize),
) where
    F::Elem: std::fmt::Debug + Send + Sync,
{
    let edges = edge_residues(prime);
    let element = |random: &mut Random| {
        let value = match random.below(3) {
            0 => edges[random.below(edges.len() as u64) as usize],
            1 => prime - 1,
            _ => random.below(prime),
        };
        (value, field.from_u64(value))
    };
    let mut exact = vec![vec![0u128; columns]; rows];
    let mut triplets = Vec::new();
    for _ in 0..count {
        let (i, j) = (
            random.below(rows as u64) as usize,
            random.below(columns as u64) as usize,
        );
        let (value, residue) = element(random);
        exact[i][j] = (exact[i][j] + u128::from(value)) % u128::from(prime);
        triplets.push((i as u32, j as u32, residue));
    }
    let (x, x_residues): (Vec<u64>, Vec<_>) = (0..columns).map(|_| element(random)).unzip();
    let expected: Vec<F::Elem> = exact
        .iter()
        .map(|row| {
            let sum = row.iter().zip(&x).fold(0, |sum, (a, &x)| {
                (sum + a * u128::from(x) % u128::from(prime)) % u128::from(prime)
            });
            field.from_u64(sum as u64)
        })
        .collect();
    let add = |a, b| field.add(a, b);
    let matrix = CsrMatrix::from_triplets_with(rows, columns, &triplets, add).unwrap();
    for threads in [1, 3] {
        on_threads(threads, || {
            assert_eq!(matrix.mul_vector_mod(field, &x_residues).unwrap(), expected);
            assert_eq!(
                matrix.to_csc().mul_vector_mod(field, &x_residues).unwrap(),
                expected
            );
            let transposed = matrix.transposed();
            assert_eq!(
                transposed
                    .transposed_mul_vector_mod(field, &x_residues)
                    .unwrap(),
                expected
            );
            let columns = transposed.to_csc();
            assert_eq!(
                columns
                    .transposed_mul_vector_mod(field, &x_residues)
                    .unwrap(),
                expected
            );
        });
    }
}

#[test]
fn residues_against_wide_integers() {
    let mut random = Random::new(2);
    let shapes = [
        (1, 1, 1),
        (6, 5, 20),
        (30, 40, 900),
        (3, 3000, 20_000),
        (200, 150, 60_000),
    ];
    for shape in shapes {
        for prime in [3, 469762049, 2147483647] {
            check_field(
                &Fp32::new(prime).unwrap(),
                u64::from(prime),
                &mut random,
                shape,
            );
        }
        for prime in [3, (1 << 60) - (1 << 18) + 1, (1 << 63) - 25] {
            check_field(&Fp64::new(prime).unwrap(), prime, &mut random, shape);
        }
    }
}

#[test]
fn vectors_of_the_wrong_length_are_refused() {
    let matrix = CsrMatrix::from_triplets(2, 3, &[(0, 0, 1.0)]).unwrap();
    let said = |result: Result<Vec<f64>, _>| {
        Result::unwrap_err(result.map_err(|e: sunzi_sparse::SparseError| e.to_string()))
    };
    assert_eq!(
        said(matrix.mul_vector(&[0.0; 2])),
        "the vector has length 2, and the matrix has 3 columns"
    );
    assert_eq!(
        said(matrix.transposed_mul_vector(&[0.0; 3])),
        "the vector has length 3, and the matrix has 2 rows"
    );
    assert_eq!(
        said(matrix.to_csc().mul_vector(&[0.0; 4])),
        "the vector has length 4, and the matrix has 3 columns"
    );
    let error = matrix
        .mul_vector_into(&[0.0; 3], &mut [0.0; 3])
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the result has length 3, and the matrix has 2 rows"
    );
    let field = Fp32::new(7).unwrap();
    assert!(
        matrix
            .map(|_| 1u32)
            .mul_vector_mod(&field, &[1; 2])
            .is_err()
    );
}

proptest! {
    #[test]
    fn permuted_matrices_give_permuted_vectors(rows in 1usize..40, columns in 1usize..40, seed: u64) {
        use sunzi_sparse::Permutation;
        let field = Fp64::new((1 << 61) - 1).unwrap();
        let mut random = Random::new(seed);
        let count = random.below(200) as usize;
        let triplets: Vec<_> = (0..count).map(|_| {
            (random.below(rows as u64) as u32, random.below(columns as u64) as u32, random.below(field.prime()))
        }).collect();
        let matrix = CsrMatrix::from_triplets_with(rows, columns, &triplets, |a, b| field.add(a, b)).unwrap();
        let x = random.residues(columns, field.prime());
        let (p, q) = (Permutation::random(rows, seed), Permutation::random(columns, !seed));
        let y = matrix.mul_vector_mod(&field, &x).unwrap();
        let permuted = matrix.permuted(&p, &q).unwrap();
        prop_assert_eq!(permuted.mul_vector_mod(&field, &q.apply(&x)).unwrap(), p.apply(&y));
    }
}
