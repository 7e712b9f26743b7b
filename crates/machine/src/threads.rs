//! Work shared by threads: the one door to rayon, which still makes the pools.
//!
//! **Problem.** rayon compiles what divides, queues and collects anew for every closure, which was two fifths of the code
//! of a program. **Way.** Here closures are called through pointers, so that it is compiled once, or once for a type of
//! items. Such a call takes nanoseconds: items and halves are pieces of microseconds at least ([`Threads::piece`]).
//!
//! [`Meter`] shows how much of a long computation is done.
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

mod meter;

pub use meter::{Meter, Reading, Work};

use std::mem::{self, MaybeUninit};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// How many threads there are in the pool that calls.
///
/// ```
/// assert!(sunzi_machine::threads::count() >= 1);
/// ```
#[must_use]
pub fn count() -> usize {
    rayon::current_num_threads()
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
    let (mut first, mut second) = (Step::Work(first), Step::Work(second));
    both(&mut |_| first.run(), &mut |_| second.run());
    (first.done(), second.done())
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
        match self.several {
            true => join(first, second),
            false => (first(), second()),
        }
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
        // Loops, here and below: chains of iterators would be compiled anew for every closure, too.
        if !self.several {
            for item in items {
                work(item);
            }
            return;
        }
        Filling::new(items).run(&|item| {
            work(item);
            Some(())
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
        let items = items.into_iter();
        if !self.several {
            let mut all = Vec::with_capacity(items.size_hint().0);
            for item in items {
                all.push(work(item));
            }
            return all;
        }
        Filling::new(items).run(&|item| Some(work(item)))
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
        if !self.several {
            for item in items {
                work(item)?;
            }
            return Ok(());
        }
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
        let items = items.into_iter();
        if !self.several {
            let mut all = Vec::with_capacity(items.size_hint().0);
            for item in items {
                all.push(work(item)?);
            }
            return Ok(all);
        }
        let failure = Failure::new();
        let found = Filling::new(items.enumerate()).run(&|(index, item)| {
            if failure.is_before(index) {
                return None;
            }
            match work(item) {
                Ok(found) => Some(found),
                Err(error) => failure.record(index, error),
            }
        });
        failure.or(found)
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

    fn record<R>(&self, index: usize, error: E) -> Option<R> {
        self.index.fetch_min(index, Ordering::Relaxed);
        let mut first = self.error.lock().unwrap_or_else(PoisonError::into_inner);
        if first.as_ref().is_none_or(|&(first, _)| index < first) {
            *first = Some((index, error));
        }
        None
    }

    fn or<R>(self, found: R) -> Result<R, E> {
        let error = self.error.into_inner();
        match error.unwrap_or_else(PoisonError::into_inner) {
            Some((_, error)) => Err(error),
            None => Ok(found),
        }
    }
}

/// An item until its turn, and then whether anything was found of it.
enum Turn<I> {
    Waiting(I),
    Nothing,
    Found,
}

/// Items, and the places for what is found of them.
struct Filling<I, R> {
    turns: Vec<Turn<I>>,
    /// Empty, but of enough capacity: place i holds a value where turn i is [`Turn::Found`].
    places: Vec<R>,
}

impl<I: Send, R: Send> Filling<I, R> {
    fn new(items: impl IntoIterator<Item = I>) -> Self {
        let items = items.into_iter();
        let mut turns = Vec::with_capacity(items.size_hint().0);
        for item in items {
            turns.push(Turn::Waiting(item));
        }
        let places = Vec::with_capacity(turns.len());
        Self { turns, places }
    }

    /// What `work` finds of the items, up to the first of which it finds nothing.
    fn run(mut self, work: &(dyn Fn(I) -> Option<R> + Sync)) -> Vec<R> {
        let places = &mut self.places.spare_capacity_mut()[..self.turns.len()];
        halves(&mut self.turns, places, Splits::new(), work);
        let mut len = 0;
        for turn in &mut self.turns {
            if !matches!(turn, Turn::Found) {
                break;
            }
            *turn = Turn::Nothing;
            len += 1;
        }
        self.drop_found();
        let mut found = mem::take(&mut self.places);
        // SAFETY: the turns of the first `len` places were `Found`, so that they hold values, which are no longer
        // dropped by `self`.
        unsafe { found.set_len(len) };
        found
    }
}

impl<I, R> Filling<I, R> {
    /// Drops what was found.
    fn drop_found(&mut self) {
        let places = self.places.spare_capacity_mut();
        for (turn, place) in self.turns.iter_mut().zip(places) {
            if matches!(turn, Turn::Found) {
                *turn = Turn::Nothing;
                // SAFETY: the turn was `Found`, so the place holds a value, and nobody drops it again.
                unsafe { place.assume_init_drop() };
            }
        }
    }
}

/// After a panic, too.
impl<I, R> Drop for Filling<I, R> {
    fn drop(&mut self) {
        self.drop_found();
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

fn halves<I: Send, R: Send>(
    turns: &mut [Turn<I>],
    places: &mut [MaybeUninit<R>],
    splits: Splits,
    work: &(dyn Fn(I) -> Option<R> + Sync),
) {
    if turns.len() < 2 || splits.0 == 0 {
        for (turn, place) in turns.iter_mut().zip(places) {
            if let Turn::Waiting(item) = mem::replace(turn, Turn::Nothing)
                && let Some(found) = work(item)
            {
                place.write(found);
                *turn = Turn::Found;
            }
        }
        return;
    }
    let middle = turns.len() / 2;
    let (low, high) = turns.split_at_mut(middle);
    let (low_places, high_places) = places.split_at_mut(middle);
    both(
        &mut |moved| halves(low, low_places, splits.half(moved), work),
        &mut |moved| halves(high, high_places, splits.half(moved), work),
    );
}

/// Runs both; each is told whether another thread took it.
fn both(first: &mut (dyn FnMut(bool) + Send), second: &mut (dyn FnMut(bool) + Send)) {
    rayon::join_context(
        |context| first(context.migrated()),
        |context| second(context.migrated()),
    );
}
