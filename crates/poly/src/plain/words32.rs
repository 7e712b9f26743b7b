//! Plain products modulo a prime below 2^31: sums of 62-bit products in 64-bit lanes.

use std::mem::MaybeUninit;

use sunzi_field::simd::{Simd, SimdTask, dispatch};
use sunzi_field::{Field, Fp32};

use super::window::{Window, block_terms, fill_words};
use super::{MAX_SHORT, TILE, in_stretches};

/// Vectors of sums that are kept in registers at once.
const ROWS: usize = 4;

/// The most outputs of a block over all instruction sets.
const MAX_BLOCK: usize = ROWS * 8;

/// Adds (or writes, unless `accumulate`) the product of `long` and `short` to `out`.
struct PlainProduct<'a> {
    field: &'a Fp32,
    out: &'a mut [u32],
    long: &'a [u32],
    short: &'a [u32],
    accumulate: bool,
}

/// `out = a · b`.
///
/// # Panics
/// If `out.len() != a.len() + b.len() − 1` or an operand is empty.
pub(crate) fn product(field: &Fp32, out: &mut [u32], a: &[u32], b: &[u32]) {
    in_stretches(out, a, b, |out, long, short, accumulate| {
        dispatch(PlainProduct {
            field,
            out,
            long,
            short,
            accumulate,
        });
    });
}

impl PlainProduct<'_> {
    /// Lazy sums: they stay at most `bound = G·p²`, and G products, each below p², are added
    /// between two conditional subtractions of `bound`; `2·G·p²` must not exceed 2^64.
    #[inline(always)]
    fn with_group<S: Simd, const G: usize>(self, simd: S) {
        let prime = u64::from(self.field.prime());
        let bound = simd.splat64(G as u64 * prime * prime);
        let block = ROWS * S::LANES;
        let mut words = [const { MaybeUninit::uninit() }; TILE + MAX_SHORT + MAX_BLOCK];
        let mut factors = [const { MaybeUninit::uninit() }; MAX_SHORT];
        let factors = fill_words(&mut factors, self.short.iter().map(|&x| u64::from(x)));
        let mut start = 0;
        for tile in self.out.chunks_mut(TILE) {
            let outputs = start..start + tile.len();
            let window = Window::fill(
                &mut words,
                outputs.clone(),
                self.short.len(),
                block,
                self.long,
                u64::from,
            );
            for (index, chunk) in tile.chunks_mut(block).enumerate() {
                let first = outputs.start + index * block;
                let terms = block_terms(first, block, self.long.len(), self.short.len());
                let mut sums = [simd.splat64(0); ROWS];
                let mut at = terms.start;
                while at + G <= terms.end {
                    for term in at..at + G {
                        add_products(simd, &mut sums, window, first, term, factors[term]);
                    }
                    sums = sums.map(|sum| simd.reduce_once64(sum, bound));
                    at += G;
                }
                for term in at..terms.end {
                    add_products(simd, &mut sums, window, first, term, factors[term]);
                }
                let mut residues = [0; MAX_BLOCK];
                for (row, sum) in sums.into_iter().enumerate() {
                    simd.store(&mut residues[row * S::LANES..], reduce(simd, sum, prime));
                }
                write(self.field, chunk, &residues, self.accumulate);
            }
            start = outputs.end;
        }
    }
}

/// `sums[k] += long[first + k − term] · factor`.
#[inline(always)]
fn add_products<S: Simd>(
    simd: S,
    sums: &mut [S::Vector; ROWS],
    window: Window<'_>,
    first: usize,
    term: usize,
    factor: u64,
) {
    let factor = simd.splat64(factor);
    let source = window.at(first, term, ROWS * S::LANES);
    for (row, sum) in sums.iter_mut().enumerate() {
        // SAFETY: `at` has checked that ROWS·LANES words follow.
        let vector = unsafe { simd.load_unaligned(source.add(row * S::LANES)) };
        *sum = simd.add64(*sum, simd.mul_low_halves(vector, factor));
    }
}

/// Any 64-bit sums mod p: the quotient by ⌊2^64/p⌋ is at most one too small.
#[inline(always)]
fn reduce<S: Simd>(simd: S, sum: S::Vector, prime: u64) -> S::Vector {
    let quotient = simd.mul_high64(sum, simd.splat64(u64::MAX / prime));
    let prime = simd.splat64(prime);
    simd.reduce_once64(simd.sub64(sum, simd.mul_low64(quotient, prime)), prime)
}

#[inline(always)]
fn write(field: &Fp32, out: &mut [u32], residues: &[u64], accumulate: bool) {
    if accumulate {
        for (out, &residue) in out.iter_mut().zip(residues) {
            *out = field.add(*out, residue as u32);
        }
    } else {
        for (out, &residue) in out.iter_mut().zip(residues) {
            *out = residue as u32;
        }
    }
}

impl SimdTask for PlainProduct<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        // 2·G·p² ≤ 2^64.
        match self.field.prime() {
            0..0x2000_0000 => self.with_group::<S, 32>(simd),
            0x2000_0000..0x4000_0000 => self.with_group::<S, 8>(simd),
            _ => self.with_group::<S, 2>(simd),
        }
    }
}
