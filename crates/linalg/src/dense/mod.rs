//! Dense matrices.

mod decomposition;
mod echelon;
mod matrix;
mod product;
mod view;

pub use decomposition::{Decomposition, SystemError, determinant};
pub use matrix::{DenseMatrix, ShapeError};
pub use product::MatrixField;
