//! Transforms over word-size primes by recursive splitting in vector registers, whole or truncated.
//!
//! x^N − 1 is split into (x^{N/2} − 1)(x^{N/2} + 1) and so on (D. Bernstein, *Fast multiplication and its
//! applications*, 2008), two levels at a pass. Each block lies where its quarter was, so that what fits a
//! cache is finished in it; blocks of L·L points (L lanes) are finished in registers. Residues stay
//! unreduced inside (D. Harvey, *Faster arithmetic for number-theoretic transforms*, 2014); the passes that
//! first read and last write a vector convert them.
//!
//! A call goes down one file at a time: [`transform`] or [`truncated`], then [`pass`], which cuts work for caches
//! and threads and is the border where kernels become functions of a field, then the kernels, in [`block`] and
//! its neighbours. [`plan`] holds pure numbers, [`tables`] the multipliers.
//!
//! Bound: (N/2)·log N butterflies of one product and two sums. A vector of 512 bits holds 16 residues of 32
//! bits, whose products take six widening multiplications together, or 8 of 62 bits, which take seven. A
//! transform above the first-level cache of C bytes moves its N words at least ⌈log N/log C⌉ times, this one
//! ½·log(N/C) + 1 times.

mod block;
pub(crate) mod columns;
mod import_export;
pub(crate) mod pass;
pub(crate) mod plan;
mod points;
mod quarters;
mod tables;
mod tile;
pub(crate) mod transform;
mod truncated;
mod truncation_steps;
