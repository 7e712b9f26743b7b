//! Why r^k + 1 makes no field, or is not searched.

use thiserror::Error;

/// Why there is no field modulo r^k + 1, or no search for such primes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GeneralizedFermatError {
    /// The number of digits is none that elements may have.
    #[error("numbers of {digits} digits are not available: k is 2, 4, 8, 16, 32, 64, 128 or 256")]
    Digits {
        /// The refused k.
        digits: usize,
    },
    /// The radix is 0 or 1.
    #[error("the radix {radix} is too small: give an even one from 2 on")]
    RadixTooSmall {
        /// The refused radix.
        radix: u64,
    },
    /// The radix is odd.
    #[error("{radix}^{digits}+1 is even, as the radix is odd: give an even radix")]
    OddRadix {
        /// The refused radix.
        radix: u64,
        /// k.
        digits: usize,
    },
    /// r^k + 1 is not prime.
    #[error("{radix}^{digits}+1 is not prime{}: give a prime, such as those with names (P8, P16F …)",
        .factor.map_or_else(String::new, |factor| format!(", {factor} divides it")))]
    Composite {
        /// r.
        radix: u64,
        /// k.
        digits: usize,
        /// A small divisor, if there is one; else a power of a witness showed it.
        factor: Option<u64>,
    },
    /// The number of digits is none that primes are searched with.
    #[error("primes r^{digits}+1 are not available: k is 2, 4, 8, 16, 32, 64, 128 or 256")]
    NoSuchPrimes {
        /// The refused k.
        digits: usize,
    },
    /// No word has that many bits, or no even one from 2 on.
    #[error("a radix of {bits} bits is not available: it has 2 to 64 bits")]
    RadixBits {
        /// The refused size of r.
        bits: u32,
    },
    /// r has too few bits to be divisible by such a power of two.
    #[error(
        "a two-adicity of {two_adicity} is out of reach: with r of {bits} bits, that of r^{digits} is at most {digits}·{} = {greatest}",
        .bits - 1
    )]
    TwoAdicity {
        /// The refused two-adicity.
        two_adicity: u32,
        /// Bits of r.
        bits: u32,
        /// k.
        digits: usize,
        /// The greatest that can be.
        greatest: u32,
    },
    /// A radix is searched among sums without terms.
    #[error("a radix is a sum of at least one power of two")]
    NoTerms,
}
