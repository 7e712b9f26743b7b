//! The operators of the types, for values and references, machine integers, and assignments.
//!
//! Each operator is made of three functions: a new number of two references, the left operand changed in place, and the right one.

use super::{Integer, MachineInteger, Natural, Rational};
use std::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign,
    Mul, MulAssign, Rem, RemAssign, Sub, SubAssign,
};

/// An operator for one form of its operands.
macro_rules! form {
    ($Op:ident $op:ident: $left:ty, $right:ty => $number:ty, $a:pat_param, $b:pat_param => $work:expr) => {
        impl $Op<$right> for $left {
            type Output = $number;

            #[inline]
            #[track_caller]
            fn $op(self, other: $right) -> $number {
                let ($a, $b) = (self, other);
                $work
            }
        }
    };
}

/// An assignment for one form of its operand.
macro_rules! assignment {
    ($Op:ident $op:ident: $left:ty, $right:ty, |$a:ident, $b:ident| $work:expr) => {
        impl $Op<$right> for $left {
            #[inline]
            #[track_caller]
            fn $op(&mut self, other: $right) {
                let ($a, $b) = (self, other);
                $work;
            }
        }
    };
}

/// Both operands of one type.
macro_rules! operator {
    ($T:ident, $Op:ident $op:ident, $OpAssign:ident $op_assign:ident: $of:ident $in_place:ident $from_in_place:ident) => {
        form!($Op $op: &$T, &$T => $T, a, b => $T::$of(a.into(), b.into()));
        form!($Op $op: $T, &$T => $T, mut a, b => {
            $T::$in_place(&mut a, b.into());
            a
        });
        form!($Op $op: &$T, $T => $T, a, mut b => {
            $T::$from_in_place(&mut b, a.into());
            b
        });
        form!($Op $op: $T, $T => $T, mut a, b => {
            $T::$in_place(&mut a, (&b).into());
            a
        });
        assignment!($OpAssign $op_assign: $T, &$T, |a, b| $T::$in_place(a, b.into()));
        assignment!($OpAssign $op_assign: $T, $T, |a, b| $T::$in_place(a, (&b).into()));
    };
}

/// The left operand of types that become the other one's at no cost.
macro_rules! from_left {
    ($T:ty, $Op:ident $op:ident: $($left:ty)*) => {$(
        form!($Op $op: $left, &$T => $T, a, b => $Op::$op(&converted::<$T, _>(a), b));
        form!($Op $op: $left, $T => $T, a, b => $Op::$op(&converted::<$T, _>(a), b));
    )*};
}

/// Machine integers on either side. On the right they are one parameter, so that the result's type is known where the operand is a literal.
macro_rules! with_machine_integers {
    ($T:ty, $Op:ident $op:ident, $OpAssign:ident $op_assign:ident) => {
        impl<M: MachineInteger> $Op<M> for &$T {
            type Output = $T;

            #[inline]
            #[track_caller]
            fn $op(self, other: M) -> $T {
                $Op::$op(self, &converted::<$T, _>(other))
            }
        }

        impl<M: MachineInteger> $Op<M> for $T {
            type Output = $T;

            #[inline]
            #[track_caller]
            fn $op(self, other: M) -> $T {
                $Op::$op(self, &converted::<$T, _>(other))
            }
        }

        impl<M: MachineInteger> $OpAssign<M> for $T {
            #[inline]
            #[track_caller]
            fn $op_assign(&mut self, other: M) {
                $OpAssign::$op_assign(self, &converted::<$T, _>(other));
            }
        }

        from_left!($T, $Op $op: u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
    };
}

/// Integers and natural numbers on either side of a rational number.
macro_rules! with_integers {
    ($Op:ident $op:ident, $OpAssign:ident $op_assign:ident: $($other:ty)*) => {
        from_left!(Rational, $Op $op: $($other)*);
        $(
            form!($Op $op: &Rational, $other => Rational, a, b => $Op::$op(a, &Rational::from(b)));
            form!($Op $op: Rational, $other => Rational, a, b => $Op::$op(a, &Rational::from(b)));
            assignment!($OpAssign $op_assign: Rational, $other, |a, b| $OpAssign::$op_assign(a, &Rational::from(b)));
        )*
    };
}

/// Integers and natural numbers, which are not copied for it.
macro_rules! with_natural {
    ($Op:ident $op:ident, $OpAssign:ident $op_assign:ident: $of:ident $in_place:ident $from_in_place:ident) => {
        form!($Op $op: &Integer, &Natural => Integer, a, b => Integer::$of(a.into(), b.into()));
        form!($Op $op: &Integer, Natural => Integer, a, b => Integer::$of(a.into(), (&b).into()));
        form!($Op $op: Integer, &Natural => Integer, mut a, b => {
            a.$in_place(b.into());
            a
        });
        form!($Op $op: Integer, Natural => Integer, a, b => $Op::$op(a, &b));
        form!($Op $op: &Natural, &Integer => Integer, a, b => Integer::$of(a.into(), b.into()));
        form!($Op $op: Natural, &Integer => Integer, a, b => Integer::$of((&a).into(), b.into()));
        form!($Op $op: &Natural, Integer => Integer, a, mut b => {
            Integer::$from_in_place(&mut b, a.into());
            b
        });
        form!($Op $op: Natural, Integer => Integer, a, b => $Op::$op(&a, b));
        assignment!($OpAssign $op_assign: Integer, &Natural, |a, b| a.$in_place(b.into()));
        assignment!($OpAssign $op_assign: Integer, Natural, |a, b| a.$in_place((&b).into()));
    };
}

/// Operators of natural numbers and integers.
macro_rules! of_integers {
    ($($Op:ident $op:ident, $OpAssign:ident $op_assign:ident: $of:ident $in_place:ident $from_in_place:ident;)*) => {$(
        operator!(Natural, $Op $op, $OpAssign $op_assign: $of $in_place $from_in_place);
        operator!(Integer, $Op $op, $OpAssign $op_assign: $of $in_place $from_in_place);
        with_machine_integers!(Natural, $Op $op, $OpAssign $op_assign);
        with_machine_integers!(Integer, $Op $op, $OpAssign $op_assign);
        with_natural!($Op $op, $OpAssign $op_assign: $of $in_place $from_in_place);
    )*};
}

/// Operators of rational numbers.
macro_rules! of_rationals {
    ($($Op:ident $op:ident, $OpAssign:ident $op_assign:ident: $of:ident $in_place:ident $from_in_place:ident;)*) => {$(
        operator!(Rational, $Op $op, $OpAssign $op_assign: $of $in_place $from_in_place);
        with_machine_integers!(Rational, $Op $op, $OpAssign $op_assign);
        with_integers!($Op $op, $OpAssign $op_assign: Integer Natural &Integer &Natural);
    )*};
}

of_integers! {
    Add add, AddAssign add_assign: sum add_in_place add_in_place;
    Sub sub, SubAssign sub_assign: difference sub_in_place sub_from_in_place;
    Mul mul, MulAssign mul_assign: product mul_in_place mul_in_place;
    Div div, DivAssign div_assign: quotient div_in_place div_from_in_place;
    Rem rem, RemAssign rem_assign: remainder rem_in_place rem_from_in_place;
    BitAnd bitand, BitAndAssign bitand_assign: and and_in_place and_in_place;
    BitOr bitor, BitOrAssign bitor_assign: or or_in_place or_in_place;
    BitXor bitxor, BitXorAssign bitxor_assign: xor xor_in_place xor_in_place;
}

of_rationals! {
    Add add, AddAssign add_assign: sum add_in_place add_in_place;
    Sub sub, SubAssign sub_assign: difference sub_in_place sub_from_in_place;
    Mul mul, MulAssign mul_assign: product mul_in_place mul_in_place;
    Div div, DivAssign div_assign: quotient div_in_place div_from_in_place;
}

/// An operand as the number that it is: a negative one is no natural number.
#[inline]
#[track_caller]
fn converted<T, U>(value: U) -> T
where
    U: TryInto<T>,
{
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn negative() -> ! {
        panic!("attempt to compute with a natural number and a negative one: take integers");
    }
    value.try_into().unwrap_or_else(|_| negative())
}
