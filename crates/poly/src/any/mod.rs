//! Polynomials over a field that is known at run time only.
//!
//! **Problem.** What is generic over fields is compiled wherever it is used, for each of them: ten times where any prime
//! may be named. **Solution.** A ring, its polynomials, and what is prepared for many of them are objects here, and elements are
//! rows of words ([`Rows`](sunzi_field::Rows)). All is compiled in this crate, once; what a call by a pointer costs is lost
//! in an operation on a polynomial. Results are those of [`PolyRing`], which does the work.

mod polynomial;
mod prepared;
mod ring;

pub use polynomial::AnyPoly;
pub use prepared::{AnyDft, AnyDivisor, AnySubproductTree};
pub use ring::AnyPolyRing;
