//! Operators of polynomials that know their ring.

use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use dashu_int::IBig;

use super::{PolynomialRing, RingPoly};

/// An operator by value and by reference, and with integers on the right, all by the one of two references; and what
/// assigns its result.
macro_rules! operator {
    ($Operator:ident $operate:ident, $Assign:ident $assign:ident, $of_ring:ident) => {
        impl<'r, R: PolynomialRing> $Operator<&RingPoly<'r, R>> for &RingPoly<'r, R> {
            type Output = RingPoly<'r, R>;

            fn $operate(self, other: &RingPoly<'r, R>) -> RingPoly<'r, R> {
                self.assert_same_ring(other);
                self.with(self.ring.$of_ring(&self.poly, &other.poly))
            }
        }

        impl<'r, R: PolynomialRing> $Operator<RingPoly<'r, R>> for &RingPoly<'r, R> {
            type Output = RingPoly<'r, R>;

            fn $operate(self, other: RingPoly<'r, R>) -> RingPoly<'r, R> {
                self.$operate(&other)
            }
        }

        impl<'r, R: PolynomialRing, T> $Operator<T> for RingPoly<'r, R>
        where
            for<'f> &'f RingPoly<'r, R>: $Operator<T, Output = RingPoly<'r, R>>,
        {
            type Output = RingPoly<'r, R>;

            fn $operate(self, other: T) -> RingPoly<'r, R> {
                (&self).$operate(other)
            }
        }

        impl<'r, R: PolynomialRing, T> $Assign<T> for RingPoly<'r, R>
        where
            for<'f> &'f RingPoly<'r, R>: $Operator<T, Output = RingPoly<'r, R>>,
        {
            fn $assign(&mut self, other: T) {
                *self = (&*self).$operate(other);
            }
        }

        with_integer!($Operator $operate, i64, IBig::from);
        with_integer!($Operator $operate, IBig, IBig::from);
        with_integer!($Operator $operate, &IBig, IBig::clone);
    };
}

/// An operator with an integer on either side.
macro_rules! with_integer {
    ($Operator:ident $operate:ident, $Integer:ty, $owned:path) => {
        impl<'r, R: PolynomialRing> $Operator<$Integer> for &RingPoly<'r, R> {
            type Output = RingPoly<'r, R>;

            fn $operate(self, integer: $Integer) -> RingPoly<'r, R> {
                self.$operate(&self.constant($owned(integer)))
            }
        }

        impl<'r, R: PolynomialRing> $Operator<&RingPoly<'r, R>> for $Integer {
            type Output = RingPoly<'r, R>;

            fn $operate(self, poly: &RingPoly<'r, R>) -> RingPoly<'r, R> {
                (&poly.constant($owned(self))).$operate(poly)
            }
        }

        impl<'r, R: PolynomialRing> $Operator<RingPoly<'r, R>> for $Integer {
            type Output = RingPoly<'r, R>;

            fn $operate(self, poly: RingPoly<'r, R>) -> RingPoly<'r, R> {
                self.$operate(&poly)
            }
        }
    };
}

operator!(Add add, AddAssign add_assign, sum);
operator!(Sub sub, SubAssign sub_assign, difference);
operator!(Mul mul, MulAssign mul_assign, product);

impl<'r, R: PolynomialRing> Neg for &RingPoly<'r, R> {
    type Output = RingPoly<'r, R>;

    fn neg(self) -> RingPoly<'r, R> {
        self.with(self.ring.negative(&self.poly))
    }
}

impl<'r, R: PolynomialRing> Neg for RingPoly<'r, R> {
    type Output = RingPoly<'r, R>;

    fn neg(self) -> RingPoly<'r, R> {
        -&self
    }
}
