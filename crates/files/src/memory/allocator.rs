//! The allocator of the program: the system's, as long as the limits allow, and the end in order when there is no more.

use super::heap_limit::{Reason, Sentence, count};
use crate::output::{removal, standard};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fmt::{self, Write as _};
use std::io::{self, Write as _};

/// The exit code of computations that cannot be done.
const CANNOT_BE_DONE: i32 = 1;

/// The system's memory, of which no more is taken than [`limit_heap`](super::heap_limit::limit_heap) allows. Whatever takes more, or what
/// the system has not got, ends the program in order.
#[derive(Debug)]
pub struct Counted;

/// What a block takes with the system's own notes on it. No block is longer than an `isize` tells.
fn cost(size: usize) -> isize {
    (size.saturating_add(8 + 15) & !15).max(32) as isize
}

/// A block for which `take` asks the system, and that changes the count so much.
fn counted(bytes: isize, take: impl FnOnce() -> *mut u8) -> *mut u8 {
    if !count(bytes) {
        end(Reason::Limit);
    }
    let block = take();
    if block.is_null() {
        end(Reason::System);
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

/// Ends the program in order: the document on standard output is closed, and no unfinished file stays.
#[cold]
fn end(reason: Reason) -> ! {
    thread_local! {
        static ENDING: Cell<bool> = const { Cell::new(false) };
    }
    if ENDING.replace(true) {
        leave();
    }
    let sentence = Sentence::new(reason);
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
    fn a_line_that_is_too_long_is_cut() {
        let mut line = Line {
            bytes: [0; 512],
            length: 0,
        };
        (0..20).for_each(|_| line.write_str(&"x".repeat(60)).unwrap());
        assert_eq!(line.length, 512);
    }
}
