//! One unknown over the integers.

mod common;
mod resultant;
