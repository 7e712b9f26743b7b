//! Operators of polynomials that know their ring.

use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use sunzi_integer::Integer;

use super::RingPoly;
use crate::multiplier::CoefficientField;

/// An operator by value and by reference, and with integers on the right, all by the one of two references; and what
/// assigns its result.
macro_rules! operator {
    ($Operator:ident $operate:ident, $Assign:ident $assign:ident, $of_ring:ident) => {
        impl<'r, F: CoefficientField> $Operator<&RingPoly<'r, F>> for &RingPoly<'r, F> {
            type Output = RingPoly<'r, F>;

            fn $operate(self, other: &RingPoly<'r, F>) -> RingPoly<'r, F> {
                self.assert_same_ring(other);
                self.with(self.ring.$of_ring(&self.poly, &other.poly))
            }
        }

        impl<'r, F: CoefficientField> $Operator<RingPoly<'r, F>> for &RingPoly<'r, F> {
            type Output = RingPoly<'r, F>;

            fn $operate(self, other: RingPoly<'r, F>) -> RingPoly<'r, F> {
                self.$operate(&other)
            }
        }

        impl<'r, F: CoefficientField, T> $Operator<T> for RingPoly<'r, F>
        where
            for<'f> &'f RingPoly<'r, F>: $Operator<T, Output = RingPoly<'r, F>>,
        {
            type Output = RingPoly<'r, F>;

            fn $operate(self, other: T) -> RingPoly<'r, F> {
                (&self).$operate(other)
            }
        }

        impl<'r, F: CoefficientField, T> $Assign<T> for RingPoly<'r, F>
        where
            for<'f> &'f RingPoly<'r, F>: $Operator<T, Output = RingPoly<'r, F>>,
        {
            fn $assign(&mut self, other: T) {
                *self = (&*self).$operate(other);
            }
        }

        with_integer!($Operator $operate, i64, Integer::from);
        with_integer!($Operator $operate, Integer, Integer::from);
        with_integer!($Operator $operate, &Integer, Integer::clone);
    };
}

/// An operator with an integer on either side.
macro_rules! with_integer {
    ($Operator:ident $operate:ident, $Integer:ty, $owned:path) => {
        impl<'r, F: CoefficientField> $Operator<$Integer> for &RingPoly<'r, F> {
            type Output = RingPoly<'r, F>;

            fn $operate(self, integer: $Integer) -> RingPoly<'r, F> {
                self.$operate(&self.constant($owned(integer)))
            }
        }

        impl<'r, F: CoefficientField> $Operator<&RingPoly<'r, F>> for $Integer {
            type Output = RingPoly<'r, F>;

            fn $operate(self, poly: &RingPoly<'r, F>) -> RingPoly<'r, F> {
                (&poly.constant($owned(self))).$operate(poly)
            }
        }

        impl<'r, F: CoefficientField> $Operator<RingPoly<'r, F>> for $Integer {
            type Output = RingPoly<'r, F>;

            fn $operate(self, poly: RingPoly<'r, F>) -> RingPoly<'r, F> {
                self.$operate(&poly)
            }
        }
    };
}

operator!(Add add, AddAssign add_assign, add);
operator!(Sub sub, SubAssign sub_assign, sub);
operator!(Mul mul, MulAssign mul_assign, mul);

impl<'r, F: CoefficientField> Neg for &RingPoly<'r, F> {
    type Output = RingPoly<'r, F>;

    fn neg(self) -> RingPoly<'r, F> {
        self.with(self.ring.neg(&self.poly))
    }
}

impl<'r, F: CoefficientField> Neg for RingPoly<'r, F> {
    type Output = RingPoly<'r, F>;

    fn neg(self) -> RingPoly<'r, F> {
        -&self
    }
}
