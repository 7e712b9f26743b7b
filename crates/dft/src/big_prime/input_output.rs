//! Between the caller's elements and blocks of lines: what the first stage reads and the last one writes.

use super::stages::LANES;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use sunzi_field::generalized_fermat::packed::arithmetic::{Arithmetic, Digit, Sums, Workspace};
use sunzi_field::generalized_fermat::packed::blocks::{
    Lines, pack_block, store_sums, take_sums, unpack_canonical,
};
use sunzi_field::generalized_fermat::packed::number::Number;
use sunzi_field::generalized_fermat::packed::operations::{multiply, multiply_lines};
use sunzi_field::generalized_fermat::packed::{Constants, Line};
use sunzi_machine::simd::{Simd, SimdTask};

/// What the first stage reads.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    /// The words of all elements, or of the first ones; the others are 0 then.
    pub vector: &'a [u64],
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

/// Block `index` of what is read, in the lines of `to`: a function of its own, the same for all kinds of sums.
pub(super) struct ReadBlock<'a, 'b, S: Simd, N: Number> {
    pub arithmetic: &'a Arithmetic<S>,
    pub work: &'a mut Workspace<'b, S, N>,
    pub digits: N,
    pub input: &'a Input<'a>,
    pub index: usize,
    pub to: &'a mut [Line],
}

impl<S: Simd, N: Number> SimdTask<S> for ReadBlock<'_, '_, S, N> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: S) {
        let Self {
            arithmetic,
            work,
            digits,
            input,
            index,
            to,
        } = self;
        let count = LANES * digits.get();
        let rest = input.vector.get(index * count..).unwrap_or_default();
        if rest.is_empty() {
            to.fill(Line::default());
            return;
        }
        match (input.form, rest.get(..count)) {
            (Form::Blocks, Some(words)) => Line::words_mut(to).copy_from_slice(words),
            (Form::Blocks, None) => {
                to.fill(Line::default());
                Line::words_mut(to)[..rest.len()].copy_from_slice(rest);
            }
            (_, Some(elements)) => pack_block(arithmetic, digits, elements, to),
            (_, None) => {
                let mut padded = MaybeUninit::uninit();
                let padded = Line::words_mut(digits.fill(&mut padded, Line::default()));
                padded[..rest.len()].copy_from_slice(rest);
                pack_block(arithmetic, digits, padded, to);
            }
        }
        if let Some(factors) = input.factors {
            let words = &factors[index * count..][..count];
            for lane in (0..LANES).step_by(S::LANES) {
                multiply_lines(arithmetic, to, Lines { words, lane }, work, lane);
            }
        }
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
pub(super) struct Output<'a> {
    vector: *mut u64,
    /// K.
    digits: usize,
    /// Elements.
    len: usize,
    /// N.
    points: usize,
    form: Form,
    /// What all values are multiplied by.
    scale: &'a Scale,
    /// Blocks of normalized elements, by which values are multiplied.
    factors: Option<&'a [Line]>,
    lifetime: PhantomData<&'a mut [u64]>,
}

// SAFETY: the vector is borrowed mutably for 'a and goes to other threads as `&mut [u64]` may;
// `WriteBlock::new` asks that each block is written by one thread only, and nothing reads.
unsafe impl Send for Output<'_> {}
// SAFETY: through a shared reference only a `WriteBlock` touches the vector, see there.
unsafe impl Sync for Output<'_> {}

impl<'a> Output<'a> {
    /// To the words of a vector of N elements, or for the first of those that are written backwards.
    pub(super) fn new(
        vector: &'a mut [u64],
        digits: usize,
        points: usize,
        form: Form,
        scale: &'a Scale,
        factors: Option<&'a [Line]>,
    ) -> Self {
        assert!(vector.len().is_multiple_of(digits), "whole elements");
        let len = vector.len() / digits;
        assert!(len == points || form == Form::Backwards && len < points);
        Self {
            vector: vector.as_mut_ptr(),
            digits,
            len,
            points,
            form,
            scale,
            factors,
            lifetime: PhantomData,
        }
    }

    /// The power of r in the scale.
    #[inline(always)]
    pub(super) fn rotation(&self) -> usize {
        self.scale.power
    }

    /// Multiplies a value of block `index`, which comes with the scale's power of r, by the scale's words and the
    /// factors, and puts it into the lines of `to`, normalized, from `lane` on.
    #[inline(always)]
    pub(super) fn reduce<S: Simd, D: Digit<S>, N: Number>(
        &self,
        arithmetic: &Arithmetic<S>,
        work: &mut Workspace<'_, S, N>,
        (index, lane): (usize, usize),
        value: &mut [D],
        to: &mut [Line],
    ) {
        for &word in &self.scale.words {
            rescale(arithmetic, work, value, word);
        }
        match self.factors {
            Some(factors) => {
                let lines = &factors[index * to.len()..][..to.len()];
                let factor = Lines::new(lines, lane);
                multiply(arithmetic, Sums(value), factor, work, to, lane);
            }
            None => store_sums(arithmetic, value, work, to, lane),
        }
    }
}

/// Writes block `index` of the vector from its lines, which are changed: a function of its own, as [`ReadBlock`].
pub(super) struct WriteBlock<'a, S: Simd, N> {
    arithmetic: &'a Arithmetic<S>,
    radix: u64,
    digits: N,
    output: &'a Output<'a>,
    index: usize,
    lines: &'a mut [Line],
    /// Room for a block more.
    spare: &'a mut [Line],
}

impl<'a, S: Simd, N: Number> WriteBlock<'a, S, N> {
    /// # Safety
    /// No other thread writes the same block as long as this is there.
    #[inline(always)]
    pub(super) unsafe fn new(
        arithmetic: &'a Arithmetic<S>,
        constants: &Constants,
        digits: N,
        output: &'a Output<'a>,
        index: usize,
        lines: &'a mut [Line],
        spare: &'a mut [Line],
    ) -> Self {
        Self {
            arithmetic,
            radix: constants.radix(),
            digits,
            output,
            index,
            lines,
            spare,
        }
    }
}

impl<S: Simd, N: Number> SimdTask<S> for WriteBlock<'_, S, N> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: S) {
        let Self {
            arithmetic,
            radix,
            digits,
            output,
            index,
            lines,
            spare,
        } = self;
        let first = index * LANES;
        let count = digits.get();
        assert!(
            first + LANES <= output.points && count == output.digits,
            "a block of the vector"
        );
        if output.form == Form::Backwards {
            let block = Line::words_mut(spare);
            unpack_canonical(arithmetic, digits, radix, lines, block);
            for (lane, element) in block.chunks_exact(count).enumerate() {
                let place = (output.points - first - lane) % output.points;
                if place < output.len {
                    // SAFETY: a place below the vector's length; the map from blocks and lanes to places is one to one,
                    // so no other block has it.
                    unsafe {
                        let to = output.vector.add(place * count);
                        to.copy_from_nonoverlapping(element.as_ptr(), count);
                    }
                }
            }
            return;
        }
        // SAFETY: eight elements below `points`, the vector's length in these forms (see `Output::new`), and of this
        // block alone, as `new` asks.
        let elements = unsafe {
            std::slice::from_raw_parts_mut(output.vector.add(first * count), LANES * count)
        };
        match output.form {
            Form::Blocks => elements.copy_from_slice(Line::words(lines)),
            _ => unpack_canonical(arithmetic, digits, radix, lines, elements),
        }
    }
}

/// `value·word`, normalized.
#[inline(always)]
fn rescale<S: Simd, D: Digit<S>, N: Number>(
    arithmetic: &Arithmetic<S>,
    work: &mut Workspace<'_, S, N>,
    value: &mut [D],
    word: u64,
) {
    take_sums(arithmetic, value, work);
    arithmetic.multiply_by_word(work, arithmetic.simd().splat64(word));
    arithmetic.reduce(work);
    for (digit, &mut reduced) in value.iter_mut().zip(work.limbs()) {
        *digit = D::of_word(arithmetic, arithmetic.word(reduced));
    }
}
