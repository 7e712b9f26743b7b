//! One unknown over the integers: greatest common divisors and square-free factors.

mod gcd;
mod method;
mod square_free;

pub use gcd::{GcdAndCofactors, IntegerGcd, gcd};
pub use method::Method;
pub use square_free::{SquareFree, square_free};
