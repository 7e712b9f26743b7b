//! Writes random operands for the commands that multiply, the same ones for the same seed.
//!
//! ```text
//! cargo run --release -p sunzi-cli --example random_input -- integer --digits 10000000 --seed 1 > a.txt
//! cargo run --release -p sunzi-cli --example random_input -- polynomial --terms 4000001 --mod 469762049 --seed 1 > f.txt
//! ```

use clap::{Parser, Subcommand};
use std::io::{self, BufWriter, Write};
use sunzi_testkit::Random;

/// Writes random operands, the same ones for the same seed, to standard output.
#[derive(Debug, Parser)]
struct Options {
    #[command(subcommand)]
    kind: Kind,
}

#[derive(Debug, Subcommand)]
enum Kind {
    /// One decimal integer.
    Integer {
        /// Its digits; the first is not 0.
        #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
        digits: u64,
        /// The seed.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// The coefficients of one polynomial, from the constant term upward.
    Polynomial {
        /// How many, one more than the degree; the last is not 0.
        #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
        terms: u64,
        /// They lie in 0 … modulus − 1.
        #[arg(long = "mod", value_name = "M", value_parser = clap::value_parser!(u64).range(2..))]
        modulus: u64,
        /// The seed.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

fn main() -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    match Options::parse().kind {
        Kind::Integer { digits, seed } => integer(&mut out, digits, &mut Random::new(seed))?,
        Kind::Polynomial {
            terms,
            modulus,
            seed,
        } => polynomial(&mut out, terms, modulus, &mut Random::new(seed))?,
    }
    writeln!(out)?;
    out.flush()
}

fn integer(out: &mut impl Write, digits: u64, random: &mut Random) -> io::Result<()> {
    /// Digits made from one random word.
    const CHUNK: u64 = 18;
    write!(out, "{}", 1 + random.below(9))?;
    let mut left = digits - 1;
    while left > 0 {
        let width = left.min(CHUNK);
        let chunk = random.below(10u64.pow(width as u32));
        write!(out, "{chunk:0width$}", width = width as usize)?;
        left -= width;
    }
    Ok(())
}

fn polynomial(
    out: &mut impl Write,
    terms: u64,
    modulus: u64,
    random: &mut Random,
) -> io::Result<()> {
    for _ in 1..terms {
        write!(out, "{} ", random.below(modulus))?;
    }
    write!(out, "{}", 1 + random.below(modulus - 1))
}
