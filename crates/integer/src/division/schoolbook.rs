//! Division limb by limb: a quotient limb from the leading limbs, then its multiple of the divisor off the dividend.
//!
//! D. Knuth, *The Art of Computer Programming 2*, §4.3.1, algorithm D, with the quotient limbs of Möller and Granlund: three
//! limbs by two, so that one limb in about 2^64 is too large, by 1. Takes quotient times divisor products of limbs.

use super::word::{OneLimb, TwoLimbs};
use sunzi_rns::limbs::{add_assign, submul_1};

/// The quotient's low limbs into `quotient`, the remainder into the low limbs of `a`; limbs above are zero then.
///
/// The dividend has as many limbs as quotient and divisor together, its high ones are below the divisor; the divisor's top
/// bit is set.
pub(super) fn divide(quotient: &mut [u64], a: &mut [u64], divisor: &[u64]) {
    let [low @ .., d0, d1] = divisor else {
        let (low, high) = a.split_at_mut(quotient.len());
        let remainder = OneLimb::new(divisor[0]).divide_limbs(low, high[0]);
        quotient.copy_from_slice(low);
        a.fill(0);
        a[0] = remainder;
        return;
    };
    let leading = TwoLimbs::new(*d1, *d0);
    let m = divisor.len();
    for (i, quotient) in quotient.iter_mut().enumerate().rev() {
        let window = &mut a[i..=i + m];
        let high = u128::from(window[m]) << 64 | u128::from(window[m - 1]);
        if high == leading.divisor() {
            // The quotient limb would be 2^64 or more, were the window not below 2^64 times the divisor: it is 2^64 − 1, since
            // less than 2^(64(m−1)) is missing there, which is less than the divisor.
            *quotient = u64::MAX;
            let borrow = submul_1(&mut window[..m], divisor, u64::MAX);
            debug_assert_eq!(window[m], borrow);
            window[m] = 0;
            continue;
        }
        let (mut q, remainder) = leading.divide(high, window[m - 2]);
        let borrow = submul_1(&mut window[..m - 2], low, q);
        let (remainder, negative) = remainder.overflowing_sub(borrow.into());
        window[m - 2] = remainder as u64;
        window[m - 1] = (remainder >> 64) as u64;
        window[m] = 0;
        if negative {
            q -= 1;
            add_back(&mut window[..m], divisor);
        }
        *quotient = q;
    }
}

/// `a += divisor`, without its last carry: what was negative is none any more.
#[cold]
fn add_back(a: &mut [u64], divisor: &[u64]) {
    let carry = add_assign(a, divisor);
    debug_assert_eq!(carry, 1);
}
