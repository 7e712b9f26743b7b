//! Reduced echelon forms, nullspaces, solutions of systems of any shape, and products modulo primes.

use sunzi_field::{Field, Fp32, Fp64, GeneralizedFermat};
use sunzi_linalg::dense::{Decomposition, MatrixField, product, reference};
use sunzi_linalg::{DenseMatrix, MatrixError};
use sunzi_testkit::{Random, on_every_thread_count};

/// A product of m by r and r by n entries, edges among them; columns in `zeros` are 0.
fn of_rank<F: Field>(
    field: &F,
    (m, n): (usize, usize),
    rank: usize,
    zeros: std::ops::Range<usize>,
    random: &mut Random,
) -> DenseMatrix<F::Elem> {
    let mut block = |rows: usize, columns: usize| {
        let words = random.residues(rows * columns, u64::MAX);
        DenseMatrix::from_fn(rows, columns, |i, j| match words[i * columns + j] % 5 {
            0 => field.zero(),
            1 => field.from_i64(-1),
            _ => field.from_u64(words[i * columns + j]),
        })
    };
    let (left, right) = (block(m, rank), block(rank, n));
    let mut matrix = by_definition(field, &left, &right);
    for i in 0..m {
        for j in zeros.clone().filter(|&j| j < n) {
            matrix[(i, j)] = field.zero();
        }
    }
    matrix
}

fn by_definition<F: Field>(
    field: &F,
    a: &DenseMatrix<F::Elem>,
    b: &DenseMatrix<F::Elem>,
) -> DenseMatrix<F::Elem> {
    DenseMatrix::from_fn(a.rows(), b.columns(), |i, j| {
        (0..a.columns()).fold(field.zero(), |sum, k| {
            field.add(sum, field.mul(a[(i, k)], b[(k, j)]))
        })
    })
}

fn check<F: MatrixField>(field: &F, matrix: &DenseMatrix<F::Elem>, random: &mut Random)
where
    F::Elem: std::fmt::Debug,
{
    let (m, n) = (matrix.rows(), matrix.columns());
    let case = format!(
        "{m} by {n} modulo {}",
        field.modulus::<sunzi_integer::Natural>()
    );
    let (form, pivots) = reference::reduced_row_echelon_form(field, matrix);
    let decomposition = Decomposition::new(field, matrix.clone());
    assert_eq!(decomposition.pivot_columns(), pivots, "{case}");
    assert_eq!(decomposition.reduced_row_echelon_form(), form, "{case}");

    let free = decomposition.free_columns();
    assert_eq!(free.len() + pivots.len(), n, "{case}");
    let basis = decomposition.nullspace();
    assert_eq!((basis.rows(), basis.columns()), (n, free.len()), "{case}");
    let image = by_definition(field, matrix, &basis);
    assert!(image.entries().iter().all(|&x| x == field.zero()), "{case}");
    for (f, &column) in free.iter().enumerate() {
        for g in 0..free.len() {
            let expected = if f == g { field.one() } else { field.zero() };
            assert_eq!(basis[(column, g)], expected, "{case}");
        }
    }
    assert_eq!(product(field, matrix, &basis).unwrap(), image, "{case}");

    let variables = of_rank(field, (n, 3), 3, 1..2, random);
    let right = by_definition(field, matrix, &variables);
    assert_eq!(product(field, matrix, &variables).unwrap(), right, "{case}");
    let solution = decomposition.solve_any(&right).unwrap();
    assert_eq!(solution.rank, pivots.len(), "{case}");
    assert_eq!(solution.is_unique(), free.is_empty(), "{case}");
    assert_eq!(
        by_definition(field, matrix, &solution.matrix),
        right,
        "{case}"
    );
    let free_rows = free.iter().flat_map(|&column| solution.matrix.row(column));
    assert!(free_rows.into_iter().all(|&x| x == field.zero()), "{case}");
    if free.is_empty() {
        assert_eq!(solution.matrix, variables, "{case}");
    }

    // A right side that is no combination of the columns: one more than the last pivot of the transposed matrix allows.
    if pivots.len() < m {
        let (_, rows) = reference::reduced_row_echelon_form(field, &matrix.transposed());
        let other = (0..m).find(|row| !rows.contains(row)).unwrap();
        let mut wrong = right.clone();
        wrong[(other, 1)] = field.add(wrong[(other, 1)], field.one());
        assert_eq!(
            decomposition.solve_any(&wrong),
            Err(MatrixError::Inconsistent { column: 1 }),
            "{case}"
        );
    }
}

/// As many right sides and rows as are computed at a time, and some more.
fn check_many<F: MatrixField>(field: &F, order: usize, at_a_time: usize)
where
    F::Elem: std::fmt::Debug,
{
    let mut random = Random::new(11);
    let matrix = loop {
        let matrix = of_rank(field, (order, order), order, 0..0, &mut random);
        if Decomposition::new(field, matrix.clone()).rank() == order {
            break matrix;
        }
    };
    let decomposition = Decomposition::new(field, matrix.clone());
    for count in [at_a_time - 1, at_a_time, at_a_time + 1] {
        let variables = of_rank(field, (order, count), order, 5..7, &mut random);
        let right = by_definition(field, &matrix, &variables);
        assert_eq!(product(field, &matrix, &variables).unwrap(), right);
        assert_eq!(decomposition.solve(&right).unwrap(), variables);
        assert_eq!(decomposition.solve_any(&right).unwrap().matrix, variables);
        let rows = variables.transposed();
        let image = by_definition(field, &rows, &matrix);
        assert_eq!(product(field, &rows, &matrix).unwrap(), image);
    }
}

#[test]
fn many_right_sides_and_rows() {
    for (order, at_a_time) in [(3, 1024), (20, 1024), (20, 64)] {
        check_many(&Fp32::new(65521).unwrap(), order, at_a_time);
        check_many(&Fp64::new((1 << 60) - 93).unwrap(), order, at_a_time);
    }
    let field = GeneralizedFermat::<8>::new((1 << 59) + (1 << 57) + (1 << 39)).unwrap();
    check_many(&field, 18, 64);
}

/// Shapes around panels of 16 columns, with the ranks and the columns of zeros that matter.
fn check_shapes<F: MatrixField>(field: &F, shapes: &[(usize, usize)])
where
    F::Elem: std::fmt::Debug,
{
    let mut random = Random::new(7);
    for &(m, n) in shapes {
        let full = m.min(n);
        for rank in [0, 1, full / 2, full.saturating_sub(1), full] {
            for zeros in [0..0, 0..1, 2..n / 2] {
                let matrix = of_rank(field, (m, n), rank, zeros, &mut random);
                check(field, &matrix, &mut random);
            }
        }
    }
}

const SHAPES: [(usize, usize); 14] = [
    (0, 0),
    (0, 3),
    (3, 0),
    (1, 1),
    (1, 9),
    (9, 1),
    (2, 2),
    (5, 17),
    (17, 5),
    (16, 16),
    (17, 33),
    (33, 17),
    (40, 40),
    (50, 70),
];

#[test]
fn every_shape_and_rank() {
    check_shapes(&Fp32::new(3).unwrap(), &SHAPES);
    check_shapes(&Fp32::new(469_762_049).unwrap(), &SHAPES);
    check_shapes(&Fp32::new(2_147_483_647).unwrap(), &SHAPES);
    check_shapes(&Fp64::new((1 << 60) - (1 << 18) + 1).unwrap(), &SHAPES);
    check_shapes(&Fp64::new((1 << 63) - 25).unwrap(), &SHAPES);
    let p4 = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11)).unwrap();
    check_shapes(&p4, &SHAPES[..10]);
}

#[test]
fn threads_do_not_matter() {
    let field = Fp32::new(469_762_049).unwrap();
    let mut random = Random::new(11);
    let matrix = of_rank(&field, (150, 190), 120, 40..60, &mut random);
    let (form, _) = reference::reduced_row_echelon_form(&field, &matrix);
    let right = by_definition(
        &field,
        &matrix,
        &of_rank(&field, (190, 70), 60, 0..0, &mut random),
    );
    let solution = Decomposition::new(&field, matrix.clone())
        .solve_any(&right)
        .unwrap();
    assert_eq!(by_definition(&field, &matrix, &solution.matrix), right);
    on_every_thread_count(|threads| {
        let decomposition = Decomposition::new(&field, matrix.clone());
        assert_eq!(decomposition.reduced_row_echelon_form(), form, "{threads}");
        assert_eq!(
            decomposition.solve_any(&right).unwrap(),
            solution,
            "{threads}"
        );
        assert_eq!(
            product(&field, &matrix, &solution.matrix).unwrap(),
            right,
            "{threads}"
        );
    });
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let field = Fp32::new(97).unwrap();
    let wide = DenseMatrix::new(1, 2, vec![1, 2]).unwrap();
    assert_eq!(
        product(&field, &wide, &wide),
        Err(MatrixError::Inner {
            columns: 2,
            rows: 1
        })
    );
    let long = DenseMatrix::new(2, 1, vec![1, 2]).unwrap();
    assert_eq!(
        Decomposition::new(&field, wide).solve_any(&long),
        Err(MatrixError::RightSide { rows: 1, right: 2 })
    );
}
