//! Plain products of polynomials on a device.
//!
//! # Problem
//!
//! a·b in (Z/p)\[x\] for a with n coefficients and b with m, and any number of such products: n·m multiplications, where
//! transforms would need a length n + m − 1 ≤ 2^k with 2^k | p − 1. For any odd prime of a word, and faster than
//! transforms for short operands.
//!
//! # Algorithm
//!
//! Chapter 8 of Haque, "Hardware acceleration technologies in computer algebra: challenges and impact" (thesis, 2013):
//! a group multiplies x coefficients of b (*rows*, the program parameter) by a tile of a in local memory, and what
//! the ⌈m/x⌉ groups of a tile find is added up by a second launch. Larger x means less traffic of parts, smaller x more
//! groups. Here:
//!
//! - the parts of a coefficient are added by one thread in one launch, in place of ⌈log2(m/x)⌉ + 1 launches: every entry
//!   is read once, and nothing is written but results;
//! - with one part (m ≤ x, batches) the first launch writes the results and there is no second;
//! - a thread has four neighbouring coefficients of the result and slides a window of a through registers, which makes
//!   half a load from local memory for each product;
//! - sums are reduced at the end; in between they are kept in range every second or fourth product.
//!
//! # Cost
//!
//! n·m products of words, each one multiplication of 32 bits with addition to 64 on `u32` and half a correction of two
//! operations; ⌈m/x⌉(n + x) + n + m words of traffic, twice for the parts.

mod plan;
mod shape;

pub use plan::{PlainPlan, sources};
pub use shape::PlainShape;
