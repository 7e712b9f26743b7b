//! Values of entries, from text and to text.

use std::io::{self, Write};

use sunzi_field::Field;
use sunzi_integer::{Integer, Natural};

use super::error::{Problem, shown};
use super::header::ValueKind;

/// The most zeros that an exponent may add to an integer, as 6 in `1e6`: a few bytes must not fill the memory.
const MOST_ZEROS: u32 = 4096;

/// How the values of a file are read: from decimal fractions, from integers, or from nothing.
pub trait Values {
    /// What they become.
    type Value: Clone + PartialEq;

    /// The value of a text in a file of real numbers.
    ///
    /// # Errors
    /// If it is no number, or none that the values can be.
    fn real(&self, text: &str) -> Result<Self::Value, Problem>;

    /// The value of a text in a file of integers.
    ///
    /// # Errors
    /// As [`Values::real`].
    fn integer(&self, text: &str) -> Result<Self::Value, Problem>;

    /// 0, which fills dense matrices.
    fn zero(&self) -> Self::Value;

    /// 1, the value of entries of patterns.
    fn one(&self) -> Self::Value;

    /// Whether an entry of an array is left out of a sparse matrix.
    fn is_zero(&self, value: &Self::Value) -> bool;

    /// `−value`, for skew-symmetric matrices.
    fn negated(&self, value: &Self::Value) -> Self::Value;

    /// The sum of two entries at one place.
    fn sum(&self, a: Self::Value, b: Self::Value) -> Self::Value;

    /// Whether two values are the same number; `==` tells unless they stand for numbers elsewhere.
    fn are_equal(&self, a: &Self::Value, b: &Self::Value) -> bool {
        a == b
    }

    /// The bytes that a value takes beyond those of its type.
    fn heap_bytes(&self, _value: &Self::Value) -> u64 {
        0
    }

    /// Whether a sum can be stored.
    fn is_valid(&self, _sum: &Self::Value) -> bool {
        true
    }
}

fn not_number(text: &str, kind: &'static str) -> Problem {
    Problem::NotNumber {
        text: shown(text),
        kind,
    }
}

/// Whether a text is a decimal integer.
#[inline]
pub(super) fn is_integer(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Values as doubles, each the nearest to its text; NaN, infinities and what overflows are refused.
#[derive(Clone, Copy, Debug)]
pub struct Reals;

impl Values for Reals {
    type Value = f64;

    #[inline]
    fn real(&self, text: &str) -> Result<f64, Problem> {
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            Ok(_) if text.bytes().any(|byte| byte.is_ascii_digit()) => {
                Err(Problem::Overflow(shown(text)))
            }
            Ok(_) => Err(Problem::NotFinite(shown(text))),
            Err(_) => Err(not_number(text, "number")),
        }
    }

    #[inline]
    fn integer(&self, text: &str) -> Result<f64, Problem> {
        if !is_integer(text) {
            return Err(not_number(text, "integer"));
        }
        self.real(text)
    }

    fn zero(&self) -> f64 {
        0.0
    }

    fn one(&self) -> f64 {
        1.0
    }

    fn is_zero(&self, value: &f64) -> bool {
        *value == 0.0
    }

    fn negated(&self, value: &f64) -> f64 {
        -value
    }

    fn sum(&self, a: f64, b: f64) -> f64 {
        a + b
    }

    fn is_valid(&self, sum: &f64) -> bool {
        sum.is_finite()
    }
}

/// Values as integers of any size. Real numbers are read if they are integers, as `-1.000e+00` is, and their
/// exponents add at most 4096 zeros.
#[derive(Clone, Copy, Debug)]
pub struct Integers;

/// A decimal fraction that is an integer: ±significant·10^power.
pub(super) struct Decimal {
    negative: bool,
    /// Its digits without the zeros at the end.
    significant: Natural,
    pub(super) power: u64,
    /// The zeros that aren't written out: at most `power`.
    added: u64,
}

impl Decimal {
    /// Reads digits and a decimal exponent, or says why they are no integer.
    pub(super) fn parse(text: &str) -> Result<Self, Problem> {
        let bad = || not_number(text, "number");
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            Some(at) => (
                &text[..at],
                text[at + 1..].parse::<i64>().map_err(|_| bad())?,
            ),
            None => (text, 0),
        };
        let (negative, mantissa) = match mantissa.as_bytes().first() {
            Some(b'-') => (true, &mantissa[1..]),
            Some(b'+') => (false, &mantissa[1..]),
            _ => (false, mantissa),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = [whole, fraction].concat();
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(bad());
        }
        let significant = digits.trim_end_matches('0');
        if significant.is_empty() {
            return Ok(Self {
                negative,
                significant: Natural::ZERO,
                power: 0,
                added: 0,
            });
        }
        let added = exponent.checked_sub(fraction.len() as i64);
        let power =
            added.and_then(|added| added.checked_add((digits.len() - significant.len()) as i64));
        let (Some(added), Some(power)) = (added, power) else {
            return Err(Problem::TooLarge(shown(text)));
        };
        Ok(Self {
            negative,
            // Most are words, which take no memory.
            significant: match significant.parse::<u64>() {
                Ok(word) => word.into(),
                Err(_) => significant.parse().map_err(|_| bad())?,
            },
            power: u64::try_from(power).map_err(|_| not_number(text, "integer"))?,
            added: added.max(0) as u64,
        })
    }

    /// ±significant.
    pub(super) fn signed_significant(self) -> Integer {
        let magnitude = Integer::from(self.significant);
        if self.negative { -magnitude } else { magnitude }
    }
}

impl Integers {
    /// The integer that a decimal fraction is, or why it is none.
    fn exact(text: &str) -> Result<Integer, Problem> {
        let decimal = Decimal::parse(text)?;
        if decimal.added > u64::from(MOST_ZEROS) {
            return Err(Problem::ManyZeros {
                text: shown(text),
                most: MOST_ZEROS,
            });
        }
        // At most as many zeros as are written, and those few.
        let magnitude = decimal.significant * Natural::from(10u8).pow(decimal.power as usize);
        let value = Integer::from(magnitude);
        Ok(if decimal.negative { -value } else { value })
    }
}

impl Values for Integers {
    type Value = Integer;

    fn real(&self, text: &str) -> Result<Integer, Problem> {
        Self::exact(text)
    }

    fn integer(&self, text: &str) -> Result<Integer, Problem> {
        if let Ok(small) = text.parse::<i64>() {
            return Ok(Integer::from(small));
        }
        if !is_integer(text) {
            return Err(not_number(text, "integer"));
        }
        Self::exact(text)
    }

    fn zero(&self) -> Integer {
        Integer::ZERO
    }

    fn one(&self) -> Integer {
        Integer::ONE
    }

    fn is_zero(&self, value: &Integer) -> bool {
        value.is_zero()
    }

    fn negated(&self, value: &Integer) -> Integer {
        -value
    }

    fn sum(&self, a: Integer, b: Integer) -> Integer {
        a + b
    }

    fn heap_bytes(&self, value: &Integer) -> u64 {
        match value.bit_len().div_ceil(8) {
            // Two words lie in the value itself.
            bytes if bytes <= 2 * size_of::<usize>() => 0,
            bytes => bytes as u64,
        }
    }
}

/// Values as elements of a field: integers of any size and sign, modulo its prime.
/// Real numbers are read if they are integers.
#[derive(Clone, Copy, Debug)]
pub struct Residues<'a, F>(pub &'a F);

impl<F: Field> Values for Residues<'_, F> {
    type Value = F::Elem;

    fn real(&self, text: &str) -> Result<F::Elem, Problem> {
        if is_integer(text) {
            return self.integer(text);
        }
        let decimal = Decimal::parse(text)?;
        let power = self.0.pow(self.0.from_u64(10), decimal.power);
        let significant = self.0.from_integer(&decimal.signed_significant());
        Ok(self.0.mul(significant, power))
    }

    #[inline]
    fn integer(&self, text: &str) -> Result<F::Elem, Problem> {
        match text.parse::<i64>() {
            Ok(small) => Ok(self.0.from_i64(small)),
            Err(_) => Integers
                .integer(text)
                .map(|value| self.0.from_integer(&value)),
        }
    }

    fn zero(&self) -> F::Elem {
        self.0.zero()
    }

    fn one(&self) -> F::Elem {
        self.0.one()
    }

    fn is_zero(&self, value: &F::Elem) -> bool {
        *value == self.0.zero()
    }

    fn negated(&self, value: &F::Elem) -> F::Elem {
        self.0.neg(*value)
    }

    fn sum(&self, a: F::Elem, b: F::Elem) -> F::Elem {
        self.0.add(a, b)
    }
}

/// Places alone: values are checked and forgotten. Of an array every place counts.
#[derive(Clone, Copy, Debug)]
pub struct Places;

impl Values for Places {
    type Value = ();

    fn real(&self, text: &str) -> Result<(), Problem> {
        Reals.real(text).map(|_| ())
    }

    fn integer(&self, text: &str) -> Result<(), Problem> {
        if is_integer(text) {
            Ok(())
        } else {
            Err(not_number(text, "integer"))
        }
    }

    fn zero(&self) {}

    fn one(&self) {}

    fn is_zero(&self, (): &()) -> bool {
        false
    }

    fn negated(&self, (): &()) {}

    fn sum(&self, (): (), (): ()) {}
}

/// Values that Matrix Market files can hold.
pub trait WriteValue: PartialEq {
    /// What the header calls them.
    const KIND: ValueKind;

    /// Whether the value is `−other`.
    fn is_negative_of(&self, other: &Self) -> bool;

    /// Writes a space and the value, if it has one.
    ///
    /// # Errors
    /// If `out` does not take it, or the format has no word for it (NaN, infinities).
    fn write(&self, out: &mut impl Write) -> io::Result<()>;
}

impl WriteValue for f64 {
    const KIND: ValueKind = ValueKind::Real;

    fn is_negative_of(&self, other: &f64) -> bool {
        *self == -other
    }

    /// The shortest decimal that reads back as the same double.
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if !self.is_finite() {
            return Err(refused(format!(
                "{self} has no place in a Matrix Market file"
            )));
        }
        write!(out, " {self:?}")
    }
}

impl WriteValue for () {
    const KIND: ValueKind = ValueKind::Pattern;

    /// A pattern has no signs.
    fn is_negative_of(&self, (): &()) -> bool {
        false
    }

    fn write(&self, _out: &mut impl Write) -> io::Result<()> {
        Ok(())
    }
}

macro_rules! write_integers {
    ($($integer:ty),*) => {$(
        impl WriteValue for $integer {
            const KIND: ValueKind = ValueKind::Integer;

            fn is_negative_of(&self, other: &$integer) -> bool {
                other.checked_neg() == Some(*self)
            }

            fn write(&self, out: &mut impl Write) -> io::Result<()> {
                write!(out, " {self}")
            }
        }
    )*};
}

write_integers!(i8, i32, i64, u32, u64);

impl WriteValue for Integer {
    const KIND: ValueKind = ValueKind::Integer;

    fn is_negative_of(&self, other: &Integer) -> bool {
        *self == -other
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        write!(out, " {self}")
    }
}

/// Values that lie elsewhere, as long integers do in matrices whose values are copied.
impl<E: WriteValue> WriteValue for &E {
    const KIND: ValueKind = E::KIND;

    fn is_negative_of(&self, other: &Self) -> bool {
        (**self).is_negative_of(other)
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        (**self).write(out)
    }
}

/// What a caller asked for and can't have.
pub(super) fn refused(sentence: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, sentence)
}
