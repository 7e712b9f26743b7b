//! The words that residues modulo a prime are kept in.

use bytemuck::Pod;
use sunzi_device::parameters::{Parameter, Told};
use sunzi_field::{FieldError, Fp32, Fp50, Fp64, WordModulus};

/// The kind of word that residues modulo a prime are kept in, always the canonical ones, 0 ≤ x < p.
///
/// | word | primes | arithmetic |
/// |---|---|---|
/// | `u32` | odd, below 2^31 | Montgomery form inside, three multiplications of 32 bits for one mod p |
/// | `u64` | odd, below 2^63 | the same with 64 bits for two residues; seven multiplications of 32 bits for one and a factor known before |
/// | `f64` | odd, below 2^50 | integers in doubles, exact by fused multiplication and addition |
///
/// Integer words are faster by a few operations for primes that leave bits to spare (p < 2^30, p < 2^61).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Word {
    /// `u32`.
    U32,
    /// `u64`.
    U64,
    /// `f64`.
    F64,
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for u32 {}
    impl Sealed for u64 {}
    impl Sealed for f64 {}
}

/// A word of the host that is of a [kind](Word).
pub trait ResidueWord: Pod + Send + Sync + sealed::Sealed {
    /// The kind.
    const WORD: Word;

    /// A canonical residue as a word.
    fn from_residue(residue: u64) -> Self;

    /// The residue that a word holds.
    fn residue(self) -> u64;
}

macro_rules! residue_word {
    ($word:ty, $kind:ident) => {
        impl ResidueWord for $word {
            const WORD: Word = Word::$kind;

            fn from_residue(residue: u64) -> Self {
                residue as $word
            }

            fn residue(self) -> u64 {
                self as u64
            }
        }
    };
}

residue_word!(u32, U32);
residue_word!(u64, U64);
residue_word!(f64, F64);

/// Words of a prime's arithmetic.
const FIELD_WORDS: usize = 3;

impl Word {
    /// Bytes of a word.
    pub const fn bytes(self) -> usize {
        match self {
            Self::U32 => 4,
            Self::U64 | Self::F64 => 8,
        }
    }

    /// Words of 32 bits of a word.
    pub(crate) const fn width(self) -> usize {
        self.bytes() / size_of::<u32>()
    }

    /// Words of 32 bits of a factor that values are multiplied by, as kernels take it.
    pub(crate) const fn prepared_width(self) -> usize {
        match self {
            Self::U32 => 1,
            // With a factor 2^32, and 2^64.
            Self::U64 => 4,
            Self::F64 => 2,
        }
    }

    /// Whether residues are in doubles.
    pub(crate) const fn is_double(self) -> bool {
        matches!(self, Self::F64)
    }

    /// Bits of an integer in it: the definition `WORD`.
    pub(crate) const fn bits(self) -> u32 {
        match self {
            Self::U32 => 32,
            Self::U64 => 64,
            Self::F64 => 53,
        }
    }

    /// Whether a prime of the word's range leaves the bits unused that the definition `SPARE` asks for.
    pub(crate) const fn leaves_spare_bits(self, prime: u64) -> bool {
        match self {
            Self::U32 => prime >> 30 == 0,
            Self::U64 => prime >> 61 == 0,
            Self::F64 => true,
        }
    }

    /// Refuses what is no prime in the word's range.
    pub(crate) fn check(self, prime: u64) -> Result<(), FieldError> {
        match self {
            // What does not fit the word is beyond every bound of the field's.
            Self::U32 => Fp32::new(prime.try_into().unwrap_or(u32::MAX)).map(drop),
            Self::U64 => Fp64::new(prime).map(drop),
            Self::F64 => Fp50::new(prime).map(drop),
        }
    }

    /// Words of a row of the table that kernels are told of primes by.
    pub(crate) const fn row(self) -> usize {
        FIELD_WORDS + 4 * (self.prepared_width() / self.width())
    }

    /// Appends what arithmetic modulo the prime needs: the words that a row of the table begins with.
    pub(crate) fn push_arithmetic(self, words: &mut Vec<u32>, prime: u64, spare: bool) {
        let inverse = inverse_mod_word(prime).wrapping_neg();
        let all = match self {
            Self::U32 => [prime, inverse, if spare { 2 * prime } else { prime }],
            Self::U64 => [prime, inverse, if spare { 4 * prime } else { prime }],
            Self::F64 => [prime as f64, 1.0 / prime as f64, 0.0].map(f64::to_bits),
        };
        self.push(words, &all);
    }

    /// Appends a canonical residue in the form of a prepared factor.
    pub(crate) fn push_prepared(self, words: &mut Vec<u32>, modulus: &WordModulus, residue: u64) {
        let shifted = |bits| shifted(modulus, residue, bits);
        let prime = modulus.get();
        match self {
            Self::U32 => self.push(words, &[shifted(32)]),
            Self::U64 => self.push(words, &[32, 64].map(shifted)),
            Self::F64 if residue > prime / 2 => {
                self.push(words, &[(-((prime - residue) as f64)).to_bits()]);
            }
            Self::F64 => self.push(words, &[(residue as f64).to_bits()]),
        }
    }

    /// The same of a factor that the product of two residues is multiplied by, in the form that leaves a residue as it is.
    pub(crate) fn push_prepared_for_product(
        self,
        words: &mut Vec<u32>,
        modulus: &WordModulus,
        residue: u64,
    ) {
        let residue = match self {
            Self::U32 | Self::U64 => shifted(modulus, residue, self.bits()),
            Self::F64 => residue,
        };
        self.push_prepared(words, modulus, residue);
    }

    /// Appends words, of which the lowest bits are those that fit.
    fn push(self, words: &mut Vec<u32>, all: &[u64]) {
        match self {
            Self::U32 => words.extend(all.iter().map(|&word| word as u32)),
            Self::U64 | Self::F64 => words.extend_from_slice(bytemuck::cast_slice(all)),
        }
    }
}

/// Kernels are not told: they are compiled for it.
impl Parameter for Word {
    /// Its bytes.
    fn number(&self) -> u128 {
        self.bytes() as u128
    }

    fn tell(self, _: &'static [&'static str], _: &mut Told) {}
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
