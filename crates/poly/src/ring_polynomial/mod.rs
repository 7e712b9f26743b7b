//! Polynomials over prime fields that know their ring, so that operators compute with them.

mod operators;

use std::fmt;
use std::ops::Deref;

use sunzi_integer::Integer;
use sunzi_integer::{Multiplier, text::DecimalTables};

use crate::multiplier::CoefficientField;
use crate::poly::Poly;
use crate::ring::PolyRing;
use crate::text::{TextCoefficient, displayed, write};

/// A polynomial that knows its ring: what [`PolyRing::bind`] makes. It has the operators `+`,
/// `-`, `*`, by value, by reference, and with integers (`i64` or `Integer`) on either side; `+=`, `-=`, `*=`; [`RingPoly::pow`];
/// and everything that a [`Poly`] has.
///
/// Operators call the ring's functions, and make a new polynomial each. They panic if there is too little memory for the
/// result, as those do, or if two polynomials are of different fields.
///
/// ```
/// use sunzi::field::Fp64;
/// use sunzi::poly::PolyRing;
///
/// let ring = PolyRing::new(Fp64::new((1 << 60) - (1 << 18) + 1)?);
/// let x = ring.bind(ring.parse("x").unwrap());
/// let f = (&x + 1) * (&x - 1) + 3 * x.pow(5);
/// assert_eq!(f, ring.parse("3*x^5 + x^2 - 1").unwrap());
/// assert_eq!(f.degree(), Some(5));
/// assert_eq!((&f - &f).to_string(), "0");
/// # Ok::<(), sunzi::field::FieldError>(())
/// ```
pub struct RingPoly<'r, F: CoefficientField> {
    ring: &'r PolyRing<F>,
    poly: Poly<F::Elem>,
}

impl<F: CoefficientField> PolyRing<F> {
    /// The polynomial, bound to this ring, for computing by operators; its coefficients are elements of the field.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::{Poly, PolyRing};
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let f = ring.bind(Poly::new(vec![1, 1]));
    /// assert_eq!((&f * &f - 1).to_string(), "x^2 + 2*x");
    /// assert_eq!((-f).into_inner().coefficients(), [100, 100]);
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    pub const fn bind(&self, poly: Poly<F::Elem>) -> RingPoly<'_, F> {
        RingPoly { ring: self, poly }
    }
}

impl<'r, F: CoefficientField> RingPoly<'r, F> {
    /// The ring.
    pub const fn ring(&self) -> &'r PolyRing<F> {
        self.ring
    }

    /// The polynomial without its ring.
    pub fn into_inner(self) -> Poly<F::Elem> {
        self.poly
    }

    /// The power, by repeated squaring: [`PolyRing::try_pow`] tells what it takes.
    ///
    /// # Panics
    /// If there is too little memory; that returns an error instead.
    #[must_use]
    pub fn pow(&self, exponent: u64) -> Self {
        self.with(self.ring.pow(&self.poly, exponent))
    }

    /// The polynomial with another name of the variable, to be printed.
    pub fn display_in(&self, variable: &str) -> impl fmt::Display {
        displayed(move |out| {
            let (multiplier, tables) = (Multiplier::new(), DecimalTables::new());
            write(self.poly.len(), variable, out, |degree, out| {
                let integer: Integer = self.ring.field().to_integer(self.poly[degree]);
                integer.write(&multiplier, &tables, out);
            });
        })
    }

    /// Another polynomial of the same ring.
    const fn with(&self, poly: Poly<F::Elem>) -> Self {
        Self {
            ring: self.ring,
            poly,
        }
    }

    /// The constant polynomial of an integer.
    fn constant(&self, value: Integer) -> Self {
        self.with(Poly::new(vec![self.ring.field().from_integer(&value)]))
    }

    /// Whether a ring has the same elements.
    fn is_of(&self, ring: &PolyRing<F>) -> bool {
        std::ptr::eq(self.ring, ring) || self.ring.field() == ring.field()
    }

    /// # Panics
    /// If the other is of another ring.
    fn assert_same_ring(&self, other: &Self) {
        assert!(
            self.is_of(other.ring),
            "polynomials over different fields have no sum and no product: bind both to rings over the same field"
        );
    }
}

impl<F: CoefficientField> Deref for RingPoly<'_, F> {
    type Target = Poly<F::Elem>;

    fn deref(&self) -> &Self::Target {
        &self.poly
    }
}

impl<F: CoefficientField> Clone for RingPoly<'_, F> {
    fn clone(&self) -> Self {
        self.with(self.poly.clone())
    }
}

impl<F: CoefficientField> fmt::Debug for RingPoly<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.poly.fmt(f)
    }
}

/// The highest power first, residues from 0 to p − 1.
impl<F: CoefficientField> fmt::Display for RingPoly<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.display_in("x").fmt(f)
    }
}

/// Polynomials over different fields are different.
impl<F: CoefficientField> PartialEq for RingPoly<'_, F> {
    fn eq(&self, other: &Self) -> bool {
        self.is_of(other.ring) && self.poly == other.poly
    }
}

impl<F: CoefficientField> Eq for RingPoly<'_, F> {}

impl<F: CoefficientField> PartialEq<Poly<F::Elem>> for RingPoly<'_, F> {
    fn eq(&self, other: &Poly<F::Elem>) -> bool {
        self.poly == *other
    }
}
