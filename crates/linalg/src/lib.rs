//! Linear algebra: dense matrices over prime fields and Q, determinants, and sparse matrices that fit the cache.
//!
//! | module | holds |
//! |---|---|
//! | [`dense`] | matrices over prime fields, the integers and the rational numbers: determinant, rank, solutions, inverse, nullspace, echelon form, product |
//! | [`float`] | determinants in floating point that do not overflow, and exact ones of rational entries |
//! | [`sparse`] | rows or columns of non-zeros: files, products, orders that fit the cache |

pub mod dense;
pub mod float;
mod row_order;
pub mod sparse;

pub use dense::DenseMatrix;
