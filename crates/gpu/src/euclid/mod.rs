//! Plain division and Euclid's algorithm on a device, in batches.
//!
//! Quotients and remainders, greatest common divisors and resultants in (Z/p)\[x\] of any number of pairs at a time, for
//! odd primes below 2^31 and 2^63. One group of threads has a pair, with both polynomials in the memory that its threads
//! share, and does the whole division or the whole of Euclid's algorithm in one launch (Haque, "Hardware acceleration
//! technologies in computer algebra: challenges and impact", thesis, 2013, chapter 9, where each step is a launch or
//! some hundred of them are). So a pair is bounded by that memory: about 29,000 coefficients of 31 bits an operand on an
//! H100, half as many of 63.
//!
//! Euclid's steps are free of fractions: a remainder is multiplied by the square of the divisor's leading coefficient in
//! place of dividing by it, and the two leading terms go in one step. That is three products a coefficient and one
//! barrier for each division of the usual sequence, whose quotients have degree 1: for degrees n the floor is 3n² products
//! and reductions, and n times the time of a barrier. Powers of leading coefficients that resultants have are noted, and
//! multiplied together at the end by all threads.
//!
//! Cofactors take three times the memory and the products: each row carries its s and its t.
//!
//! Division takes one inverse, and (n − m + 1)·m products and as many barriers as the quotient has coefficients.

pub(crate) mod context;
pub(crate) mod plan;

pub use context::{Cofactors, Division, EuclidContext};
pub use plan::EuclidShape;
