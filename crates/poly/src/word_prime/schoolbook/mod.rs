//! Schoolbook products: every coefficient times every coefficient.
//!
//! Each output coefficient is one sum that is reduced once, at its end; blocks of outputs are kept
//! in vector registers while the terms stream past. Nothing is allocated.

mod window;
pub mod words32;
pub mod words64;

pub(super) use words32::product as product_32;
pub(super) use words64::product as product_64;
