//! Machine integers: conversions both ways, and comparisons.

use super::integer::Signed;
use super::{Integer, Natural, Rational};
use std::cmp::Ordering;
use thiserror::Error;

/// A number that does not fit the type that it shall become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the number is out of the range of the type: take a wider one")]
pub struct OutOfRange;

/// The integers of the language: u8 to u128, usize, i8 to i128 and isize, which operators and shifts of numbers take.
pub trait MachineInteger:
    sealed::Sealed
    + TryInto<Natural>
    + Into<Integer>
    + Into<Rational>
    + TryInto<usize>
    + PartialOrd
    + Default
{
}

/// No other types are machine integers.
mod sealed {
    pub trait Sealed {}
}

macro_rules! unsigned {
    ($($word:ty)*) => {$(
        impl From<$word> for Natural {
            #[inline]
            fn from(value: $word) -> Self {
                Self::from_wide(value as u128)
            }
        }

        impl From<$word> for Integer {
            #[inline]
            fn from(value: $word) -> Self {
                Natural::from(value).into()
            }
        }

        impl TryFrom<&Natural> for $word {
            type Error = OutOfRange;

            #[inline]
            fn try_from(value: &Natural) -> Result<Self, OutOfRange> {
                let wide = value.wide().ok_or(OutOfRange)?;
                Self::try_from(wide).map_err(|_| OutOfRange)
            }
        }

        impl TryFrom<&Integer> for $word {
            type Error = OutOfRange;

            #[inline]
            fn try_from(value: &Integer) -> Result<Self, OutOfRange> {
                match value.negative {
                    true => Err(OutOfRange),
                    false => Self::try_from(&value.magnitude),
                }
            }
        }
    )*};
}

macro_rules! signed {
    ($($word:ty)*) => {$(
        impl TryFrom<$word> for Natural {
            type Error = OutOfRange;

            #[inline]
            fn try_from(value: $word) -> Result<Self, OutOfRange> {
                match value < 0 {
                    true => Err(OutOfRange),
                    false => Ok(Self::from_wide(value as u128)),
                }
            }
        }

        impl From<$word> for Integer {
            #[inline]
            fn from(value: $word) -> Self {
                Self {
                    negative: value < 0,
                    magnitude: Natural::from_wide(value.unsigned_abs() as u128),
                }
            }
        }

        impl TryFrom<&Natural> for $word {
            type Error = OutOfRange;

            #[inline]
            fn try_from(value: &Natural) -> Result<Self, OutOfRange> {
                let wide = value.wide().ok_or(OutOfRange)?;
                Self::try_from(wide).map_err(|_| OutOfRange)
            }
        }

        impl TryFrom<&Integer> for $word {
            type Error = OutOfRange;

            #[inline]
            fn try_from(value: &Integer) -> Result<Self, OutOfRange> {
                let wide = value.magnitude.wide().ok_or(OutOfRange)?;
                let value = match value.negative {
                    true if wide > 1 << 127 => return Err(OutOfRange),
                    true => (wide as i128).wrapping_neg(),
                    false => i128::try_from(wide).map_err(|_| OutOfRange)?,
                };
                Self::try_from(value).map_err(|_| OutOfRange)
            }
        }
    )*};
}

macro_rules! machine {
    ($($word:ty)*) => {$(
        impl TryFrom<Natural> for $word {
            type Error = OutOfRange;

            #[inline]
            fn try_from(value: Natural) -> Result<Self, OutOfRange> {
                Self::try_from(&value)
            }
        }

        impl TryFrom<Integer> for $word {
            type Error = OutOfRange;

            #[inline]
            fn try_from(value: Integer) -> Result<Self, OutOfRange> {
                Self::try_from(&value)
            }
        }

        impl sealed::Sealed for $word {}
        impl MachineInteger for $word {}

        impl From<$word> for Rational {
            #[inline]
            fn from(value: $word) -> Self {
                Integer::from(value).into()
            }
        }

        compared!(Natural, $word, |a, b| Signed::from(a).cmp((&Integer::from(*b)).into()));
        compared!(Integer, $word, |a, b| Signed::from(a).cmp((&Integer::from(*b)).into()));
        compared!(Rational, $word, |a, b| a.cmp(&Rational::from(*b)));
    )*};
}

/// Comparisons of two types both ways.
macro_rules! compared {
    ($a:ty, $b:ty, |$x:ident, $y:ident| $cmp:expr) => {
        impl PartialEq<$b> for $a {
            #[inline]
            fn eq(&self, other: &$b) -> bool {
                self.partial_cmp(other) == Some(Ordering::Equal)
            }
        }

        impl PartialEq<$a> for $b {
            #[inline]
            fn eq(&self, other: &$a) -> bool {
                other == self
            }
        }

        impl PartialOrd<$b> for $a {
            #[inline]
            fn partial_cmp(&self, other: &$b) -> Option<Ordering> {
                let ($x, $y) = (self, other);
                Some($cmp)
            }
        }

        impl PartialOrd<$a> for $b {
            #[inline]
            fn partial_cmp(&self, other: &$a) -> Option<Ordering> {
                other.partial_cmp(self).map(Ordering::reverse)
            }
        }
    };
}

/// Conversions of values where those of references are.
#[cfg(any(
    feature = "dashu",
    feature = "malachite",
    feature = "num-bigint",
    feature = "rug"
))]
macro_rules! from_values {
    ($($from:ty => $to:ty;)*) => {$(
        impl From<$from> for $to {
            fn from(value: $from) -> Self {
                Self::from(&value)
            }
        }
    )*};
}

#[cfg(any(
    feature = "dashu",
    feature = "malachite",
    feature = "num-bigint",
    feature = "rug"
))]
pub(super) use from_values;

unsigned!(u8 u16 u32 u64 u128 usize);
signed!(i8 i16 i32 i64 i128 isize);
machine!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
compared!(Integer, Natural, |a, b| Signed::from(a).cmp(b.into()));
compared!(Rational, Natural, |a, b| a.cmp(&Rational::from(b)));
compared!(Rational, Integer, |a, b| a.cmp(&Rational::from(b)));

impl From<bool> for Natural {
    /// 1 for true.
    #[inline]
    fn from(value: bool) -> Self {
        Self::from(u8::from(value))
    }
}

impl From<bool> for Integer {
    /// 1 for true.
    #[inline]
    fn from(value: bool) -> Self {
        Self::from(u8::from(value))
    }
}

impl From<Natural> for Integer {
    #[inline]
    fn from(magnitude: Natural) -> Self {
        Self {
            negative: false,
            magnitude,
        }
    }
}

impl From<&Natural> for Integer {
    #[inline]
    fn from(magnitude: &Natural) -> Self {
        magnitude.clone().into()
    }
}

impl TryFrom<Integer> for Natural {
    type Error = OutOfRange;

    #[inline]
    fn try_from(value: Integer) -> Result<Self, OutOfRange> {
        match value.negative {
            true => Err(OutOfRange),
            false => Ok(value.magnitude),
        }
    }
}

impl TryFrom<&Integer> for Natural {
    type Error = OutOfRange;

    #[inline]
    fn try_from(value: &Integer) -> Result<Self, OutOfRange> {
        value.clone().try_into()
    }
}
