//! Primes of one word: the words that residues are kept in, and what kernels are told of a prime.

use bytemuck::Pod;
use sunzi_device::parameters::{Parameter, Told};
use sunzi_device::{Buffer, Device, GpuError, Source, Stream};
use sunzi_field::{Fp32, Fp50, Fp64, WordModulus};

/// The text of the arithmetic that every program over a prime field begins with.
const FIELD: &str = include_str!("kernels/field.cl");

/// The text of powers and inverses over it.
pub(crate) const POWERS: &str = include_str!("kernels/powers.cl");

/// The text of sums of products over it.
pub(crate) const SUMS: &str = include_str!("kernels/sums.cl");

mod sealed {
    /// What the kernels are told of a word and a prime.
    pub trait Sealed: Copy + Send + Sync + 'static {
        /// The definition `WORD`.
        const WORD: u32;
        /// Bits that the definition `SPARE` asks for.
        const SPARE_BITS: u32;
        /// A factor that values are multiplied by, as kernels take it.
        type Prepared: bytemuck::Pod + std::fmt::Debug + Send + Sync;

        /// The prime, if it is one and in the word's range.
        fn check(prime: u64) -> Result<u64, sunzi_field::FieldError>;
        /// What arithmetic modulo the prime needs: the words that a row of the kernels' table begins with.
        fn field(prime: u64, spare: bool) -> [Self; super::FIELD_WORDS];
        /// A canonical residue in the form of a prepared factor.
        fn prepared(modulus: &sunzi_field::WordModulus, residue: u64) -> Self::Prepared;
        /// A factor that the product of two residues is multiplied by, in the form that leaves a residue as it is.
        fn prepared_for_product(modulus: &sunzi_field::WordModulus, residue: u64)
        -> Self::Prepared;
    }
}
use sealed::Sealed;

/// A word that holds residues modulo a prime, always the canonical ones, 0 ≤ x < p.
///
/// | word | primes | arithmetic |
/// |---|---|---|
/// | `u32` | odd, below 2^31 | Montgomery form inside, three multiplications of 32 bits for one mod p |
/// | `u64` | odd, below 2^63 | the same with 64 bits for two residues; seven multiplications of 32 bits for one and a factor known before |
/// | `f64` | odd, below 2^50 | integers in doubles, exact by fused multiplication and addition |
///
/// Integer words are faster by a few operations for primes that leave bits to spare (p < 2^30, p < 2^61).
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

impl sealed::Sealed for u32 {
    const WORD: u32 = Self::BITS;
    const SPARE_BITS: u32 = 2;
    type Prepared = Self;

    fn check(prime: u64) -> Result<u64, sunzi_field::FieldError> {
        // What does not fit the word is beyond every bound of the field's.
        let word = prime.try_into().unwrap_or(Self::MAX);
        Fp32::new(word).map(|_| prime)
    }

    fn field(prime: u64, spare: bool) -> [Self; FIELD_WORDS] {
        let lazy = if spare { 2 * prime } else { prime };
        [prime, inverse_mod_word(prime).wrapping_neg(), lazy].map(|word| word as Self)
    }

    fn prepared(modulus: &WordModulus, residue: u64) -> Self {
        shifted(modulus, residue, Self::BITS) as Self
    }

    fn prepared_for_product(modulus: &WordModulus, residue: u64) -> Self {
        Self::prepared(modulus, shifted(modulus, residue, Self::BITS))
    }
}

impl sealed::Sealed for u64 {
    const WORD: u32 = Self::BITS;
    const SPARE_BITS: u32 = 3;
    /// With a factor 2^32, and 2^64.
    type Prepared = [Self; 2];

    fn check(prime: u64) -> Result<u64, sunzi_field::FieldError> {
        Fp64::new(prime).map(|_| prime)
    }

    fn field(prime: u64, spare: bool) -> [Self; FIELD_WORDS] {
        let lazy = if spare { 4 * prime } else { prime };
        [prime, inverse_mod_word(prime).wrapping_neg(), lazy]
    }

    fn prepared(modulus: &WordModulus, residue: u64) -> [Self; 2] {
        [32, 64].map(|bits| shifted(modulus, residue, bits))
    }

    fn prepared_for_product(modulus: &WordModulus, residue: u64) -> [Self; 2] {
        Self::prepared(modulus, shifted(modulus, residue, Self::BITS))
    }
}

/// A word that is an integer.
macro_rules! integer_word {
    ($word:ty) => {
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

integer_word!(u32);
integer_word!(u64);

impl sealed::Sealed for f64 {
    const WORD: u32 = 53;
    const SPARE_BITS: u32 = 0;
    type Prepared = Self;

    fn check(prime: u64) -> Result<u64, sunzi_field::FieldError> {
        Fp50::new(prime).map(|_| prime)
    }

    fn field(prime: u64, _spare: bool) -> [Self; FIELD_WORDS] {
        [prime as f64, 1.0 / prime as f64, 0.0]
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
        if is_double::<E>() && !device.info().doubles {
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
        leaves_spare_bits::<E>(self.prime())
    }

    /// A factor in the form that products with it take.
    pub(crate) fn prepared<E: ResidueWord>(&self, residue: u64) -> E::Prepared {
        E::prepared(&self.modulus, residue)
    }
}

/// Whether residues are in doubles.
pub(crate) fn is_double<E: ResidueWord>() -> bool {
    E::WORD == f64::WORD
}

/// Whether a prime of the word's range leaves the bits unused that the definition `SPARE` asks for.
pub(crate) fn leaves_spare_bits<E: ResidueWord>(prime: u64) -> bool {
    is_double::<E>() || prime >> (E::WORD - E::SPARE_BITS) == 0
}

/// Words of a prime's arithmetic.
const FIELD_WORDS: usize = 3;

/// The factors that kernels scale whole vectors by, by their places in a row of the table: 1, and the inverse of a
/// transform's length. `Product…` is the same factor for a product of two residues, which has one factor R too few.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    One,
    ProductOne,
    InverseLength,
    ProductInverseLength,
}

impl Parameter for Scale {
    fn number(&self) -> u128 {
        *self as u128
    }

    fn tell(self, names: &'static [&'static str], told: &mut Told) {
        (self as u32).tell(names, told);
    }
}

/// Words of a row of the table.
const fn field_row<E: ResidueWord>() -> usize {
    FIELD_WORDS + 4 * (size_of::<E::Prepared>() / size_of::<E>())
}

/// The table of primes for kernels that transform 2^`log_n` points, which divides every p − 1.
pub(crate) fn field_table<E: ResidueWord>(
    stream: &Stream,
    moduli: &[Modulus],
    log_n: u32,
) -> Result<Buffer<E>, GpuError> {
    let spare = moduli.iter().all(Modulus::is_spare::<E>);
    let mut words = Vec::with_capacity(moduli.len() * field_row::<E>());
    for modulus in moduli {
        let prime = modulus.prime();
        words.extend(E::field(prime, spare));
        // N divides p − 1, so N·(p − 1)/N = −1.
        let inverse_length = (prime - ((prime - 1) >> log_n)) % prime;
        for factor in [1, inverse_length] {
            let of_product = E::prepared_for_product(&modulus.modulus, factor);
            let both = [modulus.prepared::<E>(factor), of_product];
            words.extend_from_slice(bytemuck::cast_slice(&both));
        }
    }
    stream.device().filled(stream, &words)
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
        .define("FIELD_ROW", field_row::<E>())
        .part(FIELD)
}
