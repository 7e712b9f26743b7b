//! Products of many pairs of integers of the same lengths.
//!
//! A batch is `count` pairs of natural numbers, as vectors of 32-bit words from the lowest upward: a_i is `a_words`
//! words from word i · `a_words` on, b_i and the products (`a_words + b_words` words) likewise; or one b serves the
//! whole batch. [`IntegerContext`] computes them by one of these kernels (b is the longer operand here):
//!
//! | kernel | a product is a | words | multiplications | made for |
//! |---|---|---|---|---|
//! | [`Schoolbook`](IntegerKernel::Schoolbook) | thread's | a + b ≤ 40 | a b | up to 16 words |
//! | [`Columns`](IntegerKernel::Columns) | group's, or several of them are | b ≤ 4096 | a b | everything above |
//! | `M5` | group's | a = b ≤ 1024 | k (k + 1) / 2 | comparison |
//! | `Naive` | group's | a + b ≤ 2048 | a b | comparison |
//! | `OperandScanning` | group's | a + b ≤ 2730 | a b | comparison |
//!
//! The first two keep their sums in registers, in chains of multiply-adds with carry. The others, which the feature
//! `bench` adds, are algorithms 8, 10, 12 and 13 of chapter 5 of D. Mohajerani's thesis (*Parallel Arbitrary-precision
//! Integer Arithmetic*, 2021), with its normalization of columns of three words (algorithm 11) done in parallel, and the
//! multiplication row by row of every textbook. They keep sums in local memory: six accesses for a multiplication and
//! addition, against one fourth of an access in `Columns`. No kernel takes more than 32 KiB of local memory.

pub(crate) mod context;
mod plan;

pub use context::IntegerContext;
pub use plan::{IntegerKernel, IntegerPlan};
