//! Work on the thread that calls alone, without a pool.

use std::cell::Cell;

thread_local! {
    static ALONE: Cell<bool> = const { Cell::new(false) };
}

/// Runs the closure on this thread alone. No pool of threads is made for it, or asked how many threads it has: making the first
/// one takes longer than a small computation, and a process that was forked has none that works.
///
/// ```
/// let product = sunzi::alone(|| sunzi::Natural::from(6u8) * 7u8);
/// assert_eq!(product, 42u8);
/// ```
pub fn alone<R>(work: impl FnOnce() -> R) -> R {
    let _restored = Restored(ALONE.replace(true));
    work()
}

/// Whether the work that runs on this thread has no other.
pub(super) fn is_alone() -> bool {
    ALONE.get()
}

/// What it was before.
struct Restored(bool);

/// After a panic, too.
impl Drop for Restored {
    fn drop(&mut self) {
        ALONE.set(self.0);
    }
}
