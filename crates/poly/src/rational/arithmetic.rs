//! Sums, differences, products and powers over Q.

use sunzi_integer::{Integer, Natural, Rational};

use super::{Numerators, RationalPolyRing, divided};
use crate::error::PolyError;
use crate::poly::Poly;
use crate::termwise;
use sunzi_machine::memory::Budget;

impl RationalPolyRing {
    /// `a + b`: one sum of quotients a coefficient.
    ///
    /// ```
    /// use sunzi::poly::RationalPolyRing;
    ///
    /// let (a, b) = ("x/2 + 1/3".parse()?, "x^2 - 1/3".parse()?);
    /// assert_eq!(RationalPolyRing::new().add(&a, &b).to_string(), "x^2 + 1/2*x");
    /// # Ok::<(), sunzi::poly::ParsePolyError>(())
    /// ```
    pub fn add(&self, a: &Poly<Rational>, b: &Poly<Rational>) -> Poly<Rational> {
        termwise::sum(a, b)
    }

    /// `a − b`: one difference of quotients a coefficient.
    ///
    /// ```
    /// use sunzi::poly::RationalPolyRing;
    ///
    /// let (a, b) = ("x/2".parse()?, "x/3 + 1".parse()?);
    /// assert_eq!(RationalPolyRing::new().sub(&a, &b).to_string(), "1/6*x - 1");
    /// # Ok::<(), sunzi::poly::ParsePolyError>(())
    /// ```
    pub fn sub(&self, a: &Poly<Rational>, b: &Poly<Rational>) -> Poly<Rational> {
        termwise::difference(a, b)
    }

    /// `−f`, in linear time.
    pub fn neg(&self, f: &Poly<Rational>) -> Poly<Rational> {
        termwise::negative(f)
    }

    /// `a · b`, by the product over Z of both times their least common denominators, and a greatest common divisor for each of its
    /// coefficients.
    ///
    /// ```
    /// use sunzi::poly::RationalPolyRing;
    ///
    /// let (a, b) = ("x/2 + 1/3".parse()?, "2*x - 3".parse()?);
    /// assert_eq!(RationalPolyRing::new().try_mul(&a, &b)?.to_string(), "x^2 - 5/6*x - 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`] if there is too little memory, before anything starts.
    pub fn try_mul(
        &self,
        a: &Poly<Rational>,
        b: &Poly<Rational>,
    ) -> Result<Poly<Rational>, PolyError> {
        if let ([factor], other) | (other, [factor]) = (a.coefficients(), b.coefficients()) {
            // A constant leaves denominators apart.
            let bits = |x: &Rational| x.numerator().bit_len() + x.denominator().bit_len();
            let each = (bits(factor) / 8 + size_of::<Rational>()) as u64;
            Budget::system().require(each.saturating_mul(other.len() as u64))?;
            return Ok(other.iter().map(|x| x * factor).collect());
        }
        let (left, right) = (Numerators::of(a)?, Numerators::of(b)?);
        let product = self.integers.try_mul(&left.numerators, &right.numerators)?;
        Ok(over(&product, left.denominator * right.denominator))
    }

    /// `f^exponent`, by that of f times the least common denominator; `f⁰` is 1.
    ///
    /// ```
    /// use sunzi::poly::RationalPolyRing;
    ///
    /// let f = "x - 1/2".parse()?;
    /// assert_eq!(RationalPolyRing::new().try_pow(&f, 2)?.to_string(), "x^2 - x + 1/4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`] if there is too little memory for the power, before anything starts.
    pub fn try_pow(&self, f: &Poly<Rational>, exponent: u64) -> Result<Poly<Rational>, PolyError> {
        let Numerators {
            numerators,
            denominator,
        } = Numerators::of(f)?;
        // Each coefficient is brought to lowest terms from one with the whole denominator.
        let bits = match denominator.is_one() {
            true => 0,
            false => (denominator.bit_len() as u64).saturating_mul(exponent),
        };
        let degree = f.degree().unwrap_or(0) as u64;
        let len = degree.saturating_mul(exponent).saturating_add(1);
        Budget::system().require((bits / 8).saturating_mul(len))?;
        let power = self.integers.try_pow(&numerators, exponent)?;
        let exponent = usize::try_from(exponent).unwrap_or(usize::MAX);
        Ok(over(&power, denominator.pow(exponent)))
    }
}

/// f/`denominator`, in lowest terms.
fn over(f: &Poly<Integer>, denominator: Natural) -> Poly<Rational> {
    divided(f, &Integer::ONE, &denominator.into())
}
