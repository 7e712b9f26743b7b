//! Greatest common divisors, least common multiples, and inverses.

use super::storage::Storage;
use super::{Integer, Natural};
use crate::gcd::binary_gcd;
use crate::multiplier::Multiplier;

impl Natural {
    /// The greatest common divisor; 0 of two zeros.
    ///
    /// O(M(n)·log n) operations for n limbs.
    ///
    /// ```
    /// # use sunzi_integer::Natural;
    /// assert_eq!(Natural::from(12u32).gcd(&Natural::from(18u32)), 6);
    /// ```
    pub fn gcd(&self, other: &Self) -> Self {
        match (&self.storage, &other.storage) {
            (Storage::Inline(_), Storage::Inline(_)) => {
                let wide = |x: &Self| x.wide().unwrap_or_default();
                Self::from_wide(binary_gcd(wide(self), wide(other)))
            }
            _ if self.is_zero() => other.clone(),
            _ if other.is_zero() => self.clone(),
            _ => match (self.word(), other.word()) {
                (Some(word), _) => Self::from_word_gcd(word, other),
                (_, Some(word)) => Self::from_word_gcd(word, self),
                _ => {
                    let (a, b) = (self.as_limbs(), other.as_limbs());
                    Self::from_limbs(Multiplier::shared().gcd(a, b))
                }
            },
        }
    }

    /// By a word that is not 0.
    fn from_word_gcd(word: u64, long: &Self) -> Self {
        Self::from_wide(binary_gcd(word.into(), long.rem_word(word).into()))
    }

    /// The least common multiple; 0 if one of the numbers is.
    ///
    /// ```
    /// # use sunzi_integer::Natural;
    /// assert_eq!(Natural::from(12u32).lcm(&Natural::from(18u32)), 36);
    /// ```
    pub fn lcm(&self, other: &Self) -> Self {
        match self.gcd(other) {
            gcd if gcd.is_zero() => gcd,
            gcd => self / gcd * other,
        }
    }

    /// The number x below the modulus with `self`·x ≡ 1; `None` if there is none.
    ///
    /// ```
    /// # use sunzi_integer::Natural;
    /// let seven = Natural::from(7u32);
    /// assert_eq!(Natural::from(3u32).inverse_mod(&seven), Some(Natural::from(5u32)));
    /// assert_eq!(seven.inverse_mod(&seven), None);
    /// ```
    pub fn inverse_mod(&self, modulus: &Self) -> Option<Self> {
        if modulus.is_zero() {
            return None;
        }
        let found = Multiplier::shared().gcd_ext((self % modulus).as_limbs(), modulus.as_limbs());
        (found.gcd == [1]).then(|| Self::from_limbs(found.cofactor) % modulus)
    }
}

impl Integer {
    /// The greatest common divisor; 0 of two zeros.
    ///
    /// ```
    /// # use sunzi_integer::Integer;
    /// assert_eq!(Integer::from(-12).gcd(&18.into()), 6);
    /// ```
    pub fn gcd(&self, other: &Self) -> Natural {
        self.magnitude.gcd(&other.magnitude)
    }

    /// The greatest common divisor g, and cofactors s and t with g = s·`self` + t·`other`.
    ///
    /// They are the least: where neither number divides the other, 2·g·|s| ≤ |`other`| and 2·g·|t| ≤ |`self`|; where `other` divides
    /// `self`, s = 0.
    ///
    /// ```
    /// # use sunzi_integer::Integer;
    /// let (a, b) = (Integer::from(240), Integer::from(-46));
    /// let (g, s, t) = a.gcd_ext(&b);
    /// assert_eq!(g, 2);
    /// assert_eq!(s * a + t * b, 2);
    /// ```
    pub fn gcd_ext(&self, other: &Self) -> (Natural, Self, Self) {
        let (a, b) = (&self.magnitude, &other.magnitude);
        if b.is_zero() {
            return (a.clone(), self.signum().into(), Self::ZERO);
        }
        let found = Multiplier::shared().gcd_ext(a.as_limbs(), b.as_limbs());
        let gcd = Natural::from_limbs(found.gcd);
        let modulus = Self::from(b / &gcd);
        let mut s = Self::from(Natural::from_limbs(found.cofactor));
        if &s + &s > modulus {
            s -= modulus;
        }
        // Exact: g ≡ s·|a| modulo |b|.
        let mut t = (&gcd - &s * a) / b;
        if self.negative {
            s.negate();
        }
        if other.negative {
            t.negate();
        }
        (gcd, s, t)
    }

    /// The least common multiple, which is not negative; 0 if one of the numbers is.
    ///
    /// ```
    /// # use sunzi_integer::Integer;
    /// assert_eq!(Integer::from(-12).lcm(&18.into()), 36);
    /// ```
    pub fn lcm(&self, other: &Self) -> Natural {
        self.magnitude.lcm(&other.magnitude)
    }

    /// The number x from 0 below the modulus's absolute value with `self`·x ≡ 1; `None` if there is none.
    ///
    /// ```
    /// # use sunzi_integer::Integer;
    /// assert_eq!(Integer::from(-3).inverse_mod(&7.into()), Some(Integer::from(2)));
    /// ```
    pub fn inverse_mod(&self, modulus: &Self) -> Option<Self> {
        let modulus = &modulus.magnitude;
        let inverse = self.magnitude.inverse_mod(modulus)?;
        Some(match self.negative && !inverse.is_zero() {
            true => Self::from(modulus - inverse),
            false => inverse.into(),
        })
    }
}
