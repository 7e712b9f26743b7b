//! One variable over the integers: greatest common divisors, resultants, subresultants, discriminants and square-free factors.
//!
//! **Problem.** Euclid's algorithm over Q gives all of these, but its fractions grow far beyond results. **Algorithm.** Images
//! modulo many primes below 2^50, then the Chinese remainder theorem (`images`); or one image modulo a prime r^k + 1
//! (`big_prime`). Greatest common divisors of short polynomials, and of those with short coefficients, are read off that of two values
//! (`gcd_values`). **How results are known.**
//!
//! | result | proved by | primes that are dropped |
//! |---|---|---|
//! | gcd | cofactors H·A = γ·f, H·B = γ·g, or a division; by values, h·A = f, h·B = g | those that divide γ = gcd(lc f, lc g), and those of too high a degree |
//! | resultant, discriminant | more than twice Hadamard's bound (`bound`) | those that divide both leading coefficients |
//! | subresultants | the same for every S_j | those that divide a leading coefficient |
//! | square-free factors | greatest common divisors (D. Yun, 1976) | as for those |
//!
//! **Unlucky primes.** If what must not vanish modulo a prime is a non-zero integer below 2^β, at most β/49 primes of plans divide it,
//! a share of about 0.69·β/2^50 of all primes of that size: for degree 1000 and 64-bit coefficients, β ≈ 1.4·10^5, below 10^−10.
//! A proof does not rest on that: what too many unlucky primes cost is time.
//!
//! **Lanes.** Euclid's algorithm runs on as many primes at once as a vector has lanes: n²/2 coefficients of three products each for
//! all of them, below 2 ns a coefficient for eight primes with 512-bit vectors. Sources: W. Brown, 1971 (gcd); G. Collins, 1971
//! (resultants); J. von zur Gathen, J. Gerhard, *Modern Computer Algebra*, ch. 6.

pub(crate) mod bezout;
mod big_prime;
pub(crate) mod bound;
mod cofactors;
mod euclid;
mod euclid_lanes;
mod gcd;
mod gcd_big_prime;
mod gcd_images;
pub(crate) mod gcd_values;
mod gcd_words;
pub(crate) mod linear;
mod method;
mod plan;
mod resultant;
mod resultant_images;
mod resultant_problem;
mod square_free;
mod subresultants;

pub use cofactors::GcdAndCofactors;
pub use gcd::{IntegerGcd, gcd};
pub use method::Method;
pub use plan::ModularPlan;
pub use resultant::{IntegerResultant, discriminant, resultant};
pub use resultant_images::ResultantImages;
pub use square_free::{SquareFree, square_free};
pub use subresultants::{IntegerSubresultants, subresultants};
