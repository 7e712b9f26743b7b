//! Closed intervals between dyadic numbers.

use super::dyadic::Dyadic;
use std::cmp::Ordering;
use sunzi_integer::Integer;

/// The numbers from a lower to an upper end, both included.
///
/// ```
/// use sunzi::solve::{Dyadic, DyadicInterval};
///
/// let x = DyadicInterval::new(Dyadic::from(1), Dyadic::from(2));
/// assert_eq!(x.midpoint().to_string(), "1.5");
/// assert!(x.contains(&Dyadic::from(2)) && x.width_exceeds(1) && !x.width_exceeds(0));
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
    /// If `lower > upper`; [`Self::try_new`] returns none instead.
    #[must_use]
    pub fn new(lower: Dyadic, upper: Dyadic) -> Self {
        Self::try_new(lower, upper).expect("the ends of an interval are in order")
    }

    /// The numbers from `lower` to `upper`; none if `lower > upper`.
    ///
    /// ```
    /// use sunzi::solve::{Dyadic, DyadicInterval};
    ///
    /// let [one, two] = [1, 2].map(|x| Dyadic::from(sunzi::Integer::from(x)));
    /// assert!(DyadicInterval::try_new(one.clone(), two.clone()).is_some());
    /// assert!(DyadicInterval::try_new(two, one).is_none());
    /// ```
    #[must_use]
    pub fn try_new(lower: Dyadic, upper: Dyadic) -> Option<Self> {
        (lower <= upper).then_some(Self { lower, upper })
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
        &self.upper - &self.lower > Dyadic::new(Integer::ONE, -bits)
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

    pub(super) fn set_lower(&mut self, lower: Dyadic) {
        self.lower = lower;
    }

    pub(super) fn set_upper(&mut self, upper: Dyadic) {
        self.upper = upper;
    }
}
