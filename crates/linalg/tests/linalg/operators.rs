//! Operators and methods of matrices over Z and Q, and their text.

use sunzi_integer::{Integer, Rational};
use sunzi_linalg::dense::{ExactEntry, RationalElimination};
use sunzi_linalg::{DenseMatrix, MatrixError, ParseMatrixError};
use sunzi_testkit::Random;

fn random(random: &mut Random, rows: usize, columns: usize, bits: usize) -> DenseMatrix<Integer> {
    DenseMatrix::from_fn(rows, columns, |_, _| random.integer(bits))
}

/// By the definition.
fn product<E: ExactEntry>(a: &DenseMatrix<E>, b: &DenseMatrix<E>) -> DenseMatrix<E> {
    DenseMatrix::from_fn(a.rows(), b.columns(), |i, j| {
        (0..a.columns()).fold(E::from(0), |sum, k| {
            E::sum(&sum, &E::times(&a[(i, k)], &b[(k, j)]))
        })
    })
}

fn all_forms<E: ExactEntry + PartialEq + std::fmt::Debug>(a: &DenseMatrix<E>, b: &DenseMatrix<E>) {
    let right = b.transposed();
    let expected = product(a, &right);
    for found in [
        a * &right,
        a * right.clone(),
        a.clone() * &right,
        a.clone() * right.clone(),
        a.try_mul(&right).unwrap(),
    ] {
        assert_eq!(found, expected);
    }
    let sum = DenseMatrix::from_fn(a.rows(), a.columns(), |i, j| E::sum(&a[(i, j)], &b[(i, j)]));
    for found in [a + b, a.clone() + b, a + b.clone(), a.clone() + b.clone()] {
        assert_eq!(found, sum);
    }
    assert_eq!(&sum - b, *a);
    assert_eq!(-a, a - &sum + b - a);
    assert_eq!(-a.clone(), a * -1);
    for factor in [0, 1, -3, i64::MIN] {
        let expected = a.map(|entry| E::times(entry, &E::from(factor)));
        for found in [
            a * factor,
            factor * a,
            factor * a.clone(),
            a * E::from(factor),
            a.clone() * &E::from(factor),
        ] {
            assert_eq!(found, expected);
        }
    }
    let mut assigned = a.clone();
    assigned *= DenseMatrix::identity(a.columns());
    assigned += b;
    assigned -= b.clone();
    assigned *= 2;
    assert_eq!(assigned, a + a);
}

#[test]
fn operators_are_those_of_the_definitions() {
    let mut drawn = Random::new(5);
    for (rows, columns) in [(0, 0), (0, 3), (1, 1), (1, 4), (3, 2), (7, 7)] {
        for bits in [1, 60, 200] {
            let [a, b] = [(); 2].map(|()| random(&mut drawn, rows, columns, bits));
            all_forms(&a, &b);
            let over = |matrix: &DenseMatrix<Integer>, by: i64| {
                matrix.map(|entry| Rational::new(entry.clone(), by.into()).unwrap())
            };
            all_forms(&over(&a, 6), &over(&b, -35));
        }
    }
}

#[test]
fn methods_are_those_of_eliminations() {
    let mut drawn = Random::new(6);
    for order in [1, 2, 5, 12] {
        let a = random(&mut drawn, order, order, 40);
        let b = random(&mut drawn, order, 2, 40);
        let rational = a.map(|entry| Rational::from(entry));
        let elimination = RationalElimination::new();
        let inverse = a.inverse().unwrap();
        assert_eq!(&rational * &inverse, DenseMatrix::identity(order));
        assert_eq!(rational.inverse(), Ok(inverse));
        assert_eq!(rational.determinant(), Ok(a.determinant().unwrap().into()));
        let solved = a.solve(&b).unwrap().matrix;
        assert_eq!(&rational * &solved, b.map(|entry| Rational::from(entry)));
        let twice = DenseMatrix::from_fn(2 * order, order, |i, j| a[(i % order, j)].clone());
        assert_eq!(twice.rank(), Ok(order));
        let transposed = twice.transposed();
        let nullspace = transposed.nullspace().unwrap();
        assert_eq!(nullspace.columns(), order);
        assert_eq!(
            elimination.nullspace(&transposed.map(|entry| Rational::from(entry))),
            Ok(nullspace)
        );
    }
    let singular = DenseMatrix::<Integer>::from_rows([[1, 2], [2, 4]]).unwrap();
    assert_eq!(
        singular.inverse(),
        Err(MatrixError::Singular { rank: 1, order: 2 })
    );
    let wide = DenseMatrix::<Integer>::from_rows([[1, 2]]).unwrap();
    assert_eq!(
        wide.determinant(),
        Err(MatrixError::NotSquare {
            rows: 1,
            columns: 2
        })
    );
    assert_eq!(
        wide.try_mul(&wide),
        Err(MatrixError::Inner {
            columns: 2,
            rows: 1
        })
    );
    let ragged = DenseMatrix::<Integer>::from_rows([vec![1, 2], vec![3]]);
    assert_eq!(
        ragged,
        Err(MatrixError::Ragged {
            row: 1,
            entries: 1,
            columns: 2
        })
    );
    assert_eq!(
        DenseMatrix::<Integer>::from_rows::<[i64; 0]>([]),
        DenseMatrix::new(0, 0, Vec::new())
    );
}

#[test]
#[should_panic = "sums are of matrices of one shape: these have 1 by 2 and 2 by 1 entries"]
fn sums_of_other_shapes_panic() {
    let wide = DenseMatrix::<Integer>::from_rows([[1, 2]]).unwrap();
    let _ = &wide + wide.transposed();
}

#[test]
#[should_panic = "the left matrix has 2 columns and the right one 1 rows"]
fn products_of_other_shapes_panic() {
    let wide = DenseMatrix::<Integer>::from_rows([[1, 2]]).unwrap();
    let _ = &wide * &wide;
}

#[test]
fn matrices_are_read_as_they_are_printed_and_as_people_write_them() {
    let mut drawn = Random::new(7);
    for (rows, columns) in [(0, 0), (1, 1), (1, 4), (3, 2), (5, 5)] {
        let matrix = random(&mut drawn, rows, columns, 100);
        assert_eq!(matrix.to_string().parse(), Ok(matrix.clone()));
        assert_eq!(format!("{matrix:#}").parse(), Ok(matrix));
    }
    let expected = DenseMatrix::<Integer>::from_rows([[1, -2], [3, 4]]).unwrap();
    for text in [
        "[[1, -2], [3, 4]]",
        "[[1,-2],[3,4]]",
        " [ [1 -2] [3 4] ] ",
        "[[1, -2],\n [3, 4]]",
        "[1, -2; 3, 4]",
        "1 -2\n3 4",
        "1,-2\n\n3,4\n",
        "1 -2; 3 4",
        "[1 -2;3 4;]",
    ] {
        assert_eq!(text.parse(), Ok(expected.clone()), "{text}");
    }
    let read = |text: &str| text.parse::<DenseMatrix<Integer>>();
    for (text, shape) in [
        ("", (0, 0)),
        ("[]", (0, 0)),
        ("[[]]", (1, 0)),
        ("[[], []]", (2, 0)),
        ("7", (1, 1)),
    ] {
        let matrix = read(text).unwrap();
        assert_eq!((matrix.rows(), matrix.columns()), shape, "{text}");
    }
    for (text, offset) in [
        ("[1, 2", 5),
        ("[[1, 2]", 6),
        ("[[1], 2]", 6),
        ("[[1, [2]]", 5),
        ("1, [2]", 3),
        ("1]", 1),
        ("[[1],]", 5),
    ] {
        assert_eq!(
            read(text),
            Err(ParseMatrixError::Bracket { offset }),
            "{text}"
        );
    }
    let entry = |row, column, text: &str| {
        Err(ParseMatrixError::Entry {
            row,
            column,
            text: text.into(),
        })
    };
    assert_eq!(read("[[1, 2], [3, x]]"), entry(2, 2, "x"));
    assert_eq!(read("1,,2"), entry(1, 2, ""));
    assert_eq!(read("1,2,"), entry(1, 3, ""));
    assert_eq!(
        read("[[1, 2], [3]]"),
        Err(ParseMatrixError::Ragged {
            row: 2,
            entries: 1,
            columns: 2
        })
    );
    assert_eq!(
        read("[[1], [2, 3]]").unwrap_err().to_string(),
        "row 2 has 2 entries, and the first row 1"
    );
}

#[test]
fn matrices_are_serialized_with_their_shape() {
    let matrix = DenseMatrix::<Integer>::from_rows([[1, 2], [3, 4]]).unwrap();
    let text = r#"{"rows":2,"columns":2,"entries":["1","2","3","4"]}"#;
    assert_eq!(serde_json::to_string(&matrix).unwrap(), text);
    assert_eq!(
        serde_json::from_str::<DenseMatrix<Integer>>(text).unwrap(),
        matrix
    );
    let flat = DenseMatrix::<i32>::new(0, 3, Vec::new()).unwrap();
    let back = serde_json::from_str::<DenseMatrix<i32>>(&serde_json::to_string(&flat).unwrap());
    assert_eq!(back.unwrap(), flat);
    let wrong = serde_json::from_str::<DenseMatrix<i32>>(r#"{"rows":2,"columns":2,"entries":[1]}"#);
    assert!(
        wrong
            .unwrap_err()
            .to_string()
            .contains("2 by 2 entries are wanted, and 1 are there")
    );
}
