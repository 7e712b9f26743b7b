//! Signs of a polynomial, exactly: by approximate values, of ever more bits until they tell.
//!
//! A number m/2^k with odd m and k > 0 is a root only if 2^k divides the leading coefficient, and then it is one modulo any odd
//! prime. So all other values differ from zero, and enough bits tell their signs; the values at the few candidates that a prime
//! of 61 bits leaves are computed exactly, once some bits did not tell.

use super::dyadic::Dyadic;
use super::horner::{Value, evaluate};
use super::interval::DyadicInterval;
use super::source::log2;
use dashu_int::IBig;
use dashu_ratio::RBig;
use std::cmp::Ordering;
use std::sync::OnceLock;
use sunzi_field::{Field, Fp64};
use sunzi_poly::Poly;

/// A polynomial over Z that is not zero, with what its evaluation needs.
#[derive(Debug)]
pub(super) struct Evaluator {
    polynomial: Poly<IBig>,
    /// log2 |a_k|, to 2^−30; −∞ for zero.
    logs: Vec<f64>,
    /// The greatest v such that 2^v divides the leading coefficient.
    twos: i64,
    /// The polynomial modulo a prime, once a candidate for a root was met.
    image: OnceLock<Image>,
}

/// A polynomial modulo a prime.
#[derive(Debug)]
struct Image {
    field: Fp64,
    coefficients: Vec<u64>,
}

/// 2^61 − 1.
const PRIME: u64 = (1 << 61) - 1;

impl Image {
    fn of(polynomial: &Poly<IBig>) -> Self {
        let field = Fp64::new(PRIME).expect("it is a prime");
        let coefficients = polynomial.coefficients().iter();
        Self {
            coefficients: coefficients.map(|c| field.from_integer(c)).collect(),
            field,
        }
    }

    /// Whether a dyadic number is a root of it.
    fn has_root(&self, x: &Dyadic) -> bool {
        let field = &self.field;
        let two_to = |exponent: u64| field.pow(2, exponent % 61);
        // 2^61 is 1, so that a half has the powers of 2^60.
        let power = match x.exponent() >= 0 {
            true => two_to(x.exponent().unsigned_abs()),
            false => two_to(61 - x.exponent().unsigned_abs() % 61),
        };
        let at = field.mul(field.from_integer(x.mantissa()), power);
        let step = |value, &c: &u64| field.add(field.mul(value, at), c);
        self.coefficients.iter().rev().fold(0, step) == 0
    }
}

impl Evaluator {
    pub(super) fn new(polynomial: Poly<IBig>) -> Self {
        let leading = polynomial.coefficients().last();
        Self {
            logs: polynomial.coefficients().iter().map(log2).collect(),
            twos: leading.and_then(|c| c.trailing_zeros()).unwrap_or(0) as i64,
            image: OnceLock::new(),
            polynomial,
        }
    }

    pub(super) fn polynomial(&self) -> &Poly<IBig> {
        &self.polynomial
    }

    pub(super) fn logs(&self) -> &[f64] {
        &self.logs
    }

    /// Dyadic roots are multiples of 2^−twos.
    pub(super) fn twos(&self) -> i64 {
        self.twos
    }

    /// The sign of f(x).
    pub(super) fn sign_at(&self, x: &Dyadic) -> Ordering {
        self.value(x, 0, &mut 1)
            .map_or(Ordering::Equal, |value| value.sign())
    }

    /// f(x) with an error that is 2^−excess times as large at most, or `None` if it is zero. `words` tells how many words
    /// are tried first, and then how many sufficed.
    pub(super) fn value(&self, x: &Dyadic, excess: usize, words: &mut usize) -> Option<Value> {
        let mut may_be_root = -x.exponent() <= self.twos;
        loop {
            let value = evaluate(self.polynomial.coefficients(), &self.logs, x, *words);
            if value.excess().is_some_and(|known| known >= excess) {
                // A value without error may be zero.
                return (!value.mantissa.is_zero()).then_some(value);
            }
            if may_be_root && value.excess().is_none() {
                let image = self.image.get_or_init(|| Image::of(&self.polynomial));
                if image.has_root(x) {
                    let exact = self.exact(x);
                    return (!exact.mantissa.is_zero()).then_some(exact);
                }
                may_be_root = false;
            }
            // As many as are lacking, if that is known.
            let lacking = match value.excess() {
                Some(known) => (excess - known).div_ceil(64),
                None => words.div_ceil(2),
            };
            *words += lacking;
        }
    }

    /// The sign of f at all numbers of an interval, if they have the same and that is seen: f differs from its value in the
    /// middle m by at most |x − m|·Σ k |a_k| X^(k−1), X being the greatest |x|.
    pub(super) fn sign_within(&self, interval: &DyadicInterval) -> Option<Ordering> {
        let middle = interval.midpoint();
        let Some(radius) = (&middle - interval.lower()).magnitude() else {
            return Some(self.sign_at(&middle));
        };
        let value = self.value(&middle, 1, &mut 1)?;
        let farthest =
            [interval.lower(), interval.upper()].map(|x| log2(x.mantissa()) + x.exponent() as f64);
        let farthest = farthest[0].max(farthest[1]);
        let slope = |(k, log): (usize, &f64)| log + (k as f64).log2() + (k - 1) as f64 * farthest;
        let slopes = self.logs.iter().enumerate().skip(1).map(slope);
        let slope = slopes.fold(f64::NEG_INFINITY, f64::max) + (self.logs.len() as f64).log2();
        // At least half of what is seen of the value is no error.
        let size = log2(&value.mantissa) + value.unit as f64 - 1.0;
        (size > radius as f64 + slope + 1e-6).then(|| value.sign())
    }

    /// f(x) without error.
    fn exact(&self, x: &Dyadic) -> Value {
        let shift = x.exponent().unsigned_abs() as usize;
        let mut value = IBig::ZERO;
        let coefficients = self.polynomial.coefficients();
        for (step, coefficient) in coefficients.iter().rev().enumerate() {
            value = match x.exponent() >= 0 {
                true => ((value * x.mantissa()) << shift) + coefficient,
                false => value * x.mantissa() + (coefficient << (shift * step)),
            };
        }
        // Of m/2^k the value is that of the homogeneous form divided by 2^(nk).
        let unit = match x.exponent() >= 0 {
            true => 0,
            false => x.exponent() * (coefficients.len() as i64 - 1),
        };
        Value::exact(value, unit)
    }

    /// The sign of f just beside a simple root, toward another number: that of the derivative there, or its opposite.
    pub(super) fn sign_beside(&self, root: &Dyadic, toward: &Dyadic) -> Ordering {
        let terms = self.polynomial.coefficients().iter().enumerate().skip(1);
        let derivative = terms.map(|(k, c)| c * IBig::from(k)).collect();
        let slope = Self::new(Poly::new(derivative)).sign_at(root);
        match toward > root {
            true => slope,
            false => slope.reverse(),
        }
    }

    /// The sign of f(x) at a rational number.
    pub(super) fn sign_at_rational(&self, x: &RBig) -> Ordering {
        let denominator = IBig::from(x.denominator().clone());
        let (mut value, mut power) = (IBig::ZERO, IBig::ONE);
        for coefficient in self.polynomial.coefficients().iter().rev() {
            value = value * x.numerator() + coefficient * &power;
            power *= &denominator;
        }
        value.cmp(&IBig::ZERO)
    }
}
