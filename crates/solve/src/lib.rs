//! Modular methods over Z and Q: greatest common divisors, resultants, square-free factors, real roots, and all solutions
//! of two equations in two variables.
//!
//! **Problem.** Answers over Z and Q that are proved, in the time that arithmetic modulo primes takes. **Algorithm.** Images
//! modulo many primes of a word, in vector lanes (a prime a lane, or a point a lane), put together by the Chinese remainder
//! theorem; what must not vanish modulo a prime is watched, and *unlucky* primes are dropped. **Proof.** A bound of the result
//! that the product of the primes exceeds, or a division; [`Known`] tells which answers are proved, and all are unless early
//! termination was asked for: its primes are drawn at random, and [`sunzi_rns::early`] derives how improbable errors are.
//!
//! | what | how it is known | cost |
//! |---|---|---|
//! | [`gcd`], [`IntegerGcd`], [`square_free`] | cofactors, by a bound of their products or a division | O(n²) a prime, for as many primes as the divisor's coefficients fill |
//! | [`resultant`], [`discriminant`], [`subresultants`] | ‖f‖₂^n · ‖g‖₂^m | O(mn) a prime |
//! | [`RealRoots`], [`RealRoot`] | Descartes' rule in fixed-point arithmetic with bounds of its errors | bits as roots need to be told apart |
//! | [`resultant_y`], [`subresultant_y`] | Goldstein and Graham's bound | O(mn) a prime and point |
//! | [`bivariate_gcd`], [`regular_chains`] | cofactors by a bound; subresultants by their bounds | images of all coefficients |
//! | [`BivariateSystem`] | all of these | dominated by one resultant and its roots |
//!
//! **Unlucky primes** are rare: if what must not vanish is a non-zero integer below 2^β, at most β/(b − 1) primes of b bits
//! divide it. Sources: G. E. Collins, *The calculation of multivariate polynomial resultants*, 1971; W. S. Brown, *On Euclid's
//! algorithm and the computation of polynomial greatest common divisors*, 1971; D. Mohajerani, *Parallel Arbitrary-precision
//! Integer Arithmetic*, 2021, §2.9; the modules name more.
//!
//! ```
//! use dashu_int::IBig;
//! use sunzi_poly::Poly;
//! use sunzi_solve::{RealRoots, gcd, resultant};
//!
//! let poly = |c: &[i32]| Poly::new(c.iter().map(|&c| IBig::from(c)).collect());
//! let (f, g) = (poly(&[-2, 0, 1]), poly(&[-8, 0, 0, 0, 2])); // x² − 2, 2x⁴ − 8
//! assert_eq!(gcd(&f, &g)?, f);
//! assert_eq!(resultant(&f, &poly(&[1, 1]))?, IBig::from(-1));
//! assert_eq!(RealRoots::of(&f)?[1].to_decimal(10), "1.414213562");
//! # Ok::<(), sunzi_solve::SolveError>(())
//! ```

mod bivariate;
mod chains;
mod error;
mod integer;
mod roots;
mod system;

pub use bivariate::{
    BivariateField, BivariatePoly, BivariateRing, ChainOptions, resultant_y, subresultant_y,
};
pub use chains::{
    BivariateGcd, RegularChain, RegularChains, bivariate_gcd, regular_chains, regular_chains_modulo,
};
pub use error::SolveError;
pub use integer::{
    GcdAndCofactors, IntegerGcd, IntegerResultant, IntegerSubresultants, Method, ModularPlan,
    SquareFree, discriminant, gcd, resultant, square_free, subresultants,
};
pub use roots::{Dyadic, DyadicInterval, RealRoot, RealRoots, RootSearch};
/// Determinants over Z and Q, likewise by images modulo primes.
pub use sunzi_linalg::dense::{
    IntegerDeterminant, IntegerMethod, KnownDeterminant, integer_determinant, rational_determinant,
};
/// Results of modular methods, and how they are known.
pub use sunzi_rns::Known;
/// How improbable a wrong result of early termination is.
pub use sunzi_rns::early::ERROR_BITS;
pub use system::{
    BivariateSystem, ComplexCount, Direction, Solution, Solutions, Steps, SystemPlan,
};
