//! Signs of a polynomial at dyadic numbers.

use super::dyadic::Dyadic;
use dashu_int::IBig;
use dashu_ratio::RBig;
use std::cmp::Ordering;
use sunzi_poly::Poly;

/// A polynomial over Z with what its evaluation needs.
#[derive(Debug)]
pub(super) struct Evaluator {
    polynomial: Poly<IBig>,
}

impl Evaluator {
    /// For a polynomial that is not constant.
    pub(super) fn new(polynomial: Poly<IBig>) -> Self {
        Self { polynomial }
    }

    pub(super) fn polynomial(&self) -> &Poly<IBig> {
        &self.polynomial
    }

    /// The sign of f(x).
    pub(super) fn sign_at(&self, x: &Dyadic) -> Ordering {
        // With x = m·2^e: f(x)·2^(−ne) for e < 0.
        let shift = x.exponent().unsigned_abs() as usize;
        let mut value = IBig::ZERO;
        for (step, coefficient) in self.polynomial.coefficients().iter().rev().enumerate() {
            value = match x.exponent() >= 0 {
                true => ((value * x.mantissa()) << shift) + coefficient,
                false => value * x.mantissa() + (coefficient << (shift * step)),
            };
        }
        value.cmp(&IBig::ZERO)
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
