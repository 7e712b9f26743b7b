//! Linear algebra: dense matrices over prime fields, Z and Q, and determinants in floating point.
//!
//! | module | answers | by |
//! |---|---|---|
//! | [`dense`] | determinant, rank, solutions, inverse, nullspace, echelon form, product modulo p | elimination by blocks: n³/3 products for a determinant, delayed reduction |
//! | | determinant modulo any field's prime | condensation, exact step by step: n³/3 products |
//! | | determinant over Z: proved by Hadamard's bound | residues modulo primes of 31 bits; *or* p-adic lifting of one system first, O(n²) a prime; *or* modulo one prime r^k + 1, *or* one power of two; *or* Bareiss's elimination |
//! | | solutions, nullspace, rank, inverse over Q, proved | Dixon's lifting, rational reconstruction, a check over Z |
//! | [`float`] | determinants of doubles, mantissa and exponent apart | partial pivoting, or condensation with pivots nearest to 1 |
//!
//! **Which runs.** Products modulo p are of 32-bit words, as many as a vector has 64-bit lanes, and are reduced when a sum could
//! overflow: for 469762049 every 18 terms; primes above 2^31 take three products of halves. The method for a determinant over Z
//! is the cheapest by counts of such products ([`dense::IntegerMethod`]): a power of two for small orders, then residues, lifting from middle orders
//! on, Bareiss for few rows of long entries.
//!
//! **Bounds.** Everything over Z and Q is proved, unless early termination is asked for ([`sunzi_rns::early`]). Determinants of doubles lose
//! digits where the matrix is nearly singular, and say so. No result depends on the number of threads or on the processor.
//!
//! Sources: J. Dixon, *Exact solution of linear equations using p-adic expansions*, 1982; J. Abbott, M. Bronstein, T. Mulders, *Fast
//! deterministic computation of determinants of dense matrices*, 1999; S. A. Haque, thesis, 2013, chapters 6 and 7.
//!
//! ```
//! use sunzi::field::Fp64;
//! use sunzi::matrix::{Decomposition, DenseMatrix};
//!
//! let field = Fp64::new((1 << 60) - (1 << 18) + 1)?;
//! let a = Decomposition::new(&field, DenseMatrix::new(2, 2, vec![5, 6, 7, 9])?);
//! assert_eq!((a.determinant()?, a.rank()), (3, 2));
//! let large = DenseMatrix::from_fn(2, 2, |i, j| sunzi::Integer::from(10).pow(if i == j { 30 } else { 0 }));
//! assert_eq!(large.determinant()?.to_string(), "9".repeat(60));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// What is public for tests alone is documented for readers of its file.
#![cfg_attr(
    feature = "internals",
    allow(missing_docs, clippy::new_without_default)
)]

pub mod dense;
mod elimination;
mod error;
pub mod float;
#[doc(hidden)]
pub mod row_order;

pub use dense::{DenseMatrix, ParseMatrixError};
pub use error::MatrixError;

/// What the tests of this crate reach into.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals {
    pub use crate::dense::{
        echelon::by_halves,
        exact::lifted,
        exact::short_product::product_of_words,
        integer::bound::{Bound, log2_above},
        integer::two_adic,
        integer::words::Words,
        late_reduction::determinant as determinant_reduced_late,
        panels::Panels,
        product::{Room, Run, scheme, subtract},
        view::{View, ViewMut},
    };
    pub use crate::elimination::{MULTIPLICATIONS, multiplications};
    pub use crate::float::{
        decimal::{rounded, scientific, text},
        scaled::split,
        scaling::exponents,
        step::{MAGNITUDE, Row, Update},
    };
}
