//! Determinants over the integers: methods, results and errors.

use std::fmt;

use sunzi_integer::Integer;

/// How a determinant over the integers is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IntegerMethod {
    /// Whatever is quickest for the order and the entries.
    #[default]
    Automatic,
    /// By residues modulo many primes.
    Residues,
    /// By a linear system for nearly all of it, and residues for the rest.
    Lifting,
    /// Modulo one prime r^k + 1.
    BigPrime,
    /// By fraction-free elimination.
    FractionFree,
    /// By elimination modulo one power of two; fraction-free if the determinant may have more than 767 bits.
    TwoAdic,
}

impl fmt::Display for IntegerMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Automatic => "automatic",
            Self::Residues => "residues",
            Self::Lifting => "lifting",
            Self::BigPrime => "big prime",
            Self::FractionFree => "fraction-free",
            Self::TwoAdic => "two-adic",
        })
    }
}

/// A determinant, and how it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownDeterminant {
    /// The determinant; if it is not proved, it is wrong for one seed in 2^[`ERROR_BITS`](sunzi_rns::early::ERROR_BITS) at most.
    pub value: Integer,
    /// Whether that is proved: always without early termination.
    pub proved: bool,
    /// What computed it; never `Automatic`.
    pub method: IntegerMethod,
    /// Primes that it was computed modulo, those of a linear system apart; none by fraction-free elimination and modulo powers of two.
    pub primes: usize,
}

impl KnownDeterminant {
    /// The determinant of a matrix with a row or a column of zeros.
    pub(super) fn zero(method: IntegerMethod) -> Self {
        Self {
            value: Integer::ZERO,
            proved: true,
            method,
            primes: 0,
        }
    }
}
