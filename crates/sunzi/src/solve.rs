//! Modular methods over Z and Q: GCDs, resultants, real roots, and systems of two equations.
//!
//! ```
//! use sunzi::Integer;
//! use sunzi::poly::Poly;
//! use sunzi::solve::gcd;
//!
//! let poly = |coefficients: &[i64]| Poly::new(coefficients.iter().map(|&c| Integer::from(c)).collect());
//! let (a, b) = (poly(&[-1, 0, 0, 0, 1]), poly(&[0, -2, 0, 2])); // x⁴ − 1, 2x³ − 2x
//! assert_eq!(gcd(&a, &b)?, poly(&[-1, 0, 1]));
//! # Ok::<(), sunzi::Error>(())
//! ```

#[doc(inline)]
pub use sunzi_poly::{
    BivariateField, BivariateGcd, BivariatePoly, BivariateRing, ChainOptions, GcdAndCofactors,
    IntegerGcd, IntegerResultant, IntegerSubresultants, Method, ModularPlan, ResultantImages,
    ResultantYImages, SquareFree, SubresultantYImages, bivariate_gcd, discriminant, gcd, resultant,
    resultant_y, square_free, subresultant_y, subresultants,
};
#[doc(inline)]
pub use sunzi_rns::Known;
#[doc(inline)]
pub use sunzi_solve::{
    BivariateSystem, ComplexCount, Direction, Dyadic, DyadicInterval, RealRoot, RealRoots,
    RegularChain, RegularChains, RootSearch, Solution, Solutions, Steps, SystemPlan,
    regular_chains, regular_chains_modulo, regular_chains_over,
};

/// How improbable a wrong result is that was not proved.
pub mod early {
    #[doc(inline)]
    pub use sunzi_rns::PRIMES_31;
    #[doc(inline)]
    pub use sunzi_rns::early::{ERROR_BITS, EarlyTermination, PrimePool};
}
