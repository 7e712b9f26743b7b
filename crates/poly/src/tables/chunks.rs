//! Vectors cut into chunks, which threads share where there is enough to do.

use sunzi_threads::Threads;

/// Elements of a chunk of a table.
pub(super) const CHUNK: usize = 1 << 10;

/// Bytes of elements that make it worth waking other threads: that takes as long as a few transforms of 64
/// points over a big prime field.
pub(super) const BYTES_FOR_THREADS: usize = 1 << 17;

/// Calls `work` with each chunk and where it starts, on all threads if there are several and enough to do.
pub(crate) fn in_chunks<E: Send>(x: &mut [E], work: impl Fn(usize, &mut [E]) + Sync) {
    in_chunks_of(CHUNK, x, work);
}

/// The same with chunks of `len` elements.
pub(crate) fn in_chunks_of<E: Send>(
    len: usize,
    x: &mut [E],
    work: impl Fn(usize, &mut [E]) + Sync,
) {
    let threads = Threads::when(size_of_val(x) >= BYTES_FOR_THREADS);
    threads.each(x.chunks_mut(len).enumerate(), |(index, chunk)| {
        work(index * len, chunk);
    });
}
