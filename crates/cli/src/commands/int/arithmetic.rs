//! Division, divisors, powers and roots of integers, line by line.

use super::integers::{Integers, NOUN, Parts, TEXT, bytes_of};
use crate::args::{Common, MaxMemory, TwoFiles};
use crate::commands::Run;
use crate::operation::{Rowwise, Sentence, Wording};
use crate::parts::Part;
use crate::pipeline::Pipeline;
use crate::report::{Head, files};
use crate::wording::{DIVISIONS, GCDS};
use clap::Args;
use serde_json::json;
use std::path::{Path, PathBuf};
use sunzi::integer::{ArithmeticError, Integer};
use sunzi_files::failure::Failure;
use sunzi_files::style::Style;

/// Dividends and divisors.
#[derive(Debug, Args)]
#[command(after_help = concat!(integers!(), together!(), "
Each pair gives two lines: the quotient q, rounded down, then the remainder r, with A = q·B + r; r is 0 or has
the sign of B, as in Python. With --json it gives {\"quotient\":…,\"remainder\":…}.

Examples:
  sunzi int divrem a.txt b.txt
  sunzi int divrem -e -7 -e 2
  sunzi int divrem a.txt -e 1000000007 --json -o digits.json"))]
pub struct Divrem {
    #[command(flatten)]
    files: TwoFiles,
    #[command(flatten)]
    memory: MaxMemory,
}

/// Operands of greatest common divisors.
#[derive(Debug, Args)]
#[command(after_help = concat!(integers!(), together!(), "
Each pair gives one line, the greatest common divisor, which is 0 if A and B are.

Examples:
  sunzi int gcd a.txt b.txt
  sunzi int gcd -e 12 -e 18"))]
pub struct Gcd {
    #[command(flatten)]
    files: TwoFiles,
    #[command(flatten)]
    memory: MaxMemory,
}

/// The same, with cofactors.
#[derive(Debug, Args)]
#[command(after_help = concat!(integers!(), together!(), "
Each pair gives three lines: the greatest common divisor g, then s, then t, with g = s·A + t·B. Where neither
divides the other, |s| is at most |B|/2g and |t| at most |A|/2g. With --json it gives {\"gcd\":…,\"s\":…,\"t\":…}.

Examples:
  sunzi int xgcd a.txt b.txt
  sunzi int xgcd -e 240 -e 46 --json"))]
pub struct Xgcd {
    #[command(flatten)]
    files: TwoFiles,
    #[command(flatten)]
    memory: MaxMemory,
}

/// Bases and exponents.
#[derive(Debug, Args)]
#[command(after_help = concat!(integers!(), together!(), "
Each pair gives one line, A to the power B. 0 to the power 0 is 1; of negative exponents, 1 and -1 alone have
powers here. `sunzi calc` has the others.

Examples:
  sunzi int pow a.txt exponents.txt
  sunzi int pow a.txt -e 3 -o cubes.txt
  sunzi int pow -e 2 -e 1000000 | wc -c"))]
pub struct Pow {
    #[command(flatten)]
    files: TwoFiles,
    #[command(flatten)]
    memory: MaxMemory,
}

/// Bases, exponents and moduli.
#[derive(Debug, Args)]
#[command(after_help = concat!(integers!(), together!(), "
Three of them give one line, A to the power B modulo M, from 0 below |M|. Negative exponents are of the inverse,
where there is one.

Examples:
  sunzi int powmod a.txt exponents.txt moduli.txt
  sunzi int powmod a.txt -e 65537 -e 0xd5bbb96d30086ec484eba3d7f9caeb07
  sunzi int powmod -e 3 -e -1 -e 7"))]
pub struct Powmod {
    #[command(flatten)]
    files: TwoFiles,
    /// File with the moduli (`-`: standard input)
    #[arg(value_name = "M")]
    moduli: PathBuf,
    #[command(flatten)]
    memory: MaxMemory,
}

/// Radicands and degrees.
#[derive(Debug, Args)]
#[command(after_help = concat!(integers!(), together!(), "
Each pair gives one line, the root of A of degree B, rounded towards zero. Negative integers have roots of odd
degrees.

Examples:
  sunzi int root a.txt degrees.txt
  sunzi int root a.txt -e 2
  sunzi int root -e -1001 -e 3"))]
pub struct Root {
    #[command(flatten)]
    files: TwoFiles,
    #[command(flatten)]
    memory: MaxMemory,
}

/// Integers and their names.
type Found = Vec<(&'static str, Integer)>;

/// What is computed of N integers.
struct Function<const N: usize> {
    command: &'static str,
    wording: &'static Wording,
    /// About how many bytes the results have, and what computing them takes beside their text.
    bytes: fn([&Integer; N]) -> [u64; 2],
    compute: fn([&Integer; N]) -> Result<Found, ArithmeticError>,
}

const DIVREM: Function<2> = Function {
    command: "int divrem",
    wording: &DIVISIONS,
    bytes: |[a, b]| [bytes_of(a) + bytes_of(b), DIVISION_SCRATCH * bytes_of(a)],
    compute: |[a, b]| {
        let division = a.checked_div_rem_floor(b);
        let (quotient, remainder) = division.map_err(|_| ArithmeticError::DivisionByZero)?;
        Ok(vec![("quotient", quotient), ("remainder", remainder)])
    },
};

const GCD: Function<2> = Function {
    command: "int gcd",
    wording: &GCDS,
    bytes: |[a, b]| {
        let (a, b) = (bytes_of(a), bytes_of(b));
        [a.min(b), GCD_SCRATCH * (a + b)]
    },
    compute: |[a, b]| Ok(vec![("gcd", a.gcd(b).into())]),
};

const XGCD: Function<2> = Function {
    command: "int xgcd",
    wording: &GCDS,
    bytes: |[a, b]| {
        let both = bytes_of(a) + bytes_of(b);
        [2 * both, GCD_SCRATCH * both]
    },
    compute: |[a, b]| {
        let (gcd, s, t) = a.gcd_ext(b);
        Ok(vec![("gcd", gcd.into()), ("s", s), ("t", t)])
    },
};

const POW: Function<2> = Function {
    command: "int pow",
    wording: &Wording {
        one: "power",
        many: "powers",
        doing: "raising",
        between: "to the power of",
    },
    bytes: |[base, exponent]| {
        // Of 0, 1 and -1 all powers are short.
        let each = match base.bit_len() {
            0 | 1 => 0,
            bits => bits as u64,
        };
        // Negative ones have no power, or a short one.
        let exponent = match exponent.is_negative() {
            true => 0,
            false => u64::try_from(exponent).unwrap_or(u64::MAX),
        };
        let bytes = each.saturating_mul(exponent) / 8;
        [bytes, bytes.saturating_mul(PRODUCT_SCRATCH)]
    },
    compute: |[base, exponent]| Ok(vec![("power", base.try_pow(exponent)?)]),
};

const POWMOD: Function<3> = Function {
    command: "int powmod",
    wording: &Wording {
        one: "power",
        many: "powers",
        doing: "raising",
        between: "with",
    },
    bytes: |[base, _, modulus]| {
        let modulus = bytes_of(modulus);
        [
            modulus,
            DIVISION_SCRATCH * (bytes_of(base) + POWERS * modulus),
        ]
    },
    compute: |[base, exponent, modulus]| Ok(vec![("power", base.try_pow_mod(exponent, modulus)?)]),
};

const ROOT: Function<2> = Function {
    command: "int root",
    wording: &Wording {
        one: "root",
        many: "roots",
        doing: "taking roots",
        between: "of degree",
    },
    bytes: |[radicand, degree]| {
        let bytes = bytes_of(radicand);
        let degree = u64::try_from(degree).unwrap_or(u64::MAX);
        [bytes / degree.max(1), DIVISION_SCRATCH * bytes]
    },
    compute: |[radicand, degree]| Ok(vec![("root", radicand.try_root(degree)?)]),
};

/// What work takes, as multiples of the bytes of operands or results.
const DIVISION_SCRATCH: u64 = 12;
const GCD_SCRATCH: u64 = 16;
const PRODUCT_SCRATCH: u64 = 12;

/// Powers of the base that are kept, and products of two.
const POWERS: u64 = 70;

impl<const N: usize> Function<N> {
    fn run(self, paths: [&Path; N], memory: &MaxMemory, common: &Common) -> Result<(), Failure> {
        let integers = Integers::new(Style::new(common.json));
        let pipeline = Pipeline::open(&paths, NOUN, memory.budget(), common)?;
        let rows = Rowwise {
            wording: self.wording,
            plan: |operands: [&Integer; N]| {
                let [results, scratch] = (self.bytes)(operands);
                let bytes = results.saturating_mul(1 + TEXT).saturating_add(scratch);
                let limbs = operands.map(|operand| operand.magnitude().as_limbs().len());
                Ok((bytes, Sentence::Limbs(limbs.to_vec())))
            },
            compute: |operands: [&Integer; N]| {
                let found = (self.compute)(operands)?.into_iter();
                Ok(found
                    .map(|(name, value)| Part { name, value })
                    .collect::<Parts>())
            },
        };
        let head = Head::new(self.command, json!({ "files": files(paths) }));
        pipeline.run(&integers, &rows, head)
    }
}

/// What the commands of two files do.
macro_rules! runs {
    ($($command:ident: $function:ident,)*) => {$(
        impl Run for $command {
            fn run(&self, common: &Common) -> Result<(), Failure> {
                $function.run([&self.files.left, &self.files.right], &self.memory, common)
            }
        }
    )*};
}

runs! {
    Divrem: DIVREM,
    Gcd: GCD,
    Xgcd: XGCD,
    Pow: POW,
    Root: ROOT,
}

impl Run for Powmod {
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let paths = [&*self.files.left, &self.files.right, &self.moduli];
        POWMOD.run(paths, &self.memory, common)
    }
}
