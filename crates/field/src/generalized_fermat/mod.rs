//! Generalized Fermat prime fields: the integers modulo `p = r^K + 1`, with numbers of K digits in
//! radix r, a word.
//!
//! **Problem.** Compute modulo primes of 2 to 256 words, made for transforms: r is a primitive 2K-th
//! root of unity, and the product with a power of r is a rotation of digits. **Bounds.** A
//! coefficient of a product of digits' polynomials modulo `T^K + 1` is at most `K·r²` in absolute
//! value, less than 2^136: three words; as digits, `l + h·r + c·r²` with c ≤ K. **Algorithms.** Sums
//! and rotations digit by digit with one pass of carries; products by one of several algorithms
//! ([`Multiplication`]), in vectors where the processor has them: a lane for each digit of one product, or
//! eight products at a time ([`Field::mul_assign_slice`](crate::Field::mul_assign_slice)).
//!
//! **Floor.** One at a time 6·K² multiply-adds of 52 bits by eights, two a cycle, and about 70 vector
//! instructions for each eight digits: 60 cycles for K = 8. Eight at a time 5·K² multiply-adds, two a
//! cycle: 20 cycles for each, and about 45 vector instructions a digit for quotients and carries, 22 cycles
//! more.
//!
//! The fields are those of L. Chen, S. Covanov, D. Mohajerani, M. Moreno Maza, *Big prime field FFT on
//! the GPU* (2017), and of D. Mohajerani, *Parallel Arbitrary-precision Integer Arithmetic* (thesis,
//! 2021, §2.3 and §3.2), which this module calls the thesis.

mod convert;
mod digits;
pub(crate) mod dispatch;
pub(crate) mod error;
mod field;
#[cfg(target_arch = "x86_64")]
mod ifma_product;
mod karatsuba;
mod multiplication;
mod named;
#[doc(hidden)]
pub mod packed;
mod proof;
pub(crate) mod ring;
mod schoolbook;
pub(crate) mod search;
mod transform;
mod unnormalized;
mod wide_sum;

pub use digits::Digits;
pub use error::GeneralizedFermatError;
pub use field::GeneralizedFermat;
pub use multiplication::Multiplication;
pub use named::{DIGITS, NAMED, NamedPrime, named_prime, recognize};
pub use packed::Packed;
pub use proof::PrimalityProof;
pub use search::{PrimeSearch, SignedPower, SparsePrime};
pub use transform::ProductTimes;
