//! Work shared between the threads of the current pool.

use rayon::prelude::*;

/// Points times limbs squared from which a transform is worth sharing: some 0.1 ms of work.
const WORTH_SHARING: usize = 1 << 15;

/// The threads for transforms of `points` numbers of `limbs` limbs: those of the pool, or one for short work.
pub fn threads(points: usize, limbs: usize) -> usize {
    match points * limbs * limbs {
        ..WORTH_SHARING => 1,
        _ => rayon::current_num_threads(),
    }
}

/// Does the work for each item, on all threads if there are several.
pub fn each<T: Send>(
    threads: usize,
    items: impl Iterator<Item = T>,
    work: impl Fn(T) + Send + Sync,
) {
    if threads > 1 {
        items.collect::<Vec<_>>().into_par_iter().for_each(work);
    } else {
        items.for_each(work);
    }
}
