//! The command line.

pub mod det;
pub mod poly;
pub mod sort;
pub mod sparse;

use crate::bench::gpu::options::{GPU_HELP, GpuOptions};
use crate::bench::options::{GFP_HELP, GfpOptions};
use clap::{Args, Parser, Subcommand};
use det::DetArguments;
use poly::PolyCommand;
use sort::SortArguments;
use sparse::SparseCommand;
use std::path::PathBuf;
use sunzi::engine::DeviceChoice;
use sunzi::gpu::Selection;
use sunzi_files::memory::parse_size;

/// Exact arithmetic with integers, polynomials and matrices of any size, transforms over prime fields, sparse
/// matrices and sorting, on all cores.
#[derive(Debug, Parser)]
#[command(
    name = "sunzi",
    version,
    propagate_version = true,
    disable_help_subcommand = true
)]
#[command(after_help = "Examples:
  sunzi int mul a.txt b.txt -o products.txt
  sunzi poly mul f.txt g.txt --mod 2^60-2^18+1
  sunzi poly gcd f.txt g.txt --mod P8
  sunzi dft x.txt --mod P8
  sunzi det m.mtx
  sunzi sparse reorder m.mtx -o reordered.mtx
  sunzi sort numbers.txt
  sunzi prime 469762049
  sunzi prime search --digits 8 --bits 60 --two-adicity 312
  sunzi int mul a.txt b.txt --device opencl
  sunzi bench gfp --out plots
  sunzi bench gpu --out plots
  sunzi info

Exit codes: 0 done; 1 the computation cannot be done; 2 wrong usage or unreadable input;
128 + n, as shells call it, ended by signal n (130 by Ctrl-C).")]
pub struct Arguments {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

/// Options that every command takes.
#[derive(Debug, Args)]
pub struct Common {
    /// Write the result to this file, which appears only when complete; packed if it ends in .gz (`-`: standard output)
    #[arg(short, long, value_name = "FILE", global = true)]
    pub output: Option<PathBuf>,
    /// Machine-readable result (JSON) with timings
    #[arg(long, global = true)]
    pub json: bool,
    /// Number of threads, at most 32 for each processor [default: all processors]
    #[arg(long, value_name = "N", global = true, value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub threads: Option<u16>,
    /// Where to compute: auto, cpu, cuda[:N] or opencl[:N], as `sunzi info` lists them
    #[arg(long, value_name = "DEVICE", global = true, default_value = "auto", value_parser = parse_device)]
    pub device: DeviceChoice,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Integers: products
    #[command(subcommand, arg_required_else_help = true)]
    Int(IntCommand),
    /// Polynomials: products over Z; products, division, gcd, resultants, evaluation and interpolation modulo a prime
    #[command(subcommand, arg_required_else_help = true)]
    Poly(PolyCommand),
    /// Discrete Fourier transforms modulo a prime
    #[command(
        after_help = "X is a file with one integer in 0 … P−1 a line, decimal or 0x…; # starts a comment; empty lines do not
count. The number N of its entries must divide P−1 (`sunzi prime P` tells its factors); powers of two are
the fastest. The transform is X_j = sum of x_i * w^(i*j), one value a line in the order of j; w is the
root of unity of order N that --json tells. --inverse undoes it: with w^-1 for w, and divided by N.

P is an odd prime below 2^63, or a prime r^k+1 with k = 2, 4, 8 … 256 and r below 2^64: a name (P4 P8 P16
P32 P64 P128, P2F P4F P8F P16F P32F P64F P128F) or an expression.

Examples:
  sunzi dft x.txt --mod 469762049
  sunzi dft x.txt --mod P8 -o values.txt
  sunzi dft values.txt --mod P8 --inverse --threads 2
  seq 8 | sunzi dft - --mod '(2^63+2^34)^8+1' --json
  seq 7 | sunzi dft - --mod 469762049"
    )]
    Dft(Vector),
    /// Determinants: exact, modulo a prime, or in floating point
    #[command(after_help = det::HELP)]
    Det(DetArguments),
    /// Sparse matrices: products, orders that fit the cache, pictures
    #[command(subcommand, arg_required_else_help = true)]
    Sparse(SparseCommand),
    /// Sorts integers, by value or as Gray codes
    #[command(after_help = sort::HELP)]
    Sort(SortArguments),
    /// What is known of a prime: bits, two-adicity, roots of unity, how its primality was shown
    #[command(
        subcommand_negates_reqs = true,
        after_help = "P is a decimal number or an expression.

Examples:
  sunzi prime 469762049
  sunzi prime '2^60-2^18+1' --json
  sunzi prime search --digits 8 --bits 60 --two-adicity 312"
    )]
    Prime {
        /// The prime: a decimal number or an expression such as 2^60-2^18+1
        #[arg(value_name = "P", allow_hyphen_values = true, required = true)]
        modulus: Option<String>,
        #[command(subcommand)]
        action: Option<PrimeCommand>,
    },
    /// Measurements on this machine, with tables and plots
    #[command(subcommand, arg_required_else_help = true)]
    Bench(BenchCommand),
    /// Version, threads, processor features, kernels, memory and devices
    #[command(after_help = "Examples:
  sunzi info
  sunzi info --json --threads 1")]
    Info,
}

impl Command {
    /// How much memory the user allows.
    pub fn max_memory(&self) -> Option<u64> {
        let memory = match self {
            Self::Int(IntCommand::Mul(arguments)) => &arguments.memory,
            Self::Poly(command) => command.memory(),
            Self::Dft(arguments) => &arguments.memory,
            Self::Det(arguments) => &arguments.memory,
            Self::Sparse(command) => command.memory()?,
            Self::Sort(arguments) => &arguments.memory,
            Self::Prime { .. } | Self::Bench(_) | Self::Info => return None,
        };
        memory.bytes
    }
}

/// What is measured.
#[derive(Debug, Subcommand)]
pub enum BenchCommand {
    /// Products and transforms modulo the named primes r^k + 1, against several word-size primes
    #[command(after_help = GFP_HELP)]
    Gfp(GfpOptions),
    /// Transforms and products on a GPU, against what its memory and its multiplications allow
    #[command(after_help = GPU_HELP)]
    Gpu(GpuOptions),
}

#[derive(Debug, Subcommand)]
pub enum IntCommand {
    /// Products of integers, line by line
    #[command(
        after_help = "One integer a line, decimal or 0x…; # starts a comment; empty lines do not count.
Line i of A is multiplied by line i of B. A file of one line multiplies every line of the other.
Files are read piece by piece, so they may be longer than the memory.

Examples:
  sunzi int mul a.txt b.txt
  sunzi int mul a.txt b.txt -o products.txt --threads 2
  sunzi int mul a.txt b.txt --device cuda
  echo 12345678901234567890 | sunzi int mul - b.txt --json"
    )]
    Mul(IntProductArguments),
}

#[derive(Debug, Subcommand)]
pub enum PrimeCommand {
    /// Primes r^k + 1 whose r is a sum of few signed powers of two
    #[command(
        after_help = "Fewest powers of two come first, then the greatest primes; the same ones each time. Each line is
an expression that `sunzi prime` reads, the bits of the prime, the greatest s such that 2^s divides p - 1,
and how the prime was proved. There may be fewer primes than --count asks for.

Examples:
  sunzi prime search --digits 8 --bits 60 --two-adicity 312
  sunzi prime search --digits 64 --bits 58 --two-adicity 704 --count 1 --json"
    )]
    Search(PrimeWanted),
}

/// Which primes are searched.
#[derive(Debug, Args)]
pub struct PrimeWanted {
    /// The exponent k: 2, 4, 8 … 256
    #[arg(long, value_name = "K")]
    pub digits: usize,
    /// Bits of r, up to 64
    #[arg(long, value_name = "N")]
    pub bits: u32,
    /// The least s such that 2^s is to divide p - 1
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub two_adicity: u32,
    /// The greatest number of powers of two in r
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub terms: usize,
    /// How many primes to find
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub count: u32,
}

/// Two files.
#[derive(Debug, Args)]
pub struct TwoFiles {
    /// First file (`-`: standard input)
    #[arg(value_name = "A")]
    pub left: PathBuf,
    /// Second file (`-`: standard input)
    #[arg(value_name = "B")]
    pub right: PathBuf,
}

/// An algorithm that the user wants.
#[derive(Debug, Args)]
pub struct ChosenAlgorithm {
    /// Use this algorithm instead of the one that fits the sizes; a wrong name lists all names
    #[arg(long = "algorithm", value_name = "NAME")]
    pub name: Option<String>,
}

/// How much memory may be used.
#[derive(Debug, Args)]
pub struct MaxMemory {
    /// Refuse what needs more memory than this, such as 4G [default: what is available]
    #[arg(long = "max-memory", value_name = "SIZE", value_parser = parse_size)]
    pub bytes: Option<u64>,
}

/// Two files, and how to multiply what stands in them.
#[derive(Debug, Args)]
pub struct IntProductArguments {
    #[command(flatten)]
    pub files: TwoFiles,
    #[command(flatten)]
    pub algorithm: ChosenAlgorithm,
    #[command(flatten)]
    pub memory: MaxMemory,
}

/// A prime that has to be given.
#[derive(Debug, Args)]
pub struct Modulus {
    /// Compute modulo this prime: a decimal number, an expression such as 2^60-2^18+1, or a name such
    /// as P8
    #[arg(long = "mod", value_name = "P", allow_hyphen_values = true)]
    pub prime: String,
}

/// A vector, and what is done with it.
#[derive(Debug, Args)]
pub struct Vector {
    /// File with the vector (`-`: standard input)
    #[arg(value_name = "X")]
    pub file: PathBuf,
    #[command(flatten)]
    pub modulus: Modulus,
    /// From values back to what they are the transform of
    #[arg(long)]
    pub inverse: bool,
    #[command(flatten)]
    pub memory: MaxMemory,
}

/// Reads where to compute.
fn parse_device(text: &str) -> Result<DeviceChoice, String> {
    match text.parse() {
        // What the library calls any device or any GPU has no name here: `auto` and `opencl` find it.
        Ok(DeviceChoice::Only(Selection::Any | Selection::Gpu)) | Err(_) => {
            Err("the devices are auto, cpu, cuda, cuda:N, opencl and opencl:N".to_owned())
        }
        Ok(choice) => Ok(choice),
    }
}
