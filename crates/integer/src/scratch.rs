//! Room for limbs that are gone when the work is done.

/// What `work` makes in so many limbs, all zero: of few of them on the stack, which is cleared as far as it is needed.
#[inline]
pub(crate) fn with_limbs<T>(count: usize, work: impl FnOnce(&mut [u64]) -> T) -> T {
    match count {
        0..=18 => work(&mut [0; 18][..count]),
        19..=50 => work(&mut [0; 50][..count]),
        51..=146 => work(&mut [0; 146][..count]),
        _ => work(&mut vec![0; count]),
    }
}
