//! Decimal text of m·2^e for any e.

use sunzi_integer::Natural;

/// Decimal digits that are carried beyond those asked for: a power 2^e, |e| ≤ 2^63 + 52, is computed in about 130
/// products that lose less than one unit of the last digit each, and every loss is doubled at most 63
/// times; so all but the last 22 digits are right.
const GUARD: usize = 30;

/// Digits that tell any number from its neighbours.
const SHORTEST: usize = 17;

#[derive(Clone)]
struct Decimal {
    mantissa: Natural,
    exponent: i128,
}

impl Decimal {
    fn times(&self, other: &Self, most: usize) -> Self {
        let product = &self.mantissa * &other.mantissa;
        let excess = digits(&product).saturating_sub(most);
        Self {
            mantissa: product / Natural::from(10_u8).pow(excess),
            exponent: self.exponent + other.exponent + excess as i128,
        }
    }

    /// 2^e, or (1/2)^−e.
    fn power_of_two(exponent: i128, most: usize) -> Self {
        let base = if exponent < 0 {
            Self {
                mantissa: Natural::from(5_u8),
                exponent: -1,
            }
        } else {
            Self {
                mantissa: Natural::from(2_u8),
                exponent: 0,
            }
        };
        let one = Self {
            mantissa: Natural::ONE,
            exponent: 0,
        };
        let exponent = exponent.unsigned_abs();
        (0..u128::BITS - exponent.leading_zeros())
            .rev()
            .fold(one, |power, bit| {
                let square = power.times(&power, most);
                if exponent >> bit & 1 == 1 {
                    square.times(&base, most)
                } else {
                    square
                }
            })
    }
}

fn digits(value: &Natural) -> usize {
    // The estimate from the binary length is right or one too small.
    let estimate = (value.bit_len() as u64 * 30103 / 100_000) as usize;
    if *value >= Natural::from(10_u8).pow(estimate) {
        estimate + 1
    } else {
        estimate
    }
}

/// m·2^e in scientific form, for 1 ≤ m < 2 or m = 0: with `precision` digits after the point, or with the
/// fewest digits that tell the number from its neighbours.
pub fn scientific(mantissa: f64, exponent: i64, precision: Option<usize>) -> String {
    if mantissa == 0.0 {
        return text("0", 0, precision);
    }
    let bits = mantissa.to_bits() & ((1 << 52) - 1) | 1 << 52;
    let factor = Decimal {
        mantissa: Natural::from(bits),
        exponent: 0,
    };
    let asked = precision.map_or(SHORTEST, |precision| precision.saturating_add(1));
    let most = asked.saturating_add(GUARD);
    let power = Decimal::power_of_two(i128::from(exponent) - 52, most);
    let value = power.times(&factor, most);
    let length = digits(&value.mantissa);
    if let Some(precision) = precision {
        let (digits, carried) = rounded(
            &value.mantissa,
            length,
            precision.saturating_add(1).min(length),
        );
        return text(
            &digits,
            value.exponent + (length - 1 + carried) as i128,
            Some(precision),
        );
    }
    // The next number above is one unit of the last bit away, the one below half of that where m = 1. What lies in the
    // middle is read as the one of them whose last bit is 0.
    let unit = &value.mantissa / bits;
    let is_near = |distance: Natural, parts: u8| match distance * parts {
        times if times == unit => bits.is_multiple_of(2),
        times => times < unit,
    };
    let below = if mantissa == 1.0 { 4 } else { 2 };
    for count in 1..length.min(SHORTEST) {
        let (digits, carried) = rounded(&value.mantissa, length, count);
        let places = Natural::from(10_u8).pow(length + carried - digits.len());
        let candidate = Natural::from_str_radix(&digits, 10).unwrap_or_default() * places;
        let near = if candidate >= value.mantissa {
            is_near(candidate - &value.mantissa, 2)
        } else {
            is_near(&value.mantissa - candidate, below)
        };
        if near {
            return text(
                &digits,
                value.exponent + (length - 1 + carried) as i128,
                None,
            );
        }
    }
    let (digits, carried) = rounded(&value.mantissa, length, length.min(SHORTEST));
    text(
        &digits,
        value.exponent + (length - 1 + carried) as i128,
        None,
    )
}

/// The first `count` of `length` digits, rounded, ties to even; and 1 if rounding made one more digit, which
/// is cut off again.
pub fn rounded(mantissa: &Natural, length: usize, count: usize) -> (String, usize) {
    let unit = Natural::from(10_u8).pow(length - count);
    let quotient = mantissa / &unit;
    let twice_rest = (mantissa - &quotient * &unit) * 2_u8;
    let odd = quotient.bit(0);
    let up = twice_rest > unit || twice_rest == unit && odd;
    let mut digits = if up { quotient + 1_u8 } else { quotient }.to_string();
    let carried = digits.len() - count;
    digits.truncate(count);
    (digits, carried)
}

/// d.ddde±x: as many digits after the point as asked for, or no zeros at the end.
pub fn text(digits: &str, exponent: i128, precision: Option<usize>) -> String {
    let (first, rest) = digits.split_at(1);
    let rest = match precision {
        Some(precision) => format!("{rest:0<precision$}"),
        None => rest.trim_end_matches('0').to_owned(),
    };
    let point = if rest.is_empty() { "" } else { "." };
    format!("{first}{point}{rest}e{exponent}")
}
