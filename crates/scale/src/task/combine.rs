//! Residues modulo several primes, and what they are residues of.
//!
//! Digits in mixed radix, then integers of up to three words, or elements of another field; limbs of one number are added up with
//! carries, in pieces at a time: what one carries is added to the next ones when all are there.

use super::carry::add;
use super::entries::{Entries, PRIMES};
use crate::buffer::Buffer;
use crate::error::ScaleError;
use bytemuck::cast_slice_mut;
use sunzi_field::{AnyField, Fp64, WordRows, WordRowsMut};
use sunzi_machine::threads::Threads;
use sunzi_rns::{Composer, MixedRadix};

/// Elements that a thread takes at a time.
const PIECE: usize = 1 << 12;

/// What puts residues together.
#[derive(Debug)]
pub(crate) struct Combiner {
    radix: MixedRadix<Fp64>,
    composer: Composer<{ PRIMES.len() }>,
}

/// The digits of a piece, each digit in a row.
type Digits<'a> = Vec<&'a mut [u64]>;

impl Combiner {
    /// For so many of the primes.
    pub(crate) fn new(primes: usize) -> Self {
        let primes = &PRIMES[..primes];
        Self {
            radix: MixedRadix::new(primes.iter().filter_map(|&prime| Fp64::new(prime).ok()).collect()),
            composer: Composer::new(primes),
        }
    }

    /// Puts `count` entries together, whose residues have a buffer for each prime, and are used up; `digits` are the words of an entry of
    /// the output. Gives what limbs leave over.
    pub(crate) fn run(
        &self,
        entries: &Entries,
        residues: &mut [Buffer],
        output: &mut Buffer,
        count: usize,
        digits: usize,
    ) -> Result<u128, ScaleError> {
        let threads = Threads::when(count > PIECE);
        let mut pieces: Vec<Digits<'_>> = Vec::new();
        pieces.resize_with(count.div_ceil(PIECE), Vec::new);
        for buffer in residues {
            let words = &mut cast_slice_mut(buffer.bytes_mut())[..count];
            for (piece, words) in pieces.iter_mut().zip(words.chunks_mut(PIECE)) {
                piece.push(words);
            }
        }
        match entries {
            Entries::Elements(field) => {
                match output.words_mut(count, field.word_bits() / 8) {
                    WordRowsMut::Words32(output) => self.all_elements(field, pieces, output)?,
                    WordRowsMut::Words64(output) => self.all_elements(field, pieces, output)?,
                }
                Ok(0)
            }
            Entries::Integers => {
                let output = &mut cast_slice_mut(output.bytes_mut())[..count * digits];
                threads.each(pieces.into_iter().zip(output.chunks_mut(PIECE * digits)), |(mut residues, output)| {
                    self.digits(&mut residues);
                    for (i, output) in output.chunks_exact_mut(digits).enumerate() {
                        output.copy_from_slice(&self.composer.signed(self.digits_of(&residues, i))[..digits]);
                    }
                });
                Ok(0)
            }
            Entries::Limbs => {
                let output = &mut cast_slice_mut(output.bytes_mut())[..count];
                let left_over = threads.map(pieces.into_iter().zip(output.chunks_mut(PIECE)), |(mut residues, output)| {
                    self.digits(&mut residues);
                    self.composer.overlapping(output, 0, |i| self.digits_of(&residues, i))
                });
                let mut carried = 0;
                for (output, left_over) in output.chunks_mut(PIECE).zip(left_over) {
                    // Of both, what is left over is below 2^127.
                    carried = left_over + add(output, carried);
                }
                Ok(carried)
            }
        }
    }

    /// Residues become digits in mixed radix.
    fn digits(&self, residues: &mut Digits<'_>) {
        for j in 1..residues.len() {
            let (known, next) = residues.split_at_mut(j);
            self.radix.next_digit(known, next[0], None);
        }
    }

    /// The digits of one entry, and zeros.
    fn digits_of(&self, digits: &Digits<'_>, i: usize) -> [u64; PRIMES.len()] {
        let mut of_entry = [0; PRIMES.len()];
        for (slot, digits) in of_entry.iter_mut().zip(digits) {
            *slot = digits[i];
        }
        of_entry
    }

    /// Elements of another field.
    fn all_elements<W: Copy + Default + Send>(
        &self,
        field: &AnyField,
        pieces: Vec<Digits<'_>>,
        output: &mut [W],
    ) -> Result<(), ScaleError>
    where
        for<'a> &'a [W]: Into<WordRows<'a>>,
        for<'a> &'a mut [W]: Into<WordRowsMut<'a>>,
    {
        let factor = |prime: u64| {
            let mut factor = Vec::new();
            field.push_u64(prime, &mut factor);
            factor
        };
        let factors = PRIMES.map(factor);
        let elements = |mut residues: Digits<'_>, output: &mut [W]| {
            self.digits(&mut residues);
            let mut images = vec![W::default(); output.len()];
            for (digits, factor) in residues.iter().zip(&factors).rev() {
                field.scale_rows((&mut *output).into(), factor)?;
                field.write_images(WordRows::Words64(digits), (&mut images[..]).into())?;
                field.add_assign_rows((&mut *output).into(), (&images[..]).into())?;
            }
            Ok(())
        };
        let pieces = pieces.into_iter().zip(output.chunks_mut(PIECE));
        Threads::when(pieces.len() > 1).try_each(pieces, |(residues, output)| {
            output.fill(W::default());
            elements(residues, output)
        })
    }
}
