//! From text to matrices.

use std::io::Read;
use std::str;

use sunzi_field::memory::{self, OutOfMemory};

use super::error::{MatrixMarketError, Problem};
use super::header::{Format, Header, Symmetry, ValueKind};
use super::lines::{Lines, Word, Words, natural};
use super::meter::Meter;
use super::values::Values;
use crate::DenseMatrix;
use crate::sparse::compressed::{Compressed, check_count};
use crate::sparse::{CsrMatrix, Line, SparseError};

/// Reads the first line alone: what kind of matrix a file holds.
///
/// ```
/// use sunzi_linalg::sparse::matrix_market::{self, ValueKind};
///
/// let file = "%%MatrixMarket matrix coordinate pattern general\n";
/// assert_eq!(matrix_market::read_header(file.as_bytes())?.values, ValueKind::Pattern);
/// # Ok::<(), matrix_market::MatrixMarketError>(())
/// ```
///
/// # Errors
/// [`MatrixMarketError`] if it is no header, or one of matrices that are not supported.
pub fn read_header(source: impl Read) -> Result<Header, MatrixMarketError> {
    header_line(&mut Lines::new(source)?)
}

/// Takes the first line.
fn header_line(lines: &mut Lines<'_>) -> Result<Header, MatrixMarketError> {
    if !lines.advance()? {
        return Err(lines.error(None, Problem::Empty));
    }
    let text = str::from_utf8(lines.bytes());
    let text = text.map_err(|_| lines.error(None, Problem::NotText))?;
    if text.starts_with('\u{feff}') {
        return Err(lines.error(Some(1), Problem::ByteOrderMark));
    }
    Header::parse(text).map_err(|problem| lines.error(None, problem))
}

/// Reads a sparse matrix; of an array, the entries that are not 0.
///
/// Takes O(m + n + τ) time after parsing; memory for the entries that come, for rows and columns as declared.
///
/// ```
/// use sunzi_field::Fp32;
/// use sunzi_linalg::sparse::matrix_market::{self, Residues};
///
/// let field = Fp32::new(101)?;
/// let file = "%%MatrixMarket matrix coordinate integer general\n1 2 2\n1 1 -1\n1 2 1000\n";
/// let matrix = matrix_market::read(file.as_bytes(), &Residues(&field))?;
/// assert_eq!(matrix.values(), [100, 91]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MatrixMarketError`] says in which line the file is not as the format wants it, or that the matrix is
/// larger than the memory.
pub fn read<V: Values>(
    source: impl Read,
    values: &V,
) -> Result<CsrMatrix<V::Value>, MatrixMarketError>
where
    V::Value: Copy,
{
    Reader::open(source)?.sparse(values)
}

/// Reads a dense matrix; of a coordinate file, with zeros where no entry is.
///
/// ```
/// use sunzi_linalg::sparse::matrix_market::{self, Integers};
///
/// let file = "%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n100000000000000000000\n";
/// let matrix = matrix_market::read_dense(file.as_bytes(), &Integers)?;
/// assert_eq!(matrix[(0, 1)], 3.into());
/// assert_eq!(matrix[(1, 1)].to_string(), "100000000000000000000");
/// # Ok::<(), matrix_market::MatrixMarketError>(())
/// ```
///
/// # Errors
/// As [`read`].
pub fn read_dense<V: Values>(
    source: impl Read,
    values: &V,
) -> Result<DenseMatrix<V::Value>, MatrixMarketError> {
    Reader::open(source)?.dense(values)
}

fn sum_overflow(row: u32, column: u32) -> Problem {
    Problem::SumOverflow {
        row: u64::from(row) + 1,
        column: u64::from(column) + 1,
    }
}

/// A file whose header and sizes are read, and whose entries come next: for those who want to know the shape first.
///
/// ```
/// use sunzi_linalg::sparse::matrix_market::{Reader, Reals};
///
/// let file = "%%MatrixMarket matrix coordinate real general\n2 300 1\n2 300 0.5\n";
/// let reader = Reader::open(file.as_bytes())?;
/// assert_eq!((reader.rows(), reader.columns()), (2, 300));
/// assert_eq!(reader.sparse(&Reals)?.values(), [0.5]);
/// # Ok::<(), sunzi_linalg::sparse::matrix_market::MatrixMarketError>(())
/// ```
pub struct Reader<'a> {
    lines: Lines<'a>,
    header: Header,
    rows: usize,
    columns: usize,
    /// Entries declared, or those of an array of this shape and symmetry.
    declared: u64,
}

impl<'a> Reader<'a> {
    /// Reads the header and the line of sizes.
    ///
    /// # Errors
    /// [`MatrixMarketError`] if they are not as the format wants them, or what they announce is not supported.
    pub fn open(source: impl Read + 'a) -> Result<Self, MatrixMarketError> {
        let mut lines = Lines::new(source)?;
        let header = header_line(&mut lines)?;
        if !lines.advance_to_data()? {
            return Err(lines.error(None, Problem::NoSizes));
        }
        let (expected, names) = match header.format {
            Format::Coordinate => (3, "rows, columns and entries"),
            Format::Array => (2, "rows and columns"),
        };
        let mut sizes = [0; 3];
        let found = lines.words().count();
        if found != expected {
            let problem = Problem::SizeCount {
                found,
                expected,
                names,
            };
            return Err(lines.error(None, problem));
        }
        for (size, word) in sizes.iter_mut().zip(lines.words()) {
            *size = natural(word).map_err(|problem| lines.error(Some(word.column), problem))?;
        }
        let [rows, columns, mut declared] = sizes;
        for (line, count) in [(Line::Row, rows), (Line::Column, columns)] {
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            check_count(line, count).map_err(|error| lines.error(None, error.into()))?;
        }
        if header.symmetry != Symmetry::General && rows != columns {
            let problem = Problem::NotSquare {
                symmetry: header.symmetry,
                rows: rows as usize,
                columns: columns as usize,
            };
            return Err(lines.error(None, problem));
        }
        if header.format == Format::Array {
            // Both factors are below 2^32.
            declared = match header.symmetry {
                Symmetry::General => rows * columns,
                Symmetry::Symmetric => rows * (rows + 1) / 2,
                Symmetry::SkewSymmetric => rows * rows.saturating_sub(1) / 2,
            };
        }
        Ok(Self {
            lines,
            header,
            rows: rows as usize,
            columns: columns as usize,
            declared,
        })
    }

    /// What the first line says.
    pub fn header(&self) -> Header {
        self.header
    }

    /// Rows declared.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Columns declared.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The entries as a sparse matrix, as [`read`] gives it.
    ///
    /// # Errors
    /// As [`read`].
    pub fn sparse<V: Values>(mut self, values: &V) -> Result<CsrMatrix<V::Value>, MatrixMarketError>
    where
        V::Value: Copy,
    {
        let mut entries = Vec::new();
        let mut meter = Meter::new();
        let array = self.header.format == Format::Array;
        self.entries(values, |row, column, value| {
            if array && values.is_zero(&value) {
                return Ok(());
            }
            let bytes = size_of::<(u32, u32, V::Value)>() as u64;
            meter.add(bytes.saturating_add(values.heap_bytes(&value)))?;
            entries.push((row, column, value));
            Ok(())
        })?;
        // They are sorted by columns, and then by rows.
        let sorted = (size_of::<u32>() + size_of::<V::Value>()) as u64 * entries.len() as u64;
        memory::require(2 * sorted).map_err(|error| self.error(error.into()))?;
        let shape = (self.rows, self.columns);
        let add = |a, b| values.sum(a, b);
        let lines = Compressed::from_entries(Line::Row, shape, entries.iter().copied(), add);
        let matrix = CsrMatrix::of(lines.map_err(|error| self.error(error))?);
        let invalid = matrix.triplets().find(|(_, _, sum)| !values.is_valid(sum));
        if let Some((row, column, _)) = invalid {
            return Err(self.lines.error(None, sum_overflow(row, column)));
        }
        Ok(matrix)
    }

    /// The entries as a dense matrix, as [`read_dense`] gives it.
    ///
    /// # Errors
    /// As [`read`].
    pub fn dense<V: Values>(
        mut self,
        values: &V,
    ) -> Result<DenseMatrix<V::Value>, MatrixMarketError> {
        let mut meter = Meter::new();
        let (rows, columns) = (self.rows, self.columns);
        if rows == 0 || columns == 0 {
            // No loop over what may be billions of rows of nothing; entries that come are errors.
            self.entries(values, |_, _, _| Ok(()))?;
            return Ok(DenseMatrix::new(rows, columns, Vec::new()).expect("no entries"));
        }
        let size = size_of::<V::Value>() as u64;
        if self.header.format == Format::Array && self.header.symmetry == Symmetry::General {
            // As many entries as the matrix has: nothing is taken before they come.
            let mut entries = Vec::new();
            self.entries(values, |_, _, value| {
                meter.add(size.saturating_add(values.heap_bytes(&value)))?;
                entries.push(value);
                Ok(())
            })?;
            let by_columns =
                DenseMatrix::new(columns, rows, entries).expect("as many as were counted");
            if rows != columns {
                // Entries move to a second row of places; the digits of large ones stay where they are.
                let moved =
                    2 * size_of::<Option<V::Value>>() as u64 * by_columns.entries().len() as u64;
                memory::require(moved).map_err(|error| self.error(error.into()))?;
            }
            return Ok(by_columns.into_transposed());
        }
        let needed = (rows as u64)
            .saturating_mul(columns as u64)
            .saturating_mul(size.max(1));
        memory::require(needed).map_err(|error| self.error(error.into()))?;
        let mut matrix = DenseMatrix::from_fn(rows, columns, |_, _| values.zero());
        let mut invalid = None;
        self.entries(values, |row, column, value| {
            meter.add(values.heap_bytes(&value))?;
            let place = &mut matrix[(row as usize, column as usize)];
            let sum = values.sum(place.clone(), value);
            if !values.is_valid(&sum) {
                invalid.get_or_insert((row, column));
            }
            *place = sum;
            Ok(())
        })?;
        match invalid {
            None => Ok(matrix),
            Some((row, column)) => Err(self.lines.error(None, sum_overflow(row, column))),
        }
    }

    fn error(&self, error: SparseError) -> MatrixMarketError {
        self.lines.error(None, Problem::Matrix(error))
    }

    /// Gives all entries to `take` as they come, those that follow by symmetry too, for as long as it finds room.
    fn entries<V: Values>(
        &mut self,
        values: &V,
        mut take: impl FnMut(u32, u32, V::Value) -> Result<(), OutOfMemory>,
    ) -> Result<(), MatrixMarketError> {
        // The next place of an array, which goes down the columns.
        let below = u64::from(self.header.symmetry == Symmetry::SkewSymmetric);
        let mut place = (below, 0);
        let mut found = 0;
        while self.lines.advance_to_data()? {
            let mut words = self.lines.words();
            loop {
                if found == self.declared {
                    let column = words.next().map(|word| word.column);
                    let declared = self.declared;
                    return Err(self.lines.error(column, Problem::TooMany { declared }));
                }
                let (row, column) = match self.header.format {
                    Format::Coordinate => self.place(&mut words)?,
                    Format::Array => place,
                };
                let value = self.value(values, words.next())?;
                found += 1;
                let mirrored = match self.header.symmetry {
                    _ if row == column => None,
                    Symmetry::General => None,
                    Symmetry::Symmetric => Some(value.clone()),
                    Symmetry::SkewSymmetric => Some(values.negated(&value)),
                };
                let taken = match mirrored {
                    Some(mirrored) => take(column as u32, row as u32, mirrored),
                    None => Ok(()),
                };
                taken
                    .and_then(|()| take(row as u32, column as u32, value))
                    .map_err(|error| self.error(error.into()))?;
                let Some(next) = words.clone().next() else {
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
        if found < self.declared {
            let declared = self.declared;
            return Err(self.lines.error(None, Problem::TooFew { found, declared }));
        }
        Ok(())
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
    fn place(&self, words: &mut Words<'_>) -> Result<(u64, u64), MatrixMarketError> {
        let (row, _) = self.index(words, "row", self.rows)?;
        let (column, at) = self.index(words, "column", self.columns)?;
        if self.header.symmetry != Symmetry::General && column >= row {
            if column > row {
                let problem = Problem::AboveDiagonal {
                    row: row + 1,
                    column: column + 1,
                };
                return Err(self.lines.error(Some(at), problem));
            }
            if self.header.symmetry == Symmetry::SkewSymmetric {
                let problem = Problem::Diagonal { row: row + 1 };
                return Err(self.lines.error(Some(at), problem));
            }
        }
        Ok((row, column))
    }

    /// An index from 0, written from 1, and where it is in its line.
    #[inline]
    fn index(
        &self,
        words: &mut Words<'_>,
        what: &'static str,
        count: usize,
    ) -> Result<(u64, usize), MatrixMarketError> {
        let (index, at) = match words.next_natural() {
            Some(found) => found,
            None => self.unusual_index(words, what)?,
        };
        if (1..=count as u64).contains(&index) {
            return Ok((index - 1, at));
        }
        let problem = Problem::Index { what, index, count };
        Err(self.lines.error(Some(at), problem))
    }

    /// An index of many digits, or what is wrong with it.
    #[cold]
    fn unusual_index(
        &self,
        words: &mut Words<'_>,
        what: &'static str,
    ) -> Result<(u64, usize), MatrixMarketError> {
        let Some(word) = words.next() else {
            return Err(self.lines.error(None, Problem::Short(what)));
        };
        match natural(word) {
            Ok(index) => Ok((index, word.column)),
            Err(problem) => Err(self.lines.error(Some(word.column), problem)),
        }
    }

    #[inline]
    fn value<V: Values>(
        &self,
        values: &V,
        word: Option<Word<'_>>,
    ) -> Result<V::Value, MatrixMarketError> {
        if self.header.values == ValueKind::Pattern {
            return match word {
                None => Ok(values.one()),
                Some(word) => {
                    let problem = Problem::Long(word.shown());
                    Err(self.lines.error(Some(word.column), problem))
                }
            };
        }
        let Some(word) = word else {
            return Err(self.lines.error(None, Problem::Short("a value")));
        };
        let value = match str::from_utf8(word.bytes) {
            Err(_) => Err(Problem::NotText),
            Ok(text) if self.header.values == ValueKind::Integer => values.integer(text),
            Ok(text) => values.real(text),
        };
        value.map_err(|problem| self.lines.error(Some(word.column), problem))
    }
}
