//! Between the caller's elements and blocks of lines: what the first stage reads and the last one writes.

use super::stages::LANES;
use std::marker::PhantomData;
use sunzi_field::Digits;
use sunzi_field::generalized_fermat::packed::arithmetic::{Arithmetic, Digit, DigitVectors, Sums};
use sunzi_field::generalized_fermat::packed::blocks::{
    Lines, limbs, pack_block, store_sums, unpack_canonical,
};
use sunzi_field::generalized_fermat::packed::operations::{multiply, multiply_lines, rotate};
use sunzi_field::generalized_fermat::packed::{Constants, Line};
use sunzi_machine::simd::Simd;

/// What the first stage reads.
#[derive(Clone, Copy)]
pub(super) struct Input<'a, const K: usize> {
    /// All elements, or the first ones; the others are 0 then.
    pub vector: &'a [Digits<K>],
    pub form: Form,
    /// The words of blocks of normalized elements, by which those of the vector are multiplied.
    pub factors: Option<&'a [u64]>,
}

/// How elements lie in a caller's vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Canonical, one after the other.
    Elements,
    /// Canonical, element i at place N − i.
    Backwards,
    /// The words of blocks of normalized elements.
    Blocks,
}

impl<const K: usize> Input<'_, K> {
    /// Block `index`, in the lines of `to`.
    #[inline(always)]
    pub(super) fn read<S: Simd>(&self, arithmetic: &Arithmetic<S>, index: usize, to: &mut [Line]) {
        let rest = self.vector.get(index * LANES..).unwrap_or_default();
        if rest.is_empty() {
            to.fill(Line::default());
            return;
        }
        let mut padded;
        let elements = match rest.get(..LANES) {
            Some(elements) => elements,
            None => {
                padded = [Digits([0; K]); LANES];
                padded[..rest.len()].copy_from_slice(rest);
                &padded
            }
        };
        match self.form {
            Form::Blocks => {
                let words = Digits::words_of(elements).chunks_exact(LANES);
                for (line, words) in to.iter_mut().zip(words) {
                    line.0.copy_from_slice(words);
                }
            }
            _ => pack_block(arithmetic, elements, to),
        }
        if let Some(factors) = self.factors {
            let words = &factors[index * LANES * K..][..LANES * K];
            for lane in (0..LANES).step_by(S::LANES) {
                multiply_lines::<S, K>(arithmetic, to, Unaligned { words, lane }, lane);
            }
        }
    }
}

/// Digits of a block that lie one after the other.
#[derive(Clone, Copy)]
struct Unaligned<'a> {
    words: &'a [u64],
    lane: usize,
}

impl<S: Simd> DigitVectors<S> for Unaligned<'_> {
    #[inline(always)]
    fn word(&self, simd: S, index: usize) -> S::Vector {
        simd.load(&self.words[index * LANES + self.lane..])
    }
}

/// A product of words and a power of r.
#[derive(Clone, Debug, Default)]
pub(super) struct Scale {
    pub words: Vec<u64>,
    pub power: usize,
}

/// What the last stage writes: a caller's vector, a block at a time from any thread.
#[derive(Clone, Copy)]
pub(super) struct Output<'a, const K: usize> {
    vector: *mut Digits<K>,
    len: usize,
    /// N.
    points: usize,
    form: Form,
    /// What all values are multiplied by.
    scale: &'a Scale,
    /// Blocks of normalized elements, by which values are multiplied.
    factors: Option<&'a [Line]>,
    lifetime: PhantomData<&'a mut [Digits<K>]>,
}

// SAFETY: the vector is borrowed mutably for 'a and goes to other threads as `&mut [Digits<K>]` may; `write` asks
// that each block is written by one thread only, and nothing reads.
unsafe impl<const K: usize> Send for Output<'_, K> {}
// SAFETY: through a shared reference only `write` touches the vector, see there.
unsafe impl<const K: usize> Sync for Output<'_, K> {}

impl<'a, const K: usize> Output<'a, K> {
    /// To a vector of N elements, or for the first of those that are written backwards.
    pub(super) fn new(
        vector: &'a mut [Digits<K>],
        points: usize,
        form: Form,
        scale: &'a Scale,
        factors: Option<&'a [Line]>,
    ) -> Self {
        let len = vector.len();
        assert!(len == points || form == Form::Backwards && len < points);
        Self {
            vector: vector.as_mut_ptr(),
            len,
            points,
            form,
            scale,
            factors,
            lifetime: PhantomData,
        }
    }

    /// Multiplies a value of block `index` by the scale and the factors, and puts it into the lines of
    /// `to`, normalized, from `lane` on.
    #[inline(always)]
    pub(super) fn reduce<S: Simd, D: Digit<S>>(
        &self,
        arithmetic: &Arithmetic<S>,
        (index, lane): (usize, usize),
        mut value: [D; K],
        to: &mut [Line],
    ) {
        rotate(arithmetic, &mut value, self.scale.power);
        for &word in &self.scale.words {
            rescale(arithmetic, &mut value, word);
        }
        match self.factors {
            Some(factors) => {
                let lines = &factors[index * K..][..K];
                multiply::<S, K>(arithmetic, Sums(&value), Lines { lines, lane }, to, lane);
            }
            None => store_sums(arithmetic, &value, to, lane),
        }
    }

    /// Writes block `index` from its lines, which are changed.
    ///
    /// # Safety
    /// No other thread writes the same block.
    #[inline(always)]
    pub(super) unsafe fn write<S: Simd>(
        &self,
        arithmetic: &Arithmetic<S>,
        constants: &Constants,
        index: usize,
        lines: &mut [Line],
    ) {
        let first = index * LANES;
        assert!(first + LANES <= self.points, "a block of the vector");
        let radix = constants.radix();
        if self.form == Form::Backwards {
            let mut block = [Digits([0; K]); LANES];
            unpack_canonical(arithmetic, radix, lines, &mut block);
            for (lane, element) in block.into_iter().enumerate() {
                let place = (self.points - first - lane) % self.points;
                if place < self.len {
                    // SAFETY: a place below the vector's length; the map from blocks and lanes to places is one to one,
                    // so no other block has it.
                    unsafe { *self.vector.add(place) = element };
                }
            }
            return;
        }
        // SAFETY: eight elements below `points`, the vector's length in these forms (see `new`), and of this
        // block alone.
        let elements = unsafe { std::slice::from_raw_parts_mut(self.vector.add(first), LANES) };
        match self.form {
            Form::Blocks => {
                let words = Digits::words_of_mut(elements).chunks_exact_mut(LANES);
                for (line, words) in lines.iter().zip(words) {
                    words.copy_from_slice(&line.0);
                }
            }
            _ => unpack_canonical(arithmetic, radix, lines, elements),
        }
    }
}

/// `value·word`, normalized.
#[inline(always)]
fn rescale<S: Simd, D: Digit<S>, const K: usize>(
    arithmetic: &Arithmetic<S>,
    value: &mut [D; K],
    word: u64,
) {
    let mut product = limbs(arithmetic, value);
    arithmetic.multiply_by_word(&mut product, arithmetic.simd().splat64(word));
    arithmetic.reduce(&mut product);
    for (digit, reduced) in value.iter_mut().zip(product) {
        *digit = D::of_word(arithmetic, arithmetic.word(reduced));
    }
}
