//! What a product by transforms is made of.

use crate::GpuError;
use crate::residues::{CoefficientForm, ResidueBasis, ValueForm};
use sunzi_field::primality::is_prime;

/// What becomes of the product's coefficients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Finish {
    /// They are written as so many words each, in two's complement if they have signs.
    Words {
        /// Words of a coefficient.
        words: usize,
        /// Whether coefficients may be negative.
        signed: bool,
    },
    /// They are carried over: the digits of an integer.
    Carry,
    /// They are reduced modulo an odd number below 2^32, and written as one word each.
    Modulo32(u32),
    /// They are reduced modulo an odd number below 2^63, and written as two words each.
    Modulo64(u64),
}

impl Finish {
    /// Words that are written for each coefficient of a product.
    pub const fn words(self) -> usize {
        match self {
            Self::Words { words, .. } => words,
            Self::Carry | Self::Modulo32(_) => 1,
            Self::Modulo64(_) => 2,
        }
    }
}

/// Products of one shape: what their operands look like, how long their transforms are, and what comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TransformShape {
    /// log₂ of the points of transforms: at least as many as a product has coefficients.
    pub log_points: u32,
    /// The coefficients of left operands.
    pub left: CoefficientForm,
    /// The coefficients of right operands.
    pub right: CoefficientForm,
    /// Bits of the number of values that a coefficient of the product may have: those of its magnitude, and one more
    /// for the sign. Larger values come out wrong.
    pub bits: u64,
    /// What becomes of them.
    pub finish: Finish,
}

impl TransformShape {
    /// The primes that coefficients are computed by.
    ///
    /// # Errors
    /// [`GpuError::TooFewPrimes`] if there are too few for so many bits and points.
    pub fn basis(&self) -> Result<ResidueBasis, GpuError> {
        match self.own_modulus() {
            Some(modulus) => ResidueBasis::of_prime(modulus),
            None => ResidueBasis::new(self.bits, self.log_points),
        }
    }

    /// The modulus, if it is a prime that has the transforms itself.
    pub(super) fn own_modulus(&self) -> Option<u32> {
        match self.finish {
            Finish::Modulo32(modulus)
                if modulus > 2
                    && modulus >> 31 == 0
                    && (modulus - 1).trailing_zeros() >= self.log_points
                    && is_prime(modulus.into()) =>
            {
                Some(modulus)
            }
            _ => None,
        }
    }

    /// How residues are put together where it is words that come out.
    pub(super) fn value_form(&self) -> Option<ValueForm> {
        match self.finish {
            Finish::Words { words, signed } => Some(ValueForm {
                words,
                signed,
                log_plane: None,
            }),
            Finish::Carry => Some(ValueForm {
                words: CARRY_PLANES,
                signed: false,
                log_plane: Some(self.log_points),
            }),
            Finish::Modulo32(_) | Finish::Modulo64(_) => None,
        }
    }

    /// The points of a transform.
    pub const fn points(&self) -> usize {
        1 << self.log_points
    }
}

/// Words of a coefficient before it is carried over: sums of 2^32 products of digits fit.
pub(super) const CARRY_PLANES: usize = 3;
