//! The end of the program when there is no more memory. Nothing here takes any.

use super::{Shown, budget};
use crate::output::{removal, standard};
use std::cell::Cell;
use std::fmt::{self, Write as _};
use std::io::{self, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};

/// The exit code of computations that cannot be done.
const CANNOT_BE_DONE: i32 = 1;

/// Who says that there is no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// What was set by [`limits`].
    Limit,
    System,
}

/// `--max-memory`, and what the control groups left at the start; the greatest number if there is no such limit.
static BY_USER: AtomicU64 = AtomicU64::new(u64::MAX);
static BY_GROUP: AtomicU64 = AtomicU64::new(u64::MAX);

/// What the program takes for itself, whatever it computes: buffers of files, for the most part. The user's limit is for
/// what is computed, which smaller limits must not refuse in other words.
const OWN_BYTES: u64 = 8 << 20;

/// The limits of the memory: the user's, and that of the control groups.
pub fn limits(by_user: Option<u64>, by_group: Option<u64>) {
    let [by_user, by_group] = [by_user, by_group].map(|limit| limit.unwrap_or(u64::MAX));
    BY_USER.store(by_user, Ordering::Relaxed);
    BY_GROUP.store(by_group, Ordering::Relaxed);
    budget::limit(by_user.saturating_add(OWN_BYTES).min(by_group));
}

/// Why the program ends.
struct Sentence {
    /// All bytes, with those of the block that was wanted.
    taken: u64,
    reason: Reason,
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

/// Ends the program in order: the document on standard output is closed, and no unfinished file stays.
#[cold]
pub(super) fn end(reason: Reason) -> ! {
    thread_local! {
        static ENDING: Cell<bool> = const { Cell::new(false) };
    }
    if ENDING.replace(true) {
        leave();
    }
    let sentence = Sentence {
        taken: budget::taken() as u64,
        reason,
    };
    // Held until the end: whatever else runs out of memory waits here, and nothing is written any more.
    let mut content = standard::lock();
    standard::close(&mut content, &sentence);
    removal::remove_all();
    let mut line = Line {
        bytes: [0; 512],
        length: 0,
    };
    // Without standard error there is nobody to tell.
    let _ = writeln!(line, "sunzi: {sentence}");
    let _ = io::stderr().write_all(&line.bytes[..line.length]);
    leave()
}

/// Leaves without the work that programs do at their end.
fn leave() -> ! {
    #[cfg(unix)]
    // SAFETY: this ends the process, and nothing more is done in it.
    unsafe {
        libc::_exit(CANNOT_BE_DONE)
    }
    #[cfg(not(unix))]
    std::process::exit(CANNOT_BE_DONE)
}

/// A text that is cut where it is too long.
struct Line {
    bytes: [u8; 512],
    length: usize,
}

impl fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = &mut self.bytes[self.length..];
        let fits = text.len().min(room.len());
        room[..fits].copy_from_slice(&text.as_bytes()[..fits]);
        self.length += fits;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_names_both_figures_and_what_to_do() {
        let sentence = |reason| {
            let mut line = Line {
                bytes: [0; 512],
                length: 0,
            };
            let sentence = Sentence {
                taken: 5 << 30,
                reason,
            };
            write!(line, "{sentence}").unwrap();
            String::from_utf8(line.bytes[..line.length].to_vec()).unwrap()
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

    #[test]
    fn a_line_that_is_too_long_is_cut() {
        let mut line = Line {
            bytes: [0; 512],
            length: 0,
        };
        (0..20).for_each(|_| line.write_str(&"x".repeat(60)).unwrap());
        assert_eq!(line.length, 512);
    }
}
