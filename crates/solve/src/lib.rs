//! Real roots over Z, and the common zeros of two polynomials in two variables.
//!
//! **Problem.** Roots and solutions that are proved. **Algorithm.** Images modulo primes where something vanishes, or over Q by the
//! modular methods of `sunzi_poly` (GCDs, resultants, subresultants); roots by Descartes' rule. **Proof.** [`Known`](sunzi_rns::Known)
//! tells which answers are proved, and all are unless early termination was asked for: its primes are drawn at random, and
//! [`sunzi_rns::early`] derives how improbable errors are.
//!
//! | what | how it is known | cost |
//! |---|---|---|
//! | [`RealRoots`], [`RealRoot`] | Descartes' rule in fixed-point arithmetic with bounds of its errors | bits as roots need to be told apart |
//! | [`regular_chains`], [`regular_chains_modulo`] | subresultants by their bounds | images of all coefficients |
//! | [`BivariateSystem`] | all of these | dominated by one resultant and its roots |
//!
//! ```
//! use sunzi::Integer;
//! use sunzi::poly::Poly;
//! use sunzi::solve::RealRoots;
//!
//! let poly = |c: &[i32]| Poly::new(c.iter().map(|&c| Integer::from(c)).collect());
//! assert_eq!(RealRoots::of(&poly(&[-2, 0, 1]))?[1].to_decimal(10), "1.414213562");
//! # Ok::<(), sunzi::poly::PolyError>(())
//! ```

// What is public for tests alone is documented for readers of its file.
#![cfg_attr(feature = "internals", allow(missing_docs))]

mod apart;
mod chains;
mod roots;
mod system;

pub use chains::{
    RegularChain, RegularChains, regular_chains, regular_chains_modulo, regular_chains_over,
};
pub use roots::{Dyadic, DyadicInterval, RealRoot, RealRoots, RootSearch};
pub use system::{
    BivariateSystem, ComplexCount, Direction, Solution, Solutions, Steps, SystemPlan,
};

/// What the tests of this crate reach into.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals {
    use crate::system::Direction;
    use sunzi_integer::Integer;
    use sunzi_poly::BivariatePoly;

    pub use crate::apart::{without_zeros, written};
    pub use crate::roots::decimal::Decimal;
    pub use crate::roots::dyadic_factors::{linear, split};
    pub use crate::roots::horner::evaluate;
    pub use crate::roots::rows::{DIGIT, Growth, LEVELS, Rows, shift_right, sign_beyond, triangle};
    pub use crate::roots::sign::Evaluator;
    pub use crate::roots::size::log2;
    pub use crate::system::ball::Ball;

    /// The directions along which curves are looked at, in their order.
    pub fn directions() -> impl Iterator<Item = Direction> {
        Direction::all()
    }

    /// A curve in the coordinates of a direction.
    pub fn applied(direction: Direction, f: &BivariatePoly<Integer>) -> BivariatePoly<Integer> {
        direction.apply(f)
    }
}
