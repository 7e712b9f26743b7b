//! Powers of residues modulo a number of any size.
//!
//! **Algorithms.** A power goes through windows of the exponent's bits that begin and end with a one, over odd powers computed beforehand.
//! Products are reduced modulo a word by its reciprocal, modulo a power of two by cutting them off, and modulo an odd number N of n limbs as
//! P. Montgomery does (1985): a residue x stands as x·R modulo N for R = 2^(64n), and a product loses the factor R too many, in digits of
//! one or more limbs. With B the digits' base and M = −N⁻¹ modulo B, x·B⁻¹ ≡ (x + (x·M mod B)·N)/B: each digit takes a product as long as
//! it is, and one with N. **Bound.** The result is below 2·N if x is below R·N.

use super::Natural;
use crate::multiplier::Multiplier;
use sunzi_field::WordModulus;
use sunzi_rns::limbs::{add_1, add_assign, cmp, negate, sub_assign, sub_n};

/// Products of residues.
pub(super) trait Residues {
    type Residue: Clone;

    fn square(&mut self, x: &mut Self::Residue);

    /// x := x·y.
    fn multiply(&mut self, x: &mut Self::Residue, y: &Self::Residue);

    /// The power, for an exponent that is not 0.
    fn power(&mut self, base: Self::Residue, exponent: &Natural) -> Self::Residue {
        let mut end = exponent.bit_len();
        // Powers that are computed beforehand are as many as save more products than they take.
        let width = match end {
            0..8 => 1,
            8..36 => 2,
            36..140 => 3,
            140..450 => 4,
            450..1303 => 5,
            1303..3529 => 6,
            _ => 7,
        };
        let mut odd_powers = vec![base];
        if width > 1 {
            let mut square = odd_powers[0].clone();
            self.square(&mut square);
            for i in 1..1 << (width - 1) {
                let mut next = odd_powers[i - 1].clone();
                self.multiply(&mut next, &square);
                odd_powers.push(next);
            }
        }
        let mut power: Option<Self::Residue> = None;
        while end > 0 {
            let mut start = end - 1;
            let mut window = 0;
            if exponent.bit(start) {
                start = end.saturating_sub(width);
                while !exponent.bit(start) {
                    start += 1;
                }
                window = sunzi_rns::limbs::bits(exponent.as_limbs(), start, end - start);
            }
            match &mut power {
                Some(power) => {
                    for _ in start..end {
                        self.square(power);
                    }
                    if window != 0 {
                        self.multiply(power, &odd_powers[window as usize / 2]);
                    }
                }
                // The highest bit is a one.
                None => power = Some(odd_powers[window as usize / 2].clone()),
            }
            end = start;
        }
        power.expect("the exponent is not 0")
    }
}

impl Residues for WordModulus {
    type Residue = u64;

    fn square(&mut self, x: &mut u64) {
        *x = self.mul(*x, *x);
    }

    fn multiply(&mut self, x: &mut u64, y: &u64) {
        *x = self.mul(*x, *y);
    }
}

/// Residues modulo a power of two.
pub(super) struct PowerOfTwo {
    pub(super) bits: usize,
}

impl Residues for PowerOfTwo {
    type Residue = Natural;

    fn square(&mut self, x: &mut Natural) {
        *x = x.square().low_bits(self.bits);
    }

    fn multiply(&mut self, x: &mut Natural, y: &Natural) {
        *x = (&*x * y).low_bits(self.bits);
    }
}

/// The inverse of an odd word modulo 2^64.
///
/// Right modulo 2^3 is the word itself, and each step of Newton's iteration doubles the number of right bits (K. Hensel's lemma).
fn inverse_of_odd(word: u64) -> u64 {
    let step = |inverse: u64| inverse.wrapping_mul(2u64.wrapping_sub(word.wrapping_mul(inverse)));
    (0..5).fold(word, |inverse, _| step(inverse))
}

/// The inverse of an odd number modulo 2^(64·len), in as many limbs.
pub(super) fn inverse_of_odd_limbs(odd: &[u64], len: usize) -> Vec<u64> {
    let mut inverse = vec![inverse_of_odd(odd[0])];
    let multiplier = Multiplier::shared();
    while inverse.len() < len {
        let known = len.min(2 * inverse.len());
        // I·(2 − N·I) modulo 2^(64·known).
        let mut factor = multiplier.product_of(&odd[..known.min(odd.len())], &inverse);
        factor.resize(known, 0);
        negate(&mut factor);
        add_1(&mut factor, 2);
        inverse = multiplier.product_of(&factor, &inverse);
        inverse.truncate(known);
    }
    inverse
}

/// The power modulo an odd number, for an exponent that is not 0.
pub(super) fn power_modulo_odd(base: &Natural, exponent: &Natural, modulus: &Natural) -> Natural {
    fn short<const N: usize>(base: &Natural, exponent: &Natural, modulus: &Natural) -> Natural {
        let mut ring = ShortMontgomery::<N>::new(modulus);
        let power = ring.power(scaled(base, modulus).try_into().expect("N limbs"), exponent);
        let mut one = [0; N];
        one[0] = 1;
        Natural::from(&ring.product(&power, &one)[..])
    }
    match modulus.as_limbs().len() {
        1 => short::<1>(base, exponent, modulus),
        2 => short::<2>(base, exponent, modulus),
        3 => short::<3>(base, exponent, modulus),
        4 => short::<4>(base, exponent, modulus),
        5 => short::<5>(base, exponent, modulus),
        6 => short::<6>(base, exponent, modulus),
        7 => short::<7>(base, exponent, modulus),
        8 => short::<8>(base, exponent, modulus),
        _ => {
            let mut ring = Montgomery::new(modulus);
            let power = ring.power(scaled(base, modulus), exponent);
            ring.number(power)
        }
    }
}

/// x·R modulo an odd number, in as many limbs as that has.
fn scaled(x: &Natural, modulus: &Natural) -> Vec<u64> {
    let n = modulus.as_limbs().len();
    let mut residue = ((x << (64 * n)) % modulus).into_limbs();
    residue.resize(n, 0);
    residue
}

/// Most limbs of [`ShortMontgomery`].
const MOST: usize = 8;

/// Residues modulo an odd number of N limbs, whose products are reduced limb by limb while they arise (Ç. Koç, T. Acar and B. Kaliski,
/// *Analyzing and comparing Montgomery multiplication algorithms*, 1996).
struct ShortMontgomery<const N: usize> {
    modulus: [u64; N],
    /// −modulus⁻¹ modulo 2^64.
    inverse: u64,
}

impl<const N: usize> ShortMontgomery<N> {
    fn new(modulus: &Natural) -> Self {
        let modulus: [u64; N] = modulus.as_limbs().try_into().expect("N limbs");
        let inverse = inverse_of_odd(modulus[0]).wrapping_neg();
        Self { modulus, inverse }
    }

    #[inline]
    fn product(&self, x: &[u64; N], y: &[u64; N]) -> [u64; N] {
        let mut low = [0; N];
        let mut high = 0;
        for &word in y {
            let mut carry = 0;
            for (limb, &x) in low.iter_mut().zip(x) {
                *limb = add_product(*limb, x, word, &mut carry);
            }
            let (top, over) = carry.overflowing_add(high);
            let digit = low[0].wrapping_mul(self.inverse);
            let mut carry = 0;
            add_product(low[0], digit, self.modulus[0], &mut carry);
            for j in 1..N {
                low[j - 1] = add_product(low[j], digit, self.modulus[j], &mut carry);
            }
            let (top, over_again) = top.overflowing_add(carry);
            low[N - 1] = top;
            high = u64::from(over) + u64::from(over_again);
        }
        self.below_modulus(&low, high)
    }

    /// The product of a number with itself: half of the products of limbs are those of others, and are reduced afterwards.
    #[inline]
    fn square_of(&self, x: &[u64; N]) -> [u64; N] {
        let mut square = [0; 2 * MOST];
        let square = &mut square[..2 * N];
        Multiplier::shared().sqr(square, x);
        let mut over = 0;
        for i in 0..N {
            let digit = square[i].wrapping_mul(self.inverse);
            let mut carry = 0;
            for (limb, &modulus) in square[i..i + N].iter_mut().zip(&self.modulus) {
                *limb = add_product(*limb, digit, modulus, &mut carry);
            }
            let sum = u128::from(square[i + N]) + u128::from(carry) + over;
            square[i + N] = sum as u64;
            over = sum >> 64;
        }
        let high: &[u64; N] = square[N..].try_into().expect("N limbs");
        self.below_modulus(high, over as u64)
    }

    /// What is below twice the modulus, less that if it is not below it; `high` is the limb above.
    #[inline]
    fn below_modulus(&self, low: &[u64; N], high: u64) -> [u64; N] {
        let mut reduced = [0; N];
        let borrow = sub_n(&mut reduced, low, &self.modulus);
        if high < borrow { *low } else { reduced }
    }
}

/// A limb of a sum with a product, and what goes on to the next one.
#[inline(always)]
fn add_product(limb: u64, a: u64, b: u64, carry: &mut u64) -> u64 {
    // Below 2^128.
    let sum = u128::from(a) * u128::from(b) + u128::from(limb) + u128::from(*carry);
    *carry = (sum >> 64) as u64;
    sum as u64
}

impl<const N: usize> Residues for ShortMontgomery<N> {
    type Residue = [u64; N];

    #[inline]
    fn square(&mut self, x: &mut [u64; N]) {
        *x = match N {
            0..4 => self.product(x, x),
            _ => self.square_of(x),
        };
    }

    #[inline]
    fn multiply(&mut self, x: &mut [u64; N], y: &[u64; N]) {
        *x = self.product(x, y);
    }
}

/// Residues modulo an odd number of several limbs.
struct Montgomery<'a> {
    modulus: &'a Natural,
    /// −N⁻¹ modulo B, as many limbs as a digit has.
    inverse: Vec<u64>,
    /// What is to be reduced: 2n limbs.
    product: Vec<u64>,
    /// Room for a digit's products.
    scratch: Vec<u64>,
}

impl<'a> Montgomery<'a> {
    /// Limbs of a digit, for a modulus of so many: measured with AVX2 on a core of an AMD EPYC (Zen 3).
    fn digit(modulus: usize) -> usize {
        match modulus {
            0..96 => 8,
            _ => modulus,
        }
    }

    fn new(modulus: &'a Natural) -> Self {
        let limbs = modulus.as_limbs();
        let n = limbs.len();
        let digit = Self::digit(n);
        let mut inverse = inverse_of_odd_limbs(limbs, digit);
        negate(&mut inverse);
        Self {
            modulus,
            inverse,
            product: vec![0; 2 * n],
            scratch: vec![0; 3 * digit + n],
        }
    }

    /// The number below the modulus that a residue stands for.
    fn number(&mut self, mut residue: Vec<u64>) -> Natural {
        let (low, high) = self.product.split_at_mut(residue.len());
        low.copy_from_slice(&residue);
        high.fill(0);
        self.reduce(&mut residue);
        Natural::from_limbs(residue)
    }

    /// The product, less the factor R, modulo the modulus.
    fn reduce(&mut self, reduced: &mut [u64]) {
        let multiplier = Multiplier::shared();
        let modulus = self.modulus.as_limbs();
        let (n, size) = (modulus.len(), self.inverse.len());
        let mut carry = 0;
        for start in (0..n).step_by(size) {
            let len = size.min(n - start);
            let (digit, rest) = self.product[start..].split_at_mut(len);
            let (quotient, multiple) = self.scratch.split_at_mut(2 * size);
            multiplier.mul(&mut quotient[..2 * len], digit, &self.inverse[..len]);
            let multiple = &mut multiple[..len + n];
            multiplier.mul(multiple, modulus, &quotient[..len]);
            // The low limbs of both cancel: their sum is the base unless they are zero.
            let above = u64::from(digit.iter().any(|&limb| limb != 0));
            carry += add_assign(rest, &multiple[len..]) + add_1(rest, above);
        }
        reduced.copy_from_slice(&self.product[n..]);
        if carry != 0 || cmp(reduced, modulus).is_ge() {
            sub_assign(reduced, modulus);
        }
    }
}

impl Residues for Montgomery<'_> {
    type Residue = Vec<u64>;

    fn square(&mut self, x: &mut Vec<u64>) {
        Multiplier::shared().sqr(&mut self.product, x);
        self.reduce(x);
    }

    fn multiply(&mut self, x: &mut Vec<u64>, y: &Vec<u64>) {
        Multiplier::shared().mul(&mut self.product, x, y);
        self.reduce(x);
    }
}
