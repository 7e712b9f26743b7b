//! Decimal expansions of dyadic and rational numbers.
//!
//! With N significant digits a number is rounded to the nearest, halves to the even digit. Numbers whose point would stand
//! more than six zeros before or behind the digits are written with a power of ten: `1.25e-12`.

use super::dyadic::Dyadic;
use std::fmt;
use sunzi_integer::{Integer, Natural, Rational};

/// All digits, without an exponent: a dyadic number has finitely many.
impl fmt::Display for Dyadic {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        // m/2^k = m·5^k/10^k.
        let places = (-self.exponent()).max(0) as usize;
        let digits = match self.exponent() >= 0 {
            true => self.floor_times(0),
            false => self.mantissa() * Integer::from(5).pow(places),
        };
        let text = digits.to_string();
        let (is_negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, &text[..]),
        };
        let padded = match places > 0 {
            true => {
                // A digit before the point at least. Widths of formats end at 2^16.
                let zeros = "0".repeat((places + 1).saturating_sub(text.len()));
                let text = zeros + text;
                let (whole, fraction) = text.split_at(text.len() - places);
                format!("{whole}.{fraction}")
            }
            false => text.to_owned(),
        };
        out.pad_integral(!is_negative, "", &padded)
    }
}

impl Dyadic {
    /// The number rounded to N ≥ 1 significant digits, to the nearest, halves to the even digit; fewer digits where the number
    /// has no more. The text has a power of ten where the point would stand far from the digits.
    ///
    /// ```
    /// use sunzi::solve::Dyadic;
    ///
    /// let x = Dyadic::new(5.into(), -3); // 0.625
    /// assert_eq!((x.to_decimal(2), x.to_decimal(9)), ("0.62".to_owned(), "0.625".to_owned()));
    /// assert_eq!(Dyadic::new(1.into(), -40).to_decimal(4), "9.095e-13");
    /// ```
    #[must_use]
    pub fn to_decimal(&self, digits: usize) -> String {
        let x = self.to_rational();
        let rounded = Decimal::nearest(&x, digits.min(self.most_digits()));
        match rounded.value() == x {
            true => rounded.short().to_string(),
            false => rounded.to_string(),
        }
    }

    /// The number has no more significant digits: of m·2^e they are those of that integer, or of m·5^−e.
    fn most_digits(&self) -> usize {
        let bits = bit_len(self.mantissa()) as f64;
        let factor = match self.exponent() >= 0 {
            true => self.exponent() as f64,
            false => -self.exponent() as f64 * 5f64.log2(),
        };
        ((bits + factor) * std::f64::consts::LOG10_2) as usize + 2
    }
}

/// coefficient · 10^exponent with the digits that were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    pub coefficient: Integer,
    pub exponent: i64,
}

impl Decimal {
    /// A rational number rounded to `digits` ≥ 1 significant digits.
    pub fn nearest(x: &Rational, digits: usize) -> Self {
        let digits = digits.max(1) as i64;
        if x.is_zero() {
            return Self {
                coefficient: Integer::ZERO,
                exponent: 0,
            };
        }
        // The power of the leading digit, by its bits, then adjusted.
        let bits = bit_len(x.numerator()) - bit_len(&Integer::from(x.denominator().clone()));
        let estimate = (bits as f64 * std::f64::consts::LOG10_2).floor() as i64;
        let ten = |power: i64| Integer::from(10).pow(power as usize);
        for leading in estimate - 1.. {
            let exponent = leading + 1 - digits;
            let coefficient = rounded_at(x, exponent);
            // Of the first place at which the digits fit; 99.96 is 100.0 there, which is 1 000 of the next.
            if coefficient.abs() < ten(digits) {
                return Self {
                    coefficient,
                    exponent,
                };
            }
        }
        unreachable!("some power of ten is larger")
    }

    /// The number between two neighbours at this precision on which roundings to them differ: x rounds to `self` or to
    /// `other`, depending on the side.
    pub fn tie(&self, other: &Self) -> Rational {
        (self.value() + other.value()) / Rational::from(Integer::from(2))
    }

    pub fn value(&self) -> Rational {
        let power = Natural::from(10u8).pow(self.exponent.unsigned_abs() as usize);
        match self.exponent >= 0 {
            true => Rational::from(&self.coefficient * Integer::from(power)),
            false => Rational::from_parts(self.coefficient.clone(), power),
        }
    }

    /// Without zeros at the end.
    fn short(mut self) -> Self {
        let text = self.coefficient.to_string();
        let zeros = text.len() - text.trim_end_matches('0').len();
        if zeros > 0 && !self.coefficient.is_zero() {
            self.coefficient /= Integer::from(10).pow(zeros);
            self.exponent += zeros as i64;
        }
        self
    }
}

fn bit_len(x: &Integer) -> i64 {
    x.bit_len() as i64
}

/// x/10^exponent rounded to the nearest integer, halves to the even one.
fn rounded_at(x: &Rational, exponent: i64) -> Integer {
    let power = Integer::from(10).pow(exponent.unsigned_abs() as usize);
    let denominator = Integer::from(x.denominator());
    let (numerator, denominator) = match exponent >= 0 {
        true => (x.numerator().clone(), denominator * power),
        false => (x.numerator() * power, denominator),
    };
    let floor = numerator.div_floor(&denominator);
    let rest = (numerator - &floor * &denominator) * 2;
    let is_odd = !floor.is_even();
    match rest.cmp(&denominator) {
        std::cmp::Ordering::Greater => floor + Integer::ONE,
        std::cmp::Ordering::Equal if is_odd => floor + Integer::ONE,
        _ => floor,
    }
}

/// How many zeros stand at most between the point and the digits.
const ZEROS: i64 = 6;

impl fmt::Display for Decimal {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let text = self.coefficient.to_string();
        let (sign, digits) = match text.strip_prefix('-') {
            Some(rest) => ("-", rest),
            None => ("", &text[..]),
        };
        let count = digits.len() as i64;
        // Digits before the point.
        let whole = count + self.exponent;
        if self.exponent >= 0 && self.exponent <= ZEROS {
            let zeros = "0".repeat(self.exponent as usize);
            return write!(out, "{sign}{digits}{zeros}");
        }
        if (1..count).contains(&whole) {
            let (whole, fraction) = digits.split_at(whole as usize);
            return write!(out, "{sign}{whole}.{fraction}");
        }
        if (-ZEROS..1).contains(&whole) {
            let zeros = "0".repeat((-whole) as usize);
            return write!(out, "{sign}0.{zeros}{digits}");
        }
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        write!(out, "{sign}{first}{point}{rest}e{}", whole - 1)
    }
}
