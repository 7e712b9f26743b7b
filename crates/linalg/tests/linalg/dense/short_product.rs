//! Small products of integers of a word, at the borders of one, two and three words.

use rug::Integer as GmpInteger;
use sunzi_integer::Integer;
use sunzi_linalg::{DenseMatrix, internals::product_of_words};
use sunzi_testkit::{Random, from_gmp, to_gmp};

type Matrix = DenseMatrix<Integer>;

fn by_gmp(a: &Matrix, b: &Matrix) -> Matrix {
    DenseMatrix::from_fn(a.rows(), b.columns(), |i, j| {
        let mut sum = GmpInteger::new();
        for t in 0..a.columns() {
            sum += to_gmp(&a[(i, t)]) * to_gmp(&b[(t, j)]);
        }
        from_gmp(&sum)
    })
}

fn constant(rows: usize, columns: usize, entry: &Integer) -> Matrix {
    DenseMatrix::from_fn(rows, columns, |_, _| entry.clone())
}

#[test]
fn sums_that_reach_the_bound() {
    for inner in [1, 2, 3, 4, 7, 8, 9] {
        for bits in [1, 29, 30, 31, 32, 33, 61, 62, 63] {
            for other in [1, 31, 62, 63] {
                for sign in [1, -1] {
                    let most = |bits: usize| (Integer::ONE << bits) - 1;
                    let least = |bits: usize| -(Integer::ONE << bits);
                    for (x, y) in [
                        (most(bits), most(other)),
                        (least(bits), least(other)),
                        (least(bits), most(other)),
                    ] {
                        let (a, b) = (constant(2, inner, &x), constant(inner, 1, &y) * sign);
                        let expected = by_gmp(&a, &b);
                        if let Some(found) = product_of_words(&a, &b) {
                            assert_eq!(found, expected, "{inner} times {x}·{y}");
                        }
                        assert_eq!(&a * &b, expected, "{inner} times {x}·{y}");
                    }
                }
            }
        }
    }
}

#[test]
fn shapes_and_mixed_signs() {
    let mut random = Random::new(31);
    for (m, k, n) in [
        (0, 3, 2),
        (2, 0, 3),
        (3, 2, 0),
        (1, 1, 1),
        (2, 3, 5),
        (5, 1, 4),
        (1, 40, 1),
        (20, 20, 20),
    ] {
        for shift in [0, 1, 3, 32, 33, 34, 56] {
            let mut matrix = |rows, columns| {
                DenseMatrix::from_fn(rows, columns, |_, _| {
                    Integer::from(random.words(1)[0] as i64 >> shift)
                })
            };
            let (a, b) = (matrix(m, k), matrix(k, n));
            let found = product_of_words(&a, &b).expect("entries are words");
            assert_eq!(found, by_gmp(&a, &b), "{m}, {k}, {n}, shifted by {shift}");
        }
    }
}

#[test]
fn long_entries_and_many_are_left_to_others() {
    let long = constant(2, 2, &(Integer::ONE << 63));
    assert_eq!(product_of_words(&long, &long), None);
    let many = constant(70, 70, &Integer::ONE);
    assert_eq!(product_of_words(&many, &many), None);
    let none = DenseMatrix::new(1000, 0, Vec::new()).unwrap();
    assert_eq!(product_of_words(&none, &none.transposed()), None);
}
