//! Fields without kernels of their own: all primes of a word, and one of two words, against GMP and the definitions.

use rug::Integer;
use sunzi_field::{Field, Fp64Full, Rows, ScalarKernels};
use sunzi_poly::{Algorithm, AnyLengthDft, CoefficientField, Poly, PolyRing, SubproductTree};
use sunzi_testkit::{Random, WidePrime, edge_residues, gmp_modulus, gmp_residue, value_at};

trait Scalar: CoefficientField<Kernels = ScalarKernels> + Rows {}
impl<F: CoefficientField<Kernels = ScalarKernels> + Rows> Scalar for F {}

/// Next to 2^63 and 2^64, and one with transforms of 2^32 points.
fn words() -> [Fp64Full; 3] {
    [(1 << 63) + 29, u64::MAX - 58, u64::MAX - (1 << 32) + 2]
        .map(|prime| Fp64Full::new(prime).unwrap())
}

/// The product by the definition, in integers of GMP.
fn expected<F: Field>(field: &F, a: &[F::Elem], b: &[F::Elem]) -> Vec<Integer> {
    let mut product = vec![Integer::new(); a.len() + b.len() - 1];
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            product[i + j] += gmp_residue(field, x) * gmp_residue(field, y);
        }
    }
    let modulus = gmp_modulus(field);
    product.into_iter().map(|sum| sum % &modulus).collect()
}

fn products<F: Scalar>(field: &F, edges: &[F::Elem], found_ways: usize) {
    let ring = PolyRing::new(field.clone());
    let mut random = Random::new(64);
    let mut operands = vec![edges.to_vec()];
    operands.extend([1, 2, 19, 37, 70].map(|len| random.elements(field, len)));
    for a in &operands {
        for b in &operands {
            let expected = expected(field, a, b);
            let mut ways = 0;
            for algorithm in Algorithm::ALL {
                if ring.plan_with(algorithm, a.len(), b.len()).is_err() {
                    continue;
                }
                ways += 1;
                let [x, y] = [a, b].map(|operand| Poly::new(operand.clone()));
                let product = ring.mul_with(algorithm, &x, &y).unwrap();
                let coefficient = |at: usize| product.coefficients().get(at).copied();
                for (at, expected) in expected.iter().enumerate() {
                    let found = coefficient(at).unwrap_or_default();
                    assert_eq!(gmp_residue(field, found), *expected, "{algorithm} {at}");
                }
                assert!(product.len() <= expected.len());
            }
            assert!(ways >= found_ways, "{ways}");
        }
    }
    let plan = |len| ring.plan(len, len).algorithm;
    assert_eq!(plan(19), Algorithm::Schoolbook);
    assert_eq!(plan(20), Algorithm::Karatsuba);
    let over_integers = match F::WIDTH {
        1 => Algorithm::CrtNtt,
        _ => Algorithm::Kronecker,
    };
    assert_eq!(plan(36), over_integers);
}

/// Division, common divisors, evaluation and interpolation, by what defines them.
fn algebra<F: Scalar>(field: &F, len: usize) {
    let ring = PolyRing::new(field.clone());
    let mut random = Random::new(len as u64);
    let mut polynomial = |len| Poly::new(random.elements(field, len));
    let [f, g, h] = [len, len / 2 + 1, len / 3 + 1].map(&mut polynomial);
    let (quotient, remainder) = ring.divrem(&f, &g).unwrap();
    assert!(remainder.len() < g.len());
    assert_eq!(ring.add(&ring.mul(&quotient, &g), &remainder), f);
    let [a, b] = [ring.mul(&f, &h), ring.mul(&g, &h)];
    let found = ring.xgcd(&a, &b).unwrap();
    let sum = ring.add(&ring.mul(&found.s, &a), &ring.mul(&found.t, &b));
    assert_eq!(sum, found.gcd);
    assert_eq!(found.gcd, ring.gcd(&a, &b).unwrap());
    for multiple in [&a, &b] {
        assert!(ring.divrem(multiple, &found.gcd).unwrap().1.is_zero());
    }
    assert!(ring.divrem(&found.gcd, &h).unwrap().1.is_zero());

    let points: Vec<_> = (0..len as u64).map(|i| field.from_u64(i * i + i)).collect();
    let tree = SubproductTree::new(&ring, &points).unwrap();
    let values = tree.evaluate(&f).unwrap();
    for (&point, &value) in points.iter().zip(&values) {
        assert_eq!(value, value_at(field, f.coefficients(), point));
    }
    assert_eq!(tree.interpolate(&values).unwrap(), f);
}

/// `X_j = Σ x_i·ω^{ij}`, and back.
fn transforms<F: Scalar>(field: &F, lens: &[usize]) {
    for &len in lens {
        let plan = AnyLengthDft::new(field, len).unwrap();
        let x = Random::new(len as u64).elements(field, len);
        let mut found = x.clone();
        plan.forward(&mut found).unwrap();
        let mut point = field.one();
        for &value in &found {
            assert_eq!(value, value_at(field, &x, point), "{len}");
            point = field.mul(point, plan.root_of_unity());
        }
        assert_eq!(point, field.one());
        plan.inverse(&mut found).unwrap();
        assert_eq!(found, x);
    }
}

#[test]
fn products_modulo_primes_of_a_word() {
    for field in words() {
        let prime = field.prime();
        let mut edges = edge_residues(prime);
        edges.extend([prime - 1, prime - 2, 1 << 32, 1 << 63]);
        // All but transforms over the field, which one has.
        let all = 4 + usize::from(prime == u64::MAX - (1 << 32) + 2);
        products(&field, &edges, all);
    }
}

#[test]
fn algebra_modulo_primes_of_a_word() {
    for field in words() {
        for len in [3, 20, 150] {
            algebra(&field, len);
        }
    }
}

#[test]
fn transforms_modulo_primes_of_a_word() {
    let [above, _, goldilocks] = words();
    transforms(&above, &[1, 2, 4]);
    transforms(&goldilocks, &[1, 2, 3, 5, 15, 17, 64, 257, 1 << 12]);
}

#[test]
fn a_prime_of_two_words() {
    let edges = [[0, 1], [1, 0], [u64::MAX - 1, u64::MAX >> 1], [0, 1 << 62]];
    products(&WidePrime, &edges, 3);
    algebra(&WidePrime, 40);
    transforms(&WidePrime, &[1, 2, 3, 7, 18, 126]);
}
