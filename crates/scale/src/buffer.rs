//! Memory for bands: whole pages, as reads and writes past the cache of files need them.

use bytemuck::{Pod, Zeroable, cast_slice, cast_slice_mut};
use sunzi_field::{AnyField, FieldError, WordRows, WordRowsMut};
use sunzi_machine::threads::Threads;

/// Bytes of a page, of which places in files and in memory are multiples where the cache of files is passed by.
pub(crate) const PAGE: usize = 4096;

/// Words whose images a thread makes at a time.
const PIECE: usize = 1 << 14;

#[derive(Clone, Copy)]
#[repr(C, align(4096))]
struct Page([u8; PAGE]);

// SAFETY: bytes alone, for which zero is a value.
unsafe impl Zeroable for Page {}
// SAFETY: bytes alone, as many as its alignment, so that there are no others between or behind them.
unsafe impl Pod for Page {}

/// Bytes that begin with a page.
pub(crate) struct Buffer(Vec<Page>);

impl Buffer {
    /// Zeros, as many as this and up to a page more.
    pub(crate) fn new(bytes: usize) -> Self {
        Self(vec![Page::zeroed(); bytes.div_ceil(PAGE)])
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        cast_slice(&self.0)
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        cast_slice_mut(&mut self.0)
    }

    /// The first words of this many bytes each, 4 or 8.
    pub(crate) fn words(&self, count: usize, bytes: usize) -> WordRows<'_> {
        match bytes {
            4 => WordRows::Words32(&cast_slice(&self.0)[..count]),
            _ => WordRows::Words64(&cast_slice(&self.0)[..count]),
        }
    }

    /// The same, to be changed.
    pub(crate) fn words_mut(&mut self, count: usize, bytes: usize) -> WordRowsMut<'_> {
        match bytes {
            4 => WordRowsMut::Words32(&mut cast_slice_mut(&mut self.0)[..count]),
            _ => WordRowsMut::Words64(&mut cast_slice_mut(&mut self.0)[..count]),
        }
    }

    /// Makes words of `from` bytes words of `to` bytes, where they lie; upper halves that are cut off are zeros.
    pub(crate) fn resize_words(&mut self, count: usize, from: usize, to: usize) {
        let words: &mut [u64] = cast_slice_mut(&mut self.0);
        match (from, to) {
            (4, 8) => {
                for pair in (0..count.div_ceil(2)).rev() {
                    let halves: [u32; 2] = bytemuck::cast(words[pair]);
                    let both = words[2 * pair..].iter_mut().zip(halves);
                    both.for_each(|(word, half)| *word = half.into());
                }
            }
            (8, 4) => {
                for pair in 0..count.div_ceil(2) {
                    let whole = [words[2 * pair], *words.get(2 * pair + 1).unwrap_or(&0)];
                    words[pair] = bytemuck::cast(whole.map(|word| word as u32));
                }
            }
            _ => {}
        }
    }

    /// Writes the images of the first words of this many bytes each in a field of one word.
    pub(crate) fn write_images(
        &self,
        count: usize,
        bytes: usize,
        is_signed: bool,
        field: &AnyField,
        to: &mut Self,
    ) -> Result<(), FieldError> {
        let write = |numbers: WordRows<'_>, to: WordRowsMut<'_>| match numbers {
            numbers if !is_signed => field.write_images(numbers, to),
            WordRows::Words32(numbers) => {
                let numbers: Vec<_> = numbers.iter().map(|x| i64::from(x.cast_signed())).collect();
                field.write_signed_images(&numbers, to)
            }
            WordRows::Words64(numbers) => field.write_signed_images(cast_slice(numbers), to),
        };
        let from = self.words(count, bytes);
        let starts = (0..count).step_by(PIECE);
        let part = |start: usize| match from {
            WordRows::Words32(words) => WordRows::Words32(&words[start..count.min(start + PIECE)]),
            WordRows::Words64(words) => WordRows::Words64(&words[start..count.min(start + PIECE)]),
        };
        let threads = Threads::when(count > PIECE);
        match to.words_mut(count, field.word_bits() / 8) {
            WordRowsMut::Words32(to) => threads.try_each(starts.zip(to.chunks_mut(PIECE)), |(start, to)| {
                write(part(start), to.into())
            }),
            WordRowsMut::Words64(to) => threads.try_each(starts.zip(to.chunks_mut(PIECE)), |(start, to)| {
                write(part(start), to.into())
            }),
        }
    }
}
