//! Sparse matrices.
