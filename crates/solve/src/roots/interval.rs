//! Closed intervals between dyadic numbers, and exact arithmetic with them.

use super::dyadic::Dyadic;
use dashu_int::IBig;
use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};
use sunzi_poly::Poly;

/// The numbers from a lower to an upper end.
///
/// Sums and products hold all sums and products of their operands' numbers, and no more: nothing is rounded unless
/// [`outward`](Self::outward) is called.
///
/// ```
/// use sunzi_solve::{Dyadic, DyadicInterval};
///
/// let x = DyadicInterval::new(Dyadic::from(-1), Dyadic::from(2));
/// let product = &x * &x;
/// assert_eq!((product.lower(), product.upper()), (&Dyadic::from(-2), &Dyadic::from(4)));
/// assert_eq!(product.sign(), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DyadicInterval {
    lower: Dyadic,
    upper: Dyadic,
}

impl DyadicInterval {
    /// The numbers from `lower` to `upper`.
    ///
    /// # Panics
    /// If `lower > upper`.
    #[must_use]
    pub fn new(lower: Dyadic, upper: Dyadic) -> Self {
        assert!(lower <= upper, "the ends of an interval are in order");
        Self { lower, upper }
    }

    /// One number.
    #[must_use]
    pub fn point(at: Dyadic) -> Self {
        Self {
            lower: at.clone(),
            upper: at,
        }
    }

    /// The lower end.
    #[must_use]
    pub fn lower(&self) -> &Dyadic {
        &self.lower
    }

    /// The upper end.
    #[must_use]
    pub fn upper(&self) -> &Dyadic {
        &self.upper
    }

    /// The mean of the ends.
    #[must_use]
    pub fn midpoint(&self) -> Dyadic {
        Dyadic::midpoint(&self.lower, &self.upper)
    }

    /// Whether the interval is wider than 2^−bits.
    #[must_use]
    pub fn width_exceeds(&self, bits: i64) -> bool {
        &self.upper - &self.lower > Dyadic::new(IBig::ONE, -bits)
    }

    /// The sign of all its numbers, if they have the same.
    #[must_use]
    pub fn sign(&self) -> Option<Ordering> {
        let (lower, upper) = (self.lower.sign(), self.upper.sign());
        (lower == upper).then_some(lower)
    }

    /// Whether a number lies in it.
    #[must_use]
    pub fn contains(&self, x: &Dyadic) -> bool {
        &self.lower <= x && x <= &self.upper
    }

    /// Whether both have a number in common.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        self.lower <= other.upper && other.lower <= self.upper
    }

    /// The least interval between multiples of 2^−bits that holds this one.
    #[must_use]
    pub fn outward(&self, bits: i64) -> Self {
        Self {
            lower: self.lower.floor_to(bits),
            upper: self.upper.ceil_to(bits),
        }
    }

    /// The values of a polynomial, and perhaps more: by Horner's rule, exactly.
    #[must_use]
    pub fn evaluate(&self, f: &Poly<IBig>) -> Self {
        let mut value = Self::point(Dyadic::zero());
        for coefficient in f.coefficients().iter().rev() {
            let constant = Self::point(Dyadic::from(coefficient.clone()));
            value = &(&value * self) + &constant;
        }
        value
    }

    pub(super) fn set_lower(&mut self, lower: Dyadic) {
        self.lower = lower;
    }

    pub(super) fn set_upper(&mut self, upper: Dyadic) {
        self.upper = upper;
    }
}

impl Add for &DyadicInterval {
    type Output = DyadicInterval;

    fn add(self, other: &DyadicInterval) -> DyadicInterval {
        DyadicInterval {
            lower: &self.lower + &other.lower,
            upper: &self.upper + &other.upper,
        }
    }
}

impl Sub for &DyadicInterval {
    type Output = DyadicInterval;

    fn sub(self, other: &DyadicInterval) -> DyadicInterval {
        self + &-other
    }
}

impl Neg for &DyadicInterval {
    type Output = DyadicInterval;

    fn neg(self) -> DyadicInterval {
        DyadicInterval {
            lower: -&self.upper,
            upper: -&self.lower,
        }
    }
}

impl Mul for &DyadicInterval {
    type Output = DyadicInterval;

    fn mul(self, other: &DyadicInterval) -> DyadicInterval {
        let products = [
            &self.lower * &other.lower,
            &self.lower * &other.upper,
            &self.upper * &other.lower,
            &self.upper * &other.upper,
        ];
        let [mut lower, rest @ ..] = products;
        let mut upper = lower.clone();
        for product in rest {
            if product < lower {
                lower = product;
            } else if product > upper {
                upper = product;
            }
        }
        DyadicInterval { lower, upper }
    }
}
