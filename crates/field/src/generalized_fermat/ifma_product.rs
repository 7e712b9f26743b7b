//! One product by AVX-512 IFMA: a lane for each digit of the result.
//!
//! **Problem.** `x·y mod r^K + 1`, the digits' polynomials multiplied modulo `T^K + 1` and carried, for
//! `r ≥ 2^40`. **Algorithm.** Digit x_j is broadcast and multiplied with eight digits of `y·T^j` at a
//! time, which are a window of the row `z_0 … z_(K−1), y_0 … y_(K−1)`, where `z_i = r − 1 − y_i` stands
//! for −y_i. As numbers, windows are too much by `r^j − 1`, so all products together by
//! `x − Σ x_j`, which is taken off beforehand. Eight sums at a time are divided by r: a quotient is
//! estimated in doubles, too low by about 2^22, and what remains, computed modulo 2^104, is positive and
//! below 2^24·r; to it the quotient of the digit below is added, and a second division leaves digits
//! with carries of 24 bits. Carries of one are found by comparing, and travel by an addition of masks.
//!
//! **Bounds.** Digits of x are cut at 40 bits and those of y at 52, so that a product is
//! `x0·y0 + x1·y0·2^40 + x0·y1·2^52 + x1·y1·2^92` with the last two of x0·y1 ≤ 2^52 and x1·y1 ≤ 2^36: six
//! multiply-adds instead of eight, and sums of 256 of their halves stay below 2^61. Doubles give a
//! quotient of at most `256·r ≤ 2^72` to 2^21.
//!
//! **Floor.** 6·K² multiply-adds by eights, two a cycle: 3/8·K² cycles, 24 for K = 8; and about 70 vector
//! instructions, 35 cycles, for each eight digits of the result.

use std::arch::x86_64::*;
use std::hint::black_box;

use super::digits::Digits;
use super::unnormalized::decrement;
use sunzi_machine::{arrays, simd::InstructionSet};

/// Digits of a vector.
const LANES: usize = 8;
/// The kernel is for radices from here on: carries of 24 bits are small beside them, and what the
/// estimates leave out is.
const LEAST_RADIX: u64 = 1 << 40;

const LIMB: u32 = 52;
const MASK: u64 = (1 << LIMB) - 1;
/// Where digits of x are cut.
const CUT: u32 = 40;
/// By how much the first quotient is lowered.
const LOWERED: f64 = (1u64 << 22) as f64;
/// `ZERO·(r^K + 1)` is added, so that no first quotient is negative.
const ZERO: u64 = 1 << 23;
/// By how much the second quotient is lowered: more than it can be off, and little enough to leave a
/// remainder that is hardly more than r.
const SLACK: f64 = 1.0 / (1u64 << 20) as f64;
/// Added to a double below 2^52, it leaves the integer part in the low 52 bits.
const INTEGER: f64 = (1u64 << LIMB) as f64;
/// The same for the part from 2^52 on, of a double below 2^104.
const UPPER: f64 = INTEGER * INTEGER;

/// What the kernel needs of r; it exists only where the processor runs the kernel.
#[derive(Clone, Copy, Debug)]
pub(super) struct IfmaConstants {
    radix: u64,
    /// `2^104 − r` in limbs.
    negated: [u64; 2],
    /// `ZERO·(r − 1)` in limbs, of which the lower is at least 2^52.
    zero: [u64; 2],
    /// 1/r, 2^52/r, 2^92/r.
    inverses: [f64; 3],
}

impl IfmaConstants {
    /// Those of r, or `None` where the kernel does not serve: r is small, or the processor lacks the
    /// instructions.
    pub(super) fn new(radix: u64) -> Option<Self> {
        if radix < LEAST_RADIX || !InstructionSet::Avx512.is_available() {
            return None;
        }
        let limbs = |value: u128| [value as u64 & MASK, (value >> LIMB) as u64];
        let [low, high] = limbs(u128::from(ZERO) * u128::from(radix - 1));
        let inverse = 1.0 / radix as f64;
        Some(Self {
            radix,
            negated: limbs((1 << (2 * LIMB)) - u128::from(radix)),
            zero: [low + (1 << LIMB), high - 1],
            inverses: [
                inverse,
                inverse * INTEGER,
                inverse * INTEGER * (1u64 << CUT) as f64,
            ],
        })
    }

    /// `x·y` for canonical elements.
    #[inline]
    pub(super) fn multiply<const K: usize>(&self, x: &Digits<K>, y: &Digits<K>) -> Digits<K> {
        // SAFETY: there are constants only where the processor has the instructions.
        unsafe {
            match K {
                2 | 4 | 8 => multiply::<K, 1>(self, x, y),
                16 => multiply::<K, 2>(self, x, y),
                32 => multiply::<K, 4>(self, x, y),
                64 => multiply::<K, 8>(self, x, y),
                128 => multiply::<K, 16>(self, x, y),
                _ => multiply::<K, 32>(self, x, y),
            }
        }
    }
}

/// Vectors of one constant each.
#[derive(Clone, Copy)]
struct Broadcast {
    mask: __m512i,
    radix: __m512i,
    /// r − 1.
    greatest: __m512i,
    negated: [__m512i; 2],
    inverse: __m512d,
    inverse52: __m512d,
    inverse92: __m512d,
}

impl Broadcast {
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn new(c: &IfmaConstants) -> Self {
        Self {
            mask: all(MASK),
            radix: all(c.radix),
            greatest: all(c.radix - 1),
            negated: [all(c.negated[0]), all(c.negated[1])],
            inverse: _mm512_set1_pd(c.inverses[0]),
            inverse52: _mm512_set1_pd(c.inverses[1]),
            inverse92: _mm512_set1_pd(c.inverses[2]),
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn all(word: u64) -> __m512i {
    _mm512_set1_epi64(word as i64)
}

/// A mask of as many lanes as there are digits in the first vector.
const fn used<const K: usize>() -> u8 {
    if K < LANES { (1 << K) - 1 } else { 0xff }
}

/// Two words at any address.
#[repr(C, packed(8))]
#[derive(Clone, Copy)]
struct Unaligned(__m128i);

/// Vector number `at` of digits; where there are fewer, zeros above them.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn load<const K: usize>(digits: &[u64; K], at: usize) -> __m512i {
    let from = digits[at * LANES..].as_ptr();
    // Read by pairs: a processor hands on what was just stored, before it is in the cache, to reads
    // within one store only, and elements are often copied by pairs of words. Volatile, or compilers
    // make one read of them.
    let pair = |index: usize| {
        let from = from.wrapping_add(2 * index).cast::<Unaligned>();
        // SAFETY: K digits, which are 2, 4 or a multiple of 8; any words are a pair.
        unsafe { from.read_volatile() }.0
    };
    let mut vector = _mm512_castsi128_si512(pair(0));
    if K == 2 {
        return _mm512_inserti64x2::<0>(_mm512_setzero_si512(), pair(0));
    }
    vector = _mm512_inserti64x2::<1>(vector, pair(1));
    if K >= LANES {
        vector = _mm512_inserti64x2::<2>(vector, pair(2));
        vector = _mm512_inserti64x2::<3>(vector, pair(3));
        return vector;
    }
    _mm512_maskz_mov_epi64(used::<K>(), vector)
}

/// Writes what [`load`] reads.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn store<const K: usize>(digits: &mut [u64; K], at: usize, vector: __m512i) {
    let to = digits[at * LANES..].as_mut_ptr();
    // SAFETY: K digits, which are 2, 4 or a multiple of 8.
    unsafe {
        match K {
            2 => _mm_storeu_si128(to.cast(), _mm512_castsi512_si128(vector)),
            4 => _mm256_storeu_si256(to.cast(), _mm512_castsi512_si256(vector)),
            _ => _mm512_storeu_si512(to.cast(), vector),
        }
    }
}

/// Sums of products of digits by the weights of their six parts: 0, twice 52, 40, twice 92.
#[derive(Clone, Copy)]
struct Sums {
    at0: __m512i,
    at52: [__m512i; 2],
    at40: __m512i,
    at92: [__m512i; 2],
}

impl Sums {
    /// Adds x_j times a window of digits, given with their bits from 52 on.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn add(&mut self, [x0, x1]: [__m512i; 2], [y, y1]: [__m512i; 2]) {
        // The low 52 bits of y enter.
        self.at0 = _mm512_madd52lo_epu64(self.at0, x0, y);
        self.at52[0] = _mm512_madd52hi_epu64(self.at52[0], x0, y);
        self.at40 = _mm512_madd52lo_epu64(self.at40, x1, y);
        self.at92[0] = _mm512_madd52hi_epu64(self.at92[0], x1, y);
        self.at52[1] = _mm512_madd52lo_epu64(self.at52[1], x0, y1);
        self.at92[1] = _mm512_madd52lo_epu64(self.at92[1], x1, y1);
    }
}

/// A row of digits in V vectors, two limbs each.
type Row<const V: usize> = [[__m512i; 2]; V];

#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn multiply<const K: usize, const V: usize>(
    constants: &IfmaConstants,
    Digits(x): &Digits<K>,
    Digits(y): &Digits<K>,
) -> Digits<K> {
    let c = Broadcast::new(constants);
    let zero = _mm512_setzero_si512();
    let mut remainders = [[zero; 2]; V];
    let mut quotients = [[zero; 2]; V];
    let inputs = SumInputs::<K, V>::new(&c, constants, x, y);
    match V {
        1 => (remainders[0], quotients[0]) = c.divide(inputs.sums_of_one()),
        2 => {
            for (at, sums) in inputs.sums_of_two().into_iter().enumerate() {
                (remainders[at], quotients[at]) = c.divide(sums);
            }
        }
        _ => {
            for pair in (0..V).step_by(2) {
                for (at, sums) in inputs.two_sums(pair).into_iter().enumerate() {
                    (remainders[pair + at], quotients[pair + at]) = c.divide(sums);
                }
            }
        }
    }

    // Digit i gets quotient i − 1; digit 0 the last one with a minus, as r^K = −1.
    let mut carries = [zero; V];
    let mut digits = [zero; V];
    let mut before = quotients[V - 1];
    for at in 0..V {
        for limb in 0..2 {
            let moved = moved_up::<K>(quotients[at][limb], before[limb]);
            let sign = u8::from(at == 0);
            let signed = _mm512_mask_sub_epi64(moved, sign, zero, moved);
            remainders[at][limb] = _mm512_add_epi64(remainders[at][limb], signed);
        }
        before = quotients[at];
        (carries[at], digits[at]) = c.reduce(remainders[at]);
    }

    // Digit 0 gets r less the last carry, and digit 1 one less for it: nothing is negative, as all
    // carries are about 2^22.
    let mut out = Digits([0; K]);
    let mut before = carries[V - 1];
    let mut carry_in = 0;
    for at in 0..V {
        let mut moved = moved_up::<K>(carries[at], before);
        before = carries[at];
        if at == 0 {
            moved = _mm512_mask_sub_epi64(moved, 1, c.radix, moved);
            moved = _mm512_mask_sub_epi64(moved, 2, moved, all(1));
        }
        let digit;
        (carry_in, digit) = c.carry::<K>(digits[at], moved, carry_in);
        store(&mut out.0, at, digit);
    }
    if carry_in == 1 {
        // r^K = −1.
        if out.0[0] > 0 {
            out.0[0] -= 1;
        } else {
            decrement(&mut out, constants.radix);
        }
    }
    out
}

/// The lanes one up, the lowest from the vector before; of up to eight digits, the lowest from the
/// last.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn moved_up<const K: usize>(vector: __m512i, before: __m512i) -> __m512i {
    if K < LANES {
        let top = K as i64 - 1;
        let places = _mm512_set_epi64(6, 5, 4, 3, 2, 1, 0, top);
        _mm512_permutexvar_epi64(places, vector)
    } else {
        _mm512_alignr_epi64::<7>(vector, before)
    }
}

/// What the sums are made of.
struct SumInputs<const K: usize, const V: usize> {
    /// The digits of x in two parts, cut at [`CUT`].
    x: [[__m512i; V]; 2],
    /// `z_0 … z_(K−1), y_0 … y_(K−1)`.
    row: [[__m512i; V]; 2],
    /// Their bits from 52 on.
    upper: [[__m512i; V]; 2],
    /// What sums begin with, at weights 0 and 52: a representation of zero, less what windows are too
    /// much.
    start: Row<V>,
}

impl<const K: usize, const V: usize> SumInputs<K, V> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn new(c: &Broadcast, constants: &IfmaConstants, x: &[u64; K], y: &[u64; K]) -> Self {
        let zero = _mm512_setzero_si512();
        let mut inputs = Self {
            x: [[zero; V]; 2],
            row: [[zero; V]; 2],
            upper: [[zero; V]; 2],
            start: [[zero; 2]; V],
        };
        for at in 0..V {
            let x = load(x, at);
            inputs.x[0][at] = _mm512_and_si512(x, all((1 << CUT) - 1));
            inputs.x[1][at] = _mm512_srli_epi64::<CUT>(x);
            let limbs = [_mm512_and_si512(x, c.mask), _mm512_srli_epi64::<LIMB>(x)];
            for (limb, part) in limbs.into_iter().enumerate() {
                inputs.start[at][limb] = _mm512_sub_epi64(all(constants.zero[limb]), part);
            }
            let y = load(y, at);
            let z = _mm512_sub_epi64(c.greatest, y);
            inputs.row[0][at] = z;
            inputs.row[1][at] = y;
            inputs.upper[0][at] = _mm512_srli_epi64::<LIMB>(z);
            inputs.upper[1][at] = _mm512_srli_epi64::<LIMB>(y);
        }
        // ZERO·(r + 1) at digit 0, ZERO·(r − 1) at the others.
        let digits_sum: u128 = x.iter().map(|&digit| u128::from(digit)).sum();
        let lowest = digits_sum + 2 * u128::from(ZERO);
        let lowest = [lowest as u64 & MASK, (lowest >> LIMB) as u64];
        for (start, lowest) in inputs.start[0].iter_mut().zip(lowest) {
            *start = _mm512_mask_add_epi64(*start, 1, *start, all(lowest));
        }
        inputs
    }

    /// What the sums of vector `at` begin with.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn start(&self, at: usize) -> Sums {
        let [at0, at52] = self.start[at];
        let zero = _mm512_setzero_si512();
        Sums {
            at0,
            at52: [at52, zero],
            at40: zero,
            at92: [zero; 2],
        }
    }

    /// The parts of the digits of x, to broadcast from memory: taken out of registers they would keep
    /// the port of permutations busy, which compilers overlook.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn factors(&self) -> impl Fn(usize) -> [__m512i; 2] {
        let parts = black_box(&self.x);
        |j| {
            debug_assert!(j < V * LANES);
            // SAFETY: V vectors of eight words, and j is the number of a digit, below K ≤ 8·V.
            let part = |part: usize| unsafe { *parts[part].as_ptr().cast::<u64>().add(j) };
            [all(part(0)), all(part(1))]
        }
    }

    /// The sums of up to eight digits. Windows are made in registers: that for x_j begins j digits
    /// below y_0.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn sums_of_one(&self) -> Sums {
        let factor = self.factors();
        let mut sums = self.start(0);
        let (z, y) = (self.row[0][0], self.row[1][0]);
        macro_rules! windows {
            ($y:expr, $z:expr; $($j:literal from $from:literal)*) => {{$(
                sums.add(factor($j), window::<$from>($y, $z));
            )*}};
        }
        match K {
            2 => {
                let places = _mm512_set_epi64(9, 8, 1, 0, 9, 8, 1, 0);
                let row = _mm512_permutex2var_epi64(z, places, y);
                windows!(row, row; 0 from 2 1 from 1);
            }
            4 => {
                let row = _mm512_inserti64x4::<1>(z, _mm512_castsi512_si256(y));
                windows!(row, row; 0 from 4 1 from 3 2 from 2 3 from 1);
            }
            _ => {
                sums.add(factor(0), [y, self.upper[1][0]]);
                windows!(y, z; 1 from 7 2 from 6 3 from 5 4 from 4 5 from 3 6 from 2 7 from 1);
            }
        }
        sums
    }

    /// The sums of sixteen digits, likewise. What x_(j + 8) multiplies for the second vector is what
    /// x_j does for the first.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn sums_of_two(&self) -> [Sums; 2] {
        let factor = self.factors();
        let (mut first, mut second) = (self.start(0), self.start(V - 1));
        let ends =
            |[row0, row1]: &[[__m512i; V]; 2]| [[row0[0], row0[V - 1]], [row1[0], row1[V - 1]]];
        let [[z0, z1], [y0, y1]] = ends(&self.row);
        let mut add = |j: usize, [low, middle, high]: [[__m512i; 2]; 3]| {
            let lower = factor(j);
            first.add(lower, middle);
            second.add(lower, high);
            let upper = factor(j + LANES);
            first.add(upper, low);
            second.add(upper, middle);
        };
        let [[_, u1], [v0, v1]] = ends(&self.upper);
        add(0, [[z1, u1], [y0, v0], [y1, v1]]);
        macro_rules! windows {
            ($($j:literal from $from:literal)*) => {{$(
                add($j, [
                    window::<$from>(z1, z0),
                    window::<$from>(y0, z1),
                    window::<$from>(y1, y0),
                ]);
            )*}};
        }
        windows!(1 from 7 2 from 6 3 from 5 4 from 4 5 from 3 6 from 2 7 from 1);
        [first, second]
    }

    /// The sums of vectors `at` and `at + 1`, for more digits: windows are read from memory.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn two_sums(&self, at: usize) -> [Sums; 2] {
        let factor = self.factors();
        let (mut first, mut second) = (self.start(at), self.start(at + 1));
        let rows = [self.row.as_flattened(), self.upper.as_flattened()];
        let window = |from: usize| {
            debug_assert!(from + LANES <= 2 * K);
            // SAFETY: rows of 2·K words; `from` is at least 8·at + 1, for the last j, and at most
            // K + 8·(at + 1), for the first, where at ≤ K/8 − 2: the eight words end by 2·K.
            arrays::map(rows, |row| unsafe {
                _mm512_loadu_si512(row.as_ptr().cast::<u64>().add(from).cast())
            })
        };
        // Unrolled altogether, as compilers would for K up to 64, the loop does not fit the registers.
        let k = black_box(K);
        for group in (0..k).step_by(2 * LANES) {
            for j in group..group + LANES {
                let from = K + at * LANES - j;
                let middle = window(from);
                let lower = factor(j);
                first.add(lower, middle);
                second.add(lower, window(from + LANES));
                let upper = factor(j + LANES);
                first.add(upper, window(from - LANES));
                second.add(upper, middle);
            }
        }
        [first, second]
    }
}

/// The window from a lane of `low` on into `high`, and its bits from 52 on.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn window<const FROM: i32>(high: __m512i, low: __m512i) -> [__m512i; 2] {
    let window = _mm512_alignr_epi64::<FROM>(high, low);
    [window, _mm512_srli_epi64::<LIMB>(window)]
}

impl Broadcast {
    /// Remainders and quotients by r, in limbs. Remainders are from 2^21·r to 2^23·r, the lower limb below 2^61.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn divide(&self, sums: Sums) -> ([__m512i; 2], [__m512i; 2]) {
        let [n0, n1] = self.negated;
        let at40 = sums.at40;
        let at52 = _mm512_add_epi64(sums.at52[0], sums.at52[1]);
        let at52 = _mm512_add_epi64(at52, _mm512_srli_epi64::<{ LIMB - CUT }>(at40));
        let at92 = _mm512_add_epi64(sums.at92[0], sums.at92[1]);
        // Below at40's upper bits nothing matters here: r ≥ 2^40.
        let lowered = _mm512_set1_pd(-LOWERED);
        let lower = _mm512_fmadd_pd(_mm512_cvtepi64_pd(at52), self.inverse52, lowered);
        let quotient = _mm512_fmadd_pd(_mm512_cvtepi64_pd(at92), self.inverse92, lower);
        let raised = _mm512_add_round_pd::<DOWN>(quotient, _mm512_set1_pd(UPPER));
        let upper = _mm512_sub_pd(raised, _mm512_set1_pd(UPPER));
        let q0 = _mm512_cvttpd_epi64(_mm512_sub_pd(quotient, upper));
        let q1 = _mm512_and_si512(_mm512_castpd_si512(raised), self.mask);

        let at40 = _mm512_srli_epi64::<{ LIMB - CUT }>(_mm512_slli_epi64::<LIMB>(at40));
        let rest0 = _mm512_add_epi64(sums.at0, at40);
        let rest0 = _mm512_madd52lo_epu64(rest0, q0, n0);
        // Modulo 2^52.
        let rest1 = _mm512_add_epi64(at52, _mm512_slli_epi64::<CUT>(at92));
        let rest1 = _mm512_madd52lo_epu64(rest1, q1, n0);
        let rest1 = _mm512_madd52hi_epu64(rest1, q0, n0);
        let rest1 = _mm512_madd52lo_epu64(rest1, q0, n1);
        ([rest0, _mm512_and_si512(rest1, self.mask)], [q0, q1])
    }

    /// Quotients and remainders by r of positive numbers below 2^24·r in limbs of any sign; the remainders are
    /// words below r.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn reduce(&self, [t0, t1]: [__m512i; 2]) -> (__m512i, __m512i) {
        let [n0, n1] = self.negated;
        let slack = _mm512_set1_pd(-SLACK);
        let lower = _mm512_fmadd_pd(_mm512_cvtepi64_pd(t0), self.inverse, slack);
        let value = _mm512_fmadd_pd(_mm512_cvtepi64_pd(t1), self.inverse52, lower);
        let raised = _mm512_add_round_pd::<DOWN>(value, _mm512_set1_pd(INTEGER));
        let floor = _mm512_sub_pd(raised, _mm512_set1_pd(INTEGER));
        let fraction = _mm512_sub_pd(value, floor);
        let quotient = _mm512_castpd_si512(raised);
        let t0 = _mm512_madd52lo_epu64(t0, quotient, n0);
        let t1 = _mm512_madd52hi_epu64(t1, quotient, n0);
        let t1 = _mm512_madd52lo_epu64(t1, quotient, n1);
        let quotient = _mm512_and_si512(quotient, self.mask);
        // Modulo 2^64: the remainder is below r·(1 + 2^-19), perhaps above 2^64. The fraction tells its
        // half.
        let remainder = _mm512_add_epi64(t0, _mm512_slli_epi64::<LIMB>(t1));
        let less = _mm512_sub_epi64(remainder, self.radix);
        let upper = _mm512_cmp_pd_mask::<_CMP_GT_OQ>(fraction, _mm512_set1_pd(0.5));
        let reaches = _mm512_mask_cmpge_epi64_mask(upper, less, _mm512_setzero_si512());
        (
            _mm512_mask_add_epi64(quotient, reaches, quotient, all(1)),
            _mm512_mask_mov_epi64(remainder, reaches, less),
        )
    }

    /// `digit + carry`, less r where that reaches r, with carries of one from lane to lane: the one out
    /// of the last lane, and the digits. The sum of both is below 2r.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn carry<const K: usize>(
        &self,
        digit: __m512i,
        carry: __m512i,
        carry_in: u32,
    ) -> (u32, __m512i) {
        let sum = _mm512_add_epi64(digit, carry);
        let wraps = _mm512_cmplt_epu64_mask(sum, carry);
        let reaches = _mm512_cmpge_epu64_mask(sum, self.radix);
        let passes = _mm512_cmpeq_epi64_mask(sum, self.greatest);
        let generated = u32::from((wraps | reaches) & used::<K>());
        let passes = u32::from(passes & used::<K>());
        // A carry into a run of lanes that pass it on ripples through their bits.
        let rippled = passes + 2 * generated + carry_in;
        let incremented = rippled ^ passes;
        let subtracted = generated | passes & incremented;
        let sum = _mm512_mask_add_epi64(sum, incremented as u8, sum, all(1));
        let lanes = if K < LANES { K } else { LANES };
        (
            rippled >> lanes,
            _mm512_mask_sub_epi64(sum, subtracted as u8, sum, self.radix),
        )
    }
}

const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
