//! Work shared by threads: the one door to rayon, which still makes the pools.
//!
//! **Problem.** rayon compiles what divides, queues and collects anew for every closure, which was two fifths of the code
//! of a program. **Way.** Here closures are called through pointers, so that it is compiled once, or once for a type of
//! items and results. Such a call takes nanoseconds: items and halves are pieces of microseconds at least ([`Threads::piece`]).
//!
//! [`Meter`] shows how much of a long computation is done, [`Cancel`] ends one, and [`alone`] keeps one on the thread that calls.
//!
//! Work runs on the threads of the pool that calls, in any order; results are in the order of their items. A panic of one
//! piece goes on in the caller.
//!
//! ```
//! use sunzi_machine::threads::Threads;
//!
//! let mut squares = vec![0; 1000];
//! let piece = Threads::all().piece(squares.len(), 100);
//! let pieces = squares.chunks_mut(piece).enumerate();
//! Threads::all().each(pieces, |(index, squares)| {
//!     for (i, square) in squares.iter_mut().enumerate() {
//!         *square = (index * piece + i).pow(2);
//!     }
//! });
//! assert_eq!(squares[999], 999 * 999);
//! ```

mod alone;
mod cancel;
mod meter;

pub use alone::alone;
pub use cancel::{Cancel, Cancelled, look};
pub use meter::{Meter, Reading, Work};

use cancel::Link;
use std::convert::Infallible;
use std::mem;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// How many threads there are in the pool that calls.
///
/// ```
/// assert!(sunzi_machine::threads::count() >= 1);
/// ```
#[must_use]
pub fn count() -> usize {
    match alone::is_alone() {
        true => 1,
        false => rayon::current_num_threads(),
    }
}

/// Enough that no thread waits long for the last ones at the end.
const PIECES_A_THREAD: usize = 8;

/// What both closures give; the second runs on another thread if one is free.
///
/// ```
/// let (sum, product) = sunzi_machine::threads::join(|| 6 + 7, || 6 * 7);
/// assert_eq!((sum, product), (13, 42));
/// ```
pub fn join<A: Send, B: Send>(
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B + Send,
) -> (A, B) {
    Threads::all().join(first, second)
}

/// The threads that share some work: those of the pool, or only the one that calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    several: bool,
}

impl Threads {
    /// All threads of the pool.
    ///
    /// ```
    /// use sunzi_machine::threads::Threads;
    ///
    /// assert_eq!(Threads::all().map(0..4, |i| i * i), [0, 1, 4, 9]);
    /// ```
    #[must_use]
    pub fn all() -> Self {
        Self::when(true)
    }

    /// All threads of the pool if the work is worth it.
    #[must_use]
    pub fn when(worth: bool) -> Self {
        Self {
            several: worth && count() > 1,
        }
    }

    /// Whether there are several.
    ///
    /// ```
    /// use sunzi_machine::threads::Threads;
    ///
    /// assert!(!Threads::when(false).are_several());
    /// ```
    #[must_use]
    pub fn are_several(self) -> bool {
        self.several
    }

    /// How many of some things make a piece: all of them on one thread, else several pieces for each thread, of `least`
    /// things or more.
    ///
    /// ```
    /// use sunzi_machine::threads::Threads;
    ///
    /// assert_eq!(Threads::when(false).piece(5000, 1000), 5000);
    /// assert!(Threads::all().piece(1_000_000, 1000) >= 1000);
    /// ```
    #[must_use]
    pub fn piece(self, things: usize, least: usize) -> usize {
        let piece = match self.several {
            true => things.div_ceil(PIECES_A_THREAD * count()).max(least),
            false => things,
        };
        piece.max(1)
    }

    /// As [`join`].
    ///
    /// ```
    /// use sunzi_machine::threads::Threads;
    ///
    /// assert_eq!(Threads::when(false).join(|| 1, || 2), (1, 2));
    /// ```
    pub fn join<A: Send, B: Send>(
        self,
        first: impl FnOnce() -> A + Send,
        second: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        let (mut first, mut second) = (Step::Work(first), Step::Work(second));
        self.both(&mut |_| first.run(), &mut |_| second.run());
        (first.done(), second.done())
    }

    /// Does some work on each item.
    ///
    /// ```
    /// use sunzi_machine::threads::Threads;
    ///
    /// let mut x = [1, 2, 3];
    /// Threads::all().each(&mut x, |x| *x *= 2);
    /// assert_eq!(x, [2, 4, 6]);
    /// ```
    pub fn each<I: IntoIterator<Item: Send>>(self, items: I, work: impl Fn(I::Item) + Sync) {
        if !self.several {
            // Nothing is found and kept: a few short items cost no more than themselves.
            for item in items {
                cancel::look();
                work(item);
            }
            return;
        }
        let Ok(_) = self.try_map(items, |item| {
            work(item);
            Ok::<_, Infallible>(())
        });
    }

    /// What is found of each item, in their order.
    ///
    /// ```
    /// use sunzi_machine::threads::Threads;
    ///
    /// assert_eq!(Threads::all().map([4, 9], f64::from), [4.0, 9.0]);
    /// ```
    pub fn map<I: IntoIterator<Item: Send>, R: Send>(
        self,
        items: I,
        work: impl Fn(I::Item) -> R + Sync,
    ) -> Vec<R> {
        let Ok(found) = self.try_map(items, |item| Ok::<_, Infallible>(work(item)));
        found
    }

    /// Does some work that may fail on each item. Once an item has failed, those after it are not begun.
    ///
    /// # Errors
    /// That of the first item, in their order, that fails.
    ///
    /// ```
    /// use sunzi_machine::threads::Threads;
    ///
    /// let small = |x| if x < 4 { Ok(()) } else { Err(x) };
    /// assert_eq!(Threads::all().try_each(0..9, small), Err(4));
    /// ```
    pub fn try_each<I: IntoIterator<Item: Send>, E: Send>(
        self,
        items: I,
        work: impl Fn(I::Item) -> Result<(), E> + Sync,
    ) -> Result<(), E> {
        self.try_map(items, work).map(|_| ())
    }

    /// What is found of each item, in their order. Once an item has failed, those after it are not begun.
    ///
    /// # Errors
    /// That of the first item, in their order, that fails.
    ///
    /// ```
    /// use sunzi_machine::threads::Threads;
    ///
    /// let next = |x: u8| x.checked_add(1).ok_or(x);
    /// assert_eq!(Threads::all().try_map([1, 2], next), Ok(vec![2, 3]));
    /// assert_eq!(Threads::all().try_map([1, 255], next), Err(255));
    /// ```
    pub fn try_map<I: IntoIterator<Item: Send>, R: Send, E: Send>(
        self,
        items: I,
        work: impl Fn(I::Item) -> Result<R, E> + Sync,
    ) -> Result<Vec<R>, E> {
        let mut items = items.into_iter();
        let count = items.size_hint().0;
        self.run(count, &mut || items.next(), &work)
    }

    /// What `work` finds of the items that `next` gives, `count` or more: compiled once for a type of items and of what is
    /// found, and not for every iterator and every closure.
    fn run<I: Send, R: Send, E: Send>(
        self,
        count: usize,
        next: &mut dyn FnMut() -> Option<I>,
        work: &(dyn Fn(I) -> Result<R, E> + Sync),
    ) -> Result<Vec<R>, E> {
        let cancel = cancel::current();
        let look = || cancel.as_deref().map_or((), Link::look);
        if !self.several {
            let mut all = Vec::with_capacity(count);
            while let Some(item) = next() {
                look();
                all.push(work(item)?);
            }
            return Ok(all);
        }
        let mut turns = Vec::with_capacity(count);
        while let Some(item) = next() {
            turns.push(Turn::Waiting(item));
        }
        let failure = Failure::new();
        let shared = Turns(turns.as_mut_ptr());
        halves(0..turns.len(), Splits::new(), &|index| {
            look();
            if failure.is_before(index) {
                return;
            }
            // SAFETY: `halves` comes to every index below the length once, and until it returns nothing else refers to turns.
            let turn = unsafe { &mut *shared.at(index) };
            if let Turn::Waiting(item) = mem::replace(turn, Turn::Taken) {
                match work(item) {
                    Ok(found) => *turn = Turn::Done(found),
                    Err(error) => failure.record(index, error),
                }
            }
        });
        failure.first()?;
        let mut all = Vec::with_capacity(turns.len());
        for turn in turns {
            if let Turn::Done(found) = turn {
                all.push(found);
            }
        }
        Ok(all)
    }

    /// Runs both; each is told whether another thread took it.
    fn both(self, first: &mut (dyn FnMut(bool) + Send), second: &mut (dyn FnMut(bool) + Send)) {
        if !self.several {
            cancel::look();
            first(false);
            cancel::look();
            return second(false);
        }
        // A thread that waits for a half takes others' work, which this does not end.
        cancel::handed_on(|cancel| {
            rayon::join_context(
                |context| cancel.within(|| first(context.migrated())),
                |context| cancel.within(|| second(context.migrated())),
            )
        });
    }
}

/// The first failure, in the order of items, of those that happened.
struct Failure<E> {
    /// The item that failed, or `usize::MAX`.
    index: AtomicUsize,
    error: Mutex<Option<(usize, E)>>,
}

impl<E> Failure<E> {
    fn new() -> Self {
        Self {
            index: AtomicUsize::new(usize::MAX),
            error: Mutex::new(None),
        }
    }

    /// Whether an item before this one is known to have failed. Items before that one are done all the same, so that
    /// which error is told does not depend on which thread was faster.
    fn is_before(&self, index: usize) -> bool {
        self.index.load(Ordering::Relaxed) < index
    }

    fn record(&self, index: usize, error: E) {
        self.index.fetch_min(index, Ordering::Relaxed);
        let mut first = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        if first.as_ref().is_none_or(|&(first, _)| index < first) {
            *first = Some((index, error));
        }
    }

    fn first(self) -> Result<(), E> {
        let error = self.error.into_inner();
        match error.unwrap_or_else(PoisonError::into_inner) {
            Some((_, error)) => Err(error),
            None => Ok(()),
        }
    }
}

/// An item until its turn, and then what was found of it.
enum Turn<I, R> {
    Waiting(I),
    Taken,
    Done(R),
}

/// The address of turns, each of which one thread takes.
struct Turns<I, R>(*mut Turn<I, R>);

// SAFETY: through a shared reference only `at` leads to turns, which whoever asks for one takes on one thread: items go there, and
// what is found comes back.
unsafe impl<I: Send, R: Send> Sync for Turns<I, R> {}

impl<I, R> Turns<I, R> {
    fn at(&self, index: usize) -> *mut Turn<I, R> {
        self.0.wrapping_add(index)
    }
}

/// A closure that runs once, then what it gave.
enum Step<F, R> {
    Work(F),
    Running,
    Done(R),
}

impl<F: FnOnce() -> R, R> Step<F, R> {
    fn run(&mut self) {
        if let Self::Work(work) = mem::replace(self, Self::Running) {
            *self = Self::Done(work());
        }
    }

    fn done(self) -> R {
        match self {
            Self::Done(found) => found,
            _ => unreachable!("both closures have run"),
        }
    }
}

/// How many times work is still divided: as often as there are threads, and anew where another thread took a half,
/// which shows that some are idle.
#[derive(Clone, Copy)]
struct Splits(usize);

impl Splits {
    fn new() -> Self {
        Self(count())
    }

    /// Those of a half.
    fn half(self, moved: bool) -> Self {
        let left = self.0 / 2;
        Self(if moved { left.max(count()) } else { left })
    }
}

/// Calls `work` with every index once, on several threads.
fn halves(indices: Range<usize>, splits: Splits, work: &(dyn Fn(usize) + Sync)) {
    if indices.len() < 2 || splits.0 == 0 {
        return indices.for_each(work);
    }
    let middle = indices.start + indices.len() / 2;
    let (low, high) = (indices.start..middle, middle..indices.end);
    Threads { several: true }.both(
        &mut |moved| halves(low.clone(), splits.half(moved), work),
        &mut |moved| halves(high.clone(), splits.half(moved), work),
    );
}
