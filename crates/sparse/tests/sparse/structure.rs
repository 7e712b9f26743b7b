//! Compressed rows and columns against dense matrices: construction, conversion, permutation.

use std::collections::BTreeSet;

use proptest::prelude::*;
use sunzi_linalg::DenseMatrix;
use sunzi_sparse::{CscMatrix, CsrMatrix, Line, Permutation, SparseError};
use sunzi_testkit::{Random, on_threads};

type Triplets = Vec<(u32, u32, i64)>;

/// Sizes from 0 and some entries, which may repeat.
fn entries() -> impl Strategy<Value = (usize, usize, Triplets)> {
    (0usize..12, 0usize..12).prop_flat_map(|(rows, columns)| {
        let count = if rows * columns == 0 { 0..1 } else { 0..40 };
        let entry = (0..rows.max(1) as u32, 0..columns.max(1) as u32, -9i64..10);
        (
            Just(rows),
            Just(columns),
            prop::collection::vec(entry, count),
        )
    })
}

fn dense(rows: usize, columns: usize, triplets: &Triplets) -> DenseMatrix<i64> {
    let mut dense = DenseMatrix::from_fn(rows, columns, |_, _| 0);
    for &(i, j, value) in triplets {
        dense[(i as usize, j as usize)] += value;
    }
    dense
}

fn dense_of(matrix: &CsrMatrix<i64>) -> DenseMatrix<i64> {
    dense(matrix.rows(), matrix.columns(), &matrix.iter().collect())
}

fn rechecked(matrix: &CsrMatrix<i64>) -> CsrMatrix<i64> {
    let (starts, indices, values) = matrix.clone().into_parts();
    CsrMatrix::new(matrix.rows(), matrix.columns(), starts, indices, values).unwrap()
}

proptest! {
    #[test]
    fn triplets_and_conversions((rows, columns, triplets) in entries()) {
        let expected = dense(rows, columns, &triplets);
        let csr = CsrMatrix::from_triplets(rows, columns, &triplets).unwrap();
        prop_assert_eq!(&rechecked(&csr), &csr);
        prop_assert_eq!(&dense_of(&csr), &expected);
        let csc = CscMatrix::from_triplets(rows, columns, &triplets).unwrap();
        prop_assert_eq!(&csr.to_csc(), &csc);
        prop_assert_eq!(&csc.to_csr(), &csr);
        let (starts, indices, values) = csc.clone().into_parts();
        prop_assert_eq!(&CscMatrix::new(rows, columns, starts, indices, values).unwrap(), &csc);
        prop_assert_eq!(dense_of(&csr.transposed()), expected.transposed());
        prop_assert_eq!(csc.transposed().to_csr(), csr.transposed());
        prop_assert_eq!(csr.clone().into_transposed_csc().to_csr(), csr.transposed());
        prop_assert_eq!(csc.clone().into_transposed_csr(), csr.transposed());
        let pattern = csr.pattern();
        prop_assert_eq!(pattern.column_indices(), csr.column_indices());
        for i in 0..rows {
            for j in 0..columns {
                let stored = triplets.iter().any(|t| (t.0 as usize, t.1 as usize) == (i, j));
                prop_assert_eq!(csr.get(i, j).copied(), stored.then_some(expected[(i, j)]));
                prop_assert_eq!(csc.get(i, j), csr.get(i, j));
            }
        }
    }

    #[test]
    fn permutations((rows, columns, triplets) in entries(), seed: u64) {
        let csr = CsrMatrix::from_triplets(rows, columns, &triplets).unwrap();
        let (p, q) = (Permutation::random(rows, seed), Permutation::random(columns, seed ^ 1));
        let old = dense_of(&csr);
        let expected = DenseMatrix::from_fn(rows, columns, |i, j| {
            old[(p.order()[i] as usize, q.order()[j] as usize)]
        });
        let both = csr.permuted(&p, &q).unwrap();
        prop_assert_eq!(&rechecked(&both), &both);
        prop_assert_eq!(&dense_of(&both), &expected);
        prop_assert_eq!(&csr.permute_rows(&p).unwrap().permute_columns(&q).unwrap(), &both);
        let csc = csr.to_csc();
        prop_assert_eq!(&csc.permuted(&p, &q).unwrap(), &both.to_csc());
        prop_assert_eq!(&csc.permute_columns(&q).unwrap().permute_rows(&p).unwrap().to_csr(), &both);
        prop_assert_eq!(both.permuted(&p.inverse(), &q.inverse()).unwrap(), csr);
    }

    #[test]
    fn permutations_form_a_group(length in 0usize..50, seed: u64) {
        let p = Permutation::random(length, seed);
        let q = Permutation::random(length, !seed);
        let things: Vec<usize> = (0..length).map(|i| i * i).collect();
        prop_assert_eq!(q.apply(&p.apply(&things)), p.then(&q).apply(&things));
        prop_assert_eq!(p.inverse().apply(&p.apply(&things)), things);
        prop_assert!(p.inverse().then(&p).is_identity());
        prop_assert_eq!(Permutation::new(p.order().to_vec()).unwrap(), p);
    }
}

#[test]
fn long_rows_are_permuted() {
    for (columns, count) in [
        (300, 255),
        (300, 256),
        (300, 257),
        (70_000, 3000),
        (1 << 18, 400),
    ] {
        let step = columns / count;
        let triplets: Triplets = (0..2 * count)
            .map(|k| (k % 2, k / 2 * step, i64::from(k)))
            .collect();
        let matrix = CsrMatrix::from_triplets(2, columns as usize, &triplets).unwrap();
        let order = Permutation::random(columns as usize, 1);
        let permuted = matrix.permute_columns(&order).unwrap();
        assert_eq!(rechecked(&permuted), permuted);
        let places = order.inverse();
        let moved: Triplets = triplets
            .iter()
            .map(|&(i, j, value)| (i, places.order()[j as usize], value))
            .collect();
        assert_eq!(
            permuted,
            CsrMatrix::from_triplets(2, columns as usize, &moved).unwrap()
        );
    }
}

#[test]
fn large_matrices_are_permuted_alike_on_any_threads() {
    let mut random = Random::new(3);
    for (rows, columns) in [(9000u32, 7000u32), (3, 90_000), (90_000, 3), (1, 90_000)] {
        let places: BTreeSet<(u32, u32)> = (0..100_000)
            .map(|_| {
                (
                    random.below(rows.into()) as u32,
                    random.below(columns.into()) as u32,
                )
            })
            .collect();
        let triplets: Triplets = places
            .iter()
            .zip(0..)
            .map(|(&(i, j), k)| (i, j, k))
            .collect();
        let (rows, columns) = (rows as usize, columns as usize);
        let matrix = CsrMatrix::from_triplets(rows, columns, &triplets).unwrap();
        let (p, q) = (
            Permutation::random(rows, 1),
            Permutation::random(columns, 2),
        );
        let (p_places, q_places) = (p.inverse(), q.inverse());
        let moved: Triplets = triplets
            .iter()
            .map(|&(i, j, k)| {
                (
                    p_places.order()[i as usize],
                    q_places.order()[j as usize],
                    k,
                )
            })
            .collect();
        let expected = CsrMatrix::from_triplets(rows, columns, &moved).unwrap();
        for threads in [1, 3] {
            on_threads(threads, || {
                assert_eq!(matrix.permuted(&p, &q).unwrap(), expected);
                let in_two = matrix
                    .permute_rows(&p)
                    .unwrap()
                    .permute_columns(&q)
                    .unwrap();
                assert_eq!(in_two, expected);
                assert_eq!(matrix.to_csc().permuted(&p, &q).unwrap(), expected.to_csc());
            });
        }
    }
}

#[test]
fn duplicates_are_summed_in_their_order() {
    let triplets = [(0, 0, 1e16), (0, 1, 5.0), (0, 0, 1.0), (0, 0, -1e16)];
    let matrix = CsrMatrix::from_triplets(1, 2, &triplets).unwrap();
    assert_eq!(matrix.values(), [(1e16 + 1.0) - 1e16, 5.0]);
}

#[test]
fn what_is_wrong_is_named() {
    let csr = |starts: &[usize], indices: &[u32], values: &[i32]| {
        CsrMatrix::new(2, 3, starts.to_vec(), indices.to_vec(), values.to_vec()).unwrap_err()
    };
    let cases = [
        (
            csr(&[0, 1], &[0], &[1]),
            "a matrix of 2 rows has 3 starts of rows, and 2 are there",
        ),
        (
            csr(&[1, 1, 1], &[0], &[1]),
            "the first row starts at entry 1 instead of 0",
        ),
        (
            csr(&[0, 2, 1], &[0], &[1]),
            "row 1 starts at entry 2 and ends before it, at 1",
        ),
        (
            csr(&[0, 1, 2], &[0], &[1]),
            "the rows hold 2 entries in all, but 1 indices and 1 values are there",
        ),
        (
            csr(&[0, 1, 2], &[0, 1], &[1]),
            "the rows hold 2 entries in all, but 2 indices and 1 values are there",
        ),
        (
            csr(&[0, 0, 1], &[3], &[1]),
            "row 1 has an entry in column 3, and there are 3",
        ),
        (
            csr(&[0, 2, 2], &[2, 0], &[1, 1]),
            "row 0 has an entry in column 0 after one in 2: indices must ascend and not repeat",
        ),
        (
            csr(&[0, 2, 2], &[1, 1], &[1, 1]),
            "row 0 has an entry in column 1 after one in 1: indices must ascend and not repeat",
        ),
        (
            CscMatrix::new(1, 1, vec![0, 1], vec![1], vec![1]).unwrap_err(),
            "column 0 has an entry in row 1, and there are 1",
        ),
        (
            CsrMatrix::from_triplets(2, 2, &[(0, 0, 1), (2, 1, 1)]).unwrap_err(),
            "entry 1 is in row 2 and column 1, outside a matrix of 2 by 2",
        ),
        (
            CsrMatrix::<i32>::from_triplets(1 << 40, 2, &[]).unwrap_err(),
            "1099511627776 rows are too many: at most 2^32 - 1 are supported",
        ),
        (
            Permutation::new(vec![0, 3, 1]).unwrap_err(),
            "place 1 of a permutation of 3 has 3, which is too large",
        ),
        (
            Permutation::new(vec![0, 1, 1]).unwrap_err(),
            "place 2 of a permutation of 3 has 1, which came before",
        ),
        (
            CsrMatrix::from_triplets(2, 2, &[(0, 0, 1)])
                .unwrap()
                .permute_columns(&Permutation::identity(3))
                .unwrap_err(),
            "the permutation has length 3, and the matrix has 2 columns",
        ),
        (
            Permutation::identity(3).try_apply(&[1, 2]).unwrap_err(),
            "2 things cannot be put in an order of 3",
        ),
        (
            Permutation::identity(2)
                .try_then(&Permutation::identity(1))
                .unwrap_err(),
            "2 things cannot be put in an order of 1",
        ),
    ];
    for (error, sentence) in cases {
        assert_eq!(error.to_string(), sentence);
    }
    let error = CsrMatrix::<i32>::new(1, 1, vec![], vec![], vec![]).unwrap_err();
    assert_eq!(
        error,
        SparseError::StartsCount {
            line: Line::Row,
            lines: 1,
            starts: 0
        }
    );
}

#[test]
fn matrices_are_serialized_by_their_parts() {
    let matrix = CsrMatrix::from_triplets(2, 3, &[(0, 2, 3), (1, 0, 5)]).unwrap();
    let text =
        r#"{"rows":2,"columns":3,"lines":"rows","starts":[0,1,2],"indices":[2,0],"values":[3,5]}"#;
    assert_eq!(serde_json::to_string(&matrix).unwrap(), text);
    assert_eq!(
        serde_json::from_str::<CsrMatrix<i32>>(text).unwrap(),
        matrix
    );
    assert!(serde_json::from_str::<CscMatrix<i32>>(text).is_err());
    let columns = matrix.to_csc();
    let back = serde_json::from_str::<CscMatrix<i32>>(&serde_json::to_string(&columns).unwrap());
    assert_eq!(back.unwrap(), columns);
    let wrong = text.replace("[2,0]", "[3,0]");
    assert!(serde_json::from_str::<CsrMatrix<i32>>(&wrong).is_err());
}
