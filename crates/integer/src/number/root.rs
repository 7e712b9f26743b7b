//! Roots with remainder, and whether a number is a square.

use super::{Integer, Natural};
use crate::multiplier::Multiplier;
use crate::roots::root_of_two_limbs;

impl Natural {
    /// The integer part of the square root.
    ///
    /// O(M(n)) operations for n limbs.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(Natural::from(99u32).sqrt(), 9);
    /// ```
    #[must_use]
    pub fn sqrt(&self) -> Self {
        match self.wide() {
            Some(wide) => Self::from(root_of_two_limbs(wide)),
            None => Multiplier::shared().sqrt(self.as_limbs(), Self::from_slice),
        }
    }

    /// The integer part s of the square root, and the number less s².
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(Natural::from(99u32).sqrt_rem(), (Natural::from(9u32), Natural::from(18u32)));
    /// ```
    #[must_use]
    pub fn sqrt_rem(&self) -> (Self, Self) {
        if let Some(wide) = self.wide() {
            let root = root_of_two_limbs(wide);
            let square = u128::from(root) * u128::from(root);
            return (Self::from(root), Self::from_wide(wide - square));
        }
        let (root, remainder) = Multiplier::shared().sqrt_rem(self.as_limbs());
        (Self::from_limbs(root), Self::from_limbs(remainder))
    }

    /// The integer part of the root of a degree above 0.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(Natural::from(1000u32).root(3), 10);
    /// ```
    ///
    /// # Panics
    /// If the degree is 0.
    #[must_use]
    #[track_caller]
    pub fn root(&self, degree: usize) -> Self {
        match degree {
            0 => panic!("a root has a degree above 0"),
            1 => self.clone(),
            2 => self.sqrt(),
            // Below 2^degree.
            _ if self.bit_len() <= degree => Self::from(!self.is_zero()),
            _ => self.newton_root(degree),
        }
    }

    /// The integer part r of the root of a degree above 0, and the number less r to that power.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(Natural::from(1009u32).root_rem(3), (Natural::from(10u32), Natural::from(9u32)));
    /// ```
    ///
    /// # Panics
    /// If the degree is 0.
    #[must_use]
    #[track_caller]
    pub fn root_rem(&self, degree: usize) -> (Self, Self) {
        if degree == 2 {
            return self.sqrt_rem();
        }
        let root = self.root(degree);
        let remainder = self - root.pow(degree);
        (root, remainder)
    }

    /// Newton's iteration from above, where it falls until it is right: R. Brent and P. Zimmermann, *Modern Computer Arithmetic*, algorithm
    /// 1.14. It begins with one more than the root of the leading bits, of which half as many are right.
    fn newton_root(&self, degree: usize) -> Self {
        let bits = self.bit_len().div_ceil(degree);
        let mut root = if bits <= 4 {
            Self::ONE << bits
        } else {
            // An error of the leading part counts the more, the higher the degree is.
            let guard = (degree.ilog2() as usize + 2) / 2;
            let low = (bits / 2).saturating_sub(guard).max(1);
            ((self >> (low * degree)).root(degree) + 1u32) << low
        };
        loop {
            let power = root.pow(degree - 1);
            let next = (&root * (degree - 1) + self / power) / degree;
            if next >= root {
                return root;
            }
            root = next;
        }
    }

    /// Whether the number is the square of another.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert!(Natural::from(10u32).pow(100).is_square());
    /// ```
    pub fn is_square(&self) -> bool {
        // One number in 5 passes the first of these sieves, one in 1600 all of them.
        const MODULUS: u64 = 63 * 65 * 11 * 17 * 19 * 23 * 31;
        let low = self.as_limbs().first().copied().unwrap_or(0);
        if !is_square_modulo::<64>(low) {
            return false;
        }
        let residue = self.rem_word(MODULUS);
        is_square_modulo::<63>(residue)
            && is_square_modulo::<65>(residue)
            && is_square_modulo::<11>(residue)
            && is_square_modulo::<17>(residue)
            && is_square_modulo::<19>(residue)
            && is_square_modulo::<23>(residue)
            && is_square_modulo::<31>(residue)
            && self.sqrt_rem().1.is_zero()
    }
}

/// Whether some square has the residue of `x` modulo M, at most 65.
fn is_square_modulo<const M: u64>(x: u64) -> bool {
    const fn squares(modulus: u64) -> u128 {
        let mut squares = 0;
        let mut i = 0;
        while i < modulus {
            squares |= 1 << (i * i % modulus);
            i += 1;
        }
        squares
    }
    let squares = const { squares(M) };
    squares >> (x % M) & 1 == 1
}

impl Integer {
    /// The integer part of the square root; `None` of a negative number.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from(99).sqrt(), Some(9.into()));
    /// assert_eq!(Integer::from(-99).sqrt(), None);
    /// ```
    #[must_use]
    pub fn sqrt(&self) -> Option<Self> {
        (!self.negative).then(|| self.magnitude.sqrt().into())
    }

    /// The root of a degree above 0, rounded toward zero; `None` for an even degree of a negative number, and for degree 0.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from(-1001).root(3), Some(Integer::from(-10)));
    /// ```
    #[must_use]
    pub fn root(&self, degree: usize) -> Option<Self> {
        if degree == 0 || self.negative && degree.is_multiple_of(2) {
            return None;
        }
        let root = self.magnitude.root(degree);
        Some(Self::from_sign_magnitude(self.negative, root))
    }

    /// Whether the number is the square of another.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert!(!Integer::from(-4).is_square());
    /// ```
    pub fn is_square(&self) -> bool {
        !self.negative && self.magnitude.is_square()
    }
}
