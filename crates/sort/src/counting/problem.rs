//! What counting sorts take: keys below a range, and as many values as keys.

use crate::error::SortError;

/// Integers that a counting sort takes as keys.
pub trait Key: Copy + Ord + Send + Sync + sealed::Sealed + 'static {
    /// The key as a word of 64 bits.
    fn word(self) -> u64;
    /// The key of a word that came from [`word`](Self::word).
    fn from_word(word: u64) -> Self;
}

macro_rules! keys {
    ($($type:ty),*) => {$(
        impl sealed::Sealed for $type {}
        impl Key for $type {
            #[inline]
            fn word(self) -> u64 {
                self as u64
            }
            #[inline]
            fn from_word(word: u64) -> Self {
                word as Self
            }
        }
    )*};
}

keys!(u8, u16, u32, u64, usize);

/// Words in the order of signed numbers: the sign is turned over.
const SIGN: u64 = 1 << 63;

macro_rules! signed_keys {
    ($($type:ty),*) => {$(
        impl sealed::Sealed for $type {}
        impl Key for $type {
            #[inline]
            fn word(self) -> u64 {
                self as u64 ^ SIGN
            }
            #[inline]
            fn from_word(word: u64) -> Self {
                (word ^ SIGN) as Self
            }
        }
    )*};
}

signed_keys!(i8, i16, i32, i64, isize);

mod sealed {
    pub trait Sealed {}
}

/// Refuses a key that is not below `range`, if there is one; `first` is the index of the first of these keys.
pub(super) fn check_range<K: Key>(
    first: usize,
    keys: &[K],
    range: Option<u64>,
) -> Result<(), SortError> {
    let Some(range) = range else {
        return Ok(());
    };
    // The maximum is found in vectors; its place is looked for only when it is too great.
    match keys.iter().max() {
        Some(greatest) if greatest.word() >= range => {
            let index = keys.iter().position(|key| key.word() >= range).unwrap_or(0);
            Err(SortError::KeyOutOfRange {
                index: first + index,
                key: keys[index].word(),
                range,
            })
        }
        _ => Ok(()),
    }
}

pub(super) fn check_lengths(keys: usize, values: usize) -> Result<(), SortError> {
    if keys == values {
        Ok(())
    } else {
        Err(SortError::Lengths { keys, values })
    }
}
