//! Dense matrices.

mod any;
pub mod condensation;
mod decomposition;
pub(crate) mod echelon;
pub(crate) mod exact;
pub(crate) mod integer;
pub(crate) mod late_reduction;
mod matrix;
mod matrix_product;
mod operators;
pub(crate) mod panels;
pub(crate) mod product;
mod rational;
mod reduced;
pub mod reference;
mod row_steps;
#[cfg(feature = "serde")]
mod serde;
mod text;
pub mod unblocked;
pub(crate) mod view;

pub use any::{AnyDenseMatrix, AnyEliminated};
pub use decomposition::{Decomposition, determinant};
pub use exact::RationalElimination;
pub use integer::{
    DeterminantImages, IntegerDeterminant, IntegerMethod, KnownDeterminant, MatrixImages,
};
pub use matrix::DenseMatrix;
pub use matrix_product::product;
pub use operators::ExactEntry;
pub use product::MatrixField;
pub use rational::{RowMultiples, clear_denominators};
pub use reduced::Solution;
pub use text::ParseMatrixError;
