//! Discrete Fourier transforms and convolutions over prime fields.
//!
//! # The problem
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
//! | products modulo x^N − 1 or x^N + 1, transforms kept | [`DftContext::convolve`], [`Spectrum`] |
//! | products of polynomials of any length, transforms kept | [`Convolver`], [`Transformed`] |
//! | sums of products, values in the caller's memory | [`Convolver::evaluate_into`], [`Convolver::sum_products`] |
//! | to see what would run, and why | [`DftPlan`] |
//!
//! # The algorithms
//!
//! | [`Algorithm`] | order of values | scratch | products | moves of the vector |
//! |---|---|---|---|---|
//! | `Reference` | natural | N | N² | N |
//! | `CooleyTukey`, `CooleyTukeyOnTheFly` | bit-reversed | 0 | (N/2)·log N (and N a level) | log N |
//! | `Stockham` | natural | N | (N/2)·log N | log N |
//! | `SixStep` | natural | N | (N/2)·log N + 2N | 6 |
//! | `Split` | bit-reversed by blocks | 0 | (N/2)·log N, in vectors | 1 + ½·log(N/block) |
//! | `Rotations` | natural | 2N | N·(⌈log N/log 2K⌉ − 1), in vectors | log N/4 + 2 |
//!
//! All but the last two work over any [`TwoAdicField`](sunzi_field::TwoAdicField), one element at a
//! time ([`DftContext::scalar`]). Sources are named in each file; the textbook account of all is
//! C. Van Loan, *Computational frameworks for the fast Fourier transform* (1992), that of the
//! six-step transform as a product of tensors D. Bailey, *FFTs in external or hierarchical memory*
//! (1990).
//!
//! `Split` is the one to use for word-size primes. It splits x^N − 1 into (x^{N/2} − 1)(x^{N/2} + 1)
//! and so on (D. Bernstein, *Fast multiplication and its applications*, 2008), two levels at a pass,
//! each block lying where its quarter was, so that what fits a cache is finished in it; blocks of
//! L·L points (L lanes) are finished in registers. Residues stay unreduced inside (D. Harvey,
//! *Faster arithmetic for number-theoretic transforms*, 2014); the passes that first read and last
//! write a vector convert them.
//!
//! `Rotations` is the one to use for fields modulo r^K + 1, where r is a root of unity of order 2K and
//! its products are rotations of digits: groups of 2K points take no products at all.
//!
//! # The floor
//!
//! (N/2)·log N butterflies of one product and two sums. A vector of 512 bits holds 16 residues of 32
//! bits, whose products take six widening multiplications together, or 8 of 62 bits, which take
//! seven. Bytes: a transform above the first-level cache of C bytes reads and writes its N words at
//! least ⌈log N/log C⌉ times, this one ½·log(N/C) + 1 times.
//!
//! ```
//! use sunzi_dft::{DftContext, Ordering};
//! use sunzi_field::{Field, Fp64};
//!
//! let field = Fp64::new((1 << 60) - (1 << 18) + 1)?;
//! let context = DftContext::new(&field, 1 << 10)?;
//! let mut x: Vec<u64> = (0..1 << 10).collect();
//! context.forward(&mut x, Ordering::Natural)?;
//! assert_eq!(x[0], (0..1 << 10).sum()); // the value at 1
//! context.inverse(&mut x, Ordering::Natural)?;
//! assert_eq!(x[1000], 1000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod big_prime;
mod bit_reversal;
mod block;
mod compiled;
mod convolver;
mod cooley_tukey;
mod engine;
mod error;
mod finished_block;
mod fold;
mod lane_reversal;
mod memory;

mod context;
mod plan;
mod points;
mod problem;
mod reference;
mod scalar;
mod six_step;
mod spectrum;
mod split;
mod split_engine;
mod stockham;
mod tables;
mod truncated;
mod values;

pub use big_prime::{BigPrimeOptions, StepTimes};
pub use compiled::TransformField;
pub use context::DftContext;
pub use convolver::{Convolver, PrivateProduct, Transformed};
pub use error::DftError;
pub use memory::Reach;
pub use plan::{Algorithm, DftPlan, Reason};
pub use problem::{Convolution, Direction, Ordering};
pub use spectrum::Spectrum;
