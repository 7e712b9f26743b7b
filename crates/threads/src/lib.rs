//! Work shared by threads: the one door to rayon, which still makes the pools.
//!
//! **Problem.** rayon compiles what divides, queues and collects anew for every closure, which was two fifths of the code
//! of a program. **Way.** Here closures are called through pointers, so that it is compiled once, or once for a type of
//! items. Such a call takes nanoseconds: items and halves are pieces of microseconds at least ([`Threads::piece`]).
//!
//! Work runs on the threads of the pool that calls, in any order; results are in the order of their items. A panic of one
//! piece goes on in the caller.
//!
//! ```
//! use sunzi_threads::Threads;
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

use std::mem;

/// How many threads there are in the pool that calls.
///
/// ```
/// assert!(sunzi_threads::count() >= 1);
/// ```
#[must_use]
pub fn count() -> usize {
    rayon::current_num_threads()
}

/// So many that the last threads to end do not wait long for the others.
const PIECES_A_THREAD: usize = 8;

/// What both closures give; the second runs on another thread if one is free.
///
/// ```
/// let (sum, product) = sunzi_threads::join(|| 6 + 7, || 6 * 7);
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
    /// use sunzi_threads::Threads;
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
    /// use sunzi_threads::Threads;
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
    /// use sunzi_threads::Threads;
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
    /// use sunzi_threads::Threads;
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
    /// use sunzi_threads::Threads;
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
        let mut slots = slots(items, || ());
        halves(&mut slots, Splits::new(), &|slot| {
            if let Some(item) = slot.item.take() {
                work(item);
            }
        });
    }

    /// What is found of each item, in their order.
    ///
    /// ```
    /// use sunzi_threads::Threads;
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
        let mut slots = slots(items, || None);
        halves(&mut slots, Splits::new(), &|slot| {
            if let Some(item) = slot.item.take() {
                slot.found = Some(work(item));
            }
        });
        let mut all = Vec::with_capacity(slots.len());
        for slot in slots {
            if let Some(found) = slot.found {
                all.push(found);
            }
        }
        all
    }

    /// Does some work that may fail on each item.
    ///
    /// # Errors
    /// That of the first item that failed.
    ///
    /// ```
    /// use sunzi_threads::Threads;
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
        for found in self.map(items, work) {
            found?;
        }
        Ok(())
    }

    /// What is found of each item, in their order.
    ///
    /// # Errors
    /// That of the first item that failed.
    ///
    /// ```
    /// use sunzi_threads::Threads;
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
        let found = self.map(items, work);
        let mut all = Vec::with_capacity(found.len());
        for found in found {
            all.push(found?);
        }
        Ok(all)
    }
}

/// An item until its turn, and what was found of it.
struct Slot<I, R> {
    item: Option<I>,
    found: R,
}

fn slots<I: IntoIterator, R>(items: I, nothing: impl Fn() -> R) -> Vec<Slot<I::Item, R>> {
    let items = items.into_iter();
    let mut slots = Vec::with_capacity(items.size_hint().0);
    for item in items {
        slots.push(Slot {
            item: Some(item),
            found: nothing(),
        });
    }
    slots
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

fn halves<T: Send>(items: &mut [T], splits: Splits, work: &(dyn Fn(&mut T) + Sync)) {
    if items.len() < 2 || splits.0 == 0 {
        for item in items {
            work(item);
        }
        return;
    }
    let (low, high) = items.split_at_mut(items.len() / 2);
    both(
        &mut |moved| halves(low, splits.half(moved), work),
        &mut |moved| halves(high, splits.half(moved), work),
    );
}

/// Runs both; each is told whether another thread took it.
fn both(first: &mut (dyn FnMut(bool) + Send), second: &mut (dyn FnMut(bool) + Send)) {
    rayon::join_context(
        |context| first(context.migrated()),
        |context| second(context.migrated()),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::sync::{Barrier, Mutex};

    /// Miri takes minutes for what takes milliseconds else.
    const MOST: usize = if cfg!(miri) { 4 } else { 100 };
    const THREADS: &[usize] = match cfg!(miri) {
        true => &[1, 3],
        false => &[1, 2, 3, 7, 16],
    };

    fn on_threads(work: impl Fn() + Sync) {
        for &threads in THREADS {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(&work);
        }
    }

    #[test]
    fn every_item_has_its_turn_once() {
        on_threads(|| {
            for count in 0..MOST {
                let seen = Mutex::new(Vec::new());
                Threads::all().each(0..count, |i| seen.lock().unwrap().push(i));
                let mut seen = seen.into_inner().unwrap();
                seen.sort_unstable();
                assert_eq!(seen, Vec::from_iter(0..count));
                let squares = Vec::from_iter((0..count).map(|i| i * i));
                assert_eq!(Threads::all().map(0..count, |i| i * i), squares);
            }
        });
    }

    #[test]
    fn the_first_error_is_told() {
        on_threads(|| {
            for first in 0..MOST {
                let fail = |i| if i < first { Ok(i) } else { Err(i) };
                assert_eq!(Threads::all().try_map(0..MOST, fail), Err(first));
                let fail = |i| fail(i).map(|_| ());
                assert_eq!(Threads::all().try_each(0..MOST, fail), Err(first));
                assert_eq!(Threads::all().try_each(0..first, fail), Ok(()));
            }
        });
    }

    #[test]
    fn items_and_halves_go_to_several_threads() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
        pool.build().unwrap().install(|| {
            // Each waits for the other.
            let barrier = Barrier::new(2);
            let name = || {
                barrier.wait();
                rayon::current_thread_index()
            };
            let names = Threads::all().map(0..2, |_| name());
            assert_eq!(BTreeSet::from_iter(names).len(), 2);
            let (first, second) = join(name, name);
            assert_ne!(first, second);
        });
    }

    #[test]
    fn panics_go_on_in_the_caller() {
        on_threads(|| {
            for place in 0..MOST / 4 {
                let result = std::panic::catch_unwind(|| {
                    Threads::all().each(0..MOST / 4, |i| assert_ne!(i, place));
                });
                assert!(result.is_err());
            }
        });
    }
}
