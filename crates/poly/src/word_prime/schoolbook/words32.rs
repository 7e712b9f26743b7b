//! Schoolbook products modulo a prime below 2^31: sums of 62-bit products in 64-bit lanes.

use std::mem::MaybeUninit;

use sunzi_field::{Field, Fp32};
use sunzi_machine::simd::{Simd, SimdTask, dispatch};

use super::window::{MAX_SHORT, TILE, Window, block_terms, fill_words, in_stretches};

/// Vectors of sums that are kept in registers at once.
const ROWS: usize = 4;

/// The most outputs of a block over all instruction sets.
const MAX_BLOCK: usize = ROWS * 8;

/// Adds (or writes, unless `accumulate`) the product of `long` and `short` to `out`.
pub struct SchoolbookPass<'a> {
    pub field: &'a Fp32,
    pub out: &'a mut [u32],
    pub long: &'a [u32],
    pub short: &'a [u32],
    pub accumulate: bool,
}

/// `out = a · b`.
///
/// # Panics
/// If `out.len() != a.len() + b.len() − 1` or an operand is empty.
pub(crate) fn product(field: &Fp32, out: &mut [u32], a: &[u32], b: &[u32]) {
    if a.len() * b.len() <= TINY {
        return tiny(field, out, a, b);
    }
    in_stretches(out, a, b, |out, long, short, accumulate| {
        dispatch(SchoolbookPass {
            field,
            out,
            long,
            short,
            accumulate,
        });
    });
}

/// Products of coefficients up to which setting up vectors does not pay.
const TINY: usize = 24;

/// A few words at a time: of two operands with at most [`TINY`] = 24 products one has at most 4
/// coefficients, and 4·(2^31 − 2)² < 2^64.
fn tiny(field: &Fp32, out: &mut [u32], a: &[u32], b: &[u32]) {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    for (k, out) in out.iter_mut().enumerate() {
        let terms = block_terms(k, 1, long.len(), short.len());
        let sum = terms
            .map(|j| u64::from(long[k - j]) * u64::from(short[j]))
            .sum();
        *out = field.reduce(sum);
    }
}

/// How a vector of sums of products is kept until it is reduced.
trait Sums<S: Simd>: Copy {
    /// Terms between two calls of [`Sums::fold`].
    const GROUP: usize;

    /// No terms.
    fn empty(simd: S) -> Self;

    /// Adds `vector · factor`, words below 2^31.
    fn add(&mut self, simd: S, vector: S::Vector, factor: S::Vector);

    /// Makes room for [`Sums::GROUP`] further terms.
    fn fold(&mut self, simd: S, prime: u64);

    /// The sums mod p.
    fn residues(self, simd: S, prime: u64) -> S::Vector;
}

/// Lazy sums of one word: they stay at most `G·p²`, and G products, each below p², are added
/// between two conditional subtractions of that bound; `2·G·p²` must not exceed 2^64.
#[derive(Clone, Copy)]
struct Lazy<V, const G: usize>(V);

impl<S: Simd, const G: usize> Sums<S> for Lazy<S::Vector, G> {
    const GROUP: usize = G;

    #[inline(always)]
    fn empty(simd: S) -> Self {
        Self(simd.splat64(0))
    }

    #[inline(always)]
    fn add(&mut self, simd: S, vector: S::Vector, factor: S::Vector) {
        self.0 = simd.add64(self.0, simd.mul_low_halves(vector, factor));
    }

    #[inline(always)]
    fn fold(&mut self, simd: S, prime: u64) {
        self.0 = simd.reduce_once64(self.0, simd.splat64(G as u64 * prime * prime));
    }

    #[inline(always)]
    fn residues(self, simd: S, prime: u64) -> S::Vector {
        reduce(simd, self.0, prime)
    }
}

/// Sums of the low 52 bits of the products and of the rest: [`MAX_SHORT`] = 2^8 terms keep the
/// first below 2^60 and the second below 2^18, so nothing is ever folded.
#[derive(Clone, Copy)]
struct Split<V> {
    low: V,
    high: V,
}

impl<S: Simd> Sums<S> for Split<S::Vector> {
    const GROUP: usize = 8;

    #[inline(always)]
    fn empty(simd: S) -> Self {
        Self {
            low: simd.splat64(0),
            high: simd.splat64(0),
        }
    }

    #[inline(always)]
    fn add(&mut self, simd: S, vector: S::Vector, factor: S::Vector) {
        self.low = simd.add_low52(self.low, vector, factor);
        self.high = simd.add_high52(self.high, vector, factor);
    }

    #[inline(always)]
    fn fold(&mut self, _: S, _: u64) {}

    #[inline(always)]
    fn residues(self, simd: S, prime: u64) -> S::Vector {
        // Below 2^60 + 2^18·2^31.
        let weight = simd.splat64((1 << 52) % prime);
        let sum = simd.add64(self.low, simd.mul_low_halves(self.high, weight));
        reduce(simd, sum, prime)
    }
}

impl SchoolbookPass<'_> {
    #[inline(always)]
    fn with_sums<S: Simd, A: Sums<S>>(self, simd: S) {
        let prime = u64::from(self.field.prime());
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
                let mut sums = [A::empty(simd); ROWS];
                let mut at = terms.start;
                while at + A::GROUP <= terms.end {
                    for (step, &factor) in factors[at..at + A::GROUP].iter().enumerate() {
                        add_products(simd, &mut sums, window, first, at + step, factor);
                    }
                    for sums in &mut sums {
                        sums.fold(simd, prime);
                    }
                    at += A::GROUP;
                }
                for (term, &factor) in factors.iter().enumerate().take(terms.end).skip(at) {
                    add_products(simd, &mut sums, window, first, term, factor);
                }
                let mut residues = [0; MAX_BLOCK];
                for (row, sums) in sums.into_iter().enumerate() {
                    simd.store(&mut residues[row * S::LANES..], sums.residues(simd, prime));
                }
                write(self.field, chunk, &residues, self.accumulate);
            }
            start = outputs.end;
        }
    }
}

/// `sums[k] += long[first + k − term] · factor`.
#[inline(always)]
fn add_products<S: Simd, A: Sums<S>>(
    simd: S,
    sums: &mut [A; ROWS],
    window: Window<'_>,
    first: usize,
    term: usize,
    factor: u64,
) {
    let factor = simd.splat64(factor);
    let source = window.at(first, term, ROWS * S::LANES);
    for (row, sums) in sums.iter_mut().enumerate() {
        // SAFETY: `at` has checked that ROWS·LANES words follow.
        let vector = unsafe { simd.load_unaligned(source.add(row * S::LANES)) };
        sums.add(simd, vector, factor);
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

impl<S: Simd> SimdTask<S> for SchoolbookPass<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        // 2·G·p² ≤ 2^64.
        match self.field.prime() {
            0..0x2000_0000 => self.with_sums::<S, Lazy<S::Vector, 32>>(simd),
            0x2000_0000..0x4000_0000 => self.with_sums::<S, Lazy<S::Vector, 8>>(simd),
            _ if S::FAST_52 => self.with_sums::<S, Split<S::Vector>>(simd),
            _ => self.with_sums::<S, Lazy<S::Vector, 2>>(simd),
        }
    }
}
