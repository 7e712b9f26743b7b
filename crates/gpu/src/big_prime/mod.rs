//! Transforms modulo generalized Fermat primes p = r^k + 1, k = 2, 4, …, 256: N = 2^n points, N a divisor of p − 1; cyclic and
//! negacyclic convolutions.
//!
//! Elements are their k digits in radix r, the lowest first, canonical in and out, as
//! [`Digits`](sunzi_field::Digits) has them; values are in natural order, for the roots of
//! [`TwoAdicField::root_of_unity`](sunzi_field::TwoAdicField::root_of_unity), of which r is the one of order 2k.
//!
//! A transform is passes of 2^c ≤ 2k points in Stockham's order, which sorts on the way; the powers of r are their roots, so
//! that they only rotate and add digits (Chen, Covanov, Mohajerani and Moreno Maza, "Big prime field FFT on the GPU", 2017),
//! and a pass has one product for an element, by a power of the root. Digits are signed, and carries stay where they are
//! within a pass: it brings them to the digit above once, and canonical digits are made at the end alone. A
//! thread has a digit of a product: its column, low minus high since r^k = −1, which it divides by r twice. That is k²
//! digit products and 16k bytes of traffic for an element and pass, with 3 passes for (2k)³ points where the radix leaves bits for
//! them.
//!
//! Radices from about 2^62 on leave no bits for carries: passes have two points then, and digits are canonical after each.

pub(crate) mod context;
mod convolve;
mod inverses;
pub(crate) mod plan;

pub use context::BigPrimeContext;
pub use plan::{BigPrimeConfig, BigPrimePlan, DigitMethod};
