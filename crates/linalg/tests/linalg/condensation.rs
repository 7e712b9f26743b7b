//! Determinants over prime fields: condensation and elimination against closed forms and the reference.

use crate::common;
use crate::common::closed_forms::cases;
use crate::common::{image, random_residues, rows_exchanged};
use proptest::prelude::*;
use sunzi_field::{Field, Fp32, Fp64, GeneralizedFermat};
use sunzi_linalg::dense::condensation::{Variant, determinant_by};
use sunzi_linalg::dense::{condensation, reference, unblocked};
use sunzi_linalg::{DenseMatrix, MatrixError};
use sunzi_testkit::{Random, on_threads};

const P64: u64 = (1 << 60) - (1 << 18) + 1;

fn p4() -> GeneralizedFermat<4> {
    GeneralizedFermat::new((1 << 59) + (1 << 58) + (1 << 11)).unwrap()
}

/// All ways give `expected`.
fn check<F: Field>(field: &F, matrix: &DenseMatrix<F::Elem>, expected: F::Elem, name: &str) {
    let by_elimination = unblocked::determinant(field, matrix);
    assert_eq!(by_elimination, Ok(expected), "{name}: elimination");
    for variant in Variant::ALL {
        let found = determinant_by(variant, field, matrix);
        assert_eq!(found, Ok(expected), "{name}: {variant:?}");
    }
}

fn closed_forms<F: Field>(field: &F, limit: usize) {
    for case in cases(limit) {
        let expected = field.from_integer(&case.determinant);
        let matrix = image(field, &case.matrix);
        assert_eq!(
            reference::determinant(field, &matrix),
            Ok(expected),
            "{}",
            case.name
        );
        check(field, &matrix, expected, &case.name);
    }
}

#[test]
fn known_determinants_modulo_word_primes() {
    for prime in [3, 5, 101, 469_762_049, (1 << 31) - 1] {
        closed_forms(&Fp32::new(prime).unwrap(), 33);
    }
    for prime in [3, P64, (1 << 63) - 25] {
        closed_forms(&Fp64::new(prime).unwrap(), 33);
    }
}

#[test]
fn known_determinants_modulo_primes_of_several_words() {
    closed_forms(&p4(), 17);
    let p8 = GeneralizedFermat::<8>::new((1 << 59) + (1 << 57) + (1 << 39)).unwrap();
    closed_forms(&p8, 7);
}

#[test]
fn large_orders_agree_with_the_reference_on_any_number_of_threads() {
    let mut random = Random::new(7);
    let small = Fp32::new(469_762_049).unwrap();
    let large = Fp64::new(P64).unwrap();
    for order in [150, 301] {
        let matrix = random_residues(&small, order, &mut random);
        let expected = reference::determinant(&small, &matrix).unwrap();
        let wide = random_residues(&large, order, &mut random);
        let wide_expected = reference::determinant(&large, &wide).unwrap();
        for threads in [1, 2, 5] {
            on_threads(threads, || {
                check(&small, &matrix, expected, "random");
                check(&large, &wide, wide_expected, "random");
            });
        }
    }
    let field = p4();
    let matrix = random_residues(&field, 60, &mut random);
    let expected = reference::determinant(&field, &matrix).unwrap();
    on_threads(3, || check(&field, &matrix, expected, "random"));
}

#[test]
fn matrices_that_are_not_square_are_refused() {
    let field = Fp32::new(7).unwrap();
    for (rows, columns) in [(2, 3), (0, 1), (1, 0)] {
        let matrix = DenseMatrix::from_fn(rows, columns, |_, _| 1);
        let refused = Err(MatrixError::NotSquare { rows, columns });
        assert_eq!(condensation::determinant(&field, &matrix), refused);
        assert_eq!(unblocked::determinant(&field, &matrix), refused);
        assert_eq!(reference::determinant(&field, &matrix), refused);
    }
}

/// Matrices with many zeros, so that pivots lie anywhere, over a field small enough for accidents.
fn sparse_matrix() -> impl Strategy<Value = DenseMatrix<u32>> {
    (0_usize..14).prop_flat_map(|order| {
        let entry = prop_oneof![3 => Just(0_u32), 2 => 0_u32..11];
        prop::collection::vec(entry, order * order)
            .prop_map(move |entries| DenseMatrix::new(order, order, entries).unwrap())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn matrices_with_zeros_agree_with_the_reference(matrix in sparse_matrix()) {
        let field = Fp32::new(11).unwrap();
        let expected = reference::determinant(&field, &matrix).unwrap();
        check(&field, &matrix, expected, "with zeros");
        check(&field, &matrix.transposed(), expected, "transposed");
    }

    #[test]
    fn determinants_are_multiplicative_and_alternating(order in 1_usize..20, seed: u64) {
        let field = Fp64::new(P64).unwrap();
        let mut random = Random::new(seed);
        let a = random_residues(&field, order, &mut random);
        let b = random_residues(&field, order, &mut random);
        let ab = DenseMatrix::from_fn(order, order, |i, j| {
            (0..order).fold(0, |sum, k| field.add(sum, field.mul(a[(i, k)], b[(k, j)])))
        });
        let det = |matrix| condensation::determinant(&field, matrix).unwrap();
        prop_assert_eq!(det(&ab), field.mul(det(&a), det(&b)));
        let (i, j) = (random.below(order as u64) as usize, random.below(order as u64) as usize);
        let expected = if i == j { det(&a) } else { field.neg(det(&a)) };
        prop_assert_eq!(det(&rows_exchanged(&a, i, j)), expected);
    }
}

#[test]
fn determinants_are_those_over_the_integers_modulo_the_prime() {
    let mut random = Random::new(3);
    let matrix = common::random_integers(20, u64::MAX / 2, &mut random);
    let expected = common::oracle::by_gmp(&matrix);
    let field = p4();
    let found = condensation::determinant(&field, &image(&field, &matrix)).unwrap();
    assert_eq!(found, field.from_integer(&expected));
}
