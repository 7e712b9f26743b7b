//! Between 64-bit limbs and vectors of eight 52-bit digits.
//!
//! Eight digits are 416 bits, exactly 52 bytes: digit vector `v` starts at byte 52·v of the limbs, so
//! one byte permutation and one shift by 0 or 4 bits (a digit starts in the middle of a byte every
//! second time) turn limbs into digits, and the like turns them back.

use std::arch::x86_64::*;

/// Bits of a digit.
const DIGIT_BITS: u32 = 52;
/// The largest digit.
const DIGIT_MAX: i64 = (1 << DIGIT_BITS) - 1;
/// Bytes that eight digits fill.
const VECTOR_BYTES: usize = 52;

/// How many vectors of eight digits hold `limbs` limbs.
pub(super) const fn vectors_for(limbs: usize) -> usize {
    (8 * limbs).div_ceil(VECTOR_BYTES)
}

/// For each lane of a vector, the eight bytes that its digit starts in.
const SPREAD: [u8; 64] = {
    let mut index = [0; 64];
    let mut i = 0;
    while i < 64 {
        let (lane, byte) = (i / 8, i % 8);
        index[i] = (lane * 52 / 8 + byte) as u8;
        i += 1;
    }
    index
};

/// For the 52 bytes of eight digits, where they stand after pairs of digits were joined:
/// 8 bytes in the even lane, 5 in the odd one.
const GATHER: [u8; 64] = {
    let mut index = [0; 64];
    let mut i = 0;
    while i < VECTOR_BYTES {
        index[i] = (i / 13 * 16 + i % 13) as u8;
        i += 1;
    }
    index
};

/// Digit vector `v` of the `len` limbs at `limbs`; zero beyond their end.
///
/// # Safety
/// `limbs` must be readable for `len` limbs.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512ifma,avx512vbmi")]
pub(super) unsafe fn load(limbs: *const u64, len: usize, v: usize) -> __m512i {
    let start = VECTOR_BYTES * v;
    let left = (8 * len).saturating_sub(start);
    // A masked load reads no byte beyond the mask, so the pointer may even lie past the end.
    let pointer = limbs.cast::<i8>().wrapping_add(start);
    // SAFETY: the mask covers only bytes inside the slice; the table has 64 bytes.
    let (bytes, spread) = unsafe {
        (
            if left >= 64 {
                _mm512_loadu_epi8(pointer)
            } else {
                _mm512_maskz_loadu_epi8(low_mask(left), pointer)
            },
            _mm512_loadu_epi8(SPREAD.as_ptr().cast()),
        )
    };
    let words = _mm512_permutexvar_epi8(spread, bytes);
    let half_byte = _mm512_set_epi64(4, 0, 4, 0, 4, 0, 4, 0);
    _mm512_and_si512(
        _mm512_srlv_epi64(words, half_byte),
        _mm512_set1_epi64(DIGIT_MAX),
    )
}

/// The low `bits` bits set, `bits < 64`.
#[inline]
fn low_mask(bits: usize) -> u64 {
    (1u64 << bits) - 1
}

/// Turns columns, each below 2^64, into digits and those into limbs, one vector after the other.
pub(super) struct Writer {
    /// The excess over 52 bits of the columns of the vector before.
    excess: __m512i,
    /// The carry (0 or 1) out of the last digit of the vector before.
    carry: u32,
}

impl Writer {
    /// A writer at the lowest column.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512ifma,avx512vbmi")]
    pub(super) fn new() -> Self {
        Self {
            excess: _mm512_setzero_si512(),
            carry: 0,
        }
    }

    /// Writes column vector `v` into the `len` limbs at `out`; vectors must come in ascending order.
    ///
    /// # Safety
    /// `out` must be writable for `len` limbs.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512ifma,avx512vbmi")]
    pub(super) unsafe fn push(&mut self, columns: __m512i, out: *mut u64, len: usize, v: usize) {
        let digits = self.normalize(columns);
        // Pairs: the even lane takes 12 bits of the odd digit on top of its 52, the odd lane the other 40.
        let swapped = _mm512_shuffle_epi32::<0x4E>(digits);
        let even_up = _mm512_sllv_epi64(swapped, _mm512_set_epi64(64, 52, 64, 52, 64, 52, 64, 52));
        let odd_down = _mm512_srlv_epi64(digits, _mm512_set_epi64(12, 0, 12, 0, 12, 0, 12, 0));
        let pairs = _mm512_or_si512(even_up, odd_down);
        // SAFETY: the table has 64 bytes.
        let gather = unsafe { _mm512_loadu_epi8(GATHER.as_ptr().cast()) };
        let bytes = _mm512_permutexvar_epi8(gather, pairs);
        let start = VECTOR_BYTES * v;
        let left = (8 * len).saturating_sub(start);
        let pointer = out.cast::<i8>().wrapping_add(start);
        // SAFETY: only bytes inside the slice are written; the 12 bytes beyond the 52 that count are
        // overwritten by the next vector.
        unsafe {
            if left >= 64 {
                _mm512_storeu_epi8(pointer, bytes);
            } else {
                _mm512_mask_storeu_epi8(pointer, low_mask(left), bytes);
            }
        }
    }

    /// Digits below 2^52 of a vector of columns, taking in the carries of the vector before.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512ifma,avx512vbmi")]
    fn normalize(&mut self, columns: __m512i) -> __m512i {
        let max = _mm512_set1_epi64(DIGIT_MAX);
        // First the excess of each column goes to its neighbour: at most 2^52 + 2^12 remains, ...
        let excess = _mm512_srli_epi64::<DIGIT_BITS>(columns);
        let from_below = _mm512_alignr_epi64::<7>(excess, self.excess);
        self.excess = excess;
        let digits = _mm512_add_epi64(_mm512_and_si512(columns, max), from_below);
        // ... then single carries ripple: a lane above the maximum makes one, a lane at the maximum
        // passes one on, and the addition of the two bit masks does the rippling.
        let makes = u32::from(_mm512_cmpgt_epu64_mask(digits, max));
        let passes = u32::from(_mm512_cmpeq_epi64_mask(digits, max));
        let sum = 2 * makes + self.carry + passes;
        let takes = (sum ^ passes) as u8;
        self.carry = sum >> 8;
        let minus_one = _mm512_set1_epi64(-1);
        _mm512_and_si512(_mm512_mask_sub_epi64(digits, takes, digits, minus_one), max)
    }
}
