//! `sunzi prime search`.

use crate::commands::Run;
use crate::report::{Figures, Head, Report, timed};
use clap::Args;
use std::fmt;

use crate::args::Common;
use serde::Serialize;
use serde_json::json;
use sunzi::Natural;
use sunzi::field::{PrimeSearch, SparsePrime};
use sunzi_files::failure::Failure;
use sunzi_files::output::Output;
use sunzi_files::progress::Progress;

/// Which primes are searched.
#[derive(Debug, Args)]
#[command(
    after_help = "Fewest powers of two come first, then the greatest primes; the same ones each time. Each line is
an expression that `sunzi prime` reads, the bits of the prime, the greatest s such that 2^s divides p - 1,
and how the prime was proved. There may be fewer primes than --count asks for.

Examples:
  sunzi prime search --digits 8 --bits 60 --two-adicity 312
  sunzi prime search --digits 64 --bits 58 --two-adicity 704 --count 1 --json"
)]
pub struct Search {
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

/// What was found.
#[derive(Debug, Serialize)]
struct Primes {
    primes: Vec<Found>,
}

impl fmt::Display for Primes {
    /// A line for each prime.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.primes.iter().map(|found| found.prime.len());
        let width = widths.max().unwrap_or(0);
        for found in &self.primes {
            writeln!(
                f,
                "{:width$}  {} bits, two-adicity {}, {}",
                found.prime, found.bits, found.two_adicity, found.primality,
            )?;
        }
        Ok(())
    }
}

/// A prime that was found.
#[derive(Debug, Serialize)]
struct Found {
    /// An expression that `sunzi prime` and `--mod` read.
    prime: String,
    /// As decimal text: JSON numbers lose digits in many programs.
    radix: String,
    bits: usize,
    two_adicity: u32,
    primality: String,
}

impl Found {
    fn new(prime: &SparsePrime) -> Self {
        Self {
            prime: prime.to_string(),
            radix: prime.radix.to_string(),
            // r^k is even, so p has as many bits.
            bits: Natural::from(prime.radix).pow(prime.digits).bit_len(),
            two_adicity: prime.two_adicity(),
            primality: prime.proof.to_string(),
        }
    }
}

/// The first primes of a search.
fn find(search: &PrimeSearch, count: usize) -> Vec<Found> {
    let radices = u64::try_from(search.radices()).unwrap_or(u64::MAX);
    let progress = Progress::over_at_most(radices, "radices");
    let mut primes = Vec::new();
    let say = |found: usize| progress.say(format!("{found} of {count} primes"));
    say(0);
    for (tried, prime) in (1..).zip(search.trials()) {
        progress.at(tried);
        if let Some(prime) = prime {
            primes.push(Found::new(&prime));
            say(primes.len());
            if primes.len() == count {
                break;
            }
        }
    }
    primes
}

impl Run for Search {
    /// Lists primes r^k + 1 with sparse r, the same ones in the same order each time.
    fn run(&self, common: &Common) -> Result<(), Failure> {
        let mut figures = Figures::start();
        let &Self {
            digits,
            bits,
            two_adicity,
            terms,
            count,
        } = self;
        let impossible = |error: &dyn std::fmt::Display| Failure::Computation(error.to_string());
        let search = PrimeSearch::new(digits, bits, two_adicity, terms)
            .map_err(|error| impossible(&error))?;
        let output = Output::create(common.output.as_deref())?;
        let primes = timed(&mut figures.seconds.computing, || {
            find(&search, count as usize)
        });
        if primes.is_empty() {
            return Err(impossible(&format_args!(
                "no r of {bits} bits with at most {terms} powers of two and a two-adicity of {two_adicity} or more makes r^{digits}+1 prime: give more --terms or a smaller --two-adicity"
            )));
        }
        let inputs = json!({
            "digits": digits,
            "bits": bits,
            "two_adicity": two_adicity,
            "terms": terms,
            "count": count,
        });
        let report = Report {
            head: Head::new("prime search", inputs),
            result: Primes { primes },
            figures: figures.ended(),
        };
        report.write(output, common.json, Primes::to_string)
    }
}
