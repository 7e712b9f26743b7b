//! Work on a given number of threads.

/// Numbers of threads on which results are compared with an oracle: one, the least number that shares work, odd ones
/// whose shares are unequal, and more than there is work for.
pub const THREAD_COUNTS: [usize; 5] = [1, 2, 3, 7, 16];

/// The result of `work` in a rayon pool of the given number of threads, on which results must not depend.
///
/// # Panics
/// If the threads cannot be had, or the work panics.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let (mut work, mut result) = (Some(work), None);
    install(threads, &mut || result = work.take().map(|work| work()));
    result.expect("the pool did the work")
}

/// One function for all work, so that the pool's own code is compiled once.
fn install(threads: usize, work: &mut (dyn FnMut() + Send)) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().expect("a pool of threads").install(work);
}

/// Calls `work` with each of [`THREAD_COUNTS`], in a rayon pool of that size.
///
/// # Panics
/// As [`on_threads`].
///
/// ```
/// sunzi_testkit::on_every_thread_count(|threads| assert!(threads >= 1));
/// ```
pub fn on_every_thread_count(work: impl Fn(usize) + Sync) {
    for threads in THREAD_COUNTS {
        on_threads(threads, || work(threads));
    }
}
