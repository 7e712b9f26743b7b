//! Conversions between `dashu_int::IBig` and the integers of other crates, behind features of their names.

#[cfg(feature = "num-bigint")]
pub mod num_bigint;
#[cfg(feature = "rug")]
pub mod rug;
