//! Dense matrices.

pub mod condensation;
mod matrix;
pub mod reference;
mod row_steps;
pub mod unblocked;

pub use matrix::{DenseMatrix, ShapeError};
