//! Vectors of words: one face over the instruction sets that a processor may have.
//!
//! An algorithm is written once, as a [`SimdTask`] for every [`Simd`], and [`dispatch`] runs it with the widest
//! set of the processor. A vector is a row of 64-bit lanes; operations on 32-bit lanes see each as two.
//!
//! ```
//! use sunzi_machine::simd::{Simd, SimdTask, dispatch};
//! struct Increment<'a>(&'a mut [u64]);
//! impl<S: Simd> SimdTask<S> for Increment<'_> {
//!     type Output = ();
//!     #[inline(always)]
//!     fn run(self, simd: S) {
//!         let mut chunks = self.0.chunks_exact_mut(S::LANES);
//!         for chunk in &mut chunks {
//!             let vector = simd.load(chunk);
//!             simd.store(chunk, simd.add64(vector, simd.splat64(1)));
//!         }
//!         chunks.into_remainder().iter_mut().for_each(|word| *word += 1);
//!     }
//! }
//! let mut words = [0u64; 11];
//! dispatch(Increment(&mut words));
//! assert_eq!(words, [1; 11]);
//! ```

#[cfg(target_arch = "x86_64")]
pub mod avx2;
#[cfg(target_arch = "x86_64")]
pub mod avx512;
mod instruction_set;
mod portable;
#[cfg(target_arch = "x86_64")]
pub mod transpose;
mod vectors;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
pub use instruction_set::{AnySimdTask, InstructionSet, dispatch};
pub use portable::Portable;
pub use vectors::{Factors, Operand, Simd, SimdTask, Sum, Word};
