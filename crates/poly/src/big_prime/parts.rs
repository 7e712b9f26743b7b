//! Vectors cut into parts, which threads share where there is enough to do.

use rayon::prelude::*;
use sunzi_field::Digits;

/// Words of a vector from which threads share it: waking them takes as long as a few transforms of 64
/// points.
const PARALLEL_WORDS: usize = 1 << 14;

/// Calls `work` with the number of each part of so many elements, and the part.
pub(super) fn in_parts<const K: usize>(
    out: &mut [Digits<K>],
    len: usize,
    work: impl Fn(usize, &mut [Digits<K>]) + Sync,
) {
    if out.len() * K < PARALLEL_WORDS {
        for (index, part) in out.chunks_mut(len).enumerate() {
            work(index, part);
        }
        return;
    }
    let parts = out.par_chunks_mut(len).enumerate();
    parts.for_each(|(index, part)| work(index, part));
}
