//! Lines that may be meant as a list of coefficients or as an expression.

use super::super::LineError;
use super::Variable;

/// Refuses a line in which neither `*`, `^` nor parentheses tell what is meant: numbers with a sign
/// that stands apart (`1 - 2`), and lines of nothing but a number, a blank and the variable (`2 x`).
pub(super) fn check(content: &[u8], variable: Variable) -> Result<(), LineError> {
    let marked = |byte: &u8| matches!(byte, b'*' | b'^' | b'(' | b')');
    if content.iter().any(marked) {
        return Ok(());
    }
    let is_variable = |byte: &u8| matches!(byte, b'x' | b'X');
    match content.iter().position(is_variable) {
        None => check_names(content, variable).and_then(|()| check_signs(content)),
        Some(at) => check_factor(content, variable, at),
    }
}

/// A letter that belongs to no number is of a variable with another name than x.
fn check_names(content: &[u8], variable: Variable) -> Result<(), LineError> {
    let is_exponent = |at: usize| {
        matches!(content[at], b'e' | b'E')
            && at > 0
            && (content[at - 1].is_ascii_digit() || content[at - 1] == b'.')
    };
    match (0..content.len()).find(|&at| content[at].is_ascii_alphabetic() && !is_exponent(at)) {
        None => Ok(()),
        Some(at) => Err(LineError::new(at, super::stop_at(content, variable, at))),
    }
}

/// Every sign of a list stands behind a blank and in front of a digit.
fn check_signs(content: &[u8]) -> Result<(), LineError> {
    let blank_before = |at: usize| at == 0 || content[at - 1].is_ascii_whitespace();
    let digit_behind = |at: usize| content.get(at + 1).is_some_and(u8::is_ascii_digit);
    let stray = |at: &usize| {
        matches!(content[*at], b'+' | b'-') && !(blank_before(*at) && digit_behind(*at))
    };
    match (0..content.len()).find(stray) {
        None => Ok(()),
        Some(at) => Err(LineError::new(
            at,
            format!(
                "the sign '{0}' may belong to a list of coefficients or to a sum: write `1 {0}2` for the list or `(1 {0} 2)` for the sum",
                char::from(content[at])
            ),
        )),
    }
}

/// A line of one number and the variable at `at`, with nothing but blanks between and behind.
fn check_factor(content: &[u8], variable: Variable, at: usize) -> Result<(), LineError> {
    let before = content[..at].trim_ascii_end();
    let digits = before
        .strip_prefix(b"-")
        .or_else(|| before.strip_prefix(b"+"));
    let digits = digits.unwrap_or(before);
    let number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    let apart = before.len() < at;
    let last = content[at + 1..].trim_ascii().is_empty();
    if number && apart && last {
        return Err(LineError::new(
            at,
            format!(
                "the variable may belong to a product or be a mistake in a list of coefficients: write `2*{0}` or `2{0}` for the product",
                variable.name()
            ),
        ));
    }
    Ok(())
}
