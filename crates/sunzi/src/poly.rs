//! Dense polynomials over prime fields and over the integers: products, division, GCDs, resultants, evaluation and interpolation.
//!
//! ```
//! use sunzi::field::Fp64;
//! use sunzi::poly::{Poly, PolyRing};
//!
//! let ring = PolyRing::new(Fp64::new(97)?);
//! let a: Poly<u64> = Poly::new(vec![96, 0, 1]); // x² − 1
//! let b = Poly::new(vec![1, 1]); // x + 1
//! assert_eq!(ring.gcd(&a, &b)?, b);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[doc(inline)]
pub use sunzi_poly::{
    Algorithm, AnyDivisor, AnyPoly, AnyPolyRing, AnySubproductTree, CoefficientField, Divisor,
    ExtendedGcd, FlatPoly, IntegerPlan, IntegerPolyRing, IntegerThresholds, NumberCoefficient,
    ParsePolyError, ParsePolyProblem, Plan, Poly, PolyError, PolyRing, QuotientAndRemainder,
    RationalPolyRing, Reason, RemainderTree, RingPoly, SquareFreeFactors, SubinverseTree,
    SubproductTree, SubresultantChain, TextCoefficient, Thresholds,
};
