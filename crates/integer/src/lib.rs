//! Products of integers of any size, and their text in decimal and hexadecimal.
//!
//! Integers are vectors of 64-bit limbs, least significant first. A [`Multiplier`] multiplies them; its
//! [`Plan`] says which algorithm runs for which sizes, and why.

mod batch;
mod carry;
pub mod convert;
mod cpu;
mod karatsuba;
pub mod limbs;
mod multiplier;
mod plan;
mod problem;
mod schoolbook;
pub mod text;
mod thresholds;
mod toom3;
mod transform;

pub use cpu::CpuClass;
pub use multiplier::{Multiplier, mul};
pub use plan::{Algorithm, Plan};
pub use problem::MulError;
pub use thresholds::Thresholds;
