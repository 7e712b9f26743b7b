//! Sparse matrices: products, orderings of rows and columns that fit the cache, and a model of it; Matrix Market files.
//!
//! ```
//! use sunzi::sparse::CsrMatrix;
//!
//! // 1 0 2 / 0 3 0
//! let matrix = CsrMatrix::from_triplets(2, 3, &[(0, 2, 2.0), (1, 1, 3.0), (0, 0, 1.0)])?;
//! assert_eq!(matrix.column_indices(), [0, 2, 1]);
//! # Ok::<(), sunzi::sparse::SparseError>(())
//! ```

#[doc(inline)]
pub use sunzi_sparse::{
    AnySparseMatrix, ColumnMajor, CscMatrix, CsrMatrix, GradientsOptions, GradientsReport, Line,
    Major, ModularProduct, Permutation, Picture, RowMajor, SparseError, SparseMatrix, Stop,
    conjugate_gradients, conjugate_gradients_with,
};

/// The ideal cache, and the misses of an algorithm's accesses in it.
pub mod cache {
    #[doc(inline)]
    pub use sunzi_sparse::cache::{
        Array, ArrayReport, CacheError, CacheReport, CacheShape, CsrIndex, Replacement, Scan, Spmv,
        Trace, simulate,
    };
}

/// Matrices by their definitions: grids, graphs, circuits, complexes.
pub mod test_matrices {
    #[doc(inline)]
    pub use sunzi_sparse::test_matrices::{TestMatrix, shuffled};
}

/// Files in the format of Matrix Market.
pub mod matrix_market {
    #[doc(inline)]
    pub use sunzi_sparse::matrix_market::{
        Format, Header, Integers, MatrixMarketError, Places, Problem, Reader, Reals, ResidueRows,
        Residues, Symmetry, ValueKind, Values, Warning, WarningKind, WriteValue, read, read_dense,
        write, write_dense,
    };
}

/// Orderings of rows and columns with few misses.
pub mod reorder {
    #[doc(inline)]
    pub use sunzi_sparse::reorder::{
        AutoChoice, AutoOrdering, GrayOrdering, GrayReport, Method, NonZeroKind, NonZeroKinds,
        Reason, Reordering, Trial, auto_ordering, classify, gray_ordering,
    };
}
