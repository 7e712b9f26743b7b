//! Divisors that are kept.

use super::{Integer, Natural};
use crate::division::{DivisionByZero, Kept};
use crate::multiplier::Multiplier;
use std::fmt;
use std::ops::{Div, DivAssign, Rem, RemAssign};

/// A number to divide by again and again.
///
/// What depends on the divisor alone is computed once: the reciprocal of its leading limbs, and of a long one the whole reciprocal, about
/// three products. From then on quotients and remainders of n limbs take two products of that length.
///
/// ```
/// use sunzi::Natural;
/// use sunzi::integer::Divisor;
///
/// let p = Divisor::new((Natural::ONE << 521) - 1)?;
/// let mut power = Natural::from(3u32);
/// for _ in 0..521 {
///     power = power.square() % &p; // at last 3^(2^521) = 3^(p + 1)
/// }
/// assert_eq!(power, 9);
/// # Ok::<(), sunzi::integer::DivisionByZero>(())
/// ```
#[derive(Clone)]
pub struct Divisor {
    value: Natural,
    kept: Kept,
}

impl Divisor {
    /// Computes what divisions by this number need.
    ///
    /// ```
    /// # use sunzi::integer::Divisor;
    /// assert!(Divisor::new(0u32).is_err());
    /// ```
    ///
    /// # Errors
    /// [`DivisionByZero`].
    pub fn new(value: impl Into<Natural>) -> Result<Self, DivisionByZero> {
        let value = value.into();
        if value.is_zero() {
            return Err(DivisionByZero);
        }
        let kept = Kept::new(&Multiplier::shared().divide(), value.as_limbs());
        Ok(Self { value, kept })
    }

    /// The number.
    ///
    /// ```
    /// # use sunzi::integer::Divisor;
    /// assert_eq!(*Divisor::new(5u32)?.value(), 5);
    /// # Ok::<(), sunzi::integer::DivisionByZero>(())
    /// ```
    pub fn value(&self) -> &Natural {
        &self.value
    }

    fn divided<T>(&self, a: &Natural, make: impl FnOnce(&[u64], &[u64]) -> T) -> T {
        let divide = Multiplier::shared().divide();
        self.kept
            .divided(&divide, [a.as_limbs(), self.value.as_limbs()], make)
    }

    /// Quotient and remainder of a number by this one.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// # use sunzi::integer::Divisor;
    /// let five = Divisor::new(5u32)?;
    /// assert_eq!(five.div_rem(&Natural::from(17u32)), (Natural::from(3u32), Natural::from(2u32)));
    /// # Ok::<(), sunzi::integer::DivisionByZero>(())
    /// ```
    pub fn div_rem(&self, a: &Natural) -> (Natural, Natural) {
        self.divided(a, |quotient, remainder| {
            (
                Natural::from_slice(quotient),
                Natural::from_slice(remainder),
            )
        })
    }
}

impl fmt::Debug for Divisor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Divisor").field(&self.value).finish()
    }
}

impl Div<&Divisor> for &Natural {
    type Output = Natural;

    fn div(self, divisor: &Divisor) -> Natural {
        divisor.divided(self, |quotient, _| Natural::from_slice(quotient))
    }
}

impl Rem<&Divisor> for &Natural {
    type Output = Natural;

    fn rem(self, divisor: &Divisor) -> Natural {
        divisor.divided(self, |_, remainder| Natural::from_slice(remainder))
    }
}

/// Rounded toward zero, as by a number.
impl Div<&Divisor> for &Integer {
    type Output = Integer;

    fn div(self, divisor: &Divisor) -> Integer {
        Integer::from_sign_magnitude(self.negative, &self.magnitude / divisor)
    }
}

/// With the sign of the number that is divided, as by a number.
impl Rem<&Divisor> for &Integer {
    type Output = Integer;

    fn rem(self, divisor: &Divisor) -> Integer {
        Integer::from_sign_magnitude(self.negative, &self.magnitude % divisor)
    }
}

macro_rules! on_values {
    ($($number:ty)*) => {$(
        impl Div<&Divisor> for $number {
            type Output = $number;

            fn div(self, divisor: &Divisor) -> $number {
                &self / divisor
            }
        }

        impl Rem<&Divisor> for $number {
            type Output = $number;

            fn rem(self, divisor: &Divisor) -> $number {
                &self % divisor
            }
        }

        impl DivAssign<&Divisor> for $number {
            fn div_assign(&mut self, divisor: &Divisor) {
                *self = &*self / divisor;
            }
        }

        impl RemAssign<&Divisor> for $number {
            fn rem_assign(&mut self, divisor: &Divisor) {
                *self = &*self % divisor;
            }
        }
    )*};
}

on_values!(Natural Integer);
