//! Products of whole batches that lie on the host: polynomials over ℤ and ℤ/m, and integers.
//!
//! An operand is a row of 32-bit words: coefficients of equal length, or the digits of an integer. Batches are cut
//! into pieces that fit the device's memory, and pieces take turns on several slots, each with a stream and memory of
//! its own, so that the copies of one overlap the kernels of another (P. Emeliyanenko, *Efficient multiplication of
//! polynomials on graphics hardware*, 2009, §5, found four streams best).
//!
//! Integers of up to 1024 words are multiplied word by word, short polynomials modulo a prime of a word term by term;
//! everything else by transforms modulo several primes, or one that is the modulus. These limits and all others that
//! are chosen for a device are fields of a [`ProductConfig`], which multipliers take.

mod add;
pub(crate) mod config;
mod context;
mod contexts;
mod integers;
mod kept;
mod load;
mod packing;
pub(crate) mod plan;
mod polynomials;
pub(crate) mod problem;
mod projection;
mod resident;
pub(crate) mod rows;
mod spans;

pub use crate::carry::plan::CarryPlan;
pub use crate::residues::project::CoefficientForm;
pub use config::ProductConfig;
pub use context::TransformContext;
pub use integers::IntegerMultiplier;
pub use plan::TransformPlan;
pub use polynomials::PolynomialMultiplier;
pub use problem::{Finish, Operand, ProductForm, ProductProblem};
pub use resident::{ResidentPolynomials, ResidentProducts};
