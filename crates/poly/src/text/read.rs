//! From text to coefficients.

use std::str::FromStr;

use sunzi_field::expression::syntax::{self, Dialect};
use sunzi_integer::{Integer, Rational};
use sunzi_integer::{Multiplier, text::DecimalTables};
use sunzi_machine::memory::Budget;

use super::error::{ParsePolyError, ParsePolyProblem};
use super::expand::{self, Limits, Terms};
use super::quotients;
use crate::multiplier::CoefficientField;
use crate::poly::Poly;
use crate::ring::PolyRing;

/// The highest degree of an expression; longer polynomials are given by their coefficients.
pub const MAX_DEGREE: u64 = 1 << 24;

/// What to write where no expression stands.
const HINT: &str = "write a sum of terms such as 3*x^2 - 2*x + 1";
const HINT_WITH_QUOTIENTS: &str = "write a sum of terms such as 1/2*x^2 - 3*x + 1";

const LIMITS: Limits = Limits {
    degree: MAX_DEGREE,
    advice: "write such a polynomial as coefficients, from the constant term upward",
};

/// The terms, by their degrees, of the polynomial that an expression stands for, of which there is room for all
/// coefficients, of this many bytes each.
pub fn terms(
    text: &[u8],
    multiplier: &Multiplier,
    tables: &DecimalTables,
    coefficient: usize,
) -> Result<Terms<1>, ParsePolyError> {
    let tree = syntax::parse(text, Dialect::Polynomial).map_err(|offset| ParsePolyError {
        offset,
        problem: ParsePolyProblem::at(text, offset, HINT),
    })?;
    let terms = expand::expand(&tree, text.len(), &LIMITS, multiplier, tables)?.terms;
    require(length(&terms), coefficient)?;
    Ok(terms)
}

/// How many coefficients a polynomial of these terms has.
pub fn length(terms: &Terms<1>) -> usize {
    terms
        .last_key_value()
        .map_or(0, |(&[degree], _)| degree as usize + 1)
}

/// Whether there is room for so many coefficients of this many bytes: at most [`MAX_DEGREE`] of them are zeros, which the
/// text did not pay for. It is asked for twice as much, since whoever reads one operand reads another.
fn require(length: usize, coefficient: usize) -> Result<(), ParsePolyError> {
    let bytes = 2 * (length * coefficient) as u64;
    Budget::system()
        .require(bytes)
        .map_err(|error| ParsePolyError {
            offset: 0,
            problem: error.into(),
        })
}

/// The coefficients, from the constant term upward, of the polynomial that an expression stands for; none for zero.
pub fn integers(
    text: &[u8],
    multiplier: &Multiplier,
    tables: &DecimalTables,
) -> Result<Vec<Integer>, ParsePolyError> {
    let terms = terms(text, multiplier, tables, size_of::<Integer>())?;
    let mut coefficients = vec![Integer::ZERO; length(&terms)];
    for ([exponent], coefficient) in terms {
        coefficients[exponent as usize] = coefficient;
    }
    Ok(coefficients)
}

/// The same where numbers may also be divided by.
pub fn rationals(
    text: &[u8],
    multiplier: &Multiplier,
    tables: &DecimalTables,
) -> Result<Vec<Rational>, ParsePolyError> {
    let tree =
        syntax::parse(text, Dialect::Quotients(&["x"])).map_err(|offset| ParsePolyError {
            offset,
            problem: ParsePolyProblem::at(text, offset, HINT_WITH_QUOTIENTS),
        })?;
    let terms = quotients::expand(&tree, text.len(), &LIMITS, multiplier, tables)?;
    let last = terms.last_key_value();
    let length = last.map_or(0, |(&degree, _)| degree as usize + 1);
    require(length, size_of::<Rational>())?;
    let mut coefficients = vec![Rational::ZERO; length];
    for (degree, coefficient) in terms {
        coefficients[degree as usize] = coefficient;
    }
    Ok(coefficients)
}

impl FromStr for Poly<Integer> {
    type Err = ParsePolyError;

    /// The polynomial that an expression in x stands for: numbers in decimal, `+`, `-`, `*`, `^` with an exponent in digits,
    /// parentheses; `2x` and `2(x+1)` are products, too. Takes time in proportion to the length of the text, and at
    /// most about a second more.
    ///
    /// # Errors
    /// If `text` is no such expression, if its degree is above 2^24, if it takes too much work or memory to expand.
    ///
    /// ```
    /// use sunzi::Integer;
    /// use sunzi::poly::Poly;
    ///
    /// let f: Poly<Integer> = "3*x^2 - (x+1)^3".parse()?;
    /// assert_eq!(f.coefficients(), [-1, -3, 0, -1].map(Integer::from));
    /// assert_eq!(f.to_string(), "-x^3 - 3*x - 1");
    /// assert!("x^99999999999".parse::<Poly<Integer>>().is_err());
    /// # Ok::<(), sunzi::poly::ParsePolyError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, ParsePolyError> {
        let coefficients = integers(text.as_bytes(), &Multiplier::new(), &DecimalTables::new())?;
        Ok(Self::new(coefficients))
    }
}

impl FromStr for Poly<Rational> {
    type Err = ParsePolyError;

    /// The polynomial that an expression in x stands for, in which numbers may be decimals, which are exact, and be divided by.
    ///
    /// # Errors
    /// As for integers, and where a divisor is zero or no number.
    ///
    /// ```
    /// use sunzi::Rational;
    /// use sunzi::poly::Poly;
    ///
    /// let f: Poly<Rational> = "(x/2 + 1)^2 - 2/6".parse()?;
    /// assert_eq!(f.to_string(), "1/4*x^2 + x + 2/3");
    /// assert!("1/x".parse::<Poly<Rational>>().is_err());
    /// # Ok::<(), sunzi::poly::ParsePolyError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, ParsePolyError> {
        let coefficients = rationals(text.as_bytes(), &Multiplier::new(), &DecimalTables::new())?;
        Ok(Self::new(coefficients))
    }
}

impl<F: CoefficientField> PolyRing<F> {
    /// The polynomial that an expression in x with any integers stands for, which are reduced modulo p: the text is read as
    /// a polynomial over the integers is (`str::parse`), within the same limits.
    ///
    /// # Errors
    /// If `text` is no such expression, if its degree is above 2^24, if it takes too much work or memory to expand.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::PolyRing;
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let f = ring.parse("(x - 1)^2 + 2^100").unwrap();
    /// assert_eq!(f.to_string(), "x^2 + 99*x + 2");
    /// assert_eq!(ring.parse("x +").unwrap_err().offset, 3);
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    pub fn parse(&self, text: &str) -> Result<Poly<F::Elem>, ParsePolyError> {
        let (multiplier, tables) = (Multiplier::new(), DecimalTables::new());
        let bytes = size_of::<F::Elem>();
        let terms = terms(text.as_bytes(), &multiplier, &tables, bytes)?;
        let mut coefficients = vec![self.field().zero(); length(&terms)];
        for ([degree], coefficient) in terms {
            coefficients[degree as usize] = self.field().from_integer(&coefficient);
        }
        Ok(Poly::new(coefficients))
    }
}
