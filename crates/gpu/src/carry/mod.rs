//! Carry propagation: numbers from coefficients that are longer than a digit.
//!
//! A product of integers by transforms ends with coefficients c_0, …, c_(n-1) of up to four words of 32 bits each; the
//! number is Σ c_i 2^(32 i). Coefficients are planar: plane j has word j of every coefficient. The number comes from
//! [`CarryContext::propagate`](context::CarryContext::propagate) in three passes, exactly, whatever the coefficients are:
//!
//! 1. A group sums the columns of a block of neighbouring words (2048 by default); each leaves at most `planes - 1` for
//!    the next, which takes it at once. After this every run of words *generates* a carry, *propagates* one (all its
//!    words are ones), or *stops* it; a thread looks back over the runs before its own.
//! 2. A group per vector scans the states of its blocks, eight a thread, in the same way.
//! 3. Blocks that a carry comes into take it, nearly always in one word.
//!
//! The first step is algorithm 11 of D. Mohajerani's thesis (*Parallel Arbitrary-precision Integer Arithmetic*, 2021,
//! chapter 5), which leaves the last carry to one thread; states are those of carry-lookahead adders.
//!
//! Memory sets the floor: 4 (planes + 1) bytes a word for the first pass, and 8 bytes for 2048 words for the others.

pub(crate) mod context;
pub(crate) mod plan;
