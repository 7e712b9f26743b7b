//! Dense matrices: Matrix Market files, or a row a line.

use crate::report::{Seconds, timed};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use sunzi::{
    matrix::DenseMatrix,
    memory::Budget,
    sparse::matrix_market::{Problem, Values},
};
use sunzi_files::failure::Failure;
use sunzi_files::input::LineError;
use sunzi_files::input::lines::LineReader;
use sunzi_files::input::market;
use sunzi_files::input::source::Source;
use sunzi_files::input::table::{self, Table};
use sunzi_files::memory;
use sunzi_files::progress::Progress;

/// What a matrix is read for.
#[derive(Clone, Copy, Debug)]
pub struct Purpose {
    /// What needs memory, in sentences: `determinant`.
    pub work: &'static str,
    /// What needs as many rows as columns, if anything does: `a determinant`.
    pub square: Option<&'static str>,
    /// Copies of the matrix that are worked on beside it.
    pub copies: u64,
    /// The memory that there is.
    pub budget: Budget,
}

/// With fewer entries than these, a file is read to its end to tell what it holds.
const MANY_ENTRIES: usize = 1 << 20;

/// What entries are: values of Matrix Market files, for which [`read_number`] and [`read_integer`] stand ready, and words
/// of other files.
pub trait Entries: Values<Value: Send> + Sync {
    /// Reads a word of the file.
    fn read(&self, word: &[u8]) -> Result<Self::Value, LineError>;

    /// How many bytes an entry takes, without its digits.
    fn bytes(&self) -> u64 {
        size_of::<Self::Value>() as u64
    }

    /// About how many bytes more it takes in each copy that is worked on, without its digits.
    fn working_bytes(&self) -> u64 {
        self.bytes()
    }
}

/// An entry of a Matrix Market file.
pub fn read_number<E: Entries>(entries: &E, text: &str) -> Result<E::Value, Problem> {
    entries
        .read(text.as_bytes())
        .map_err(|error| Problem::Entry {
            offset: error.offset,
            problem: error.problem,
        })
}

/// An entry of a Matrix Market file of integers.
pub fn read_integer<E: Entries>(entries: &E, text: &str) -> Result<E::Value, Problem> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    match digits.bytes().all(|byte| byte.is_ascii_digit()) {
        true => read_number(entries, text),
        false => Err(Problem::NotNumber {
            text: text.to_owned(),
            kind: "integer",
        }),
    }
}

/// A matrix and where it comes from.
pub struct Input<M> {
    /// The name of the file in sentences.
    pub name: String,
    pub matrix: M,
}

/// Reads a matrix, which has to be square if its purpose needs that.
pub fn read<E: Entries>(
    file: &Path,
    purpose: Purpose,
    entries: &E,
    seconds: &mut Seconds,
) -> Result<Input<DenseMatrix<E::Value>>, Failure> {
    let mut source = Source::open(file)?;
    let name = source.name.clone();
    // No number starts like the header of a Matrix Market file.
    let is_market = source.first_byte()? == Some(b'%');
    let matrix = timed(&mut seconds.reading, || match is_market {
        true => read_market(source, entries, purpose),
        false => read_table(source, entries, purpose),
    })?;
    purpose.check_shape(&name, (matrix.rows(), matrix.columns()))?;
    Ok(Input { name, matrix })
}

impl Purpose {
    /// Refuses a matrix of this shape if it has to be square.
    fn check_shape(self, name: &str, shape: (usize, usize)) -> Result<(), Failure> {
        match self.square {
            Some(who) if shape.0 != shape.1 => Err(not_square(name, "", shape, who)),
            _ => Ok(()),
        }
    }

    /// Refuses a matrix of `count` entries, with digits of this many bytes, that leaves no room for the work on it, which
    /// makes `more` bytes of digits.
    pub fn check_memory<E: Entries>(
        self,
        name: &str,
        entries: &E,
        (count, digits): (usize, u64),
        more: u64,
    ) -> Result<(), Failure> {
        let held = entries.bytes().saturating_mul(count as u64) + digits;
        let copy = entries.working_bytes().saturating_mul(count as u64);
        let more = copy.saturating_mul(self.copies).saturating_add(more);
        memory::check(name, self.work, more, self.budget.holding(held))
    }
}

/// Refuses a matrix of this many rows, or `more`, that `who` cannot take.
fn not_square(name: &str, more: &str, (rows, columns): (usize, usize), who: &str) -> Failure {
    Failure::Computation(format!(
        "{name}: the matrix has {more}{} and {}; {who} needs as many rows as columns",
        counted(rows, "row"),
        counted(columns, "column")
    ))
}

/// A number of things: `1 row`, `2 rows`.
pub fn counted(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

/// The bytes of all entries' digits that lie outside them.
pub fn digits_of<E: Entries>(matrix: &DenseMatrix<E::Value>, entries: &E) -> u64 {
    let digits = matrix.entries().iter();
    digits.map(|entry| entries.heap_bytes(entry)).sum()
}

/// A row a line, or lists in brackets.
fn read_table<E: Entries>(
    source: Source,
    entries: &E,
    purpose: Purpose,
) -> Result<DenseMatrix<E::Value>, Failure> {
    let progress = Progress::reading(source.size);
    let mut reader = LineReader::over(source, purpose.budget);
    let digits = AtomicU64::new(0);
    let table = table::read(
        &mut reader,
        |word| {
            let entry = entries.read(word)?;
            digits.fetch_add(entries.heap_bytes(&entry), Ordering::Relaxed);
            Ok(entry)
        },
        |reader, table| {
            progress.at(reader.bytes_read());
            if let Some(who) = purpose.square {
                check_rows(reader, table, who)?;
            }
            let read = (table.entries.len(), digits.load(Ordering::Relaxed));
            purpose.check_memory(reader.name(), entries, read, 0)
        },
    )?;
    DenseMatrix::new(table.rows, table.columns, table.entries)
        .map_err(|error| Failure::Computation(format!("{}: {error}", reader.name())))
}

/// Refuses what is not square as soon as that is clear: large files need not be read to their end.
fn check_rows<T>(reader: &LineReader, table: &Table<T>, who: &str) -> Result<(), Failure> {
    let (rows, columns) = (table.rows, table.columns);
    if table.entries.len() < MANY_ENTRIES {
        return Ok(());
    }
    if rows > columns {
        let more = "more than ";
        return Err(not_square(reader.name(), more, (columns, columns), who));
    }
    // As many rows have at least a digit and a blank, or the end of the line, for each entry but the last.
    let first = if rows == 0 {
        table.entries.len()
    } else {
        columns
    };
    let entries = (first as u64).saturating_mul(first as u64);
    match reader.text_size() {
        Some(size) if size < entries.saturating_mul(2) - 1 => Err(Failure::Computation(format!(
            "{}: the file is too short for as many rows as the entries of its first row, {first} or more; \
             {who} needs as many rows as columns",
            reader.name()
        ))),
        _ => Ok(()),
    }
}

fn read_market<E: Entries>(
    source: Source,
    entries: &E,
    purpose: Purpose,
) -> Result<DenseMatrix<E::Value>, Failure> {
    let name = source.name.clone();
    let matrix = market::read(source, purpose.budget, |file| {
        let (rows, columns) = (file.rows(), file.columns());
        let needed = (entries.bytes() + purpose.copies * entries.working_bytes())
            .saturating_mul(rows as u64)
            .saturating_mul(columns as u64);
        let fits = purpose.check_shape(&name, (rows, columns));
        let fits = fits.and_then(|()| memory::check(&name, purpose.work, needed, purpose.budget));
        if let Err(refusal) = fits {
            return Ok(Err(refusal));
        }
        file.dense(entries).map(Ok)
    })??;
    let digits = digits_of(&matrix, entries);
    purpose.check_memory(&name, entries, (matrix.entries().len(), digits), 0)?;
    Ok(matrix)
}
