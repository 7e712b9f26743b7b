//! Polynomials that know their ring, so that operators compute with them.

mod operators;

use std::fmt;
use std::ops::Deref;

use dashu_int::IBig;
use sunzi_integer::{Multiplier, text::DecimalTables};

use crate::integer::IntegerPolyRing;
use crate::multiplier::CoefficientField;
use crate::poly::Poly;
use crate::ring::PolyRing;
use crate::text::{TextCoefficient, displayed, write};

/// A ring whose polynomials can be bound to it: [`PolyRing`] or [`IntegerPolyRing`].
pub trait PolynomialRing: sealed::Sealed {
    /// A coefficient.
    type Coefficient: Clone + PartialEq + Default + fmt::Debug + Sync;

    /// The sum.
    #[doc(hidden)]
    fn sum(
        &self,
        a: &Poly<Self::Coefficient>,
        b: &Poly<Self::Coefficient>,
    ) -> Poly<Self::Coefficient>;

    /// The difference.
    #[doc(hidden)]
    fn difference(
        &self,
        a: &Poly<Self::Coefficient>,
        b: &Poly<Self::Coefficient>,
    ) -> Poly<Self::Coefficient>;

    /// The product.
    #[doc(hidden)]
    fn product(
        &self,
        a: &Poly<Self::Coefficient>,
        b: &Poly<Self::Coefficient>,
    ) -> Poly<Self::Coefficient>;

    /// The negative.
    #[doc(hidden)]
    fn negative(&self, f: &Poly<Self::Coefficient>) -> Poly<Self::Coefficient>;

    /// The power.
    #[doc(hidden)]
    fn power(&self, f: &Poly<Self::Coefficient>, exponent: u64) -> Poly<Self::Coefficient>;

    /// The coefficient that an integer stands for.
    #[doc(hidden)]
    fn coefficient(&self, value: IBig) -> Self::Coefficient;

    /// The least integer that a coefficient stands for, not negative modulo a prime.
    #[doc(hidden)]
    fn integer(&self, coefficient: &Self::Coefficient) -> IBig;

    /// Whether both have the same elements.
    #[doc(hidden)]
    fn is(&self, other: &Self) -> bool;
}

mod sealed {
    pub trait Sealed: Sync {}
}

impl<F: CoefficientField> sealed::Sealed for PolyRing<F> {}
impl sealed::Sealed for IntegerPolyRing {}

impl<F: CoefficientField> PolynomialRing for PolyRing<F> {
    type Coefficient = F::Elem;

    fn sum(&self, a: &Poly<F::Elem>, b: &Poly<F::Elem>) -> Poly<F::Elem> {
        self.add(a, b)
    }

    fn difference(&self, a: &Poly<F::Elem>, b: &Poly<F::Elem>) -> Poly<F::Elem> {
        self.sub(a, b)
    }

    fn product(&self, a: &Poly<F::Elem>, b: &Poly<F::Elem>) -> Poly<F::Elem> {
        self.mul(a, b)
    }

    fn negative(&self, f: &Poly<F::Elem>) -> Poly<F::Elem> {
        self.neg(f)
    }

    fn power(&self, f: &Poly<F::Elem>, exponent: u64) -> Poly<F::Elem> {
        self.pow(f, exponent)
    }

    fn coefficient(&self, value: IBig) -> F::Elem {
        self.field().from_integer(&value)
    }

    fn integer(&self, coefficient: &F::Elem) -> IBig {
        self.field().to_integer(*coefficient).into()
    }

    fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.field() == other.field()
    }
}

impl PolynomialRing for IntegerPolyRing {
    type Coefficient = IBig;

    fn sum(&self, a: &Poly<IBig>, b: &Poly<IBig>) -> Poly<IBig> {
        self.add(a, b)
    }

    fn difference(&self, a: &Poly<IBig>, b: &Poly<IBig>) -> Poly<IBig> {
        self.sub(a, b)
    }

    fn product(&self, a: &Poly<IBig>, b: &Poly<IBig>) -> Poly<IBig> {
        self.mul(a, b)
    }

    fn negative(&self, f: &Poly<IBig>) -> Poly<IBig> {
        self.neg(f)
    }

    fn power(&self, f: &Poly<IBig>, exponent: u64) -> Poly<IBig> {
        self.pow(f, exponent)
    }

    fn coefficient(&self, value: IBig) -> IBig {
        value
    }

    fn integer(&self, coefficient: &IBig) -> IBig {
        coefficient.clone()
    }

    fn is(&self, _: &Self) -> bool {
        true
    }
}

/// A polynomial that knows its ring: what [`PolyRing::bind`] and [`IntegerPolyRing::bind`] make. It has the operators `+`,
/// `-`, `*`, by value, by reference, and with integers (`i64` or `IBig`) on either side; `+=`, `-=`, `*=`; [`RingPoly::pow`];
/// and everything that a [`Poly`] has.
///
/// Operators call the ring's functions, and make a new polynomial each. They panic if there is too little memory for the
/// result, as those do, or if two polynomials are of different fields.
///
/// ```
/// use sunzi_field::Fp64;
/// use sunzi_poly::PolyRing;
///
/// let ring = PolyRing::new(Fp64::new((1 << 60) - (1 << 18) + 1)?);
/// let x = ring.bind(ring.parse("x").unwrap());
/// let f = (&x + 1) * (&x - 1) + 3 * x.pow(5);
/// assert_eq!(f, ring.parse("3*x^5 + x^2 - 1").unwrap());
/// assert_eq!(f.degree(), Some(5));
/// assert_eq!((&f - &f).to_string(), "0");
/// # Ok::<(), sunzi_field::FieldError>(())
/// ```
pub struct RingPoly<'r, R: PolynomialRing> {
    ring: &'r R,
    poly: Poly<R::Coefficient>,
}

impl<F: CoefficientField> PolyRing<F> {
    /// The polynomial, bound to this ring, for computing by operators; its coefficients are elements of the field.
    ///
    /// ```
    /// use sunzi_field::Fp32;
    /// use sunzi_poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let f = ring.bind(Poly::new(vec![1, 1]));
    /// assert_eq!((&f * &f - 1).to_string(), "x^2 + 2*x");
    /// assert_eq!((-f).into_inner().coefficients(), [100, 100]);
    /// # Ok::<(), sunzi_field::FieldError>(())
    /// ```
    pub const fn bind(&self, poly: Poly<F::Elem>) -> RingPoly<'_, Self> {
        RingPoly { ring: self, poly }
    }
}

impl IntegerPolyRing {
    /// The polynomial, bound to this ring, for computing by operators.
    ///
    /// ```
    /// use sunzi_poly::IntegerPolyRing;
    ///
    /// let ring = IntegerPolyRing::new();
    /// let x = ring.bind("x".parse()?);
    /// let f = (2 * &x - 1).pow(2) - x;
    /// assert_eq!(f.to_string(), "4*x^2 - 5*x + 1");
    /// # Ok::<(), sunzi_poly::ParsePolyError>(())
    /// ```
    pub const fn bind(&self, poly: Poly<IBig>) -> RingPoly<'_, Self> {
        RingPoly { ring: self, poly }
    }
}

impl<'r, R: PolynomialRing> RingPoly<'r, R> {
    /// The ring.
    pub const fn ring(&self) -> &'r R {
        self.ring
    }

    /// The polynomial without its ring.
    pub fn into_inner(self) -> Poly<R::Coefficient> {
        self.poly
    }

    /// The power, by repeated squaring: [`PolyRing::try_pow`] and [`IntegerPolyRing::try_pow`] tell what it takes.
    ///
    /// # Panics
    /// If there is too little memory; those return an error instead.
    #[must_use]
    pub fn pow(&self, exponent: u64) -> Self {
        self.with(self.ring.power(&self.poly, exponent))
    }

    /// The polynomial with another name of the variable, to be printed.
    pub fn display_in(&self, variable: &str) -> impl fmt::Display {
        displayed(move |out| {
            let (multiplier, tables) = (Multiplier::new(), DecimalTables::new());
            write(self.poly.len(), variable, out, |degree, out| {
                let integer = self.ring.integer(&self.poly[degree]);
                integer.write(&multiplier, &tables, out);
            });
        })
    }

    /// Another polynomial of the same ring.
    const fn with(&self, poly: Poly<R::Coefficient>) -> Self {
        Self {
            ring: self.ring,
            poly,
        }
    }

    /// The constant polynomial of an integer.
    fn constant(&self, value: IBig) -> Self {
        self.with(Poly::new(vec![self.ring.coefficient(value)]))
    }

    /// # Panics
    /// If the other is of another ring.
    fn assert_same_ring(&self, other: &Self) {
        assert!(
            self.ring.is(other.ring),
            "polynomials over different fields have no sum and no product: bind both to rings over the same field"
        );
    }
}

impl<R: PolynomialRing> Deref for RingPoly<'_, R> {
    type Target = Poly<R::Coefficient>;

    fn deref(&self) -> &Self::Target {
        &self.poly
    }
}

impl<R: PolynomialRing> Clone for RingPoly<'_, R> {
    fn clone(&self) -> Self {
        self.with(self.poly.clone())
    }
}

impl<R: PolynomialRing> fmt::Debug for RingPoly<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.poly.fmt(f)
    }
}

/// The highest power first, residues from 0 to p − 1.
impl<R: PolynomialRing> fmt::Display for RingPoly<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display_in("x").fmt(f)
    }
}

/// Polynomials over different fields are different.
impl<R: PolynomialRing> PartialEq for RingPoly<'_, R> {
    fn eq(&self, other: &Self) -> bool {
        self.ring.is(other.ring) && self.poly == other.poly
    }
}

impl<R: PolynomialRing<Coefficient: Eq>> Eq for RingPoly<'_, R> {}

impl<R: PolynomialRing> PartialEq<Poly<R::Coefficient>> for RingPoly<'_, R> {
    fn eq(&self, other: &Poly<R::Coefficient>) -> bool {
        self.poly == *other
    }
}
