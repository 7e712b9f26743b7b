//! Signs of a polynomial, exactly: by approximate values, of ever more bits until they tell.
//!
//! A number m·2^−k with odd m is a root only if k is a slope of Newton's polygon at 2: with 2^v_i the greatest power of two
//! that divides a_i, k ≤ max (v_n − v_i)/(n − i). So values at all other numbers differ from zero, and enough bits tell their
//! signs; the values at candidates are computed exactly once some bits did not tell.

use super::dyadic::Dyadic;
use super::horner::{Value, evaluate};
use super::interval::DyadicInterval;
use super::size::{log2, log2_of};
use std::cmp::Ordering;
use sunzi_integer::{Integer, Rational};
use sunzi_machine::threads::look;
use sunzi_poly::Poly;

/// A polynomial over Z that is not zero, with what its evaluation needs.
#[derive(Debug)]
pub struct Evaluator {
    polynomial: Poly<Integer>,
    /// log2 |a_k|, to 2^−30; −∞ for zero.
    logs: Vec<f64>,
    /// If there are no odd powers, the polynomial in x², whose values cost half as much.
    half: Option<Box<Self>>,
    /// Dyadic roots are multiples of 2^−twos.
    twos: i64,
}

/// Words after which values at candidates for roots are computed exactly.
const WORDS: usize = 2;

impl Evaluator {
    pub fn new(polynomial: Poly<Integer>) -> Self {
        Self {
            logs: polynomial.coefficients().iter().map(log2).collect(),
            twos: twos(polynomial.coefficients()),
            half: half(&polynomial).map(|half| Box::new(Self::new(half))),
            polynomial,
        }
    }

    pub fn polynomial(&self) -> &Poly<Integer> {
        &self.polynomial
    }

    pub fn logs(&self) -> &[f64] {
        &self.logs
    }

    /// Dyadic roots are multiples of 2^−twos.
    pub fn twos(&self) -> i64 {
        self.twos
    }

    /// An e such that all roots are below 2^e in absolute value (M. Fujiwara, 1916).
    pub fn magnitude(&self) -> i64 {
        let Some((leading, rest)) = self.logs.split_last() else {
            return 0;
        };
        let places = (1..).zip(rest.iter().rev());
        let slope = |(distance, log): (u32, &f64)| (log - leading) / f64::from(distance);
        let steepest = places.map(slope).fold(f64::NEG_INFINITY, f64::max);
        // The bound is twice as large, and logarithms are rounded; of c·x^n the root is 0.
        (steepest + 1.0 + 1e-6).ceil() as i64
    }

    /// The sign of f(x).
    pub fn sign_at(&self, x: &Dyadic) -> Ordering {
        self.value(x, 0, &mut 1)
            .map_or(Ordering::Equal, |value| value.sign())
    }

    /// f(x) with an error that is 2^−excess times as large at most, or `None` if it is zero. `words` tells how many words
    /// are tried first, and then how many sufficed.
    pub fn value(&self, x: &Dyadic, excess: usize, words: &mut usize) -> Option<Value> {
        if let Some(half) = &self.half {
            return half.value(&(x * x), excess, words);
        }
        let may_be_root = -x.exponent() <= self.twos;
        loop {
            look();
            let value = evaluate(self.polynomial.coefficients(), &self.logs, x, *words);
            if value.excess().is_some_and(|known| known >= excess) {
                // A value without error may be zero.
                return (!value.mantissa.is_zero()).then_some(value);
            }
            if may_be_root && *words >= WORDS && value.excess().is_none() {
                let exact = self.exact(x);
                return (!exact.mantissa.is_zero()).then_some(exact);
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
    pub fn sign_within(&self, interval: &DyadicInterval) -> Option<Ordering> {
        let middle = interval.midpoint();
        let Some(radius) = (&middle - interval.lower()).magnitude() else {
            return Some(self.sign_at(&middle));
        };
        let value = self.value(&middle, 1, &mut 1)?;
        let farthest = [interval.lower(), interval.upper()].map(log2_of);
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
        let mut value = Integer::ZERO;
        let coefficients = self.polynomial.coefficients();
        for (step, coefficient) in coefficients.iter().rev().enumerate() {
            look();
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
    pub fn sign_beside(&self, root: &Dyadic, toward: &Dyadic) -> Ordering {
        let terms = self.polynomial.coefficients().iter().enumerate().skip(1);
        let derivative = terms.map(|(k, c)| c * Integer::from(k)).collect();
        let slope = Self::new(Poly::new(derivative)).sign_at(root);
        match toward > root {
            true => slope,
            false => slope.reverse(),
        }
    }

    /// The sign of f(x) at a rational number.
    pub fn sign_at_rational(&self, x: &Rational) -> Ordering {
        let denominator = Integer::from(x.denominator().clone());
        let (mut value, mut power) = (Integer::ZERO, Integer::ONE);
        for coefficient in self.polynomial.coefficients().iter().rev() {
            value = value * x.numerator() + coefficient * &power;
            power *= &denominator;
        }
        value.cmp(&Integer::ZERO)
    }
}

/// g with f = g(x²), if f is such and no constant.
fn half(f: &Poly<Integer>) -> Option<Poly<Integer>> {
    let odd = f.coefficients().iter().skip(1).step_by(2);
    let is_even = f.len() > 2 && odd.clone().all(Integer::is_zero);
    let even = f.coefficients().iter().step_by(2);
    is_even.then(|| Poly::new(even.cloned().collect()))
}

/// The greatest slope of Newton's polygon at 2, rounded down; 0 for a constant and for c·x^n.
fn twos(coefficients: &[Integer]) -> i64 {
    let zeros = |c: &Integer| c.trailing_zeros().map(|zeros| zeros as i64);
    let Some((leading, rest)) = coefficients.split_last() else {
        return 0;
    };
    let most = zeros(leading).unwrap_or(0);
    let places = (1..).zip(rest.iter().rev());
    let slopes = places.filter_map(|(distance, c)| Some((most - zeros(c)?).div_euclid(distance)));
    slopes.max().unwrap_or(0)
}
