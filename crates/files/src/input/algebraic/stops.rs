//! Why a text stops to be an expression, in words for who wrote it.

use sunzi_poly::text::ParsePolyProblem;

/// So many letters of a word are shown.
const LONGEST: usize = 20;

/// What is wrong at the byte `offset` of an expression in these variables, of which `first` is shown in advice. `variables` says which
/// there are, as in «the variable is x»; `advice` what to write where nothing more can be said.
pub(super) fn at(
    content: &[u8],
    offset: usize,
    first: &str,
    names: &[&str],
    variables: &str,
    advice: String,
) -> String {
    let (before, rest) = content.split_at(offset);
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    if rest.starts_with(b".") && is_exponent(before) {
        return "an exponent is an integer".to_owned();
    }
    if before.trim_ascii_end().ends_with(b"^") {
        return format!("the exponent is missing: write it in digits, as in {first}^2");
    }
    let known = names.iter().any(|name| rest.starts_with(name.as_bytes()));
    match rest.first() {
        Some(byte) if byte.is_ascii_alphabetic() && !known => {
            let word = rest.iter().take_while(|byte| is_word(byte));
            let word: String = word.take(LONGEST).map(|&byte| char::from(byte)).collect();
            format!("there is no variable `{word}`: {variables}")
        }
        Some(b'.') => "a decimal has digits on both sides of its point".to_owned(),
        Some(b'^') if before.trim_ascii_end().last().is_some_and(|byte| is_word(byte) || *byte == b')') => {
            "an exponent has no exponent: write one number behind `^`, or parentheses around the power".to_owned()
        }
        Some(b'=') => "an equation has one `=`, outside of parentheses".to_owned(),
        _ => ParsePolyProblem::at(content, offset, advice).to_string(),
    }
}

/// Whether a text ends in the digits of an exponent.
pub(super) fn is_exponent(before: &[u8]) -> bool {
    let digits = before
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    digits > 0
        && before[..before.len() - digits]
            .trim_ascii_end()
            .ends_with(b"^")
}
