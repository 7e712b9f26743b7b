//! Vectors cut into parts, which threads share where there is enough to do.

use sunzi_field::Digits;
use sunzi_threads::Threads;

/// Words of a vector from which threads share it: waking them takes as long as a few transforms of 64
/// points.
const PARALLEL_WORDS: usize = 1 << 14;

/// Calls `work` with the number of each part of so many elements, and the part.
pub(super) fn in_parts<const K: usize>(
    out: &mut [Digits<K>],
    len: usize,
    work: impl Fn(usize, &mut [Digits<K>]) + Sync,
) {
    let threads = Threads::when(out.len() * K >= PARALLEL_WORDS);
    threads.each(out.chunks_mut(len).enumerate(), |(index, part)| {
        work(index, part);
    });
}
