//! Work on a given number of threads.

/// The result of `work` in a rayon pool of so many threads: results must not depend on how many.
///
/// # Panics
/// If the threads cannot be had, or the work panics.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().expect("a pool of threads").install(work)
}
