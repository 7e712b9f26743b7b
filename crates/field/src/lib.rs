//! Prime fields for exact computation: of word size, and of 2 to 256 words.
//!
//! A modulus is known at run time, so a field is a value ([`Fp32`], [`Fp64`], [`Fp50`]) and its
//! elements are plain words, the canonical residues `0 ≤ x < p`; those of a [`GeneralizedFermat`] field
//! modulo r^k + 1 are k digits in radix r. What every field offers is in
//! [`Field`]; fields with roots of unity of order 2^k for transforms are [`TwoAdicField`]s.
//!
//! | module | holds |
//! |---|---|
//! | [`generalized_fermat`] | fields modulo r^k + 1, proofs that they are, the primes with names |
//! | [`primality`] | primality and factors of 64-bit integers, search for primes with transforms |
//! | [`euclid`] | inverses modulo integers of any size |
//! | [`expression`] | moduli as users write them: `2^60-2^18+1` |
//! | [`random`] | words that a seed determines |
//!
//! **Algorithms.** A word product is reduced by Montgomery's method or by a precomputed reciprocal, vectors of them with AVX2 or
//! AVX-512 ([`InstructionSet`](sunzi_machine::InstructionSet), found at run time), and many elements are inverted with one inversion ([`Field::batch_inv`]).
//! Modulo r^k + 1, a power of r is a rotation of digits, and a product is k² products of digits in vectors, or transforms for
//! k = 128 and 256 ([`generalized_fermat::Multiplication`]). **Bounds.** Word primes are odd and below 2^64, proved by
//! Miller–Rabin with bases that suffice there; r^k + 1 is proved prime by Proth's or Pocklington's theorem. Results are canonical.
//! Inside a chain of operations values stay below 2p ([`Lazy64`]).
//!
//! Sources: P. Montgomery, *Modular multiplication without trial division*, 1985; N. Möller and T. Granlund, *Improved division by
//! invariant integers*, 2011; L. Chen, S. Covanov, D. Mohajerani, M. Moreno Maza, *Big prime field FFT on the GPU*, 2017.
//! ```
//! use sunzi::field::{Field, Fp64};
//!
//! let field = Fp64::new((1 << 60) - (1 << 18) + 1)?;
//! let mut inverses: Vec<u64> = (1..100).collect();
//! field.batch_inv(&mut inverses)?;
//! assert_eq!(field.mul(inverses[41], 42), 1);
//! # Ok::<(), sunzi::field::FieldError>(())
//! ```

// What is public for tests alone is documented for readers of its file.
#![cfg_attr(feature = "internals", allow(missing_docs))]

mod any;
mod any_operations;
mod error;
pub mod euclid;
pub mod expression;
mod fp32;
mod fp64;
mod fp64_full;
pub mod generalized_fermat;
mod kernels;
#[doc(hidden)]
pub mod lanes;
mod lazy;
mod list;
mod long_integer;
pub mod primality;
pub mod random;
mod rows;
mod slices;
mod traits;
mod word_modulus;

pub use any::AnyField;
pub use error::FieldError;
pub use fp32::Fp32;
pub use fp64::{Fp50, Fp64};
pub use fp64_full::Fp64Full;
pub use generalized_fermat::{Digits, GeneralizedFermat, GeneralizedFermatError};
pub use kernels::{DigitKernels, ScalarKernels, WordKernels};
pub use lazy::{Lazy32, Lazy64, Prepared32, Prepared64};
pub use long_integer::LongInteger;
pub use rows::{Rows, WordRows, WordRowsMut};
pub use traits::{Field, TwoAdicField};
pub use word_modulus::WordModulus;

/// What the tests of this crate reach into.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals {
    pub use crate::generalized_fermat::packed::entry::{each_block, multiply_elements, unpack};
    pub use crate::generalized_fermat::ring::Ring;
    pub use crate::generalized_fermat::search::{Sums, sums, value};
    pub use crate::slices::{
        Elementwise, Map, Zip, combine, horner, montgomery104, words32, words64,
    };
    pub use crate::word_modulus::Modulus31;
}
