//! Ending a long computation before it is done, from another thread.
//!
//! **Problem.** A computation runs on many threads, far below the one that asked for it; nothing can be returned to somebody who no
//! longer waits for it but through everything that lies between. **Way.** A [`Cancel`] belongs to a thread while a closure runs
//! there ([`Cancel::run`]), and goes along with what other threads take of its work. Where an item of shared work begins, where a
//! half does, and where pieces are counted, it is looked at; once it is asked to, the computation unwinds from there, as a panic does
//! but without its message, up to the closure's end. Values that the closure had to itself are freed; contexts and tables stay good,
//! as nothing that is half done is stored in them; slices that were lent to be written hold anything.
//!
//! A look costs a nanosecond, and no thread works for long between two of them: below some ten milliseconds in all but the largest
//! pieces of work.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// What may end the closure that runs on this thread.
    static CURRENT: RefCell<Option<Arc<Link>>> = const { RefCell::new(None) };
}

/// Ends computations, from any thread; clones end the same ones.
///
/// It takes unwinding: in a program that is compiled with `panic = "abort"` it ends the process.
///
/// ```
/// use std::{thread, time::Duration};
/// use sunzi::{Cancel, Cancelled, Natural};
///
/// let cancel = Cancel::new();
/// let later = cancel.clone();
/// let timer = thread::spawn(move || {
///     thread::sleep(Duration::from_millis(20));
///     later.cancel();
/// });
/// let endless = || {
///     let mut power = Natural::from(3u8);
///     loop {
///         power = &power * &power % (Natural::ONE << 1_000_000);
///     }
/// };
/// let ended: Result<(), Cancelled> = cancel.run(endless);
/// assert!(ended.is_err());
/// # timer.join().unwrap();
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    asked: Arc<Asked>,
}

/// A computation that was ended by its [`Cancel`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the computation was cancelled")]
pub struct Cancelled;

/// Whether work is to end.
#[derive(Debug, Default)]
struct Asked {
    asked: AtomicBool,
    /// After how many looks it asks by itself.
    #[cfg(feature = "internals")]
    looks: Option<std::sync::atomic::AtomicU64>,
}

impl Asked {
    fn read(&self) -> bool {
        #[cfg(feature = "internals")]
        if let Some(looks) = &self.looks
            && looks.fetch_sub(1, Ordering::Relaxed) == 0
        {
            self.asked.store(true, Ordering::Relaxed);
        }
        self.asked.load(Ordering::Relaxed)
    }
}

/// What may end a closure, and what may end those around it.
#[derive(Debug)]
pub(super) struct Link {
    asked: Arc<Asked>,
    outer: Option<Arc<Link>>,
}

/// What unwinds.
struct Unwinding;

impl Cancel {
    /// One that has not been asked to end anything.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One that asks by itself at the look after so many.
    #[cfg(feature = "internals")]
    #[must_use]
    pub fn after(looks: u64) -> Self {
        let asked = Asked {
            looks: Some(looks.into()),
            ..Asked::default()
        };
        Self {
            asked: Arc::new(asked),
        }
    }

    /// Ends what runs in [`Cancel::run`] soon, and what is run later at once.
    pub fn cancel(&self) {
        self.asked.asked.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to end what it runs.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.asked.asked.load(Ordering::Relaxed)
    }

    /// Runs the closure on this thread and those that share its work. A pool of threads is installed around this, not within the
    /// closure, which would leave the thread that it belongs to.
    ///
    /// # Errors
    /// [`Cancelled`], once nothing of it runs any more. What was asked for too late gives its result.
    pub fn run<R>(&self, work: impl FnOnce() -> R) -> Result<R, Cancelled> {
        if self.is_cancelled() {
            return Err(Cancelled);
        }
        let link = Arc::new(Link {
            asked: Arc::clone(&self.asked),
            outer: current(),
        });
        // What the closure changes outside of itself is as good as after a panic, which is said above.
        let ended = catch_unwind(AssertUnwindSafe(|| with(Some(link), work)));
        ended.map_err(|payload| {
            if payload.is::<Unwinding>() && self.is_cancelled() {
                return Cancelled;
            }
            resume_unwind(payload)
        })
    }
}

/// Ends the work that runs on this thread if it is to end: for loops that share nothing with other threads for long.
pub fn look() {
    // Without a copy of what is shared.
    let ends = CURRENT.with_borrow(|current| current.as_deref().is_some_and(Link::is_asked));
    // What is freed while something unwinds is freed to its end.
    if ends && !std::thread::panicking() {
        unwind();
    }
}

fn unwind() -> ! {
    resume_unwind(Box::new(Unwinding))
}

impl Link {
    fn is_asked(&self) -> bool {
        self.asked.read() || self.outer.as_deref().is_some_and(Self::is_asked)
    }

    /// Ends the work if it is to end.
    pub(super) fn look(&self) {
        if self.is_asked() {
            unwind();
        }
    }
}

/// What may end the work that runs on this thread.
pub(super) fn current() -> Option<Arc<Link>> {
    CURRENT.with_borrow(Clone::clone)
}

/// Runs work that this may end.
fn with<R>(link: Option<Arc<Link>>, work: impl FnOnce() -> R) -> R {
    let _restored = Restored(CURRENT.replace(link));
    work()
}

/// Runs work whose parts may run on any thread, each [within](Handed::within) what may end the work; this thread has it no longer
/// until then.
pub(super) fn handed_on<R>(work: impl FnOnce(&Handed) -> R) -> R {
    let handed = Handed(current());
    match &handed.0 {
        Some(_) => with(None, || work(&handed)),
        None => work(&handed),
    }
}

/// What may end parts of some work.
pub(super) struct Handed(Option<Arc<Link>>);

impl Handed {
    /// Runs a part, unless it is to end.
    pub(super) fn within<R>(&self, part: impl FnOnce() -> R) -> R {
        let Some(link) = &self.0 else {
            return part();
        };
        link.look();
        with(Some(Arc::clone(link)), part)
    }
}

/// What a thread had before.
struct Restored(Option<Arc<Link>>);

/// After a panic, too.
impl Drop for Restored {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}
