//! The commands: each holds its arguments, its help, and what it does, in a file or folder of its own. A line of
//! [`Command`] puts it on the command line.

/// An enumeration of commands, by whose variants the command line names them.
macro_rules! commands {
    (
        $(#[$meta:meta])*
        $name:ident { $($(#[$about:meta])* $variant:ident($arguments:ty),)* }
    ) => {
        $(#[$meta])*
        #[derive(Debug, clap::Subcommand)]
        pub enum $name { $($(#[$about])* $variant($arguments),)* }

        impl $crate::commands::Run for $name {
            fn run(&self, common: &$crate::args::Common) -> Result<(), sunzi_files::failure::Failure> {
                match self { $(Self::$variant(chosen) => chosen.run(common),)* }
            }
        }
    };
}
use commands;

mod bench;
mod calc;
mod completions;
mod dense;
mod det;
mod dft;
mod info;
mod int;
mod man;
mod matrix;
mod poly;
mod prime;
mod prime_search;
mod scratch;
mod solve;
mod sort;
mod sparse;
mod tune;

pub use calc::Calculator;

use crate::args::Common;
use crate::report::Report;
use serde::Serialize;
use sunzi_files::failure::Failure;
use sunzi_files::output::Output;

/// What a command does.
pub trait Run {
    /// Does it.
    fn run(&self, common: &Common) -> Result<(), Failure>;
}

commands! {
    /// All commands.
    Command {
        /// What an expression comes to: integers, rational numbers, residues, primes
        Calc(calc::Calc),
        /// Integers: products, division, greatest common divisors, powers and roots
        #[command(subcommand, arg_required_else_help = true)]
        Int(int::IntCommand),
        /// Polynomials: arithmetic, division, gcd, resultants, evaluation, interpolation, roots; over Z, Q or modulo a prime
        #[command(subcommand, arg_required_else_help = true)]
        Poly(poly::PolyCommand),
        /// Discrete Fourier transforms modulo a prime
        Dft(dft::Vector),
        /// Determinants: exact, modulo a prime, or in floating point
        Det(det::DetArguments),
        /// Dense matrices modulo a prime or over Q: rank, systems, inverse, nullspace, reduced echelon form, products
        #[command(subcommand, arg_required_else_help = true)]
        Matrix(matrix::MatrixCommand),
        /// Sparse matrices: products, orders that fit the cache, pictures
        #[command(subcommand, arg_required_else_help = true)]
        Sparse(sparse::SparseCommand),
        /// Solutions of two equations in two variables: certified, with multiplicities, to any number of digits
        Solve(solve::SolveArguments),
        /// Sorts integers, by value or as Gray codes
        Sort(sort::SortArguments),
        /// What is known of a prime: bits, two-adicity, roots of unity, how its primality was shown
        Prime(prime::Prime),
        /// Launch shapes of GPU kernels: measured at small sizes, chosen for any
        #[command(subcommand, arg_required_else_help = true)]
        Tune(tune::TuneCommand),
        /// What computations through files have left in a folder: lists it, and removes it
        #[command(subcommand, arg_required_else_help = true)]
        Scratch(scratch::ScratchCommand),
        /// Measurements on this machine, with tables and plots, by the program sunzi-bench
        Bench(bench::Bench),
        /// The tables and figures of the papers that Sunzi implements, beside the same measured here, by sunzi-bench
        Paper(bench::Paper),
        /// Version, threads, processor features, kernels, memory and devices
        Info(info::Info),
        /// What shells read to complete commands and options
        Completions(completions::Completions),
        /// Manual pages, one for each command
        Man(man::ManPages),
    }
}

/// Writes a table of facts: `name  value` lines, or the JSON form.
fn write_facts(
    output: Output,
    common: &Common,
    rows: &[(&str, String)],
    report: &Report<impl Serialize>,
) -> Result<(), Failure> {
    report.write(output, common.json, |_| {
        let lengths = rows.iter().map(|(name, _)| name.chars().count());
        let width = lengths.max().unwrap_or(0);
        let line = |(name, value): &(&str, String)| format!("{name:width$}  {value}\n");
        rows.iter().map(line).collect()
    })
}
