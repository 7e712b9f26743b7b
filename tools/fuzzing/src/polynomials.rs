//! Polynomials modulo primes: against GMP, definitions, and what proves an answer right.

use crate::bytes::Bytes;
use crate::pools::on_some_threads;
use sunzi::Natural;
use sunzi::{
    field::{Fp32, Fp64},
    poly::{Algorithm, CoefficientField, Poly, PolyRing, SubproductTree},
};
use sunzi_machine::Grain;
use sunzi_testkit::long_convolution_mod;

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

/// Coefficients that operands have at most: enough for all algorithms of products and greatest common divisors.
const MOST: usize = 1200;

/// Coefficients of a common factor at most.
const MOST_COMMON: usize = 100;

pub fn run(data: &[u8]) -> bool {
    let mut bytes = Bytes::new(data);
    let prime = PRIMES[usize::from(bytes.byte()) % PRIMES.len()];
    let (threads, grain) = (bytes.byte(), bytes.byte());
    let grain = match grain % 2 {
        0 => Grain::default(),
        // Whatever is cut is cut into pieces of one.
        _ => Grain::finer(usize::BITS),
    };
    // A common factor makes the greatest common divisor worth finding.
    let operands = [MOST, MOST, MOST_COMMON].map(|most| trimmed(bytes.residues(most, prime)));
    on_some_threads(threads, || match u32::try_from(prime) {
        Ok(small) => check(Fp32::new(small).expect("a prime"), prime, grain, &operands),
        Err(_) => check(Fp64::new(prime).expect("a prime"), prime, grain, &operands),
    });
    true
}

fn check<F: CoefficientField>(field: F, prime: u64, grain: Grain, [a, b, c]: &[Vec<u64>; 3]) {
    let ring = PolyRing::new(field).with_grain(grain);
    let field = ring.field();
    let element = |&residue: &u64| field.from_u64(residue);
    let poly = |residues: &[u64]| Poly::new(residues.iter().map(element).collect());
    let word = |&value: &F::Elem| {
        u64::try_from(field.to_integer::<Natural>(value)).expect("a residue of a word")
    };
    let plain =
        |poly: &Poly<F::Elem>| -> Vec<u64> { poly.coefficients().iter().map(word).collect() };
    let product = |a: &[u64], b: &[u64]| long_convolution_mod(a, b, prime);

    let [ac, bc] = [a, b].map(|factor| product(factor, c));
    let [f, g] = [a, b].map(|factor| ring.mul(&poly(factor), &poly(c)));
    assert_eq!((plain(&f), plain(&g)), (ac.clone(), bc.clone()));
    assert_eq!(plain(&ring.sqr(&f)), product(&ac, &ac));
    let ab = product(a, b);
    for algorithm in Algorithm::ALL {
        match ring.mul_with(algorithm, &poly(a), &poly(b)) {
            Ok(found) => assert_eq!(plain(&found), ab, "{algorithm}"),
            Err(error) => {
                let roots = 1 << (prime - 1).trailing_zeros();
                let short = algorithm == Algorithm::Ntt && a.len() + b.len() > roots;
                assert!(short, "{algorithm}: {error}");
            }
        }
    }

    match ring.divrem(&f, &poly(b)) {
        Ok((quotient, remainder)) => {
            let (quotient, remainder) = (plain(&quotient), plain(&remainder));
            assert!(remainder.len() < b.len());
            assert_eq!(sum(&product(&quotient, b), &remainder, prime), ac);
        }
        Err(_) => assert!(b.is_empty()),
    }

    let (common, resultant) = euclid(a, b, prime);
    let gcd = monic(&product(&common, c), prime);
    assert_eq!(plain(&ring.gcd(&f, &g).expect("memory")), gcd);
    let extended = ring.xgcd(&f, &g).expect("memory");
    assert_eq!(plain(&extended.gcd), gcd);
    let left = product(&plain(&extended.s), &ac);
    let right = product(&plain(&extended.t), &bc);
    assert_eq!(sum(&left, &right, prime), gcd);
    if !ac.is_empty() && !bc.is_empty() {
        let found = ring.resultant(&poly(a), &poly(b)).expect("memory");
        assert_eq!(word(&found), resultant);
        // A common root makes it zero; of a constant, every root of f and of g takes a factor.
        let expected = match c[..] {
            [constant] => {
                let degrees = (a.len() + b.len() - 2) as u64;
                mul(pow(constant, degrees, prime), resultant, prime)
            }
            _ => 0,
        };
        let found = ring.resultant(&f, &g).expect("memory");
        assert_eq!(word(&found), expected);
    }

    let points: Vec<u64> = (0..bc.len() as u64)
        .filter(|&point| point < prime)
        .collect();
    let elements: Vec<_> = points.iter().map(element).collect();
    let tree = SubproductTree::new(&ring, &elements).expect("memory");
    let values = tree.evaluate(&f).expect("memory");
    let found: Vec<u64> = values.iter().map(word).collect();
    let horner = |&point: &u64| {
        let from_top = ac.iter().rev();
        from_top.fold(0, |value, &coefficient| {
            add(mul(value, point, prime), coefficient, prime)
        })
    };
    let expected: Vec<u64> = points.iter().map(horner).collect();
    assert_eq!(found, expected);
    if ac.len() <= points.len() {
        let interpolated = tree.interpolate(&values).expect("points that differ");
        assert_eq!(plain(&interpolated), ac);
    }
}

/// a + b of residues.
fn add(a: u64, b: u64, prime: u64) -> u64 {
    // Below 2^62.
    let sum = a + b;
    if sum < prime { sum } else { sum - prime }
}

/// a·b of residues.
fn mul(a: u64, b: u64, prime: u64) -> u64 {
    match prime >> 32 {
        0 => a * b % prime,
        _ => (u128::from(a) * u128::from(b) % u128::from(prime)) as u64,
    }
}

fn pow(base: u64, exponent: u64, prime: u64) -> u64 {
    let (mut power, mut square, mut left) = (1, base, exponent);
    while left > 0 {
        if left % 2 == 1 {
            power = mul(power, square, prime);
        }
        square = mul(square, square, prime);
        left /= 2;
    }
    power
}

/// a + b of polynomials, without zeros at the end.
fn sum(a: &[u64], b: &[u64], prime: u64) -> Vec<u64> {
    let at = |values: &[u64], index: usize| values.get(index).copied().unwrap_or(0);
    let length = a.len().max(b.len());
    let sum = |index| add(at(a, index), at(b, index), prime);
    trimmed((0..length).map(sum).collect())
}

/// The multiple with leading coefficient 1.
fn monic(a: &[u64], prime: u64) -> Vec<u64> {
    let inverse = a
        .last()
        .map_or(0, |&leading| pow(leading, prime - 2, prime));
    a.iter().map(|&value| mul(value, inverse, prime)).collect()
}

fn trimmed(mut values: Vec<u64>) -> Vec<u64> {
    while values.last() == Some(&0) {
        values.pop();
    }
    values
}

/// A greatest common divisor, and the resultant of what is not 0, by Euclid's algorithm as it is taught.
fn euclid(a: &[u64], b: &[u64], prime: u64) -> (Vec<u64>, u64) {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    let mut resultant = 1;
    while let Some(&leading) = b.last() {
        let inverse = pow(leading, prime - 2, prime);
        let mut rest = a.clone();
        while rest.len() >= b.len() {
            let shift = rest.len() - b.len();
            let factor = prime - mul(rest[rest.len() - 1], inverse, prime);
            for (value, &coefficient) in rest[shift..].iter_mut().zip(&b) {
                *value = add(*value, mul(factor, coefficient, prime), prime);
            }
            rest = trimmed(rest);
        }
        // res(a, b) = (−1)^(deg a · deg b) lc(b)^(deg a − deg r) res(b, r)
        if let (Some(degree_a), degree_b) = (a.len().checked_sub(1), b.len() - 1) {
            if degree_a % 2 == 1 && degree_b % 2 == 1 {
                resultant = mul(resultant, prime - 1, prime);
            }
            resultant = match rest.len() {
                0 if degree_b > 0 => 0,
                length => {
                    let fallen = degree_a - length.saturating_sub(1);
                    mul(resultant, pow(leading, fallen as u64, prime), prime)
                }
            };
        }
        a = std::mem::replace(&mut b, rest);
    }
    (a, resultant)
}
