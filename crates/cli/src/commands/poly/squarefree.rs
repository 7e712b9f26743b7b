//! `sunzi poly squarefree`.

use super::over_z;
use super::polynomials::Pretty;
use crate::args::{Common, MaxMemory};
use crate::commands::Run;
use clap::Args;
use std::path::PathBuf;
use sunzi_files::failure::Failure;
use sunzi_files::style::Style;

/// A file of polynomials over Z.
#[derive(Debug, Args)]
#[command(after_help = concat!(polynomials!(), written!(), "
Each polynomial that is not 0 gives its content, with the sign of the leading coefficient, in a line; then,
with ascending multiplicity, a line `multiplicity: factor` for the product of all primitive factors of that
multiplicity. With --json it gives {\"content\":…,\"factors\":[{\"multiplicity\":…,\"factor\":…}],\"method\":…,
\"primes\":…,\"proved\":true}.

Examples:
  sunzi poly squarefree f.txt
  echo '2*x^4 - 4*x^3 - 6*x^2' | sunzi poly squarefree - --pretty
  sunzi poly squarefree f.txt --json -o factors.json"))]
pub struct Squarefree {
    /// File of polynomials (`-`: standard input)
    #[arg(value_name = "F")]
    pub file: PathBuf,
    #[command(flatten)]
    pub form: Pretty,
    #[command(flatten)]
    pub memory: MaxMemory,
}

impl Run for Squarefree {
    /// Finds square-free factors, line by line.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let style = Style::new(common.json).pretty(self.form.pretty);
        over_z::square_free(&self.file, &self.memory, style, common)
    }
}
