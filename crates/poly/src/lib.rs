//! Dense polynomials over prime fields and over the integers, and transforms of any length.
//!
//! A [`Poly`] is plain data; a ring operates on it: [`PolyRing`] over a prime field, of word size or
//! modulo r^K + 1, [`IntegerPolyRing`] over Z. A ring is a context that keeps what its products
//! precompute; make one and pass it on.
//!
//! | algorithm | runs when |
//! |---|---|
//! | plain | the shorter operand is short: sums kept lazily in vector registers, nothing allocated |
//! | Karatsuba | the field has no transform, and the operands are too short for several primes |
//! | transform over the field (`ntt`) | p − 1 has enough factors 2 |
//! | transforms over several primes (`crt-ntt`) | other primes; word-size coefficients over Z |
//! | Kronecker substitution | longer coefficients over Z; modulo r^K + 1 where p − 1 has too few factors 2; for every prime when asked for |
//!
//! Over Z a [`FlatPoly`] holds all coefficients in one allocation: where coefficients are short,
//! making integers of them takes longer than multiplying.
//!
//! Products make transforms of lengths that are no powers of two: [`AnyLengthDft`].
//!
//! Which one runs for given sizes, and why, is a value that can be printed: a [`Plan`] or an
//! [`IntegerPlan`]. The thresholds between them are measured; `examples/crossover.rs` and
//! `examples/integer_crossover.rs` print the times that they come from.
//!
//! ```
//! use sunzi_field::Fp64;
//! use sunzi_poly::{Poly, PolyRing};
//!
//! let ring = PolyRing::new(Fp64::new((1 << 60) - (1 << 18) + 1)?);
//! let f = Poly::new((1..=1000).collect());
//! let square = ring.sqr(&f);
//! assert_eq!(square.degree(), Some(1998));
//! assert_eq!(square[1], 4); // 1·2 + 2·1
//! println!("{}", ring.plan(1000, 1000));
//! # Ok::<(), sunzi_field::FieldError>(())
//! ```

mod any;
mod any_length;
mod big_prime;
mod bits;
mod calculus;
mod coefficient_field;
mod division;
mod error;
mod gcd;
mod integer;
mod karatsuba;
mod plan;
mod poly;
mod products;
mod ring;
mod series;
mod subresultants;
mod tables;
mod tree;
mod word_prime;

pub use any::{AnyDft, AnyDivisor, AnyPoly, AnyPolyRing, AnySubproductTree};
pub use any_length::{AnyLengthDft, AnyLengthError};
pub use big_prime::BigPrimeProducts;
pub use coefficient_field::CoefficientField;
pub use division::{Divisor, QuotientAndRemainder};
pub use error::PolyError;
pub use gcd::ExtendedGcd;
pub use integer::{FlatPoly, IntegerPlan, IntegerPolyRing};
pub use plan::{Algorithm, Plan, Reason};
pub use poly::Poly;
pub use products::Products;
pub use ring::PolyRing;
pub use subresultants::SubresultantChain;
pub use tree::{RemainderTree, SubinverseTree, SubproductTree, TreeCounts};
pub use word_prime::{Thresholds, WordField, WordPrimeProducts};
