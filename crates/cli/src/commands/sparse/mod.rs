//! `sunzi sparse`.

mod arithmetic;
mod cache;
mod generate;
mod info;
mod matrix;
mod order;
mod reorder;
mod show;
mod solve;
mod spmv;
mod vector;
mod write;

use crate::args::Common;
use crate::args::sparse::SparseCommand;
use sunzi_files::error::Failure;

/// Runs a command on sparse matrices.
pub fn run(command: &SparseCommand, common: &Common) -> Result<(), Failure> {
    match command {
        SparseCommand::Generate(wanted) => generate::run(wanted, common),
        SparseCommand::Info(file) => info::run(file, common),
        SparseCommand::Reorder(wanted) => reorder::run(wanted, common),
        SparseCommand::Spmv(wanted) => spmv::run(wanted, common),
        SparseCommand::Cache(wanted) => cache::run(wanted, common),
        SparseCommand::Show(wanted) => show::run(wanted, common),
        SparseCommand::Solve(wanted) => solve::run(wanted, common),
    }
}
