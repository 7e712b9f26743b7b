//! The machine that a computation runs on: its threads, its vectors, and its memory.
//!
//! | module | answers |
//! |---|---|
//! | [`threads`] | how work is shared by the threads of the pool that calls, and how much of it is done |
//! | [`simd`] | an algorithm written once, for every instruction set that the processor may have: [`InstructionSet`] |
//! | [`memory`] | whether the machine has the memory that a computation needs |
//! | [`Grain`] | how finely work is cut, so that tests can cut tiny inputs everywhere |
//!
//! ```
//! use sunzi::InstructionSet;
//! use sunzi::memory::Budget;
//! use sunzi_machine::threads;
//!
//! assert!(InstructionSet::detect().is_available());
//! assert!(Budget::system().require(1 << 10).is_ok());
//! assert_eq!(threads::join(|| 6 + 7, || 6 * 7), (13, 42));
//! ```

// What is public for tests alone is documented for readers of its file.
#![cfg_attr(feature = "internals", allow(missing_docs))]

pub mod arrays;
mod grain;
pub mod memory;
pub mod simd;
pub mod threads;

pub use grain::Grain;
pub use simd::InstructionSet;

/// What the tests of this crate reach into.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals {
    use crate::memory::{Drawn, OutOfMemory};

    pub use crate::memory::limits::{groups_left_of, kibibytes, process_left_of};

    /// [`Drawn::draw`] where `ask` answers for the memory.
    pub fn draw_asking(
        drawn: &Drawn,
        bytes: u64,
        ask: impl FnOnce(u64) -> Result<(), OutOfMemory>,
    ) -> Result<(), OutOfMemory> {
        drawn.draw_asking(bytes, 0, ask)
    }
}
