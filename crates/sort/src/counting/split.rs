//! Division of keys by the width of a bucket.

/// Cuts the offset of a key from the least one into bucket and remainder.
pub trait Split: Copy + Send + Sync {
    /// The bucket, and the offset within it.
    fn split(self, offset: u64) -> (usize, u64);
}

/// A width that is a power of two.
#[derive(Clone, Copy, Debug)]
pub struct Shift(pub u32);

impl Split for Shift {
    #[inline(always)]
    fn split(self, offset: u64) -> (usize, u64) {
        ((offset >> self.0) as usize, offset & ((1 << self.0) - 1))
    }
}

/// Any other width, by its reciprocal: the thesis names the division as what makes its sort slow (§4.5).
#[derive(Clone, Copy, Debug)]
pub struct Reciprocal {
    width: u64,
    /// ⌊(2^64 − 1) / width⌋, which is ⌊2^64 / width⌋ as the width is no power of two.
    inverse: u64,
}

impl Reciprocal {
    pub fn new(width: u64) -> Self {
        debug_assert!(width > 2 && !width.is_power_of_two());
        Self {
            width,
            inverse: u64::MAX / width,
        }
    }
}

impl Split for Reciprocal {
    #[inline(always)]
    fn split(self, offset: u64) -> (usize, u64) {
        // inverse > 2^64/width − 1, so the estimate is above offset/width − 2, at most 1 below the quotient.
        let estimate = ((u128::from(offset) * u128::from(self.inverse)) >> 64) as u64;
        let rest = offset - estimate * self.width;
        let short = rest >= self.width;
        let bucket = estimate + u64::from(short);
        let rest = if short { rest - self.width } else { rest };
        (bucket as usize, rest)
    }
}
