//! Values of a polynomial at dyadic numbers to so many bits, with a bound of the error: Horner's rule in fixed point.
//!
//! The unit of the partial sum v_j = Σ_{i≥j} a_i |x|^(i−j) is U_j = 2^(u − s_j), s_j ≈ j·log2 |x|, so that what is rounded
//! weighs about the same in f(x) = ±v_0 at every step, whatever |x|, and all v_j have the same number of words.
//!
//! **Bound.** With F(y) = Σ |a_i| y^i: |v_j| ≤ F(|x|)/U_0·U_j, as s_j ≤ j·log2 |x|. A step multiplies by |x|·U_(j+1)/U_j,
//! which lies in [1/2, 2), rounds the factor, the product and the coefficient by less than six units U_j together, and
//! U_j |x|^j ≤ 2.01·U_0. So all steps make an error of less than 13 units each; terms left out at the top sum up to less than
//! one.

use super::dyadic::Dyadic;
use super::size::{bits_of, log2};
use std::cmp::Ordering;
use sunzi_integer::{Integer, Multiplier, Natural};
use sunzi_rns::limbs;

/// A value in units of 2^unit.
#[derive(Clone, Debug)]
pub struct Value {
    pub mantissa: Integer,
    pub unit: i64,
    /// It is wrong by at most 2^error units; or it is exact.
    pub error: Option<u32>,
}

impl Value {
    /// By how many bits the value exceeds its error, as many as there can be if it has none; `None` if the sign is not known.
    pub fn excess(&self) -> Option<usize> {
        match self.error {
            Some(error) => self.mantissa.bit_len().checked_sub(error as usize + 1),
            None => Some(usize::MAX),
        }
    }

    pub fn exact(mantissa: Integer, unit: i64) -> Self {
        Self {
            mantissa,
            unit,
            error: None,
        }
    }

    pub fn sign(&self) -> Ordering {
        self.mantissa.cmp(&Integer::ZERO)
    }
}

/// Powers of |x| as exponents: s_j = j·step + ⌊j·fraction/2^32⌋.
struct Schedule {
    step: i64,
    fraction: u64,
}

impl Schedule {
    fn at(&self, j: usize) -> i64 {
        self.step * j as i64 + ((self.fraction * j as u64) >> 32) as i64
    }
}

/// f(x) with W words; `logs` are those of the coefficients' magnitudes, to 2^−30. The error is below (n + 2)²·2^(8−64W) F(|x|).
pub fn evaluate(coefficients: &[Integer], logs: &[f64], x: &Dyadic, words: usize) -> Value {
    if x.is_zero() {
        return Value::exact(coefficients[0].clone(), 0);
    }
    // |x| = X·2^e with 1/2 ≤ X < 1.
    let exponent = x.exponent() + x.mantissa().bit_len() as i64;
    let log = log2(x.mantissa()) - x.mantissa().bit_len() as f64;
    let schedule = Schedule {
        step: exponent - 1,
        fraction: (((log + 1.0).clamp(0.0, 1.0)) * 4294967295.0) as u64,
    };
    let log = log + exponent as f64;
    let size = bits_of(coefficients.len()) as f64;
    let term = |j: usize| logs[j] + j as f64 * log;
    let most = (0..logs.len()).map(term).fold(f64::NEG_INFINITY, f64::max);
    // F(|x|) < 2^(unit + 64 W − 1).
    let unit = (most + size).ceil() as i64 + 2 - 64 * words as i64;
    let small = unit as f64 - size - 1.0;
    let degree = (0..logs.len())
        .rev()
        .find(|&j| term(j) >= small)
        .unwrap_or(0);

    let task = Horner {
        coefficients: &coefficients[..=degree],
        schedule,
        unit,
        alternates: x.sign() == Ordering::Less,
    };
    let mantissa = match words {
        1 => task.run_fixed::<1>(x),
        2 => task.run_fixed::<2>(x),
        3 => task.run_fixed::<3>(x),
        4 => task.run_fixed::<4>(x),
        _ => task.run_long(x, words),
    };
    Value {
        mantissa,
        unit,
        // 13·(degree + 1) + 1 units.
        error: Some(bits_of(degree + 1) + 4),
    }
}

struct Horner<'a> {
    coefficients: &'a [Integer],
    schedule: Schedule,
    unit: i64,
    /// Whether terms of odd power change signs.
    alternates: bool,
}

impl Horner<'_> {
    /// Writes |a_j| in units of U_j, rounded down; returns whether the term is negative.
    #[inline]
    fn term(&self, j: usize, out: &mut [u64]) -> bool {
        let coefficient = &self.coefficients[j];
        let words = coefficient.magnitude().as_limbs();
        shift_words(words, self.unit - self.schedule.at(j), out);
        coefficient.is_negative() != (self.alternates && j % 2 == 1)
    }

    /// Whether the step from v_(j+1) to v_j multiplies by X, not 2X.
    #[inline]
    fn halves(&self, j: usize) -> bool {
        self.schedule.at(j + 1) - self.schedule.at(j) > self.schedule.step
    }

    /// For a fixed number of words.
    fn run_fixed<const W: usize>(&self, x: &Dyadic) -> Integer {
        let factor = words_of_fraction::<W>(x);
        let (mut sum, mut is_negative) = ([0; W], false);
        let mut term = [0; W];
        let last = self.coefficients.len() - 1;
        for j in (0..=last).rev() {
            if j < last {
                let product = high_product(&sum, &factor);
                sum = match self.halves(j) {
                    true => product.0,
                    false => doubled(product),
                };
            }
            let sign = self.term(j, &mut term);
            add_signed(&mut sum, &mut is_negative, &term, sign);
        }
        signed(&sum, is_negative)
    }

    /// For any number of words.
    fn run_long(&self, x: &Dyadic, words: usize) -> Integer {
        let multiplier = Multiplier::new();
        let mantissa = x.mantissa().magnitude().as_limbs();
        let short = mantissa.len().min(words);
        let mut factor = vec![0; short];
        let excess = x.mantissa().bit_len() as i64 - 64 * short as i64;
        shift_words(mantissa, excess, &mut factor);
        let (mut sum, mut is_negative) = (vec![0; words], false);
        let mut term = vec![0; words];
        let mut product = vec![0; words + short];
        let last = self.coefficients.len() - 1;
        for j in (0..=last).rev() {
            if j < last {
                multiplier.mul(&mut product, &sum, &factor);
                let shift = i64::from(self.halves(j)) - 1 + 64 * short as i64;
                shift_words(&product, shift, &mut sum);
            }
            let sign = self.term(j, &mut term);
            add_signed(&mut sum, &mut is_negative, &term, sign);
        }
        signed(&sum, is_negative)
    }
}

/// ⌊value/2^shift⌋ in words that hold it.
#[inline]
fn shift_words(words: &[u64], shift: i64, out: &mut [u64]) {
    let (skipped, bits) = (shift.div_euclid(64), shift.rem_euclid(64) as u32);
    let at = |index: i64| match usize::try_from(index) {
        Ok(index) => words.get(index).copied().unwrap_or(0),
        Err(_) => 0,
    };
    let mut low = at(skipped);
    for (place, index) in out.iter_mut().zip(skipped + 1..) {
        let high = at(index);
        *place = (u128::from(high) << 64 | u128::from(low)).wrapping_shr(bits) as u64;
        low = high;
    }
}

/// X·2^64W, rounded down, where |x| = X·2^e.
fn words_of_fraction<const W: usize>(x: &Dyadic) -> [u64; W] {
    let mut factor = [0; W];
    let words = x.mantissa().magnitude().as_limbs();
    shift_words(
        words,
        x.mantissa().bit_len() as i64 - 64 * W as i64,
        &mut factor,
    );
    factor
}

/// The upper half of a product, and the word below it.
#[inline]
fn high_product<const W: usize>(a: &[u64; W], b: &[u64; W]) -> ([u64; W], u64) {
    let (mut low, mut high) = ([0u64; W], [0u64; W]);
    for i in 0..W {
        let mut carry = 0u64;
        for j in 0..W {
            let place = if i + j < W {
                low[i + j]
            } else {
                high[i + j - W]
            };
            let sum = u128::from(a[i]) * u128::from(b[j]) + u128::from(place) + u128::from(carry);
            match i + j < W {
                true => low[i + j] = sum as u64,
                false => high[i + j - W] = sum as u64,
            }
            carry = (sum >> 64) as u64;
        }
        high[i] = carry;
    }
    (high, low[W - 1])
}

#[inline]
fn doubled<const W: usize>((high, below): ([u64; W], u64)) -> [u64; W] {
    let mut carry = below >> 63;
    high.map(|word| {
        let shifted = word << 1 | carry;
        carry = word >> 63;
        shifted
    })
}

/// Adds ±term to ±sum.
#[inline]
fn add_signed(sum: &mut [u64], is_negative: &mut bool, term: &[u64], sign: bool) {
    if *is_negative == sign {
        limbs::add_assign(sum, term);
        return;
    }
    if limbs::sub_assign(sum, term) != 0 {
        // The term was greater.
        *is_negative = sign;
        let mut carry = true;
        for word in sum {
            let (negated, over) = (!*word).overflowing_add(u64::from(carry));
            (*word, carry) = (negated, over);
        }
    }
}

fn signed(words: &[u64], is_negative: bool) -> Integer {
    Integer::from_sign_magnitude(is_negative, Natural::from(words))
}
