//! Tables of powers and of products, as long as the operands that they are made for: filled by vector
//! operations, on all threads.

mod progressions;
mod running_products;

pub(crate) use progressions::{chirp, consecutive, progression};
pub(crate) use running_products::products_and_inverses;

use sunzi_threads::Threads;

/// Elements of a chunk.
const CHUNK: usize = 1 << 10;

/// Bytes of elements that make it worth waking other threads.
const BYTES_FOR_THREADS: usize = 1 << 17;

/// Calls `work` with each chunk and where it starts, on all threads if there are several and enough to do.
pub(crate) fn in_chunks<E: Send>(x: &mut [E], work: impl Fn(usize, &mut [E]) + Sync) {
    let threads = Threads::when(size_of_val(x) >= BYTES_FOR_THREADS);
    threads.each(x.chunks_mut(CHUNK).enumerate(), |(index, chunk)| {
        work(index * CHUNK, chunk);
    });
}
