//! Blocks of elements: lines of digits, how elements come into them, and out.

use std::mem::MaybeUninit;

use super::arithmetic::{Arithmetic, Digit, DigitVectors, Workspace};
use super::number::{DigitTask, Number};
use super::{Constants, LANES, Line};
use crate::generalized_fermat::digits::Digits;
use crate::generalized_fermat::unnormalized::increment;
use sunzi_machine::simd::Simd;

/// A block, of which every lane's digit `index` is in line `index`.
#[derive(Clone, Copy)]
pub struct Lines<'a> {
    /// The words of its lines.
    pub words: &'a [u64],
    /// The first lane to read.
    pub lane: usize,
}

impl<'a> Lines<'a> {
    /// Of the lines of a block, from a lane on.
    #[inline(always)]
    #[must_use]
    pub fn new(lines: &'a [Line], lane: usize) -> Self {
        Self {
            words: Line::words(lines),
            lane,
        }
    }
}

impl<S: Simd> DigitVectors<S> for Lines<'_> {
    #[inline(always)]
    fn word(&self, simd: S, index: usize) -> S::Vector {
        simd.load(&self.words[index * LANES + self.lane..])
    }
}

/// One element in every lane.
#[derive(Clone, Copy)]
pub struct Same<'a>(pub &'a [u64]);

impl<S: Simd> DigitVectors<S> for Same<'_> {
    #[inline(always)]
    fn word(&self, simd: S, index: usize) -> S::Vector {
        simd.splat64(self.0[index])
    }
}

/// Writes eight canonical elements, one after the other, into the lines of a block, normalized.
#[inline(always)]
pub fn pack_block<S: Simd>(
    arithmetic: &Arithmetic<S>,
    digits: impl Number,
    elements: &[u64],
    lines: &mut [Line],
) {
    transpose_block(arithmetic.simd(), digits, elements, lines);
    for lane in (0..LANES).step_by(S::LANES) {
        arithmetic.normalize(lines, lane);
    }
}

/// Writes eight elements into the lines of a block.
#[inline(always)]
fn transpose_block<S: Simd>(simd: S, digits: impl Number, elements: &[u64], lines: &mut [Line]) {
    let count = digits.get();
    assert!(
        elements.len() == LANES * count && lines.len() == count,
        "a block of elements"
    );
    assert!(
        count < LANES || count.is_multiple_of(LANES),
        "digits fill blocks"
    );
    if count >= LANES {
        let (from, to) = (elements.as_ptr(), lines.as_mut_ptr().cast::<u64>());
        for block in (0..count).step_by(LANES) {
            // SAFETY: eight of K digits of eight elements K words apart, into eight of K lines, K a multiple of eight.
            unsafe { simd.transpose8(from.add(block), to.add(block * LANES), (count, LANES)) };
        }
    } else {
        for (lane, element) in elements.chunks_exact(count).enumerate() {
            for (line, &digit) in lines.iter_mut().zip(element) {
                line.0[lane] = digit;
            }
        }
    }
}

/// Reads eight elements from the lines of a block.
#[inline(always)]
fn unpack_block<S: Simd>(simd: S, digits: impl Number, lines: &[Line], elements: &mut [u64]) {
    let count = digits.get();
    assert!(
        elements.len() == LANES * count && lines.len() == count,
        "a block of elements"
    );
    assert!(
        count < LANES || count.is_multiple_of(LANES),
        "digits fill blocks"
    );
    if count >= LANES {
        let (from, to) = (lines.as_ptr().cast::<u64>(), elements.as_mut_ptr());
        for block in (0..count).step_by(LANES) {
            // SAFETY: eight of K lines, into eight of K digits of eight elements K words apart, K a multiple of eight.
            unsafe { simd.transpose8(from.add(block * LANES), to.add(block), (LANES, count)) };
        }
    } else {
        for (lane, element) in elements.chunks_exact_mut(count).enumerate() {
            for (line, digit) in lines.iter().zip(element) {
                *digit = line.0[lane];
            }
        }
    }
}

/// Eight canonical elements, one after the other, from the lines of a block, which are changed on the way.
#[inline(always)]
pub fn unpack_canonical<S: Simd>(
    arithmetic: &Arithmetic<S>,
    digits: impl Number,
    radix: u64,
    lines: &mut [Line],
    elements: &mut [u64],
) {
    let mut carries = 0;
    for lane in (0..LANES).step_by(S::LANES) {
        carries |= arithmetic.canonical(lines, lane) << lane;
    }
    unpack_block(arithmetic.simd(), digits, lines, elements);
    if carries != 0 {
        for (lane, element) in elements.chunks_exact_mut(digits.get()).enumerate() {
            if carries >> lane & 1 == 1 {
                increment(element, radix);
            }
        }
    }
}

/// Reduces what is in work and writes its words.
#[inline(always)]
pub(super) fn store_reduced<S: Simd, N: Number>(
    arithmetic: &Arithmetic<S>,
    work: &mut Workspace<'_, S, N>,
    lines: &mut [Line],
    lane: usize,
) {
    arithmetic.reduce(work);
    for (&mut digit, line) in work.limbs().iter_mut().zip(lines) {
        arithmetic
            .simd()
            .store(&mut line.0[lane..], arithmetic.word(digit));
    }
}

/// Puts the limbs of sums into work.
#[inline(always)]
pub fn take_sums<S: Simd, D: Digit<S>, N: Number>(
    arithmetic: &Arithmetic<S>,
    value: &[D],
    work: &mut Workspace<'_, S, N>,
) {
    for (limbs, &digit) in work.limbs().iter_mut().zip(value) {
        *limbs = digit.limbs(arithmetic);
    }
}

/// Reduces sums and writes their words.
#[inline(always)]
pub fn store_sums<S: Simd, D: Digit<S>, N: Number>(
    arithmetic: &Arithmetic<S>,
    value: &[D],
    work: &mut Workspace<'_, S, N>,
    lines: &mut [Line],
    lane: usize,
) {
    take_sums(arithmetic, value, work);
    arithmetic.lift_sums(work.limbs());
    store_reduced(arithmetic, work, lines, lane);
}

/// Canonical elements, one after the other, into blocks; the places after the last stay as they are.
pub(super) struct Pack<'a> {
    pub(super) constants: &'a Constants,
    pub(super) elements: &'a [u64],
    pub(super) lines: &'a mut [Line],
}

impl DigitTask for Pack<'_> {
    #[inline(always)]
    fn run<S: Simd, N: Number>(self, simd: S, digits: N) {
        let arithmetic = Arithmetic::new(simd, self.constants);
        let count = digits.get();
        let blocks = self.elements.chunks_exact(LANES * count);
        let rest = blocks.remainder();
        let mut lines = self.lines.chunks_exact_mut(count);
        for (elements, lines) in blocks.zip(&mut lines) {
            pack_block(&arithmetic, digits, elements, lines);
        }
        if let (false, Some(lines)) = (rest.is_empty(), lines.next()) {
            let mut padded = MaybeUninit::uninit();
            let padded = Line::words_mut(digits.fill(&mut padded, Line::default()));
            padded[..rest.len()].copy_from_slice(rest);
            pack_block(&arithmetic, digits, padded, lines);
        }
    }
}

/// Blocks into canonical elements, one after the other.
pub(super) struct Unpack<'a> {
    pub(super) constants: &'a Constants,
    pub(super) lines: &'a [Line],
    pub(super) elements: &'a mut [u64],
}

impl DigitTask for Unpack<'_> {
    #[inline(always)]
    fn run<S: Simd, N: Number>(self, simd: S, digits: N) {
        let arithmetic = Arithmetic::new(simd, self.constants);
        let radix = self.constants.radix;
        let count = digits.get();
        let mut block = MaybeUninit::uninit();
        let block = digits.fill(&mut block, Line::default());
        let mut lines = self.lines.chunks_exact(count);
        let mut blocks = self.elements.chunks_exact_mut(LANES * count);
        for (elements, lines) in (&mut blocks).zip(&mut lines) {
            block.copy_from_slice(lines);
            unpack_canonical(&arithmetic, digits, radix, block, elements);
        }
        let rest = blocks.into_remainder();
        if let (false, Some(lines)) = (rest.is_empty(), lines.next()) {
            block.copy_from_slice(lines);
            let mut padded = MaybeUninit::uninit();
            let padded = Line::words_mut(digits.fill(&mut padded, Line::default()));
            unpack_canonical(&arithmetic, digits, radix, block, padded);
            rest.copy_from_slice(&padded[..rest.len()]);
        }
    }
}

/// The digits of a canonical element, normalized.
#[must_use]
pub fn normalized<const K: usize>(element: &Digits<K>, radix: u64) -> [u64; K] {
    let mut digits = element.0;
    let mut carry = 0;
    for digit in &mut digits {
        let above = *digit > radix / 2;
        *digit = digit
            .wrapping_sub(if above { radix } else { 0 })
            .wrapping_add(carry);
        carry = u64::from(above);
    }
    // r^K = −1.
    digits[0] = digits[0].wrapping_sub(carry);
    digits
}
