//! Tests on several numbers of threads. They stand apart from `sunzi-testkit`, which needs GMP: Miri cannot run that.

/// One, the least number that shares work, odd ones whose shares are unequal, and more than there is work for. Miri, for
/// which threads are slow, gets few.
const THREAD_COUNTS: &[usize] = if cfg!(miri) {
    &[1, 3]
} else {
    &[1, 2, 3, 7, 16]
};

/// The result of `work` in a pool of that number of threads.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().unwrap().install(work)
}

/// Calls `work` with each of the counts, in a pool of that number of threads.
pub fn on_every_thread_count(work: impl Fn(usize) + Sync) {
    for &threads in THREAD_COUNTS {
        on_threads(threads, || work(threads));
    }
}
