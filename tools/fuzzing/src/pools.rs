//! Threads that wait for the next input.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::LazyLock;
use sunzi_testkit::THREAD_COUNTS;

static POOLS: LazyLock<[ThreadPool; THREAD_COUNTS.len()]> = LazyLock::new(|| {
    THREAD_COUNTS.map(|threads| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads")
    })
});

/// Does work on one of [`THREAD_COUNTS`].
pub fn on_some_threads<T: Send>(choice: u8, work: impl FnOnce() -> T + Send) -> T {
    POOLS[usize::from(choice) % POOLS.len()].install(work)
}
