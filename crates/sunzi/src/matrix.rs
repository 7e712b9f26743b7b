//! Dense matrices over prime fields, Z and Q: determinants, rank, solutions, inverses, products; determinants in floating point.
//!
//! ```
//! use sunzi::Integer;
//! use sunzi::matrix::DenseMatrix;
//!
//! let matrix = DenseMatrix::from_fn(2, 2, |i, j| Integer::from(10).pow(if i == j { 30 } else { 0 }));
//! assert_eq!(matrix.determinant()?.to_string(), "9".repeat(60));
//! # Ok::<(), sunzi::matrix::MatrixError>(())
//! ```

#[doc(inline)]
pub use sunzi_linalg::MatrixError;
#[doc(inline)]
pub use sunzi_linalg::dense::{
    AnyDenseMatrix, AnyEliminated, Decomposition, DenseMatrix, DeterminantImages, ExactEntry,
    IntegerDeterminant, IntegerMethod, KnownDeterminant, MatrixField, ParseMatrixError,
    RationalElimination, RowMultiples, Solution, clear_denominators, determinant, product,
};

/// Determinants by condensation, exact step by step over every field.
pub mod condensation {
    #[doc(inline)]
    pub use sunzi_linalg::dense::condensation::{Variant, determinant, determinant_by};
}

/// Determinants and products of doubles, mantissa and exponent apart.
pub mod float {
    #[doc(inline)]
    pub use sunzi_linalg::float::{
        FloatDeterminant, FoundPivot, Pivoting, ScaledFloat, determinant, determinant_by,
        determinant_of_pivots, product,
    };
}
