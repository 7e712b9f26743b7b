//! One unknown over the integers.

mod common;
mod gcd;
mod resultant;
