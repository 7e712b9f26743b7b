//! Decimal text of m·2^e for any e.

use dashu_int::UBig;
use dashu_int::ops::BitTest;

/// Decimal digits that are carried beyond those asked for: a power 2^e, |e| ≤ 2^63 + 52, is computed in about 130
/// products that lose less than one unit of the last digit each, and every loss is doubled at most 63
/// times; so all but the last 22 digits are right.
const GUARD: usize = 30;

/// Digits that tell any number from its neighbours.
const SHORTEST: usize = 17;

#[derive(Clone)]
struct Decimal {
    mantissa: UBig,
    exponent: i128,
}

impl Decimal {
    fn times(&self, other: &Self, most: usize) -> Self {
        let product = &self.mantissa * &other.mantissa;
        let excess = digits(&product).saturating_sub(most);
        Self {
            mantissa: product / UBig::from(10_u8).pow(excess),
            exponent: self.exponent + other.exponent + excess as i128,
        }
    }

    /// 2^e, or (1/2)^−e.
    fn power_of_two(exponent: i128, most: usize) -> Self {
        let base = if exponent < 0 {
            Self {
                mantissa: UBig::from(5_u8),
                exponent: -1,
            }
        } else {
            Self {
                mantissa: UBig::from(2_u8),
                exponent: 0,
            }
        };
        let one = Self {
            mantissa: UBig::ONE,
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

fn digits(value: &UBig) -> usize {
    // The estimate from the binary length is right or one too small.
    let estimate = (value.bit_len() as u64 * 30103 / 100_000) as usize;
    if *value >= UBig::from(10_u8).pow(estimate) {
        estimate + 1
    } else {
        estimate
    }
}

/// m·2^e in scientific form, for 1 ≤ m < 2 or m = 0: with `precision` digits after the point, or with the
/// fewest digits that tell the number from its neighbours.
pub(super) fn scientific(mantissa: f64, exponent: i64, precision: Option<usize>) -> String {
    if mantissa == 0.0 {
        return text("0", 0, precision);
    }
    let bits = mantissa.to_bits() & ((1 << 52) - 1) | 1 << 52;
    let factor = Decimal {
        mantissa: UBig::from(bits),
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
    let is_near = |distance: UBig, parts: u8| match distance * parts {
        times if times == unit => bits.is_multiple_of(2),
        times => times < unit,
    };
    let below = if mantissa == 1.0 { 4 } else { 2 };
    for count in 1..length.min(SHORTEST) {
        let (digits, carried) = rounded(&value.mantissa, length, count);
        let places = UBig::from(10_u8).pow(length + carried - digits.len());
        let candidate = UBig::from_str_radix(&digits, 10).unwrap_or_default() * places;
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
fn rounded(mantissa: &UBig, length: usize, count: usize) -> (String, usize) {
    let unit = UBig::from(10_u8).pow(length - count);
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
fn text(digits: &str, exponent: i128, precision: Option<usize>) -> String {
    let (first, rest) = digits.split_at(1);
    let rest = match precision {
        Some(precision) => format!("{rest:0<precision$}"),
        None => rest.trim_end_matches('0').to_owned(),
    };
    let point = if rest.is_empty() { "" } else { "." };
    format!("{first}{point}{rest}e{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_of_any_size() {
        // log10 2 = 0.30102999566398119521…
        assert_eq!(scientific(1.0, 0, None), "1e0");
        assert_eq!(scientific(1.0, 10, None), "1.024e3");
        assert_eq!(scientific(1.0, 1_000_000, Some(6)), "9.900656e301029");
        assert_eq!(scientific(1.0, -1_000_000, Some(6)), "1.010034e-301030");
        assert_eq!(
            scientific(1.0, 1 << 62, Some(0)).split('e').nth(1),
            Some("1388255822130839283")
        );
        assert_eq!(
            scientific(1.0, i64::MAX, Some(16)),
            "6.9046614899002713e2776511644261678565"
        );
        assert_eq!(
            scientific(1.0, i64::MIN, Some(16)),
            "7.2414846221117472e-2776511644261678567"
        );
    }

    /// All digits that are asked for, up to the last one's rounding, however many they are.
    #[test]
    fn many_digits_agree_with_integers() {
        for (mantissa, bits) in [(1.0, 0), (1.5, 1), (1.0 + f64::EPSILON, 52)] {
            let integer = UBig::from(1_u8) << bits;
            let integer = if bits == 0 { integer } else { integer + 1_u8 };
            let integer = if bits == 1 { UBig::from(3_u8) } else { integer };
            for exponent in [100_usize, 1000, 100_003] {
                let exact = (&integer << (exponent - bits)).to_string();
                for precision in [0, 17, 45, 60, 100, 700] {
                    let (digits, carried) = rounded(
                        &(&integer << (exponent - bits)),
                        exact.len(),
                        exact.len().min(precision + 1),
                    );
                    let power = (exact.len() - 1 + carried) as i128;
                    let expected = text(&digits, power, Some(precision));
                    assert_eq!(
                        scientific(mantissa, exponent as i64, Some(precision)),
                        expected
                    );
                }
            }
        }
        // Digits computed with more of them do not change.
        for exponent in [i64::MIN, -(1 << 40), 1 << 40, i64::MAX] {
            let many = scientific(1.25, exponent, Some(500));
            for precision in [20, 60, 200] {
                let few = scientific(1.25, exponent, Some(precision));
                assert_eq!(few[..precision], many[..precision]);
            }
        }
    }

    #[test]
    fn powers_of_two_agree_with_integers() {
        for exponent in [100_i64, 1000, 12_345, 99_999] {
            let exact = (UBig::ONE << exponent as usize).to_string();
            let expected = format!("{}.{}e{}", &exact[..1], &exact[1..30], exact.len() - 1);
            let found = scientific(1.0, exponent, Some(40));
            assert_eq!(found[..20], expected[..20]);
            assert_eq!(found.split('e').nth(1), expected.split('e').nth(1));
        }
    }

    #[test]
    fn the_middle_between_two_numbers_is_read_as_the_even_one() {
        // Numbers near 5.6e16 are 8 apart: …380 lies in the middle of …376 and …384, …364 in that of …360 and …368.
        for value in [
            56019697568369376_f64,
            56019697568369384.0,
            56019697568369360.0,
        ] {
            let (mantissa, exponent) = crate::float::scaled::split(value);
            assert_eq!(
                scientific(mantissa, exponent.into(), None),
                format!("{value:e}")
            );
        }
    }

    #[test]
    fn carries_make_another_digit() {
        assert_eq!(scientific(1.249_999_999_999_999_8, 3, Some(3)), "1.000e1");
        assert_eq!(
            scientific(1.249_999_999_999_999_8, 3, None),
            "9.999999999999998e0"
        );
    }
}
