//! One real root: an interval that holds it alone, which is made as narrow as one likes.
//!
//! A root that is no dyadic number lies in an open interval at whose ends the polynomial has opposite signs.

use super::decimal::Decimal;
use super::dyadic::Dyadic;
use super::interval::DyadicInterval;
use super::sign::Evaluator;
use dashu_int::ops::{BitTest, UnsignedAbs};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use std::cmp::Ordering;
use std::sync::Arc;
use sunzi_poly::Poly;

/// A real root of a polynomial over Z: a dyadic number, or an open interval between dyadic numbers that holds this root and
/// no other.
///
/// Roots of one polynomial, as [`RealRoots`](crate::RealRoots) gives them, have disjoint closed intervals. A root is
/// independent of the others, and its copies share the polynomial.
///
/// ```
/// use sunzi_poly::Poly;
/// use sunzi_solve::RealRoots;
///
/// let f = Poly::new([-2, 0, 1].map(Into::into).to_vec()); // x² − 2
/// let mut root = RealRoots::of(&f)?.into_iter().next_back().expect("√2");
/// root.refine(100);
/// assert!((root.upper() - root.lower()).magnitude() <= Some(-99));
/// assert_eq!(root.to_decimal(20), "1.4142135623730950488");
/// assert_eq!((root.multiplicity(), root.rational()), (1, None));
/// # Ok::<(), sunzi_solve::SolveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RealRoot {
    factor: Arc<Evaluator>,
    multiplicity: usize,
    interval: DyadicInterval,
    /// The sign of the factor at the lower end, or `Equal` at a point.
    before: Ordering,
}

impl RealRoot {
    /// The root of a square-free polynomial that is a dyadic number.
    pub(super) fn point(factor: Arc<Evaluator>, multiplicity: usize, at: Dyadic) -> Self {
        Self {
            factor,
            multiplicity,
            interval: DyadicInterval::point(at),
            before: Ordering::Equal,
        }
    }

    /// The root of a square-free polynomial within an open interval that holds no other, `before` being the sign at its lower
    /// end and the opposite one that at its upper end.
    pub(super) fn between(
        factor: Arc<Evaluator>,
        multiplicity: usize,
        interval: DyadicInterval,
        before: Ordering,
    ) -> Self {
        Self {
            factor,
            multiplicity,
            interval,
            before,
        }
    }

    /// The lower end: the root itself where it is a point, else less than the root.
    #[must_use]
    pub fn lower(&self) -> &Dyadic {
        self.interval.lower()
    }

    /// The upper end: the root itself where it is a point, else greater than the root.
    #[must_use]
    pub fn upper(&self) -> &Dyadic {
        self.interval.upper()
    }

    /// Both ends.
    #[must_use]
    pub fn interval(&self) -> &DyadicInterval {
        &self.interval
    }

    /// Whether the root is known to be the dyadic number that is both ends. All dyadic roots are found as points.
    #[must_use]
    pub fn is_point(&self) -> bool {
        self.before == Ordering::Equal
    }

    /// How often the root counts.
    #[must_use]
    pub fn multiplicity(&self) -> usize {
        self.multiplicity
    }

    /// A square-free factor of the polynomial, primitive, of which this is a simple root.
    #[must_use]
    pub fn factor(&self) -> &Poly<IBig> {
        self.factor.polynomial()
    }

    /// Makes the interval at most 2^−bits wide, if it is wider. Quadratic: each evaluation of the factor doubles the number
    /// of known bits, once there are enough of them.
    pub fn refine(&mut self, bits: i64) {
        while !self.is_point() && self.interval.width_exceeds(bits) {
            self.halve();
        }
    }

    /// Makes the interval narrower, whatever it is.
    pub(super) fn narrow(&mut self) {
        if !self.is_point() {
            self.halve();
        }
    }

    fn halve(&mut self) {
        let middle = self.interval.midpoint();
        self.cut(middle);
    }

    /// Replaces one end by a number in between.
    fn cut(&mut self, at: Dyadic) {
        match self.factor.sign_at(&at) {
            Ordering::Equal => {
                self.interval = DyadicInterval::point(at);
                self.before = Ordering::Equal;
            }
            sign if sign == self.before => self.interval.set_lower(at),
            _ => self.interval.set_upper(at),
        }
    }

    /// How the root compares with a rational number: exact, whatever the width of the interval.
    #[must_use]
    pub fn cmp_rational(&self, x: &RBig) -> Ordering {
        if self.is_point() {
            return self.lower().to_rational().cmp(x);
        }
        if &self.lower().to_rational() >= x {
            return Ordering::Greater;
        }
        if &self.upper().to_rational() <= x {
            return Ordering::Less;
        }
        match self.factor.sign_at_rational(x) {
            Ordering::Equal => Ordering::Equal,
            sign if sign == self.before => Ordering::Greater,
            _ => Ordering::Less,
        }
    }

    /// The root, if it is a rational number. Its denominator divides the leading coefficient of the factor, so that an
    /// interval narrower than the inverse of that holds one candidate.
    #[must_use]
    pub fn rational(&self) -> Option<RBig> {
        if self.is_point() {
            return Some(self.lower().to_rational());
        }
        let leading = self.factor().coefficients().last()?.unsigned_abs();
        let mut narrow = self.clone();
        narrow.refine(leading.bit_len() as i64 + 1);
        let candidate = narrow.multiple_within(&leading)?;
        (self.factor.sign_at_rational(&candidate) == Ordering::Equal).then_some(candidate)
    }

    /// The least multiple of 1/denominator in the interval.
    pub(super) fn multiple_within(&self, denominator: &UBig) -> Option<RBig> {
        let scaled = &RBig::from(denominator.clone()) * &self.lower().to_rational();
        let candidate = RBig::from_parts(scaled.ceil(), denominator.clone());
        (candidate <= self.upper().to_rational()).then_some(candidate)
    }

    /// The sign of another polynomial at the root, if the interval is narrow enough to tell: by interval arithmetic.
    #[must_use]
    pub fn sign_of(&self, g: &Poly<IBig>) -> Option<Ordering> {
        self.interval.evaluate(g).sign()
    }

    /// The root with N ≥ 1 significant digits, all of them right: rounded to the nearest, halves to the even digit. Refines
    /// a copy as far as needed; [`refine`](Self::refine) first where several texts are wanted. The text has a power of ten
    /// where the point would stand far from the digits: `1.25e-12`.
    #[must_use]
    pub fn to_decimal(&self, digits: usize) -> String {
        if self.is_point() {
            return self.lower().to_decimal(digits);
        }
        let mut narrow = self.clone();
        narrow.leave_zero();
        let magnitude = narrow.upper().magnitude().max(narrow.lower().magnitude());
        // log2(10) < 3.33.
        let relative = (digits as i64).saturating_mul(333) / 100 + 4;
        let mut bits = relative - magnitude.unwrap_or(0);
        loop {
            narrow.refine(bits);
            let lower = Decimal::nearest(&narrow.lower().to_rational(), digits);
            let upper = Decimal::nearest(&narrow.upper().to_rational(), digits);
            if lower == upper {
                return lower.to_string();
            }
            // What lies between neighbours decides, and may be the root itself.
            let tie = lower.tie(&upper);
            if self.cmp_rational(&tie) == Ordering::Equal {
                return Decimal::nearest(&tie, digits).to_string();
            }
            bits += 16;
        }
    }

    /// Refines until zero is not in the interval; a root that is zero is a point.
    fn leave_zero(&mut self) {
        while !self.is_point() && self.interval.sign().is_none() {
            let ends = self.lower().magnitude().max(self.upper().magnitude());
            // Zero first: it tells the sign; then ever smaller numbers.
            let zero = Dyadic::zero();
            if self.lower() < &zero && self.upper() > &zero {
                self.cut(zero);
            } else {
                self.refine(2 - ends.unwrap_or(0));
            }
        }
    }
}

/// A root by an open interval that holds it alone, at whose ends there may be others; a dyadic root becomes a point.
pub(super) fn settle(
    factor: &Arc<Evaluator>,
    multiplicity: usize,
    interval: DyadicInterval,
) -> RealRoot {
    if interval.lower() == interval.upper() {
        return RealRoot::point(Arc::clone(factor), multiplicity, interval.lower().clone());
    }
    let (mut lower, mut upper) = (interval.lower().clone(), interval.upper().clone());
    // From an end that is a root, the polynomial goes where it came from at the next number in between, or has passed
    // this root there.
    let slope = |at: &Dyadic, other: &Dyadic| -> (Dyadic, Ordering) {
        let mut near = Dyadic::midpoint(at, other);
        loop {
            let sign = factor.sign_at(&near);
            if sign != Ordering::Equal && factor.sign_beside(at, other) == sign {
                return (near, sign);
            }
            near = Dyadic::midpoint(at, &near);
        }
    };
    let mut before = factor.sign_at(&lower);
    if before == Ordering::Equal {
        (lower, before) = slope(&lower, &upper);
    }
    if factor.sign_at(&upper) == Ordering::Equal {
        upper = slope(&upper, &lower).0;
    }
    let interval = DyadicInterval::new(lower, upper);
    let mut root = RealRoot::between(Arc::clone(factor), multiplicity, interval, before);
    // A dyadic root is a multiple of the greatest power of two that divides the leading coefficient.
    let leading = factor.polynomial().coefficients().last();
    let zeros = leading.and_then(|c| c.trailing_zeros()).unwrap_or(0);
    root.refine(zeros as i64 + 1);
    if let Some(candidate) = root.multiple_within(&(UBig::ONE << zeros)) {
        let at = Dyadic::floor_of(&candidate, zeros as i64);
        if &at > root.lower() && &at < root.upper() {
            root.cut(at);
        }
    }
    root
}
