//! Determinants, systems and products at the sizes from which threads share them, on several numbers of threads,
//! against determinants and solutions that are known.

use sunzi_field::{Field, Fp32, Fp64, GeneralizedFermat};
use sunzi_integer::Integer;
use sunzi_linalg::DenseMatrix;
use sunzi_linalg::dense::condensation::{Variant, determinant_by};
use sunzi_linalg::dense::{
    Decomposition, IntegerDeterminant, IntegerMethod, MatrixField, unblocked,
};
use sunzi_linalg::float::{self, Pivoting};
use sunzi_testkit::{Random, on_every_thread_count};

/// A full unit lower triangle times an upper one of four diagonals, rows in reverse, with its determinant; −1 wherever
/// it is `greatest`.
fn known<F: Field>(field: &F, n: usize, greatest: bool) -> (DenseMatrix<F::Elem>, F::Elem) {
    let mut random = Random::new(n as u64);
    let mut entry = || match greatest {
        true => field.from_i64(-1),
        false => field.from_u64(1 + random.word() / 2),
    };
    let lower = DenseMatrix::from_fn(n, n, |i, j| match i.cmp(&j) {
        std::cmp::Ordering::Greater => entry(),
        std::cmp::Ordering::Equal => field.one(),
        std::cmp::Ordering::Less => field.zero(),
    });
    let upper = DenseMatrix::from_fn(n, n, |i, j| match j.wrapping_sub(i) {
        0..4 => entry(),
        _ => field.zero(),
    });
    let product = |i: usize, j: usize| {
        let terms = j.saturating_sub(3)..=j.min(i);
        terms.fold(field.zero(), |sum, k| {
            field.add(sum, field.mul(lower[(i, k)], upper[(k, j)]))
        })
    };
    let matrix = DenseMatrix::from_fn(n, n, |i, j| product(n - 1 - i, j));
    let determinant = (0..n).fold(field.one(), |product, i| field.mul(product, upper[(i, i)]));
    // Reversal exchanges ⌊n/2⌋ pairs.
    let determinant = match n / 2 % 2 {
        0 => determinant,
        _ => field.neg(determinant),
    };
    (matrix, determinant)
}

fn check<F: MatrixField>(field: &F, orders: impl IntoIterator<Item = usize>)
where
    F::Elem: std::fmt::Debug,
{
    for n in orders {
        for greatest in [false, true] {
            let (matrix, expected) = known(field, n, greatest);
            let ones = DenseMatrix::from_fn(n, 1, |i, _| field.from_u64(i as u64));
            let right = DenseMatrix::from_fn(n, 1, |i, _| {
                (0..n).fold(field.zero(), |sum, j| {
                    field.add(sum, field.mul(matrix[(i, j)], ones[(j, 0)]))
                })
            });
            on_every_thread_count(|threads| {
                let case = format!(
                    "order {n}, {threads} threads, modulo {}",
                    field.modulus::<sunzi_integer::Natural>()
                );
                for variant in Variant::ALL {
                    let found = determinant_by(variant, field, &matrix).unwrap();
                    assert_eq!(found, expected, "{variant:?}, {case}");
                }
                assert_eq!(
                    unblocked::determinant(field, &matrix),
                    Ok(expected),
                    "{case}"
                );
                let decomposition = Decomposition::new(field, matrix.clone());
                assert_eq!(decomposition.determinant(), Ok(expected), "{case}");
                assert_eq!(decomposition.rank(), n, "{case}");
                assert_eq!(decomposition.solve(&right).unwrap(), ones, "{case}");
            });
        }
    }
}

#[test]
fn methods_modulo_primes() {
    // Threads share steps on 2^17 bytes, and products of 2^18 residues.
    check(&Fp64::new((1 << 63) - 25).unwrap(), [1, 2, 129, 130, 131]);
    check(&Fp32::new(2_147_483_647).unwrap(), [2, 183]);
    let p4 = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11)).unwrap();
    check(&p4, [2, 65, 66]);
}

#[test]
fn integers() {
    // 65 primes and more: a group of 64, and what is left.
    let n = 30;
    let top = (Integer::ONE << 80) - Integer::ONE;
    let entry = |i: usize, j: usize| match (i.cmp(&j), (i + j) % 3) {
        (std::cmp::Ordering::Equal, _) => top.clone(),
        (std::cmp::Ordering::Less, 0) => Integer::ONE << 80,
        (std::cmp::Ordering::Less, _) => -top.clone(),
        _ => Integer::ZERO,
    };
    let triangle = DenseMatrix::from_fn(n, n, entry);
    // Each row less the one above it: the determinant stays.
    let matrix = DenseMatrix::from_fn(n, n, |i, j| match i {
        0 => triangle[(0, j)].clone(),
        _ => &triangle[(i, j)] - &triangle[(i - 1, j)],
    });
    let expected = top.pow(n);
    on_every_thread_count(|threads| {
        for method in [
            IntegerMethod::Residues,
            IntegerMethod::Lifting,
            IntegerMethod::FractionFree,
            IntegerMethod::TwoAdic,
        ] {
            let found = IntegerDeterminant::new()
                .method(method)
                .compute(&matrix)
                .unwrap();
            let groups = method != IntegerMethod::Residues || found.primes > 64;
            assert!(groups, "{} primes", found.primes);
            assert_eq!(
                (found.value, found.proved),
                (expected.clone(), true),
                "{method}, {threads} threads"
            );
        }
        assert_eq!(matrix.determinant().unwrap(), expected);
    });
}

#[test]
fn doubles() {
    // Steps on 2^15 entries are shared: from order 182 on. This matrix has determinant 1.
    for n in [1, 2, 181, 182, 183] {
        let matrix = DenseMatrix::from_fn(n, n, |i, j| (i.min(j) + 1) as f64);
        for pivoting in Pivoting::ALL {
            let found = std::sync::Mutex::new(Vec::new());
            on_every_thread_count(|_| {
                let determinant = float::determinant_by(pivoting, &matrix).unwrap();
                assert!(
                    (determinant.to_f64() - 1.0).abs() < 1e-9,
                    "{n}: {}",
                    determinant.to_f64()
                );
                let factors = determinant.factors().iter().map(|factor| factor.to_bits());
                found.lock().unwrap().push(factors.collect::<Vec<_>>());
            });
            let found = found.into_inner().unwrap();
            assert!(
                found.iter().all(|factors| *factors == found[0]),
                "order {n}"
            );
        }
    }
}
