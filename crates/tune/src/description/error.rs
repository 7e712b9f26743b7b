//! Why a description is refused, and where.

use thiserror::Error;

/// Why a description of kernels is refused, with the place in its file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{file}:{line}:{column}: {problem}")]
pub struct DescriptionError {
    /// The file, as the caller names it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a description.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// It is no TOML, or has fields that a description has not.
    #[error("{0}")]
    Toml(String),
    /// An expression that cannot be read.
    #[error("no expression; give one of +, -, *, %, ceil(a/b), floor(a/b), min(a, b), max(a, b)")]
    Syntax,
    /// Parentheses too deep.
    #[error("an expression nests at most {most} deep")]
    TooDeep {
        /// How deep they may nest.
        most: usize,
    },
    /// A name that is no parameter.
    #[error("`{name}` is unknown here; known are {known}")]
    UnknownName {
        /// The name.
        name: String,
        /// Names that may stand here.
        known: String,
    },
    /// One name for two parameters.
    #[error("`{0}` is declared twice")]
    DeclaredTwice(String),
    /// A divisor that may be zero or negative.
    #[error("a divisor must be positive for all parameters, and this one may be {lowest}")]
    Divisor {
        /// Its least value.
        lowest: i64,
    },
    /// A value of more than a word.
    #[error("this may exceed 64 bits within the ranges of its parameters; narrow them")]
    Overflow,
    /// A range without values.
    #[error("the range of `{name}` is contradictory: from {from} to {to}")]
    Range {
        /// The parameter.
        name: String,
        /// Its least value.
        from: i64,
        /// Its largest value.
        to: i64,
    },
    /// A program parameter without values, or a step that leads nowhere.
    #[error(
        "`{name}` needs values from 1 on: `values`, or `from` and `to` with `step` ≥ 1 or `factor` ≥ 2"
    )]
    Values {
        /// The parameter.
        name: String,
    },
    /// No shape, or too many.
    #[error("{count} shapes meet the constraints, and there must be 1 to {most}")]
    Shapes {
        /// How many (at least).
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// An argument that is neither a buffer nor a number.
    #[error(
        "an argument is `{{ buffer, element, length }}` with `fill` and `result` at will, or `{{ value, element }}`"
    )]
    Argument,
    /// Values to measure at that are out of range, or fall.
    #[error("samples of `{0}` are values within its range that do not fall")]
    Samples(String),
    /// A name that cannot stand in a program.
    #[error("`{0}` is no name of letters, digits and underscores")]
    Name(String),
    /// A grid or a block without dimensions, or with more than three.
    #[error("a {0} has 1 to 3 dimensions")]
    Dimensions(&'static str),
    /// An index that is no sum of multiples of variables.
    #[error(
        "an index is affine: a sum of threads' and loops' variables, each times data parameters"
    )]
    NotAffine,
    /// Two kernels of one name.
    #[error("kernel `{0}` is described twice")]
    Twice(String),
    /// A version that this program does not read.
    #[error("version {0} of descriptions is unknown; this program reads version 1")]
    Version(i64),
}

impl DescriptionError {
    pub(crate) fn at(file: &str, text: &str, offset: usize, problem: Problem) -> Self {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &text[..offset];
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        DescriptionError {
            file: file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            problem,
        }
    }
}
