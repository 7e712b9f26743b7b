//! Composition, shifts, derivatives and reversals over Z against their definitions.

use crate::modular::common::{poly, product, random};
use sunzi_integer::Integer;
use sunzi_poly::{IntegerPolyRing, Poly, PolyError};

/// f(g) by the rule of Horner with schoolbook products.
fn composed(f: &Poly<Integer>, g: &Poly<Integer>) -> Poly<Integer> {
    let mut sum = Poly::zero();
    for coefficient in f.coefficients().iter().rev() {
        let mut shifted = product(&sum, g).into_coefficients();
        shifted.resize(shifted.len().max(1), Integer::ZERO);
        shifted[0] += coefficient;
        sum = Poly::new(shifted);
    }
    sum
}

fn operands() -> Vec<Poly<Integer>> {
    let mut operands = vec![
        Poly::zero(),
        poly(&[1]),
        poly(&[-7]),
        poly(&[0, 1]),
        poly(&[3, -1]),
        poly(&[0, 0, 1]),
        poly(&[0, 5, 0, -2]),
    ];
    let shapes = [
        (1, 64),
        (2, 1),
        (6, 40),
        (7, 3),
        (8, 65),
        (16, 5),
        (33, 200),
    ];
    operands.extend(shapes.map(|(degree, bits)| random(degree, bits, degree as u64)));
    operands
}

#[test]
fn compositions() {
    let ring = IntegerPolyRing::new();
    for f in operands() {
        for g in operands() {
            let found = ring.compose(&f, &g).unwrap();
            assert_eq!(found, composed(&f, &g), "{f} of {g}");
        }
        for a in [0, 1, -1, 12] {
            let shifted = ring.taylor_shift(&f, &a.into()).unwrap();
            assert_eq!(shifted, composed(&f, &poly(&[a, 1])), "{f} by {a}");
            let back = ring.taylor_shift(&shifted, &(-a).into()).unwrap();
            assert_eq!(back, f);
        }
    }
    let long = random(300, 100, 9);
    let shifted = ring.taylor_shift(&long, &Integer::from(-3)).unwrap();
    assert_eq!(shifted, composed(&long, &poly(&[-3, 1])));
}

#[test]
fn derivatives_and_reversals() {
    let ring = IntegerPolyRing::new();
    for f in operands() {
        let term = |i: usize| &f.coefficients()[i] * Integer::from(i);
        let expected = Poly::new((1..f.len()).map(term).collect());
        assert_eq!(ring.derivative(&f), expected);
        let reversed = ring.reverse(&f);
        for (i, x) in reversed.coefficients().iter().enumerate() {
            assert_eq!(*x, f.coefficients()[f.len() - 1 - i]);
        }
        let constant = f.coefficients().first();
        assert_eq!(reversed.len() < f.len(), constant == Some(&Integer::ZERO));
    }
}

#[test]
fn estimates_cover_results_and_refuse_what_fits_nowhere() {
    let ring = IntegerPolyRing::new();
    let bytes = |f: &Poly<Integer>| -> u64 {
        let words = |x: &Integer| x.magnitude().as_limbs().len() as u64;
        f.coefficients().iter().map(|x| 8 * words(x)).sum()
    };
    for f in operands() {
        for exponent in [0, 1, 2, 9] {
            assert!(bytes(&ring.pow(&f, exponent)) <= ring.pow_bytes(&f, exponent));
        }
        for g in operands() {
            let found = ring.compose(&f, &g).unwrap();
            assert!(bytes(&found) <= ring.compose_bytes(&f, &g));
        }
        assert!(ring.pow_bytes(&f, 10) < 1 << 24);
    }
    let x = poly(&[0, 1]);
    assert!(ring.pow_bytes(&x, u64::MAX) == u64::MAX);
    assert!(ring.pow_bytes(&poly(&[3]), u64::MAX) == u64::MAX);
    // Ones stay short, whatever the exponent.
    assert!(ring.pow_bytes(&poly(&[-1]), u64::MAX) < 1 << 10);
    let power = "x^16000000".parse().unwrap();
    let error = ring.compose(&power, &power).unwrap_err();
    assert!(matches!(error, PolyError::OutOfMemory(_)));
}
