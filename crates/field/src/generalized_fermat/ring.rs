//! Arithmetic modulo r^K + 1, prime or not: what the field and the proof that it is one stand on.

use std::sync::OnceLock;

use dashu_int::UBig;

use super::convert::{powers, read_digits, write_digits};
use super::digits::Digits;
#[cfg(target_arch = "x86_64")]
use super::ifma_product::IfmaConstants;
use super::packed::{Constants, LANES, entry};
use super::transform::Plan;
use super::unnormalized::{Unnormalized, minus_one, wrap};
use crate::word_modulus::WordModulus;
use sunzi_machine::simd::InstructionSet;

/// The integers modulo r^K + 1, r even.
#[derive(Debug)]
pub struct Ring<const K: usize> {
    radix: WordModulus,
    /// r, r², r⁴, … below r^K.
    powers: Vec<UBig>,
    modulus: UBig,
    /// What vectors of elements need, where the radix suits them.
    constants: Option<Constants>,
    plan: OnceLock<Plan>,
    /// What products by vectors need, where they serve.
    #[cfg(target_arch = "x86_64")]
    ifma: Option<IfmaConstants>,
}

impl<const K: usize> Ring<K> {
    pub fn new(radix: u64) -> Self {
        let powers = powers(radix, K);
        let last = &powers[powers.len() - 1];
        let modulus = last * last + UBig::ONE;
        Self {
            radix: WordModulus::new(radix),
            powers,
            modulus,
            constants: Constants::new(radix, K),
            plan: OnceLock::new(),
            #[cfg(target_arch = "x86_64")]
            ifma: IfmaConstants::new(radix),
        }
    }

    pub(super) const fn constants(&self) -> Option<&Constants> {
        self.constants.as_ref()
    }

    pub(super) const fn radix(&self) -> u64 {
        self.radix.get()
    }

    pub(super) const fn modulus(&self) -> &UBig {
        &self.modulus
    }

    /// The number 1.
    pub(super) const fn one() -> Digits<K> {
        let mut digits = [0; K];
        digits[0] = 1;
        Digits(digits)
    }

    pub(super) fn add(&self, Digits(x): &Digits<K>, Digits(y): &Digits<K>) -> Digits<K> {
        let radix = self.radix();
        let mut sum = [0; K];
        let mut carry = false;
        for ((sum, &x), &y) in sum.iter_mut().zip(x).zip(y) {
            // Without branches, as digits are unpredictable.
            let (digit, over) = x.overflowing_add(y);
            let (digit, over_by_carry) = digit.overflowing_add(carry.into());
            carry = over | over_by_carry | (digit >= radix);
            *sum = digit.wrapping_sub(if carry { radix } else { 0 });
        }
        // r^K = −1. The highest digit is r where p − 1 was added to itself: a carry, too.
        wrap(Digits(sum), carry.into(), radix)
    }

    pub(super) fn sub(&self, Digits(x): &Digits<K>, Digits(y): &Digits<K>) -> Digits<K> {
        let radix = self.radix();
        let mut difference = [0; K];
        let mut borrow = false;
        for ((difference, &x), &y) in difference.iter_mut().zip(x).zip(y) {
            let (digit, under) = x.overflowing_sub(y);
            let (digit, under_by_borrow) = digit.overflowing_sub(borrow.into());
            borrow = under | under_by_borrow;
            *difference = digit.wrapping_add(if borrow { radix } else { 0 });
        }
        wrap(Digits(difference), -i128::from(borrow), radix)
    }

    pub fn mul(&self, x: &Digits<K>, y: &Digits<K>) -> Digits<K> {
        self.mul_by(self.fastest(), x, y)
    }

    /// Whether products by vectors serve.
    #[inline]
    pub(super) fn has_vectors(&self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return self.ifma.is_some();
        #[cfg(not(target_arch = "x86_64"))]
        false
    }

    /// `x·y` by vectors, where they serve.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    pub(super) fn mul_by_vectors(&self, x: &Digits<K>, y: &Digits<K>) -> Option<Digits<K>> {
        let constants = self.ifma.as_ref()?;
        if y.0[K - 1] == self.radix() {
            // y = −1, which has a digit that is r.
            return Some(self.mul_by_radix_power(x, K));
        }
        Some(constants.multiply(x, y))
    }

    #[cfg(not(target_arch = "x86_64"))]
    pub(super) fn mul_by_vectors(&self, _x: &Digits<K>, _y: &Digits<K>) -> Option<Digits<K>> {
        None
    }

    /// The radix with its reciprocal.
    pub(super) const fn word(&self) -> &WordModulus {
        &self.radix
    }

    /// What products by transforms need, made when first asked for.
    pub(super) fn plan(&self) -> &Plan {
        self.plan.get_or_init(|| Plan::new(self.radix(), K))
    }

    /// `x[i] = x[i]·y[i]`.
    pub fn mul_assign(&self, x: &mut [Digits<K>], y: &[Digits<K>]) {
        let done = self.mul_assign_blocks(x, y);
        for (x, y) in x[done..].iter_mut().zip(&y[done..]) {
            *x = self.mul(x, y);
        }
    }

    /// The same for the elements in whole blocks, where the radix suits vectors; tells how many.
    fn mul_assign_blocks(&self, x: &mut [Digits<K>], y: &[Digits<K>]) -> usize {
        let whole = x.len() - x.len() % LANES;
        let Some(constants) = self.constants.as_ref().filter(|_| whole > 0) else {
            return 0;
        };
        let x = Digits::words_of_mut(&mut x[..whole]);
        let y = Digits::words_of(&y[..whole]);
        entry::multiply_elements(InstructionSet::detect(), K, constants, x, y);
        whole
    }

    /// `x·r^power`: the digits move up, and come back at the bottom with the other sign, as
    /// r^K = −1 (thesis, §2.3.4).
    pub(super) fn mul_by_radix_power(&self, Digits(x): &Digits<K>, power: usize) -> Digits<K> {
        let power = power % (2 * K);
        let mut sums = Unnormalized::zero();
        for (index, &digit) in x.iter().enumerate() {
            let digit = i128::from(digit);
            if index + power < 2 * K {
                sums.add(index + power, digit);
            } else {
                sums.add(index + power - 2 * K, digit);
            }
        }
        sums.carry(self.radix())
    }

    /// `x^exponent`.
    pub(super) fn pow(&self, x: &Digits<K>, exponent: u64) -> Digits<K> {
        let mut result = Self::one();
        for bit in (0..u64::BITS - exponent.leading_zeros()).rev() {
            result = self.mul(&result, &result);
            if exponent >> bit & 1 == 1 {
                result = self.mul(&result, x);
            }
        }
        result
    }

    /// `x^(exponent^times)`.
    pub(super) fn pow_of_power(&self, x: Digits<K>, exponent: u64, times: usize) -> Digits<K> {
        (0..times).fold(x, |x, _| self.pow(&x, exponent))
    }

    pub(super) fn image_of_word(&self, value: u64) -> Digits<K> {
        if value < self.radix() {
            let mut digits = Digits::default();
            digits.0[0] = value;
            digits
        } else {
            self.image(false, value.into())
        }
    }

    /// The image of an integer of this sign and magnitude, in subquadratic time.
    pub(super) fn image(&self, negative: bool, magnitude: UBig) -> Digits<K> {
        let mut residue = match magnitude < self.modulus {
            true => magnitude,
            false => magnitude % &self.modulus,
        };
        if negative && !residue.is_zero() {
            residue = &self.modulus - residue;
        }
        if self.is_minus_one(&residue) {
            return minus_one(self.radix());
        }
        let mut digits = Digits::default();
        write_digits(residue, &self.powers, &mut digits.0);
        digits
    }

    /// Whether a residue is p − 1, which differs from the odd p in the lowest word alone.
    fn is_minus_one(&self, residue: &UBig) -> bool {
        match (residue.as_words(), self.modulus.as_words()) {
            ([low, high @ ..], [lowest, highest @ ..]) => *low == lowest - 1 && high == highest,
            _ => false,
        }
    }

    pub(super) fn to_integer(&self, x: &Digits<K>) -> UBig {
        read_digits(&x.0, &self.powers)
    }

    pub fn is_canonical(&self, x: &Digits<K>) -> bool {
        x.0.iter().all(|&digit| digit < self.radix()) || *x == minus_one(self.radix())
    }

    /// See [`least_non_residue`].
    pub(super) fn least_non_residue(&self) -> u64 {
        least_non_residue(self.radix(), K)
    }
}

/// The least a ≥ 2 that is no square modulo p = r^k + 1 if p is prime; in any case one with Jacobi symbol −1. It is a
/// prime, so the law of quadratic reciprocity tells: p = 1 mod 4.
fn least_non_residue(radix: u64, digits: usize) -> u64 {
    // r is even, so that r² = 0 or 4 mod 8, and r⁴ = 0.
    let two_is_none = digits == 2 && radix % 4 == 2;
    let is_none = |&a: &u64| {
        if a == 2 {
            return two_is_none;
        }
        let ring = WordModulus::new(a);
        let power = ring.pow(ring.reduce(radix), digits as u64);
        let p = ring.add(power, ring.reduce(1));
        // Euler's criterion; for an a that is no prime, a smaller one serves.
        ring.pow(p, (a - 1) / 2) == a - 1
    };
    (2..).find(is_none).unwrap_or(2)
}
