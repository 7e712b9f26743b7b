//! The memory of the whole program, counted where it is taken.
//!
//! Commands ask before they start whether there is memory for what they know to need. This is for the rest: what nobody
//! foresaw must not end the program halfway through its output.

use super::exhausted;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering};

/// The system's memory, of which no more is taken than [`limit`] allows. Whatever takes more, or what the system has
/// not got, ends the program in order.
#[derive(Debug)]
pub struct Counted;

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

/// From now on no more than so many bytes may be taken.
pub fn limit(bytes: u64) {
    LIMIT.store(
        usize::try_from(bytes).unwrap_or(usize::MAX),
        Ordering::Relaxed,
    );
}

/// The bytes that are taken.
pub(super) fn taken() -> usize {
    TAKEN.load(Ordering::Relaxed).try_into().unwrap_or(0)
}

/// What a block takes with the system's own notes on it. No block is longer than an `isize` tells.
fn cost(size: usize) -> isize {
    (size.saturating_add(8 + 15) & !15).max(32) as isize
}

/// Counts bytes that are taken, or given back if there are fewer than none; whether that is within the limit.
fn count(bytes: isize) -> bool {
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

/// A block for which `take` asks the system, and that changes the count so much.
fn counted(bytes: isize, take: impl FnOnce() -> *mut u8) -> *mut u8 {
    if !count(bytes) {
        exhausted::end(exhausted::Reason::Limit);
    }
    let block = take();
    if block.is_null() {
        exhausted::end(exhausted::Reason::System);
    }
    block
}

// SAFETY: all blocks are the system's, which gets the same layouts back.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let size = layout.size();
        // SAFETY: the caller's layout is not empty, as this function demands, too.
        counted(cost(size), || unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let size = layout.size();
        // SAFETY: the caller's layout is not empty, as this function demands, too.
        counted(cost(size), || unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(-cost(layout.size()));
        // SAFETY: the block is the system's and of this layout, as the caller promises for this function.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let more = cost(size) - cost(layout.size());
        // SAFETY: the block is the system's and of this layout, and the new size is in range, as the caller promises.
        counted(more, || unsafe { System.realloc(block, layout, size) })
    }
}
