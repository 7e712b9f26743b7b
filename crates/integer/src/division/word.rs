//! Division of two or three limbs by one or two, with a reciprocal computed beforehand.
//!
//! N. Möller and T. Granlund, *Improved division by invariant integers* (2011): algorithms 2 to 6.

use sunzi_rns::limbs;

/// A divisor of one limb whose top bit is set, and its reciprocal ⌊(2^128 − 1)/d⌋ − 2^64.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneLimb {
    divisor: u64,
    reciprocal: u64,
}

impl OneLimb {
    pub(crate) const fn new(divisor: u64) -> Self {
        debug_assert!(divisor >> 63 == 1);
        let reciprocal = (u128::MAX / divisor as u128 - (1 << 64)) as u64;
        Self {
            divisor,
            reciprocal,
        }
    }

    /// Quotient and remainder of `high·2^64 + low`, for `high` below the divisor.
    #[inline]
    pub(crate) const fn divide(self, high: u64, low: u64) -> (u64, u64) {
        let Self {
            divisor,
            reciprocal,
        } = self;
        let estimate = reciprocal as u128 * high as u128 + ((high as u128) << 64 | low as u128);
        let mut quotient = ((estimate >> 64) as u64).wrapping_add(1);
        let mut remainder = low.wrapping_sub(quotient.wrapping_mul(divisor));
        if remainder > estimate as u64 {
            quotient = quotient.wrapping_sub(1);
            remainder = remainder.wrapping_add(divisor);
        }
        if remainder >= divisor {
            quotient += 1;
            remainder -= divisor;
        }
        (quotient, remainder)
    }

    /// `a` becomes the quotient of `high` followed by `a`, for `high` below the divisor; returns the remainder.
    pub(crate) fn divide_limbs(self, a: &mut [u64], high: u64) -> u64 {
        let mut remainder = high;
        for limb in a.iter_mut().rev() {
            (*limb, remainder) = self.divide(remainder, *limb);
        }
        remainder
    }
}

/// `a /= word`; returns the remainder.
///
/// # Panics
/// If `word` is 0.
pub fn divide_by_word(a: &mut [u64], word: u64) -> u64 {
    assert!(word != 0, "division by zero");
    let zeros = word.leading_zeros();
    let over = limbs::shl_assign(a, zeros);
    OneLimb::new(word << zeros).divide_limbs(a, over) >> zeros
}

/// `a` modulo `word`.
///
/// # Panics
/// If `word` is 0.
pub fn remainder_by_word(a: &[u64], word: u64) -> u64 {
    assert!(word != 0, "division by zero");
    let zeros = word.leading_zeros();
    let divisor = OneLimb::new(word << zeros);
    // Each limb shifted, with the bits that leave the one below.
    let mut remainder = 0;
    let mut above = 0;
    for &limb in a.iter().rev() {
        let shifted = (u128::from(above) << 64 | u128::from(limb)) << zeros >> 64;
        (_, remainder) = divisor.divide(remainder, shifted as u64);
        above = limb;
    }
    (_, remainder) = divisor.divide(remainder, above << zeros);
    remainder >> zeros
}

/// A divisor of two limbs whose top bit is set, and its reciprocal ⌊(2^192 − 1)/d⌋ − 2^64.
#[derive(Clone, Copy, Debug)]
pub struct TwoLimbs {
    divisor: u128,
    reciprocal: u64,
}

impl TwoLimbs {
    #[inline]
    pub fn new(high: u64, low: u64) -> Self {
        let mut reciprocal = OneLimb::new(high).reciprocal;
        let mut p = high.wrapping_mul(reciprocal).wrapping_add(low);
        if p < low {
            reciprocal = reciprocal.wrapping_sub(1);
            if p >= high {
                reciprocal = reciprocal.wrapping_sub(1);
                p = p.wrapping_sub(high);
            }
            p = p.wrapping_sub(high);
        }
        let t = u128::from(reciprocal) * u128::from(low);
        let (p, overflow) = p.overflowing_add((t >> 64) as u64);
        let divisor = u128::from(high) << 64 | u128::from(low);
        if overflow {
            reciprocal = reciprocal.wrapping_sub(1);
            if u128::from(p) << 64 | u128::from(t as u64) >= divisor {
                reciprocal = reciprocal.wrapping_sub(1);
            }
        }
        Self {
            divisor,
            reciprocal,
        }
    }

    /// The leading limbs of a divisor, of which a zero follows if it has only one.
    #[inline]
    pub(crate) fn of(divisor: &[u64]) -> Self {
        match *divisor {
            [.., low, high] => Self::new(high, low),
            [high] => Self::new(high, 0),
            [] => unreachable!("a divisor is not 0"),
        }
    }

    /// The higher limb alone.
    pub(crate) fn first(self) -> OneLimb {
        let divisor = (self.divisor >> 64) as u64;
        match self.divisor as u64 {
            // ⌊(2^192 − 1)/(d·2^64)⌋ is ⌊(2^128 − 1)/d⌋.
            0 => OneLimb {
                divisor,
                reciprocal: self.reciprocal,
            },
            _ => OneLimb::new(divisor),
        }
    }

    pub fn divisor(self) -> u128 {
        self.divisor
    }

    /// Quotient and remainder of `high·2^64 + low`, for `high` below the divisor.
    #[inline(always)]
    pub fn divide(self, high: u128, low: u64) -> (u64, u128) {
        let (d1, d0) = ((self.divisor >> 64) as u64, self.divisor as u64);
        let (u2, u1) = ((high >> 64) as u64, high as u64);
        let estimate = (u128::from(self.reciprocal) * u128::from(u2)).wrapping_add(high);
        let (mut quotient, q0) = ((estimate >> 64) as u64, estimate as u64);
        let r1 = u1.wrapping_sub(quotient.wrapping_mul(d1));
        let mut remainder = (u128::from(r1) << 64 | u128::from(low))
            .wrapping_sub(u128::from(d0) * u128::from(quotient))
            .wrapping_sub(self.divisor);
        quotient = quotient.wrapping_add(1);
        if (remainder >> 64) as u64 >= q0 {
            quotient = quotient.wrapping_sub(1);
            remainder = remainder.wrapping_add(self.divisor);
        }
        if remainder >= self.divisor {
            quotient = quotient.wrapping_add(1);
            remainder -= self.divisor;
        }
        (quotient, remainder)
    }
}
