//! The commands on sparse matrices.

use super::MaxMemory;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// What the file of a matrix is.
macro_rules! matrices {
    () => {
        "M is a Matrix Market file, plain or gzip: coordinate or array; real, integer or pattern; general,
symmetric or skew-symmetric.
"
    };
}

/// What orders there are.
macro_rules! methods {
    () => {
        "
gray    rows and columns by the binary reflected Gray code of their patterns (the 2013 thesis, chapter 6):
        in linear time, for matrices of any shape. --block and --fraction are its parameters b and t.
rcm     reverse Cuthill-McKee: small bandwidth.
random  any order, to compare with: --seed says which.
"
    };
}

#[derive(Debug, Subcommand)]
pub enum SparseCommand {
    /// Makes a matrix by its definition
    #[command(after_help = "KIND is one of
  chessboard:M,N,K   boundary of placements of rooks on an M by N board (SuiteSparse's chM-N-bK)
  matching:N,K       boundary of matchings among N points (SuiteSparse's mkN-bK)
  grid2d:X,Y         finite differences on a grid, 5 points; grid2d9: finite elements, 9 points
  grid3d:X,Y,Z       the same in space, 7 points; grid3d27: 27 points
  rmat:LOG2N,DEGREE  a random graph with few popular nodes
  circuit:NODES      a circuit, with rails that reach everywhere
  lp:COLUMNS         a linear program: blocks along the diagonal, and rows that link them
What is random depends on --seed alone. The matrix is written as a Matrix Market file, whose comment tells
how it was made; packed by gzip if the name of the file ends in .gz.

Examples:
  sunzi sparse generate grid2d:100,100 -o grid.mtx
  sunzi sparse generate grid2d:100,100 --symmetric -o grid.mtx.gz
  sunzi sparse generate chessboard:8,8,2 --permuted --seed 7 -o m.mtx
  sunzi sparse generate rmat:10,8 | sunzi sparse info -")]
    Generate(Generate),
    /// Rows, columns, non-zeros, bandwidth, symmetry
    #[command(after_help = concat!(matrices!(), "
Examples:
  sunzi sparse info m.mtx
  sunzi sparse info m.mtx.gz --json"))]
    Info(MatrixFile),
    /// Reorders rows and columns, so that products find their vector in the cache
    #[command(after_help = concat!(matrices!(), methods!(), "
Row k of the result is row p(k) of M, where p(k) stands in line k of the file of --rows (from 1), and its
column k is column q(k), in line k of --columns: so if y = M x and x' is x with x'(k) = x(q(k)), then the
result times x' is y' with y'(k) = y(p(k)). What goes to a name that ends in .gz is packed by gzip.

Examples:
  sunzi sparse reorder m.mtx -o reordered.mtx
  sunzi sparse reorder m.mtx --rows rows.txt --columns columns.txt -o reordered.mtx
  sunzi sparse reorder m.mtx --method rcm --symmetric -o reordered.mtx.gz
  sunzi sparse reorder m.mtx --method rcm --json -o reordered.json"))]
    Reorder(Reorder),
    /// The product of a matrix and a vector
    #[command(after_help = concat!(matrices!(), "
X is a file with one number a line; all are 1 where it is left out. # starts a comment. The product is
written one number a line, as the shortest decimal that reads back as the same floating point number, or
with --mod P as residues in 0 … P-1; then the entries of M and X must be integers.

Examples:
  sunzi sparse spmv m.mtx
  sunzi sparse spmv m.mtx x.txt -o y.txt
  sunzi sparse spmv m.mtx --transpose --repeat 1000 --json
  sunzi sparse spmv m.mtx x.txt --mod 469762049"))]
    Spmv(Spmv),
    /// Cache misses of that product, counted in an ideal cache
    #[command(after_help = concat!(matrices!(), "
The cache holds Z words in lines of L words; an element of any array is a word. With `opt` the line that
is needed last leaves first, which no cache does better; with `lru` the one that was used least recently.
A miss is `cold` where the line comes for the first time. Only the misses of x depend on the order of rows
and columns.

Examples:
  sunzi sparse cache m.mtx
  sunzi sparse cache m.mtx --words 65536 --line 8 --policy lru
  sunzi sparse reorder m.mtx | sunzi sparse cache - --json"))]
    Cache(Cache),
    /// Draws where the non-zeros are, before and after reordering
    #[command(after_help = concat!(matrices!(), methods!(), "
The end of the file's name, .png or .svg, says what is drawn. The darker a dot the more non-zeros it holds.

Examples:
  sunzi sparse show m.mtx -o m.png
  sunzi sparse show m.mtx --compare gray -o gray.svg
  sunzi sparse show m.mtx --compare gray --compare rcm --compare random -o orders.png"))]
    Show(Show),
    /// Solves M x = b for a symmetric positive definite matrix by conjugate gradients
    #[command(after_help = concat!(matrices!(), "
B is a file with one number a line; all are 1 where it is left out. The solution is written one number a
line. It ends when the residual's norm is at most --tolerance times that of b; where that is not reached
within --iterations steps nothing is written.

Examples:
  sunzi sparse solve m.mtx
  sunzi sparse solve m.mtx b.txt --tolerance 1e-12 -o x.txt
  sunzi sparse solve m.mtx --json"))]
    Solve(Solve),
}

impl SparseCommand {
    /// How much memory the user allows, where a matrix is read.
    pub fn memory(&self) -> Option<&MaxMemory> {
        let matrix = match self {
            Self::Generate(_) => return None,
            Self::Info(matrix) => matrix,
            Self::Reorder(arguments) => &arguments.matrix,
            Self::Spmv(arguments) => &arguments.matrix,
            Self::Cache(arguments) => &arguments.matrix,
            Self::Show(arguments) => &arguments.matrix,
            Self::Solve(arguments) => &arguments.matrix,
        };
        Some(&matrix.memory)
    }
}

/// Which matrix is made.
#[derive(Debug, Args)]
pub struct Generate {
    /// The kind of matrix, and its sizes
    #[arg(value_name = "KIND")]
    pub kind: String,
    /// Which of all random matrices and permutations
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Put rows and columns into random orders
    #[arg(long)]
    pub permuted: bool,
    #[command(flatten)]
    pub form: WrittenForm,
}

/// How a matrix is written.
#[derive(Clone, Copy, Debug, Args)]
pub struct WrittenForm {
    /// Write one of two entries that mirror each other: a symmetric or skew-symmetric file, the latter without zeros
    /// on its diagonal
    #[arg(long)]
    pub symmetric: bool,
}

/// A matrix.
#[derive(Debug, Args)]
pub struct MatrixFile {
    /// File with the matrix (`-`: standard input)
    #[arg(value_name = "M")]
    pub file: PathBuf,
    #[command(flatten)]
    pub memory: MaxMemory,
}

/// A matrix and its new order.
#[derive(Debug, Args)]
pub struct Reorder {
    #[command(flatten)]
    pub matrix: MatrixFile,
    /// How rows and columns are ordered
    #[arg(long, value_enum, default_value_t = Method::Gray)]
    pub method: Method,
    #[command(flatten)]
    pub options: OrderOptions,
    #[command(flatten)]
    pub form: WrittenForm,
    /// Write the order of the rows to this file: old row numbers, one a line
    #[arg(long, value_name = "FILE")]
    pub rows: Option<PathBuf>,
    /// Write the order of the columns to this file
    #[arg(long, value_name = "FILE")]
    pub columns: Option<PathBuf>,
}

/// How the orders are found.
#[derive(Debug, Args)]
pub struct OrderOptions {
    /// So many lists of columns are merged into one, for --method gray [default: sqrt(8 n)/rho, for n columns
    /// and rho non-zeros in a row]
    #[arg(long, value_name = "B", value_parser = clap::value_parser!(u32).range(1..))]
    pub block: Option<u32>,
    /// Columns are refined until there are more lists than this share of them, for --method gray
    #[arg(long, value_name = "T", default_value_t = 0.9)]
    pub fraction: f64,
    /// Which of all random orders
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
}

/// An order of rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// By Gray codes
    Gray,
    /// Reverse Cuthill-McKee
    Rcm,
    /// By chance
    Random,
}

/// A matrix and a vector.
#[derive(Debug, Args)]
pub struct Spmv {
    #[command(flatten)]
    pub matrix: MatrixFile,
    /// File with the vector (`-`: standard input) [default: ones]
    #[arg(value_name = "X")]
    pub vector: Option<PathBuf>,
    /// Compute modulo this prime: a decimal number, an expression such as 2^60-2^18+1, or a name such as P8
    #[arg(long = "mod", value_name = "P", allow_hyphen_values = true)]
    pub prime: Option<String>,
    /// The product of the transposed matrix
    #[arg(long)]
    pub transpose: bool,
    /// Multiply so many times, for the time of one (told by --json)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,
}

/// A matrix and a cache.
#[derive(Debug, Args)]
pub struct Cache {
    #[command(flatten)]
    pub matrix: MatrixFile,
    /// Z: the words of the cache
    #[arg(long, value_name = "Z", default_value_t = 32_768)]
    pub words: usize,
    /// L: the words of a line
    #[arg(long, value_name = "L", default_value_t = 8)]
    pub line: usize,
    /// Which line leaves a full cache
    #[arg(long, value_enum, default_value_t = Policy::Opt)]
    pub policy: Policy,
}

/// Which line leaves a full cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Policy {
    /// The one that is needed last
    Opt,
    /// The one that was used least recently
    Lru,
}

/// A matrix and what its picture shows.
#[derive(Debug, Args)]
pub struct Show {
    #[command(flatten)]
    pub matrix: MatrixFile,
    /// Draw it in this order, too; may be given several times
    #[arg(long, value_enum, value_name = "METHOD")]
    pub compare: Vec<Method>,
    #[command(flatten)]
    pub options: OrderOptions,
}

/// A linear system.
#[derive(Debug, Args)]
pub struct Solve {
    #[command(flatten)]
    pub matrix: MatrixFile,
    /// File with the right side (`-`: standard input) [default: ones]
    #[arg(value_name = "B")]
    pub vector: Option<PathBuf>,
    /// The residual's norm, as a share of that of b, that is small enough
    #[arg(long, value_name = "E", default_value_t = 1e-10)]
    pub tolerance: f64,
    /// Give up after so many steps
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub iterations: usize,
}
