//! Early termination: how it is asked for, and what is told of results that it left without a proof.

use clap::Args;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::OnceLock;
use sunzi::rns::early::ERROR_BITS;

/// Whether results over Z may be terminated early.
#[derive(Debug, Args)]
pub struct EarlyOptions {
    /// Stop as soon as further primes change nothing: not proved, labelled so, wrong with a probability of at most 2^-60; faster where results are far below their bounds
    #[arg(long, conflicts_with = "prime")]
    early: bool,
    /// The number that the primes of --early are drawn by, below 2^128: the same primes each time [default: another one each time, which is told]
    #[arg(long, value_name = "S", requires = "early", value_parser = parse_seed)]
    seed: Option<u128>,
    /// The seed that was drawn where none was given.
    #[arg(skip)]
    drawn: OnceLock<u128>,
}

impl EarlyOptions {
    /// Whether results may be terminated early.
    pub fn asked_for(&self) -> bool {
        self.early
    }

    /// What primes are drawn by, if results may be terminated early: the same each time that it is asked.
    pub fn seed(&self) -> Option<u128> {
        let chosen = || self.seed.unwrap_or_else(entropy);
        self.early.then(|| *self.drawn.get_or_init(chosen))
    }

    /// The seed as JSON tells it: as text, since numbers lose digits in many programs.
    pub fn told_seed(&self) -> Option<String> {
        self.seed().map(|seed| seed.to_string())
    }
}

fn parse_seed(text: &str) -> Result<u128, String> {
    let told = |_| "give a whole number from 0 to 2^128 - 1".into();
    text.parse().map_err(told)
}

/// A number that nobody knows beforehand: the keys of hash tables come from the system's randomness.
fn entropy() -> u128 {
    let [high, low] = [(); 2].map(|()| RandomState::new().build_hasher().finish());
    u128::from(high) << 64 | u128::from(low)
}

/// The line that labels a result without a proof.
pub fn label(seed: Option<u128>) -> String {
    let seed = seed
        .map(|seed| format!(" --seed {seed}"))
        .unwrap_or_default();
    format!("# not proved: wrong with a probability of at most 2^-{ERROR_BITS} (--early{seed})")
}

/// The probability that a result is wrong, at most.
pub fn error_probability(proved: bool) -> f64 {
    match proved {
        true => 0.0,
        false => (-f64::from(ERROR_BITS)).exp2(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_the_probability() {
        let command = EarlyOptions::augment_args(clap::Command::new("test"));
        let option = command
            .get_arguments()
            .find(|option| option.get_id() == "early");
        let help = option
            .and_then(|option| option.get_help())
            .unwrap()
            .to_string();
        assert!(help.contains(&format!("2^-{ERROR_BITS};")), "{help}");
        assert_eq!(error_probability(false), 1.0 / (1u64 << ERROR_BITS) as f64);
    }

    #[test]
    fn seeds_have_up_to_128_bits() {
        assert_eq!(parse_seed(&u128::MAX.to_string()), Ok(u128::MAX));
        for wrong in ["", "-1", "abc", "340282366920938463463374607431768211456"] {
            assert!(parse_seed(wrong).unwrap_err().contains("2^128"), "{wrong}");
        }
    }

    #[test]
    fn seeds_are_drawn_once_and_differ() {
        let options = || EarlyOptions {
            early: true,
            seed: None,
            drawn: OnceLock::new(),
        };
        let drawn = options();
        assert_eq!(drawn.seed(), drawn.seed());
        assert_ne!(drawn.seed(), options().seed());
        let given = EarlyOptions {
            seed: Some(u128::MAX),
            ..options()
        };
        assert_eq!(given.seed(), Some(u128::MAX));
        let none = EarlyOptions {
            early: false,
            ..options()
        };
        assert_eq!(none.seed(), None);
    }
}
