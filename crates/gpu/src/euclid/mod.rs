//! Plain division and Euclid's algorithm on a device, in batches.
//!
//! Quotients and remainders, greatest common divisors and resultants in (Z/p)\[x\] of any number of pairs at a time, for
//! odd primes below 2^31 and 2^63. One group of threads has a pair, with both polynomials in the memory that its threads
//! share, and does the whole division or the whole of Euclid's algorithm in one launch (Haque, "Hardware acceleration
//! technologies in computer algebra: challenges and impact", thesis, 2013, chapter 9, where each step is a launch or
//! some hundred of them are). That memory takes about 29,000 coefficients of 31 bits an operand on an H100, half as many
//! of 63.
//!
//! Euclid's steps are free of fractions: a remainder is multiplied by the square of the divisor's leading coefficient in
//! place of dividing by it, and the two leading terms go in one step. That is three products a coefficient and one
//! barrier for each division of the usual sequence, whose quotients have degree 1: for degrees n the floor is 3n² products
//! and reductions, and n times the time of a barrier. Powers of leading coefficients that resultants have are noted, and
//! multiplied together at the end by all threads.
//!
//! Cofactors take three times the memory and the products: each row carries its s and its t.
//!
//! Longer pairs are taken by rounds of s steps (chapter 9, too): one group a pair finds the steps from the leading 2s
//! coefficients, as a matrix of polynomials, and many groups apply it to the whole rows, 4s products a coefficient with
//! one reduction. For degrees n these are n/s rounds of two launches, about 2n² products, and as many barriers in a row
//! as before. Division goes by s coefficients of the quotient a round in the same way, with s products. On a GPU the many-core
//! machine model chooses s ([`EuclidConfig::round_program`]).
//!
//! Division takes one inverse, and (n − m + 1)·m products and as many barriers as the quotient has coefficients.

pub(crate) mod context;
mod pairs;
pub(crate) mod plan;
pub(crate) mod rounds;
mod work;

pub use context::{Cofactors, Division, EuclidContext};
pub use plan::EuclidConfig;
