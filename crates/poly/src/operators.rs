//! Operators of polynomials over Z and Q.

use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use sunzi_integer::{Integer, Rational};

use crate::error::PolyError;
use crate::integer::IntegerPolyRing;
use crate::poly::Poly;
use crate::rational::RationalPolyRing;

/// Coefficients whose type says their ring, so that their polynomials have operators: [`Integer`] and [`Rational`].
///
/// `+`, `-`, `*` work by value and by reference, and with a coefficient or an `i64` on either side; `+=`, `-=`, `*=`, and
/// [`Poly::pow`]. Each makes a new polynomial, by [`IntegerPolyRing::shared`] or [`RationalPolyRing::shared`], and panics if there is too
/// little memory for it: their functions return errors.
///
/// ```
/// use sunzi::{Integer, Rational};
/// use sunzi::poly::Poly;
///
/// let f: Poly<Integer> = "x^2 - 3*x + 1".parse()?;
/// let g = &f * &f - 2 * &f + 1;
/// assert_eq!(g.to_string(), "x^4 - 6*x^3 + 9*x^2");
///
/// let h: Poly<Rational> = "x/2 - 1/3".parse()?;
/// assert_eq!((h.pow(2) * 36).to_string(), "9*x^2 - 12*x + 4");
/// # Ok::<(), sunzi::poly::ParsePolyError>(())
/// ```
pub trait NumberCoefficient: sealed::Sealed + Clone + Default + PartialEq + From<i64> {
    /// The sum.
    #[doc(hidden)]
    fn sum(a: &Poly<Self>, b: &Poly<Self>) -> Poly<Self>;

    /// The difference.
    #[doc(hidden)]
    fn difference(a: &Poly<Self>, b: &Poly<Self>) -> Poly<Self>;

    /// The product.
    #[doc(hidden)]
    fn product(a: &Poly<Self>, b: &Poly<Self>) -> Result<Poly<Self>, PolyError>;

    /// The negative.
    #[doc(hidden)]
    fn negative(f: &Poly<Self>) -> Poly<Self>;

    /// The power.
    #[doc(hidden)]
    fn power(f: &Poly<Self>, exponent: u64) -> Result<Poly<Self>, PolyError>;
}

mod sealed {
    pub trait Sealed {}
}

/// What the coefficients' ring does.
macro_rules! numbers {
    ($($E:ty: $Ring:ty,)*) => {$(
        impl sealed::Sealed for $E {}

        impl NumberCoefficient for $E {
            fn sum(a: &Poly<Self>, b: &Poly<Self>) -> Poly<Self> {
                <$Ring>::shared().add(a, b)
            }

            fn difference(a: &Poly<Self>, b: &Poly<Self>) -> Poly<Self> {
                <$Ring>::shared().sub(a, b)
            }

            fn product(a: &Poly<Self>, b: &Poly<Self>) -> Result<Poly<Self>, PolyError> {
                <$Ring>::shared().try_mul(a, b)
            }

            fn negative(f: &Poly<Self>) -> Poly<Self> {
                <$Ring>::shared().neg(f)
            }

            fn power(f: &Poly<Self>, exponent: u64) -> Result<Poly<Self>, PolyError> {
                <$Ring>::shared().try_pow(f, exponent)
            }
        }

        with_number_on_the_left!($E: Add add, Sub sub, Mul mul);
    )*};
}

/// Operators of a coefficient and a polynomial.
macro_rules! with_number_on_the_left {
    ($E:ty: $($Operator:ident $operate:ident),*) => {$(
        impl $Operator<&Poly<$E>> for $E {
            type Output = Poly<$E>;

            fn $operate(self, poly: &Poly<$E>) -> Poly<$E> {
                (&Poly::new(vec![self])).$operate(poly)
            }
        }

        impl $Operator<Poly<$E>> for $E {
            type Output = Poly<$E>;

            fn $operate(self, poly: Poly<$E>) -> Poly<$E> {
                self.$operate(&poly)
            }
        }
    )*};
}

/// An operator by value and by reference, and with numbers, all by the one of two references; and what assigns its result.
macro_rules! operator {
    ($Operator:ident $operate:ident, $Assign:ident $assign:ident, |$a:ident, $b:ident| $work:expr) => {
        impl<E: NumberCoefficient> $Operator<&Poly<E>> for &Poly<E> {
            type Output = Poly<E>;

            fn $operate(self, other: &Poly<E>) -> Poly<E> {
                let ($a, $b) = (self, other);
                $work
            }
        }

        impl<E: NumberCoefficient> $Operator<Poly<E>> for &Poly<E> {
            type Output = Poly<E>;

            fn $operate(self, other: Poly<E>) -> Poly<E> {
                self.$operate(&other)
            }
        }

        impl<E: NumberCoefficient> $Operator<E> for &Poly<E> {
            type Output = Poly<E>;

            fn $operate(self, number: E) -> Poly<E> {
                self.$operate(&Poly::new(vec![number]))
            }
        }

        impl<E: NumberCoefficient> $Operator<&E> for &Poly<E> {
            type Output = Poly<E>;

            fn $operate(self, number: &E) -> Poly<E> {
                self.$operate(number.clone())
            }
        }

        impl<E: NumberCoefficient> $Operator<i64> for &Poly<E> {
            type Output = Poly<E>;

            fn $operate(self, number: i64) -> Poly<E> {
                self.$operate(E::from(number))
            }
        }

        impl<E: NumberCoefficient> $Operator<&Poly<E>> for i64 {
            type Output = Poly<E>;

            fn $operate(self, poly: &Poly<E>) -> Poly<E> {
                (&Poly::new(vec![E::from(self)])).$operate(poly)
            }
        }

        impl<E: NumberCoefficient> $Operator<Poly<E>> for i64 {
            type Output = Poly<E>;

            fn $operate(self, poly: Poly<E>) -> Poly<E> {
                self.$operate(&poly)
            }
        }

        impl<E: NumberCoefficient, T> $Operator<T> for Poly<E>
        where
            for<'f> &'f Poly<E>: $Operator<T, Output = Poly<E>>,
        {
            type Output = Poly<E>;

            fn $operate(self, other: T) -> Poly<E> {
                (&self).$operate(other)
            }
        }

        impl<E: NumberCoefficient, T> $Assign<T> for Poly<E>
        where
            for<'f> &'f Poly<E>: $Operator<T, Output = Poly<E>>,
        {
            fn $assign(&mut self, other: T) {
                *self = (&*self).$operate(other);
            }
        }
    };
}

operator!(Add add, AddAssign add_assign, |a, b| E::sum(a, b));
operator!(Sub sub, SubAssign sub_assign, |a, b| E::difference(a, b));
operator!(Mul mul, MulAssign mul_assign, |a, b| there_is_memory(E::product(a, b)));

numbers! {
    Integer: IntegerPolyRing,
    Rational: RationalPolyRing,
}

impl<E: NumberCoefficient> Neg for &Poly<E> {
    type Output = Poly<E>;

    fn neg(self) -> Poly<E> {
        E::negative(self)
    }
}

impl<E: NumberCoefficient> Neg for Poly<E> {
    type Output = Self;

    fn neg(self) -> Self {
        -&self
    }
}

impl<E: NumberCoefficient> Poly<E> {
    /// The power, by repeated squaring: [`IntegerPolyRing::try_pow`] tells what it takes.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// # use sunzi::poly::Poly;
    /// assert_eq!("x - 1".parse::<Poly<Integer>>()?.pow(3).to_string(), "x^3 - 3*x^2 + 3*x - 1");
    /// # Ok::<(), sunzi::poly::ParsePolyError>(())
    /// ```
    ///
    /// # Panics
    /// If there is too little memory; that returns an error instead.
    #[must_use]
    pub fn pow(&self, exponent: u64) -> Self {
        there_is_memory(E::power(self, exponent))
    }
}

/// What operators compute, which have no errors.
///
/// # Panics
/// If there is too little memory for it.
fn there_is_memory<T>(computed: Result<T, PolyError>) -> T {
    match computed {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}
