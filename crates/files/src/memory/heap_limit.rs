//! The memory that the program has taken, the limits on it, and the sentence that tells where it ends.
//!
//! Commands ask before they start whether there is memory for what they know to need. This is for the rest: what nobody
//! foresaw must not end the program halfway through its output. Nothing here takes memory.

use super::size::Shown;
use std::cell::Cell;
use std::fmt;
use std::sync::atomic::{AtomicIsize, AtomicU64, AtomicUsize, Ordering};

/// The bytes that may be taken.
static LIMIT: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The bytes that are taken, as far as threads have told.
static TAKEN: AtomicIsize = AtomicIsize::new(0);

/// Bytes that a thread takes or gives back before it tells: a counter that all threads change is slow.
const UNTOLD: usize = 1 << 16;

thread_local! {
    /// What this thread has taken, less what it has given back, since it told.
    static OWN: Cell<isize> = const { Cell::new(0) };
}

/// `--max-memory`, and what the control groups left at the start; the greatest number if there is no such limit.
static BY_USER: AtomicU64 = AtomicU64::new(u64::MAX);
static BY_GROUP: AtomicU64 = AtomicU64::new(u64::MAX);

/// What the program takes for itself, whatever it computes: buffers of files, for the most part. The user's limit is for
/// what is computed, which smaller limits must not refuse in other words.
const OWN_BYTES: u64 = 8 << 20;

/// From now on no more may be taken than the user and the control groups allow, where they say.
pub fn limit_heap(by_user: Option<u64>, by_group: Option<u64>) {
    let [by_user, by_group] = [by_user, by_group].map(|limit| limit.unwrap_or(u64::MAX));
    BY_USER.store(by_user, Ordering::Relaxed);
    BY_GROUP.store(by_group, Ordering::Relaxed);
    let bytes = by_user.saturating_add(OWN_BYTES).min(by_group);
    LIMIT.store(
        usize::try_from(bytes).unwrap_or(usize::MAX),
        Ordering::Relaxed,
    );
}

/// Counts bytes that are taken, or given back if there are fewer than none; whether that is within the limit.
pub(super) fn count(bytes: isize) -> bool {
    OWN.with(|own| {
        let sum = own.get() + bytes;
        if sum.unsigned_abs() < UNTOLD {
            own.set(sum);
            return true;
        }
        own.set(0);
        let taken = TAKEN.fetch_add(sum, Ordering::Relaxed) + sum;
        bytes <= 0 || taken <= 0 || taken.unsigned_abs() <= LIMIT.load(Ordering::Relaxed)
    })
}

/// Who says that there is no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// What was set by [`limit_heap`].
    Limit,
    System,
}

/// Why the program ends.
pub(super) struct Sentence {
    /// All bytes, with those of the block that was wanted.
    taken: u64,
    reason: Reason,
}

impl Sentence {
    /// That more cannot be taken than is taken now.
    pub(super) fn new(reason: Reason) -> Self {
        let taken = TAKEN.load(Ordering::Relaxed).try_into().unwrap_or(0);
        Self { taken, reason }
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "out of memory: {} would be in use, and ",
            Shown(self.taken)
        )?;
        let [by_user, by_group] = [&BY_USER, &BY_GROUP].map(|limit| limit.load(Ordering::Relaxed));
        match self.reason {
            Reason::Limit if by_user <= by_group => {
                write!(f, "--max-memory allows {}", Shown(by_user))?;
            }
            Reason::Limit => {
                write!(f, "the limit of the control group left {}", Shown(by_group))?;
            }
            Reason::System => {
                f.write_str("the system gives no more (see `ulimit -v` and `ulimit -d`)")?;
            }
        }
        f.write_str("; raise the limit, or use smaller operands or fewer threads")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_names_both_figures_and_what_to_do() {
        let sentence = |reason| {
            let sentence = Sentence {
                taken: 5 << 30,
                reason,
            };
            sentence.to_string()
        };
        for (reason, way) in [
            (Reason::Limit, "--max-memory"),
            (Reason::System, "ulimit -v"),
        ] {
            let said = sentence(reason);
            assert!(said.contains("5.0 GiB would be in use"), "{said}");
            assert!(
                said.contains(way) && said.ends_with("fewer threads"),
                "{said}"
            );
        }
    }
}
