//! Polynomials modulo primes: against definitions.

use crate::bytes::Bytes;
use sunzi::field::{Fp32, Fp64};
use sunzi::poly::{CoefficientField, Poly, PolyRing, SubproductTree};
use sunzi_testkit::convolution_mod;

/// Primes of several sizes, among them those whose roots of unity run out.
const PRIMES: [u64; 7] = [
    2_013_265_921,
    469_762_049,
    (1 << 31) - 1,
    3,
    97,
    (1 << 61) - 1,
    (1 << 60) - (1 << 18) + 1,
];

/// Coefficients that operands have at most: the definitions take the square of them.
const MOST: usize = 300;

pub fn run(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let prime = PRIMES[usize::from(bytes.byte()) % PRIMES.len()];
    match u32::try_from(prime) {
        Ok(small) => check(Fp32::new(small).expect("a prime"), prime, &mut bytes),
        Err(_) => check(Fp64::new(prime).expect("a prime"), prime, &mut bytes),
    }
}

fn check<F: CoefficientField>(field: F, prime: u64, bytes: &mut Bytes) {
    let ring = PolyRing::new(field);
    let residues = |limbs: Vec<u64>| -> Vec<u64> {
        let mut residues: Vec<u64> = limbs.into_iter().map(|limb| limb % prime).collect();
        while residues.last() == Some(&0) {
            residues.pop();
        }
        residues
    };
    // A common factor makes the greatest common divisor worth finding.
    let [a, b, c] = [MOST / 2, MOST / 2, 20].map(|most| residues(bytes.limbs(most)));
    let poly = |residues: &[u64]| {
        let field = ring.field();
        Poly::new(
            residues
                .iter()
                .map(|&residue| field.from_u64(residue))
                .collect(),
        )
    };
    let plain = |poly: &Poly<F::Elem>| -> Vec<u64> {
        let word = |&value: &F::Elem| {
            let value = ring.field().to_integer(value);
            u64::try_from(value).expect("a residue of a word")
        };
        poly.coefficients().iter().map(word).collect()
    };

    let ac = convolution_mod(&a, &c, prime);
    let bc = convolution_mod(&b, &c, prime);
    let (f, g) = (
        ring.mul(&poly(&a), &poly(&c)),
        ring.mul(&poly(&b), &poly(&c)),
    );
    assert_eq!((plain(&f), plain(&g)), (ac.clone(), bc.clone()));
    assert_eq!(plain(&ring.sqr(&f)), convolution_mod(&ac, &ac, prime));

    match ring.divrem(&f, &poly(&b)) {
        Ok((quotient, remainder)) => {
            let (quotient, remainder) = (plain(&quotient), plain(&remainder));
            assert!(remainder.len() < b.len());
            let product = convolution_mod(&quotient, &b, prime);
            assert_eq!(sum(&product, &remainder, prime), ac);
        }
        Err(_) => assert!(b.is_empty()),
    }

    let gcd = plain(&ring.gcd(&f, &g).expect("memory"));
    let (euclid, resultant) = euclid(&ac, &bc, prime);
    assert_eq!(gcd, euclid);
    let extended = ring.xgcd(&f, &g).expect("memory");
    assert_eq!(plain(&extended.gcd), gcd);
    let left = convolution_mod(&plain(&extended.s), &ac, prime);
    let right = convolution_mod(&plain(&extended.t), &bc, prime);
    assert_eq!(sum(&left, &right, prime), gcd);
    if !ac.is_empty() && !bc.is_empty() {
        let found = ring.resultant(&poly(&a), &poly(&b)).expect("memory");
        let (_, expected) = self::euclid(&a, &b, prime);
        assert_eq!(plain(&Poly::new(vec![found])), plain(&poly(&[expected])));
        let found = ring.resultant(&f, &g).expect("memory");
        assert_eq!(plain(&Poly::new(vec![found])), plain(&poly(&[resultant])));
    }

    let points: Vec<u64> = (0..bc.len() as u64)
        .filter(|&point| point < prime)
        .collect();
    let elements: Vec<_> = points
        .iter()
        .map(|&point| ring.field().from_u64(point))
        .collect();
    let tree = SubproductTree::new(&ring, &elements).expect("memory");
    let values = tree.evaluate(&f).expect("memory");
    for (&point, &value) in points.iter().zip(&values) {
        let expected = ac.iter().rev().fold(0u128, |value, &coefficient| {
            (value * u128::from(point) + u128::from(coefficient)) % u128::from(prime)
        });
        let value = u64::try_from(ring.field().to_integer(value)).expect("a word");
        assert_eq!(u128::from(value), expected);
    }
    if ac.len() <= points.len() {
        assert_eq!(
            plain(&tree.interpolate(&values).expect("points that differ")),
            ac
        );
    }
}

/// a + b, without zeros at the end.
fn sum(a: &[u64], b: &[u64], prime: u64) -> Vec<u64> {
    let at = |values: &[u64], index: usize| u128::from(values.get(index).copied().unwrap_or(0));
    let length = a.len().max(b.len());
    let sum = |index| ((at(a, index) + at(b, index)) % u128::from(prime)) as u64;
    trimmed((0..length).map(sum).collect())
}

fn trimmed(mut values: Vec<u64>) -> Vec<u64> {
    while values.last() == Some(&0) {
        values.pop();
    }
    values
}

/// The monic greatest common divisor, and the resultant of what is not 0, by Euclid's algorithm as it is taught.
fn euclid(a: &[u64], b: &[u64], prime: u64) -> (Vec<u64>, u64) {
    let mul = |x: u64, y: u64| (u128::from(x) * u128::from(y) % u128::from(prime)) as u64;
    let pow = |base: u64, exponent: u64| {
        let (mut power, mut square, mut left) = (1, base, exponent);
        while left > 0 {
            if left % 2 == 1 {
                power = mul(power, square);
            }
            square = mul(square, square);
            left /= 2;
        }
        power
    };
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    let mut resultant = 1;
    while let Some(&leading) = b.last() {
        let inverse = pow(leading, prime - 2);
        let mut rest = a.clone();
        while rest.len() >= b.len() {
            let shift = rest.len() - b.len();
            let factor = mul(rest[rest.len() - 1], inverse);
            for (index, &coefficient) in b.iter().enumerate() {
                let less = prime - mul(factor, coefficient);
                rest[shift + index] = ((u128::from(rest[shift + index]) + u128::from(less))
                    % u128::from(prime)) as u64;
            }
            rest = trimmed(rest);
        }
        // res(a, b) = (−1)^(deg a · deg b) lc(b)^(deg a − deg r) res(b, r)
        if let (Some(degree_a), degree_b) = (a.len().checked_sub(1), b.len() - 1) {
            if degree_a % 2 == 1 && degree_b % 2 == 1 {
                resultant = mul(resultant, prime - 1);
            }
            resultant = match rest.len() {
                0 if degree_b > 0 => 0,
                length => mul(
                    resultant,
                    pow(leading, (degree_a - length.saturating_sub(1)) as u64),
                ),
            };
        }
        a = std::mem::replace(&mut b, rest);
    }
    if let Some(&leading) = a.last() {
        let inverse = pow(leading, prime - 2);
        a.iter_mut().for_each(|value| *value = mul(*value, inverse));
    }
    (a, resultant)
}
