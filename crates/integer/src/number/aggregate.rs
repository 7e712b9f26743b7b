//! Sums and products of iterators.

use super::product::product_of_all;
use super::{Integer, Natural, Rational};
use std::iter::{Product, Sum};

/// Sums, one after the other.
macro_rules! sums {
    ($T:ident: $($item:ty)*) => {$(
        impl<'a> Sum<$item> for $T {
            fn sum<I: Iterator<Item = $item>>(items: I) -> Self {
                items.fold(Self::ZERO, |sum, item| sum + item)
            }
        }
    )*};
}

/// Products of natural numbers, by a balanced tree.
macro_rules! natural_products {
    ($($item:ty)*) => {$(
        impl<'a> Product<$item> for Natural {
            fn product<I: Iterator<Item = $item>>(items: I) -> Self {
                product_of_all(items.map(Self::from))
            }
        }
    )*};
}

/// Products of integers, of their absolute values by a balanced tree.
macro_rules! integer_products {
    ($($item:ty)*) => {$(
        impl<'a> Product<$item> for Integer {
            fn product<I: Iterator<Item = $item>>(items: I) -> Self {
                let mut negative = false;
                let magnitude = product_of_all(items.map(|item| {
                    let item = Self::from(item);
                    negative ^= item.negative;
                    item.magnitude
                }));
                Self::from_sign_magnitude(negative, magnitude)
            }
        }
    )*};
}

/// Products of rational numbers: numerators and denominators by a balanced tree, reduced at the end.
macro_rules! rational_products {
    ($($item:ty)*) => {$(
        impl<'a> Product<$item> for Rational {
            fn product<I: Iterator<Item = $item>>(items: I) -> Self {
                let mut denominators = Vec::new();
                let numerator = items
                    .map(|item| {
                        let (numerator, denominator) = Self::from(item).into_parts();
                        denominators.push(denominator);
                        numerator
                    })
                    .product();
                Self::from_parts(numerator, denominators.into_iter().product())
            }
        }
    )*};
}

sums!(Natural: Self &'a Natural u8 u16 u32 u64 u128 usize);
sums!(Integer: Self &'a Integer Natural &'a Natural u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
sums!(Rational: Self &'a Rational Integer &'a Integer);
natural_products!(Self &'a Natural u8 u16 u32 u64 u128 usize);
integer_products!(Self &'a Integer Natural &'a Natural u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);
rational_products!(Self &'a Rational Integer &'a Integer);

/// Copies, so that aggregates take references as they take values.
macro_rules! from_references {
    ($($T:ty)*) => {$(
        impl From<&$T> for $T {
            #[inline]
            fn from(value: &$T) -> Self {
                value.clone()
            }
        }
    )*};
}

from_references!(Natural Integer Rational);
