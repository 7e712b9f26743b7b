//! Dense polynomials over prime fields and over the integers, and transforms of any length.
//!
//! A [`Poly`] is plain data; a ring operates on it: [`PolyRing`] over a prime field, [`IntegerPolyRing`]
//! over Z. A ring keeps what its products precompute: make one and pass it on. Which of these algorithms
//! runs, and why, is a value that can be printed, a [`Plan`] or an [`IntegerPlan`]:
//!
//! | algorithm | runs when |
//! |---|---|
//! | schoolbook (`plain`) | the shorter operand is short: sums are reduced once, nothing is allocated |
//! | Karatsuba | the field has no transform, and the operands are too short for several primes |
//! | transform over the field (`ntt`) | p − 1 has enough factors 2 |
//! | transforms over several primes (`crt-ntt`) | other primes; word-size coefficients over Z |
//! | Kronecker substitution | longer coefficients over Z; modulo r^K + 1 where p − 1 has too few factors 2 |
//!
//! ```
//! use sunzi_field::Fp64;
//! use sunzi_poly::{Poly, PolyRing};
//!
//! let ring = PolyRing::new(Fp64::new((1 << 60) - (1 << 18) + 1)?);
//! let square = ring.sqr(&Poly::new((1..=1000).collect()));
//! assert_eq!((square.degree(), square[1]), (Some(1998), 4)); // 1·2 + 2·1
//! println!("{}", ring.plan(1000, 1000));
//! # Ok::<(), sunzi_field::FieldError>(())
//! ```
//!
//! Polynomials are printed and read as expressions, and computed with by operators once they are bound to a ring, as
//! [`RingPoly`]s:
//!
//! ```
//! use sunzi_poly::IntegerPolyRing;
//!
//! let ring = IntegerPolyRing::new();
//! let f = ring.bind("3*x^2 - (x+1)^3".parse()?);
//! assert_eq!((2 * &f + 1).to_string(), "-2*x^3 - 6*x - 1");
//! # Ok::<(), sunzi_poly::ParsePolyError>(())
//! ```

mod any;
mod any_length;
mod big_prime;
mod bits;
mod bound;
mod calculus;
mod division;
mod error;
mod gcd;
mod integer;
mod karatsuba;
mod multiplier;
mod plan;
mod poly;
mod power;
mod ring;
mod running_products;
mod series;
mod subresultants;
#[doc(hidden)]
pub mod text;
mod thresholds;
mod tree;
mod word_prime;

pub use any::{AnyDft, AnyDivisor, AnyPoly, AnyPolyRing, AnySubproductTree};
pub use any_length::{AnyLengthDft, AnyLengthError};
pub use bound::{BindingRing, RingPoly};
pub use division::Divisor;
pub use error::PolyError;
pub use gcd::ExtendedGcd;
pub use integer::{FlatPoly, IntegerPlan, IntegerPolyRing};
pub use multiplier::CoefficientField;
pub use plan::{Algorithm, Plan, Reason};
pub use poly::{Poly, QuotientAndRemainder};
pub use ring::PolyRing;
pub use subresultants::SubresultantChain;
pub use text::{ParsePolyError, ParsePolyProblem, TextCoefficient};
pub use thresholds::{IntegerThresholds, Thresholds};
pub use tree::SubproductTree;
pub use tree::remainders::RemainderTree;
pub use tree::subinverse::SubinverseTree;
