//! Division with remainder over Q, and greatest common divisors with cofactors.

use sunzi_integer::{Integer, Rational};

use super::{Numerators, RationalPolyRing, divided};
use crate::error::PolyError;
use crate::gcd::ExtendedGcd;
use crate::integer::modular::IntegerGcd;
use crate::integer::modular::bezout::{self, bezout};
use crate::poly::{Poly, QuotientAndRemainder};

impl RationalPolyRing {
    /// Quotient and remainder: a = q·b + r with deg r < deg b.
    ///
    /// Pseudo-division of the numerators, [`IntegerPolyRing::pseudo_divrem`](crate::IntegerPolyRing::pseudo_divrem): it takes
    /// O((deg a − deg b + 1)·(deg b + 1)) products of integers, which grow by the length of b's leading coefficient with each of the
    /// deg a − deg b + 1 steps, as those of the result do.
    ///
    /// ```
    /// use sunzi::poly::RationalPolyRing;
    ///
    /// let (quotient, remainder) = RationalPolyRing::new().divrem(&"x^2".parse()?, &"3*x - 1".parse()?)?;
    /// assert_eq!(quotient.to_string(), "1/3*x + 1/9");
    /// assert_eq!(remainder.to_string(), "1/9");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::DivisionByZero`]; [`PolyError::OutOfMemory`].
    pub fn divrem(
        &self,
        a: &Poly<Rational>,
        b: &Poly<Rational>,
    ) -> Result<QuotientAndRemainder<Rational>, PolyError> {
        if b.is_zero() {
            return Err(PolyError::DivisionByZero);
        }
        if a.len() < b.len() {
            return Ok((Poly::zero(), a.clone()));
        }
        let (a, b) = (Numerators::of(a)?, Numerators::of(b)?);
        // A short leading coefficient keeps the quotient short.
        let content = self.integers.content(&b.numerators);
        let divisor = self.integers.primitive_part(&b.numerators);
        let (quotient, remainder) = self.integers.pseudo_divrem(&a.numerators, &divisor)?;
        let steps = a.numerators.len() - divisor.len() + 1;
        let leading = &divisor[divisor.len() - 1];
        // l^steps·A = q·B + r for a = A/α and b = content·B/β.
        let denominator = leading.pow(steps) * Integer::from(a.denominator);
        Ok((
            divided(&quotient, &b.denominator.into(), &(&denominator * content)),
            divided(&remainder, &Integer::ONE, &denominator),
        ))
    }

    /// About the bytes that [`divrem`](Self::divrem) takes beside its operands, the results included.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`] if there is too little memory for the operands over a common denominator.
    pub fn divrem_bytes(&self, a: &Poly<Rational>, b: &Poly<Rational>) -> Result<u64, PolyError> {
        let (a, b) = (Numerators::of(a)?, Numerators::of(b)?);
        let divisor = self.integers.primitive_part(&b.numerators);
        let integers = self.integers.pseudo_divrem_bytes(&a.numerators, &divisor);
        // Numerators, and denominators as long.
        Ok(integers.saturating_mul(3))
    }

    /// The monic greatest common divisor of `a` and `b`, with cofactors s and t: g = s·a + t·b; 0 if both are 0.
    ///
    /// Where neither operand divides the other, deg s < deg b − deg g and deg t < deg a − deg g, which determines them. If b divides
    /// a, s is 0 and t constant; else, if a divides b, t is 0.
    ///
    /// A greatest common divisor over Z with its cofactors, [`IntegerGcd`]; then cofactors of the resultant of those, of degrees m
    /// and n, modulo about (n·log₂‖a‖ + m·log₂‖b‖)/50 primes, which prove them.
    ///
    /// ```
    /// use sunzi::poly::RationalPolyRing;
    ///
    /// let (a, b) = ("x^2 - 1".parse()?, "1/2*x^2 + x + 1/2".parse()?);
    /// let found = RationalPolyRing::new().xgcd(&a, &b)?;
    /// assert_eq!(found.gcd.to_string(), "x + 1");
    /// assert_eq!((found.s.to_string(), found.t.to_string()), ("-1/2".into(), "1".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`].
    pub fn xgcd(
        &self,
        a: &Poly<Rational>,
        b: &Poly<Rational>,
    ) -> Result<ExtendedGcd<Rational>, PolyError> {
        let (first, second) = (self.parts(a)?, self.parts(b)?);
        let found = IntegerGcd::new()
            .with_cofactors(&first.primitive, &second.primitive)?
            .value;
        let [a, b] = [&found.first, &found.second];
        let one = || Poly::new(vec![Integer::ONE]);
        let zero = Poly::zero;
        // s·A + t·B = common·gcd for the primitive A and B.
        let (s, t, common) = match [a.degree(), b.degree()] {
            [_, Some(0)] => (zero(), one(), b[0].clone()),
            [Some(0), _] => (one(), zero(), a[0].clone()),
            [Some(_), Some(_)] => {
                let found = bezout(a, b)?;
                (found.s, found.t, found.resultant)
            }
            // Both are 0.
            _ => (one(), zero(), Integer::ONE),
        };
        let one_for_zero = Integer::ONE;
        let leading = found.gcd.coefficients().last().unwrap_or(&one_for_zero);
        let common = common * leading;
        let cofactor = |cofactor: &Poly<Integer>, of: &Parts| {
            divided(cofactor, &of.denominator, &(&common * &of.content))
        };
        Ok(ExtendedGcd {
            gcd: divided(&found.gcd, &Integer::ONE, leading),
            s: cofactor(&s, &first),
            t: cofactor(&t, &second),
        })
    }

    /// About the bytes that [`xgcd`](Self::xgcd) takes beside its operands, the results included.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`] if there is too little memory for the operands over a common denominator.
    pub fn xgcd_bytes(&self, a: &Poly<Rational>, b: &Poly<Rational>) -> Result<u64, PolyError> {
        let (a, b) = (self.parts(a)?.primitive, self.parts(b)?.primitive);
        let gcd = IntegerGcd::new().plan(&a, &b)?;
        // Twice the numerators that are found: denominators are as long.
        let cofactors = bezout::bytes(&a, &b)?.saturating_mul(2);
        Ok(gcd.bytes(a.len() + b.len()).saturating_add(cofactors))
    }

    /// f = content·primitive/denominator; the content of 0 is 1.
    fn parts(&self, f: &Poly<Rational>) -> Result<Parts, PolyError> {
        let f = Numerators::of(f)?;
        let content = self.integers.content(&f.numerators);
        Ok(Parts {
            primitive: self.integers.primitive_part(&f.numerators),
            content: if content.is_zero() {
                Integer::ONE
            } else {
                content
            },
            denominator: f.denominator.into(),
        })
    }
}

/// A polynomial over Q by a primitive one over Z.
struct Parts {
    primitive: Poly<Integer>,
    content: Integer,
    denominator: Integer,
}
