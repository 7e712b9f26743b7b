//! The first line of a file.

use std::fmt;

use super::error::Problem;
use super::lines::shown;

/// How entries are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Row, column and value of each entry.
    Coordinate,
    /// All values, column by column.
    Array,
}

/// What the values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// Decimal fractions.
    Real,
    /// Integers.
    Integer,
    /// None: every entry is 1.
    Pattern,
}

/// Which entries follow from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// None.
    General,
    /// Those above the diagonal equal those below.
    Symmetric,
    /// Those above the diagonal are the negatives of those below.
    SkewSymmetric,
}

impl fmt::Display for Symmetry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::General => "general",
            Self::Symmetric => "symmetric",
            Self::SkewSymmetric => "skew-symmetric",
        })
    }
}

/// What the first line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// How entries are laid out.
    pub format: Format,
    /// What the values are.
    pub values: ValueKind,
    /// Which entries follow from others.
    pub symmetry: Symmetry,
}

impl Header {
    /// Reads `%%MatrixMarket matrix FORMAT VALUES SYMMETRY`, in letters of either case.
    pub(super) fn parse(line: &str) -> Result<Self, Problem> {
        let lower = line.to_ascii_lowercase();
        let words: Vec<&str> = lower.split_ascii_whitespace().collect();
        let [banner, object, format, values, symmetry] = words[..] else {
            return Err(Problem::NoHeader);
        };
        if banner != "%%matrixmarket" {
            return Err(Problem::NoHeader);
        }
        let unknown = |found: &str, expected| Problem::HeaderWord {
            found: shown(found),
            expected,
        };
        if object != "matrix" {
            return Err(unknown(object, "`matrix`"));
        }
        let format = match format {
            "coordinate" => Format::Coordinate,
            "array" => Format::Array,
            _ => return Err(unknown(format, "`coordinate` or `array`")),
        };
        let values = match values {
            "real" | "double" => ValueKind::Real,
            "integer" => ValueKind::Integer,
            "pattern" => ValueKind::Pattern,
            "complex" => return Err(Problem::Unsupported("complex")),
            _ => return Err(unknown(values, "`real`, `integer` or `pattern`")),
        };
        let symmetry = match symmetry {
            "general" => Symmetry::General,
            "symmetric" => Symmetry::Symmetric,
            "skew-symmetric" => Symmetry::SkewSymmetric,
            "hermitian" => return Err(Problem::Unsupported("hermitian")),
            _ => {
                let expected = "`general`, `symmetric` or `skew-symmetric`";
                return Err(unknown(symmetry, expected));
            }
        };
        match (format, values, symmetry) {
            (Format::Array, ValueKind::Pattern, _) => {
                Err(Problem::Contradiction("an array", "a pattern"))
            }
            (_, ValueKind::Pattern, Symmetry::SkewSymmetric) => {
                Err(Problem::Contradiction("a pattern", "skew-symmetric"))
            }
            _ => Ok(Self {
                format,
                values,
                symmetry,
            }),
        }
    }
}
