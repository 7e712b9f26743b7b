//! Number theoretic transforms and convolutions on a device.
//!
//! # Problem
//!
//! X_j = Σ x_i ω^(ij) modulo a prime p of one word, for N = 2^n ≤ 2^28 points and any number of such transforms; its
//! inverse; cyclic and negacyclic convolutions. All in the device's memory, in place.
//!
//! # Algorithm
//!
//! The forward transform divides x^N − 1 into linear factors: level s has 2^s blocks, each a residue modulo some
//! x^M − c, and takes it modulo x^(M/2) ∓ √c by butterflies (a + w b, a − w b), w = √c. The factor w depends on the
//! number of the block alone, W\[b\] on every level, so that all columns of a block share it, early passes use few
//! factors, and one table serves all levels (Bernstein, "Fast multiplication and its applications", 2008, §§ 2–3;
//! Seiler, "Faster AVX2 optimized NTT multiplication", 2018). Residues come out in bit-reversed order, and the inverse
//! takes them in it, so no permutation is paid for. Modulo x^N + 1 the tree is the other half of that of x^2N − 1: the
//! same passes with other factors, and no weights.
//!
//! Memory sets the pace: a *pass* brings tiles of 2^t points into local memory, does as many levels there as they
//! allow, and writes them back (Bailey, "FFTs in external or hierarchical memory", 1990). A tile is some whole rows of
//! adjacent points, so memory is read in pieces of 32 bytes and more. Inside, a thread takes 2^r points into
//! registers, does r levels and exchanges them through local memory. With 32 KiB for a tile, 2^23 words of 32 bits
//! take two passes and 2^28 take three.
//!
//! Deep levels would read as many factors as there are points: beyond a table of 2^`log_table`, one factor of r levels
//! is the product of two from tables, and the others follow from it.
//!
//! A convolution multiplies in the first pass back, where points come from memory anyway.
//!
//! The prime is an argument of the kernels, so programs depend on the word and the shape alone and serve every prime.
//!
//! # Cost
//!
//! N n/2 multiplications mod p, and 2N words of memory traffic for each pass: with P passes, a transform moves 2PN words
//! and a cyclic convolution (6P + 1)N. On `u32` a butterfly is 3 multiplications of 32 bits and 4 additions or minima
//! (6 for p ≥ 2^30); on `u64` 10 of 32 bits, two of them of low halves; in doubles 8 operations, and every third
//! level 3 for each point. At 3 TB/s the traffic of 2^24 words of 32 bits in three passes is 0.13 ms.

pub(crate) mod launch;
mod passes;
mod plan;
mod pointwise;
mod programs;
mod shape;
mod tables;
pub(crate) mod word;

pub use plan::NttPlan;
pub use programs::sources;
pub use shape::NttShape;
pub use word::NttWord;
pub(crate) use word::{field_arguments, field_source};
