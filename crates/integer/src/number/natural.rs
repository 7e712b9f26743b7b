//! The type of natural numbers: its constants, and what is known of a number at a glance.

use super::storage::Storage;
use std::cmp::Ordering;

/// A natural number of any size, zero included.
///
/// Numbers below 2^128 are stored in place and need no memory; longer ones are limbs of 64 bits. Operators take values and references,
/// machine integers too; those on values use the operands' memory again. Products, quotients, greatest common divisors and text run by
/// the [shared multiplier](crate::Multiplier::shared), which chooses the fastest algorithm by measured lengths: M(n) below is the cost
/// of a product of n limbs, from n² for a few limbs to n·log n. Results depend neither on the processor nor on the number of threads.
///
/// ```
/// use sunzi::Natural;
///
/// let factorial: Natural = (1..=1000u32).product();
/// assert_eq!(factorial.to_string().len(), 2568);
/// let square = &factorial * &factorial;
/// assert_eq!(square.sqrt(), factorial);
/// assert_eq!("123".parse::<Natural>()? + 4 * &square % 5, 123);
/// # Ok::<(), sunzi::integer::TextError>(())
/// ```
///
/// # Panics
/// Operators panic as those of the standard library do: `-` if the difference is negative ([`Self::checked_sub`] does not), `/` and `%`
/// by zero ([`Self::checked_div_rem`]), and any of them with a negative machine integer.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Natural {
    pub(super) storage: Storage,
}

impl Natural {
    /// 0.
    pub const ZERO: Self = Self::from_words([0, 0]);
    /// 1.
    pub const ONE: Self = Self::from_words([1, 0]);

    /// Whether the number is 0.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert!(Natural::ZERO.is_zero());
    /// ```
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.storage, Storage::Inline([0, 0]))
    }

    /// Whether the number is 1.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert!(Natural::ONE.is_one());
    /// ```
    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self.storage, Storage::Inline([1, 0]))
    }

    /// Whether the number is a multiple of 2.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert!(Natural::from(6u32).is_even());
    /// ```
    #[inline]
    pub fn is_even(&self) -> bool {
        !self.bit(0)
    }
}

impl Default for Natural {
    /// 0.
    #[inline]
    fn default() -> Self {
        Self::ZERO
    }
}

impl PartialOrd for Natural {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Natural {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.wide(), other.wide()) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => sunzi_rns::limbs::cmp(self.as_limbs(), other.as_limbs()),
        }
    }
}
