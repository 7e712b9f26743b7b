//! The commands on polynomials.

use super::{MaxMemory, Modulus, TwoFiles};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What files of polynomials hold.
macro_rules! polynomials {
    () => {
        "Polynomials stand one a line: as coefficients from the constant term upward, separated by blanks
(`1 -2 3`), or as an expression in x (`3*x^2 - 2*x + 1`), whose integers are reduced modulo P where there
is one. # starts a comment; empty lines do not count.
"
    };
}

/// What files of points and values hold.
macro_rules! vectors {
    () => {
        "Points and values stand one a line, decimal or 0x…; # starts a comment; empty lines do not count.
"
    };
}

/// How lines meet.
macro_rules! pairs {
    () => {
        "Line i of A goes with line i of B; a file of one line goes with every line of the other.
"
    };
}

/// How polynomials are written.
macro_rules! written {
    () => {
        "Polynomials are written as coefficients from the constant term upward, or with --pretty as
expressions, the highest power first. --pretty --json gives expressions as strings.
"
    };
}

/// What a prime is.
macro_rules! primes {
    () => {
        "
With --mod P listed coefficients, points and values must lie in 0 … P−1, and so does all that is written.
P is an odd prime below 2^63, or a prime r^k+1 with k = 2, 4, 8 … 256 and r below 2^64: a name (P4 P8 P16
P32 P64 P128, P2F P4F P8F P16F P32F P64F P128F) or an expression.

"
    };
}

#[derive(Debug, Subcommand)]
pub enum PolyCommand {
    /// Products of polynomials, line by line, over Z or modulo a prime
    #[command(after_help = concat!(polynomials!(), pairs!(), written!(), primes!(), "Examples:
  sunzi poly mul f.txt g.txt
  sunzi poly mul f.txt g.txt --pretty
  sunzi poly mul f.txt g.txt --mod 469762049 -o product.txt
  sunzi poly mul f.txt g.txt --mod '2^60-2^18+1' --json --threads 2
  sunzi poly mul f.txt g.txt --mod P8
  sunzi poly mul f.txt g.txt --mod '(2^62+2^36)^16+1'"))]
    Mul(ProductArguments),
    /// Quotients and remainders of polynomials, line by line, modulo a prime
    #[command(after_help = concat!(polynomials!(), pairs!(), written!(), "
Each pair gives two lines: the quotient q, then the remainder r, with A = q·B + r and deg r < deg B.
With --json it gives {\"quotient\":…,\"remainder\":…}.
", primes!(), "Examples:
  sunzi poly divrem f.txt g.txt --mod 469762049
  sunzi poly divrem f.txt g.txt --mod P8 --json -o quotients.json
  echo 'x^7 - 1' | sunzi poly divrem - <(echo 'x + 1') --mod 97 --pretty"))]
    Divrem(PairArguments),
    /// Monic greatest common divisors of polynomials, line by line, modulo a prime
    #[command(after_help = concat!(polynomials!(), pairs!(), written!(), "
Each pair gives one line, the greatest common divisor with leading coefficient 1, or 0 if A and B are 0.
", primes!(), "Examples:
  sunzi poly gcd f.txt g.txt --mod 469762049
  sunzi poly gcd f.txt g.txt --mod '2^60-2^18+1' --pretty --threads 2
  sunzi poly gcd f.txt g.txt --mod P8 -o gcds.txt"))]
    Gcd(PairArguments),
    /// Greatest common divisors with cofactors, line by line, modulo a prime
    #[command(after_help = concat!(polynomials!(), pairs!(), written!(), "
Each pair gives three lines: the monic greatest common divisor g, then s, then t, with g = s·A + t·B.
Where neither operand divides the other, deg s < deg B − deg g and deg t < deg A − deg g.
With --json it gives {\"gcd\":…,\"s\":…,\"t\":…}.
", primes!(), "Examples:
  sunzi poly xgcd f.txt g.txt --mod 469762049
  sunzi poly xgcd f.txt g.txt --mod P8 --pretty
  sunzi poly xgcd f.txt g.txt --mod '2^60-2^18+1' --json -o cofactors.json"))]
    Xgcd(PairArguments),
    /// Resultants of polynomials, line by line, modulo a prime
    #[command(after_help = concat!(polynomials!(), pairs!(), "
Each pair gives one line, the determinant of the Sylvester matrix of A and B, which is 0 where they have a
common root: of a constant c and a polynomial of degree n it is c^n, of 0 and another constant 1, of 0 and
0 it is 0.
", primes!(), "Examples:
  sunzi poly resultant f.txt g.txt --mod 469762049
  sunzi poly resultant f.txt g.txt --mod P8 --json
  sunzi poly resultant f.txt g.txt --mod '2^60-2^18+1' -o resultants.txt"))]
    Resultant(ResultantArguments),
    /// Values of polynomials at many points, modulo a prime
    #[command(after_help = concat!(polynomials!(), vectors!(), "
Each line of F is evaluated at all points: one value a line in the order of the points, first all values of
the first polynomial, then those of the second … With --json each polynomial gives an array.
", primes!(), "Examples:
  sunzi poly eval f.txt points.txt --mod 469762049
  sunzi poly eval f.txt points.txt --mod P8 -o values.txt --threads 2
  seq 100 | sunzi poly eval f.txt - --mod '2^60-2^18+1' --json"))]
    Eval(EvalArguments),
    /// The polynomial of least degree through points, modulo a prime
    #[command(after_help = concat!(vectors!(), written!(), "
The polynomial has the i-th value at the i-th point, and a degree below the number of points, which must
differ from each other.
", primes!(), "Examples:
  sunzi poly interp points.txt values.txt --mod 469762049
  sunzi poly interp points.txt values.txt --mod P8 -o f.txt --threads 2
  sunzi poly eval f.txt points.txt --mod 97 | sunzi poly interp points.txt - --mod 97 --pretty"))]
    Interp(InterpArguments),
}

impl PolyCommand {
    /// How much memory the user allows.
    pub fn memory(&self) -> &MaxMemory {
        match self {
            Self::Mul(arguments) => &arguments.memory,
            Self::Divrem(arguments) | Self::Gcd(arguments) | Self::Xgcd(arguments) => {
                &arguments.memory
            }
            Self::Resultant(arguments) => &arguments.memory,
            Self::Eval(arguments) => &arguments.memory,
            Self::Interp(arguments) => &arguments.memory,
        }
    }
}

/// How polynomials are written.
#[derive(Debug, Args)]
pub struct Pretty {
    /// Write polynomials as expressions such as 3*x^2 - 2*x + 1
    #[arg(long)]
    pub pretty: bool,
}

#[derive(Debug, Args)]
pub struct ProductArguments {
    #[command(flatten)]
    pub files: TwoFiles,
    /// Compute modulo this prime: a decimal number, an expression such as 2^60-2^18+1, or a name such
    /// as P8 [default: over Z]
    #[arg(long = "mod", value_name = "P", allow_hyphen_values = true)]
    pub modulus: Option<String>,
    #[command(flatten)]
    pub form: Pretty,
    #[command(flatten)]
    pub algorithm: super::ChosenAlgorithm,
    #[command(flatten)]
    pub memory: MaxMemory,
}

/// Two files of polynomials, which give polynomials.
#[derive(Debug, Args)]
pub struct PairArguments {
    #[command(flatten)]
    pub files: TwoFiles,
    #[command(flatten)]
    pub modulus: Modulus,
    #[command(flatten)]
    pub form: Pretty,
    #[command(flatten)]
    pub memory: MaxMemory,
}

#[derive(Debug, Args)]
pub struct ResultantArguments {
    #[command(flatten)]
    pub files: TwoFiles,
    #[command(flatten)]
    pub modulus: Modulus,
    #[command(flatten)]
    pub memory: MaxMemory,
}

#[derive(Debug, Args)]
pub struct EvalArguments {
    /// File with polynomials (`-`: standard input)
    #[arg(value_name = "F")]
    pub polynomials: PathBuf,
    /// File with points (`-`: standard input)
    #[arg(value_name = "POINTS")]
    pub points: PathBuf,
    #[command(flatten)]
    pub modulus: Modulus,
    #[command(flatten)]
    pub memory: MaxMemory,
}

#[derive(Debug, Args)]
pub struct InterpArguments {
    /// File with points (`-`: standard input)
    #[arg(value_name = "POINTS")]
    pub points: PathBuf,
    /// File with values (`-`: standard input)
    #[arg(value_name = "VALUES")]
    pub values: PathBuf,
    #[command(flatten)]
    pub modulus: Modulus,
    #[command(flatten)]
    pub form: Pretty,
    #[command(flatten)]
    pub memory: MaxMemory,
}
