//! A vector that is an operand, as the header of its file tells it.

use crate::error::ScaleError;
use crate::matrix::Run;
use crate::npy::{Header, MOST_BYTES};
use crate::storage::{Storage, StoredFile};
use crate::task::Given;
use crate::task::entries::Entries;
use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;
use sunzi_dft::DftError;
use sunzi_field::AnyField;
use xxhash_rust::xxh3::Xxh3;

/// Bytes at both ends by which a file is known again, with its length and the time of its last change.
const KNOWN_BY: usize = 1 << 16;

/// A vector in a file.
#[derive(Debug)]
pub(crate) struct Vector {
    pub(crate) file: StoredFile,
    pub(crate) given: Given,
    /// The matrix as which it is given.
    pub(crate) matrix: Option<[usize; 2]>,
}

/// An error unless the field has transforms of so many points.
pub(crate) fn check_points(field: &AnyField, points: usize) -> Result<(), ScaleError> {
    let max = 1usize << field.two_adicity().min(usize::BITS - 8);
    if !points.is_power_of_two() {
        let next = points.max(1).checked_next_power_of_two().unwrap_or(max);
        return Err(DftError::NotPowerOfTwo { len: points, next }.into());
    }
    match points > max {
        true => Err(DftError::TooLong { len: points, max }.into()),
        false => Ok(()),
    }
}

impl Vector {
    /// Opens a vector of entries, or a matrix of them, and reads its header.
    pub(crate) fn open(
        path: &Path,
        entries: &Entries,
        is_matrix: bool,
        storage: &Storage,
    ) -> Result<Self, ScaleError> {
        let problem = |what: String| ScaleError::input(path, what);
        // A pipe would be waited for.
        let found = fs::metadata(path);
        if !found
            .map_err(ScaleError::disk(path, "cannot be opened"))?
            .is_file()
        {
            return Err(problem(
                "this is no file whose parts can be read in any order".to_owned(),
            ));
        }
        let file = storage.open(path)?;
        let metadata = file.metadata()?;
        let mut bytes = vec![0; MOST_BYTES.min(metadata.len() as usize)];
        storage.read_run(&file, &Run::whole(0, bytes.len()), &mut bytes)?;
        let (header, start) = Header::parse(&bytes).map_err(problem)?;
        let words = header.words().map_err(problem)?;
        let held = metadata.len() - start as u64;
        if held != (words * header.word) as u64 {
            return Err(problem(format!(
                "its header tells of {words} words of {} bytes, and {held} bytes follow it: it is cut off, or no file of numpy.save",
                header.word
            )));
        }
        let width = entries.digits();
        let lengths = header
            .elements(width, if is_matrix { 2 } else { 1 })
            .map_err(problem)?;
        entries.expect_words(&header).map_err(problem)?;
        let matrix = match *lengths {
            [height, width] => Some([height, width]),
            _ => None,
        };
        if matrix.is_some_and(|lengths| !lengths.iter().all(|length| length.is_power_of_two())) {
            return Err(problem(format!(
                "its shape {} is no power of two",
                header.shape_text()
            )));
        }
        Ok(Self {
            file,
            given: Given {
                elements: words / width,
                word: header.word,
                is_signed: header.is_signed,
                start: start as u64,
            },
            matrix,
        })
    }

    /// By what it is known again: its length, the time of its last change, and its ends.
    pub(crate) fn contents(&self, storage: &Storage) -> Result<String, ScaleError> {
        let metadata = self.file.metadata()?;
        let changed = metadata.modified().ok();
        let changed = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let mut hash = Xxh3::new();
        let length = KNOWN_BY.min(metadata.len() as usize);
        for at in [0, metadata.len() - length as u64] {
            let mut bytes = vec![0; length];
            storage.read_run(&self.file, &Run::whole(at, length), &mut bytes)?;
            hash.update(&bytes);
        }
        Ok(format!(
            "{} bytes, changed at {}, sum {:016x}",
            metadata.len(),
            changed.map_or(0, |time| time.as_nanos()),
            hash.digest()
        ))
    }
}
