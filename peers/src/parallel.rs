//! Work shared between the threads of the current pool.

use rayon::prelude::*;

/// Does the work for each item, on all threads if there are several.
pub fn each<T: Send>(items: impl Iterator<Item = T>, work: impl Fn(T) + Send + Sync) {
    if rayon::current_num_threads() > 1 {
        items.collect::<Vec<_>>().into_par_iter().for_each(work);
    } else {
        items.for_each(work);
    }
}
