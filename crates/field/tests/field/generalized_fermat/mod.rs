//! Fields modulo r^k + 1.

mod packed;
mod products;
mod search;
