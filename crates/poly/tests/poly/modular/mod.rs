//! One variable over the integers.

mod bound;
pub mod common;
mod gcd;
mod resultant;
