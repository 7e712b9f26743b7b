//! The limbs of a natural number: two of them in place of a pointer, longer ones in a vector.
//!
//! **Canonical.** Numbers below 2^128 are always inline, longer ones have no zero limb at their top: equal numbers are stored alike, so
//! equality and hashes are those of the storage.

use super::Natural;
use std::mem;
use sunzi_rns::limbs::truncate_zeros;

/// Limbs, the least significant first.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Storage {
    /// A number below 2^128.
    Inline([u64; 2]),
    /// At least three limbs, the last of which is not zero.
    Heap(Vec<u64>),
}

// The tag has its place among the capacities that no vector has.
const _: () = assert!(size_of::<Natural>() == size_of::<Vec<u64>>());

impl Natural {
    #[inline]
    pub(super) const fn from_words(words: [u64; 2]) -> Self {
        Self {
            storage: Storage::Inline(words),
        }
    }

    #[inline]
    pub(super) const fn from_wide(value: u128) -> Self {
        Self::from_words([value as u64, (value >> 64) as u64])
    }

    /// The number with these limbs, the least significant first; zeros at their end do not count.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(Natural::from_limbs(vec![3, 0, 0]), Natural::from(3u32));
    /// assert_eq!(Natural::from_limbs(vec![0, 0, 1]), Natural::ONE << 128);
    /// ```
    #[inline]
    pub fn from_limbs(mut limbs: Vec<u64>) -> Self {
        truncate_zeros(&mut limbs);
        match *limbs {
            [] => Self::ZERO,
            [low] => Self::from_words([low, 0]),
            [low, high] => Self::from_words([low, high]),
            _ => Self {
                storage: Storage::Heap(limbs),
            },
        }
    }

    /// The number with these limbs, the last of which is not zero.
    #[inline]
    pub(super) fn from_slice(limbs: &[u64]) -> Self {
        match *limbs {
            [] => Self::ZERO,
            [low] => Self::from_words([low, 0]),
            [low, high] => Self::from_words([low, high]),
            _ => Self {
                storage: Storage::Heap(limbs.to_vec()),
            },
        }
    }

    /// The limbs of the number, the least significant first, without zeros at their end.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(Natural::from(1u128 << 64).as_limbs(), [0, 1]);
    /// assert!(Natural::ZERO.as_limbs().is_empty());
    /// ```
    #[inline]
    pub fn as_limbs(&self) -> &[u64] {
        match &self.storage {
            Storage::Inline(words) => {
                let len = if words[1] != 0 {
                    2
                } else {
                    usize::from(words[0] != 0)
                };
                &words[..len]
            }
            Storage::Heap(limbs) => limbs,
        }
    }

    /// The limbs of the number, the least significant first, without zeros at their end.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(Natural::from(7u32).into_limbs(), vec![7]);
    /// ```
    #[inline]
    pub fn into_limbs(self) -> Vec<u64> {
        match self.storage {
            Storage::Inline(_) => self.as_limbs().to_vec(),
            Storage::Heap(limbs) => limbs,
        }
    }

    /// The number, if it is below 2^64.
    #[inline]
    pub(super) fn word(&self) -> Option<u64> {
        match self.storage {
            Storage::Inline([low, 0]) => Some(low),
            _ => None,
        }
    }

    /// The number, if it is below 2^128.
    #[inline]
    pub(super) fn wide(&self) -> Option<u128> {
        match self.storage {
            Storage::Inline([low, high]) => Some(u128::from(high) << 64 | u128::from(low)),
            Storage::Heap(_) => None,
        }
    }

    /// Works on the limbs in place, which may have zeros at their end afterwards.
    #[inline]
    pub(super) fn edit<T>(&mut self, work: impl FnOnce(&mut Vec<u64>) -> T) -> T {
        let mut limbs = mem::take(self).into_limbs();
        let found = work(&mut limbs);
        *self = Self::from_limbs(limbs);
        found
    }
}

impl From<&[u64]> for Natural {
    /// The number with these limbs, the least significant first; zeros at their end do not count.
    fn from(limbs: &[u64]) -> Self {
        let zeros = limbs.iter().rev().take_while(|&&limb| limb == 0).count();
        Self::from_slice(&limbs[..limbs.len() - zeros])
    }
}
