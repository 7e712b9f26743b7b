//! A polynomial on an interval in Bernstein's basis: its variations of sign, and its halves by de Casteljau's algorithm.

use super::rows::{Growth, LEVELS, Rows, sign_beyond, triangle};
use std::cmp::Ordering;

/// What is known of an end of an interval beside the coefficient there, which is the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Nothing.
    Approximate,
    /// The sign there, not zero.
    Sign(Ordering),
    /// It is a root.
    Root,
}

/// How many roots there are within an open interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    None,
    /// One, and the sign before it.
    One(Ordering),
    /// So many variations or more, at least two.
    Several(usize),
    /// So many coefficients are zero or too coarse to tell their signs.
    Unclear(usize),
}

/// The coefficients, how far from the truth they may be, and what is known of the ends.
#[derive(Debug)]
pub(super) struct Bernstein {
    rows: Rows,
    error: u64,
    ends: [End; 2],
}

impl Bernstein {
    pub(super) fn new(mut rows: Rows, error: u64, ends: [End; 2]) -> Self {
        rows.shorten();
        Self { rows, error, ends }
    }

    pub(super) fn degree(&self) -> usize {
        self.rows.len() - 1
    }

    /// The effort of dividing it: digits that are added.
    pub(super) fn effort(&self) -> usize {
        self.rows.len() * self.rows.len() / 2 * self.rows.digits()
    }

    /// Variations of sign.
    pub(super) fn count(&self) -> Count {
        let last = self.rows.len() - 1;
        let mut seen: Option<(Ordering, Ordering)> = None;
        let (mut changes, mut is_clear, mut unknown, mut all_unknown) = (0, true, 0, 0);
        for at in 0..=last {
            let end = match at {
                0 => self.ends[0],
                at if at == last => self.ends[1],
                _ => End::Approximate,
            };
            let sign = match end {
                End::Approximate => sign_beyond(self.rows.row(at), self.error),
                End::Sign(sign) => sign,
                // A root at an end is none within: its zero does not count.
                End::Root => continue,
            };
            if sign == Ordering::Equal {
                unknown += 1;
                all_unknown += 1;
                continue;
            }
            // Whatever one coefficient between opposite signs is, there is one change.
            let changed = seen.is_some_and(|(_, before)| before != sign);
            changes += usize::from(changed);
            is_clear &= unknown == 0 || (changed && unknown == 1);
            unknown = 0;
            seen = Some((seen.map_or(sign, |(first, _)| first), sign));
        }
        is_clear &= unknown == 0;
        match (changes, seen, is_clear) {
            (2.., ..) => Count::Several(changes),
            (0, Some(_), true) => Count::None,
            (1, Some((first, _)), true) => Count::One(first),
            _ => Count::Unclear(all_unknown),
        }
    }

    /// The halves, by the sign in the middle, which is asked for only if it is not known; if there is a root, it is
    /// `Equal`.
    pub(super) fn halves(&self, middle: impl FnOnce() -> Ordering) -> (Self, Self, Ordering) {
        let ends = triangle(&self.rows, Growth::Halved);
        let error = self.error + 1 + (self.rows.len() / LEVELS) as u64;
        let mut sign = sign_beyond(ends.last.row(0), error);
        let mut end = End::Approximate;
        if sign == Ordering::Equal {
            sign = middle();
            end = match sign {
                Ordering::Equal => End::Root,
                sign => End::Sign(sign),
            };
        }
        let left = Self::new(ends.first, error, [self.ends[0], end]);
        let right = Self::new(ends.last, error, [end, self.ends[1]]);
        (left, right, sign)
    }
}
