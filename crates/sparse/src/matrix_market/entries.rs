//! The entries of a file, one after the other.

use std::str;

use sunzi_machine::memory::{Drawn, OutOfMemory};

use super::error::{MatrixMarketError, Problem};
use super::header::{Format, Header, Symmetry, ValueKind};
use super::lines::{Lines, Token, Tokens, natural};
use super::values::Values;
use super::warning::{Irregular, Warning, WarningKind};
use crate::error::SparseError;

/// The entries of a file whose header and sizes have been read.
pub(super) struct Entries<'a> {
    pub(super) lines: Lines<'a>,
    pub(super) header: Header,
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// Entries declared, or those of an array of this shape and symmetry.
    pub(super) declared: u64,
    /// Entries above the diagonal of a file that should hold those below.
    pub(super) above: Irregular,
    /// Entries on the diagonal of a file that should have none.
    pub(super) diagonal: Irregular,
}

impl Entries<'_> {
    /// Passes the entries of the file to `take` as they come, without those that follow by symmetry, until `take` fails,
    /// or what is drawn exceeds its limit when a block of the file has been read.
    pub(super) fn for_each<V: Values>(
        &mut self,
        values: &V,
        drawn: &Drawn,
        mut take: impl FnMut(u32, u32, V::Value) -> Result<(), OutOfMemory>,
    ) -> Result<(), MatrixMarketError> {
        // The next place of an array, which goes down the columns.
        let below = u64::from(self.header.symmetry == Symmetry::SkewSymmetric);
        let mut place = (below, 0);
        let mut found = 0;
        let mut bytes_read = self.lines.bytes_read();
        while self.lines.advance_to_data()? {
            if bytes_read != self.lines.bytes_read() {
                bytes_read = self.lines.bytes_read();
                self.check(drawn.check())?;
            }
            let mut tokens = self.lines.tokens();
            loop {
                if found == self.declared {
                    let column = tokens.next().map(|token| token.column);
                    let declared = self.declared;
                    return Err(self.lines.error(column, Problem::TooMany { declared }));
                }
                let (row, column) = match self.header.format {
                    Format::Coordinate => self.place(&mut tokens)?,
                    Format::Array => place,
                };
                let value = self.value(values, tokens.next())?;
                found += 1;
                if column >= row {
                    match self.header.symmetry {
                        Symmetry::General => {}
                        _ if column > row => self.above.add(self.lines.number()),
                        Symmetry::Symmetric => {}
                        Symmetry::SkewSymmetric => self.diagonal.add(self.lines.number()),
                    }
                }
                self.check(take(row as u32, column as u32, value))?;
                let Some(next) = tokens.clone().next() else {
                    place = self.next_of_array(place);
                    break;
                };
                // Dense lines are common in arrays; in a coordinate file an entry has a line.
                if self.header.format == Format::Coordinate {
                    let problem = Problem::Long(next.shown());
                    return Err(self.lines.error(Some(next.column), problem));
                }
                place = self.next_of_array(place);
            }
        }
        self.check(drawn.check())?;
        if found < self.declared {
            let declared = self.declared;
            return Err(self.lines.error(None, Problem::TooFew { found, declared }));
        }
        Ok(())
    }

    #[inline]
    fn check(&self, room: Result<(), OutOfMemory>) -> Result<(), MatrixMarketError> {
        room.map_err(|error| self.refusal(error.into()))
    }

    /// Why entries cannot become a matrix, after the line that was read last.
    pub(super) fn refusal(&self, error: SparseError) -> MatrixMarketError {
        self.lines.error(None, Problem::Matrix(error))
    }

    /// What the entries that have been read have, and the format does not want; of those above the diagonal, so many places
    /// are given below it, too.
    pub(super) fn warnings(&self, given_twice: u64) -> impl Iterator<Item = Warning> {
        let above = self.above.warning(WarningKind::AboveDiagonal {
            symmetry: self.header.symmetry,
            given_twice,
        });
        let diagonal = self.diagonal.warning(WarningKind::Diagonal);
        above.into_iter().chain(diagonal)
    }

    /// The place of an array after (row, column).
    fn next_of_array(&self, (row, column): (u64, u64)) -> (u64, u64) {
        if row + 1 < self.rows as u64 {
            return (row + 1, column);
        }
        let top = match self.header.symmetry {
            Symmetry::General => 0,
            Symmetry::Symmetric => column + 1,
            Symmetry::SkewSymmetric => column + 2,
        };
        (top, column + 1)
    }

    /// The place that an entry's line starts with, from 0.
    #[inline]
    fn place(&self, tokens: &mut Tokens<'_>) -> Result<(u64, u64), MatrixMarketError> {
        let row = self.index(tokens, "row", self.rows)?;
        let column = self.index(tokens, "column", self.columns)?;
        Ok((row, column))
    }

    /// An index from 0, written from 1.
    #[inline]
    fn index(
        &self,
        tokens: &mut Tokens<'_>,
        what: &'static str,
        count: usize,
    ) -> Result<u64, MatrixMarketError> {
        let (index, at) = match tokens.next_natural() {
            Some(found) => found,
            None => self.unusual_index(tokens, what)?,
        };
        if (1..=count as u64).contains(&index) {
            return Ok(index - 1);
        }
        let problem = Problem::Index { what, index, count };
        Err(self.lines.error(Some(at), problem))
    }

    /// An index of many digits, or what is wrong with it.
    #[cold]
    fn unusual_index(
        &self,
        tokens: &mut Tokens<'_>,
        what: &'static str,
    ) -> Result<(u64, usize), MatrixMarketError> {
        let Some(token) = tokens.next() else {
            return Err(self.lines.error(None, Problem::Short(what)));
        };
        match natural(token) {
            Ok(index) => Ok((index, token.column)),
            Err(problem) => Err(self.lines.error(Some(token.column), problem)),
        }
    }

    #[inline]
    fn value<V: Values>(
        &self,
        values: &V,
        token: Option<Token<'_>>,
    ) -> Result<V::Value, MatrixMarketError> {
        if self.header.values == ValueKind::Pattern {
            return match token {
                None => Ok(values.one()),
                Some(token) => {
                    let problem = Problem::Long(token.shown());
                    Err(self.lines.error(Some(token.column), problem))
                }
            };
        }
        let Some(token) = token else {
            return Err(self.lines.error(None, Problem::Short("a value")));
        };
        let value = match str::from_utf8(token.bytes) {
            Err(_) => Err(Problem::NotText),
            Ok(text) if self.header.values == ValueKind::Integer => values.integer(text),
            Ok(text) => values.real(text),
        };
        value.map_err(|problem| {
            let offset = match problem {
                Problem::Entry { offset, .. } => offset,
                _ => 0,
            };
            self.lines.error(Some(token.column + offset), problem)
        })
    }
}
