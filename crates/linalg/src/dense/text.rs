//! Matrices as text: `[[1, 2], [3, 4]]`.

use super::matrix::DenseMatrix;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// `[[1, 2], [3, 4]]`; with `{:#}` a row a line, as numbers under each other.
///
/// ```
/// use sunzi::matrix::DenseMatrix;
///
/// let matrix = DenseMatrix::new(2, 2, vec![1, -20, 3, 4])?;
/// assert_eq!(matrix.to_string(), "[[1, -20], [3, 4]]");
/// assert_eq!(format!("{matrix:#}"), "1 -20\n3   4");
/// # Ok::<(), sunzi::matrix::MatrixError>(())
/// ```
impl<E: fmt::Display> fmt::Display for DenseMatrix<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.alternate() {
            true => self.write_lines(f),
            false => self.write_list(f),
        }
    }
}

impl<E: fmt::Display> DenseMatrix<E> {
    fn write_list(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (i, row) in self.row_iter().enumerate() {
            f.write_str(if i == 0 { "[" } else { ", [" })?;
            for (j, entry) in row.iter().enumerate() {
                f.write_str(if j == 0 { "" } else { ", " })?;
                entry.fmt(f)?;
            }
            f.write_str("]")?;
        }
        f.write_str("]")
    }

    /// Columns are as wide as their widest entry.
    fn write_lines(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |entry: &E| match f.precision() {
            Some(precision) => format!("{entry:.precision$}"),
            None => entry.to_string(),
        };
        let texts: Vec<String> = self.entries().iter().map(text).collect();
        let width = |j: usize| {
            let column = texts.iter().skip(j).step_by(self.columns());
            column.map(|text| text.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.columns()).map(width).collect();
        for i in 0..self.rows() {
            f.write_str(if i == 0 { "" } else { "\n" })?;
            for (j, width) in widths.iter().enumerate() {
                f.write_str(if j == 0 { "" } else { " " })?;
                write!(f, "{:>width$}", texts[i * self.columns() + j])?;
            }
        }
        Ok(())
    }
}

/// Why a text is no matrix.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseMatrixError {
    /// A bracket is missing, or is where none belongs.
    #[error("byte {offset}: write a matrix as [[1, 2], [3, 4]], as [1, 2; 3, 4], or a row a line")]
    Bracket {
        /// At which byte.
        offset: usize,
    },
    /// An entry is not one.
    #[error("row {row}, column {column}: '{text}' is no entry of such a matrix")]
    Entry {
        /// Its row, from 1.
        row: usize,
        /// Its column, from 1.
        column: usize,
        /// What stands there.
        text: String,
    },
    /// A row has another number of entries than the first one.
    #[error("row {row} has {entries} entries, and the first row {columns}")]
    Ragged {
        /// Which one, from 1.
        row: usize,
        /// How many it has.
        entries: usize,
        /// How many the first one has.
        columns: usize,
    },
}

/// Reads `[[1, 2], [3, 4]]`, `[1, 2; 3, 4]`, and a row a line with or without brackets around all; entries are separated by commas or blanks.
///
/// ```
/// use sunzi::Rational;
/// use sunzi::matrix::DenseMatrix;
///
/// let matrix: DenseMatrix<Rational> = "1/2 0.25\n3 4".parse()?;
/// assert_eq!(matrix.to_string(), "[[1/2, 1/4], [3, 4]]");
/// # Ok::<(), sunzi::matrix::ParseMatrixError>(())
/// ```
impl<E: FromStr> FromStr for DenseMatrix<E> {
    type Err = ParseMatrixError;

    fn from_str(text: &str) -> Result<Self, ParseMatrixError> {
        let mut columns = None;
        let mut entries = Vec::new();
        let rows = rows(text)?;
        for (i, row) in rows.iter().enumerate() {
            let start = entries.len();
            for (j, word) in words(row).enumerate() {
                let entry = word.parse().map_err(|_| ParseMatrixError::Entry {
                    row: i + 1,
                    column: j + 1,
                    text: word.chars().take(SHOWN).collect(),
                })?;
                entries.push(entry);
            }
            let found = entries.len() - start;
            let wanted = *columns.get_or_insert(found);
            if found != wanted {
                return Err(ParseMatrixError::Ragged {
                    row: i + 1,
                    entries: found,
                    columns: wanted,
                });
            }
        }
        Ok(Self::with_entries(
            rows.len(),
            columns.unwrap_or(0),
            entries,
        ))
    }
}

/// Characters of a wrong entry that are told.
const SHOWN: usize = 40;

/// The entries of a row.
fn words(row: &str) -> impl Iterator<Item = &str> {
    let row = row.trim();
    // Between commas an entry may be missing, between blanks not.
    let parts = row.split(',').flat_map(|part| {
        let mut words = part.split_whitespace().peekable();
        let missing = words.peek().is_none().then_some("");
        missing.into_iter().chain(words)
    });
    parts.skip(usize::from(row.is_empty()))
}

/// The rows without their brackets.
fn rows(text: &str) -> Result<Vec<&str>, ParseMatrixError> {
    let at = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let wrong = |part: &str| Err(ParseMatrixError::Bracket { offset: at(part) });
    let trimmed = text.trim();
    let inside = match trimmed.strip_prefix('[') {
        None => trimmed,
        Some(rest) => match rest.strip_suffix(']') {
            Some(inside) => inside.trim(),
            None => return wrong(&trimmed[trimmed.len()..]),
        },
    };
    if !inside.starts_with('[') {
        if let Some(offset) = inside.find(['[', ']']) {
            return wrong(&inside[offset..]);
        }
        let rows = inside.split([';', '\n']).map(str::trim);
        return Ok(rows.filter(|row| !row.is_empty()).collect());
    }
    let (mut rows, mut rest) = (Vec::new(), inside);
    loop {
        let Some(row) = rest.strip_prefix('[') else {
            return wrong(rest);
        };
        let end = row.find(['[', ']']).unwrap_or(row.len());
        if !row[end..].starts_with(']') {
            return wrong(&row[end..]);
        }
        rows.push(&row[..end]);
        rest = row[end + 1..].trim_start();
        if rest.is_empty() {
            return Ok(rows);
        }
        // A comma between rows, or a line.
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
}
