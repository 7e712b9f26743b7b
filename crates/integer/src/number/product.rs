//! Products and squares: of words in place, of longer operands by the kernels of the shared multiplier.

use super::integer::Signed;
use super::storage::Storage;
use super::{Integer, Natural};
use crate::multiplier::Multiplier;
use std::ptr;
use sunzi_rns::limbs::mul_add_word;

impl Natural {
    #[inline]
    pub(super) fn product(a: &Self, b: &Self) -> Self {
        match (&a.storage, &b.storage) {
            (Storage::Inline([x, 0]), Storage::Inline([y, 0])) => {
                Self::from_wide(u128::from(*x) * u128::from(*y))
            }
            _ => Self::long_product(a, b),
        }
    }

    #[inline(never)]
    fn long_product(a: &Self, b: &Self) -> Self {
        if ptr::eq(a, b) {
            return a.square();
        }
        if let (Some(x), Some(y)) = (a.wide(), b.wide())
            && x.leading_zeros() + y.leading_zeros() >= 128
        {
            return Self::from_wide(x.wrapping_mul(y));
        }
        if a.is_zero() || b.is_zero() {
            return Self::ZERO;
        }
        let multiplier = Multiplier::shared();
        Self::from_limbs(multiplier.product_of(a.as_limbs(), b.as_limbs()))
    }

    #[inline]
    pub(super) fn mul_in_place(&mut self, b: &Self) {
        match (&mut self.storage, &b.storage) {
            (Storage::Heap(a), &Storage::Inline([word, 0])) if word != 0 => {
                let carry = mul_add_word(a, word, 0);
                if carry != 0 {
                    a.push(carry);
                }
            }
            _ => *self = Self::product(self, b),
        }
    }

    /// The square. `&a * &a` is as fast, where both are the same object.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(Natural::from(1u128 << 100).square(), Natural::ONE << 200);
    /// ```
    #[inline]
    pub fn square(&self) -> Self {
        match self.word() {
            Some(x) => Self::from_wide(u128::from(x) * u128::from(x)),
            None => Self::from_limbs(Multiplier::shared().square_of(self.as_limbs())),
        }
    }
}

impl Integer {
    #[inline]
    pub(super) fn product(a: Signed, b: Signed) -> Self {
        let magnitude = Natural::product(a.magnitude, b.magnitude);
        Self::from_sign_magnitude(a.negative != b.negative, magnitude)
    }

    #[inline]
    pub(super) fn mul_in_place(&mut self, b: Signed) {
        self.magnitude.mul_in_place(b.magnitude);
        self.negative = self.negative != b.negative && !self.is_zero();
    }

    /// The square.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from(-5).square(), 25);
    /// ```
    #[inline]
    pub fn square(&self) -> Self {
        self.magnitude.square().into()
    }
}

/// The product of many factors, by a tree in which both operands of a product are about as long: O(M(n)·log n).
pub(super) fn product_of_all(factors: impl Iterator<Item = Natural>) -> Natural {
    // Lengths at least halve from one to the next.
    let mut waiting: Vec<Natural> = Vec::new();
    let mut push = |mut product: Natural| {
        while let Some(top) = waiting.pop() {
            if top.as_limbs().len() >= 2 * product.as_limbs().len() {
                waiting.push(top);
                break;
            }
            product = &top * &product;
        }
        waiting.push(product);
    };
    // Factors are gathered into two limbs first.
    let mut short: u128 = 1;
    for factor in factors {
        match factor.wide().and_then(|wide| short.checked_mul(wide)) {
            Some(product) => short = product,
            None => {
                push(Natural::from_wide(short));
                match factor.wide() {
                    Some(wide) => short = wide,
                    None => {
                        push(factor);
                        short = 1;
                    }
                }
            }
        }
    }
    if short != 1 {
        push(Natural::from_wide(short));
    }
    let products = waiting.into_iter().rev();
    products
        .reduce(|product, factor| &factor * &product)
        .unwrap_or(Natural::ONE)
}
