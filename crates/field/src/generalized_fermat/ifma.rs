//! Eight products at a time by AVX-512 IFMA: a lane for each element.
//!
//! A digit is cut into 52 and 12 bits, so that a product of two digits takes seven multiply-adds into
//! the limbs of a sum in base 2^52. Sums are divided by r in steps: a quotient is estimated in
//! floating point, and subtracted exactly. What carries of more than a digit remain afterwards is
//! found by comparing, and left to the caller: for random elements and r near 2^60 that hardly ever happens.
//!
//! **Floor.** 7·K² multiply-adds for eight products, two a cycle: 28 cycles a product for K = 8.

use std::arch::x86_64::*;

use super::digits::Digits;
use crate::lanes::Kernel;
use crate::lanes::simd::Avx512;
use crate::lanes::transpose::Transpose;

/// Elements of a block.
pub(super) const LANES: usize = 8;
/// The kernel is for radices from here on: estimates and carries are small beside them.
pub(super) const LEAST_RADIX: u64 = 1 << 40;

const LIMB: u32 = 52;
const MASK: u64 = (1 << LIMB) - 1;
/// What makes the lower limb of a quotient positive.
const BIAS: u64 = 1 << (LIMB - 1);

/// What the kernel needs of r.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constants {
    radix: u64,
    /// 1/r.
    inverse: f64,
    /// `r·`[`BIAS`] in limbs.
    bias: [u64; 3],
}

/// Whether this processor runs the kernel.
pub(super) fn is_available() -> bool {
    Kernel::Avx512.is_available()
}

impl Constants {
    /// Those of `r ≥ `[`LEAST_RADIX`].
    pub(super) fn new(radix: u64) -> Self {
        let bias = u128::from(radix) * u128::from(BIAS);
        let limb = |index: u32| (bias >> (index * LIMB)) as u64 & MASK;
        Self {
            radix,
            inverse: 1.0 / radix as f64,
            bias: [0, 1, 2].map(limb),
        }
    }
}

/// `2^52` as a factor of doubles.
const SCALE: f64 = (1u64 << LIMB) as f64;

/// Vectors of one constant each.
#[derive(Clone, Copy)]
struct Broadcast {
    mask: __m512i,
    scale: __m512d,
    radix: __m512i,
    /// r in limbs.
    limbs: [__m512i; 2],
    inverse: __m512d,
    /// 1/(r·2^52).
    inverse_of_upper: __m512d,
    bias: [__m512i; 3],
}

impl Broadcast {
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn new(constants: &Constants) -> Self {
        let all = |word: u64| _mm512_set1_epi64(word as i64);
        let [b0, b1, b2] = constants.bias;
        Self {
            mask: all(MASK),
            scale: _mm512_set1_pd(SCALE),
            radix: all(constants.radix),
            limbs: [all(constants.radix & MASK), all(constants.radix >> LIMB)],
            inverse: _mm512_set1_pd(constants.inverse),
            inverse_of_upper: _mm512_set1_pd(constants.inverse / SCALE),
            bias: [all(b0), all(b1), all(b2)],
        }
    }
}

/// `x[l] ← x[l]·y[l]` for the lanes l that are not in the mask returned, whose elements are left as
/// they were: their carries go further than the kernel follows.
///
/// # Panics
/// Unless both have [`LANES`] elements.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn multiply<const K: usize>(
    constants: &Constants,
    x: &mut [Digits<K>],
    y: &[Digits<K>],
) -> u8 {
    assert!(x.len() == LANES && y.len() == LANES, "a block of elements");
    let c = Broadcast::new(constants);
    let (a, b) = (cut(x), cut(y));
    let zero = _mm512_setzero_si512();
    // Digits of y from the last to the first, and below them r less those: −y_j is r − y_j, less r.
    let mut signed = [[[zero; 2]; K]; 2];
    for j in 0..K {
        signed[0][K - 1 - j] = b[j];
        signed[1][K - 1 - j] = complement(&c, b[j]);
    }
    let signed = signed.as_flattened();
    // Digit i is rest i of the sums by r, quotient i − 1, and what the complements were too much: r
    // times the digits of x above i − 1. As r^K = −1, digit 0 gets the last quotient with a minus.
    let mut rests = [[zero; 2]; K];
    let mut quotients = [[zero; 2]; K];
    let mut left = 0;
    for i in (0..K).step_by(2) {
        let sums = two_sums(&a, &signed[K - 2 - i..2 * K - 1 - i]);
        for (at, sum) in [i, i + 1].into_iter().zip(sums) {
            let outside;
            (outside, quotients[at], rests[at]) = divide(&c, sum);
            left |= outside;
        }
    }
    rests[0] = minus(rests[0], quotients[K - 1]);
    let mut excess = [zero; 2];
    for i in (1..K).rev() {
        excess = plus(excess, a[i]);
        rests[i] = minus(plus(rests[i], quotients[i - 1]), excess);
    }
    let mut digits = [zero; K];
    let mut carries = [zero; K];
    for i in 0..K {
        (carries[i], digits[i]) = reduce(&c, rests[i]);
    }
    for i in 0..K {
        let carry = if i == 0 {
            _mm512_sub_epi64(zero, carries[K - 1])
        } else {
            carries[i - 1]
        };
        let outside;
        (outside, digits[i]) = add_carry(&c, digits[i], carry);
        left |= outside;
    }
    put(x, &digits, !left);
    left
}

/// The limbs of digit j of all elements.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn cut<const K: usize>(elements: &[Digits<K>]) -> [[__m512i; 2]; K] {
    let mask = _mm512_set1_epi64(MASK as i64);
    let limbs = |digits: __m512i| {
        let high = _mm512_srli_epi64::<LIMB>(digits);
        [_mm512_and_si512(digits, mask), high]
    };
    let mut cut = [[_mm512_setzero_si512(); 2]; K];
    if K < LANES {
        let stride = lanes::<K>();
        for (j, cut) in cut.iter_mut().enumerate() {
            let from = elements.as_ptr().cast::<i64>().wrapping_add(j);
            // SAFETY: digit j of eight elements, K words apart.
            *cut = limbs(unsafe { _mm512_i64gather_epi64::<8>(stride, from) });
        }
        return cut;
    }
    for (block, cut) in cut.chunks_exact_mut(LANES).enumerate() {
        let from = elements.as_ptr().cast::<u64>().wrapping_add(block * LANES);
        // SAFETY: eight digits of eight elements, K words apart; the instructions are there.
        let mut rows = unsafe { Avx512::load_block64(from.cast(), size_of::<Digits<K>>()) };
        // SAFETY: the instructions are there.
        unsafe { Avx512::transpose64(&mut rows) };
        for (cut, row) in cut.iter_mut().zip(rows) {
            *cut = limbs(row);
        }
    }
    cut
}

/// Writes the elements of the lanes in `mask`.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn put<const K: usize>(elements: &mut [Digits<K>], digits: &[__m512i; K], mask: u8) {
    let (blocks, rest) = digits.as_chunks::<LANES>();
    for (block, digits) in blocks.iter().enumerate() {
        let mut rows = *digits;
        // SAFETY: the instructions are there.
        unsafe { Avx512::transpose64(&mut rows) };
        for (lane, row) in rows.into_iter().enumerate() {
            if mask >> lane & 1 == 1 {
                let to = elements[lane].0[block * LANES..][..LANES].as_mut_ptr();
                // SAFETY: eight digits.
                unsafe { _mm512_storeu_si512(to.cast(), row) };
            }
        }
    }
    let stride = lanes::<K>();
    for (j, &digits) in rest.iter().enumerate() {
        let to = elements.as_mut_ptr().cast::<i64>().wrapping_add(j);
        // SAFETY: digit j of eight elements, K < 8 words apart.
        unsafe { _mm512_mask_i64scatter_epi64::<8>(to, mask, stride, digits) };
    }
}

/// Where the elements of a block begin, in words.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn lanes<const K: usize>() -> __m512i {
    let k = K as i64;
    _mm512_set_epi64(7 * k, 6 * k, 5 * k, 4 * k, 3 * k, 2 * k, k, 0)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn plus(a: [__m512i; 2], b: [__m512i; 2]) -> [__m512i; 2] {
    [_mm512_add_epi64(a[0], b[0]), _mm512_add_epi64(a[1], b[1])]
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn minus(a: [__m512i; 2], b: [__m512i; 2]) -> [__m512i; 2] {
    [_mm512_sub_epi64(a[0], b[0]), _mm512_sub_epi64(a[1], b[1])]
}

/// `r − digit` in limbs, for digits up to r.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn complement(c: &Broadcast, digit: [__m512i; 2]) -> [__m512i; 2] {
    let [low, high] = minus(c.limbs, digit);
    let borrow = _mm512_srai_epi64::<LIMB>(low);
    [
        _mm512_and_si512(low, c.mask),
        _mm512_add_epi64(high, borrow),
    ]
}

/// The sums of products of K digits with those of `b` from number 1 and from number 0 on; limbs below
/// 2^62.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn two_sums<const K: usize>(a: &[[__m512i; 2]; K], b: &[[__m512i; 2]]) -> [[__m512i; 3]; 2] {
    // Two at a time: a multiply-add waits four cycles for the one before it in its sum, and the
    // operands are loaded once.
    let (mut first, mut second) = (Sum::zero(), Sum::zero());
    let mut before = b[0];
    for (&a, &b) in a.iter().zip(&b[1..]) {
        first = first.add_product(a, b);
        second = second.add_product(a, before);
        before = b;
    }
    [first.limbs(), second.limbs()]
}

/// A sum of products by the places of their seven parts.
#[derive(Clone, Copy)]
struct Sum {
    s0: __m512i,
    s1: [__m512i; 3],
    s2: [__m512i; 3],
}

impl Sum {
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn zero() -> Self {
        let zero = _mm512_setzero_si512();
        Self {
            s0: zero,
            s1: [zero; 3],
            s2: [zero; 3],
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn add_product(self, [a0, a1]: [__m512i; 2], [b0, b1]: [__m512i; 2]) -> Self {
        Self {
            s0: _mm512_madd52lo_epu64(self.s0, a0, b0),
            s1: [
                _mm512_madd52hi_epu64(self.s1[0], a0, b0),
                _mm512_madd52lo_epu64(self.s1[1], a0, b1),
                _mm512_madd52lo_epu64(self.s1[2], a1, b0),
            ],
            s2: [
                _mm512_madd52hi_epu64(self.s2[0], a0, b1),
                _mm512_madd52hi_epu64(self.s2[1], a1, b0),
                _mm512_madd52lo_epu64(self.s2[2], a1, b1),
            ],
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn limbs(self) -> [__m512i; 3] {
        let three = |[a, b, c]: [__m512i; 3]| _mm512_add_epi64(_mm512_add_epi64(a, b), c);
        [self.s0, three(self.s1), three(self.s2)]
    }
}

/// Quotient and rest by r of `Σ s_i·2^(52i)` ≥ 0, limbs below 2^62: the quotient in two limbs, the
/// lower of at most 2^51 in absolute value; the rest in two signed limbs, a few hundred r at most.
/// First come the lanes in which the quotient is not as said.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn divide(c: &Broadcast, [s0, s1, s2]: [__m512i; 3]) -> (u8, [__m512i; 2], [__m512i; 2]) {
    let zero = _mm512_setzero_si512();
    let [r0, r1] = c.limbs;
    let less = |a: __m512i, b: __m512i| _mm512_sub_epi64(a, b);
    // The upper limb, at most K·r/2^52 < 2^20, is rounded: the rest is little more than r·2^51 in
    // absolute value. Doubles hold limbs to 2^-53 of them, which is to less than r·2^-30 here.
    let f0 = _mm512_cvtepi64_pd(s0);
    let upper = _mm512_mul_pd(float(c, (f0, s1, s2)), c.inverse_of_upper);
    let upper = _mm512_cvtpd_epi64(upper);
    let p1 = _mm512_madd52lo_epu64(zero, upper, r0);
    let p2 = _mm512_madd52hi_epu64(_mm512_madd52lo_epu64(zero, upper, r1), upper, r0);
    let (s1, s2) = (less(s1, p1), less(s2, p2));

    // The lower limb: off by 2^8·2^52/r, as s1 may be 2^61, but no more than a few hundred, for where r
    // is short the limbs are, too.
    let lower = _mm512_cvtpd_epi64(_mm512_mul_pd(float(c, (f0, s1, s2)), c.inverse));
    let raised = _mm512_add_epi64(lower, _mm512_set1_epi64(BIAS as i64));
    let outside = _mm512_test_epi64_mask(raised, _mm512_set1_epi64(!MASK as i64));
    let p0 = _mm512_madd52lo_epu64(zero, raised, r0);
    let p1 = _mm512_madd52hi_epu64(_mm512_madd52lo_epu64(zero, raised, r1), raised, r0);
    let p2 = _mm512_madd52hi_epu64(zero, raised, r1);
    let rest0 = less(_mm512_add_epi64(s0, c.bias[0]), p0);
    let rest1 = less(_mm512_add_epi64(s1, c.bias[1]), p1);
    let rest2 = less(_mm512_add_epi64(s2, c.bias[2]), p2);
    // What is left is small, so nothing is lost where the upper limbs become one.
    let rest1 = _mm512_add_epi64(rest1, _mm512_slli_epi64::<LIMB>(rest2));
    (outside, [lower, upper], [rest0, rest1])
}

/// A number in limbs, of which the lowest is a double already, as a double.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn float(c: &Broadcast, (f0, s1, s2): (__m512d, __m512i, __m512i)) -> __m512d {
    let upper = _mm512_fmadd_pd(_mm512_cvtepi64_pd(s2), c.scale, _mm512_cvtepi64_pd(s1));
    _mm512_fmadd_pd(upper, c.scale, f0)
}

/// Quotient and rest of a number of at most 2^10·r in absolute value: the rest in [0, r), one word.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn reduce(c: &Broadcast, [t0, t1]: [__m512i; 2]) -> (__m512i, __m512i) {
    let zero = _mm512_setzero_si512();
    let [r0, r1] = c.limbs;
    let settled = |d0: __m512i, d1: __m512i| {
        let upper = _mm512_add_epi64(d1, _mm512_srai_epi64::<LIMB>(d0));
        [_mm512_and_si512(d0, c.mask), upper]
    };
    let value = _mm512_fmadd_pd(_mm512_cvtepi64_pd(t1), c.scale, _mm512_cvtepi64_pd(t0));
    // Lowered by more than its error, so that it is right or one too low.
    let estimate = _mm512_fmsub_pd(value, c.inverse, _mm512_set1_pd(1.0 / 1024.0));
    const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
    let quotient = _mm512_cvt_roundpd_epi64::<DOWN>(estimate);
    let rest0 = _mm512_sub_epi64(t0, _mm512_mullo_epi64(quotient, r0));
    // Both fit 32 bits.
    let rest1 = _mm512_sub_epi64(t1, _mm512_mul_epi32(quotient, r1));
    let rest = settled(rest0, rest1);
    let less = settled(_mm512_sub_epi64(rest[0], r0), _mm512_sub_epi64(rest[1], r1));
    let reaches = _mm512_cmpge_epi64_mask(less[1], zero);
    let choose = |limb: usize| _mm512_mask_mov_epi64(rest[limb], reaches, less[limb]);
    let one = _mm512_set1_epi64(1);
    let quotient = _mm512_mask_add_epi64(quotient, reaches, quotient, one);
    let digit = _mm512_or_si512(choose(0), _mm512_slli_epi64::<LIMB>(choose(1)));
    (quotient, digit)
}

/// `digit + carry`, and the lanes in which that is not in [0, r).
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn add_carry(c: &Broadcast, digit: __m512i, carry: __m512i) -> (u8, __m512i) {
    let zero = _mm512_setzero_si512();
    let negative = _mm512_cmplt_epi64_mask(carry, zero);
    // A negative carry must not exceed the digit; a positive one not reach r with it.
    let borrowed = _mm512_sub_epi64(zero, carry);
    let under = _mm512_mask_cmplt_epu64_mask(negative, digit, borrowed);
    let room = _mm512_sub_epi64(c.radix, carry);
    let over = _mm512_mask_cmpge_epu64_mask(!negative, digit, room);
    (under | over, _mm512_add_epi64(digit, carry))
}
