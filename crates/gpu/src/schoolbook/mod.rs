//! Schoolbook products of polynomials on a device.
//!
//! a·b in (Z/p)\[x\] for a with n coefficients and b with m, and any number of such products: n·m multiplications, for
//! any odd prime of a word. For short operands that is less than transforms of 2^k ≥ n + m − 1 points take.
//!
//! Chapter 8 of Haque, "Hardware acceleration technologies in computer algebra: challenges and impact" (thesis, 2013):
//! a group multiplies x coefficients of b (*rows*) by a tile of a in local memory, and a second launch adds up what the
//! ⌈m/x⌉ groups of a tile find. Larger x means less traffic of parts, smaller x more groups. Here:
//!
//! - one thread adds the parts of a coefficient, in one launch in place of ⌈log2(m/x)⌉ + 1;
//! - with one part (m ≤ x, batches) the first launch writes the results and there is no second;
//! - a thread has four neighbouring coefficients of the result and slides a window of a through registers, which makes
//!   half a load from local memory for each product;
//! - sums are reduced at the end; in between they are kept in range every second or fourth product.
//!
//! n·m products of words, each one multiplication of 32 bits with addition to 64 on `u32`, and half a correction of two
//! operations; ⌈m/x⌉(n + x) + n + m words of traffic, twice for the parts.

pub(crate) mod context;
pub(crate) mod plan;

pub use context::SchoolbookContext;
pub use plan::SchoolbookPlan;
