//! Dense polynomials over prime fields and over the integers: products, division, GCDs, resultants, trees, series.
//!
//! **Problem.** Polynomials as coefficients from the constant term upward. A [`Poly`] is plain data; a ring operates on it:
//! [`PolyRing`] over a prime field, [`IntegerPolyRing`] over Z, [`AnyPolyRing`] over a field found at run time. A ring keeps what
//! its products precompute: make one and pass it on. **Products**, n the shorter length; a [`Plan`] or [`IntegerPlan`] says why:
//!
//! | algorithm | costs | runs, modulo a word; over r^k + 1 |
//! |---|---|---|
//! | schoolbook (`plain`) | n² products, sums reduced once | n below about 100; 10 to 14 |
//! | transform over the field (`ntt`) | three transforms | above that, where p − 1 has the factors 2 |
//! | Karatsuba | three products of n/2 | other primes: n from 128 or 256; 24 |
//! | transforms over 2 to 4 primes (`crt-ntt`) | three transforms a prime | other primes: n from 240 or 480 |
//! | Kronecker substitution | one product of integers | over Z, long coefficients; r^k + 1 of other primes from 64 |
//!
//! **On products stand**, with T(n) a transform of n points: inverses of series by Newton's iteration with middle products (10·T(n));
//! division ([`Divisor`], 16·T(n) for 2n by n); GCDs, cofactors, resultants by the half-GCD (14·T(n) a level, Euclid's steps
//! below 512 coefficients); values at many points and interpolation by a [`SubproductTree`] (3·T(n) a level);
//! [`SubresultantChain`], shifts, composition, any-length transforms ([`AnyLengthDft`]).
//!
//! **Over Q** a [`RationalPolyRing`] divides, finds cofactors, evaluates and interpolates by work over Z.
//!
//! **Over Z and in two variables** answers come from images modulo many primes, and [`Known`](sunzi_rns::Known) tells how they are
//! proved: [`gcd()`], [`resultant()`], [`subresultants()`], [`square_free()`]; [`bivariate_gcd`], [`resultant_y`], [`subresultant_y`].
//! *Unlucky* primes are dropped: if what must not vanish is a non-zero integer below 2^β, at most β/(b − 1) primes of b bits divide
//! it. **Bounds.** Over Z the primes' product exceeds twice what a coefficient can be. Memory that is lacking is an error.
//!
//! Sources: J. von zur Gathen and J. Gerhard, *Modern Computer Algebra*, ch. 6 to 11; the modules name papers.
//!
//! ```
//! use sunzi::Integer;
//! use sunzi::field::Fp64;
//! use sunzi::poly::{Poly, PolyRing};
//!
//! let ring = PolyRing::new(Fp64::new((1 << 60) - (1 << 18) + 1)?);
//! let square = ring.sqr(&Poly::new((1..=1000).collect()));
//! assert_eq!((square.degree(), square[1]), (Some(1998), 4)); // 1·2 + 2·1
//! println!("{}", ring.plan(1000, 1000)); // ntt for 1000 × 1000 coefficients: …
//!
//! // Over Z and Q polynomials have operators, modulo a prime once they are bound to a ring; they are read and printed as expressions.
//! let f: Poly<Integer> = "3*x^2 - (x+1)^3".parse()?;
//! assert_eq!((2 * &f + 1).to_string(), "-2*x^3 - 6*x - 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// What is public for tests alone is documented for readers of its file.
#![cfg_attr(feature = "internals", allow(missing_docs))]

mod any;
mod any_length;
mod big_prime;
mod bits;
mod bivariate;
mod calculus;
mod compiled;
mod cyclic;
mod division;
mod error;
mod gcd;
mod integer;
mod karatsuba;
mod multiplier;
mod operators;
mod plan;
mod poly;
mod power;
mod rational;
mod ring;
mod ring_polynomial;
mod running_products;
mod scalar;
#[cfg(feature = "serde")]
mod serde;
mod series;
mod subresultants;
mod termwise;
#[doc(hidden)]
pub mod text;
mod thresholds;
mod tree;
mod word_prime;

pub use any::{AnyDft, AnyDivisor, AnyPoly, AnyPolyRing, AnySubproductTree};
pub use any_length::AnyLengthDft;
pub use bivariate::{
    BivariateField, BivariateGcd, BivariatePoly, BivariateRing, ChainOptions, ResultantYImages,
    SubresultantYImages, bivariate_gcd, resultant_y, subresultant_bits, subresultant_y,
};
pub use division::Divisor;
pub use error::PolyError;
pub use gcd::{ExtendedGcd, SquareFreeFactors};
pub use integer::modular::{
    GcdAndCofactors, IntegerGcd, IntegerResultant, IntegerSubresultants, Method, ModularPlan,
    ResultantImages, SquareFree, discriminant, gcd, resultant, square_free, subresultants,
};
pub use integer::{FlatPoly, IntegerPlan, IntegerPolyRing};
pub use multiplier::CoefficientField;
pub use operators::NumberCoefficient;
pub use plan::{Algorithm, Plan, Reason};
pub use poly::{Poly, QuotientAndRemainder};
pub use rational::RationalPolyRing;
pub use ring::PolyRing;
pub use ring_polynomial::RingPoly;
pub use subresultants::SubresultantChain;
pub use text::{ParsePolyError, ParsePolyProblem, TextCoefficient};
pub use thresholds::{IntegerThresholds, Thresholds};
pub use tree::SubproductTree;
pub use tree::remainders::RemainderTree;
pub use tree::subinverse::SubinverseTree;

/// What the tests of this crate reach into.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals {
    use crate::{CoefficientField, FlatPoly, PolyError, PolyRing};
    use sunzi_integer::Integer;

    pub use crate::bits::{BitWriter, WORD, bit_length, read_bits};
    pub use crate::bivariate::bound::logarithm_above;
    pub use crate::bivariate::degrees::subresultant_degree;
    pub use crate::bivariate::images::Processor;
    pub use crate::bivariate::integer_subresultants::{
        COUNTS, FIRST, FIRST_ADICITY, LIMIT, PRIME_BITS, Run, pool, primes, searched,
    };
    pub use crate::bivariate::points::{MOST_COSETS, Points, sizes};
    pub use crate::calculus::shift::{Tables, shift_rows_by_one};
    pub use crate::compiled::Compiled;
    pub use crate::integer::flat::widest;
    pub use crate::integer::modular::bound::norms;
    pub use crate::integer::modular::gcd_values::Values;
    pub use crate::integer::pack::{is_negative, pack, unpack};
    pub use crate::integer::plan::Sizes;
    pub use crate::karatsuba::Karatsuba;
    pub use crate::multiplier::{PolyMultiplier, ProductKernels};
    pub use crate::running_products::products_and_inverses;
    pub use crate::text::write::GROUP;
    pub use crate::word_prime::schoolbook::{words32, words64};

    /// Coefficients in rows of limbs, zeros at the end among them.
    pub fn flat(coefficients: &[Integer]) -> FlatPoly {
        FlatPoly::from_coefficients(coefficients)
    }

    /// Shifts the variable by one, all columns of `stride` elements at once.
    pub fn shift_columns<F: CoefficientField>(
        ring: &PolyRing<F>,
        f: &mut [F::Elem],
        stride: usize,
        tables: &Tables<F::Elem>,
    ) -> Result<(), PolyError> {
        ring.shift_columns(f, stride, tables)
    }
}
