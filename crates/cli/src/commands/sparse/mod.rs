//! `sunzi sparse`.

mod cache;
mod info;
mod matrix;

use crate::args::Common;
use crate::args::sparse::SparseCommand;
use crate::error::Failure;

/// Runs a command on sparse matrices.
pub fn run(command: &SparseCommand, common: &Common) -> Result<(), Failure> {
    match command {
        SparseCommand::Info(file) => info::run(file, common),
        SparseCommand::Cache(wanted) => cache::run(wanted, common),
        _ => todo!(),
    }
}
