//! The readers and the program itself, for fuzz targets: no promise to anybody else.

use crate::args::Arguments;
use crate::modulus;
use clap::Parser;
use dashu_int::IBig;
use std::io::Read;
use sunzi::integer::Multiplier;
use sunzi::integer::text::DecimalTables;
use sunzi_files::error::Failure;
use sunzi_files::input::lines::{Line, LineReader};
use sunzi_files::input::source::Source;
use sunzi_files::input::{algebraic, coefficients, table};
use sunzi_files::memory::Available;
use sunzi_files::numbers::integers::IntegerText;

/// A line that holds data, or a piece of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextLine {
    /// Its number, from 1.
    pub number: u64,
    /// The column of its first byte, from 1.
    pub column: usize,
    /// Without comment and surrounding blanks.
    pub content: Vec<u8>,
}

impl From<&Line> for TextLine {
    fn from(line: &Line) -> Self {
        Self {
            number: line.number,
            column: line.column(0),
            content: line.content().to_vec(),
        }
    }
}

fn reader(bytes: Box<dyn Read + Send>) -> Result<LineReader, String> {
    let source = Source::over(bytes, "file".to_owned(), None).map_err(said)?;
    Ok(LineReader::over(source, Available::detect(None)))
}

fn said(failure: Failure) -> String {
    failure.to_string()
}

/// The lines of a file that hold data.
pub fn lines(bytes: Box<dyn Read + Send>) -> Result<Vec<TextLine>, String> {
    let mut reader = reader(bytes)?;
    let mut lines = Vec::new();
    while let Some(line) = reader.next_line().map_err(said)? {
        lines.push((&line).into());
    }
    Ok(lines)
}

/// The same in pieces of about `most` bytes.
pub fn pieces(bytes: Box<dyn Read + Send>, most: usize) -> Result<Vec<TextLine>, String> {
    let mut reader = reader(bytes)?;
    let mut pieces = Vec::new();
    while let Some(piece) = reader.next_piece(most).map_err(said)? {
        pieces.push((&piece.line).into());
    }
    Ok(pieces)
}

/// Rows, columns and entries of a table of integers.
pub fn table(bytes: Box<dyn Read + Send>) -> Result<(usize, usize, Vec<IBig>), String> {
    let integers = IntegerText::new();
    let read = table::read(
        &mut reader(bytes)?,
        |word| integers.read(word),
        |_, _| Ok(()),
    );
    let table = read.map_err(said)?;
    Ok((table.rows, table.columns, table.entries))
}

/// The coefficients of an expression in x; or the byte where it is none, and why.
pub fn expression(text: &[u8]) -> Result<Vec<IBig>, (usize, String)> {
    let (multiplier, tables) = (Multiplier::new(), DecimalTables::new());
    let read = algebraic::integers(text, &multiplier, &tables);
    read.map_err(|error| (error.offset, error.problem))
}

/// Whether a line is an expression and not a list.
pub fn is_expression(text: &[u8]) -> bool {
    coefficients::is_algebraic(text)
}

/// The integers of a list; or the byte where it is none, and why.
pub fn list(text: &[u8]) -> Result<Vec<IBig>, (usize, String)> {
    let integers = IntegerText::new();
    let read = coefficients::parse(text, |word| integers.read(word));
    read.map_err(|error| (error.offset, error.problem))
}

/// The text of a list.
pub fn list_text(values: &[IBig]) -> Vec<u8> {
    let mut text = Vec::new();
    coefficients::write(values.len(), b" ", &mut text, |index, out| {
        out.extend_from_slice(values[index].to_string().as_bytes());
    });
    text
}

/// Whether there is a word field for a modulus; or the exit code and the sentence that say why not.
pub fn modulus(text: &str) -> Result<(), (u8, String)> {
    match modulus::word_field(text) {
        Ok(_) => Ok(()),
        Err(failure) => Err((failure.exit_code(), failure.to_string())),
    }
}

/// Runs the program on arguments, its name not among them; or gives the exit code and the sentence.
pub fn run(arguments: &[&str]) -> Result<(), (u8, String)> {
    let words = std::iter::once(&"sunzi").chain(arguments);
    let arguments = Arguments::try_parse_from(words).map_err(|error| (2, error.to_string()))?;
    crate::run(&arguments).map_err(|failure| (failure.exit_code(), failure.to_string()))
}
