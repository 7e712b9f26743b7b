//! Square-free factors and discriminants over fields, also of characteristics up to the degree.

use crate::common::random_poly;
use crate::modular::common::{random, sylvester};
use sunzi_field::{Field, Fp32, Fp64};
use sunzi_integer::Integer;
use sunzi_poly::{
    CoefficientField, IntegerPolyRing, IntegerResultant, Poly, PolyError, PolyRing, discriminant,
};

/// Checks all that determines the factors.
fn check<F: CoefficientField>(ring: &PolyRing<F>, f: &Poly<F::Elem>) -> Vec<(usize, usize)>
where
    F::Elem: std::fmt::Debug,
{
    let found = ring.square_free(f).unwrap();
    let mut product = Poly::new(vec![found.leading]);
    for (factor, multiplicity) in &found.factors {
        assert!(factor.len() > 1);
        assert_eq!(factor.coefficients().last(), Some(&ring.field().one()));
        let common = ring.gcd(factor, &ring.derivative(factor)).unwrap();
        assert_eq!(common.len(), 1, "a factor has a square");
        product = ring.mul(&product, &ring.pow(factor, *multiplicity as u64));
    }
    assert_eq!(product, *f);
    for (index, (factor, multiplicity)) in found.factors.iter().enumerate() {
        for (other, greater) in &found.factors[index + 1..] {
            assert!(multiplicity < greater);
            assert_eq!(ring.gcd(factor, other).unwrap().len(), 1);
        }
    }
    let shapes = found.factors.iter();
    shapes
        .map(|(factor, power)| (factor.len() - 1, *power))
        .collect()
}

/// The product of powers of x − a, by the numbers a.
fn powers<F: CoefficientField>(ring: &PolyRing<F>, exponents: &[u64]) -> Poly<F::Elem> {
    let field = ring.field();
    let mut product = Poly::new(vec![field.from_u64(2)]);
    for (root, &exponent) in exponents.iter().enumerate() {
        let factor = vec![field.neg(field.from_u64(root as u64)), field.one()];
        product = ring.mul(&product, &ring.pow(&Poly::new(factor), exponent));
    }
    product
}

/// By ascending multiplicity, how many of the exponents are it.
fn counted(exponents: &[u64]) -> Vec<(usize, usize)> {
    let mut sorted: Vec<usize> = exponents.iter().map(|&e| e as usize).collect();
    sorted.retain(|&e| e > 0);
    sorted.sort_unstable();
    let groups = sorted.chunk_by(|a, b| a == b);
    groups.map(|group| (group.len(), group[0])).collect()
}

#[test]
fn multiplicities_on_both_sides_of_the_characteristic() {
    fn all<F: CoefficientField>(ring: &PolyRing<F>)
    where
        F::Elem: std::fmt::Debug,
    {
        for exponents in [
            &[][..],
            &[0, 1],
            &[1, 1, 1],
            &[3],
            &[9, 3, 1],
            &[2, 5, 4],
            &[6, 7, 8],
            &[10, 13, 9],
            &[27, 28, 54],
            &[1, 4, 7],
            &[25, 26, 50],
            &[125, 3, 250],
        ] {
            let f = powers(ring, exponents);
            assert_eq!(check(ring, &f), counted(exponents), "{exponents:?}");
        }
    }
    for prime in [3, 5, 7, 11, 101, 469_762_049] {
        all(&PolyRing::new(Fp32::new(prime).unwrap()));
    }
    all(&PolyRing::new(
        Fp64::new((1 << 60) - (1 << 18) + 1).unwrap(),
    ));
    all(&PolyRing::new(crate::common::short_transforms()));
}

#[test]
fn factors_of_any_degree() {
    for prime in [3, 5, 101] {
        let ring = PolyRing::new(Fp32::new(prime).unwrap());
        for seed in 0..20 {
            let degrees = [seed as usize % 4 + 1, 3, 2];
            let mut f = random_poly(ring.field(), seed, 5);
            for (index, degree) in degrees.into_iter().enumerate() {
                let factor = random_poly(ring.field(), 100 * seed + index as u64, degree);
                f = ring.mul(&f, &ring.pow(&factor, 1 + (seed + 2 * index as u64) % 7));
            }
            check(&ring, &f);
        }
        // Coefficients of x^p and of its powers alone.
        let f = ring.parse("x^405 + x^135 + 1").unwrap();
        check(&ring, &f);
    }
    let ring = PolyRing::new(Fp32::new(5).unwrap());
    assert_eq!(ring.square_free(&Poly::zero()), Err(PolyError::EveryFactor));
    let constant = ring.square_free(&Poly::new(vec![3])).unwrap();
    assert_eq!((constant.leading, constant.factors), (3, Vec::new()));
}

#[test]
fn discriminants_are_those_over_the_integers() {
    let integers = IntegerPolyRing::new();
    for prime in [3u32, 5, 7, 11, 469_762_049] {
        let ring = PolyRing::new(Fp32::new(prime).unwrap());
        for degree in 0..14 {
            for seed in 0..4 {
                let mut f = random(degree, 20, 50 * seed + degree as u64).into_coefficients();
                if &f[degree] % Integer::from(prime) == Integer::ZERO {
                    f[degree] += Integer::ONE;
                }
                if seed == 3 {
                    f[..degree].fill(Integer::ZERO);
                }
                let f = Poly::new(f);
                let exact = discriminant(&f).unwrap();
                let image = f
                    .coefficients()
                    .iter()
                    .map(|x| ring.field().from_integer(x));
                let found = ring.discriminant(&Poly::new(image.collect())).unwrap();
                assert_eq!(found, ring.field().from_integer(&exact), "{prime}: {f}");
                if degree > 0 {
                    let resultant = sylvester(&f, &integers.derivative(&f));
                    let sign = if degree % 4 >= 2 {
                        -Integer::ONE
                    } else {
                        Integer::ONE
                    };
                    assert_eq!(&exact * &f[degree], sign * resultant);
                }
                let known = IntegerResultant::new().discriminant(&f).unwrap();
                assert!(known.proved && known.value == exact);
            }
        }
        let zero = ring.discriminant(&Poly::zero()).unwrap();
        assert_eq!(zero, 0);
    }
}
