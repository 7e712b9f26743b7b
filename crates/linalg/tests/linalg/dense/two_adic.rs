//! Determinants modulo a power of two, at the borders of what words hold.

use crate::common::oracle::{by_definition, by_gmp};
use sunzi_integer::Integer;
use sunzi_linalg::dense::{IntegerDeterminant, IntegerMethod};
use sunzi_linalg::{DenseMatrix, internals::two_adic};
use sunzi_testkit::Random;

type Matrix = DenseMatrix<Integer>;

/// Signs of Sylvester's matrices, whose determinants reach Hadamard's bound.
fn sylvester(order: usize, entry: &Integer) -> Matrix {
    DenseMatrix::from_fn(order, order, |i, j| match (i & j).count_ones() % 2 {
        0 => entry.clone(),
        _ => -entry,
    })
}

fn check(matrix: &Matrix, expected: &Integer) {
    if let Some(found) = two_adic::of_short_entries(matrix) {
        assert_eq!(found, *expected, "{matrix:?}");
    }
    for method in [IntegerMethod::Automatic, IntegerMethod::TwoAdic] {
        let known = IntegerDeterminant::new()
            .method(method)
            .compute(matrix)
            .unwrap();
        assert_eq!(
            (&known.value, known.proved),
            (expected, true),
            "{method}: {matrix:?}"
        );
    }
}

/// As many words as a determinant needs at least, and any more.
fn check_words(matrix: &Matrix, expected: &Integer) {
    for words in [1, 2, 3, 4, 5, 6, 8, 10, 12] {
        if expected.bit_len() < 64 * words {
            assert_eq!(
                two_adic::determinant(matrix, words),
                *expected,
                "{words}: {matrix:?}"
            );
        }
    }
    check(matrix, expected);
}

#[test]
fn determinants_that_reach_the_bound() {
    for order in [1, 2, 4, 8, 16, 32] {
        // From a bit to more words than there are.
        for bits in 0..64 {
            for entry in [(Integer::ONE << bits) - 1, Integer::ONE << bits] {
                for matrix in [sylvester(order, &entry), sylvester(order, &-&entry)] {
                    let half = match order {
                        1 => Integer::ONE,
                        _ => Integer::from(order).pow(order / 2),
                    };
                    let magnitude = half * entry.pow(order);
                    let found = matrix.determinant().unwrap();
                    assert_eq!(found.abs(), magnitude, "order {order}, entry {entry}");
                    check(&matrix, &found);
                }
            }
        }
    }
}

#[test]
fn words_are_as_many_as_the_bound_says() {
    for (bits, words) in [
        (-5.0, 1),
        (0.0, 1),
        (63.0, 1),
        (63.001, 2),
        (64.0, 2),
        (127.0, 2),
        (127.5, 3),
    ] {
        assert_eq!(two_adic::words_for(bits), Some(words), "{bits} bits");
    }
    assert_eq!(two_adic::words_for(384.0), Some(8));
    assert_eq!(two_adic::words_for(767.0), Some(12));
    assert_eq!(two_adic::words_for(767.5), None);
    assert_eq!(two_adic::words_for(f64::INFINITY), None);
}

/// All matrices of three orders with entries of a few extreme words, by the sum over permutations.
#[test]
fn extreme_words() {
    let mut random = Random::new(21);
    let extremes: Vec<Integer> = [
        i64::MIN,
        i64::MIN + 1,
        i64::MAX,
        -1,
        0,
        1,
        2,
        1 << 29,
        (1 << 30) - 1,
        1 << 30,
        -(1 << 30),
        1 << 31,
        1 << 62,
    ]
    .into_iter()
    .map(Integer::from)
    .chain([
        Integer::from(u64::MAX),
        -Integer::from(u64::MAX),
        Integer::ONE << 64,
        -(Integer::ONE << 100),
    ])
    .collect();
    for order in 0..=6 {
        for trial in 0..300 {
            // Of all extremes, then of short ones alone.
            let choices = match trial % 3 {
                0 => &extremes[..],
                1 => &extremes[..13],
                _ => &extremes[3..9],
            };
            let matrix = DenseMatrix::from_fn(order, order, |_, _| {
                choices[(random.words(1)[0] % choices.len() as u64) as usize].clone()
            });
            check_words(&matrix, &by_definition(&matrix));
        }
    }
    let least = Integer::from(i64::MIN);
    for order in 1..=6 {
        let all = DenseMatrix::from_fn(order, order, |_, _| least.clone());
        check(
            &all,
            &if order == 1 {
                least.clone()
            } else {
                Integer::ZERO
            },
        );
    }
    let [least, most] = [i64::MIN, i64::MAX].map(Integer::from);
    check(
        &DenseMatrix::from([[least.clone(), most.clone()], [most.clone(), least.clone()]]),
        &(&least * &least - &most * &most),
    );
    check(
        &DenseMatrix::from([
            [least.clone(), most.clone()],
            [least.clone(), least.clone()],
        ]),
        &(&least * &least - &least * &most),
    );
}

/// Pivots that powers of two divide: quotients of entries lose digits, and determinants do not.
#[test]
fn entries_with_many_factors_of_two() {
    let mut random = Random::new(22);
    for order in [3, 5, 7, 9, 12] {
        for most in [1, 7, 20, 40] {
            for _ in 0..20 {
                let matrix = DenseMatrix::from_fn(order, order, |_, _| {
                    let [word, shift] = random.words(2)[..] else {
                        unreachable!()
                    };
                    Integer::from(word as i64 >> 44) << (shift % most) as usize
                });
                check_words(&matrix, &by_gmp(&matrix));
            }
        }
    }
}

#[test]
fn permutations_triangles_and_dependent_rows() {
    let mut random = Random::new(23);
    for order in [2, 3, 4, 5, 8, 11, 31, 32, 33] {
        let entry = |random: &mut Random| Integer::from(random.words(1)[0] as i64 >> 40);
        let general = DenseMatrix::from_fn(order, order, |_, _| entry(&mut random));
        check(&general, &by_gmp(&general));
        let backward = DenseMatrix::from_fn(order, order, |i, j| Integer::from(i + j + 1 == order));
        let sign = if order / 2 % 2 == 0 { 1 } else { -1 };
        check_words(&backward, &Integer::from(sign));
        let triangle = DenseMatrix::from_fn(order, order, |i, j| match i.cmp(&j) {
            std::cmp::Ordering::Equal => Integer::from(2),
            std::cmp::Ordering::Less => general[(i, j)].clone(),
            std::cmp::Ordering::Greater => Integer::ZERO,
        });
        check_words(&triangle, &(Integer::ONE << order));
        check_words(&triangle.transposed(), &(Integer::ONE << order));
        let mut leading_zero = general.clone();
        leading_zero[(0, 0)] = Integer::ZERO;
        check(&leading_zero, &by_gmp(&leading_zero));
        let mut twice = general.clone();
        for j in 0..order {
            twice[(order - 1, j)] = &general[(0, j)] * 2;
        }
        check_words(&twice, &Integer::ZERO);
        check_words(&twice.transposed(), &Integer::ZERO);
        let mut empty = general;
        for j in 0..order {
            empty[(order / 2, j)] = Integer::ZERO;
        }
        check_words(&empty, &Integer::ZERO);
    }
}

#[test]
fn small_orders_run_modulo_a_power_of_two() {
    let mut random = Random::new(24);
    for order in 0..=20 {
        let matrix =
            DenseMatrix::from_fn(order, order, |_, _| Integer::from(random.words(1)[0] as i8));
        let known = IntegerDeterminant::new().compute(&matrix).unwrap();
        assert_eq!(
            (known.method, known.primes),
            (IntegerMethod::TwoAdic, 0),
            "order {order}"
        );
    }
    let long = DenseMatrix::from_fn(3, 3, |i, j| Integer::from(1 + i * j) << (i + 400 * j));
    let known = IntegerDeterminant::new()
        .method(IntegerMethod::TwoAdic)
        .compute(&long)
        .unwrap();
    assert_eq!(
        (known.value, known.method),
        (by_gmp(&long), IntegerMethod::FractionFree)
    );
}
