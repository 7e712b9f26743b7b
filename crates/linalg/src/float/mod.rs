//! Determinants in floating point.
