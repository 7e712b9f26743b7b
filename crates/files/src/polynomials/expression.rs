//! Polynomials as algebraic expressions, the highest power first: `3*x^2 - 2*x + 1`; in two unknowns `2*x^2*y - y^3 + x`.

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
    let texts = texts.iter().rev().map(|text| &text[..]);
    write_sum(texts.filter(|text| !text.is_empty()), out);
}

/// Writes a polynomial in two unknowns of these names. Its rows are of powers of the second one: each holds the coefficients,
/// in decimal, of powers of the first. Terms stand by their degrees, then by powers of the first unknown.
pub fn write_two(rows: &[Vec<Vec<u8>>], [first, second]: [&str; 2], out: &mut Vec<u8>) {
    let of_row = |(j, row): (usize, &Vec<_>)| (0..row.len()).map(move |i| (i + j, i));
    let mut exponents: Vec<_> = rows.iter().enumerate().flat_map(of_row).collect();
    exponents.sort_unstable();
    let mut text = Vec::new();
    for (degree, i) in exponents.into_iter().rev() {
        let powers = [power(first, i), power(second, degree - i)];
        let powers: Vec<_> = powers
            .into_iter()
            .filter(|power| !power.is_empty())
            .collect();
        push(&mut text, &rows[degree - i][i], &powers.join("*"));
    }
    write_sum((!text.is_empty()).then_some(&text[..]).into_iter(), out);
}

/// An unknown to a power, as text; of the power 0 nothing.
fn power(unknown: &str, exponent: usize) -> String {
    match exponent {
        0 => String::new(),
        1 => unknown.to_owned(),
        _ => format!("{unknown}^{exponent}"),
    }
}

/// Writes terms one after the other.
fn write_sum<'t>(mut texts: impl Iterator<Item = &'t [u8]>, out: &mut Vec<u8>) {
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
        push(&mut text, &written, &power("x", exponent));
    }
    text
}

/// Appends a term, unless it is zero: its coefficient in decimal times a power.
fn push(text: &mut Vec<u8>, coefficient: &[u8], power: &str) {
    let (sign, digits) = match coefficient.strip_prefix(b"-") {
        Some(digits) => (MINUS, digits),
        None => (PLUS, coefficient),
    };
    if digits == b"0" {
        return;
    }
    text.extend_from_slice(sign);
    if digits != b"1" || power.is_empty() {
        text.extend_from_slice(digits);
        if !power.is_empty() {
            text.push(b'*');
        }
    }
    text.extend_from_slice(power.as_bytes());
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
    fn terms_in_two_unknowns_stand_by_their_degrees() {
        let cases: [(&[&[&str]], &str); 5] = [
            (&[], "0"),
            (&[&["0"]], "0"),
            (&[&["-1"]], "-1"),
            (
                &[&["5", "0", "-1"], &["0", "1"], &["3"]],
                "-a^2 + a*b + 3*b^2 + 5",
            ),
            (&[&[], &[], &["0", "0", "-7"], &["1"]], "-7*a^2*b^2 + b^3"),
        ];
        for (rows, expected) in cases {
            let row = |row: &&[&str]| row.iter().map(|text| text.as_bytes().to_vec()).collect();
            let rows: Vec<Vec<Vec<u8>>> = rows.iter().map(row).collect();
            let mut text = Vec::new();
            write_two(&rows, ["a", "b"], &mut text);
            assert_eq!(String::from_utf8(text).unwrap(), expected);
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
