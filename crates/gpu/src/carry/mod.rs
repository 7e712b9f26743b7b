//! Carry propagation: numbers from coefficients that are longer than a digit.
//!
//! A transform-based product of integers ends with coefficients c_0, …, c_(n-1) of up to four words of 32 bits each,
//! and the number is Σ c_i 2^(32 i). The coefficients are planar: plane j has word j of every coefficient. The words
//! of the number come from [`CarryPlan::propagate`] in three passes, exactly, whatever the coefficients are:
//!
//! 1. A group has a block of neighbouring words (2048 by default). The sum of a column, of the words that weigh
//!    2^(32 i), leaves at most `planes - 1` for column i + 1, which takes it at once. After this step every run of
//!    words carries out 0 or 1: it *generates* a carry, *propagates* one (all its words are ones), or *stops* it.
//!    A thread's words are one run; what comes into it is found by looking back over the runs before it.
//! 2. A group per vector scans the states of its blocks, eight a thread, in the same way.
//! 3. Blocks that a carry comes into take it: as many of their lowest words as are all ones become zero, and the next
//!    one is incremented. How many those are was noted in the first pass, so that nearly always this is one word.
//!
//! The first step is the normalization of columns of three words in D. Mohajerani's thesis (*Parallel
//! Arbitrary-precision Integer Arithmetic*, 2021, chapter 5, algorithm 11), which leaves the last carry to one thread;
//! P. Emeliyanenko (*Efficient Multiplication of Polynomials on Graphics Hardware*, 2009) names parallel carries as what
//! is missing to multiply long integers by modular transforms. Generation and propagation are those of carry-lookahead
//! adders.
//!
//! The floor is that of memory: 4 (planes + 1) bytes a word. The first pass reads and writes just that, and 8 bytes for
//! 2048 words; for three planes and 2^26 words that are 1.07 GB, 0.36 ms at 3 TB/s. The other passes touch 8 bytes for
//! 2048 words, and only carries that ripple through blocks make them write more: 4 bytes a word once more at worst.

mod plan;
mod shape;
mod source;

pub use plan::{CarryPlan, Coefficients};
pub use shape::CarryShape;
pub use source::sources;
