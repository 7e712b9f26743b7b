//! What the first line of a file says.

use std::fmt;

/// How entries are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Row, column and value of each entry.
    Coordinate,
    /// All values, column by column.
    Array,
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Coordinate => "coordinate",
            Self::Array => "array",
        })
    }
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

impl fmt::Display for ValueKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Real => "real",
            Self::Integer => "integer",
            Self::Pattern => "pattern",
        })
    }
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

impl Symmetry {
    /// Whether an entry stands in the file, and does not follow from the one at the mirrored place.
    pub(super) fn is_stored<I: PartialOrd>(self, row: I, column: I) -> bool {
        match self {
            Self::General => true,
            Self::Symmetric => row >= column,
            Self::SkewSymmetric => row > column,
        }
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
