//! Linear factors of dyadic roots, split off before roots are isolated.
//!
//! **Problem.** Of a square-free f over Z the roots m/2^t, where t bounds the power of two in denominators, as far as |m| is of
//! a word: they are points, and what is left is easier to isolate. Not all of them need be found: isolation finds the others.
//! **Algorithm.** The m are integral roots of g(u) = 2^(tn)·f(u/2^t). A prime p above n has room for their images: simple roots
//! modulo p, found by trying all, are lifted by Newton's iteration modulo a power of p above twice the bound of roots (R. Loos,
//! *Computing rational zeros of integral polynomials by p-adic expansion*, 1983). A word prime sorts out candidates that are
//! none. **Proof.** The product of the factors divides f. **Cost.** n·p products modulo p in vector lanes, and O(n) modulo a word
//! for each candidate, of which a random f has one.

use super::dyadic::Dyadic;
use super::sign::Evaluator;
use sunzi_field::primality::is_prime;
use sunzi_field::{Field, Fp32, WordModulus};
use sunzi_integer::Integer;
use sunzi_poly::{IntegerPolyRing, Poly};

/// Candidates of more bits are left to isolation; a power of a prime of a few bits is above all others.
const BITS: i64 = 56;
/// The prime that sorts out: 2^61 − 1.
const CHECK: u64 = (1 << 61) - 1;
/// Primes are above this, so that few values of a polynomial of low degree vanish at random.
const LEAST_PRIME: u64 = 64;

/// Dyadic roots of a square-free polynomial, and the polynomial without them.
pub fn split(f: Evaluator) -> (Vec<Dyadic>, Evaluator) {
    let found = candidates(&f);
    if found.is_empty() {
        return (found, f);
    }
    let ring = IntegerPolyRing::new();
    let mut factors: Vec<Poly<Integer>> = found.iter().map(linear).collect();
    while factors.len() > 1 {
        let product = |pair: &[Poly<Integer>]| match pair {
            [a, b] => ring.mul(a, b),
            rest => rest[0].clone(),
        };
        factors = factors.chunks(2).map(product).collect();
    }
    match ring.div_exact(f.polynomial(), &factors[0]) {
        Ok(rest) => (found, Evaluator::new(rest)),
        // A candidate that is no root slipped through.
        Err(_) => (Vec::new(), f),
    }
}

/// The primitive linear polynomial that has this root.
pub fn linear(root: &Dyadic) -> Poly<Integer> {
    let shift = root.exponent().unsigned_abs() as usize;
    match root.exponent() >= 0 {
        true => Poly::new(vec![-(root.mantissa() << shift), Integer::ONE]),
        false => Poly::new(vec![-root.mantissa(), Integer::ONE << shift]),
    }
}

/// Numbers that very probably are roots, ascending.
fn candidates(f: &Evaluator) -> Vec<Dyadic> {
    let coefficients = f.polynomial().coefficients();
    let twos = f.twos().max(0);
    // Bits of |u|, and one for its sign.
    let bits = (f.magnitude() + twos + 1).max(1);
    if coefficients.len() < 2 || bits > BITS {
        return Vec::new();
    }
    let Some(field) = small_prime(coefficients) else {
        return Vec::new();
    };
    let prime = u64::from(field.prime());
    let scaled = |modulus: &WordModulus| scaled_residues(coefficients, twos as u64, modulus);
    let points: Vec<u32> = (0..field.prime()).collect();
    let mut values = vec![0; points.len()];
    let residues = scaled(&WordModulus::new(prime));
    let residues: Vec<u32> = residues.into_iter().map(|residue| residue as u32).collect();
    field.evaluate_slice(&mut values, &residues, &points);

    let mut power = prime;
    while power >> bits == 0 {
        // Beyond a word only for long roots and high degrees together.
        let Some(next) = power.checked_mul(prime) else {
            return Vec::new();
        };
        power = next;
    }
    let lifted = WordModulus::new(power);
    let check = WordModulus::new(CHECK);
    let (lifting, checking) = (scaled(&lifted), scaled(&check));
    let roots = points.iter().zip(values).filter(|(_, value)| *value == 0);
    let roots = roots.filter_map(|(&point, _)| lift(&lifted, &lifting, u64::from(point)));
    let signed = roots.map(|root| match root > power / 2 {
        true => -((power - root) as i64),
        false => root as i64,
    });
    let mut roots: Vec<i64> = signed
        .filter(|&root| {
            let residue = check.reduce_integer(&Integer::from(root));
            horner(&check, &checking, residue)[0] == 0
        })
        .collect();
    roots.sort_unstable();
    let dyadic = |root| Dyadic::new(Integer::from(root), -twos);
    roots.into_iter().map(dyadic).collect()
}

/// The field of the first prime above the degree that does not divide the leading coefficient.
fn small_prime(coefficients: &[Integer]) -> Option<Fp32> {
    let leading = coefficients.last()?;
    let lowest = LEAST_PRIME.max(coefficients.len() as u64) | 1;
    let prime = (lowest..1 << 31)
        .step_by(2)
        .filter(|&n| is_prime(n))
        .find(|&prime| WordModulus::new(prime).reduce_integer(leading) != 0)?;
    Fp32::new(prime as u32).ok()
}

/// The coefficients of 2^(tn)·f(u/2^t) modulo a number.
fn scaled_residues(coefficients: &[Integer], twos: u64, modulus: &WordModulus) -> Vec<u64> {
    let ratio = modulus.pow(2, twos);
    let mut factor = modulus.reduce(1);
    let mut residues = vec![0; coefficients.len()];
    for (residue, coefficient) in residues.iter_mut().zip(coefficients).rev() {
        *residue = modulus.mul(modulus.reduce_integer(coefficient), factor);
        factor = modulus.mul(factor, ratio);
    }
    residues
}

/// The root modulo p^e that a simple root modulo p is the image of.
fn lift(modulus: &WordModulus, coefficients: &[u64], mut root: u64) -> Option<u64> {
    loop {
        let [value, slope] = horner(modulus, coefficients, root);
        if value == 0 {
            return Some(root);
        }
        // Digits double each time; a multiple root has no inverse.
        root = modulus.sub(root, modulus.mul(value, modulus.inv(slope)?));
    }
}

/// A polynomial and its derivative at a point.
fn horner(modulus: &WordModulus, coefficients: &[u64], point: u64) -> [u64; 2] {
    let step = |[value, slope]: [u64; 2], &coefficient: &u64| {
        let slope = modulus.add(modulus.mul(slope, point), value);
        let value = modulus.add(modulus.mul(value, point), coefficient);
        [value, slope]
    };
    coefficients.iter().rev().fold([0; 2], step)
}
