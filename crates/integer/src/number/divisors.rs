//! Greatest common divisors, least common multiples, and inverses.

use super::storage::Storage;
use super::{Integer, Natural};
use crate::gcd::rows_of_one;
use crate::gcd::words::{euclid, gcd_of_two_limbs, gcd_of_words};
use crate::multiplier::Multiplier;
use std::cmp::Ordering;

impl Natural {
    /// The greatest common divisor; 0 of two zeros.
    ///
    /// O(M(n)·log n) operations for n limbs.
    ///
    /// ```
    /// # use sunzi::Natural;
    /// assert_eq!(Natural::from(12u32).gcd(&Natural::from(18u32)), 6);
    /// ```
    pub fn gcd(&self, other: &Self) -> Self {
        match (&self.storage, &other.storage) {
            (&Storage::Inline([a, 0]), &Storage::Inline([b, 0])) => Self::from(gcd_of_words(a, b)),
            _ => self.long_gcd(other),
        }
    }

    #[inline(never)]
    fn long_gcd(&self, other: &Self) -> Self {
        if let (Some(a), Some(b)) = (self.wide(), other.wide()) {
            return Self::from_wide(gcd_of_two_limbs(a, b));
        }
        let by_word = |word: u64, long: &Self| Self::from(gcd_of_words(word, long.rem_word(word)));
        match (self.word(), other.word()) {
            (Some(0), _) => other.clone(),
            (_, Some(0)) => self.clone(),
            (Some(word), _) => by_word(word, other),
            (_, Some(word)) => by_word(word, self),
            _ => {
                let by = Multiplier::shared().greatest_divisors();
                let (a, b) = (self.as_limbs(), other.as_limbs());
                by.reduced(a, b, &mut [], Self::from_slice).0
            }
        }
    }

    /// The least common multiple; 0 if one of the numbers is.
    ///
    /// ```
    /// # use sunzi::Natural;
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
    /// # use sunzi::Natural;
    /// let seven = Natural::from(7u32);
    /// assert_eq!(Natural::from(3u32).inverse_mod(&seven), Some(Natural::from(5u32)));
    /// assert_eq!(seven.inverse_mod(&seven), None);
    /// ```
    pub fn inverse_mod(&self, modulus: &Self) -> Option<Self> {
        if modulus.is_zero() {
            return None;
        }
        let Steps {
            gcd, left, lower, ..
        } = Steps::of(&(self % modulus), modulus, false);
        if !gcd.is_one() {
            return None;
        }
        // v′, or u′ less than the modulus; v′ is the modulus if that is 1.
        let [first, second] = lower;
        Some(match left {
            0 if second == *modulus => Self::ZERO,
            0 => second,
            _ if first.is_zero() => first,
            _ => modulus - first,
        })
    }
}

/// The matrix (u v; u′ v′) of Euclid's algorithm for a and b, which is not 0: v′·a − v·b is g, or −u′·a + u·b.
struct Steps {
    gcd: Natural,
    /// Which of the two it is, 0 or 1.
    left: usize,
    /// u′ and v′.
    lower: [Natural; 2],
    /// u and v, of short numbers.
    upper: Option<[Natural; 2]>,
}

impl Steps {
    /// Limbs up to which it costs less to keep the upper row than to compute its entries from the others.
    const BOTH_ROWS: usize = 32;

    /// `both`: whether the upper row is wanted, too.
    fn of(a: &Natural, b: &Natural, both: bool) -> Self {
        if let (Some(a), Some(b)) = (a.word(), b.word()) {
            let found = euclid(a, b);
            let [upper, lower] = found.matrix.map(|row| row.map(Natural::from));
            return Self {
                gcd: Natural::from(found.gcd),
                left: found.left,
                lower,
                upper: Some(upper),
            };
        }
        let (a, b) = (a.as_limbs(), b.as_limbs());
        let n = a.len().max(b.len());
        let mut rows = rows_of_one(n);
        let kept = if both && n <= Self::BOTH_ROWS { 2 } else { 1 };
        let by = Multiplier::shared().greatest_divisors();
        let (gcd, left) = by.reduced(a, b, &mut rows[..kept], Natural::from_slice);
        let [lower, upper] = rows.map(|row| row.map(Natural::from_limbs));
        Self {
            gcd,
            left,
            lower,
            upper: (kept == 2).then_some(upper),
        }
    }
}

/// The least cofactor in size: u′ or v′, whichever is one, or what lacks of it to the other, which is b/g; whether it is that.
fn least([first, second]: [Natural; 2], left: usize) -> (Natural, bool) {
    let (entry, whole) = if left == 0 {
        (second, first)
    } else {
        (first, second)
    };
    let other = whole - &entry;
    // Of two that are as large the positive one is taken.
    let flipped = match other.cmp(&entry) {
        Ordering::Less => true,
        Ordering::Equal => left == 1,
        Ordering::Greater => false,
    };
    match flipped {
        true => (other, true),
        false => (entry, false),
    }
}

impl Integer {
    /// The greatest common divisor; 0 of two zeros.
    ///
    /// ```
    /// # use sunzi::Integer;
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
    /// # use sunzi::Integer;
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
        let Steps {
            gcd,
            left,
            lower,
            upper,
        } = Steps::of(a, b, true);
        let (s, flipped) = least(lower, left);
        let negative = (left == 1) != flipped;
        let s = Self::from_sign_magnitude(negative != self.negative, s);
        let t = match upper {
            Some([u, v]) => {
                let (entry, whole) = if left == 0 { (v, u) } else { (u, v) };
                let t = if flipped { whole - entry } else { entry };
                Self::from_sign_magnitude(negative == other.negative, t)
            }
            // Exact: g ≡ s·a modulo b.
            None => (&gcd - &s * self) / other,
        };
        (gcd, s, t)
    }

    /// The least common multiple, which is not negative; 0 if one of the numbers is.
    ///
    /// ```
    /// # use sunzi::Integer;
    /// assert_eq!(Integer::from(-12).lcm(&18.into()), 36);
    /// ```
    pub fn lcm(&self, other: &Self) -> Natural {
        self.magnitude.lcm(&other.magnitude)
    }

    /// The number x from 0 below the modulus's absolute value with `self`·x ≡ 1; `None` if there is none.
    ///
    /// ```
    /// # use sunzi::Integer;
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
