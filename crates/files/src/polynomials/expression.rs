//! Polynomials as algebraic expressions, the highest power first: `3*x^2 - 2*x + 1`.

use crate::input::coefficients::GROUP;
use std::ops::Range;
use sunzi_threads::Threads;

/// Writes a polynomial of this many coefficients, in parallel where there are many.
///
/// `write_one` writes the coefficient of a degree in decimal.
pub fn write(count: usize, out: &mut Vec<u8>, write_one: impl Fn(usize, &mut Vec<u8>) + Sync) {
    let texts = Threads::all().map((0..count).step_by(GROUP), |first| {
        terms(first..count.min(first + GROUP), &write_one)
    });
    let mut texts = texts.iter().rev().filter(|text| !text.is_empty());
    // Every term begins with its sign, of which the first one shows no more than a minus.
    match texts.next().map(|text| text.split_at(PLUS.len())) {
        None => out.push(b'0'),
        Some((sign, rest)) => {
            if sign == MINUS {
                out.push(b'-');
            }
            out.extend_from_slice(rest);
        }
    }
    for text in texts {
        out.extend_from_slice(text);
    }
}

const PLUS: &[u8] = b" + ";
const MINUS: &[u8] = b" - ";

/// The terms of these degrees; none of zeros.
fn terms(degrees: Range<usize>, write_one: &impl Fn(usize, &mut Vec<u8>)) -> Vec<u8> {
    let (mut text, mut written) = (Vec::new(), Vec::new());
    for exponent in degrees.rev() {
        written.clear();
        write_one(exponent, &mut written);
        let (sign, digits) = match written.strip_prefix(b"-") {
            Some(digits) => (MINUS, digits),
            None => (PLUS, &written[..]),
        };
        if digits == b"0" {
            continue;
        }
        text.extend_from_slice(sign);
        if digits != b"1" || exponent == 0 {
            text.extend_from_slice(digits);
            if exponent > 0 {
                text.push(b'*');
            }
        }
        match exponent {
            0 => {}
            1 => text.push(b'x'),
            _ => text.extend_from_slice(format!("x^{exponent}").as_bytes()),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::algebraic;
    use dashu_int::IBig;
    use sunzi_integer::{Multiplier, text::DecimalTables};

    fn expression(polynomial: &[i64]) -> String {
        let mut text = Vec::new();
        write(polynomial.len(), &mut text, |index, out| {
            out.extend_from_slice(polynomial[index].to_string().as_bytes());
        });
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn terms_look_as_people_write_them() {
        for (polynomial, expected) in [
            (&[][..], "0"),
            (&[0, 0], "0"),
            (&[5], "5"),
            (&[-1], "-1"),
            (&[1], "1"),
            (&[0, 1], "x"),
            (&[0, -1], "-x"),
            (&[1, -2, 3], "3*x^2 - 2*x + 1"),
            (&[-1, 1, 0, -1], "-x^3 + x - 1"),
            (&[0, 10, 0, -11], "-11*x^3 + 10*x"),
        ] {
            assert_eq!(expression(polynomial), expected);
        }
    }

    #[test]
    fn expressions_are_read_as_they_were_written() {
        for count in [1, 2, GROUP - 1, GROUP, GROUP + 1, 3 * GROUP + 5] {
            // Zeros fill a whole group of the longest.
            let zero = |i: usize| i % 5 == 3 || (GROUP..2 * GROUP).contains(&i) && i + 1 < count;
            let polynomial: Vec<i64> = (0..count as i64)
                .map(|i| if zero(i as usize) { 0 } else { i % 7 - 3 })
                .collect();
            let text = expression(&polynomial);
            let (multiplier, tables) = (Multiplier::new(), DecimalTables::new());
            let read = algebraic::integers(text.as_bytes(), &multiplier, &tables);
            let end = polynomial.iter().rposition(|&value| value != 0);
            let expected = &polynomial[..end.map_or(0, |end| end + 1)];
            let expected: Vec<IBig> = expected.iter().map(|&value| value.into()).collect();
            assert_eq!(read, Ok(expected));
        }
    }
}
