//! From text to matrices.

use std::io::Read;
use std::str;

use sunzi_machine::memory::{Budget, Drawn, OutOfMemory};

use super::entries::Entries;
use super::error::{MatrixMarketError, Problem, shown};
use super::halves::{self, GivenPlaces};
use super::header::{Format, Header, Symmetry, ValueKind};
use super::lines::{Lines, natural};
use super::values::Values;
use super::warning::{Irregular, Warning};
use crate::{
    compressed::{Compressed, check_count},
    error::Line,
    matrix::CsrMatrix,
};
use sunzi_linalg::dense::DenseMatrix;

/// Reads a sparse matrix; of an array, the entries that are not 0.
///
/// Takes O(m + n + τ) time after parsing; memory for the entries that come, for rows and columns as declared.
///
/// ```
/// use sunzi::field::Fp32;
/// use sunzi::sparse::matrix_market;
/// use sunzi::sparse::matrix_market::Residues;
///
/// let field = Fp32::new(101)?;
/// let file = "%%MatrixMarket matrix coordinate integer general\n1 2 2\n1 1 -1\n1 2 1000\n";
/// let matrix = matrix_market::read(file.as_bytes(), &Residues(&field))?;
/// assert_eq!(matrix.values(), [100, 91]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`MatrixMarketError`] says which line breaks the rules of the format, or that the matrix is
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
/// use sunzi::sparse::matrix_market;
/// use sunzi::sparse::matrix_market::Integers;
///
/// let file = "%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n100000000000000000000\n";
/// let matrix = matrix_market::read_dense(file.as_bytes(), &Integers)?;
/// assert_eq!(matrix[(0, 1)], 3);
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

/// A file whose header and sizes have been read and whose entries come next: callers can look at the shape first.
///
/// ```
/// use sunzi::sparse::matrix_market::{Reader, Reals};
///
/// let file = "%%MatrixMarket matrix coordinate real general\n2 300 1\n2 300 0.5\n";
/// let reader = Reader::open(file.as_bytes())?;
/// assert_eq!((reader.rows(), reader.columns()), (2, 300));
/// assert_eq!(reader.sparse(&Reals)?.values(), [0.5]);
/// # Ok::<(), sunzi::sparse::matrix_market::MatrixMarketError>(())
/// ```
pub struct Reader<'a> {
    entries: Entries<'a>,
    drawn: Drawn,
    warnings: Option<&'a mut Vec<Warning>>,
}

impl<'a> Reader<'a> {
    /// Reads the header and the line of sizes.
    ///
    /// # Errors
    /// [`MatrixMarketError`] if they are not as the format wants them, or what they announce is not supported.
    pub fn open(source: impl Read + 'a) -> Result<Self, MatrixMarketError> {
        let mut lines = Lines::new(source)?;
        let header = read_header(&mut lines)?;
        if !lines.advance_to_data()? {
            return Err(lines.error(None, Problem::NoSizes));
        }
        let (expected, names) = match header.format {
            Format::Coordinate => (3, "rows, columns and entries"),
            Format::Array => (2, "rows and columns"),
        };
        let mut sizes = [0; 3];
        let found = lines.tokens().count();
        if found != expected {
            let problem = Problem::SizeCount {
                found,
                expected,
                names,
            };
            return Err(lines.error(None, problem));
        }
        for (size, token) in sizes.iter_mut().zip(lines.tokens()) {
            *size = natural(token).map_err(|problem| lines.error(Some(token.column), problem))?;
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
            entries: Entries {
                lines,
                header,
                rows: rows as usize,
                columns: columns as usize,
                declared,
                above: Irregular::default(),
                diagonal: Irregular::default(),
            },
            drawn: Drawn::new(Budget::system()),
            warnings: None,
        })
    }

    /// The same file, whose matrix takes no more memory than the budget has.
    ///
    /// ```
    /// use sunzi::memory::Budget;
    /// use sunzi::sparse::matrix_market::{Reader, Reals};
    ///
    /// let file = "%%MatrixMarket matrix coordinate real general\n2 300 1\n2 300 0.5\n";
    /// let reader = Reader::open(file.as_bytes())?.within(Budget::within(Some(1000)));
    /// assert!(reader.sparse(&Reals).is_err());
    /// # Ok::<(), sunzi::sparse::matrix_market::MatrixMarketError>(())
    /// ```
    #[must_use]
    pub fn within(self, budget: Budget) -> Self {
        let drawn = Drawn::new(budget);
        Self { drawn, ..self }
    }

    /// The same file, of which `warnings` is told what breaks the format and is read all the same: see [`Warning`].
    #[must_use]
    pub fn with_warnings(self, warnings: &'a mut Vec<Warning>) -> Self {
        let warnings = Some(warnings);
        Self { warnings, ..self }
    }

    /// What the first line says.
    pub fn header(&self) -> Header {
        self.entries.header
    }

    /// Rows declared.
    pub fn rows(&self) -> usize {
        self.entries.rows
    }

    /// Columns declared.
    pub fn columns(&self) -> usize {
        self.entries.columns
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
        let array = self.entries.header.format == Format::Array;
        // They are sorted by columns, and then by rows.
        let sorted = 2 * (size_of::<u32>() + size_of::<V::Value>()) as u64;
        let drawn = &self.drawn;
        self.entries.for_each(values, drawn, |row, column, value| {
            if array && values.is_zero(&value) {
                return Ok(());
            }
            let bytes = size_of::<(u32, u32, V::Value)>() as u64;
            drawn.draw(bytes.saturating_add(values.heap_bytes(&value)), sorted)?;
            entries.push((row, column, value));
            Ok(())
        })?;
        if self.entries.header.symmetry != Symmetry::General {
            let twice = halves::complete(&self.entries, values, drawn, &mut entries)?;
            self.tell(twice);
        }
        let drawn = &self.drawn;
        let starts = 8 * (self.entries.rows as u64 + self.entries.columns as u64);
        drawn.rest(starts).map_err(|error| self.too_large(error))?;
        let shape = (self.entries.rows, self.entries.columns);
        let add = |a, b| values.sum(a, b);
        let lines = Compressed::from_entries(Line::Row, shape, entries.iter().copied(), add);
        let lines = lines.map_err(|error| self.entries.refusal(error))?;
        let matrix = CsrMatrix::of(lines);
        let invalid = matrix.iter().find(|(_, _, sum)| !values.is_valid(sum));
        if let Some((row, column, _)) = invalid {
            return Err(self.entries.lines.error(None, sum_overflow(row, column)));
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
        let drawn = &self.drawn;
        let (rows, columns) = (self.entries.rows, self.entries.columns);
        if rows == 0 || columns == 0 {
            // No loop over what may be billions of rows of nothing; entries that come are errors.
            self.entries.for_each(values, drawn, |_, _, _| Ok(()))?;
            return Ok(DenseMatrix::new(rows, columns, Vec::new()).expect("no entries"));
        }
        let size = size_of::<V::Value>() as u64;
        if self.entries.header.format == Format::Array
            && self.entries.header.symmetry == Symmetry::General
        {
            // As many entries as the matrix has: nothing is taken before they come.
            let mut entries = Vec::new();
            self.entries.for_each(values, drawn, |_, _, value| {
                drawn.draw(size.saturating_add(values.heap_bytes(&value)), 0)?;
                entries.push(value);
                Ok(())
            })?;
            let by_columns =
                DenseMatrix::new(columns, rows, entries).expect("as many as were counted");
            if rows != columns {
                // Entries move to a second row of places; the digits of large ones stay where they are.
                let moved =
                    2 * size_of::<Option<V::Value>>() as u64 * by_columns.entries().len() as u64;
                drawn.rest(moved).map_err(|error| self.too_large(error))?;
            }
            return Ok(by_columns.into_transposed());
        }
        let has_halves = self.entries.header.symmetry != Symmetry::General;
        let mut needed = (rows as u64)
            .saturating_mul(columns as u64)
            .saturating_mul(size.max(1));
        if has_halves {
            needed = needed.saturating_add(GivenPlaces::bytes(rows));
        }
        drawn.rest(needed).map_err(|error| self.too_large(error))?;
        let mut matrix = DenseMatrix::from_fn(rows, columns, |_, _| values.zero());
        let mut is_given = has_halves.then(|| GivenPlaces::none(rows));
        let mut invalid = None;
        self.entries.for_each(values, drawn, |row, column, value| {
            drawn.draw(values.heap_bytes(&value), 0)?;
            let place = &mut matrix[(row as usize, column as usize)];
            let sum = values.sum(place.clone(), value);
            if !values.is_valid(&sum) {
                invalid.get_or_insert((row, column));
            }
            *place = sum;
            if let Some(is_given) = &mut is_given {
                is_given.add(row as usize, column as usize);
            }
            Ok(())
        })?;
        if let Some(is_given) = is_given {
            let file = &self.entries;
            let twice = halves::complete_dense(file, values, drawn, &mut matrix, &is_given)?;
            self.tell(twice);
        }
        match invalid {
            None => Ok(matrix),
            Some((row, column)) => Err(self.entries.lines.error(None, sum_overflow(row, column))),
        }
    }

    /// Tells what breaks the format; so many places were given on both sides of the diagonal.
    fn tell(&mut self, given_twice: u64) {
        if let Some(warnings) = &mut self.warnings {
            warnings.extend(self.entries.warnings(given_twice));
        }
    }

    fn too_large(&self, error: OutOfMemory) -> MatrixMarketError {
        self.entries.refusal(error.into())
    }
}

/// Takes the first line.
fn read_header(lines: &mut Lines<'_>) -> Result<Header, MatrixMarketError> {
    if !lines.advance()? {
        return Err(lines.error(None, Problem::Empty));
    }
    let text = str::from_utf8(lines.bytes());
    let text = text.map_err(|_| lines.error(None, Problem::NotText))?;
    parse_header(text).map_err(|problem| lines.error(None, problem))
}

/// Reads `%%MatrixMarket matrix FORMAT VALUES SYMMETRY`, in letters of either case.
fn parse_header(line: &str) -> Result<Header, Problem> {
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
        "integer" | "unsigned-integer" => ValueKind::Integer,
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
        _ => Ok(Header {
            format,
            values,
            symmetry,
        }),
    }
}
