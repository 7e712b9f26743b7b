//! Schoolbook products modulo a prime below 2^63.
//!
//! Two kernels: on machines with 52-bit multipliers, sums of the partial products of 32-bit
//! digits in vectors ([`DigitProduct`]); elsewhere three-word sums of 128-bit products.

use std::mem::MaybeUninit;

use sunzi_field::{Field, Fp64};
use sunzi_machine::simd::{InstructionSet, Simd, SimdTask, dispatch};

use super::window::{MAX_SHORT, TILE, Window, block_terms, fill_words, in_stretches};

/// Vectors of outputs whose sums are kept in registers at once: six sums each.
const ROWS: usize = 2;

/// The most outputs of a block over all instruction sets.
const MAX_BLOCK: usize = ROWS * 8;

/// Outputs per tile: three copies of the window lie on the stack.
const DIGIT_TILE: usize = TILE / 2;

const STORAGE: usize = DIGIT_TILE + MAX_SHORT + MAX_BLOCK;

/// The operands of one pass.
pub struct Pass<'a> {
    pub field: &'a Fp64,
    pub out: &'a mut [u64],
    pub long: &'a [u64],
    pub short: &'a [u64],
    pub accumulate: bool,
}

/// `out = a · b`.
///
/// # Panics
/// If `out.len() != a.len() + b.len() − 1` or an operand is empty.
pub(crate) fn product(field: &Fp64, out: &mut [u64], a: &[u64], b: &[u64]) {
    in_stretches(out, a, b, |out, long, short, accumulate| {
        let pass = Pass {
            field,
            out,
            long,
            short,
            accumulate,
        };
        run_pass(pass);
    });
}

fn run_pass(pass: Pass<'_>) {
    // Digits pay only where their products are single instructions.
    if InstructionSet::Avx512.is_available() {
        dispatch(DigitProduct(pass));
    } else {
        pass.by_words();
    }
}

impl Pass<'_> {
    /// One output after the other, each a sum of three words: a plain loop that compiles to
    /// multiply, add, add with carry.
    pub fn by_words(self) {
        let top = self.field.reduce_wide(1 << 64);
        for (k, out) in self.out.iter_mut().enumerate() {
            let terms = block_terms(k, 1, self.long.len(), self.short.len());
            let values = &self.long[k + 1 - terms.end..=k - terms.start];
            let (mut sum, mut carries) = (0u128, 0u64);
            for (&x, &y) in values.iter().rev().zip(&self.short[terms]) {
                let (value, carry) = sum.overflowing_add(u128::from(x) * u128::from(y));
                sum = value;
                carries += u64::from(carry);
            }
            // (carries·2^64 + high) mod p, then that times 2^64 plus low.
            let high = u128::from(carries) * u128::from(top) + (sum >> 64);
            let high = self.field.reduce_wide(high);
            let residue = self
                .field
                .reduce_wide(u128::from(high) << 64 | u128::from(sum as u64));
            *out = match self.accumulate {
                true => self.field.add(*out, residue),
                false => residue,
            };
        }
    }
}

/// One pass by 32-bit digits: with x = x₀ + x₁·2^32, the three products x₀y₀, x₁y₁ and
/// (x₀ + x₁)(y₀ + y₁) are summed over the terms, their low 52 bits and the rest apart. At most
/// [`MAX_SHORT`] = 2^8 terms keep every sum below 2^60.
pub struct DigitProduct<'a>(pub Pass<'a>);

/// The sums of one partial product: value = low + 2^52·high.
#[derive(Clone, Copy)]
struct Sum<V> {
    low: V,
    high: V,
}

/// The sums of a vector of outputs.
#[derive(Clone, Copy)]
struct Sums<V> {
    lower: Sum<V>,
    middle: Sum<V>,
    upper: Sum<V>,
}

impl<S: Simd> SimdTask<S> for DigitProduct<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        let Pass {
            field,
            out,
            long,
            short,
            accumulate,
        } = self.0;
        let block = ROWS * S::LANES;
        let mut storage = [[const { MaybeUninit::uninit() }; STORAGE]; 3];
        let [lower_words, upper_words, sum_words] = &mut storage;
        let mut factors = [[const { MaybeUninit::uninit() }; MAX_SHORT]; 3];
        let [lower_factors, upper_factors, sum_factors] = &mut factors;
        let lower_factors = fill_words(lower_factors, short.iter().map(|&y| lower_digit(y)));
        let upper_factors = fill_words(upper_factors, short.iter().map(|&y| upper_digit(y)));
        let sum_factors = fill_words(sum_factors, short.iter().map(|&y| digit_sum(y)));
        let reduction = Reduction::new(field, short.len());
        let zero = simd.splat64(0);
        let empty = Sum {
            low: zero,
            high: zero,
        };
        let mut start = 0;
        for tile in out.chunks_mut(DIGIT_TILE) {
            let outputs = start..start + tile.len();
            let count = short.len();
            let lower = Window::fill(
                lower_words,
                outputs.clone(),
                count,
                block,
                long,
                lower_digit,
            );
            let upper = Window::fill(
                upper_words,
                outputs.clone(),
                count,
                block,
                long,
                upper_digit,
            );
            let sum = Window::fill(sum_words, outputs.clone(), count, block, long, digit_sum);
            for (index, chunk) in tile.chunks_mut(block).enumerate() {
                let first = outputs.start + index * block;
                let mut sums = [Sums {
                    lower: empty,
                    middle: empty,
                    upper: empty,
                }; ROWS];
                for term in block_terms(first, block, long.len(), short.len()) {
                    let lower_factor = simd.splat64(lower_factors[term]);
                    let upper_factor = simd.splat64(upper_factors[term]);
                    let sum_factor = simd.splat64(sum_factors[term]);
                    let lower = lower.at(first, term, block);
                    let upper = upper.at(first, term, block);
                    let sum = sum.at(first, term, block);
                    for (row, sums) in sums.iter_mut().enumerate() {
                        let at = row * S::LANES;
                        // SAFETY: each window has checked that a block of words follows.
                        unsafe {
                            sums.lower.add(simd, lower.add(at), lower_factor);
                            sums.upper.add(simd, upper.add(at), upper_factor);
                            sums.middle.add(simd, sum.add(at), sum_factor);
                        }
                    }
                }
                let mut residues = [0; MAX_BLOCK];
                for (row, sums) in sums.into_iter().enumerate() {
                    let value = reduction.reduce(simd, sums);
                    simd.store(&mut residues[row * S::LANES..], value);
                }
                if accumulate {
                    for (out, &residue) in chunk.iter_mut().zip(&residues) {
                        *out = field.add(*out, residue);
                    }
                } else {
                    chunk.copy_from_slice(&residues[..chunk.len()]);
                }
            }
            start = outputs.end;
        }
    }
}

const HALF: u64 = 0xffff_ffff;

fn lower_digit(x: u64) -> u64 {
    x & HALF
}

fn upper_digit(x: u64) -> u64 {
    x >> 32
}

fn digit_sum(x: u64) -> u64 {
    (x & HALF) + (x >> 32)
}

impl<V: Copy> Sum<V> {
    /// Adds the products of the words at `source` by `factor`.
    ///
    /// # Safety
    /// `source` must be valid for reads of a vector.
    #[inline(always)]
    unsafe fn add<S: Simd<Vector = V>>(&mut self, simd: S, source: *const u64, factor: V) {
        // SAFETY: a vector is readable at `source`, as this function asks.
        let vector = unsafe { simd.load_unaligned(source) };
        self.low = simd.add_low52(self.low, vector, factor);
        self.high = simd.add_high52(self.high, vector, factor);
    }

    /// The value as e₀ + e₁·2^32 with e₀ < 2^32 and e₁ < 2^43.
    #[inline(always)]
    fn digits<S: Simd<Vector = V>>(self, simd: S) -> (V, V) {
        let e0 = simd.and(self.low, simd.splat64(HALF));
        let e1 = simd.add64(
            simd.shift_right64(self.low, 32),
            simd.shift_left64(self.high, 20),
        );
        (e0, e1)
    }
}

/// Reduces sums modulo p, in vectors.
struct Reduction {
    prime: u64,
    /// (w, ⌊w·2^64/p⌋) for w = 1, 2^64 mod p and 2^96 mod p.
    multipliers: [(u64, u64); 3],
    /// Whether every sum is below 2^128, so that two words hold it.
    two_words: bool,
}

impl Reduction {
    #[inline(always)]
    fn new(field: &Fp64, terms: usize) -> Self {
        let word = field.reduce_wide(1 << 64);
        let powers = [1, word, field.reduce_wide(u128::from(word) << 32)];
        let greatest = u128::from(field.prime() - 1).pow(2);
        Self {
            prime: field.prime(),
            multipliers: powers.map(|power| field.prepare(power).into_parts()),
            two_words: greatest.checked_mul(terms as u128).is_some(),
        }
    }

    #[inline(always)]
    fn reduce<S: Simd>(&self, simd: S, sums: Sums<S::Vector>) -> S::Vector {
        let half = simd.splat64(HALF);
        let (l0, l1) = sums.lower.digits(simd);
        let (m0, m1) = sums.middle.digits(simd);
        let (u0, u1) = sums.upper.digits(simd);
        // x₀y₁ + x₁y₀ as signed digits, each below 2^45 in absolute value.
        let c0 = simd.sub64(simd.sub64(m0, l0), u0);
        let c1 = simd.sub64(simd.sub64(m1, l1), u1);
        // The value is l0 + d1·2^32 + d2·2^64 + u1·2^96; carries make the digits non-negative.
        let d1 = simd.add64(l1, c0);
        let d2 = simd.add64(simd.add64(c1, u0), signed_carry(simd, d1));
        let d3 = simd.add64(u1, signed_carry(simd, d2));
        let low = simd.or(l0, simd.shift_left64(d1, 32));
        let d2 = simd.and(d2, half);
        let prime = simd.splat64(self.prime);
        let [one, word, top] = self.multipliers;
        let low = multiply(simd, low, one, prime);
        if self.two_words {
            let high = simd.or(d2, simd.shift_left64(d3, 32));
            return add(simd, low, multiply(simd, high, word, prime), prime);
        }
        let high = add(
            simd,
            multiply(simd, d2, word, prime),
            multiply(simd, d3, top, prime),
            prime,
        );
        add(simd, low, high, prime)
    }
}

/// ⌊x/2^32⌋ for lanes read as signed numbers above −2^62.
#[inline(always)]
fn signed_carry<S: Simd>(simd: S, x: S::Vector) -> S::Vector {
    let raised = simd.add64(x, simd.splat64(1 << 62));
    simd.sub64(simd.shift_right64(raised, 32), simd.splat64(1 << 30))
}

/// `x · w` mod p for any word x.
#[inline(always)]
fn multiply<S: Simd>(
    simd: S,
    x: S::Vector,
    (factor, quotient): (u64, u64),
    prime: S::Vector,
) -> S::Vector {
    let quotient = simd.mul_high64(x, simd.splat64(quotient));
    let product = simd.mul_low64(x, simd.splat64(factor));
    simd.reduce_once64(simd.sub64(product, simd.mul_low64(quotient, prime)), prime)
}

#[inline(always)]
fn add<S: Simd>(simd: S, x: S::Vector, y: S::Vector, prime: S::Vector) -> S::Vector {
    simd.reduce_once64(simd.add64(x, y), prime)
}
