//! Intervals of real numbers by a middle and a radius.
//!
//! A ball holds all numbers m·2^e + ε with |ε| ≤ r for an integer m and a radius r ≥ 0 of 32 bits and an exponent. Sums and products
//! of numbers in balls are in the balls that the operations give: (a + ε)(b + δ) = ab + η with |η| ≤ |a|s + |b|r + rs. Radii are rounded
//! upward. Middles are cut to a given number of bits, and bits below those of the radius are dropped, each of which adds a unit to the
//! radius at most (F. Johansson, *Arb: efficient arbitrary-precision midpoint-radius interval arithmetic*, 2017).
//!
//! A value that is known to w bits and a polynomial of degree d with coefficients of b bits give a ball that is at most about
//! d·2^(b−w)·max(1, |t|)^d wide, so that radii go to 0 as w grows: what refines balls until something shows comes to an end.

use std::cmp::Ordering;

use sunzi_integer::Integer;
use sunzi_poly::Poly;

use crate::roots::Dyadic;

/// Bits of the mantissa of a radius.
const RADIUS_BITS: u32 = 32;

/// A number that is not negative, rounded upward: mantissa·2^exponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Magnitude {
    mantissa: u64,
    exponent: i64,
}

impl Magnitude {
    const ZERO: Self = Self {
        mantissa: 0,
        exponent: 0,
    };

    /// No less than mantissa·2^exponent.
    fn new(mantissa: u128, exponent: i64) -> Self {
        let excess = (u128::BITS - mantissa.leading_zeros()).saturating_sub(RADIUS_BITS);
        // What is rounded up to 2^32 still fits.
        let rounded = (mantissa >> excess) + u128::from(excess > 0);
        Self {
            mantissa: rounded as u64,
            exponent: exponent + i64::from(excess),
        }
    }

    /// No less than |value|·2^exponent.
    fn of(value: &Integer, exponent: i64) -> Self {
        match *value.magnitude().as_limbs() {
            [] => Self::ZERO,
            [word] => Self::new(u128::from(word), exponent),
            [low, high] => Self::new(u128::from(high) << 64 | u128::from(low), exponent),
            [.., low, high] => {
                let words = value.magnitude().as_limbs().len() as i64;
                let top = u128::from(high) << 63 | u128::from(low >> 1);
                Self::new(top + 1, exponent + 64 * (words - 2) + 1)
            }
        }
    }

    fn is_zero(self) -> bool {
        self.mantissa == 0
    }

    fn add(self, other: Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return if self.is_zero() { other } else { self };
        }
        let (high, low) = if self.exponent >= other.exponent {
            (self, other)
        } else {
            (other, self)
        };
        let apart = high.exponent - low.exponent;
        if apart > 64 {
            // The mantissa of the lower one has less than 64 bits.
            return Self::new(u128::from(high.mantissa) + 1, high.exponent);
        }
        let sum = (u128::from(high.mantissa) << apart) + u128::from(low.mantissa);
        Self::new(sum, low.exponent)
    }

    fn mul(self, other: Self) -> Self {
        let product = u128::from(self.mantissa) * u128::from(other.mantissa);
        Self::new(product, self.exponent + other.exponent)
    }

    /// By a positive number that is no less than `divisor`.
    fn div(self, divisor: &Dyadic) -> Self {
        if self.is_zero() {
            return Self::ZERO;
        }
        let excess = divisor.mantissa().bit_len().saturating_sub(64);
        let floor = u128::try_from(divisor.mantissa() >> excess).unwrap_or(1);
        let quotient = (u128::from(self.mantissa) << 90) / floor + 1;
        Self::new(
            quotient,
            self.exponent - 90 - divisor.exponent() - excess as i64,
        )
    }

    fn dyadic(self) -> Dyadic {
        Dyadic::new(Integer::from(self.mantissa), self.exponent)
    }
}

/// All numbers whose distance from middle·2^exponent is at most the radius.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ball {
    middle: Integer,
    exponent: i64,
    radius: Magnitude,
}

impl Ball {
    /// That integer.
    pub fn exactly(value: Integer) -> Self {
        Self {
            middle: value,
            exponent: 0,
            radius: Magnitude::ZERO,
        }
    }

    /// What lies between two dyadic numbers.
    pub fn between(lower: &Dyadic, upper: &Dyadic) -> Self {
        let middle = Dyadic::midpoint(lower, upper);
        let radius = &middle - lower;
        Self {
            radius: Magnitude::of(radius.mantissa(), radius.exponent()),
            exponent: middle.exponent(),
            middle: middle.mantissa().clone(),
        }
    }

    fn centre(&self) -> Dyadic {
        Dyadic::new(self.middle.clone(), self.exponent)
    }

    /// The least number.
    pub fn lower(&self) -> Dyadic {
        &self.centre() - &self.radius.dyadic()
    }

    /// The greatest number.
    pub fn upper(&self) -> Dyadic {
        &self.centre() + &self.radius.dyadic()
    }

    /// The sign of all numbers of the ball, if it is one.
    pub fn sign(&self) -> Option<Ordering> {
        let (lower, upper) = (self.lower().sign(), self.upper().sign());
        (lower == upper).then_some(lower)
    }

    /// Where the highest bit of the middle stands.
    fn top(&self) -> i64 {
        self.exponent + self.middle.bit_len() as i64
    }

    /// A ball that holds this one, without bits of the middle below 2^exponent.
    fn down_to(mut self, exponent: i64) -> Self {
        if exponent > self.exponent {
            // `>>` rounds down.
            self.middle >>= (exponent - self.exponent) as usize;
            self.exponent = exponent;
            self.radius = self.radius.add(Magnitude {
                mantissa: 1,
                exponent,
            });
        }
        self
    }

    /// A ball that holds this one, with a middle of `precision` bits at most, and none below those of the radius.
    fn cut(self, precision: usize) -> Self {
        let mut exponent = self.top() - precision as i64;
        if !self.radius.is_zero() {
            exponent = exponent.max(self.radius.exponent);
        }
        self.down_to(exponent)
    }

    /// Sums of numbers of both.
    pub fn add(self, other: Self, precision: usize) -> Self {
        let radius = self.radius.add(other.radius);
        let mut exponent = self.exponent.min(other.exponent);
        exponent = exponent.max(self.top().max(other.top()) - precision as i64);
        if !radius.is_zero() {
            exponent = exponent.max(radius.exponent);
        }
        let (a, b) = (self.down_to(exponent), other.down_to(exponent));
        let raised = |ball: &Self| &ball.middle << (ball.exponent - exponent) as usize;
        Self {
            middle: raised(&a) + raised(&b),
            exponent,
            radius: a.radius.add(b.radius),
        }
    }

    /// Products of numbers of both.
    pub fn mul(&self, other: &Self, precision: usize) -> Self {
        let (a, b) = (self.magnitude(), other.magnitude());
        let radius = a.mul(other.radius).add(b.mul(self.radius));
        Self {
            middle: &self.middle * &other.middle,
            exponent: self.exponent + other.exponent,
            radius: radius.add(self.radius.mul(other.radius)),
        }
        .cut(precision)
    }

    /// No less than the middle's absolute value.
    fn magnitude(&self) -> Magnitude {
        Magnitude::of(&self.middle, self.exponent)
    }

    /// Negatives.
    pub(super) fn neg(mut self) -> Self {
        self.middle = -self.middle;
        self
    }

    /// Quotients of numbers of this ball by numbers of the other; `None` if it holds 0.
    ///
    /// For middles a, b > 0 and q = a/b: (a + ε)/(b + δ) − q = (ε − q·δ)/(b + δ), at most (r + |q|·s)/(b − s).
    pub fn div(&self, other: &Self, precision: usize) -> Option<Self> {
        match other.sign()? {
            Ordering::Equal => return None,
            Ordering::Less => return self.clone().neg().div(&other.clone().neg(), precision),
            Ordering::Greater => {}
        }
        let shift = (precision + other.middle.bit_len()).saturating_sub(self.middle.bit_len()) + 1;
        let mut quotient = Self {
            middle: (&self.middle << shift) / &other.middle,
            exponent: self.exponent - other.exponent - shift as i64,
            radius: Magnitude::ZERO,
        };
        let unit = Magnitude {
            mantissa: 1,
            exponent: quotient.exponent,
        };
        let of_ends = self
            .radius
            .add(quotient.magnitude().add(unit).mul(other.radius));
        quotient.radius = of_ends.div(&other.lower()).add(unit);
        Some(quotient.cut(precision))
    }

    /// The values of a polynomial on this ball, by Horner's rule.
    pub fn evaluate(&self, f: &Poly<Integer>, precision: usize) -> Self {
        let point = self.clone().cut(precision);
        let mut coefficients = f.coefficients().iter().rev();
        let leading = coefficients.next().cloned().unwrap_or_default();
        let start = Self::exactly(leading).cut(precision);
        coefficients.fold(start, |sum, c| {
            let product = sum.mul(&point, precision);
            let lowest = product.top().max(c.bit_len() as i64) - precision as i64;
            product.add(Self::high(c, lowest), precision)
        })
    }

    /// An integer without bits below 2^exponent.
    fn high(value: &Integer, exponent: i64) -> Self {
        if exponent <= 0 {
            return Self::exactly(value.clone());
        }
        Self {
            middle: value >> exponent as usize,
            exponent,
            radius: Magnitude {
                mantissa: 1,
                exponent,
            },
        }
    }
}
