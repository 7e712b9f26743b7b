//! Greatest common divisors over the integers.

use super::bound;
use super::cofactors::{GcdAndCofactors, divided, expected_bits, leading, scaled};
use super::method::Method;
use super::plan::ModularPlan;
use super::{gcd_big_prime, gcd_words};
use crate::{IntegerPolyRing, Poly, PolyError};
use sunzi_integer::Integer;
use sunzi_rns::Known;

/// How greatest common divisors over the integers are to be computed.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::poly::Poly;
/// use sunzi::solve::IntegerGcd;
///
/// let poly = |coefficients: &[i32]| Poly::new(coefficients.iter().map(|&c| Integer::from(c)).collect());
/// let (f, g) = (poly(&[-2, 0, 2]), poly(&[4, 8, 4])); // 2(x − 1)(x + 1), 4(x + 1)²
/// let known = IntegerGcd::new().with_cofactors(&f, &g)?;
/// assert!(known.proved);
/// assert_eq!(known.value.gcd, poly(&[2, 2]));
/// assert_eq!((known.value.first, known.value.second), (poly(&[-1, 1]), poly(&[2, 2])));
/// # Ok::<(), sunzi::poly::PolyError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IntegerGcd {
    method: Method,
}

impl IntegerGcd {
    /// By the quickest method.
    pub fn new() -> Self {
        Self::default()
    }

    /// By this method.
    #[must_use]
    pub fn method(self, method: Method) -> Self {
        Self { method }
    }

    /// What will run for these operands, unless that is clear without any prime.
    ///
    /// # Errors
    /// [`PolyError::NoNamedPrime`] if there is no prime r^k + 1 large enough.
    ///
    /// ```
    /// use sunzi::Integer;
    /// use sunzi::poly::Poly;
    /// use sunzi::solve::IntegerGcd;
    ///
    /// let f = Poly::new([-2, 0, 2].map(Integer::from).to_vec());
    /// assert_eq!(IntegerGcd::new().plan(&f, &f)?.to_string(), "words: 8 primes below 2^50, for numbers of 10 bits");
    /// # Ok::<(), sunzi::poly::PolyError>(())
    /// ```
    pub fn plan(&self, f: &Poly<Integer>, g: &Poly<Integer>) -> Result<ModularPlan, PolyError> {
        if f.is_zero() || g.is_zero() {
            return ModularPlan::new(Method::Words, 0);
        }
        let common = Integer::from(leading(f).gcd(leading(g)));
        let bits = match self.method {
            Method::BigPrime => {
                bound::multiple_of_divisor(f.coefficients(), g.coefficients(), &common)
            }
            Method::Words | Method::Automatic | Method::Linear => expected_bits(f, g, &common),
        };
        let mut plan = ModularPlan::new(self.method, bits)?;
        if plan.method == Method::Words {
            plan.primes = plan.primes.max(gcd_words::FIRST_BATCH);
        }
        Ok(plan)
    }

    /// The greatest common divisor, always proved.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`] if there is too little memory.
    pub fn compute(
        &self,
        f: &Poly<Integer>,
        g: &Poly<Integer>,
    ) -> Result<Known<Poly<Integer>>, PolyError> {
        Ok(self.with_cofactors(f, g)?.map(|found| found.gcd))
    }

    /// The greatest common divisor and both cofactors, always proved.
    ///
    /// # Errors
    /// As [`IntegerGcd::compute`].
    pub fn with_cofactors(
        &self,
        f: &Poly<Integer>,
        g: &Poly<Integer>,
    ) -> Result<Known<GcdAndCofactors>, PolyError> {
        if f.is_zero() || g.is_zero() {
            return Ok(Known::exactly(of_one(f, g)));
        }
        let ring = IntegerPolyRing::new();
        let (content_f, content_g) = (ring.content(f), ring.content(g));
        let content = Integer::from(content_f.gcd(&content_g));
        let (first, second) = (divided(f, &content_f), divided(g, &content_g));
        let common = Integer::from(leading(&first).gcd(leading(&second)));
        let known = match self.method {
            Method::BigPrime => gcd_big_prime::primitive_gcd(&first, &second, &common)?,
            Method::Words | Method::Automatic | Method::Linear => {
                gcd_words::primitive_gcd(&first, &second, &common)?
            }
        };
        Ok(known.map(|found| GcdAndCofactors {
            gcd: scaled(&found.gcd, &content),
            first: scaled(&found.first, &(content_f / &content)),
            second: scaled(&found.second, &(content_g / &content)),
        }))
    }
}

/// The greatest common divisor of `f` and `g`: that of their contents times the primitive one, whose leading coefficient is
/// positive; 0 if both are 0.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::poly::Poly;
///
/// let poly = |coefficients: &[i32]| Poly::new(coefficients.iter().map(|&c| Integer::from(c)).collect());
/// let (f, g) = (poly(&[-6, 0, 6]), poly(&[0, -4, -4])); // 6(x − 1)(x + 1), −4x(x + 1)
/// assert_eq!(sunzi::solve::gcd(&f, &g)?, poly(&[2, 2]));
/// # Ok::<(), sunzi::poly::PolyError>(())
/// ```
///
/// # Errors
/// As [`IntegerGcd::compute`].
pub fn gcd(f: &Poly<Integer>, g: &Poly<Integer>) -> Result<Poly<Integer>, PolyError> {
    Ok(IntegerGcd::new().compute(f, g)?.value)
}

/// Where at least one operand is 0.
fn of_one(f: &Poly<Integer>, g: &Poly<Integer>) -> GcdAndCofactors {
    let other = if f.is_zero() { g } else { f };
    let negative = other
        .coefficients()
        .last()
        .is_some_and(|x| *x < Integer::ZERO);
    let sign = if negative {
        -Integer::ONE
    } else {
        Integer::ONE
    };
    let cofactor = |of: &Poly<Integer>| {
        Poly::new(if of.is_zero() {
            Vec::new()
        } else {
            vec![sign.clone()]
        })
    };
    GcdAndCofactors {
        gcd: scaled(other, &sign),
        first: cofactor(f),
        second: cofactor(g),
    }
}
