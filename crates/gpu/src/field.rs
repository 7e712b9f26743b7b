//! Primes of one word: the words that residues are kept in, and what kernels are told of a prime.

use crate::backend::Argument;
use crate::device::Device;
use crate::error::GpuError;
use crate::program::Source;
use bytemuck::Pod;
use sunzi_field::{Fp32, Fp50, Fp64, WordModulus};

/// The text of the arithmetic that every program over a prime field begins with.
const FIELD: &str = include_str!("kernels/field.cl");

mod sealed {
    /// What the kernels are told of a word and a prime.
    pub trait Sealed: Copy + Send + Sync + 'static {
        /// The definition `WORD`.
        const WORD: u32;
        /// Bits that every prime leaves unused by itself, and that the definition `SPARE` asks for.
        const SPARE_BITS: u32;

        /// The prime, if it is one and in the word's range.
        fn check(prime: u64) -> Result<u64, sunzi_field::FieldError>;
        /// The words of the kernels' `FIELD_PARAMETERS`.
        fn field(prime: u64) -> Vec<Self>;
        /// A canonical residue in the form of a prepared factor.
        fn prepared(modulus: &sunzi_field::WordModulus, residue: u64) -> Self;
        /// A factor that the product of two residues is multiplied by, in the form that leaves a residue as it is.
        fn prepared_for_product(modulus: &sunzi_field::WordModulus, residue: u64) -> Self;
        /// As an argument of a kernel.
        fn argument(self) -> crate::backend::Argument;
    }
}
use sealed::Sealed;

/// A word that holds residues modulo a prime, always the canonical ones, 0 ≤ x < p.
///
/// | word | primes | arithmetic |
/// |---|---|---|
/// | `u32` | odd, below 2^31 | Montgomery form inside, three multiplications of 32 bits for one mod p |
/// | `u64` | odd, below 2^63 | the same with 64 bits |
/// | `f64` | odd, below 2^50 | integers in doubles, exact by fused multiplication and addition |
///
/// Integer words are faster by a few operations for primes that leave two bits to spare (p < 2^30, p < 2^62).
pub trait ResidueWord: Pod + sealed::Sealed {
    /// A canonical residue as a word.
    fn from_residue(residue: u64) -> Self;

    /// The residue that a word holds.
    fn residue(self) -> u64;
}

/// 1/p modulo 2^64 for odd p by Newton's iteration, which doubles the bits that are right: p is its own inverse mod 8.
pub(crate) const fn inverse_mod_word(p: u64) -> u64 {
    let mut inverse = p;
    let mut bits = 3;
    while bits < 64 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(inverse)));
        bits *= 2;
    }
    inverse
}

/// x·2^bits mod p.
fn shifted(modulus: &WordModulus, residue: u64, bits: u32) -> u64 {
    modulus.reduce_wide(u128::from(residue) << bits)
}

/// An integer word in Montgomery form.
macro_rules! montgomery_word {
    ($word:ty, $field:ty, $argument:ident) => {
        impl sealed::Sealed for $word {
            const WORD: u32 = <$word>::BITS;
            const SPARE_BITS: u32 = 2;

            fn check(prime: u64) -> Result<u64, sunzi_field::FieldError> {
                // What does not fit the word is beyond every bound of the field's.
                let word = prime.try_into().unwrap_or(<$word>::MAX);
                <$field>::new(word).map(|_| prime)
            }

            fn field(prime: u64) -> Vec<Self> {
                let negated_inverse = inverse_mod_word(prime).wrapping_neg();
                [prime, negated_inverse, 2 * prime]
                    .map(|word| word as $word)
                    .into()
            }

            fn prepared(modulus: &WordModulus, residue: u64) -> Self {
                shifted(modulus, residue, <$word>::BITS) as $word
            }

            fn prepared_for_product(modulus: &WordModulus, residue: u64) -> Self {
                let once = shifted(modulus, residue, <$word>::BITS);
                shifted(modulus, once, <$word>::BITS) as $word
            }

            fn argument(self) -> Argument {
                Argument::$argument(self)
            }
        }

        impl ResidueWord for $word {
            fn from_residue(residue: u64) -> Self {
                residue as $word
            }

            fn residue(self) -> u64 {
                u64::from(self)
            }
        }
    };
}

montgomery_word!(u32, Fp32, U32);
montgomery_word!(u64, Fp64, U64);

impl sealed::Sealed for f64 {
    const WORD: u32 = 53;
    const SPARE_BITS: u32 = 0;

    fn check(prime: u64) -> Result<u64, sunzi_field::FieldError> {
        Fp50::new(prime).map(|_| prime)
    }

    fn field(prime: u64) -> Vec<Self> {
        vec![prime as f64, 1.0 / prime as f64]
    }

    fn prepared(modulus: &WordModulus, residue: u64) -> Self {
        let prime = modulus.get();
        if residue > prime / 2 {
            -((prime - residue) as f64)
        } else {
            residue as f64
        }
    }

    fn prepared_for_product(modulus: &WordModulus, residue: u64) -> Self {
        Self::prepared(modulus, residue)
    }

    fn argument(self) -> Argument {
        Argument::U64(self.to_bits())
    }
}

impl ResidueWord for f64 {
    fn from_residue(residue: u64) -> Self {
        residue as f64
    }

    fn residue(self) -> u64 {
        self as u64
    }
}

/// A prime that a word can hold, on a device that computes with the word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Modulus {
    modulus: WordModulus,
}

impl Modulus {
    /// Checks both.
    ///
    /// # Errors
    /// [`GpuError::Shape`].
    pub(crate) fn new<E: ResidueWord>(device: &Device, prime: u64) -> Result<Self, GpuError> {
        if E::WORD == f64::WORD && !device.info().doubles {
            return Err(GpuError::Shape(format!(
                "{} does not compute with doubles",
                device.info().name
            )));
        }
        E::check(prime).map_err(|error| GpuError::Shape(error.to_string()))?;
        Ok(Self {
            modulus: WordModulus::new(prime),
        })
    }

    /// Arithmetic modulo the prime on the host.
    pub(crate) fn ring(&self) -> &WordModulus {
        &self.modulus
    }

    /// The prime.
    pub(crate) fn prime(&self) -> u64 {
        self.modulus.get()
    }

    /// Whether it leaves the bits unused that the definition `SPARE` asks for.
    pub(crate) fn is_spare<E: ResidueWord>(&self) -> bool {
        E::WORD == f64::WORD || self.prime() >> (E::WORD - E::SPARE_BITS) == 0
    }

    /// A factor in the form that products with it take.
    pub(crate) fn prepared<E: ResidueWord>(&self, residue: u64) -> E {
        E::prepared(&self.modulus, residue)
    }

    /// The argument for a kernel that multiplies residues by a factor.
    pub(crate) fn scale<E: ResidueWord>(&self, residue: u64) -> Argument {
        self.prepared::<E>(residue).argument()
    }

    /// The argument for a kernel that multiplies products of two residues by a factor.
    pub(crate) fn product_scale<E: ResidueWord>(&self, residue: u64) -> Argument {
        E::prepared_for_product(&self.modulus, residue).argument()
    }

    /// A kernel's arguments, completed by those that every kernel over the field ends with.
    pub(crate) fn arguments<E: ResidueWord>(&self, own: &[Argument]) -> Vec<Argument> {
        own.iter()
            .copied()
            .chain(field_arguments::<E>(self.prime()))
            .collect()
    }
}

/// The arguments that every kernel over a prime field ends with.
pub(crate) fn field_arguments<E: ResidueWord>(prime: u64) -> impl Iterator<Item = Argument> {
    E::field(prime).into_iter().map(Sealed::argument)
}

/// A program that begins with the arithmetic of a word.
pub(crate) fn field_source<E: ResidueWord>(
    name: &'static str,
    threads: usize,
    spare: bool,
) -> Source<'static> {
    Source::new(name, threads)
        .define("WORD", E::WORD)
        .define("SPARE", u32::from(spare))
        .part(FIELD)
}
