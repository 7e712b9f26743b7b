//! Prime fields of word size for exact computation.

mod checked_modulus;
mod error;
mod fp32;
mod fp64;
pub mod primality;
mod roots;
mod slices;
mod traits;
mod word_modulus;

pub use error::FieldError;
pub use fp32::Fp32;
pub use fp64::{Fp50, Fp64};
pub use traits::{Field, TwoAdicField};
