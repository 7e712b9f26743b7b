//! Keys of counting sorts.

/// Unsigned integers that a counting sort takes as keys.
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

mod sealed {
    pub trait Sealed {}
}
