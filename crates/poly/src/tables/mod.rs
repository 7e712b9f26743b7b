//! Tables of powers and of products, as long as the operands that they are made for: filled by vector
//! operations, on all threads.

mod progressions;
mod running_products;

pub(crate) use progressions::{chirp, consecutive, progression};
pub(crate) use running_products::products_and_inverses;

use rayon::prelude::*;

/// Elements of a chunk.
const CHUNK: usize = 1 << 10;

/// Bytes of elements that make it worth waking other threads.
const BYTES_FOR_THREADS: usize = 1 << 17;

/// Calls `work` with each chunk and where it starts, on all threads if there are several and enough to do.
pub(crate) fn in_chunks<E: Send>(x: &mut [E], work: impl Fn(usize, &mut [E]) + Sync) {
    let chunk = |index: usize, chunk: &mut [E]| work(index * CHUNK, chunk);
    if size_of_val(x) < BYTES_FOR_THREADS {
        let chunks = x.chunks_mut(CHUNK).enumerate();
        chunks.for_each(|(index, x)| chunk(index, x));
    } else {
        let chunks = x.par_chunks_mut(CHUNK).enumerate();
        chunks.for_each(|(index, x)| chunk(index, x));
    }
}
