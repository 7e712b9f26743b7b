//! Determinants in floating point that neither overflow nor underflow.
//!
//! **Problem.** The determinant of a square matrix of finite doubles. It is a product of n pivots, and soon
//! lies outside the range of a double: that of Hilbert's matrix of order 800 is near 10^−384 681.
//!
//! **Algorithm.** Two ways to choose the pivot in a first row, [`Pivoting`]:
//! - [`Pivoting::Largest`], the default: Gauss's elimination with partial pivoting (G. H. Golub and C. F.
//!   Van Loan, "Matrix computations", §3.4), by columns where others do it by rows;
//! - [`Pivoting::NearestToOne`]: condensation (thesis of 2013, §7.4.1): the pivot p is the entry nearest to
//!   1 in absolute value, its column is divided by it, and det A = ±p·det B, with b = a − (a'/p)·a''.
//!
//! The determinant comes as a [`ScaledFloat`], a mantissa with an exponent of its own, and as its factors,
//! whose [`product`] overflows or underflows only if the determinant does (what Algorithm 10 there is for).
//! Entries on the way are kept in range by powers of two, which are exact; rows and columns of entries that are far
//! apart are scaled first, so that the largest product of the determinant's sum is near 1.
//!
//! **Bounds.** With the largest pivots the result is the determinant of a matrix that differs from the given
//! one by about n·2^−53 of its largest entries, as long as entries do not grow, which they hardly ever do.
//! So digits are lost where the matrix is nearly singular, and none is right where
//! [`FloatDeterminant::is_singular_to_working_precision`]. The pivots nearest to one are as good where all
//! entries are at most one, since they are the largest then; otherwise entries may grow, and digits get lost.
//!
//! Results depend neither on the number of threads nor on the processor: every entry is computed by the
//! same operations, products and differences rounded separately.

pub(crate) mod decimal;
mod determinant;
mod product;
pub(crate) mod scaled;
pub(crate) mod scaling;
pub(crate) mod step;

pub use determinant::{
    FloatDeterminant, FoundPivot, Pivoting, determinant, determinant_by, determinant_of_pivots,
};
pub use product::product;
pub use scaled::ScaledFloat;
