//! Division by halves: two quotients of half the length, each by the divisor's upper half, and the rest of the divisor off.
//!
//! C. Burnikel and J. Ziegler, *Fast recursive division* (1998), as in R. Brent and P. Zimmermann, *Modern Computer Arithmetic*,
//! algorithm 1.8: O(M(n)·log n) operations.

use super::word::TwoLimbs;
use super::{Divide, schoolbook};
use sunzi_rns::limbs::{add_assign, sub_1, sub_assign};

impl Divide<'_> {
    /// As [`schoolbook::divide`], for a quotient that is no longer than the divisor; `scratch` has as many limbs as that. All parts of the
    /// divisor have the same leading limbs.
    pub(super) fn recursive(
        &self,
        quotient: &mut [u64],
        a: &mut [u64],
        (divisor, leading): (&[u64], TwoLimbs),
        scratch: &mut [u64],
    ) {
        let (n, m) = (quotient.len(), divisor.len());
        if n < self.lengths.recursive.max(2) {
            return schoolbook::divide(quotient, a, divisor, leading);
        }
        if n < m {
            // By as many of the divisor's leading limbs as the quotient has.
            let rest = m - n;
            return self.by_upper_part(quotient, a, (divisor, leading), rest, scratch);
        }
        let low = n / 2;
        let (quotient_low, quotient_high) = quotient.split_at_mut(low);
        self.by_upper_part(
            quotient_high,
            &mut a[low..],
            (divisor, leading),
            low,
            scratch,
        );
        self.by_upper_part(
            quotient_low,
            &mut a[..low + m],
            (divisor, leading),
            m - low,
            scratch,
        );
    }

    /// Divides by the divisor without its lowest `rest` limbs, then takes the quotient's product with these off, too.
    fn by_upper_part(
        &self,
        quotient: &mut [u64],
        a: &mut [u64],
        (divisor, leading): (&[u64], TwoLimbs),
        rest: usize,
        scratch: &mut [u64],
    ) {
        let (lower, upper) = divisor.split_at(rest);
        let (n, m) = (quotient.len(), divisor.len());
        // The high limbs are below the divisor, but may be equal to its upper part: then the quotient would be 2^(64n).
        let top = &mut a[rest + n..];
        if *top == *upper {
            quotient.fill(u64::MAX);
            // 2^(64n) times the upper part is taken off, and the upper part once put back.
            top.fill(0);
            add_assign(&mut a[rest..], upper);
        } else {
            self.recursive(quotient, &mut a[rest..], (upper, leading), scratch);
        }
        let product = &mut scratch[..n + rest];
        self.multiplier.mul(product, quotient, lower);
        let mut negative = sub_assign(&mut a[..=m], product);
        while negative != 0 {
            sub_1(quotient, 1);
            negative -= add_assign(&mut a[..=m], divisor);
        }
    }
}
