//! Greatest common divisors over the integers.

use super::bound;
use super::cofactors::{GcdAndCofactors, divided, expected_bits, leading, scaled};
use super::gcd_values::{Divisor, Values};
use super::method::Method;
use super::plan::ModularPlan;
use super::{gcd_big_prime, gcd_words};
use crate::{IntegerPolyRing, Poly, PolyError};
use std::borrow::Cow;
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

    /// What will run for these operands, unless that is clear without any prime. Where [`Method::Values`] proves nothing, which is rare,
    /// primes follow.
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
    /// assert_eq!(IntegerGcd::new().plan(&f, &f)?.to_string(), "values: two of up to 60 bits, without primes");
    /// # Ok::<(), sunzi::poly::PolyError>(())
    /// ```
    pub fn plan(&self, f: &Poly<Integer>, g: &Poly<Integer>) -> Result<ModularPlan, PolyError> {
        if f.is_zero() || g.is_zero() {
            return ModularPlan::new(Method::Words, 0);
        }
        let values = Values::new(f, g);
        if self.by_values() && values.win() {
            return Ok(ModularPlan::values(values.bits()));
        }
        let contents = Contents::of(f, g);
        let [first, second] = [contents.first(f), contents.second(g)];
        if let Some(values) = self.values_of_primitive(&contents, &first, &second) {
            return Ok(ModularPlan::values(values.bits()));
        }
        let (f, g) = (&*first, &*second);
        let common = Integer::from(leading(f).gcd(leading(g)));
        let bits = match self.method {
            Method::BigPrime => {
                bound::multiple_of_divisor(f.coefficients(), g.coefficients(), &common)
            }
            _ => expected_bits(f, g, &common),
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
        Ok(self.found(f, g)?.map(|found| match found {
            Found::Values(found) => found.gcd(),
            Found::Whole(found) => found.gcd,
        }))
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
        Ok(self.found(f, g)?.map(|found| match found {
            Found::Values(found) => found.with_cofactors(),
            Found::Whole(found) => found,
        }))
    }

    fn found<'a>(
        &self,
        f: &'a Poly<Integer>,
        g: &'a Poly<Integer>,
    ) -> Result<Known<Found<'a>>, PolyError> {
        if f.is_zero() || g.is_zero() {
            return Ok(Known::exactly(Found::Whole(of_one(f, g))));
        }
        let mut tried = false;
        if self.by_values() {
            let values = Values::new(f, g);
            if values.win() {
                if let Some(found) = values.divisor() {
                    return Ok(Known::exactly(Found::Values(found)));
                }
                tried = true;
            }
        }
        let contents = Contents::of(f, g);
        let [first, second] = [contents.first(f), contents.second(g)];
        if !tried
            && let Some(values) = self.values_of_primitive(&contents, &first, &second)
            && let Some(found) = values.divisor()
        {
            let found = contents.multiplied(found.with_cofactors());
            return Ok(Known::exactly(Found::Whole(found)));
        }
        let common = Integer::from(leading(&first).gcd(leading(&second)));
        let known = match self.method {
            Method::BigPrime => gcd_big_prime::primitive_gcd(&first, &second, &common)?,
            _ => gcd_words::primitive_gcd(&first, &second, &common)?,
        };
        Ok(known.map(|found| Found::Whole(contents.multiplied(found))))
    }

    /// Whether values may be taken.
    fn by_values(&self) -> bool {
        matches!(self.method, Method::Automatic | Method::Values)
    }

    /// Values of primitive parts, where those of the operands themselves are too long.
    fn values_of_primitive<'a>(
        &self,
        contents: &Contents,
        first: &'a Poly<Integer>,
        second: &'a Poly<Integer>,
    ) -> Option<Values<'a>> {
        let values = || Values::new(first, second);
        match self.method {
            Method::Values => Some(values()),
            Method::Automatic if !contents.are_one() => Some(values()).filter(Values::win),
            _ => None,
        }
    }
}

/// A greatest common divisor, and how cofactors are known.
enum Found<'a> {
    /// As values tell them.
    Values(Divisor<'a>),
    Whole(GcdAndCofactors),
}

/// The contents of two polynomials that are not 0.
struct Contents {
    first: Integer,
    second: Integer,
}

impl Contents {
    fn of(f: &Poly<Integer>, g: &Poly<Integer>) -> Self {
        let ring = IntegerPolyRing::shared();
        let (first, second) = (ring.content(f), ring.content(g));
        Self { first, second }
    }

    fn are_one(&self) -> bool {
        self.first.is_one() && self.second.is_one()
    }

    /// The primitive part of the first one.
    fn first<'a>(&self, f: &'a Poly<Integer>) -> Cow<'a, Poly<Integer>> {
        primitive(f, &self.first)
    }

    /// The primitive part of the second one.
    fn second<'a>(&self, g: &'a Poly<Integer>) -> Cow<'a, Poly<Integer>> {
        primitive(g, &self.second)
    }

    /// What was found for primitive parts, times the contents.
    fn multiplied(&self, found: GcdAndCofactors) -> GcdAndCofactors {
        if self.are_one() {
            return found;
        }
        let content = Integer::from(self.first.gcd(&self.second));
        GcdAndCofactors {
            gcd: scaled(&found.gcd, &content),
            first: scaled(&found.first, &(&self.first / &content)),
            second: scaled(&found.second, &(&self.second / &content)),
        }
    }
}

fn primitive<'a>(f: &'a Poly<Integer>, content: &Integer) -> Cow<'a, Poly<Integer>> {
    if content.is_one() {
        return Cow::Borrowed(f);
    }
    Cow::Owned(divided(f, content))
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
