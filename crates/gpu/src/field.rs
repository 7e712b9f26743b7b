//! Primes of one word: what kernels are told of them.

use crate::elements::{ElementsMut, ElementsRef};
use crate::word::{ResidueWord, Word};
use sunzi_device::parameters::{Parameter, Told};
use sunzi_device::{Buffer, GpuError, Source, Stream};
use sunzi_field::WordModulus;

/// The text of the arithmetic that every program over a prime field begins with.
const FIELD: &str = include_str!("kernels/field.cl");

/// The text of powers and inverses over it.
pub(crate) const POWERS: &str = include_str!("kernels/powers.cl");

/// The text of sums of products over it.
pub(crate) const SUMS: &str = include_str!("kernels/sums.cl");

/// Primes that a word can hold, and their table on a device that computes with the word.
#[derive(Debug)]
pub(crate) struct Fields {
    word: Word,
    moduli: Vec<WordModulus>,
    /// Whether all primes leave the bits unused that the definition `SPARE` asks for.
    spare: bool,
    table: Buffer<u32>,
}

impl Fields {
    /// For kernels that transform 2^`log_n` points, which divides every p − 1.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for what is no odd prime in the word's range, and for doubles on a device that has none; errors of
    /// the device.
    pub(crate) fn new(
        stream: &Stream,
        word: Word,
        primes: &[u64],
        log_n: u32,
    ) -> Result<Self, GpuError> {
        let device = stream.device();
        if word.is_double() && !device.info().doubles {
            return Err(GpuError::Shape(format!(
                "{} does not compute with doubles",
                device.info().name
            )));
        }
        for &prime in primes {
            let checked = word.check(prime);
            checked.map_err(|error| GpuError::Shape(error.to_string()))?;
        }
        let moduli: Vec<_> = primes.iter().copied().map(WordModulus::new).collect();
        let spare = primes.iter().all(|&prime| word.leaves_spare_bits(prime));
        let mut words = Vec::with_capacity(moduli.len() * word.row() * word.width());
        for modulus in &moduli {
            let prime = modulus.get();
            word.push_arithmetic(&mut words, prime, spare);
            // N divides p − 1, so N·(p − 1)/N = −1.
            let inverse_length = (prime - ((prime - 1) >> log_n)) % prime;
            for factor in [1, inverse_length] {
                word.push_prepared(&mut words, modulus, factor);
                word.push_prepared_for_product(&mut words, modulus, factor);
            }
        }
        Ok(Self {
            table: device.filled(stream, &words)?,
            word,
            moduli,
            spare,
        })
    }

    /// The word.
    pub(crate) const fn word(&self) -> Word {
        self.word
    }

    /// Arithmetic modulo the primes on the host.
    pub(crate) fn moduli(&self) -> &[WordModulus] {
        &self.moduli
    }

    /// Whether all primes leave bits unused.
    pub(crate) const fn is_spare(&self) -> bool {
        self.spare
    }

    /// A program that begins with the arithmetic.
    pub(crate) fn source(&self, name: &'static str, threads: usize) -> Source<'static> {
        Source::new(name, threads)
            .define("WORD", self.word.bits())
            .define("SPARE", u32::from(self.spare))
            .define("FIELD_ROW", self.word.row())
            .part(FIELD)
    }

    /// A buffer of residues, in the word or in words of 32 bits.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if it has other words.
    pub(crate) fn elements<'a, E: ResidueWord>(
        &self,
        buffer: &'a Buffer<E>,
    ) -> Result<ElementsRef<'a>, GpuError> {
        self.check(E::WORD)?;
        Ok(ElementsRef::new(buffer.cast_ref(), self.word.width()))
    }

    /// The same, to be written.
    ///
    /// # Errors
    /// As [`elements`](Self::elements).
    pub(crate) fn elements_mut<'a, E: ResidueWord>(
        &self,
        buffer: &'a mut Buffer<E>,
    ) -> Result<ElementsMut<'a>, GpuError> {
        self.check(E::WORD)?;
        Ok(ElementsMut::new(buffer.cast_mut(), self.word.width()))
    }

    /// Refuses residues that are neither in the word nor in words of 32 bits.
    pub(crate) fn check(&self, word: Word) -> Result<(), GpuError> {
        if word == self.word || word == Word::U32 {
            return Ok(());
        }
        Err(GpuError::Shape(format!(
            "residues are in words {word:?}, and the context takes {:?}",
            self.word
        )))
    }
}

impl Parameter for &Fields {
    fn number(&self) -> u128 {
        self.table.len() as u128
    }

    fn tell(self, names: &'static [&'static str], told: &mut Told) {
        self.table.tell(names, told);
    }
}

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
