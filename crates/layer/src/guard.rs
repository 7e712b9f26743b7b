//! Faults of the layer: they are its own, and the program goes on.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::sync::Once;

/// Does something of the layer's that may fail in any way; `None` if it does.
pub fn guarded<T>(work: impl FnOnce() -> Option<T>) -> Option<T> {
    static QUIET: Once = Once::new();
    // The hook is that of this library, which has a standard library of its own: the program's is another.
    QUIET.call_once(|| set_hook(Box::new(|_| {})));
    // What was half done is within locks, which are poisoned: whoever finds one so lets launches be.
    catch_unwind(AssertUnwindSafe(work)).ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn a_panic_is_nothing_and_leaves_its_lock_poisoned() {
        let state = Mutex::new(0);
        let failed = guarded(|| {
            let mut state = state.lock().ok()?;
            *state = 1;
            assert_eq!(*state, 2, "a fault");
            Some(())
        });
        assert_eq!(failed, None);
        assert!(state.try_lock().is_err());
        assert_eq!(guarded(|| Some(3)), Some(3));
    }
}
