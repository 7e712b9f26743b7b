//! Polynomials and values as text.

use super::expression;
use crate::input::coefficients;
use crate::style::{Form, Style, quoted};

/// Writes a polynomial given by its coefficients; without any it is zero.
pub fn write<T: Sync>(
    polynomial: &[T],
    style: Style,
    out: &mut Vec<u8>,
    write_one: impl Fn(&T, &mut Vec<u8>) + Sync,
) {
    match style.polynomials {
        Form::Expression => quoted(style, out, |out| {
            expression::write(polynomial, out, write_one);
        }),
        Form::Coefficients if style.json => array(polynomial, style, out, write_one),
        Form::Coefficients if polynomial.is_empty() => out.push(b'0'),
        Form::Coefficients => coefficients::write(polynomial, b" ", out, write_one),
    }
}

/// The most bytes that stand around each of `count` coefficients, but for those of the coefficient.
pub fn around(count: usize, style: Style) -> usize {
    let quotes = if style.json { 2 } else { 0 };
    match style.polynomials {
        // ` + `, `*x^` and the exponent.
        Form::Expression => 3 + 3 + count.max(1).ilog10() as usize + 1,
        Form::Coefficients => 1 + quotes,
    }
}

/// Writes values, one a line or as a JSON array.
pub fn write_values<T: Sync>(
    values: &[T],
    style: Style,
    out: &mut Vec<u8>,
    write_one: impl Fn(&T, &mut Vec<u8>) + Sync,
) {
    match style.json {
        true => array(values, style, out, write_one),
        false => coefficients::write(values, b"\n", out, write_one),
    }
}

fn array<T: Sync>(
    values: &[T],
    style: Style,
    out: &mut Vec<u8>,
    write_one: impl Fn(&T, &mut Vec<u8>) + Sync,
) {
    out.push(b'[');
    coefficients::write(values, b",", out, |value, out| {
        quoted(style, out, |out| write_one(value, out));
    });
    out.push(b']');
}
