//! Polynomials as algebraic expressions, the highest power first: `3*x^2 - 2*x + 1`; in two variables `2*x^2*y - y^3 + x`.

use std::ops::Range;

use sunzi_machine::threads::Threads;

/// Coefficients of a long polynomial that one task writes.
pub(super) const GROUP: usize = 1 << 12;

/// Writes a polynomial of this many coefficients, in parallel where there are many.
///
/// `write_one` writes the coefficient of a degree in decimal.
pub fn write(
    count: usize,
    variable: &str,
    out: &mut Vec<u8>,
    write_one: impl Fn(usize, &mut Vec<u8>) + Sync,
) {
    let texts = Threads::when(count > GROUP).map((0..count).step_by(GROUP), |first| {
        terms(first..count.min(first + GROUP), variable, &write_one)
    });
    let texts = texts.iter().rev().map(|text| &text[..]);
    write_sum(texts.filter(|text| !text.is_empty()), out);
}

/// Writes a polynomial in two variables of these names. For each power of the second one there is a row of so many
/// coefficients as `lengths` says, of powers of the first. Terms stand by their degrees, then by powers of the first variable.
///
/// `write_one` writes a coefficient in decimal, whose row and place in it are given.
pub fn write_two(
    lengths: impl IntoIterator<Item = usize>,
    [first, second]: [&str; 2],
    out: &mut Vec<u8>,
    write_one: impl Fn([usize; 2], &mut Vec<u8>),
) {
    let of_row = |(j, length): (usize, usize)| (0..length).map(move |i| (i + j, i));
    let mut exponents: Vec<_> = lengths.into_iter().enumerate().flat_map(of_row).collect();
    exponents.sort_unstable();
    let (mut text, mut written) = (Vec::new(), Vec::new());
    for (degree, i) in exponents.into_iter().rev() {
        let powers = [power(first, i), power(second, degree - i)];
        let powers: Vec<_> = powers
            .into_iter()
            .filter(|power| !power.is_empty())
            .collect();
        written.clear();
        write_one([degree - i, i], &mut written);
        push(&mut text, &written, &powers.join("*"));
    }
    write_sum((!text.is_empty()).then_some(&text[..]).into_iter(), out);
}

/// A variable to a power, as text; of the power 0 nothing.
fn power(variable: &str, exponent: usize) -> String {
    match exponent {
        0 => String::new(),
        1 => variable.to_owned(),
        _ => format!("{variable}^{exponent}"),
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
fn terms(
    degrees: Range<usize>,
    variable: &str,
    write_one: &impl Fn(usize, &mut Vec<u8>),
) -> Vec<u8> {
    let (mut text, mut written) = (Vec::new(), Vec::new());
    for exponent in degrees.rev() {
        written.clear();
        write_one(exponent, &mut written);
        push(&mut text, &written, &power(variable, exponent));
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
    use crate::poly::Poly;
    use dashu_int::IBig;

    fn expression(polynomial: &[i64]) -> String {
        let mut text = Vec::new();
        write(polynomial.len(), "x", &mut text, |index, out| {
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
    fn terms_in_two_variables_stand_by_their_degrees() {
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
            let mut text = Vec::new();
            let lengths = rows.iter().map(|row| row.len());
            write_two(lengths, ["a", "b"], &mut text, |[row, place], out| {
                out.extend_from_slice(rows[row][place].as_bytes());
            });
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
            let expected = polynomial.iter().map(|&value| value.into()).collect();
            assert_eq!(text.parse::<Poly<IBig>>(), Ok(Poly::new(expected)));
        }
    }
}
