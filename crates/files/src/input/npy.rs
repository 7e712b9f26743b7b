//! Vectors of NumPy's files, `.npy`, read whole.

use super::source::Source;
use crate::failure::{Failure, Place};
use crate::memory;
use std::io::{ErrorKind, Read};
use std::path::Path;
use sunzi_field::{AnyField, WordRows};
use sunzi_machine::memory::Budget;
use sunzi_scale::npy::{Header, MOST_BYTES};

/// Bytes that are read at a time: whole words.
const CHUNK: usize = 1 << 18;

/// The rows of a vector's elements.
pub struct NpyVector {
    /// All rows, one after the other.
    pub rows: Vec<u64>,
    /// Bytes of a word in the file.
    pub word: usize,
    /// The name of the file in sentences.
    pub name: String,
}

/// Whether a path names such a file.
pub fn is_npy(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "npy")
}

/// Reads the elements of a field: an array of N residues, or of N rows of digits.
///
/// # Errors
/// [`Failure::Input`] if the file cannot be read, holds anything else, or entries that are no elements; [`Failure::Computation`] if `work` on
/// it, which takes `vectors` of the length of its rows, needs more memory than the budget has.
pub fn read(
    path: &Path,
    field: &AnyField,
    work: &str,
    vectors: u64,
    budget: Budget,
) -> Result<NpyVector, Failure> {
    let mut source = Source::open(path)?;
    let name = source.name.clone();
    let problem = |problem: String| Failure::Input {
        place: Place {
            file: name.clone(),
            line: None,
            column: None,
        },
        problem,
    };
    let mut head = Vec::new();
    let cannot = |error: std::io::Error| problem(format!("the file cannot be read: {error}"));
    let most = (&mut source.bytes)
        .take(MOST_BYTES as u64)
        .read_to_end(&mut head);
    most.map_err(cannot)?;
    let (header, start) = Header::parse(&head).map_err(problem)?;
    let words = header.words().map_err(problem)?;
    let width = field.width();
    header.elements(width, 1).map_err(problem)?;
    header.expect_unsigned().map_err(problem)?;
    memory::check(
        &name,
        work,
        (8 * words as u64).saturating_mul(vectors),
        budget,
    )?;
    let mut rows = Vec::with_capacity(words);
    let push = |bytes: &[u8], rows: &mut Vec<u64>| {
        let word = |bytes: &[u8]| {
            bytes
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u64::from(byte))
        };
        rows.extend(bytes.chunks_exact(header.word).map(word));
    };
    let mut rest = head.split_off(start);
    loop {
        let whole = rest.len() - rest.len() % header.word;
        push(&rest[..whole], &mut rows);
        rest.drain(..whole);
        let before = rest.len();
        let missing = words.saturating_sub(rows.len()) * header.word + 1;
        let missing = missing.saturating_sub(before).min(CHUNK);
        let read = (&mut source.bytes)
            .take(missing as u64)
            .read_to_end(&mut rest);
        match read {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(cannot(error)),
        }
    }
    if rows.len() != words || !rest.is_empty() {
        return Err(problem(format!(
            "its header tells of {words} words of {} bytes, and {} follow it: it is cut off, or no file of numpy.save",
            header.word,
            match rows.len() >= words {
                true => "more".to_owned(),
                false => format!("{} bytes", rows.len() * header.word + rest.len()),
            }
        )));
    }
    if let Some(index) = field.first_outside(WordRows::Words64(&rows)) {
        return Err(problem(format!(
            "entry {index} is no element: it is not below the modulus, {field}"
        )));
    }
    Ok(NpyVector {
        rows,
        word: header.word,
        name,
    })
}
