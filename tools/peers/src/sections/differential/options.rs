//! The command line of the section.

use std::path::PathBuf;

use clap::Args;
use sunzi_testkit::Kind;

/// Counted cases of the library's operations against GMP, FLINT and definitions.
///
/// Every operation, kind of input and number of threads has its turn until the time is over. Counts are saved,
/// and the next run goes on with new cases. A mismatch is told with what `--replay` needs, is saved beside the
/// counts in a file that ends in `.wrong`, and makes the exit code 1.
#[derive(Debug, Clone, Args)]
pub struct Options {
    /// How long to run.
    #[arg(long, default_value_t = 60.0, value_parser = not_negative)]
    pub seconds: f64,

    /// Numbers of threads; operations without threads run on one alone.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3, 7, 16])]
    pub threads: Vec<usize>,

    /// Only the operations whose name contains this text (may be given again: any may match).
    #[arg(long)]
    pub only: Vec<String>,

    /// Only these kinds of input.
    #[arg(long, value_delimiter = ',', value_parser = kind)]
    pub kind: Vec<Kind>,

    /// The seed from which every case is made, with its operation, kind, threads and number.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Where counts are kept [default: sunzi-differential.csv in the folder for temporary files].
    #[arg(long, value_name = "FILE.csv")]
    pub state: Option<PathBuf>,

    /// In the end, rewrites the table of this page from the counts.
    #[arg(long, value_name = "FILE.md")]
    pub page: Option<PathBuf>,

    /// More counts for the table, of campaigns with other seeds.
    #[arg(long, value_name = "FILE.csv")]
    pub add: Vec<PathBuf>,

    /// Runs one case again.
    #[arg(long, value_name = "OPERATION:KIND:THREADS:CASE")]
    pub replay: Option<String>,

    /// Names the operations.
    #[arg(long)]
    pub list: bool,
}

impl Options {
    pub fn kinds(&self) -> Vec<Kind> {
        match self.kind.is_empty() {
            true => Kind::ALL.to_vec(),
            false => self.kind.clone(),
        }
    }

    pub fn state(&self) -> PathBuf {
        let temporary = || std::env::temp_dir().join("sunzi-differential.csv");
        self.state.clone().unwrap_or_else(temporary)
    }
}

fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && seconds >= 0.0 => Ok(seconds),
        _ => Err("a number of seconds that is not negative".into()),
    }
}

fn kind(text: &str) -> Result<Kind, String> {
    let names = Kind::ALL.map(Kind::name).join(", ");
    Kind::named(text).ok_or(format!("the kinds are {names}"))
}
