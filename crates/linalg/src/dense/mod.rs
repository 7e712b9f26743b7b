//! Dense matrices.

mod matrix;

pub use matrix::{DenseMatrix, ShapeError};
