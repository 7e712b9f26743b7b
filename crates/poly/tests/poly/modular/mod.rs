//! One variable over the integers.

mod bound;
mod common;
mod gcd;
mod resultant;
