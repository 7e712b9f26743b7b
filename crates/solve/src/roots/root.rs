//! One real root: an interval that holds it alone, which is made as narrow as one likes.
//!
//! A root that is no dyadic number lies in an open interval at whose ends the polynomial has opposite signs.

use super::RootSearch;
use super::decimal::Decimal;
use super::dyadic::Dyadic;
use super::interval::DyadicInterval;
use super::isolate::Found;
use super::pace::Pace;
use super::sign::Evaluator;
use crate::apart::DIGITS;
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;
use sunzi_integer::{Integer, Natural, Rational};
use sunzi_poly::{Poly, PolyError, gcd};

/// A real root of a polynomial over Z: a dyadic number, or an open interval between dyadic numbers that holds this root and
/// no other.
///
/// Roots of one polynomial, as [`RealRoots`](crate::RealRoots) gives them, have disjoint closed intervals. A root is
/// independent of the others, and its copies share the polynomial.
///
/// ```
/// use sunzi::poly::Poly;
/// use sunzi::solve::RealRoots;
///
/// let f = Poly::new([-2, 0, 1].map(Into::into).to_vec()); // x² − 2
/// let mut root = RealRoots::of(&f)?.into_iter().next_back().expect("√2");
/// root.refine(100);
/// assert!((root.upper() - root.lower()).magnitude() <= Some(-99));
/// assert_eq!(root.to_decimal(20), "1.4142135623730950488");
/// assert_eq!((root.multiplicity(), root.rational()), (1, None));
/// # Ok::<(), sunzi::poly::PolyError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RealRoot {
    factor: Arc<Evaluator>,
    multiplicity: usize,
    interval: DyadicInterval,
    /// The sign of the factor at the lower end, or `Equal` at a point.
    before: Ordering,
    /// How refinement goes on.
    pace: Pace,
}

impl RealRoot {
    /// A root of a square-free polynomial. A dyadic one becomes a point: it is a multiple of a known power of two, and a
    /// narrow interval holds one such number at most.
    pub(super) fn new(factor: &Arc<Evaluator>, multiplicity: usize, found: Found) -> Self {
        let mut root = Self {
            factor: Arc::clone(factor),
            multiplicity,
            interval: DyadicInterval::new(found.lower, found.upper),
            before: found.before,
            pace: Pace::start(),
        };
        let bits = factor.twos();
        root.refine(bits + 1);
        if !root.is_point() {
            let candidate = root.lower().ceil_to(bits);
            if &candidate > root.lower() && &candidate < root.upper() {
                root.cut(candidate);
            }
        }
        root
    }

    /// The root of a square-free polynomial in an interval that has no other, as a stored one had; none if there is no such root, or
    /// several.
    ///
    /// ```
    /// use sunzi::poly::Poly;
    /// use sunzi::solve::{RealRoot, RealRoots};
    ///
    /// let f = "x^3 - 2*x".parse()?;
    /// let found = RealRoots::of(&f)?.into_iter().next_back().expect("√2");
    /// let (lower, upper) = (found.lower().clone(), found.upper().clone());
    /// let again = RealRoot::alone_between(found.factor(), 1, lower, upper)?.expect("there is one");
    /// assert_eq!(again.interval(), found.interval());
    /// assert!(RealRoot::alone_between(&f, 1, (-1).into(), 2.into())?.is_none()); // 0 and √2
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the polynomial is zero.
    pub fn alone_between(
        factor: &Poly<Integer>,
        multiplicity: usize,
        lower: Dyadic,
        upper: Dyadic,
    ) -> Result<Option<Self>, PolyError> {
        if lower > upper {
            return Ok(None);
        }
        let ends = [lower.to_rational(), upper.to_rational()];
        let [from, to] = ends;
        let mut found = RootSearch::new().within(from, to).of(factor)?.into_iter();
        let (Some(mut root), None) = (found.next(), found.next()) else {
            return Ok(None);
        };
        root.multiplicity = multiplicity;
        // Elsewhere than at a point the signs at both ends are known to be opposite.
        if !root.is_point() {
            root.interval = DyadicInterval::new(lower, upper);
            root.before = root.factor.sign_at(root.lower());
        }
        Ok(Some(root))
    }

    pub(super) fn evaluator(&self) -> &Evaluator {
        &self.factor
    }

    pub(super) fn before(&self) -> Ordering {
        self.before
    }

    pub(super) fn pace(&mut self) -> &mut Pace {
        &mut self.pace
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
    pub fn factor(&self) -> &Poly<Integer> {
        self.factor.polynomial()
    }

    /// Makes the interval narrower, by about as many bits as are known; one that is wider than 1 to about the root of that.
    pub(super) fn narrow(&mut self) {
        let width = (self.upper() - self.lower()).magnitude();
        if let Some(width) = width {
            self.refine((2 - width).max(-width / 2).max(-2 * width));
        }
    }

    /// Replaces one end by a number in between.
    fn cut(&mut self, at: Dyadic) {
        let sign = self.factor.sign_at(&at);
        self.replace(at, sign);
    }

    /// Replaces one end by a number in between at which the factor has a sign; if that is none, the number is the root.
    pub(super) fn replace(&mut self, at: Dyadic, sign: Ordering) {
        match sign {
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
    pub fn cmp_rational(&self, x: &Rational) -> Ordering {
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
    pub fn rational(&self) -> Option<Rational> {
        if self.is_point() {
            return Some(self.lower().to_rational());
        }
        let leading = self.factor().coefficients().last()?.magnitude().clone();
        let mut narrow = self.clone();
        narrow.refine(leading.bit_len() as i64 + 1);
        let candidate = narrow.multiple_within(&leading)?;
        (self.factor.sign_at_rational(&candidate) == Ordering::Equal).then_some(candidate)
    }

    /// The least multiple of 1/denominator in the interval.
    pub(super) fn multiple_within(&self, denominator: &Natural) -> Option<Rational> {
        let scaled = &Rational::from(denominator.clone()) * &self.lower().to_rational();
        let candidate = Rational::from_parts(scaled.ceil(), denominator.clone());
        (candidate <= self.upper().to_rational()).then_some(candidate)
    }

    /// The sign of another polynomial at the root, if the interval is narrow enough to tell.
    #[must_use]
    pub fn sign_of(&self, g: &Poly<Integer>) -> Option<Ordering> {
        match g.is_zero() {
            true => Some(Ordering::Equal),
            false => Evaluator::new(g.clone()).sign_within(&self.interval),
        }
    }

    /// The sign of another polynomial at the root, exactly: zero is told by the greatest common divisor with the factor, and
    /// otherwise the interval is refined as far as needed.
    ///
    /// # Errors
    /// If there is too little memory.
    pub fn refined_sign_of(&mut self, g: &Poly<Integer>) -> Result<Ordering, PolyError> {
        if let Some(sign) = self.sign_of(g) {
            return Ok(sign);
        }
        let common = gcd(g, self.factor())?;
        if common.len() > 1 {
            // A divisor of the factor has no root at the ends, and one at most within.
            let common = Evaluator::new(common);
            if common.sign_at(self.lower()) != common.sign_at(self.upper()) {
                return Ok(Ordering::Equal);
            }
        }
        let g = Evaluator::new(g.clone());
        loop {
            if let Some(sign) = g.sign_within(&self.interval) {
                return Ok(sign);
            }
            self.narrow();
        }
    }

    /// The floating point number that is nearest to the root, of two as near the one whose last bit is 0; infinite beyond all of them.
    ///
    /// ```
    /// use sunzi::solve::RealRoots;
    ///
    /// let roots = RealRoots::of(&"x^2 - 2".parse()?)?;
    /// assert_eq!(roots[1].to_f64(), 2f64.sqrt());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        if self.is_point() {
            return self.lower().to_f64();
        }
        let mut narrow = self.clone();
        narrow.leave_zero();
        let magnitude = narrow.upper().magnitude().max(narrow.lower().magnitude());
        let mut bits = 60 - magnitude.unwrap_or(0);
        loop {
            narrow.refine(bits);
            let ends = [narrow.lower(), narrow.upper()].map(Dyadic::to_f64);
            if ends[0] == ends[1] {
                return ends[0];
            }
            // What lies between neighbours decides, and may be the root itself.
            let [lower, upper] = ends.map(exactly);
            let tie = (lower + upper) / 2;
            let side = self.cmp_rational(&tie);
            if side == Ordering::Equal {
                return tie.to_f64();
            }
            if ends[0].next_up() == ends[1] {
                return ends[usize::from(side == Ordering::Greater)];
            }
            bits += 16;
        }
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

/// A floating point number, of which infinite ones stand for the powers of two that come next.
fn exactly(x: f64) -> Rational {
    let beyond = || Rational::from(Integer::ONE << 1024);
    Rational::from_f64(x).unwrap_or_else(|| if x < 0.0 { -beyond() } else { beyond() })
}

/// The digits of [`RealRoot::to_decimal`], ten or as many as are asked for (`{:.20}`).
impl fmt::Display for RealRoot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_decimal(f.precision().unwrap_or(DIGITS).max(1)))
    }
}
