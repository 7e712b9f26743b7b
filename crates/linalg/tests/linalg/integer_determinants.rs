//! Determinants over the integers: known ones, GMP's, and the three methods with each other.

use crate::common::closed_forms::cases;
use crate::common::oracle::by_gmp;
use crate::common::random_integers;
use sunzi_field::primality::is_prime;
use sunzi_integer::Integer;
use sunzi_linalg::dense::{IntegerDeterminant, IntegerMethod};
use sunzi_linalg::{DenseMatrix, MatrixError};
use sunzi_machine::threads::Threads;
use sunzi_rns::PRIMES_31;
use sunzi_testkit::{Random, on_threads};

const METHODS: [IntegerMethod; 5] = [
    IntegerMethod::Automatic,
    IntegerMethod::Residues,
    IntegerMethod::Lifting,
    IntegerMethod::FractionFree,
    IntegerMethod::TwoAdic,
];

fn check(matrix: &DenseMatrix<Integer>, expected: &Integer, name: &str) {
    for method in METHODS {
        let known = IntegerDeterminant::new()
            .method(method)
            .compute(matrix)
            .unwrap();
        assert_eq!(&known.value, expected, "{name}, {method}");
        assert!(known.proved);
        assert_ne!(known.method, IntegerMethod::Automatic);
    }
}

#[test]
fn known_determinants() {
    // The longest would keep one processor alone.
    Threads::all().each(cases(50), |case| {
        check(&case.matrix, &case.determinant, &case.name);
    });
}

#[test]
fn known_determinants_modulo_one_big_prime() {
    let mut computed = 0;
    for case in cases(26) {
        let known = IntegerDeterminant::new()
            .method(IntegerMethod::BigPrime)
            .compute(&case.matrix);
        match known {
            Ok(known) => {
                assert_eq!(known.value, case.determinant, "{}", case.name);
                assert!(known.proved);
                computed += 1;
            }
            Err(error) => {
                assert!(
                    matches!(error, MatrixError::TooLarge { .. }),
                    "{}: {error}",
                    case.name
                );
            }
        }
    }
    assert!(computed > 40, "{computed} determinants were small enough");
}

#[test]
fn determinants_of_gmp() {
    let mut random = Random::new(7);
    for (order, bits) in [
        (1, 200),
        (2, 1000),
        (5, 31),
        (10, 64),
        (20, 200),
        (33, 3),
        (50, 32),
    ] {
        let mut matrix = random_integers(order, 1 << 30, &mut random);
        for entry in matrix.entries_mut() {
            // Entries of any length, by sums of shifted ones.
            let chunks: Vec<u64> = random.words(bits / 64 + 1);
            let long =
                Integer::from(sunzi_integer::Natural::from_limbs(chunks)) >> (64 - bits % 64);
            *entry = if *entry < Integer::ZERO { -long } else { long };
        }
        check(
            &matrix,
            &by_gmp(&matrix),
            &format!("order {order}, {bits} bits"),
        );
    }
}

/// Only the largest invariant factor shows in one linear system: residues have to find the rest.
#[test]
fn many_equal_factors() {
    let scaled = DenseMatrix::from_fn(40, 40, |i, j| {
        Integer::from(if i == j { 1_000_003 } else { 0 }) * Integer::from(10).pow(10)
    });
    let expected = (Integer::from(1_000_003) * Integer::from(10).pow(10)).pow(40);
    check(&scaled, &expected, "a multiple of the identity");
}

/// Which way is taken, and what is left for residues after lifting.
#[test]
fn lifting_runs_where_it_is_to() {
    let matrix = random_integers(60, 1 << 40, &mut Random::new(11));
    let lifted = IntegerDeterminant::new()
        .method(IntegerMethod::Lifting)
        .compute(&matrix)
        .unwrap();
    assert_eq!(lifted.method, IntegerMethod::Lifting);
    let residues = IntegerDeterminant::new()
        .method(IntegerMethod::Residues)
        .compute(&matrix)
        .unwrap();
    assert_eq!(residues.method, IntegerMethod::Residues);
    assert!(
        lifted.primes < 6 && residues.primes > 80,
        "{} and {}",
        lifted.primes,
        residues.primes
    );
    assert_eq!(lifted.value, residues.value);

    let mut singular = matrix;
    for j in 0..60 {
        singular[(7, j)] = &singular[(3, j)] - &singular[(5, j)];
    }
    let known = IntegerDeterminant::new()
        .method(IntegerMethod::Lifting)
        .compute(&singular)
        .unwrap();
    assert_eq!(
        (known.value, known.method),
        (Integer::ZERO, IntegerMethod::Residues)
    );
    assert!(known.proved);
}

/// Entries of 300 000 bits are not reduced modulo ten thousand primes.
#[test]
fn few_rows_of_long_entries() {
    for order in [1, 2, 3] {
        let matrix = DenseMatrix::from_fn(order, order, |i, j| {
            (Integer::ONE << 300_000) + Integer::from(1 + i * i * j)
        });
        let known = IntegerDeterminant::new().compute(&matrix).unwrap();
        assert_eq!(known.method, IntegerMethod::FractionFree);
        assert_eq!(known.value, by_gmp(&matrix), "order {order}");
    }
}

#[test]
fn primes_that_divide_the_determinant() {
    // The first primes that are used divide it, one of them each entry of a row.
    let prime = Integer::from(1_073_741_827);
    let mut matrix = random_integers(12, 1 << 20, &mut Random::new(5));
    for j in 0..12 {
        matrix[(0, j)] *= &prime;
        matrix[(3, j)] *= &prime * Integer::from(1_073_741_831);
    }
    check(&matrix, &by_gmp(&matrix), "unlucky primes");
}

#[test]
fn early_termination_is_labelled() {
    let matrix = DenseMatrix::from_fn(30, 30, |i, j| {
        Integer::from(i64::from(i == j)) * Integer::from(7)
            + Integer::from(i64::from(i < j)) * Integer::from(10).pow(20)
    });
    let known = IntegerDeterminant::new().early(3).compute(&matrix).unwrap();
    assert_eq!(known.value, Integer::from(7).pow(30));
    assert!(!known.proved && known.primes < 12, "{known:?}");
    // So few rows that all primes of a proof are needed before enough of them agree.
    let small = DenseMatrix::from_fn(2, 2, |i, j| Integer::from(i == j) << 40);
    let known = IntegerDeterminant::new().early(3).compute(&small).unwrap();
    assert!(
        known.proved && known.value == Integer::ONE << 80,
        "{known:?}"
    );
    let zero = DenseMatrix::from_fn(3, 3, |_, _| Integer::ZERO);
    assert!(
        IntegerDeterminant::new()
            .early(1)
            .compute(&zero)
            .unwrap()
            .proved
    );
}

/// The product of primes, some on the diagonal of a matrix of order n ≥ 2, which has ones elsewhere off it: entries that
/// hide nothing.
fn diagonal_of(primes: &[u64], order: usize) -> (DenseMatrix<Integer>, Integer) {
    let mut factors = vec![Integer::ONE; order];
    for (index, &prime) in primes.iter().enumerate() {
        factors[index % order] *= Integer::from(prime);
    }
    let product = factors.iter().fold(Integer::ONE, |product, x| product * x);
    let matrix = DenseMatrix::from_fn(order, order, |i, j| match i.cmp(&j) {
        std::cmp::Ordering::Equal => factors[i].clone(),
        std::cmp::Ordering::Less => Integer::from(10).pow(40),
        std::cmp::Ordering::Greater => Integer::ZERO,
    });
    (matrix, product)
}

#[test]
fn no_primes_in_a_fixed_order_deceive() {
    let least = (1 << 30..).filter(|&p| is_prime(p)).take(60);
    let least: Vec<u64> = least.collect();
    for order in [2, 10, 30] {
        let (matrix, product) = diagonal_of(&least, order);
        for seed in 0..20 {
            let known = IntegerDeterminant::new()
                .early(seed)
                .compute(&matrix)
                .unwrap();
            assert_eq!(known.value, product);
        }
    }
}

#[test]
fn primes_of_a_known_seed_deceive_it_alone() {
    let seed = 12_345;
    let drawn: Vec<u64> = PRIMES_31.draw(seed).take(20).collect();
    let (matrix, product) = diagonal_of(&drawn, 20);
    let known = |seed| {
        IntegerDeterminant::new()
            .early(seed)
            .compute(&matrix)
            .unwrap()
    };
    let deceived = known(seed);
    assert_eq!((deceived.value, deceived.proved), (Integer::ZERO, false));
    for other in [0, seed + 1, seed << 64, u128::MAX] {
        assert_eq!(known(other).value, product);
    }
}

#[test]
fn matrices_that_are_not_square() {
    let wide = DenseMatrix::from_fn(2, 3, |_, _| Integer::ONE);
    let shape = MatrixError::NotSquare {
        rows: 2,
        columns: 3,
    };
    assert_eq!(wide.determinant(), Err(shape.clone()));
    let known = IntegerDeterminant::new().compute(&wide);
    assert_eq!(known, Err(shape));
}

#[test]
fn threads_do_not_matter() {
    let matrix = random_integers(60, 1 << 40, &mut Random::new(9));
    let known = |threads| {
        on_threads(threads, || {
            METHODS.map(|method| IntegerDeterminant::new().method(method).compute(&matrix))
        })
    };
    assert_eq!(known(1), known(3));
}
