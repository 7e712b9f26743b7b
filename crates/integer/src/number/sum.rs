//! Sums and differences: a carry chain over both operands, in the longer one's memory where it may be used again.

use super::integer::Signed;
use super::storage::Storage;
use super::{Integer, Natural};
use std::cmp::Ordering;
use sunzi_rns::limbs;

impl Natural {
    #[inline]
    pub(super) fn sum(a: &Self, b: &Self) -> Self {
        if let (Some(x), Some(y)) = (a.wide(), b.wide()) {
            return Self::wide_sum(x, y);
        }
        Self {
            storage: Storage::Heap(limbs::sum(a.as_limbs(), b.as_limbs())),
        }
    }

    #[inline]
    fn wide_sum(x: u128, y: u128) -> Self {
        match x.overflowing_add(y) {
            (sum, false) => Self::from_wide(sum),
            (sum, true) => Self {
                storage: Storage::Heap(vec![sum as u64, (sum >> 64) as u64, 1]),
            },
        }
    }

    #[inline]
    pub(super) fn add_in_place(&mut self, b: &Self) {
        let Storage::Heap(a) = &mut self.storage else {
            *self = Self::sum(self, b);
            return;
        };
        let b = b.as_limbs();
        let common = a.len().min(b.len());
        a.extend_from_slice(&b[common..]);
        let carry = limbs::add_assign(a, &b[..common]);
        if carry != 0 {
            a.push(carry);
        }
    }

    /// |a − b|, and whether a − b is negative.
    #[inline]
    pub(super) fn distance(a: &Self, b: &Self) -> (Self, bool) {
        if let (Some(x), Some(y)) = (a.wide(), b.wide()) {
            let (difference, negative) = x.overflowing_sub(y);
            let distance = match negative {
                true => difference.wrapping_neg(),
                false => difference,
            };
            return (Self::from_wide(distance), negative);
        }
        let (a, b) = (a.as_limbs(), b.as_limbs());
        let negative = limbs::cmp(a, b) == Ordering::Less;
        let (larger, smaller) = if negative { (b, a) } else { (a, b) };
        let (difference, _) = limbs::difference(larger, smaller);
        (Self::from_limbs(difference), negative)
    }

    /// `self = |self − b|`; whether the difference was negative.
    #[inline]
    pub(super) fn subtract_in_place(&mut self, b: &Self) -> bool {
        let negative = (*self).cmp(b) == Ordering::Less;
        if let (Storage::Heap(a), false) = (&mut self.storage, negative) {
            limbs::sub_assign(a, b.as_limbs());
            if a.last() == Some(&0) {
                self.edit(|_| ());
            }
            return false;
        }
        if self.wide().is_some() {
            (*self, _) = Self::distance(self, b);
            return negative;
        }
        self.edit(|a| {
            let b = b.as_limbs();
            a.resize(b.len(), 0);
            limbs::sub_from(a, b);
        });
        negative
    }

    /// The difference, if it is not negative.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// let (five, seven) = (Natural::from(5u32), Natural::from(7u32));
    /// assert_eq!(seven.checked_sub(&five), Some(Natural::from(2u32)));
    /// assert_eq!(five.checked_sub(&seven), None);
    /// ```
    pub fn checked_sub(&self, other: &Self) -> Option<Self> {
        let (distance, negative) = Self::distance(self, other);
        (!negative).then_some(distance)
    }

    /// |a − b|.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(Natural::from(5u32).abs_diff(&Natural::from(7u32)), 2);
    /// ```
    pub fn abs_diff(&self, other: &Self) -> Self {
        Self::distance(self, other).0
    }

    #[inline]
    #[track_caller]
    pub(super) fn difference(a: &Self, b: &Self) -> Self {
        let (distance, negative) = Self::distance(a, b);
        not_negative(negative);
        distance
    }

    #[inline]
    #[track_caller]
    pub(super) fn sub_in_place(&mut self, b: &Self) {
        not_negative(self.subtract_in_place(b));
    }

    /// `b = a − b`.
    #[inline]
    #[track_caller]
    pub(super) fn sub_from_in_place(b: &mut Self, a: &Self) {
        not_negative(!b.subtract_in_place(a) && !b.is_zero());
    }
}

/// Panics where a difference of natural numbers is negative.
#[inline]
#[track_caller]
fn not_negative(negative: bool) {
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn fail() -> ! {
        panic!("attempt to subtract a larger natural number: take integers, or `checked_sub`");
    }
    if negative {
        fail();
    }
}

impl Integer {
    #[inline]
    pub(super) fn sum(a: Signed, b: Signed) -> Self {
        if a.negative == b.negative {
            return Self {
                negative: a.negative,
                magnitude: Natural::sum(a.magnitude, b.magnitude),
            };
        }
        let (magnitude, flipped) = Natural::distance(a.magnitude, b.magnitude);
        Self::from_sign_magnitude(a.negative != flipped, magnitude)
    }

    #[inline]
    pub(super) fn difference(a: Signed, b: Signed) -> Self {
        Self::sum(a, b.negated())
    }

    #[inline]
    pub(super) fn add_in_place(&mut self, b: Signed) {
        if self.negative == b.negative {
            return self.magnitude.add_in_place(b.magnitude);
        }
        let flipped = self.magnitude.subtract_in_place(b.magnitude);
        self.negative = self.negative != flipped && !self.is_zero();
    }

    #[inline]
    pub(super) fn sub_in_place(&mut self, b: Signed) {
        self.add_in_place(b.negated());
    }

    /// `b = a − b`.
    #[inline]
    pub(super) fn sub_from_in_place(b: &mut Self, a: Signed) {
        b.sub_in_place(a);
        b.negate();
    }
}

impl Signed<'_> {
    /// The opposite; of zero, too, which then only [`Integer::sum`] and the like may see.
    #[inline]
    fn negated(self) -> Self {
        Self {
            negative: !self.negative,
            ..self
        }
    }
}
