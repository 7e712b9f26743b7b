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
use crate::lanes::Kernel;

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
/// rest that is hardly more than r.
const SLACK: f64 = 1.0 / (1u64 << 20) as f64;
/// Added to a double below 2^52, it leaves the integer part in the low 52 bits.
const INTEGER: f64 = (1u64 << LIMB) as f64;
/// The same for the part from 2^52 on, of a double below 2^104.
const UPPER: f64 = INTEGER * INTEGER;

/// What the kernel needs of r; it exists only where the processor runs the kernel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constants {
    radix: u64,
    /// `2^104 − r` in limbs.
    negated: [u64; 2],
    /// `ZERO·(r − 1)` in limbs, of which the lower is at least 2^52.
    zero: [u64; 2],
    /// 1/r, 2^52/r, 2^92/r.
    inverses: [f64; 3],
}

impl Constants {
    /// Those of r, or `None` where the kernel does not serve: r is small, or the processor lacks the
    /// instructions.
    pub(super) fn new(radix: u64) -> Option<Self> {
        if radix < LEAST_RADIX || !Kernel::Avx512.is_available() {
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
        unsafe { multiply(self, x, y) }
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
    fn new(c: &Constants) -> Self {
        Self {
            mask: all(MASK),
            radix: all(c.radix),
            greatest: all(c.radix - 1),
            negated: c.negated.map(|limb| all(limb)),
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

/// Eight digits from number `at` on; where there are fewer, zeros above them.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn load<const K: usize>(digits: &[u64; K], at: usize) -> __m512i {
    debug_assert!(at.is_multiple_of(LANES) && at < K);
    // SAFETY: the digits from a multiple of eight on, the last one excepted where K is less.
    unsafe { _mm512_maskz_loadu_epi64(used::<K>(), digits.as_ptr().add(at).cast()) }
}

/// Writes what [`load`] reads.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn store<const K: usize>(digits: &mut [u64; K], at: usize, vector: __m512i) {
    debug_assert!(at.is_multiple_of(LANES) && at < K);
    // SAFETY: as for `load`.
    unsafe { _mm512_mask_storeu_epi64(digits.as_mut_ptr().add(at).cast(), used::<K>(), vector) }
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

/// A row of digits on their way: two limbs each.
struct Row<const K: usize>([[u64; K]; 2]);

impl<const K: usize> Row<K> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn load(&self, at: usize) -> [__m512i; 2] {
        [load(&self.0[0], at), load(&self.0[1], at)]
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn store(&mut self, at: usize, vectors: [__m512i; 2]) {
        store(&mut self.0[0], at, vectors[0]);
        store(&mut self.0[1], at, vectors[1]);
    }
}

#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn multiply<const K: usize>(
    constants: &Constants,
    Digits(x): &Digits<K>,
    Digits(y): &Digits<K>,
) -> Digits<K> {
    let c = Broadcast::new(constants);
    let mut rests = Row([[0; K]; 2]);
    let mut quotients = Row([[0; K]; 2]);
    let operands = Operands::new(&c, constants, x, y);
    if K <= LANES {
        let (rest, quotient) = c.divide(operands.sums_of_few());
        rests.store(0, rest);
        quotients.store(0, quotient);
    } else {
        for at in (0..K).step_by(2 * LANES) {
            let sums = operands.two_sums(at);
            for (at, sums) in [at, at + LANES].into_iter().zip(sums) {
                let (rest, quotient) = c.divide(sums);
                rests.store(at, rest);
                quotients.store(at, quotient);
            }
        }
    }

    // Digit i gets quotient i − 1; digit 0 the last one with a minus, as r^K = −1.
    let zero = _mm512_setzero_si512();
    let mut carries = [0; K];
    let mut digits = [0; K];
    let mut before = quotients.load(last::<K>());
    for at in (0..K).step_by(LANES) {
        let quotient = quotients.load(at);
        let mut rest = rests.load(at);
        for limb in 0..2 {
            let moved = moved_up::<K>(quotient[limb], before[limb]);
            let sign = u8::from(at == 0);
            let signed = _mm512_mask_sub_epi64(moved, sign, zero, moved);
            rest[limb] = _mm512_add_epi64(rest[limb], signed);
        }
        before = quotient;
        let (carry, digit) = c.reduce(rest);
        store(&mut carries, at, carry);
        store(&mut digits, at, digit);
    }

    // Digit 0 gets r less the last carry, and digit 1 one less for it: nothing is negative, as all
    // carries are about 2^22.
    let mut out = Digits([0; K]);
    let mut before = load(&carries, last::<K>());
    let mut carry_in = 0;
    for at in (0..K).step_by(LANES) {
        let carry = load(&carries, at);
        let mut moved = moved_up::<K>(carry, before);
        before = carry;
        if at == 0 {
            moved = _mm512_mask_sub_epi64(moved, 1, c.radix, moved);
            moved = _mm512_mask_sub_epi64(moved, 2, moved, all(1));
        }
        let digit;
        (carry_in, digit) = c.carry::<K>(load(&digits, at), moved, carry_in);
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

/// Where the last vector of digits begins.
const fn last<const K: usize>() -> usize {
    K.saturating_sub(LANES)
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
struct Operands<const K: usize> {
    /// The digits of x in two parts, cut at [`CUT`].
    x: Row<K>,
    /// `z_0 … z_(K−1), y_0 … y_(K−1)`.
    row: [[u64; K]; 2],
    /// Their bits from 52 on.
    upper: [[u64; K]; 2],
    /// What sums begin with, at weights 0 and 52: a representation of zero, less what windows are too
    /// much.
    start: Row<K>,
}

impl<const K: usize> Operands<K> {
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn new(c: &Broadcast, constants: &Constants, x: &[u64; K], y: &[u64; K]) -> Self {
        let mut operands = Self {
            x: Row([[0; K]; 2]),
            row: [[0; K]; 2],
            upper: [[0; K]; 2],
            start: Row([[0; K]; 2]),
        };
        // ZERO·(r + 1) at digit 0, ZERO·(r − 1) at the others.
        let digits_sum: u128 = x.iter().map(|&digit| u128::from(digit)).sum();
        let lowest = digits_sum + 2 * u128::from(ZERO);
        let lowest = [lowest as u64 & MASK, (lowest >> LIMB) as u64];
        for at in (0..K).step_by(LANES) {
            let x = load(x, at);
            let parts = [
                _mm512_and_si512(x, all((1 << CUT) - 1)),
                _mm512_srli_epi64::<CUT>(x),
            ];
            operands.x.store(at, parts);
            let limbs = [_mm512_and_si512(x, c.mask), _mm512_srli_epi64::<LIMB>(x)];
            let start = [0, 1].map(|limb| {
                let start = _mm512_sub_epi64(all(constants.zero[limb]), limbs[limb]);
                let first = u8::from(at == 0);
                _mm512_mask_add_epi64(start, first, start, all(lowest[limb]))
            });
            operands.start.store(at, start);
            let y = load(y, at);
            let z = _mm512_sub_epi64(c.greatest, y);
            store(&mut operands.row[0], at, z);
            store(&mut operands.row[1], at, y);
            store(&mut operands.upper[0], at, _mm512_srli_epi64::<LIMB>(z));
            store(&mut operands.upper[1], at, _mm512_srli_epi64::<LIMB>(y));
        }
        operands
    }

    /// What the sums from digit `at` on begin with.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn start(&self, at: usize) -> Sums {
        let [at0, at52] = self.start.load(at);
        let zero = _mm512_setzero_si512();
        Sums {
            at0,
            at52: [at52, zero],
            at40: zero,
            at92: [zero; 2],
        }
    }

    /// The sums of up to eight digits: windows are made in registers.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn sums_of_few(&self) -> Sums {
        // Broadcast from memory: taken out of registers they would keep the port of permutations
        // busy, which compilers overlook.
        let [x0, x1] = black_box(&self.x.0);
        let mut sums = self.start(0);
        let (z, y) = (load(&self.row[0], 0), load(&self.row[1], 0));
        // The window for x_j begins j digits below y_0.
        macro_rules! windows {
            ($y:expr, $z:expr; $($j:literal from $from:literal)*) => {{$(
                let window = _mm512_alignr_epi64::<$from>($y, $z);
                let upper = _mm512_srli_epi64::<LIMB>(window);
                sums.add([all(x0[$j]), all(x1[$j])], [window, upper]);
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
                sums.add([all(x0[0]), all(x1[0])], [y, _mm512_srli_epi64::<LIMB>(y)]);
                windows!(y, z; 1 from 7 2 from 6 3 from 5 4 from 4 5 from 3 6 from 2 7 from 1);
            }
        }
        sums
    }

    /// The sums of sixteen digits from number `at` on.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn two_sums(&self, at: usize) -> [Sums; 2] {
        let (mut first, mut second) = (self.start(at), self.start(at + LANES));
        let windows = [self.row.as_flattened(), self.upper.as_flattened()];
        let window = |from: usize| {
            debug_assert!(from + LANES <= 2 * K);
            // SAFETY: x_j with j < K takes the digits from K + at − j > 0 on, and at ≤ K − 8.
            windows.map(|row| unsafe { _mm512_loadu_si512(row.as_ptr().add(from).cast()) })
        };
        let [x0, x1] = &self.x.0;
        // What x_(j + 8) multiplies for the second sums is what x_j does for the first.
        for group in (0..K).step_by(2 * LANES) {
            for j in group..group + LANES {
                let from = K + at - j;
                let middle = window(from);
                let factor = [all(x0[j]), all(x1[j])];
                first.add(factor, middle);
                second.add(factor, window(from + LANES));
                let factor = [all(x0[j + LANES]), all(x1[j + LANES])];
                second.add(factor, middle);
                first.add(factor, window(from - LANES));
            }
        }
        [first, second]
    }
}

impl Broadcast {
    /// Rests and quotients by r, in limbs. Rests are from 2^21·r to 2^23·r, the lower limb below 2^61.
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

    /// Quotients and rests by r of positive numbers below 2^24·r in limbs of any sign; the rests are
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
        // Modulo 2^64: the rest is below r·(1 + 2^-19), perhaps above 2^64. The fraction tells its
        // half.
        let rest = _mm512_add_epi64(t0, _mm512_slli_epi64::<LIMB>(t1));
        let less = _mm512_sub_epi64(rest, self.radix);
        let upper = _mm512_cmp_pd_mask::<_CMP_GT_OQ>(fraction, _mm512_set1_pd(0.5));
        let reaches = _mm512_mask_cmpge_epi64_mask(upper, less, _mm512_setzero_si512());
        (
            _mm512_mask_add_epi64(quotient, reaches, quotient, all(1)),
            _mm512_mask_mov_epi64(rest, reaches, less),
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
