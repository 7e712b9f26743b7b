//! Matrices that commands read.

use crate::args::MaxMemory;
use crate::report::{Seconds, timed};
use clap::Args;
use std::path::Path;
use std::path::PathBuf;
use sunzi::memory::Budget;
use sunzi_files::failure::Failure;

/// A matrix.
#[derive(Debug, Args)]
pub struct MatrixFile {
    /// File with the matrix (`-`: standard input)
    #[arg(value_name = "M")]
    pub file: PathBuf,
    #[command(flatten)]
    pub memory: MaxMemory,
}

/// Does to a matrix of any kind what is the same for all.
macro_rules! of_any_kind {
    ($matrix:expr, $bound:pat => $body:expr) => {
        match $matrix {
            sunzi_files::input::sparse::Matrix::Real($bound) => $body,
            sunzi_files::input::sparse::Matrix::Integer($bound) => $body,
            sunzi_files::input::sparse::Matrix::Long($bound) => $body,
            sunzi_files::input::sparse::Matrix::Pattern($bound) => $body,
        }
    };
}
pub(super) use of_any_kind;

/// Reads a matrix by `read`, which gets the file and the memory that may be taken.
pub fn read<M>(
    file: &MatrixFile,
    seconds: &mut Seconds,
    read: impl FnOnce(&Path, Budget) -> Result<M, Failure>,
) -> Result<M, Failure> {
    timed(&mut seconds.reading, || {
        read(&file.file, file.memory.budget())
    })
}
