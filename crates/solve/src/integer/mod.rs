//! One unknown over the integers: greatest common divisors and square-free factors.

mod big_prime;
mod bound;
mod euclid;
mod gcd;
mod gcd_big_prime;
mod gcd_images;
mod gcd_words;
mod method;
mod resultant;
mod square_free;

pub use gcd::{GcdAndCofactors, IntegerGcd, gcd};
pub use method::Method;
pub use resultant::{IntegerResultant, discriminant, resultant};
pub use square_free::{SquareFree, square_free};
