//! One variable over the integers.

mod common;
mod gcd;
mod resultant;
