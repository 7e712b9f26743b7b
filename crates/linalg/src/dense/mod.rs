//! Dense matrices.

mod decomposition;
mod echelon;
mod integer;
mod matrix;
mod product;
mod view;

pub use decomposition::{Decomposition, SystemError, determinant};
pub use integer::{
    IntegerDeterminant, IntegerDeterminantError, IntegerMethod, KnownDeterminant,
    integer_determinant,
};
pub use matrix::{DenseMatrix, ShapeError};
pub use product::MatrixField;
