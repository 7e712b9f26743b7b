//! How much of a long computation is done, for whoever waits for it.
//!
//! **Problem.** The function that knows how much there is to do is far below the one that asks for it, and what lies between has
//! nothing to do with it. **Way.** A [`Meter`] belongs to a thread while a closure runs there ([`Meter::watch`]). The first
//! function below that knows its work takes the meter ([`Work::new`]), counts pieces on all threads, and gives it back; what runs
//! within those pieces finds no meter, so that a count means one thing. Without a meter nothing is counted. No result depends
//! on it.

use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

thread_local! {
    /// The meter of the closure that runs on this thread.
    static WATCHED: RefCell<Option<Arc<Meter>>> = const { RefCell::new(None) };
}

/// Shows other threads how far some work is.
///
/// ```
/// use std::sync::Arc;
/// use sunzi_machine::threads::{Meter, Threads, Work};
///
/// fn squares(count: u64) -> Vec<u64> {
///     let work = Work::new(count, "squares");
///     Threads::all().map(0..count, |i| {
///         work.done(1);
///         i * i
///     })
/// }
///
/// let meter = Arc::new(Meter::new());
/// let shown = Arc::clone(&meter);
/// let other = std::thread::spawn(move || shown.read()); // how far it is, or `None`
/// assert_eq!(meter.watch(|| squares(10))[9], 81);
/// # other.join().unwrap();
/// assert_eq!(meter.read(), None);
/// ```
#[derive(Debug, Default)]
pub struct Meter {
    stage: Mutex<Option<Stage>>,
    done: AtomicU64,
}

#[derive(Clone, Copy, Debug)]
struct Stage {
    pieces: &'static str,
    total: u64,
    may_end_early: bool,
}

/// What a meter shows; as text, `3 of 10 primes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// What is counted: `primes`.
    pub pieces: &'static str,
    /// How many are done.
    pub done: u64,
    /// How many there are.
    pub total: u64,
    /// Whether the work may end before all are done.
    pub may_end_early: bool,
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            pieces,
            done,
            total,
            may_end_early,
        } = self;
        let most = if *may_end_early { "at most " } else { "" };
        write!(f, "{done} of {most}{total} {pieces}")
    }
}

impl Meter {
    /// One that shows nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs the closure on this thread, and shows how far it is where that is known. A pool of threads is installed around
    /// this, not within the closure, which would leave the thread that is watched.
    pub fn watch<R>(self: &Arc<Self>, work: impl FnOnce() -> R) -> R {
        let before = WATCHED.replace(Some(Arc::clone(self)));
        let _restored = Restored(before);
        work()
    }

    /// How far the work is; `None` before it, after it, and where that is not known.
    pub fn read(&self) -> Option<Reading> {
        let stage = self.stage();
        let Stage {
            pieces,
            total,
            may_end_early,
        } = (*stage)?;
        Some(Reading {
            pieces,
            done: self.done.load(Ordering::Relaxed).min(total),
            total,
            may_end_early,
        })
    }

    fn stage(&self) -> MutexGuard<'_, Option<Stage>> {
        self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, next: Stage) {
        let mut stage = self.stage();
        self.done.store(0, Ordering::Relaxed);
        *stage = Some(next);
    }
}

/// The meter that a thread had before.
struct Restored(Option<Arc<Meter>>);

/// After a panic, too.
impl Drop for Restored {
    fn drop(&mut self) {
        WATCHED.set(self.0.take());
    }
}

/// Work of which the amount is known, counted as it is done; see [`Meter`].
///
/// All threads may count, but it begins and ends on one thread, within [`Meter::watch`] if it began there.
#[derive(Debug)]
pub struct Work {
    meter: Option<Arc<Meter>>,
    /// Keeps it on its thread.
    thread: PhantomData<MutexGuard<'static, ()>>,
}

impl Work {
    /// So many pieces that take about as long, and what they are: `primes`.
    #[must_use]
    pub fn new(total: u64, pieces: &'static str) -> Self {
        Self::begin(total, pieces, false)
    }

    /// The same of work that may end before all pieces are done.
    #[must_use]
    pub fn at_most(total: u64, pieces: &'static str) -> Self {
        Self::begin(total, pieces, true)
    }

    fn begin(total: u64, pieces: &'static str, may_end_early: bool) -> Self {
        // Of a single piece, what runs in it may tell more.
        let meter = match total {
            ..=1 => None,
            _ => WATCHED.take(),
        };
        if let Some(meter) = &meter {
            meter.begin(Stage {
                pieces,
                total,
                may_end_early,
            });
        }
        Self {
            meter,
            thread: PhantomData,
        }
    }

    /// So many more pieces are done.
    pub fn done(&self, pieces: u64) {
        if let Some(meter) = &self.meter {
            meter.done.fetch_add(pieces, Ordering::Relaxed);
        }
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        if let Some(meter) = self.meter.take() {
            *meter.stage() = None;
            WATCHED.set(Some(meter));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Threads;
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn reading(pieces: &'static str, done: u64, total: u64) -> Option<Reading> {
        Some(Reading {
            pieces,
            done,
            total,
            may_end_early: false,
        })
    }

    #[test]
    fn the_outermost_work_is_shown_while_it_lasts() {
        let meter = Arc::new(Meter::new());
        meter.watch(|| {
            assert_eq!(meter.read(), None);
            let outer = Work::new(3, "rows");
            assert_eq!(meter.read(), reading("rows", 0, 3));
            let inner = Work::new(100, "columns");
            inner.done(50);
            drop(inner);
            outer.done(2);
            assert_eq!(meter.read(), reading("rows", 2, 3));
            // What is counted too often is no more than all.
            outer.done(2);
            assert_eq!(meter.read(), reading("rows", 3, 3));
            drop(outer);
            assert_eq!(meter.read(), None);
            let next = Work::at_most(5, "primes");
            next.done(3);
            let shown = meter.read().map(|reading| reading.to_string());
            assert_eq!(shown.as_deref(), Some("3 of at most 5 primes"));
            drop(next);
        });
        drop(Work::new(1, "none"));
        assert_eq!(meter.read(), None);
    }

    #[test]
    fn all_threads_count() {
        let meter = Arc::new(Meter::new());
        for threads in [1, 2, 3, 7] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(|| {
                meter.watch(|| {
                    let work = Work::new(1000, "pieces");
                    Threads::all().each(0..999, |_| work.done(1));
                    assert_eq!(meter.read(), reading("pieces", 999, 1000));
                });
            });
        }
    }

    #[test]
    fn after_a_panic_nobody_watches() {
        let meter = Arc::new(Meter::new());
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            meter.watch(|| {
                let _work = Work::new(2, "pieces");
                panic!("a piece");
            })
        }));
        assert!(panicked.is_err());
        let work = Work::new(7, "others");
        assert_eq!((meter.read(), work.meter.is_none()), (None, true));
    }

    #[test]
    fn watching_within_watching_ends_with_the_inner_one() {
        let [outer, inner] = [0; 2].map(|_| Arc::new(Meter::new()));
        outer.watch(|| {
            inner.watch(|| {
                let _work = Work::new(2, "inner");
                assert_eq!(inner.read(), reading("inner", 0, 2));
                assert_eq!(outer.read(), None);
            });
            let work = Work::new(3, "outer");
            assert_eq!(outer.read(), reading("outer", 0, 3));
            assert_eq!(inner.read(), None);
            // Work that lasts is no other meter's.
            inner.watch(|| drop(Work::new(2, "inner")));
            work.done(1);
            assert_eq!(outer.read(), reading("outer", 1, 3));
        });
    }

    #[test]
    fn of_a_single_piece_the_pieces_are_shown() {
        let meter = Arc::new(Meter::new());
        meter.watch(|| {
            for total in [0, 1] {
                let single = Work::new(total, "inverses");
                assert_eq!(meter.read(), None);
                let parts = Work::new(9, "rows");
                single.done(1);
                parts.done(4);
                assert_eq!(meter.read(), reading("rows", 4, 9));
            }
        });
    }
}
