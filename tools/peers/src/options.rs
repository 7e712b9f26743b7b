//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Measures Sunzi against its peers, in turn, in one process.
///
/// Prints one line for each case and peer, six tab-separated fields: section, case, Sunzi's seconds, peer,
/// peer's seconds, ratio (Sunzi / peer); then, for each group of cases, the geometric mean of the ratios to
/// the best peer. Every result is checked against the peer's before anything is timed.
#[derive(Debug, Clone, Parser)]
#[command(
    name = "peers",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub struct Invocation {
    #[command(subcommand)]
    pub command: Option<Command>,

    #[command(flatten)]
    pub options: Options,
}

/// What else there is: what can be made of saved timings, and comparisons of results.
#[derive(Debug, Clone, Subcommand)]
pub enum Command {
    /// Draws plots of time against size (SVG) from saved timings.
    Plot {
        /// Timings that `--csv` saved; given again, the files are put together.
        #[arg(long, value_name = "FILE.csv", required = true)]
        csv: Vec<PathBuf>,

        /// The folder for the plots.
        #[arg(long, value_name = "FOLDER")]
        out: PathBuf,
    },
    /// Rewrites the table of ratios in a page, such as Sunzi's docs/performance.md, from saved timings.
    Summary {
        /// Timings that `--csv` saved; given again, the files are put together.
        #[arg(long, value_name = "FILE.csv", required = true)]
        csv: Vec<PathBuf>,

        /// The page to rewrite between `<!-- ratios -->` and `<!-- /ratios -->`.
        #[arg(long, value_name = "FILE.md")]
        page: PathBuf,
    },
    /// Compares counted cases of the library's operations with GMP, FLINT and definitions.
    Differential(crate::sections::differential::Options),
}

/// What to measure, and how.
#[derive(Debug, Clone, Args)]
pub struct Options {
    /// What to measure.
    #[arg(required = true, value_enum)]
    pub sections: Vec<Section>,

    /// Threads for Sunzi and for the peers that can use them; more than one is timed by the wall clock.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,

    /// Seconds for each contender of a case.
    #[arg(long, default_value_t = 0.2, value_parser = positive)]
    pub budget: f64,

    /// Only the cases whose "section, group, case" contains this text (may be given again: all must match).
    #[arg(long)]
    pub only: Vec<String>,

    /// Measures the peers alone.
    #[arg(long)]
    pub peers_only: bool,

    /// Largest size, as a power of two.
    #[arg(long, default_value_t = 22)]
    pub max_log: u32,

    /// Sizes at every power of two, instead of every second one.
    #[arg(long)]
    pub every_power: bool,

    /// Writes the table, with machine, date and versions, to this Markdown file.
    #[arg(long, value_name = "FILE.md")]
    pub save: Option<PathBuf>,

    /// Writes every timing to this CSV file, for plots.
    #[arg(long, value_name = "FILE.csv")]
    pub csv: Option<PathBuf>,
}

impl Options {
    /// The sizes 2^k of a case list, from 2^`first` to 2^`last` or to the largest size asked for.
    pub fn logs(&self, first: u32, last: u32) -> impl Iterator<Item = u32> + use<> {
        let step = if self.every_power { 1 } else { 2 };
        (first..=last.min(self.max_log)).step_by(step)
    }
}

/// A part of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Section {
    /// Transforms over word-size primes: tfhe-ntt, concrete-ntt, Plonky3.
    Ntt,
    /// Products of polynomials and integers: FLINT, GMP.
    Products,
    /// Integers as users write them, from one limb on, and digits of π: GMP, FLINT, dashu, malachite.
    Numbers,
    /// Division, GCD, resultant, evaluation and interpolation modulo word-size primes: FLINT.
    Poly,
    /// Products modulo the named primes r^k + 1: GMP, FLINT.
    GfpMul,
    /// Transforms modulo the named primes r^k + 1: radix 2 with GMP's and FLINT's arithmetic.
    GfpFft,
    /// Products of polynomials modulo named primes r^k + 1: FLINT.
    GfpPoly,
    /// Transforms modulo named primes r^k + 1 against several over word-size primes of as many bits.
    GfpVsCrt,
    /// Determinants modulo word-size primes and over the integers: FLINT.
    Determinants,
    /// Ranks, systems, inverses, nullspaces, echelon forms and products of matrices modulo primes and over Q: FLINT.
    Matrices,
    /// Orders of sparse matrices, with the misses of products that they leave: SciPy.
    Orders,
    /// GCDs, resultants, real roots and systems of two equations over Z: FLINT, PARI, msolve, CGAL.
    Solve,
    /// Sorts of keys below a range and of big integers: classical counting sort, rdst, comparison.
    Sort,
    /// Sunzi on several threads (2, unless --threads says more) against Sunzi on one.
    Threads,
    /// Everything.
    All,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && seconds > 0.0 => Ok(seconds),
        _ => Err("a number of seconds above zero".into()),
    }
}
