//! Polynomials as algebraic expressions, the highest power first: `3*x^2 - 2*x + 1`; in two variables `2*x^2*y - y^3 + x`.

use std::ops::Range;

use sunzi_machine::threads::Threads;

/// Coefficients of a long polynomial that one task writes.
pub const GROUP: usize = 1 << 12;

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
