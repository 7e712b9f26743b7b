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
//! use sunzi_machine::{InstructionSet, memory::Budget, threads};
//!
//! assert!(InstructionSet::detect().is_available());
//! assert!(Budget::system().require(1 << 10).is_ok());
//! assert_eq!(threads::join(|| 6 + 7, || 6 * 7), (13, 42));
//! ```

pub mod arrays;
mod grain;
pub mod memory;
pub mod simd;
pub mod threads;

pub use grain::Grain;
pub use simd::InstructionSet;
