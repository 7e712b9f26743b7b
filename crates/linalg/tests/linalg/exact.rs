//! Linear algebra over the rational numbers, against elimination of fractions.

use crate::common::oracle::{rational_form, rational_product};
use sunzi_integer::{Integer, Natural, Rational};
use sunzi_linalg::dense::{RationalElimination, reference};
use sunzi_linalg::{DenseMatrix, MatrixError};
use sunzi_machine::memory::Budget;
use sunzi_testkit::{Random, on_every_thread_count};

/// The first primes that systems are lifted by, which entries are made of to be unlucky.
const FIRST_PRIMES: [u64; 4] = [1_073_741_827, 1_073_741_831, 1_073_741_833, 1_073_741_839];

/// An entry of a kind of matrices.
type Entry = fn(&mut Random) -> Rational;

const KINDS: [(&str, Entry); 6] = [
    ("small", |random| Rational::from(random.below(7) as i64 - 3)),
    ("words", |random| Rational::from(random.word() as i64)),
    ("long", |random| {
        let long = Integer::from(random.word()) << random.below(400) as usize;
        Rational::from(long - Integer::from(random.word()))
    }),
    ("quotients", |random| {
        let numerator = Integer::from(random.below(200) as i64 - 100);
        Rational::from_parts(numerator, Natural::from(1 + random.below(60)))
    }),
    ("multiples of primes", |random| {
        let prime = FIRST_PRIMES[random.below(4) as usize];
        Rational::from(Integer::from(prime) * Integer::from(random.below(5) as i64 - 2))
    }),
    ("units modulo primes", |random| {
        let prime = FIRST_PRIMES[random.below(2) as usize];
        Rational::from(
            Integer::from(prime) * Integer::from(random.below(3)) + Integer::from(random.below(2)),
        )
    }),
];

/// A matrix of at most this rank; of full rank, as a rule, the entries are those of the kind.
fn of_rank(
    (m, n): (usize, usize),
    rank: usize,
    entry: Entry,
    random: &mut Random,
) -> DenseMatrix<Rational> {
    if rank >= m.min(n) {
        return DenseMatrix::from_fn(m, n, |_, _| entry(random));
    }
    let left = DenseMatrix::from_fn(m, rank, |_, _| entry(random));
    let right = DenseMatrix::from_fn(rank, n, |_, _| entry(random));
    rational_product(&left, &right)
}

fn check(matrix: &DenseMatrix<Rational>, case: &str, random: &mut Random) {
    let elimination = RationalElimination::new();
    let (m, n) = (matrix.rows(), matrix.columns());
    let (form, pivots) = rational_form(matrix);
    let rank = pivots.len();
    assert_eq!(elimination.rank(matrix), Ok(rank), "{case}");
    let found = elimination.reduced_row_echelon_form(matrix).unwrap();
    assert_eq!(found, (form, pivots.clone()), "{case}");

    let basis = elimination.nullspace(matrix).unwrap();
    assert_eq!((basis.rows(), basis.columns()), (n, n - rank), "{case}");
    let image = elimination.product(matrix, &basis).unwrap();
    assert!(image.entries().iter().all(Rational::is_zero), "{case}");
    let free: Vec<usize> = (0..n).filter(|j| !pivots.contains(j)).collect();
    for (f, &column) in free.iter().enumerate() {
        for g in 0..free.len() {
            assert_eq!(
                basis[(column, g)],
                Rational::from(u8::from(f == g)),
                "{case}"
            );
        }
    }

    for columns in [1, 3] {
        let variables = DenseMatrix::from_fn(n, columns, |_, _| KINDS[3].1(random));
        let right = rational_product(matrix, &variables);
        assert_eq!(elimination.product(matrix, &variables), Ok(right.clone()));
        let solution = elimination.solve(matrix, &right).unwrap();
        assert_eq!(solution.rank, rank, "{case}");
        assert_eq!(solution.is_unique(), rank == n, "{case}");
        assert_eq!(rational_product(matrix, &solution.matrix), right, "{case}");
        let free_rows = free.iter().flat_map(|&column| solution.matrix.row(column));
        assert!(free_rows.into_iter().all(Rational::is_zero), "{case}");
        if rank == n {
            assert_eq!(solution.matrix, variables, "{case}");
        }
        let (_, rows) = rational_form(&matrix.transposed());
        if let Some(other) = (0..m).find(|row| !rows.contains(row)) {
            let mut wrong = right.clone();
            wrong[(other, columns - 1)] += Rational::ONE;
            let column = columns - 1;
            let expected = MatrixError::Inconsistent { column };
            assert_eq!(elimination.solve(matrix, &wrong), Err(expected), "{case}");
        }
    }

    match elimination.inverse(matrix) {
        Ok(inverse) => {
            assert!(m == n && rank == n, "{case}");
            let product = rational_product(matrix, &inverse);
            let identity = DenseMatrix::from_fn(n, n, |i, j| Rational::from(u8::from(i == j)));
            assert_eq!(product, identity, "{case}");
        }
        Err(MatrixError::Singular { rank: told, order }) => {
            assert_eq!((told, order), (rank, m), "{case}");
            assert!(m == n && rank < n, "{case}");
        }
        Err(error) => {
            let rows_and_columns = MatrixError::NotSquare {
                rows: m,
                columns: n,
            };
            assert_eq!(error, rows_and_columns, "{case}");
        }
    }
}

#[test]
fn every_shape_rank_and_kind_of_entries() {
    let mut random = Random::new(5);
    for (m, n) in [
        (0, 0),
        (0, 2),
        (2, 0),
        (1, 1),
        (1, 5),
        (5, 1),
        (2, 2),
        (3, 7),
        (7, 3),
        (6, 6),
        (9, 12),
    ] {
        for (kind, entry) in KINDS {
            let full: usize = m.min(n);
            for rank in [0, 1, full / 2, full.saturating_sub(1), full] {
                let matrix = of_rank((m, n), rank, entry, &mut random);
                check(&matrix, &format!("{m} by {n}, {rank}, {kind}"), &mut random);
            }
        }
    }
}

#[test]
fn larger_orders_are_lifted() {
    let mut random = Random::new(6);
    for (kind, entry) in [KINDS[1], KINDS[4], KINDS[5]] {
        for (shape, rank) in [
            ((30, 30), 30),
            ((30, 30), 27),
            ((22, 35), 20),
            ((35, 22), 22),
        ] {
            let matrix = of_rank(shape, rank, entry, &mut random);
            check(&matrix, &format!("{shape:?}, {rank}, {kind}"), &mut random);
        }
    }
}

#[test]
fn pivots_that_vanish_modulo_the_first_primes() {
    // The first column, or the difference of two rows, is 0 modulo the primes that are tried first.
    let product: Integer = FIRST_PRIMES
        .iter()
        .map(|&prime| Integer::from(prime))
        .product();
    let mut random = Random::new(8);
    for n in [1, 2, 5, 13, 20] {
        let mut matrix = of_rank((n, n), n, KINDS[1].1, &mut random);
        for i in 0..n {
            matrix[(i, 0)] = Rational::from(&product * Integer::from(i + 1));
        }
        check(&matrix, &format!("a column, {n}"), &mut random);
        let mut matrix = of_rank((n, n + 1), n, KINDS[1].1, &mut random);
        for j in 0..n {
            matrix[(n - 1, j)] = &matrix[(0, j)] + Rational::from(&product * Integer::from(j));
        }
        check(&matrix, &format!("a row, {n}"), &mut random);
    }
}

#[test]
fn few_rows_of_long_entries() {
    let mut random = Random::new(9);
    let entry = |random: &mut Random| {
        let bits = 20_000 + random.below(100) as usize;
        Rational::from((Integer::ONE << bits) - Integer::from(random.word()))
    };
    for (m, n) in [(1, 1), (2, 2), (3, 4), (4, 3)] {
        let matrix = DenseMatrix::from_fn(m, n, |_, _| entry(&mut random));
        check(&matrix, &format!("{m} by {n}, long"), &mut random);
    }
}

#[test]
fn threads_do_not_matter() {
    let mut random = Random::new(10);
    let matrix = of_rank((40, 44), 36, KINDS[1].1, &mut random);
    let (form, pivots) = rational_form(&matrix);
    let right = rational_product(&matrix, &of_rank((44, 3), 3, KINDS[3].1, &mut random));
    let solution = RationalElimination::new().solve(&matrix, &right).unwrap();
    assert_eq!(rational_product(&matrix, &solution.matrix), right);
    on_every_thread_count(|threads| {
        let elimination = RationalElimination::new();
        let found = elimination.reduced_row_echelon_form(&matrix).unwrap();
        assert_eq!(found, (form.clone(), pivots.clone()), "{threads}");
        assert_eq!(
            elimination.solve(&matrix, &right).unwrap(),
            solution,
            "{threads}"
        );
        assert_eq!(elimination.rank(&matrix), Ok(36), "{threads}");
        let product = elimination.product(&matrix, &solution.matrix);
        assert_eq!(product, Ok(right.clone()), "{threads}");
    });
}

#[test]
fn products_of_integers() {
    let mut random = Random::new(12);
    for (m, k, n) in [(0, 3, 2), (2, 0, 3), (1, 1, 1), (3, 5, 2), (40, 30, 20)] {
        for bits in [1, 31, 64, 300, 5000] {
            let mut block = |rows: usize, columns: usize| {
                DenseMatrix::from_fn(rows, columns, |i, j| match (i + j) % 4 {
                    // The bound is reached where all are greatest.
                    0 | 1 => (Integer::ONE << bits) - 1,
                    2 => Integer::from(random.word()),
                    _ => -(Integer::ONE << bits),
                })
            };
            let (a, b) = (block(m, k), block(k, n));
            let expected = DenseMatrix::from_fn(m, n, |i, j| -> Integer {
                (0..k).map(|t| &a[(i, t)] * &b[(t, j)]).sum()
            });
            assert_eq!(a.try_mul(&b), Ok(expected), "{m} {k} {n} {bits}");
        }
        let a = DenseMatrix::from_fn(m, k, |_, _| -(Integer::ONE << 100));
        let b = DenseMatrix::from_fn(k, n, |_, _| Integer::ONE << 100);
        let expected = DenseMatrix::from_fn(m, n, |_, _| -(Integer::from(k) << 200));
        assert_eq!(a.try_mul(&b), Ok(expected));
    }
    let wide = DenseMatrix::new(1, 2, vec![Integer::ONE, Integer::ONE]).unwrap();
    let refused = MatrixError::Inner {
        columns: 2,
        rows: 1,
    };
    assert_eq!(wide.try_mul(&wide), Err(refused));
}

#[test]
fn elimination_without_fractions() {
    let mut random = Random::new(13);
    for (m, n) in [(0, 2), (2, 0), (1, 1), (4, 6), (6, 4), (5, 5)] {
        for rank in 0..=m.min(n) {
            let matrix = of_rank((m, n), rank, KINDS[0].1, &mut random);
            let integers = matrix.map(|entry| entry.numerator().clone());
            let (d, form, pivots) = reference::integer_row_echelon_form(&integers, n);
            let (expected, expected_pivots) = rational_form(&matrix);
            assert_eq!(pivots, expected_pivots);
            let form = form.map(|entry| Rational::from(entry.clone()) / Rational::from(d.clone()));
            assert_eq!(form, expected);
        }
    }
}

#[test]
fn what_is_too_large_is_refused() {
    let mut random = Random::new(14);
    let matrix = of_rank((30, 30), 30, KINDS[1].1, &mut random);
    let elimination = RationalElimination::new().within(Budget::within(Some(1000)));
    assert!(matches!(
        elimination.inverse(&matrix),
        Err(MatrixError::Memory(_))
    ));
    assert!(matches!(
        elimination.product(&matrix, &matrix),
        Err(MatrixError::Memory(_))
    ));
    assert_eq!(elimination.rank(&matrix), Ok(30));
    let long = DenseMatrix::new(2, 1, vec![Rational::ONE, Rational::ONE]).unwrap();
    assert_eq!(
        elimination.solve(&matrix, &long),
        Err(MatrixError::RightSide { rows: 30, right: 2 })
    );
}
