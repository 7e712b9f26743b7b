//! Discrete Fourier transforms and convolutions over prime fields.
mod block;
mod convolver;
mod error;
mod split;
mod tables;

pub use convolver::{Convolver, Transformed};
pub use error::DftError;
