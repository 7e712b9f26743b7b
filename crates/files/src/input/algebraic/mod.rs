//! Polynomials as expressions: `3*x^2 - 2*x + 1`, `(x+1)^10*(x-1)`, `2x`; in two variables `1/2*x^2*y - (x+y)^3`.
//!
//! `sunzi_poly` reads them; here are lines that may be meant as something else, and names of variables.

mod ambiguity;
mod stops;
mod two_variables;
mod variable;

use super::LineError;
use sunzi_integer::{Integer, Multiplier, Rational, text::DecimalTables};
use sunzi_poly::text::{self, MAX_DEGREE, ParsePolyError, ParsePolyProblem, Terms};
pub use sunzi_poly::text::{MAX_DEGREE_OF_TWO, TwoVariables};
pub use two_variables::Variables;
pub use variable::Variable;

impl From<ParsePolyError> for LineError {
    fn from(error: ParsePolyError) -> Self {
        Self {
            offset: error.offset,
            too_large: matches!(error.problem, ParsePolyProblem::OutOfMemory(_)),
            problem: error.problem.to_string(),
        }
    }
}

/// The terms, by their degrees, of the polynomial that an expression stands for, of which there is room for all
/// coefficients, of this many bytes each. The variable is x by now, and is told by the name that it had.
pub fn parse(
    content: &[u8],
    variable: Variable,
    multiplier: &Multiplier,
    tables: &DecimalTables,
    coefficient: usize,
) -> Result<Terms<1>, LineError> {
    ambiguity::check(content, variable)?;
    text::terms(content, multiplier, tables, coefficient)
        .map_err(|error| explained(content, variable, error))
}

/// The coefficients, from the constant term upward, of the polynomial that an expression stands for; none for zero.
pub fn integers(
    content: &[u8],
    variable: Variable,
    multiplier: &Multiplier,
    tables: &DecimalTables,
) -> Result<Vec<Integer>, LineError> {
    ambiguity::check(content, variable)?;
    text::integers(content, multiplier, tables).map_err(|error| explained(content, variable, error))
}

/// The same of a polynomial with quotients.
pub fn rationals(
    content: &[u8],
    variable: Variable,
    multiplier: &Multiplier,
    tables: &DecimalTables,
) -> Result<Vec<Rational>, LineError> {
    text::rationals(content, multiplier, tables).map_err(|error| match error.problem {
        ParsePolyProblem::Unexpected { .. } | ParsePolyProblem::Unfinished { .. } => {
            LineError::new(error.offset, stop_at(content, variable, error.offset))
        }
        _ => error.into(),
    })
}

/// Why there is no more of an expression in x at a byte.
fn stop_at(content: &[u8], variable: Variable, offset: usize) -> String {
    let name = variable.name();
    let advice = format!("write a sum of terms such as 3*{name}^2 - 2*{name} + 1");
    // Of the line as it is read, in which the variable is x.
    stops::at(
        content,
        offset,
        name,
        &["x", "X"],
        &variable.sentence(),
        advice,
    )
}

/// What is wrong with a list of coefficients, one of which begins as a name does.
pub fn in_list(content: &[u8], variable: Variable, error: LineError) -> LineError {
    let before = error.offset.checked_sub(1).map(|before| content[before]);
    let begins = before.is_none_or(|byte| !byte.is_ascii_alphanumeric() && byte != b'.');
    match content.get(error.offset) {
        Some(byte) if byte.is_ascii_alphabetic() && begins => {
            LineError::new(error.offset, stop_at(content, variable, error.offset))
        }
        _ => error,
    }
}

/// What is wrong with an expression in x over Z, in words for who wrote it.
fn explained(content: &[u8], variable: Variable, error: ParsePolyError) -> LineError {
    let problem = match error.problem {
        ParsePolyProblem::Unexpected {
            found: b'/' | b'.', ..
        } if !stops::is_exponent(&content[..error.offset]) => {
            "the coefficients are integers here: multiply the polynomial by its denominators, which changes it by a factor".to_owned()
        }
        ParsePolyProblem::Unexpected { .. } | ParsePolyProblem::Unfinished { .. } => {
            stop_at(content, variable, error.offset)
        }
        _ => return error.into(),
    };
    LineError::new(error.offset, problem)
}

/// What an expression may take as a vector of coefficients of this many bytes each, in bytes, from a glance at it.
pub fn weight(content: &[u8], coefficient: usize) -> usize {
    // Powers of parentheses can multiply degrees: such a line counts as long.
    let nested = if content.contains(&b'(') { 1 << 20 } else { 0 };
    let exponents = content.split(|&byte| byte == b'^').skip(1).map(|rest| {
        let digits = rest
            .iter()
            .skip_while(|byte| byte.is_ascii_whitespace())
            .take_while(|byte| byte.is_ascii_digit());
        digits.fold(0usize, |value, byte| {
            value
                .saturating_mul(10)
                .saturating_add(usize::from(byte - b'0'))
        })
    });
    let degree = exponents.max().unwrap_or(0).min(MAX_DEGREE as usize);
    content.len() + nested + coefficient * degree
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_told_as_of_a_line() {
        let read = |text: &str| {
            let (multiplier, tables) = (Multiplier::new(), DecimalTables::new());
            integers(text.as_bytes(), Variable::default(), &multiplier, &tables)
        };
        assert_eq!(read("(1 - 2)*x"), Ok(vec![0.into(), (-1).into()]));
        for (text, offset, problem) in [
            ("1 - 2", 2, "the sign '-' may belong"),
            ("2 x", 2, "the variable may belong"),
            (
                "2*y",
                2,
                "there is no variable `y`: the variable is x, and --var names another",
            ),
            ("x*\u{b2}", 2, "unexpected byte 0xc2: write a sum"),
            ("3*", 2, "the expression ends too early: write a sum"),
            (
                "x^t",
                2,
                "the exponent is missing: write it in digits, as in x^2",
            ),
            ("x^2^2", 3, "an exponent has no exponent"),
            ("x/2 + 1", 1, "the coefficients are integers here"),
            ("0.5*x", 1, "the coefficients are integers here"),
            ("2*^3", 2, "unexpected '^'"),
            ("x^1.5", 3, "an exponent is an integer"),
            (
                "x^16777217",
                0,
                "the degree is above 16777216: write such a polynomial as coefficients",
            ),
        ] {
            let error = read(text).expect_err(text);
            assert_eq!((error.offset, error.too_large), (offset, false), "{text}");
            assert!(
                error.problem.starts_with(problem),
                "{text}: {}",
                error.problem
            );
        }
    }

    #[test]
    fn weights_grow_with_the_degree() {
        assert_eq!(weight(b"x + 1", 24), 5);
        assert!(weight(b"x^1000 + 1", 24) > 24_000);
        let most = 40 + 24 * MAX_DEGREE as usize;
        assert!(weight(b"x ^ 99999999999999999999999 + 1", 24) <= most);
    }
}
