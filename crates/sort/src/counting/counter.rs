//! Counters as narrow as the number of items allows.

/// A counter of items, which also holds their places.
pub trait Counter: Copy + Default + Send {
    /// The most items that it can count.
    const MOST: usize;
    /// Adds one; returns the count before.
    fn step(&mut self) -> usize;
    /// Replaces the count by a place; returns the count.
    fn replace(&mut self, place: usize) -> usize;
}

macro_rules! counter {
    ($($type:ty),*) => {$(
        impl Counter for $type {
            const MOST: usize = <$type>::MAX as usize;

            #[inline(always)]
            fn step(&mut self) -> usize {
                let before = *self as usize;
                *self += 1;
                before
            }

            #[inline(always)]
            fn replace(&mut self, place: usize) -> usize {
                std::mem::replace(self, place as $type) as usize
            }
        }
    )*};
}

counter!(u32, usize);
// The tests of `internals` count more items than these hold.
#[cfg(feature = "internals")]
counter!(u8);
