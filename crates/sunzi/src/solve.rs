//! Modular methods over Z and Q: GCDs, resultants, real roots, and systems of two equations.
//!
//! ```
//! use sunzi::IBig;
//! use sunzi::poly::Poly;
//! use sunzi::solve::gcd;
//!
//! let poly = |coefficients: &[i64]| Poly::new(coefficients.iter().map(|&c| IBig::from(c)).collect());
//! let (a, b) = (poly(&[-1, 0, 0, 0, 1]), poly(&[0, -2, 0, 2])); // x⁴ − 1, 2x³ − 2x
//! assert_eq!(gcd(&a, &b)?, poly(&[-1, 0, 1]));
//! # Ok::<(), sunzi::solve::SolveError>(())
//! ```

pub use sunzi_solve::{
    BivariateField, BivariateGcd, BivariatePoly, BivariateRing, BivariateSystem, ChainOptions,
    ComplexCount, Direction, Dyadic, DyadicInterval, GcdAndCofactors, IntegerGcd, IntegerResultant,
    IntegerSubresultants, Known, Method, ModularPlan, RealRoot, RealRoots, RegularChain,
    RegularChains, RootSearch, Solution, Solutions, SolveError, SquareFree, Steps, SystemPlan,
    bivariate_gcd, discriminant, gcd, regular_chains, regular_chains_modulo, resultant,
    resultant_y, square_free, subresultant_y, subresultants,
};

/// How improbable a wrong result is that was not proved.
pub mod early {
    pub use sunzi_rns::early::{ERROR_BITS, EarlyTermination, PrimePool};
}
