//! Square-free factors over the integers.
//!
//! **Algorithm.** D. Yun, *On square-free decomposition algorithms* (1976): with w the product of the different factors of f and
//! z = f'/gcd(f, f') − w', the factors of multiplicity 1, 2, … are split off w one after the other by gcd(w, z); greatest common divisors
//! are modular ones, and give their cofactors.

use super::cofactors::GcdAndCofactors;
use super::gcd::IntegerGcd;
use crate::{IntegerPolyRing, Poly, PolyError};
use sunzi_integer::Integer;
use sunzi_rns::Known;

/// A polynomial as content · Π factor^multiplicity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareFree {
    /// The greatest common divisor of the coefficients, with the sign of the leading one.
    pub content: Integer,
    /// Primitive factors with positive leading coefficients, of degree 1 at least, square-free and coprime, each with its
    /// multiplicity; these ascend.
    pub factors: Vec<(Poly<Integer>, usize)>,
}

impl SquareFree {
    /// The square-free factors of `f`, always proved, and the primes of all greatest common divisors together.
    ///
    /// ```
    /// use sunzi::Integer;
    /// use sunzi::poly::Poly;
    /// use sunzi::solve::SquareFree;
    ///
    /// let f = Poly::new([1, 2, 1].map(Integer::from).to_vec()); // (x + 1)²
    /// let known = SquareFree::of(&f)?;
    /// assert_eq!((known.value.factors.len(), known.value.factors[0].1, known.proved), (1, 2, true));
    /// # Ok::<(), sunzi::poly::PolyError>(())
    /// ```
    ///
    /// # Errors
    /// As [`square_free`].
    pub fn of(f: &Poly<Integer>) -> Result<Known<Self>, PolyError> {
        let leading = f.coefficients().last().ok_or(PolyError::EveryFactor)?;
        let ring = IntegerPolyRing::new();
        let mut content = ring.content(f);
        if *leading < Integer::ZERO {
            content = -content;
        }
        let primitive = Poly::new(f.coefficients().iter().map(|x| x / &content).collect());
        let mut known = Known::exactly(Self {
            content,
            factors: Vec::new(),
        });
        if primitive.degree() == Some(0) {
            return Ok(known);
        }
        let mut split =
            |f: &Poly<Integer>, g: &Poly<Integer>| -> Result<GcdAndCofactors, PolyError> {
                let found = IntegerGcd::new().with_cofactors(f, g)?;
                known.primes += found.primes;
                known.dropped += found.dropped;
                Ok(found.value)
            };
        let first = split(&primitive, &ring.derivative(&primitive))?;
        let (mut product, mut rest) = (first.first, first.second);
        let mut factors = Vec::new();
        let mut multiplicity = 1;
        while product.degree() != Some(0) {
            let difference = ring.sub(&rest, &ring.derivative(&product));
            let found = split(&product, &difference)?;
            if found.gcd.degree() != Some(0) {
                factors.push((found.gcd, multiplicity));
            }
            (product, rest) = (found.first, found.second);
            multiplicity += 1;
        }
        known.value.factors = factors;
        Ok(known)
    }
}

/// The square-free factors of `f`.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::poly::Poly;
///
/// let poly = |coefficients: &[i32]| Poly::new(coefficients.iter().map(|&c| Integer::from(c)).collect());
/// let found = sunzi::solve::square_free(&poly(&[0, 0, -6, -4, 2]))?; // 2(x − 3)(x + 1)·x²
/// assert_eq!(found.content, Integer::from(2));
/// assert_eq!(found.factors, [(poly(&[-3, -2, 1]), 1), (poly(&[0, 1]), 2)]);
/// # Ok::<(), sunzi::poly::PolyError>(())
/// ```
///
/// # Errors
/// [`PolyError::EveryFactor`] for 0, [`PolyError::OutOfMemory`] if there is too little memory.
pub fn square_free(f: &Poly<Integer>) -> Result<SquareFree, PolyError> {
    Ok(SquareFree::of(f)?.value)
}
