//! Products of polynomials over Z.

use super::Style;
use crate::input::{algebraic, coefficients};

/// About how many bytes a polynomial takes, from a glance at its line.
pub(super) fn weight(content: &[u8]) -> usize {
    if coefficients::is_algebraic(content) {
        algebraic::weight(content)
    } else {
        content.len()
    }
}

/// Writes a polynomial as coefficients from the constant term upward; `0` for zero.
pub(super) fn write<T: Sync>(
    polynomial: &[T],
    style: Style,
    out: &mut Vec<u8>,
    write_one: impl Fn(&T, &mut Vec<u8>) + Sync,
) {
    match style {
        Style::Plain if polynomial.is_empty() => out.push(b'0'),
        Style::Plain => coefficients::write(polynomial, b" ", out, write_one),
        Style::Json => {
            out.push(b'[');
            coefficients::write(polynomial, b",", out, write_one);
            out.push(b']');
        }
    }
}
