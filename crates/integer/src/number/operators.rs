//! The operators of the types, for values and references, machine integers, and assignments.
//!
//! Each operator is made of three functions: a new number of two references, the left operand changed in place, and the right one.

use super::{Integer, Natural, Rational};
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

/// One operand of types that become the other one's at no cost.
macro_rules! converted {
    ($T:ty, $convert:path, $Op:ident $op:ident, $OpAssign:ident $op_assign:ident: $($other:ty)*) => {$(
        form!($Op $op: &$T, $other => $T, a, b => $Op::$op(a, &$convert(b)));
        form!($Op $op: $T, $other => $T, a, b => $Op::$op(a, &$convert(b)));
        form!($Op $op: $other, &$T => $T, a, b => $Op::$op(&$convert(a), b));
        form!($Op $op: $other, $T => $T, a, b => $Op::$op(&$convert(a), b));
        assignment!($OpAssign $op_assign: $T, $other, |a, b| $OpAssign::$op_assign(a, &$convert(b)));
    )*};
}

/// Machine integers on either side.
macro_rules! with_machine_integers {
    ($T:ty, $convert:path, $Op:ident $op:ident, $OpAssign:ident $op_assign:ident) => {
        converted!($T, $convert, $Op $op, $OpAssign $op_assign:
            u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
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
        with_machine_integers!(Natural, natural, $Op $op, $OpAssign $op_assign);
        with_machine_integers!(Integer, Integer::from, $Op $op, $OpAssign $op_assign);
        with_natural!($Op $op, $OpAssign $op_assign: $of $in_place $from_in_place);
    )*};
}

/// Operators of rational numbers.
macro_rules! of_rationals {
    ($($Op:ident $op:ident, $OpAssign:ident $op_assign:ident: $of:ident $in_place:ident $from_in_place:ident;)*) => {$(
        operator!(Rational, $Op $op, $OpAssign $op_assign: $of $in_place $from_in_place);
        with_machine_integers!(Rational, Rational::from, $Op $op, $OpAssign $op_assign);
        converted!(Rational, Rational::from, $Op $op, $OpAssign $op_assign: Integer Natural &Integer &Natural);
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

/// A machine integer as the natural number that it is.
#[inline]
#[track_caller]
fn natural<T>(value: T) -> Natural
where
    Natural: TryFrom<T>,
{
    #[cold]
    #[inline(never)]
    #[track_caller]
    fn negative() -> ! {
        panic!("attempt to compute with a natural number and a negative one: take integers");
    }
    Natural::try_from(value).unwrap_or_else(|_| negative())
}
