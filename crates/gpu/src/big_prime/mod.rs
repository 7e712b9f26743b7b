//! Transforms modulo generalized Fermat primes p = r^k + 1, k = 2, 4, …, 128: N = 2^n points, N a divisor of p − 1; cyclic and
//! negacyclic convolutions.
//!
//! Elements are their k digits in radix r, the lowest first, canonical in and out, as
//! [`Digits`](sunzi_field::Digits) has them; values are in natural order, for the roots of
//! [`TwoAdicField::root_of_unity`](sunzi_field::TwoAdicField::root_of_unity), of which r is the one of order 2k.
//!
//! A thread has a digit: it adds up its column of a product, low minus high since r^k = −1, and divides it by r twice;
//! one thread of an element carries. Transforms are n passes of Stockham's order, which sorts on the way, with a product
//! for each two elements of a pass: n·k² digit products for two elements, and 5 k words of traffic for an element.
//! Nothing is compiled for a prime: its radix and k are arguments of one program.

pub(crate) mod context;
mod convolve;

pub use context::BigPrimeContext;
