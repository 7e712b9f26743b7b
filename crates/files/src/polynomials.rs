//! Polynomials and values as text.

use crate::input::{algebraic, coefficients};
use crate::style::{Form, Style, quoted};
use sunzi_poly::text;

/// Writes a polynomial of this many coefficients, of which `write_one` writes that of a degree; without any it is zero.
pub(crate) fn write(
    count: usize,
    style: Style,
    out: &mut Vec<u8>,
    write_one: impl Fn(usize, &mut Vec<u8>) + Sync,
) {
    match style.polynomials {
        Form::Expression => quoted(style, out, |out| {
            text::write(count, style.variable.name(), out, write_one);
        }),
        Form::Coefficients if style.json => array(count, style, out, write_one),
        Form::Coefficients if count == 0 => out.push(b'0'),
        Form::Coefficients => coefficients::write(count, b" ", out, write_one),
    }
}

/// About how many bytes a polynomial with coefficients of this many bytes takes, from a glance at its line.
pub fn weight(content: &[u8], coefficient: usize) -> usize {
    match coefficients::is_algebraic(content) {
        true => algebraic::weight(content, coefficient),
        false => content.len(),
    }
}

/// The most bytes that stand around each of `count` coefficients, but for those of the coefficient.
pub fn around(count: usize, style: Style) -> usize {
    let quotes = if style.json { 2 } else { 0 };
    match style.polynomials {
        // ` + `, `*x^` with the variable's name, and the exponent.
        Form::Expression => {
            3 + 2 + style.variable.name().len() + count.max(1).ilog10() as usize + 1
        }
        Form::Coefficients => 1 + quotes,
    }
}

/// Writes this many values, one a line or as a JSON array.
pub(crate) fn write_values(
    count: usize,
    style: Style,
    out: &mut Vec<u8>,
    write_one: impl Fn(usize, &mut Vec<u8>) + Sync,
) {
    match style.json {
        true => array(count, style, out, write_one),
        false => coefficients::write(count, b"\n", out, write_one),
    }
}

fn array(
    count: usize,
    style: Style,
    out: &mut Vec<u8>,
    write_one: impl Fn(usize, &mut Vec<u8>) + Sync,
) {
    out.push(b'[');
    coefficients::write(count, b",", out, |index, out| {
        quoted(style, out, |out| write_one(index, out));
    });
    out.push(b']');
}
