//! Where a file breaks the format and is read all the same.

use std::fmt;

use super::header::Symmetry;

/// What a file has that the format does not want: the first line of its kind, and how many there are.
///
/// ```
/// use sunzi::sparse::matrix_market::{Reader, Reals, WarningKind};
///
/// let file = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 4\n1 2 -1.5\n";
/// let mut warnings = Vec::new();
/// let matrix = Reader::open(file.as_bytes())?.with_warnings(&mut warnings).sparse(&Reals)?;
/// assert_eq!(matrix.row(1), (&[0][..], &[-1.5][..]));
/// assert_eq!(
///     warnings[0].to_string(),
///     "line 4: an entry above the diagonal of a symmetric file, which holds those below: it is mirrored as they are"
/// );
/// # Ok::<(), sunzi::sparse::matrix_market::MatrixMarketError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The first line of this kind, counted from 1.
    pub line: u64,
    /// How many entries there are of this kind.
    pub entries: u64,
    /// What is the matter.
    pub kind: WarningKind,
}

/// The kinds of [`Warning`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarningKind {
    /// Entries above the diagonal of a file that should hold those below, and is mirrored.
    AboveDiagonal {
        /// The symmetry in the header.
        symmetry: Symmetry,
        /// Places among them that are given below the diagonal, too, with values that agree: they count once.
        given_twice: u64,
    },
    /// Entries on the diagonal of a skew-symmetric file, which are kept as they are.
    Diagonal,
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line;
        let (entries, mirrored, kept) = match self.entries {
            1 => (
                "an entry".to_owned(),
                "it is mirrored as they are",
                "it is kept as it is",
            ),
            count => (
                format!("the first of {count} entries"),
                "they are mirrored as those are",
                "they are kept as they are",
            ),
        };
        match self.kind {
            WarningKind::AboveDiagonal {
                symmetry,
                given_twice,
            } => {
                write!(
                    formatter,
                    "line {line}: {entries} above the diagonal of a {symmetry} file, which holds those below: {mirrored}"
                )?;
                match given_twice {
                    0 => Ok(()),
                    1 => write!(
                        formatter,
                        "; 1 place is given below the diagonal, too: it counts once"
                    ),
                    _ => write!(
                        formatter,
                        "; {given_twice} places are given below the diagonal, too: each counts once"
                    ),
                }
            }
            WarningKind::Diagonal => write!(
                formatter,
                "line {line}: {entries} on the diagonal of a skew-symmetric file, which should have none: {kept}"
            ),
        }
    }
}

/// Entries of a kind, while a file is read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Irregular {
    first_line: u64,
    pub(super) count: u64,
}

impl Irregular {
    #[cold]
    pub(super) fn add(&mut self, line: u64) {
        if self.count == 0 {
            self.first_line = line;
        }
        self.count += 1;
    }

    /// What is told of them, if there are any.
    pub(super) fn warning(self, kind: WarningKind) -> Option<Warning> {
        (self.count > 0).then_some(Warning {
            line: self.first_line,
            entries: self.count,
            kind,
        })
    }
}
