//! Arithmetic on little-endian vectors of 64-bit limbs, with carries in and out.
//!
//! These are the linear-time pieces of every product. None of them panics: a function of two or three
//! slices works on as many limbs as the shortest of them has, unless it says otherwise.

use std::cmp::Ordering;

use crate::carry;

/// `out = a + b` limb by limb; returns the carry (0 or 1).
///
/// ```
/// let mut out = [0; 2];
/// assert_eq!(sunzi_rns::limbs::add_n(&mut out, &[u64::MAX, 1], &[1, 2]), 0);
/// assert_eq!(out, [0, 4]);
/// ```
#[inline]
pub fn add_n(out: &mut [u64], a: &[u64], b: &[u64]) -> u64 {
    let n = out.len().min(a.len()).min(b.len());
    // SAFETY: n limbs of each slice.
    u64::from(unsafe { carry::add(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), n) })
}

/// `out = a − b` limb by limb; returns the borrow (0 or 1).
///
/// ```
/// let mut out = [0; 2];
/// assert_eq!(sunzi_rns::limbs::sub_n(&mut out, &[0, 4], &[1, 2]), 0);
/// assert_eq!(out, [u64::MAX, 1]);
/// ```
#[inline]
pub fn sub_n(out: &mut [u64], a: &[u64], b: &[u64]) -> u64 {
    let n = out.len().min(a.len()).min(b.len());
    // SAFETY: n limbs of each slice.
    u64::from(unsafe { carry::sub(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), n) })
}

/// `a += b` where `b` is no longer than `a`; returns the carry out of `a` (0 or 1).
/// Limbs of `b` beyond the length of `a` are ignored.
///
/// ```
/// let mut a = [u64::MAX, u64::MAX, 7];
/// assert_eq!(sunzi_rns::limbs::add_assign(&mut a, &[1]), 0);
/// assert_eq!(a, [0, 0, 8]);
/// ```
#[inline]
pub fn add_assign(a: &mut [u64], b: &[u64]) -> u64 {
    let common = a.len().min(b.len());
    let (low, high) = a.split_at_mut(common);
    // SAFETY: `common` limbs of both slices.
    let carry = unsafe { carry::add(low.as_mut_ptr(), low.as_ptr(), b.as_ptr(), common) };
    add_1(high, u64::from(carry))
}

/// `a + b` as a new vector, of operands of any lengths, as long as the longer one or a limb longer.
///
/// ```
/// assert_eq!(sunzi_rns::limbs::sum(&[1], &[u64::MAX, u64::MAX]), [0, 0, 1]);
/// ```
#[inline]
pub fn sum(a: &[u64], b: &[u64]) -> Vec<u64> {
    let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
    let n = short.len();
    let mut out = Vec::with_capacity(long.len() + 1);
    // SAFETY: n limbs of both operands, and room for as many, all of which are written before they count.
    let carry = unsafe {
        let carry = carry::add(out.as_mut_ptr(), long.as_ptr(), short.as_ptr(), n);
        out.set_len(n);
        carry
    };
    out.extend_from_slice(&long[n..]);
    let carry = add_1(&mut out[n..], u64::from(carry));
    if carry != 0 {
        out.push(carry);
    }
    out
}

/// `a − b` as a new vector, as long as `a`, and the borrow; limbs of `b` beyond the length of `a` are ignored.
///
/// ```
/// assert_eq!(sunzi_rns::limbs::difference(&[0, 4], &[1]), (vec![u64::MAX, 3], 0));
/// ```
#[inline]
pub fn difference(a: &[u64], b: &[u64]) -> (Vec<u64>, u64) {
    let n = a.len().min(b.len());
    let mut out = Vec::with_capacity(a.len());
    // SAFETY: n limbs of both operands, and room for as many, all of which are written before they count.
    let borrow = unsafe {
        let borrow = carry::sub(out.as_mut_ptr(), a.as_ptr(), b.as_ptr(), n);
        out.set_len(n);
        borrow
    };
    out.extend_from_slice(&a[n..]);
    let borrow = sub_1(&mut out[n..], u64::from(borrow));
    (out, borrow)
}

/// `a −= b` where `b` is no longer than `a`; returns the borrow out of `a` (0 or 1).
/// Limbs of `b` beyond the length of `a` are ignored.
///
/// ```
/// let mut a = [0, 0, 8];
/// assert_eq!(sunzi_rns::limbs::sub_assign(&mut a, &[1]), 0);
/// assert_eq!(a, [u64::MAX, u64::MAX, 7]);
/// ```
#[inline]
pub fn sub_assign(a: &mut [u64], b: &[u64]) -> u64 {
    let common = a.len().min(b.len());
    let (low, high) = a.split_at_mut(common);
    // SAFETY: `common` limbs of both slices.
    let borrow = unsafe { carry::sub(low.as_mut_ptr(), low.as_ptr(), b.as_ptr(), common) };
    sub_1(high, u64::from(borrow))
}

/// `a = b − a` limb by limb; returns the borrow (0 or 1).
///
/// ```
/// let mut a = [1, 2];
/// assert_eq!(sunzi_rns::limbs::sub_from(&mut a, &[0, 4]), 0);
/// assert_eq!(a, [u64::MAX, 1]);
/// ```
#[inline]
pub fn sub_from(a: &mut [u64], b: &[u64]) -> u64 {
    let n = a.len().min(b.len());
    // SAFETY: n limbs of both slices.
    u64::from(unsafe { carry::sub(a.as_mut_ptr(), b.as_ptr(), a.as_ptr(), n) })
}

/// `a += word`; returns the carry out of `a` (the word itself when `a` is empty).
///
/// ```
/// let mut a = [u64::MAX, 1];
/// assert_eq!(sunzi_rns::limbs::add_1(&mut a, 3), 0);
/// assert_eq!(a, [2, 2]);
/// ```
#[inline]
pub fn add_1(a: &mut [u64], word: u64) -> u64 {
    let mut carry = word;
    for x in a {
        if carry == 0 {
            return 0;
        }
        let (sum, overflow) = x.overflowing_add(carry);
        *x = sum;
        carry = u64::from(overflow);
    }
    carry
}

/// `a −= word`; returns the borrow out of `a` (the word itself when `a` is empty).
///
/// ```
/// let mut a = [2, 2];
/// assert_eq!(sunzi_rns::limbs::sub_1(&mut a, 3), 0);
/// assert_eq!(a, [u64::MAX, 1]);
/// ```
#[inline]
pub fn sub_1(a: &mut [u64], word: u64) -> u64 {
    let mut borrow = word;
    for x in a {
        if borrow == 0 {
            return 0;
        }
        let (difference, underflow) = x.overflowing_sub(borrow);
        *x = difference;
        borrow = u64::from(underflow);
    }
    borrow
}

/// `out = a · word`; returns the high limb.
///
/// ```
/// let mut out = [0; 1];
/// assert_eq!(sunzi_rns::limbs::mul_1(&mut out, &[1 << 63], 6), 3);
/// assert_eq!(out, [0]);
/// ```
#[inline]
pub fn mul_1(out: &mut [u64], a: &[u64], word: u64) -> u64 {
    let mut carry = 0u128;
    for (o, &x) in out.iter_mut().zip(a) {
        let t = u128::from(x) * u128::from(word) + carry;
        *o = t as u64;
        carry = t >> 64;
    }
    carry as u64
}

/// `out += a · word`; returns the high limb.
///
/// ```
/// let mut out = [5];
/// assert_eq!(sunzi_rns::limbs::addmul_1(&mut out, &[u64::MAX], u64::MAX), u64::MAX - 1);
/// assert_eq!(out, [6]);
/// ```
#[inline]
pub fn addmul_1(out: &mut [u64], a: &[u64], word: u64) -> u64 {
    let n = out.len().min(a.len());
    // SAFETY: n limbs of both slices.
    let (done, carry) = unsafe { carry::add_multiple(out.as_mut_ptr(), a.as_ptr(), word, n) };
    let mut carry = u128::from(carry);
    for (o, &x) in out[done..].iter_mut().zip(&a[done..]) {
        let t = u128::from(x) * u128::from(word) + u128::from(*o) + carry;
        *o = t as u64;
        carry = t >> 64;
    }
    carry as u64
}

/// `out −= a · word`; returns the limb that is still to be subtracted above.
///
/// ```
/// let mut out = [6];
/// assert_eq!(sunzi_rns::limbs::submul_1(&mut out, &[u64::MAX], u64::MAX), u64::MAX - 1);
/// assert_eq!(out, [5]);
/// ```
#[inline]
pub fn submul_1(out: &mut [u64], a: &[u64], word: u64) -> u64 {
    let n = out.len().min(a.len());
    // SAFETY: n limbs of both slices.
    let (done, mut borrow) = unsafe { carry::sub_multiple(out.as_mut_ptr(), a.as_ptr(), word, n) };
    for (o, &x) in out[done..].iter_mut().zip(&a[done..]) {
        let t = u128::from(x) * u128::from(word) + u128::from(borrow);
        let (difference, underflow) = o.overflowing_sub(t as u64);
        *o = difference;
        borrow = (t >> 64) as u64 + u64::from(underflow);
    }
    borrow
}

/// `out = a << bits` for `bits < 64` (taken modulo 64), as many limbs as the shorter slice has; returns the bits that left at the top.
///
/// ```
/// let mut out = [0; 2];
/// assert_eq!(sunzi_rns::limbs::shl(&mut out, &[1 << 63, 1 << 63], 1), 1);
/// assert_eq!(out, [0, 1]);
/// ```
#[inline]
pub fn shl(out: &mut [u64], a: &[u64], bits: u32) -> u64 {
    let bits = bits % 64;
    // What the limb below sends up: no shift by 64 bits, which is none.
    let over = |below: u64| below >> 1 >> (63 - bits);
    let n = out.len().min(a.len());
    let (out, a) = (&mut out[..n], &a[..n]);
    let (Some(first), Some(&lowest), Some(&highest)) = (out.first_mut(), a.first(), a.last())
    else {
        return 0;
    };
    *first = lowest << bits;
    for ((o, &x), &below) in out[1..].iter_mut().zip(&a[1..]).zip(a) {
        *o = x << bits | over(below);
    }
    over(highest)
}

/// `a <<= bits` for `bits < 64` (taken modulo 64); returns the bits that left at the top.
///
/// ```
/// let mut a = [1 << 63, 1];
/// assert_eq!(sunzi_rns::limbs::shl_assign(&mut a, 1), 0);
/// assert_eq!(a, [0, 3]);
/// ```
#[inline]
pub fn shl_assign(a: &mut [u64], bits: u32) -> u64 {
    let bits = bits % 64;
    let mut below = 0;
    for x in a {
        let limb = *x;
        *x = limb << bits | below >> 1 >> (63 - bits);
        below = limb;
    }
    below >> 1 >> (63 - bits)
}

/// `a >>= bits` for `bits < 64` (taken modulo 64); returns the bits that left at the bottom,
/// in the top bits of a limb.
///
/// ```
/// let mut a = [1, 3];
/// assert_eq!(sunzi_rns::limbs::shr_assign(&mut a, 1), 1 << 63);
/// assert_eq!(a, [1 << 63, 1]);
/// ```
#[inline]
pub fn shr_assign(a: &mut [u64], bits: u32) -> u64 {
    let bits = bits % 64;
    let mut above = 0;
    for x in a.iter_mut().rev() {
        let limb = *x;
        *x = limb >> bits | above << 1 << (63 - bits);
        above = limb;
    }
    above << 1 << (63 - bits)
}

/// `a /= 3` for a value that is a multiple of 3; from the lowest limb up, by the inverse of 3 modulo 2^64
/// (T. Jebelean, "An algorithm for exact division", 1993). Any other value gives a wrong quotient.
///
/// ```
/// let mut a = [3, 6];
/// sunzi_rns::limbs::div_exact_3(&mut a);
/// assert_eq!(a, [1, 2]);
/// ```
#[inline]
pub fn div_exact_3(a: &mut [u64]) {
    const INVERSE: u64 = 0xAAAA_AAAA_AAAA_AAAB;
    const THIRD: u64 = u64::MAX / 3;
    let mut borrow = 0;
    for x in a {
        let (difference, underflow) = x.overflowing_sub(borrow);
        let quotient = difference.wrapping_mul(INVERSE);
        *x = quotient;
        // 3·quotient reaches into the next limb once or twice.
        borrow =
            u64::from(underflow) + u64::from(quotient > THIRD) + u64::from(quotient > 2 * THIRD);
    }
}

/// Compares two values; lengths may differ, high zero limbs do not count.
///
/// ```
/// use std::cmp::Ordering;
/// assert_eq!(sunzi_rns::limbs::cmp(&[1, 2, 0], &[2, 2]), Ordering::Less);
/// ```
#[inline]
pub fn cmp(a: &[u64], b: &[u64]) -> Ordering {
    let (a, b) = (trim(a), trim(b));
    a.len()
        .cmp(&b.len())
        .then_with(|| a.iter().rev().cmp(b.iter().rev()))
}

/// The slice without its high zero limbs.
///
/// ```
/// assert_eq!(sunzi_rns::limbs::trim(&[1, 0, 2, 0, 0]), &[1, 0, 2]);
/// ```
#[inline]
pub fn trim(a: &[u64]) -> &[u64] {
    let len = a.iter().rposition(|&x| x != 0).map_or(0, |top| top + 1);
    &a[..len]
}

/// `x := x·word + add`; the carry out of the top is returned.
///
/// ```
/// let mut x = [u64::MAX, 0];
/// assert_eq!(sunzi_rns::limbs::mul_add_word(&mut x, 2, 3), 0);
/// assert_eq!(x, [1, 2]);
/// ```
#[inline]
pub fn mul_add_word(x: &mut [u64], word: u64, add: u64) -> u64 {
    let mut carry = add;
    for limb in x {
        let product = u128::from(*limb) * u128::from(word) + u128::from(carry);
        *limb = product as u64;
        carry = (product >> 64) as u64;
    }
    carry
}

/// Removes zero limbs at the top.
///
/// ```
/// let mut x = vec![1, 0, 2, 0];
/// sunzi_rns::limbs::truncate_zeros(&mut x);
/// assert_eq!(x, [1, 0, 2]);
/// ```
#[inline]
pub fn truncate_zeros(x: &mut Vec<u64>) {
    while x.last() == Some(&0) {
        x.pop();
    }
}

/// `x := 2^(64·len) − x` modulo 2^(64·len).
///
/// ```
/// let mut x = [1, 0];
/// sunzi_rns::limbs::negate(&mut x);
/// assert_eq!(x, [u64::MAX; 2]);
/// ```
#[inline]
pub fn negate(x: &mut [u64]) {
    let mut borrow = true;
    for limb in x {
        let (value, carry) = (!*limb).overflowing_add(u64::from(borrow));
        *limb = value;
        borrow = carry;
    }
}

/// Fills `out` with the bits of x from bit `offset` upward; bits beyond x are zero.
///
/// ```
/// let mut out = [0; 2];
/// sunzi_rns::limbs::extract_bits(&mut out, &[0, 3], 65);
/// assert_eq!(out, [1, 0]);
/// ```
#[inline]
pub fn extract_bits(out: &mut [u64], x: &[u64], offset: usize) {
    let (skip, bits) = (offset / 64, offset % 64);
    let limb = |i: usize| x.get(i).copied().unwrap_or(0);
    for (i, word) in out.iter_mut().enumerate() {
        let low = limb(skip + i);
        *word = if bits == 0 {
            low
        } else {
            low >> bits | limb(skip + i + 1) << (64 - bits)
        };
    }
}

/// The `count` bits of x from bit `offset` upward, fewer than 64; bits beyond x are zero.
///
/// ```
/// assert_eq!(sunzi_rns::limbs::bits(&[1 << 63, 5], 62, 4), 0b0110);
/// ```
#[inline]
pub fn bits(x: &[u64], offset: usize, count: usize) -> u64 {
    let limb = |index: usize| x.get(index).copied().unwrap_or(0);
    let (index, shift) = (offset / 64, offset % 64);
    let pair = u128::from(limb(index)) | u128::from(limb(index + 1)) << 64;
    (pair >> shift) as u64 & ((1 << count) - 1)
}

/// Bits of a machine number: 0 for 0.
///
/// ```
/// assert_eq!([0, 1, 8].map(sunzi_rns::limbs::bit_len), [0, 1, 4]);
/// ```
#[inline]
pub const fn bit_len(number: usize) -> usize {
    (usize::BITS - number.leading_zeros()) as usize
}
