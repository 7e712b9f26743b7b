//! Remainders by many polynomials, and Chinese remaindering, against the definitions.

use crate::common::{
    distinct, long_transforms, product_of_points, random_poly, remainder, short_transforms,
};
use proptest::prelude::*;
use sunzi_field::{Field, Fp32, Fp64};
use sunzi_poly::{CoefficientField, Poly, PolyError, PolyRing, RemainderTree};
use sunzi_testkit::{Random, convolution_over, on_threads, value_at};

/// The product by definition, and the remainders of polynomials of several lengths.
fn check_remainders<F: CoefficientField>(
    field: &F,
    moduli: &[Poly<F::Elem>],
    tree: &RemainderTree<F>,
) {
    let one = vec![field.one()];
    let factors = moduli.iter().map(Poly::coefficients);
    let whole = factors.fold(one, |sum, factor| convolution_over(field, &sum, factor));
    let n = whole.len() - 1;
    assert_eq!(tree.product(), Poly::new(whole));
    assert_eq!((tree.degree(), tree.len()), (n, moduli.len()));
    for len in [0, 1, n / 2, n.saturating_sub(1), n, n + 1, 2 * n + 7] {
        let f = Poly::new(Random::new(len as u64).elements(field, len));
        let found = tree.remainders(&f).unwrap();
        assert_eq!(found.len(), moduli.len());
        for (found, modulus) in found.iter().zip(moduli) {
            let expected = remainder(field, f.coefficients(), modulus.coefficients());
            assert_eq!(*found, expected, "{len} coefficients, {n} degrees");
        }
    }
}

/// There and back, for coprime moduli.
fn check_combination<F: CoefficientField>(
    field: &F,
    moduli: &[Poly<F::Elem>],
    tree: &RemainderTree<F>,
) {
    let n = tree.degree();
    for len in [0, 1.min(n), n / 2, n] {
        let f = Poly::new(Random::new(3 + len as u64).elements(field, len));
        let parts: Vec<_> = moduli
            .iter()
            .map(|modulus| remainder(field, f.coefficients(), modulus.coefficients()))
            .collect();
        assert_eq!(tree.combine(&parts).unwrap(), f, "{len} of {n}");
    }
}

/// Coprime moduli: products of points that no two of them share, each times a constant.
fn coprime<F: Field>(field: &F, degrees: &[usize]) -> Vec<Poly<F::Elem>> {
    let points = distinct(field, degrees.iter().sum());
    let mut rest = &points[..];
    let mut modulus = |(index, &degree): (usize, &usize)| {
        let (own, others) = rest.split_at(degree);
        rest = others;
        let factor = field.from_u64(index as u64 % 2 + 1);
        Poly::new(convolution_over(
            field,
            &product_of_points(field, own),
            &[factor],
        ))
    };
    degrees.iter().enumerate().map(&mut modulus).collect()
}

/// Degrees of moduli: equal, mixed, one much greater than the others in every place.
fn shapes(scale: usize) -> Vec<Vec<usize>> {
    let mut shapes = vec![
        vec![],
        vec![1],
        vec![scale],
        vec![1, scale],
        vec![scale, 1],
        vec![scale, scale],
        vec![scale; 7],
        vec![3 * scale, 1, 1, 2, 1, 1, 1],
        vec![1, 1, 2, 3 * scale, 1, 1, 1],
        vec![1, 2, 1, 1, 1, 1, 3 * scale],
        (1..=scale.min(24)).collect(),
        (1..=scale.min(24)).rev().collect(),
        (0..8).map(|i| 1 << i).take_while(|&d| d <= scale).collect(),
    ];
    shapes.extend((2..20).map(|count| vec![1; count]));
    shapes
}

fn battery<F: CoefficientField>(field: F, scale: usize) {
    let ring = PolyRing::new(field);
    let field = ring.field();
    for (seed, degrees) in shapes(scale).into_iter().enumerate() {
        let moduli = coprime(field, &degrees);
        let tree = RemainderTree::new(&ring, &moduli).unwrap();
        check_remainders(field, &moduli, &tree);
        check_combination(field, &moduli, &tree);
        // Any polynomials have remainders, whether they are coprime or not.
        let any = |(index, &degree): (usize, &usize)| {
            random_poly(field, (seed + 100 * index) as u64, degree)
        };
        let moduli: Vec<_> = degrees.iter().enumerate().map(any).collect();
        let tree = RemainderTree::new(&ring, &moduli).unwrap();
        check_remainders(field, &moduli, &tree);
    }
}

#[test]
fn short_moduli_over_every_field() {
    battery(Fp32::new(469_762_049).unwrap(), 9);
    battery(Fp32::new(2_147_483_647).unwrap(), 9);
    battery(Fp64::new((1 << 60) - (1 << 18) + 1).unwrap(), 9);
    battery(Fp64::new((1 << 63) - 25).unwrap(), 9);
    battery(long_transforms(), 3);
    battery(short_transforms(), 3);
    battery(Fp32::new(12_289).unwrap(), 9);
}

#[test]
fn moduli_long_enough_for_transforms() {
    battery(Fp32::new(469_762_049).unwrap(), 128);
    battery(Fp64::new((1 << 60) - (1 << 18) + 1).unwrap(), 200);
    battery(Fp32::new(2_147_483_647).unwrap(), 300);
    battery(Fp64::new((1 << 63) - 25).unwrap(), 256);
    battery(long_transforms(), 30);
    battery(short_transforms(), 30);
    // Transforms of the field up to 512 points, and over several primes beyond.
    battery(Fp32::new(7681).unwrap(), 200);
}

#[test]
fn powers_of_irreducible_polynomials_modulo_3() {
    let ring = PolyRing::new(Fp32::new(3).unwrap());
    let irreducible = [
        vec![0, 1],
        vec![1, 1],
        vec![2, 2], // 2(x + 1)
        vec![2, 1],
        vec![1, 0, 1],
        vec![2, 1, 1],
        vec![2, 2, 1],
    ];
    let power = |f: &[u32], exponent| {
        let factors = std::iter::repeat_n(f, exponent);
        factors.fold(vec![1], |sum, factor| {
            convolution_over(ring.field(), &sum, factor)
        })
    };
    for exponent in [1, 2, 5, 100] {
        let all: Vec<_> = irreducible
            .iter()
            .map(|f| Poly::new(power(f, exponent)))
            .collect();
        let tree = RemainderTree::new(&ring, &all).unwrap();
        check_remainders(ring.field(), &all, &tree);
        let zeros = vec![Poly::zero(); all.len()];
        let (first, second) = (1, 2);
        let error = tree.combine(&zeros).unwrap_err();
        assert_eq!(error, PolyError::CommonFactor { first, second });
        let coprime = [&all[..2], &all[3..]].concat();
        let tree = RemainderTree::new(&ring, &coprime).unwrap();
        check_combination(ring.field(), &coprime, &tree);
    }
}

#[test]
fn moduli_with_a_common_factor_are_named() {
    let ring = PolyRing::new(Fp32::new(469_762_049).unwrap());
    for (degree, count) in [(1, 5), (3, 40), (200, 6)] {
        let moduli = coprime(ring.field(), &vec![degree; count]);
        for (first, second) in [(0, 1), (1, count - 1), (0, count - 1), (2, 3)] {
            // One more factor, in common with an earlier modulus; and the same modulus twice.
            let shared = ring.mul(&moduli[first], &moduli[second]);
            for other in [shared, moduli[first].clone()] {
                let mut moduli = moduli.clone();
                moduli[second] = other;
                let tree = RemainderTree::new(&ring, &moduli).unwrap();
                let error = tree.combine(&vec![Poly::zero(); count]).unwrap_err();
                assert_eq!(error, PolyError::CommonFactor { first, second });
                check_remainders(ring.field(), &moduli, &tree);
            }
        }
        // Three with the same factor: the first two are named.
        let mut moduli = moduli;
        moduli[4] = moduli[1].clone();
        moduli[3] = moduli[1].clone();
        let tree = RemainderTree::new(&ring, &moduli).unwrap();
        let error = tree.combine(&vec![Poly::zero(); count]).unwrap_err();
        let (first, second) = (1, 3);
        assert_eq!(error, PolyError::CommonFactor { first, second });
        assert!(error.to_string().contains("moduli 1 and 3"));
    }
}

#[test]
fn longer_remainders_are_reduced() {
    let ring = PolyRing::new(Fp32::new(469_762_049).unwrap());
    let moduli = coprime(ring.field(), &[3, 1, 5, 200]);
    let tree = RemainderTree::new(&ring, &moduli).unwrap();
    for len in [10, 209, 210, 1000] {
        let f = Poly::new(Random::new(1).elements(ring.field(), len));
        let expected = remainder(
            ring.field(),
            f.coefficients(),
            tree.product().coefficients(),
        );
        assert_eq!(tree.combine(&vec![f; 4]).unwrap(), expected);
    }
}

#[test]
fn linear_moduli_give_values() {
    let ring = PolyRing::new(Fp64::new((1 << 60) - (1 << 18) + 1).unwrap());
    let points = distinct(ring.field(), 777);
    let linear = |&u: &u64| Poly::new(vec![ring.field().neg(u), 1]);
    let moduli: Vec<_> = points.iter().map(linear).collect();
    let tree = RemainderTree::new(&ring, &moduli).unwrap();
    let f = Poly::new(Random::new(5).elements(ring.field(), 777));
    let remainders = tree.remainders(&f).unwrap();
    for (remainder, &point) in remainders.iter().zip(&points) {
        let value = value_at(ring.field(), f.coefficients(), point);
        assert_eq!(*remainder, Poly::new(vec![value]));
    }
    assert_eq!(tree.combine(&remainders).unwrap(), f);
}

#[test]
fn wrong_input_is_refused() {
    let ring = PolyRing::new(Fp32::new(101).unwrap());
    let linear = Poly::new(vec![1, 1]);
    for constant in [Poly::zero(), Poly::new(vec![5])] {
        let moduli = [linear.clone(), constant];
        let error = RemainderTree::new(&ring, &moduli).unwrap_err();
        assert_eq!(error, PolyError::ConstantModulus { index: 1 });
    }
    let tree = RemainderTree::new(&ring, &[linear]).unwrap();
    let error = tree.combine(&[]).unwrap_err();
    let (moduli, remainders) = (1, 0);
    assert_eq!(error, PolyError::RemainderCount { moduli, remainders });
    let empty = RemainderTree::new(&ring, &[]).unwrap();
    assert!(empty.is_empty() && empty.combine(&[]).unwrap().is_zero());
    assert_eq!(empty.product().coefficients(), [1]);
}

#[test]
fn long_trees_on_several_threads() {
    let ring = PolyRing::new(Fp32::new(469_762_049).unwrap());
    let degrees: Vec<usize> = (0..300).map(|i| i * i % 97 + 1).collect();
    let moduli = coprime(ring.field(), &degrees);
    let f = Poly::new(Random::new(1).elements(ring.field(), 20_000));
    let run = |threads: usize| {
        on_threads(threads, || {
            let tree = RemainderTree::new(&ring, &moduli).unwrap();
            let remainders = tree.remainders(&f).unwrap();
            let back = tree.combine(&remainders).unwrap();
            (remainders, back, tree.product())
        })
    };
    let (remainders, back, whole) = run(1);
    for (found, modulus) in remainders.iter().zip(&moduli) {
        let expected = remainder(ring.field(), f.coefficients(), modulus.coefficients());
        assert_eq!(*found, expected);
    }
    let expected = remainder(ring.field(), f.coefficients(), whole.coefficients());
    assert_eq!(back, expected);
    assert_eq!((remainders, back, whole), run(3));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn remainders_multiply(
        seed: u64,
        degrees in prop::collection::vec(1usize..150, 1..12),
        lengths in (1usize..700, 1usize..700),
    ) {
        let ring = PolyRing::new(Fp64::new((1 << 60) - (1 << 18) + 1).unwrap());
        let field = ring.field();
        let any = |(index, &degree): (usize, &usize)| {
            random_poly(field, seed ^ index as u64, degree)
        };
        let moduli: Vec<_> = degrees.iter().enumerate().map(any).collect();
        let tree = RemainderTree::new(&ring, &moduli).unwrap();
        let a = Poly::new(Random::new(seed ^ 77).elements(field, lengths.0));
        let b = Poly::new(Random::new(seed ^ 78).elements(field, lengths.1));
        let found = tree.remainders_all(&[a.clone(), b.clone(), ring.mul(&a, &b)]).unwrap();
        for (i, modulus) in moduli.iter().enumerate() {
            let expected = convolution_over(field, found[0][i].coefficients(), found[1][i].coefficients());
            let expected = remainder(field, &expected, modulus.coefficients());
            prop_assert_eq!(&found[2][i], &expected);
        }
    }
}
