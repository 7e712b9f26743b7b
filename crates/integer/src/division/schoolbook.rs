//! Division limb by limb: a quotient limb from the leading limbs, then its multiple of the divisor off the dividend.
//!
//! D. Knuth, *The Art of Computer Programming 2*, §4.3.1, algorithm D, with the quotient limbs of Möller and Granlund: three
//! limbs by two, so that one limb in about 2^64 is too large, by 1. Takes quotient times divisor products of limbs.

use super::word::TwoLimbs;
use sunzi_rns::limbs::{add_assign, submul_1};

/// The quotient's low limbs into `quotient`, the remainder into the low limbs of `a`; limbs above are zero then.
///
/// The dividend has as many limbs as quotient and divisor together, its high ones are below the divisor; the divisor's top
/// bit is set, and `leading` are its leading limbs.
pub(super) fn divide(quotient: &mut [u64], a: &mut [u64], divisor: &[u64], leading: TwoLimbs) {
    let [low @ .., _, _] = divisor else {
        let (low, high) = a.split_at_mut(quotient.len());
        let remainder = leading.first().divide_limbs(low, high[0]);
        quotient.copy_from_slice(low);
        a.fill(0);
        a[0] = remainder;
        return;
    };
    macro_rules! unrolled {
        ($($limbs:literal)*) => {
            match low.len() {
                $($limbs => {
                    let low: &[u64; $limbs] = low.try_into().expect("as many limbs");
                    limb_by_limb(quotient, a, divisor, leading, |window, q| {
                        let window = window.try_into().expect("as many limbs");
                        sub_multiple(window, low, q)
                    });
                })*
                _ => limb_by_limb(quotient, a, divisor, leading, |window, q| {
                    submul_1(window, low, q)
                }),
            }
        };
    }
    unrolled!(0 1 2 3 4 5 6 7 8 9 10 11);
}

/// `a −= b·q`; what is still to be subtracted above.
#[inline(always)]
fn sub_multiple<const N: usize>(a: &mut [u64; N], b: &[u64; N], q: u64) -> u64 {
    // The chain of carries ends before that of borrows begins: both would want the same flag.
    let mut product = [0; N];
    let mut carry = 0;
    for (limb, &b) in product.iter_mut().zip(b) {
        let multiple = u128::from(b) * u128::from(q) + u128::from(carry);
        (*limb, carry) = (multiple as u64, (multiple >> 64) as u64);
    }
    let mut borrow = false;
    for (a, &limb) in a.iter_mut().zip(&product) {
        let (difference, first) = a.overflowing_sub(limb);
        let (difference, second) = difference.overflowing_sub(u64::from(borrow));
        (*a, borrow) = (difference, first | second);
    }
    carry + u64::from(borrow)
}

/// [`divide`] by at least two limbs; `take_off` is [`submul_1`] of all but the leading two.
#[inline(always)]
fn limb_by_limb(
    quotient: &mut [u64],
    a: &mut [u64],
    divisor: &[u64],
    leading: TwoLimbs,
    take_off: impl Fn(&mut [u64], u64) -> u64,
) {
    let m = divisor.len();
    // The two highest limbs stay out of memory, from where they would come back too late.
    let wide = |high: u64, low: u64| u128::from(high) << 64 | u128::from(low);
    let end = a.len();
    let mut high = wide(a[end - 1], a[end - 2]);
    for (i, quotient) in quotient.iter_mut().enumerate().rev() {
        let window = &mut a[i..=i + m];
        if high == leading.divisor() {
            // The quotient limb would be 2^64 or more, were the window not below 2^64 times the divisor: it is 2^64 − 1, since
            // less than 2^(64(m−1)) is missing there, which is less than the divisor.
            *quotient = u64::MAX;
            (window[m - 1], window[m]) = (high as u64, (high >> 64) as u64);
            let borrow = submul_1(&mut window[..m], divisor, u64::MAX);
            debug_assert_eq!(window[m], borrow);
            high = wide(window[m - 1], window[m - 2]);
            continue;
        }
        let (mut q, remainder) = leading.divide(high, window[m - 2]);
        let borrow = take_off(&mut window[..m - 2], q);
        let negative;
        (high, negative) = remainder.overflowing_sub(borrow.into());
        if negative {
            q -= 1;
            (window[m - 2], window[m - 1]) = (high as u64, (high >> 64) as u64);
            add_back(&mut window[..m], divisor);
            high = wide(window[m - 1], window[m - 2]);
        }
        *quotient = q;
    }
    (a[m - 2], a[m - 1]) = (high as u64, (high >> 64) as u64);
    a[m..].fill(0);
}

/// `a += divisor`, without its last carry: what was negative is none any more.
#[cold]
fn add_back(a: &mut [u64], divisor: &[u64]) {
    let carry = add_assign(a, divisor);
    debug_assert_eq!(carry, 1);
}
