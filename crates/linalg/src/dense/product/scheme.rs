//! How a product of residues is put together from products of 32-bit words, which vectors have.
//!
//! Entries are cut into digits; a dot product becomes [`Scheme`]'s few sums of products of digits, each in
//! one 64-bit lane, and a linear combination of those sums at the end, modulo p. The sums only have to be right
//! modulo p, too: a multiple of p is subtracted whenever a sum could outgrow its lane.
//!
//! | scheme | primes | products an entry | a sum is reduced |
//! |---|---|---|---|
//! | [`Whole`] | below 2^31 | 1 | every ⌊min(2^33/p, 2^63/p²)⌋ terms |
//! | [`Halves`] | below 2^60 | 3, after Karatsuba | the middle one every other term near 2^60, the others every eighth |
//! | [`Thirds`] | 2^60 … 2^63 | 6, after Karatsuba | never: 2^44 a product, and blocks of at most 2^8 terms |

use sunzi_field::{Field, Fp32, Fp64};
use sunzi_machine::{
    arrays,
    simd::{InstructionSet, Simd, SimdTask, Word},
};

/// `P` sums of products, and what they mean.
pub trait Scheme<const P: usize>: Copy + Send + Sync {
    /// The field.
    type Field: Field<Elem = Self::Word>;
    /// What holds a residue.
    type Word: Word + Copy + Default + Send + Sync;

    /// How many factors the left side has: one for all sums, or one for each.
    const LEFT: usize = P;
    /// Sums that are reduced after every [`Scheme::often`] terms.
    const OFTEN: [bool; P];
    /// Sums that are reduced after every [`Scheme::rarely`] times as many.
    const RARELY: [bool; P];

    /// Brings part of a row of the left matrix into the form that [`Scheme::left`] takes.
    fn prepare_left(&self, _row: &mut [Self::Word]) {}
    /// A residue of the left matrix as the factors of the sums, of which the first [`Scheme::LEFT`] count.
    fn left(&self, residue: Self::Word) -> [u32; P];
    /// A residue of the right matrix as it is packed.
    fn right(&self, residue: Self::Word) -> Self::Word;
    /// A vector of packed residues as the factors of the sums, in the lower halves of the lanes.
    fn factors<S: Simd>(simd: S, packed: S::Vector) -> [S::Vector; P];
    /// Terms after which the first kind of sums is reduced.
    fn often(&self) -> usize;
    /// How often that happens until the second kind is.
    fn rarely(&self) -> usize;
    /// What is subtracted: a multiple of p, at most 2^63.
    fn bound(&self) -> u64;
    /// `row −= the products` that `sums`, row after row of `width` lanes, stand for; `scratch` holds as much.
    fn finish(
        &self,
        set: InstructionSet,
        row: &mut [Self::Word],
        sums: &mut [u64],
        width: usize,
        scratch: &mut [Self::Word],
    );
}

/// Primes below 2^31: one product an entry, even and odd columns apart.
///
/// Left factors are taken times 2^32, and one step after Montgomery takes that away. A sum stays below
/// M = T·p² with T terms between reductions, M ≤ 2^63 so that M and T more terms fit a lane, and
/// M ≤ 2p·2^32 so that the step leaves less than 2p.
#[derive(Clone, Copy)]
pub struct Whole<'a> {
    field: &'a Fp32,
    terms: u64,
    /// 2^32 modulo p.
    power: u32,
    /// p⁻¹ modulo 2^32.
    inverse: u32,
}

impl<'a> Whole<'a> {
    pub fn new(field: &'a Fp32) -> Self {
        let prime = field.prime();
        let p = u64::from(prime);
        // Newton's iteration doubles the correct bits, of which p·p ≡ 1 mod 8 gives three.
        let inverse = (0..4).fold(prime, |x: u32, _| {
            x.wrapping_mul(2u32.wrapping_sub(prime.wrapping_mul(x)))
        });
        Self {
            field,
            terms: ((1 << 33) / p).min((1 << 63) / (p * p)),
            power: field.reduce(1 << 32),
            inverse,
        }
    }
}

impl Scheme<2> for Whole<'_> {
    type Field = Fp32;
    type Word = u32;
    const LEFT: usize = 1;
    const OFTEN: [bool; 2] = [true; 2];
    const RARELY: [bool; 2] = [false; 2];

    fn prepare_left(&self, row: &mut [u32]) {
        self.field.scale_slice(row, self.power);
    }

    #[inline(always)]
    fn left(&self, residue: u32) -> [u32; 2] {
        [residue; 2]
    }

    #[inline(always)]
    fn right(&self, residue: u32) -> u32 {
        residue
    }

    #[inline(always)]
    fn factors<S: Simd>(simd: S, packed: S::Vector) -> [S::Vector; 2] {
        [packed, simd.shift_right64(packed, 32)]
    }

    fn often(&self) -> usize {
        usize::try_from(self.terms).unwrap_or(usize::MAX)
    }

    fn rarely(&self) -> usize {
        usize::MAX
    }

    fn bound(&self) -> u64 {
        let p = u64::from(self.field.prime());
        self.terms * p * p
    }

    fn finish(
        &self,
        set: InstructionSet,
        row: &mut [u32],
        sums: &mut [u64],
        width: usize,
        scratch: &mut [u32],
    ) {
        let (even, odd) = sums.split_at(width);
        set.run_or_portable(Montgomery {
            scheme: *self,
            even,
            odd: &odd[..width],
            out: &mut scratch[..2 * width],
        });
        self.field.sub_assign_slice(row, &scratch[..row.len()]);
    }
}

/// The step after Montgomery, for sums of even and odd columns.
struct Montgomery<'a> {
    scheme: Whole<'a>,
    even: &'a [u64],
    odd: &'a [u64],
    out: &'a mut [u32],
}

impl<S: Simd> SimdTask<S> for Montgomery<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        let prime = simd.splat32(self.scheme.field.prime());
        let inverse = simd.splat32(self.scheme.inverse);
        let lanes = S::LANES;
        let pairs = self
            .even
            .chunks_exact(lanes)
            .zip(self.odd.chunks_exact(lanes));
        for (out, (even, odd)) in self.out.chunks_exact_mut(2 * lanes).zip(pairs) {
            let (even, odd) = (simd.load(even), simd.load(odd));
            let quotients = arrays::map(
                [even, odd],
                #[inline(always)]
                |sum| simd.mul_low_halves(simd.mul_low_halves(sum, inverse), prime),
            );
            // The sums over 2^32 are below 2p, the others below p.
            let sum = simd.high_halves(even, odd);
            let sum = simd.min32(sum, simd.sub32(sum, prime));
            let difference = simd.sub32(sum, simd.high_halves(quotients[0], quotients[1]));
            simd.store(out, simd.min32(difference, simd.add32(difference, prime)));
        }
    }
}

/// Primes below 2^60: two digits of h bits, and the three products of Karatsuba.
///
/// With x = x₀ + x₁·2^h, the sums are of x₀·y₀, x₁·y₁ and (x₀ + x₁)·(y₀ + y₁), the last of which is below
/// 2^(2h + 2) ≤ 2^62.
#[derive(Clone, Copy)]
pub struct Halves<'a> {
    field: &'a Fp64,
    /// h.
    digit: u32,
    /// p times the power of two that brings it between 2^62 and 2^63.
    bound: u64,
    /// What each sum is to be taken times, with the sign of a difference.
    weights: [u64; 3],
}

impl<'a> Halves<'a> {
    pub const MAX_BITS: u32 = 60;

    pub fn new(field: &'a Fp64) -> Self {
        let bits = u64::BITS - field.prime().leading_zeros();
        debug_assert!(bits <= Self::MAX_BITS);
        let digit = bits.div_ceil(2);
        let power = |exponent| field.pow(2, u64::from(exponent));
        let (first, second) = (power(digit), power(2 * digit));
        // x·y = low + (middle − low − high)·2^h + high·2^2h
        let weights = [field.sub(1, first), field.sub(second, first), first];
        Self {
            field,
            digit,
            bound: field.prime() << (63 - bits),
            weights: weights.map(|weight| field.neg(weight)),
        }
    }
}

impl Scheme<3> for Halves<'_> {
    type Field = Fp64;
    type Word = u64;
    const OFTEN: [bool; 3] = [false, false, true];
    const RARELY: [bool; 3] = [true, true, false];

    #[inline(always)]
    fn left(&self, residue: u64) -> [u32; 3] {
        let high = (residue >> self.digit) as u32;
        let low = (residue & ((1 << self.digit) - 1)) as u32;
        [low, high, low + high]
    }

    #[inline(always)]
    fn right(&self, residue: u64) -> u64 {
        (residue >> self.digit) << 32 | residue & ((1 << self.digit) - 1)
    }

    #[inline(always)]
    fn factors<S: Simd>(simd: S, packed: S::Vector) -> [S::Vector; 3] {
        let high = simd.shift_right64(packed, 32);
        [packed, high, simd.add64(packed, high)]
    }

    fn often(&self) -> usize {
        // The middle sum grows by less than the bound in this number of terms. There is at least one: with b bits,
        // (2^(h + 1) − 2)² < 2^(2h + 2) is at most 2^62 for b = 59 and 60, and the bound is not below that.
        let greatest = (2 << self.digit) - 2;
        usize::try_from(self.bound / (greatest * greatest)).unwrap_or(usize::MAX)
    }

    fn rarely(&self) -> usize {
        // The other products are a quarter of the middle one's greatest at most.
        4
    }

    fn bound(&self) -> u64 {
        self.bound
    }

    fn finish(
        &self,
        set: InstructionSet,
        row: &mut [u64],
        sums: &mut [u64],
        width: usize,
        scratch: &mut [u64],
    ) {
        set.run_or_portable(Canonical {
            prime: self.field.prime(),
            bound: self.bound,
            values: &mut sums[..3 * width],
        });
        let columns = row.len();
        let scratch = &mut scratch[..columns];
        let sum = |j: usize| (self.weights[j], &sums[j * width..j * width + columns]);
        self.field
            .combine_slices(scratch, [(1, &*row), sum(0), sum(1), sum(2)]);
        row.copy_from_slice(scratch);
    }
}

/// From below p·2^j to below p.
struct Canonical<'a> {
    prime: u64,
    bound: u64,
    values: &'a mut [u64],
}

impl<S: Simd> SimdTask<S> for Canonical<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: S) {
        for values in self.values.chunks_exact_mut(S::LANES) {
            let mut value = simd.load(values);
            let mut bound = self.bound;
            while bound > self.prime {
                bound >>= 1;
                value = simd.reduce_once64(value, simd.splat64(bound));
            }
            simd.store(values, value);
        }
    }
}

/// Primes from 2^60 to 2^63: three digits of 21 bits, and the six products of Karatsuba, whose sums stay
/// below p.
///
/// The sums are of x_i·y_i and of (x_i + x_j)·(y_i + y_j) for i < j.
#[derive(Clone, Copy)]
pub struct Thirds<'a> {
    field: &'a Fp64,
    weights: [u64; 6],
}

impl<'a> Thirds<'a> {
    const DIGIT: u32 = 21;
    const MASK: u64 = (1 << Self::DIGIT) - 1;

    pub fn new(field: &'a Fp64) -> Self {
        let power = |exponent: u64| field.pow(2, exponent * u64::from(Self::DIGIT));
        let [one, b, b2, b3, b4] = [0, 1, 2, 3, 4].map(power);
        let less = |x, y, z| field.sub(field.sub(x, y), z);
        // x·y = s0 + (s01 − s0 − s1)·B + (s02 − s0 − s2 + s1)·B² + (s12 − s1 − s2)·B³ + s2·B⁴
        let weights = [
            less(one, b, b2),
            less(b2, b, b3),
            less(b4, b2, b3),
            b,
            b2,
            b3,
        ];
        Self {
            field,
            weights: weights.map(|weight| field.neg(weight)),
        }
    }
}

impl Scheme<6> for Thirds<'_> {
    type Field = Fp64;
    type Word = u64;
    const OFTEN: [bool; 6] = [false; 6];
    const RARELY: [bool; 6] = [false; 6];

    #[inline(always)]
    fn left(&self, residue: u64) -> [u32; 6] {
        let digit = |i: u32| (residue >> (i * Self::DIGIT) & Self::MASK) as u32;
        let (x0, x1, x2) = (digit(0), digit(1), digit(2));
        [x0, x1, x2, x0 + x1, x0 + x2, x1 + x2]
    }

    #[inline(always)]
    fn right(&self, residue: u64) -> u64 {
        residue
    }

    #[inline(always)]
    fn factors<S: Simd>(simd: S, packed: S::Vector) -> [S::Vector; 6] {
        let mask = simd.splat64(Self::MASK);
        let x0 = simd.and(packed, mask);
        let x1 = simd.and(simd.shift_right64(packed, Self::DIGIT), mask);
        let x2 = simd.shift_right64(packed, 2 * Self::DIGIT);
        [
            x0,
            x1,
            x2,
            simd.add64(x0, x1),
            simd.add64(x0, x2),
            simd.add64(x1, x2),
        ]
    }

    fn often(&self) -> usize {
        usize::MAX
    }

    fn rarely(&self) -> usize {
        usize::MAX
    }

    fn bound(&self) -> u64 {
        0
    }

    fn finish(
        &self,
        _set: InstructionSet,
        row: &mut [u64],
        sums: &mut [u64],
        width: usize,
        scratch: &mut [u64],
    ) {
        let columns = row.len();
        let scratch = &mut scratch[..columns];
        let sum = |j: usize| (self.weights[j], &sums[j * width..j * width + columns]);
        self.field
            .combine_slices(scratch, [(1, &*row), sum(0), sum(1), sum(2)]);
        self.field
            .combine_slices(row, [(1, &*scratch), sum(3), sum(4), sum(5)]);
    }
}
