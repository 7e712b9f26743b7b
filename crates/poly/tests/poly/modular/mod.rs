//! One variable over the integers.

mod bound;
pub mod common;
mod gcd;
mod gcd_values;
mod resultant;
mod resultant_images;
