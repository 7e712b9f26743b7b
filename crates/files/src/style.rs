//! The form of results.

use crate::input::algebraic::Variable;

/// The form of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// JSON values, in which integers are strings, instead of lines of text.
    pub json: bool,
    /// How polynomials look.
    pub polynomials: Form,
    /// How their variable is called.
    pub variable: Variable,
}

/// How polynomials look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `1 -2 3`: coefficients from the constant term upward. An array in JSON.
    Coefficients,
    /// `3*x^2 - 2*x + 1`. A string in JSON.
    Expression,
}

impl Style {
    /// Results without polynomials, or with their coefficients.
    pub fn new(json: bool) -> Self {
        Self {
            json,
            polynomials: Form::Coefficients,
            variable: Variable::default(),
        }
    }

    /// The same with another name of the variable.
    pub fn in_variable(self, variable: Variable) -> Self {
        Self { variable, ..self }
    }

    /// The same with polynomials as expressions if they are to be `pretty`.
    pub fn pretty(self, pretty: bool) -> Self {
        let polynomials = match pretty {
            true => Form::Expression,
            false => self.polynomials,
        };
        Self {
            polynomials,
            ..self
        }
    }
}

/// Puts what `write` writes between quotes where the style asks for it.
pub fn quoted(style: Style, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    if style.json {
        out.push(b'"');
    }
    write(out);
    if style.json {
        out.push(b'"');
    }
}
