//! Convolutions over several primes.
//!
//! **Problem.** Products of polynomials over the integers, or modulo a word that has no transforms of its own. **Bound.** k primes
//! tell values apart as long as there are at most as many as their product: a basis that is too small for a
//! [`CoefficientBound`](sunzi_rns::CoefficientBound) is refused. **Algorithm.** Residues by one product a piece of 48 bits;
//! transforms and pointwise products modulo each prime; mixed-radix digits ([`MixedRadix`](sunzi_rns::MixedRadix)), in vectors; then
//! either the residue modulo another word ([`ModularConvolver`]), or values of limbs ([`Composer`](sunzi_rns::Composer)).
//!
//! **Floor.** Of k digits, Garner's chain takes k(k−1)/2 products a value, each about 5 vector
//! instructions for 8 values with AVX-512 IFMA: 2 cycles for k = 3, small beside the 3·k·log₂(n)/2
//! butterflies. What remains is composing the value from digits, 3 word products for k = 3.
//!
//! ```
//! use sunzi::Natural;
//! use sunzi_dft::crt::{CrtBasis, ModularConvolver};
//! use sunzi_rns::CoefficientBound;
//!
//! // Which primes determine coefficients of products of 1000 by 1000 coefficients below 2^64?
//! let operand = Natural::from(u64::MAX);
//! let basis = CrtBasis::for_bound(&CoefficientBound::product(&operand, &operand, 1000))?;
//! assert_eq!(basis.len(), 3);
//!
//! // (−1 + x)(−1 + 2x) modulo a prime that has no transforms of its own.
//! let convolver = ModularConvolver::new(1_000_000_007)?;
//! let mut product = [0u64; 3];
//! convolver.convolve(&mut product, &[1_000_000_006, 1], &[1_000_000_006, 2])?;
//! assert_eq!(product, [1, 1_000_000_004, 2]);
//! # Ok::<(), sunzi::transform::DftError>(())
//! ```

mod basis;
mod long_transforms;
mod modular;
mod plan;
mod product;
mod project;
mod values;

pub use basis::CrtBasis;
pub use long_transforms::LongTransforms;
pub use modular::ModularConvolver;
pub use plan::{ProductPlan, Segmentation};
pub use product::ResidueProduct;
pub use project::{Coefficients, PIECE_BITS, SignedCoefficients, signed_pieces};
