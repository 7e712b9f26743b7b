//! Blocks of elements: lines of digits, how elements come into them, and out.

use super::arithmetic::{Arithmetic, Digit, DigitVectors, Limbs};
use super::{Constants, LANES, Line};
use crate::generalized_fermat::digits::Digits;
use crate::generalized_fermat::unnormalized::increment;
use sunzi_machine::simd::{Simd, SimdTask};

/// Lines of which every lane's digit `index` is in line `index`.
#[derive(Clone, Copy)]
pub struct Lines<'a> {
    /// The lines of a block.
    pub lines: &'a [Line],
    /// The first lane to read.
    pub lane: usize,
}

impl<S: Simd> DigitVectors<S> for Lines<'_> {
    #[inline(always)]
    fn word(&self, simd: S, index: usize) -> S::Vector {
        simd.load(&self.lines[index].0[self.lane..])
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

/// Writes eight canonical elements into the lines of a block, normalized.
#[inline(always)]
pub fn pack_block<S: Simd, const K: usize>(
    arithmetic: &Arithmetic<S>,
    elements: &[Digits<K>],
    lines: &mut [Line],
) {
    transpose_block(arithmetic.simd(), elements, lines);
    for lane in (0..LANES).step_by(S::LANES) {
        arithmetic.normalize(lines, lane);
    }
}

/// Writes eight elements into the lines of a block.
#[inline(always)]
fn transpose_block<S: Simd, const K: usize>(simd: S, elements: &[Digits<K>], lines: &mut [Line]) {
    assert!(
        elements.len() == LANES && lines.len() == K,
        "a block of elements"
    );
    if K >= LANES {
        let (from, to) = (elements.as_ptr().cast(), lines.as_mut_ptr().cast::<u64>());
        for block in (0..K).step_by(LANES) {
            // SAFETY: eight digits of eight elements K words apart, into eight lines.
            unsafe {
                let from: *const u64 = from;
                simd.transpose8(from.add(block), to.add(block * LANES), (K, LANES));
            }
        }
    } else {
        for (lane, element) in elements.iter().enumerate() {
            for (line, &digit) in lines.iter_mut().zip(&element.0) {
                line.0[lane] = digit;
            }
        }
    }
}

/// Reads eight elements from the lines of a block.
#[inline(always)]
fn unpack_block<S: Simd, const K: usize>(simd: S, lines: &[Line], elements: &mut [Digits<K>]) {
    assert!(
        elements.len() == LANES && lines.len() == K,
        "a block of elements"
    );
    if K >= LANES {
        let (from, to) = (lines.as_ptr().cast::<u64>(), elements.as_mut_ptr());
        for block in (0..K).step_by(LANES) {
            // SAFETY: eight lines, into eight digits of eight elements K words apart.
            unsafe {
                let to: *mut u64 = to.cast();
                simd.transpose8(from.add(block * LANES), to.add(block), (LANES, K));
            }
        }
    } else {
        for (lane, element) in elements.iter_mut().enumerate() {
            for (line, digit) in lines.iter().zip(&mut element.0) {
                *digit = line.0[lane];
            }
        }
    }
}

/// Eight canonical elements from the lines of a block, which are changed on the way.
#[inline(always)]
pub fn unpack_canonical<S: Simd, const K: usize>(
    arithmetic: &Arithmetic<S>,
    radix: u64,
    lines: &mut [Line],
    elements: &mut [Digits<K>],
) {
    let simd = arithmetic.simd();
    let mut carries = 0;
    for lane in (0..LANES).step_by(S::LANES) {
        let mut words = [simd.splat64(0); K];
        for (word, line) in words.iter_mut().zip(lines.iter()) {
            *word = simd.load(&line.0[lane..]);
        }
        carries |= arithmetic.canonical(&mut words) << lane;
        for (&word, line) in words.iter().zip(lines.iter_mut()) {
            simd.store(&mut line.0[lane..], word);
        }
    }
    unpack_block(simd, lines, elements);
    if carries != 0 {
        for (lane, element) in elements.iter_mut().enumerate() {
            if carries >> lane & 1 == 1 {
                increment(element, radix);
            }
        }
    }
}

/// The limbs of the digits of a block, from a lane on.
#[inline(always)]
pub(super) fn cut_lines<S: Simd, const K: usize>(
    arithmetic: &Arithmetic<S>,
    lines: &[Line],
    lane: usize,
) -> [Limbs<S>; K] {
    let simd = arithmetic.simd();
    let mut limbs = [[simd.splat64(0); 2]; K];
    for (limbs, line) in limbs.iter_mut().zip(lines) {
        *limbs = arithmetic.cut(simd.load(&line.0[lane..]));
    }
    limbs
}

/// Reduces digits and writes their words.
#[inline(always)]
pub(super) fn store_reduced<S: Simd, const K: usize>(
    arithmetic: &Arithmetic<S>,
    mut digits: [Limbs<S>; K],
    lines: &mut [Line],
    lane: usize,
) {
    arithmetic.reduce(&mut digits);
    for (&digit, line) in digits.iter().zip(lines) {
        arithmetic
            .simd()
            .store(&mut line.0[lane..], arithmetic.word(digit));
    }
}

/// The limbs of sums.
#[inline(always)]
pub fn limbs<S: Simd, D: Digit<S>, const K: usize>(
    arithmetic: &Arithmetic<S>,
    value: &[D; K],
) -> [Limbs<S>; K] {
    let mut all = [[arithmetic.simd().splat64(0); 2]; K];
    for (limbs, digit) in all.iter_mut().zip(value) {
        *limbs = digit.limbs(arithmetic);
    }
    all
}

/// Reduces sums and writes their words.
#[inline(always)]
pub fn store_sums<S: Simd, D: Digit<S>, const K: usize>(
    arithmetic: &Arithmetic<S>,
    value: &[D; K],
    lines: &mut [Line],
    lane: usize,
) {
    let mut digits = limbs(arithmetic, value);
    arithmetic.lift_sums(&mut digits);
    store_reduced(arithmetic, digits, lines, lane);
}

/// Canonical elements into blocks; the places after the last stay as they are.
pub(super) struct Pack<'a, const K: usize> {
    pub(super) constants: &'a Constants,
    pub(super) elements: &'a [Digits<K>],
    pub(super) lines: &'a mut [Line],
}

impl<S: Simd, const K: usize> SimdTask<S> for Pack<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        let arithmetic = Arithmetic::new(simd, self.constants);
        let blocks = self.elements.chunks(LANES);
        for (elements, lines) in blocks.zip(self.lines.chunks_exact_mut(K)) {
            if elements.len() == LANES {
                pack_block(&arithmetic, elements, lines);
            } else {
                let mut padded = [Digits([0; K]); LANES];
                padded[..elements.len()].copy_from_slice(elements);
                pack_block(&arithmetic, &padded, lines);
            }
        }
    }
}

/// Blocks into canonical elements.
pub(super) struct Unpack<'a, const K: usize> {
    pub(super) constants: &'a Constants,
    pub(super) lines: &'a [Line],
    pub(super) elements: &'a mut [Digits<K>],
}

impl<S: Simd, const K: usize> SimdTask<S> for Unpack<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        let arithmetic = Arithmetic::new(simd, self.constants);
        let radix = self.constants.radix;
        let mut block = [Line::default(); K];
        let blocks = self.elements.chunks_mut(LANES);
        for (elements, lines) in blocks.zip(self.lines.chunks_exact(K)) {
            block.copy_from_slice(lines);
            if elements.len() == LANES {
                unpack_canonical(&arithmetic, radix, &mut block, elements);
            } else {
                let mut padded = [Digits([0; K]); LANES];
                unpack_canonical(&arithmetic, radix, &mut block, &mut padded);
                elements.copy_from_slice(&padded[..elements.len()]);
            }
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
