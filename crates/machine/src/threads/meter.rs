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
/// use sunzi::matrix::DenseMatrix;
/// use sunzi::{Integer, Meter};
///
/// let meter = Arc::new(Meter::new());
/// let shown = Arc::clone(&meter);
/// let other = std::thread::spawn(move || shown.read()); // `60 of 200 lifting steps`, or `None`
/// let matrix = DenseMatrix::from_fn(40, 40, |i, j| Integer::from(i * j + i.pow(3) % 101));
/// assert_eq!(meter.watch(|| matrix.determinant()), Ok(Integer::ZERO));
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

    /// So many more pieces are done. Work that is [cancelled](super::Cancel) ends here.
    pub fn done(&self, pieces: u64) {
        super::look();
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
