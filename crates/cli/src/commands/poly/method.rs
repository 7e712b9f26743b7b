//! `--method`: which primes a result over Z is computed modulo.

use clap::{Args, ValueEnum};
use sunzi::solve::Method;

/// How a result over Z is found.
#[derive(Debug, Args)]
pub struct MethodOption {
    /// Over Z: how the result is found [default: whatever is quickest]
    #[arg(long, value_name = "METHOD", conflicts_with = "prime")]
    method: Option<Choice>,
}

/// The ways that may be asked for.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Choice {
    /// Modulo many primes of a word
    Words,
    /// Modulo one prime r^k + 1 above twice the bound
    BigPrime,
}

impl MethodOption {
    /// The method.
    pub fn chosen(&self) -> Method {
        match self.method {
            None => Method::Automatic,
            Some(Choice::Words) => Method::Words,
            Some(Choice::BigPrime) => Method::BigPrime,
        }
    }
}
