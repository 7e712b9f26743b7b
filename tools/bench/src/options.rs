//! The options of `sunzi bench`, and which primes they choose.

use clap::Args;
use std::path::PathBuf;
use sunzi::field::{NAMED, NamedPrime, named_prime};
use sunzi_files::failure::Failure;

/// What stands below the help of `sunzi bench gfp`.
const GFP_HELP: &str = "Measured are, one after the other:
  products      modulo all 13 named primes, one at a time and 4096 at a time
  transforms    of N elements from k^2 to k^3, forward, in natural order, on one thread:
                  (a) modulo r^k + 1, as `DftContext::over_big_prime` does them
                  (b) the same by radix 2 with Sunzi's own arithmetic on one element at a time
                  (c) modulo as many primes below 2^50 as hold the same bits: residues, a transform
                      for each prime, the integers by mixed radix
  steps         of (a): permutations, base cases, products with twiddles
  speed-up      of (a) for N from 4096 on, by threads

Methods of which one transform would take longer than --seconds are left out from that N on, and sizes that
would take more than half of the free memory. Times are medians of wall-clock times, methods taken in turn.

--csv takes files that the project's comparison with GMP and FLINT saved (`tools/peers/`, option --csv there); the
curves of its section gfp-fft are shown beside the others. They count only if they come from this machine.

Examples:
  sunzi bench gfp
  sunzi bench gfp --primes P8,P16 --seconds 0.5 --out plots
  sunzi bench gfp --primes all --csv peers.csv --out plots
  sunzi bench gfp --json -o gfp.json --threads 4";

/// What of big prime fields is measured, and for how long.
#[derive(Debug, Args)]
#[command(after_help = GFP_HELP)]
pub struct GfpOptions {
    /// Primes of the transforms: names such as P8, separated by commas, or all
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "P4,P8,P16,P32"
    )]
    pub primes: Vec<String>,
    /// About how long each case is measured, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "0.2", value_parser = budget)]
    pub seconds: f64,
    /// Show the curves of this file too, which the comparison with GMP and FLINT saved (repeatable)
    #[arg(long, value_name = "FILE")]
    pub csv: Vec<PathBuf>,
    /// Draw plots into this folder, as SVG
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// A positive number of seconds, of a day at most.
pub fn budget(text: &str) -> Result<f64, String> {
    const DAY: f64 = 86_400.0;
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= DAY => Ok(seconds),
        _ => Err(format!(
            "expected a number of seconds above 0, and {DAY} at most"
        )),
    }
}

/// The primes of these names, each once, in the order given.
pub fn chosen_primes(names: &[String]) -> Result<Vec<NamedPrime>, Failure> {
    let mut chosen: Vec<NamedPrime> = Vec::new();
    for name in names.iter().map(|name| name.trim()) {
        let found = match name {
            "all" => NAMED.to_vec(),
            _ => named_prime(name).into_iter().collect(),
        };
        if found.is_empty() {
            let known: Vec<&str> = NAMED.iter().map(|prime| prime.name).collect();
            return Err(Failure::Usage(format!(
                "no prime is named `{name}`: the names are {}, or all of them by `all`",
                known.join(", ")
            )));
        }
        for prime in found {
            if !chosen.contains(&prime) {
                chosen.push(prime);
            }
        }
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_above_zero() {
        assert_eq!(budget("0.25"), Ok(0.25));
        for text in ["0", "-1", "nan", "inf", "", "x", "1e9"] {
            assert!(budget(text).is_err(), "{text}");
        }
    }

    #[test]
    fn each_prime_is_chosen_once() {
        let names = |text: &str| {
            let names: Vec<String> = text.split(',').map(str::to_owned).collect();
            chosen_primes(&names)
        };
        assert_eq!(names("P8, P4,P8").unwrap().len(), 2);
        assert_eq!(names("P4,all").unwrap().len(), NAMED.len());
        assert!(names("").is_err() && names("P9").is_err());
    }
}
