//! Products of integers of any size, and their text in decimal and hexadecimal.
//!
//! Integers are vectors of 64-bit limbs, least significant first. A [`Multiplier`] multiplies them; its
//! [`Plan`] says which algorithm runs for which sizes, and why.

mod batch;
mod carry;
pub mod convert;
mod cpu;
mod error;
#[cfg(target_arch = "x86_64")]
mod ifma;
mod integers;
mod karatsuba;
pub mod limbs;
mod memory;
mod multiplier;
mod plan;
mod recursion;
mod schoolbook;
mod scratch;
pub mod text;
mod thresholds;
mod toom3;
mod transform;

pub use cpu::CpuClass;
pub use error::MulError;
pub use integers::mul;
pub use multiplier::Multiplier;
pub use plan::{Algorithm, Plan};
