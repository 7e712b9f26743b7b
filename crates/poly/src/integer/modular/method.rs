//! Which primes a modular method takes.

use std::fmt;

/// Which primes a result over the integers is computed modulo.
///
/// ```
/// assert_eq!(sunzi::solve::Method::BigPrime.to_string(), "big prime");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Whatever is quickest.
    #[default]
    Automatic,
    /// Many primes of a word; the result from its residues by the Chinese remainder theorem.
    Words,
    /// One prime r^k + 1 that is larger than twice the result can be.
    BigPrime,
    /// No prime, for a resultant with a linear polynomial: a value of the other one. As [`Method::Words`] elsewhere.
    Linear,
    /// No prime, for a greatest common divisor: that of the values at a power of two. Many primes, where it is not found so. As
    /// [`Method::Words`] elsewhere.
    Values,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Automatic => "automatic",
            Self::Words => "words",
            Self::BigPrime => "big prime",
            Self::Linear => "linear",
            Self::Values => "values",
        })
    }
}
