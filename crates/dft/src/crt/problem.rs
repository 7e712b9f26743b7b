//! What can be wrong with a residue number system or a product over it.

use crate::DftError;
use thiserror::Error;

/// Why a product over several primes can't be computed as asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CrtError {
    /// The product of the primes does not exceed the bound on the values.
    #[error(
        "a basis of {primes} primes represents {basis_bits} bits, the values need {needed_bits}: \
         take more primes"
    )]
    BasisTooSmall {
        /// Primes of the basis.
        primes: usize,
        /// Bits of their product.
        basis_bits: usize,
        /// Bits of the number of values to tell apart.
        needed_bits: usize,
    },
    /// More primes than there are below the word bound.
    #[error("a basis of {asked} primes was asked for, there are at most {max}")]
    TooManyPrimes {
        /// Primes asked for.
        asked: usize,
        /// Primes that a basis may have.
        max: usize,
    },
    /// The modulus of a product is 0.
    #[error("a modulus of 0 has no residues: give a positive modulus")]
    ZeroModulus,
    /// Residues of the modulus don't fit the coefficients' type.
    #[error("residues modulo {modulus} do not fit 32 bits: take coefficients of 64 bits")]
    ModulusTooLarge {
        /// The modulus.
        modulus: u64,
    },
    /// An operand lies outside the range that the product was made for.
    #[error("coefficient {index} is out of range: its absolute value must be below 2^64")]
    OutOfRange {
        /// Position of the first such coefficient.
        index: usize,
    },
    /// The transforms refused the lengths.
    #[error(transparent)]
    Dft(#[from] DftError),
}
