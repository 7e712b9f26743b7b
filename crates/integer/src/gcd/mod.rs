//! Greatest common divisors of limb vectors, with cofactors.
//!
//! **Problem.** g = gcd(a, b), and s, t with g = s·a + t·b. **Algorithm.** As long as both numbers are long, the leading half of their limbs
//! gives a matrix that makes them shorter ([half]); then steps that 126 leading bits determine ([leading]), sixty bits at a
//! time; the last two limbs by the binary algorithm. **Cost.** O(M(n)·log n) for n limbs, M(n) the cost of a product.

pub(crate) mod half;
pub(crate) mod leading;
pub(crate) mod matrix;

use crate::multiplier::Multiplier;
use half::{leading_steps, longer};
use matrix::{Number, add_product, reduce_by_words, row_by, row_by_words};
use sunzi_rns::limbs::{cmp, sub_assign, trim, truncate_zeros};

/// The lengths in limbs from which algorithms take over: tests make them short.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    /// Of the leading halves of [`half::half_gcd`].
    pub half: usize,
    /// From which the whole algorithm uses them.
    pub gcd: usize,
}

impl Lengths {
    /// Measured with AVX2 on a core of an AMD EPYC (Zen 3), for two numbers of as many limbs.
    pub const BUILT_IN: Self = Self {
        half: 140,
        gcd: 1200,
    };
}

/// A greatest common divisor g of a and b, and its cofactors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bezout {
    /// g, 0 if both are.
    pub gcd: Vec<u64>,
    /// s with g ≡ s·a modulo b, 0 ≤ s < b/g; 1 if b is 0, 0 if a is.
    pub cofactor: Vec<u64>,
}

impl Multiplier {
    /// The greatest common divisor of two vectors of limbs, without zeros at its end.
    ///
    /// ```
    /// assert_eq!(sunzi_integer::Multiplier::new().gcd(&[0, 12], &[18]), [6]); // of 12·2^64 and 18
    /// ```
    pub fn gcd(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        self.greatest_divisors().reduced(a, b, None).0
    }

    /// The greatest common divisor of two vectors of limbs, and the least cofactor of the first that is not negative.
    ///
    /// ```
    /// let found = sunzi_integer::Multiplier::new().gcd_ext(&[12], &[18]);
    /// assert_eq!((found.gcd, found.cofactor), (vec![6], vec![2])); // 6 = 2·12 − 18
    /// ```
    pub fn gcd_ext(&self, a: &[u64], b: &[u64]) -> Bezout {
        self.greatest_divisors().gcd_ext(a, b)
    }

    fn greatest_divisors(&self) -> Gcd<'_> {
        Gcd {
            multiplier: self,
            lengths: Lengths::BUILT_IN,
        }
    }
}

/// What computes greatest common divisors.
pub struct Gcd<'a> {
    pub multiplier: &'a Multiplier,
    pub lengths: Lengths,
}

impl Gcd<'_> {
    /// [`Multiplier::gcd_ext`].
    pub fn gcd_ext(&self, a: &[u64], b: &[u64]) -> Bezout {
        let (a, b) = (trim(a), trim(b));
        if a.is_empty() || b.is_empty() {
            let (gcd, cofactor) = match b.is_empty() {
                true => (a.to_vec(), vec![1]),
                false => (b.to_vec(), vec![]),
            };
            return Bezout { gcd, cofactor };
        }
        let mut row = [vec![], vec![1]];
        let (gcd, left) = self.reduced(a, b, Some(&mut row));
        let divided = self.multiplier.div_rem(b, &gcd);
        let (modulus, _) = divided.expect("no divisor of a number is 0");
        let divided = self.multiplier.div_rem(&row[1 - left], &modulus);
        let (_, mut cofactor) = divided.expect("nor is a number by its divisor");
        // β = −u′·a + u·b.
        if left == 1 && !cofactor.is_empty() {
            let magnitude = std::mem::replace(&mut cofactor, modulus);
            sub_assign(&mut cofactor, &magnitude);
            truncate_zeros(&mut cofactor);
        }
        Bezout { gcd, cofactor }
    }

    /// The greatest common divisor, and which of the two numbers it is that is left, α or β. With (a, b) = M·(α, β), the lower row of M, the
    /// matrix of all steps, comes to `row`, which is (0, 1) at first: α = v′·a − v·b, β = −u′·a + u·b.
    pub fn reduced(
        &self,
        a: &[u64],
        b: &[u64],
        mut row: Option<&mut [Number; 2]>,
    ) -> (Vec<u64>, usize) {
        let mut pair = [trim(a).to_vec(), trim(b).to_vec()];
        let mut spare = Default::default();
        loop {
            let n = longer(&pair);
            if n >= self.lengths.gcd.max(8)
                && let Some(matrix) = self.by_upper_limbs(&mut pair, upper(n))
            {
                if let Some(row) = row.as_deref_mut() {
                    row_by(self.multiplier, row, &matrix);
                }
                continue;
            }
            if n > 2
                && let Some(words) = leading_steps(&pair)
            {
                reduce_by_words(&mut pair, &mut spare, words);
                if let Some(row) = row.as_deref_mut() {
                    row_by_words(row, words);
                }
                continue;
            }
            let larger = usize::from(cmp(&pair[0], &pair[1]).is_lt());
            if n <= 2 && row.is_none() {
                let gcd = binary_gcd(wide(&pair[0]), wide(&pair[1]));
                let mut limbs = vec![gcd as u64, (gcd >> 64) as u64];
                truncate_zeros(&mut limbs);
                return (limbs, 0);
            }
            let Ok((quotient, remainder)) =
                self.multiplier.div_rem(&pair[larger], &pair[1 - larger])
            else {
                return (std::mem::take(&mut pair[larger]), larger);
            };
            if let Some(row) = row.as_deref_mut() {
                add_product(self.multiplier, row, &quotient, larger);
            }
            pair[larger] = remainder;
        }
    }
}

/// Where the leading limbs begin that reduce a pair of n limbs.
fn upper(n: usize) -> usize {
    n / 2
}

/// The greatest common divisor of numbers of at most two limbs (J. Stein, 1967).
pub(crate) fn binary_gcd(mut a: u128, mut b: u128) -> u128 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let twos = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    b >>= b.trailing_zeros();
    // Both are odd. The difference tells the zeros at its end before it is known which is larger.
    while (a | b) >> 64 != 0 {
        let (difference, less) = a.overflowing_sub(b);
        if difference == 0 {
            return a << twos;
        }
        let zeros = difference.trailing_zeros();
        (a, b) = match less {
            true => (difference.wrapping_neg() >> zeros, a),
            false => (difference >> zeros, b),
        };
    }
    let (mut a, mut b) = (a as u64, b as u64);
    while a != b {
        let (difference, less) = a.overflowing_sub(b);
        let zeros = difference.trailing_zeros();
        (a, b) = match less {
            true => (difference.wrapping_neg() >> zeros, a),
            false => (difference >> zeros, b),
        };
    }
    u128::from(a) << twos
}

/// A number of at most two limbs.
fn wide(x: &Number) -> u128 {
    let limb = |i: usize| u128::from(x.get(i).copied().unwrap_or(0));
    limb(1) << 64 | limb(0)
}
