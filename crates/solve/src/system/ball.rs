//! Intervals of real numbers by a middle and a radius.
//!
//! A ball holds all numbers (m + ε)·2^e with |ε| ≤ r for integers m and r ≥ 0. Sums and products of numbers in balls are in the
//! balls that the operations give: (m₁ + ε₁)(m₂ + ε₂) = m₁m₂ + ε with |ε| ≤ |m₁|r₂ + |m₂|r₁ + r₁r₂. Middles are cut to a given
//! number of bits: the floor of m/2^k is off by less than 1, as is the ceiling of r/2^k, so that the radius grows by 1 (N. Revol,
//! F. Rouillier, *Motivations for an arbitrary precision interval arithmetic*, 2005, tell what such a radius costs).
//!
//! A value that is known to w bits and a polynomial of degree d with coefficients of b bits give a ball that is at most about
//! d·2^(b−w)·max(1, |t|)^d wide, so that radii go to 0 as w grows: what refines balls until something shows comes to an end.

use std::cmp::Ordering;

use dashu_int::IBig;
use dashu_int::ops::{Abs, BitTest};
use sunzi_poly::Poly;

use crate::roots::Dyadic;

/// All numbers between (middle − radius)·2^exponent and (middle + radius)·2^exponent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ball {
    middle: IBig,
    radius: IBig,
    exponent: i64,
}

impl Ball {
    /// That integer.
    pub(super) fn exactly(value: IBig) -> Self {
        Self {
            middle: value,
            radius: IBig::ZERO,
            exponent: 0,
        }
    }

    /// What lies between two dyadic numbers.
    pub(super) fn between(lower: &Dyadic, upper: &Dyadic) -> Self {
        let exponent = lower.exponent().min(upper.exponent()) - 1;
        let scaled = |x: &Dyadic| x.mantissa() << (x.exponent() - exponent) as usize;
        let (lower, upper) = (scaled(lower), scaled(upper));
        // Both are even.
        Self {
            middle: (&lower + &upper) >> 1,
            radius: (upper - lower) >> 1,
            exponent,
        }
    }

    /// The least number.
    pub(super) fn lower(&self) -> Dyadic {
        Dyadic::new(&self.middle - &self.radius, self.exponent)
    }

    /// The greatest number.
    pub(super) fn upper(&self) -> Dyadic {
        Dyadic::new(&self.middle + &self.radius, self.exponent)
    }

    /// The sign of all numbers of the ball, if it is one.
    pub(super) fn sign(&self) -> Option<Ordering> {
        if (&self.middle).abs() > self.radius {
            return Some(self.middle.cmp(&IBig::ZERO));
        }
        (self.middle.is_zero() && self.radius.is_zero()).then_some(Ordering::Equal)
    }

    /// A ball that holds this one, with a middle of about `precision` bits.
    fn cut(mut self, precision: usize) -> Self {
        let surplus = self
            .middle
            .bit_len()
            .max(self.radius.bit_len())
            .saturating_sub(precision);
        if surplus > 0 {
            // `>>` rounds down.
            self.middle >>= surplus;
            self.radius = (self.radius >> surplus) + 2;
            self.exponent += surplus as i64;
        }
        self
    }

    /// Sums of numbers of both.
    pub(super) fn add(&self, other: &Self, precision: usize) -> Self {
        let (low, high) = if self.exponent <= other.exponent {
            (self, other)
        } else {
            (other, self)
        };
        // What is far below the last bit that stays only widens the ball by 1.
        let shift = (high.exponent - low.exponent) as usize;
        let reach = low.middle.bit_len().max(low.radius.bit_len());
        if shift > reach + precision && !(high.middle.is_zero() && high.radius.is_zero()) {
            let down = shift - precision;
            return Self {
                middle: &high.middle << precision,
                radius: (&high.radius << precision) + 1,
                exponent: low.exponent + down as i64,
            }
            .cut(precision);
        }
        Self {
            middle: (&high.middle << shift) + &low.middle,
            radius: (&high.radius << shift) + &low.radius,
            exponent: low.exponent,
        }
        .cut(precision)
    }

    /// Products of numbers of both.
    pub(super) fn mul(&self, other: &Self, precision: usize) -> Self {
        let mut radius = IBig::ZERO;
        if !other.radius.is_zero() {
            radius += ((&self.middle).abs() + &self.radius) * &other.radius;
        }
        if !self.radius.is_zero() {
            radius += (&other.middle).abs() * &self.radius;
        }
        Self {
            middle: &self.middle * &other.middle,
            radius,
            exponent: self.exponent + other.exponent,
        }
        .cut(precision)
    }

    /// Negatives.
    pub(super) fn neg(mut self) -> Self {
        self.middle = -self.middle;
        self
    }

    /// Quotients of numbers of this ball by numbers of the other; `None` if it holds 0.
    ///
    /// With the other one's middle m₂ > 0 and q = ⌊2^k·m₁/m₂⌋: 2^k·(m₁ + ε₁)/(m₂ + ε₂) − 2^k·m₁/m₂ is
    /// 2^k·(ε₁·m₂ − ε₂·m₁)/(m₂(m₂ + ε₂)), at most 2^k·(r₁·m₂ + r₂·|m₁|)/(m₂(m₂ − r₂)).
    pub(super) fn div(&self, other: &Self, precision: usize) -> Option<Self> {
        match other.sign()? {
            Ordering::Equal => return None,
            Ordering::Less => return self.clone().neg().div(&other.clone().neg(), precision),
            Ordering::Greater => {}
        }
        let shift = (precision + other.middle.bit_len()).saturating_sub(self.middle.bit_len()) + 1;
        let numerator = &self.radius * &other.middle + &other.radius * (&self.middle).abs();
        let denominator = &other.middle * (&other.middle - &other.radius);
        Some(
            Self {
                middle: (&self.middle << shift) / &other.middle,
                radius: (numerator << shift) / denominator + 2,
                exponent: self.exponent - other.exponent - shift as i64,
            }
            .cut(precision),
        )
    }

    /// The values of a polynomial on this ball, by Horner's rule.
    pub(super) fn evaluate(&self, f: &Poly<IBig>, precision: usize) -> Self {
        let point = self.clone().cut(precision);
        let mut coefficients = f.coefficients().iter().rev();
        let leading = coefficients.next().cloned().unwrap_or_default();
        let start = Self::exactly(leading).cut(precision);
        coefficients.fold(start, |sum, c| {
            let c = Self::exactly(c.clone()).cut(precision);
            sum.mul(&point, precision).add(&c, precision)
        })
    }
}
