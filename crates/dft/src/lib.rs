//! Discrete Fourier transforms over prime fields, which are number-theoretic transforms (NTT), and convolutions.
//!
//! Let N = 2^k divide p − 1 and let ω be the field's root of unity of order N
//! ([`root_of_unity`](sunzi_field::TwoAdicField::root_of_unity)). The transform of x is
//! `X_j = Σ x_i·ω^{ij}`, the values of the polynomial `Σ x_i·x^i` at the powers of ω; pointwise
//! products of values are products of polynomials modulo x^N − 1. Everything public takes and gives
//! canonical residues, `0 ≤ x < p`.
//!
//! | to do | with |
//! |---|---|
//! | transforms of one length, in any order, one or many | [`DftContext`] |
//! | the same over a field modulo r^k + 1 | [`DftContext::over_big_prime`] |
//! | transforms of any length that divides p − 1 | [`AnyLengthDft`] |
//! | products modulo x^N − 1 or x^N + 1, transforms kept | [`DftContext::convolve`], [`Spectrum`] |
//! | products of polynomials of any length, transforms kept | [`Convolver`], [`Transformed`] |
//! | sums of products, values in the caller's memory | [`Convolver::evaluate_into`], [`Convolver::sum_products`] |
//! | products over the integers and modulo any word, over several primes | [`crt`] |
//! | one long transform by columns and rows, a band of them at a time | [`Bands`], [`AnyBands`] |
//! | to see what runs, and why | [`DftPlan`] |
//!
//! **Which runs.** Modulo a word [`Algorithm::Split`], which divides x^N − 1 in vector registers, cut to fit the caches;
//! [`Algorithm::CooleyTukey`] for so few points that preparing vectors costs more than it saves. Modulo r^K + 1
//! [`Algorithm::Rotations`], whose groups of 2K points take no products; below 16 points, for K = 2 and for r < 2^52 one
//! element at a time. Others run when they are named. [`Algorithm`] has the orders and costs of all, and each file its source;
//! the textbook account is C. Van Loan, *Computational frameworks for the fast Fourier transform* (1992).
//!
//! Bound: (N/2)·log N butterflies of one product and two sums, or N·(⌈log N/log 2K⌉ − 1) products modulo
//! r^K + 1, whose other products with roots of unity are rotations of digits.
//!
//! ```
//! use sunzi::field::Fp32;
//! use sunzi::transform::{DftContext, Ordering};
//!
//! let context = DftContext::new(&Fp32::new(17)?, 4)?; // ω = 13, as 13² = −1
//! let mut x = [1, 2, 3, 4];
//! context.forward(&mut x, Ordering::Natural)?;
//! assert_eq!(x, [10, 6, 15, 7]);
//! context.inverse(&mut x, Ordering::Natural)?;
//! assert_eq!(x, [1, 2, 3, 4]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// What is public for tests alone is documented for readers of its file.
#![cfg_attr(feature = "internals", allow(missing_docs))]

mod any_length;
mod bands;
mod big_prime;
mod bit_reversal;
mod context;
mod convolver;
pub mod crt;
mod plan;
mod problem;
mod progressions;
mod scalar;
mod spectrum;
mod split;
mod transform;
mod transposition;
mod values;

pub use any_length::chirp::ChirpProduct;
pub use any_length::transform::AnyLengthDft;
pub use bands::any::AnyBands;
pub use bands::{Bands, Decimation};
pub use context::{DftContext, DftField, TransformKernels};
pub use convolver::{Convolver, Transformed};
pub use plan::{BigPrimeOptions, DftPlan, Reason};
pub use problem::{Algorithm, Convolution, DftError, Direction, Ordering};
pub use spectrum::Spectrum;
pub use split::pass::TransformField;
pub use transform::StepTimes;

/// What other crates of this workspace need, and no user; behind the feature `internals` what the tests of this crate reach into.
#[doc(hidden)]
pub mod internals {
    pub use crate::big_prime::fewest::{FewestProducts, First, between};
    pub use crate::big_prime::products::{BigPrimeProducts, Cover, Lengths, Work};
    pub use crate::big_prime::stages::{LANES, Stage, Stages, Twiddle};
    pub use crate::progressions::{
        BYTES_FOR_THREADS, CHUNK, chirp, consecutive, in_chunks, in_chunks_of, progression,
    };
    #[cfg(feature = "internals")]
    pub use crate::{
        any_length::{problem::nearest, root::root_of_unity},
        big_prime::stages::MOST_POINTS,
        bit_reversal::{permute, reversed},
        problem::checked_log,
        progressions::triangular_power,
    };
}
