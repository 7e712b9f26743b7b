//! Primes below 2^62 in 64-bit lanes, by 32-bit multipliers.
//!
//! A factor b with |b| < 2^63 is cut into signed halves, b = b1·2^32 + b0. For a multiplier w the
//! table holds W0 = 2^32·w and W1 = 2^64·w, balanced mod p. Then b·w ≡ (b0·W0 + b1·W1)/2^32, a sum
//! of 94 bits that *one* Montgomery step by 2^32 brings into a word: seven multiplications, where
//! Shoup's product of 64-bit words takes ten. As |W| ≤ p/2 and |b0|, |b1|, |m| ≤ 2^31, the result
//! lies within p/2 + p/2 = p, and not at ±p, as W is never p/2.
//!
//! Residues stay within 2p < 2^63. Cutting b in two rounds its high half up, which must not
//! overflow: |b| ≤ 2^63 − 2^31. For p ≤ 2^62 − 2^31 that holds, and operands are reduced by adding
//! p or −p, whatever their size. For the larger primes (`BIG`), operands of more than p/2 only are
//! reduced: then |a| ≤ 2p − 2^31 gives |a| ≤ p − 2^31, and adding a product within p gives 2p − 2^31
//! again. In the inverse transform differences are reduced before they are multiplied.

use super::Lanes;
use super::butterfly_simd::ButterflySimd;
use crate::word_modulus::{inverse_mod_2_64, inverse_power_of_two};

/// Arithmetic modulo an odd prime below 2^62 (unless `BIG`, up to 2^62 − 2^31), in 64-bit lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Signed62<S: ButterflySimd, const BIG: bool> {
    simd: S,
    prime: u64,
    p: S::Vector,
    p_low: S::Vector,
    p_high: S::Vector,
    p_inverse: S::Vector,
    /// (p − 1)/2.
    p_half: S::Vector,
    /// 2^31.
    half: S::Vector,
    /// The multiplier 2^32.
    shift: Twiddle<S::Vector>,
}

/// W0 and W1 of a multiplier, in signed halves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Twiddle<V> {
    low0: V,
    high0: V,
    low1: V,
    high1: V,
}

/// Primes above this are `BIG`.
pub(super) const MAX_SMALL_PRIME: u64 = (1 << 62) - (1 << 31);

/// x balanced mod p, its signed halves side by side: high·2^32 + low = x.
fn signed_halves(x: u64, p: u64) -> u64 {
    let balanced = if x > p / 2 { x.wrapping_sub(p) } else { x };
    let low = balanced as u32;
    let high = (balanced.wrapping_sub(low.cast_signed() as u64) >> 32) as u32;
    u64::from(high) << 32 | u64::from(low)
}

impl<S: ButterflySimd, const BIG: bool> Signed62<S, BIG> {
    /// Constants for the prime p, which is odd and below 2^62, and at most 2^62 − 2^31 unless `BIG`.
    #[inline(always)]
    pub fn new(simd: S, p: u64) -> Self {
        debug_assert!(p & 1 == 1 && p >> 62 == 0 && (BIG || p <= MAX_SMALL_PRIME));
        let halves = (p.wrapping_add(1 << 31)) >> 32;
        let w0 = ((u128::from(u64::MAX) + 1) % u128::from(p)) as u64;
        let w1 = ((u128::from(w0) << 32) % u128::from(p)) as u64;
        let (w0, w1) = (
            simd.splat64(signed_halves(w0, p)),
            simd.splat64(signed_halves(w1, p)),
        );
        Self {
            simd,
            prime: p,
            p: simd.splat64(p),
            p_low: simd.splat64(p & 0xffff_ffff),
            p_high: simd.splat64(halves),
            p_inverse: simd.splat64(inverse_mod_2_64(p) & 0xffff_ffff),
            p_half: simd.splat64(p / 2),
            half: simd.splat64(1 << 31),
            shift: Twiddle {
                low0: w0,
                high0: simd.high(w0),
                low1: w1,
                high1: simd.high(w1),
            },
        }
    }

    /// From within 2p to within p.
    #[inline(always)]
    fn reduce(self, a: S::Vector) -> S::Vector {
        if BIG {
            self.simd.balance(a, self.p_half, self.p)
        } else {
            self.simd.toward_zero(a, self.p)
        }
    }

    /// `b·w`, within p; |b| ≤ 2p.
    #[inline(always)]
    fn product(self, b: S::Vector, t: Twiddle<S::Vector>) -> S::Vector {
        let b_high = self.simd.high(self.simd.add64(b, self.half));
        let low = self.simd.add64(
            self.simd.mul_i32(b, t.low0),
            self.simd.mul_i32(b_high, t.low1),
        );
        let high = self.simd.add64(
            self.simd.mul_i32(b, t.high0),
            self.simd.mul_i32(b_high, t.high1),
        );
        let m = self.simd.mul_u32(low, self.p_inverse);
        let high = self.simd.sub64(high, self.simd.mul_i32(m, self.p_high));
        self.simd.add64(
            high,
            self.simd
                .sub_high_signed(low, self.simd.mul_i32(m, self.p_low)),
        )
    }
}

impl<S: ButterflySimd, const BIG: bool> Lanes for Signed62<S, BIG> {
    type Word = u64;
    type Vector = S::Vector;
    type Twiddle = Twiddle<S::Vector>;
    type Block = S::Block64;
    const LANES: usize = S::LANES;
    const TWIDDLE_WORDS: usize = 2;

    fn prepare(self, w: u64, entry: &mut [u64]) {
        let p = u128::from(self.prime);
        let w0 = (u128::from(w) << 32) % p;
        entry[0] = signed_halves(w0 as u64, self.prime);
        entry[1] = signed_halves(((w0 << 32) % p) as u64, self.prime);
    }

    fn mul_factor(self) -> u64 {
        inverse_power_of_two(32, self.prime)
    }

    #[inline(always)]
    unsafe fn load(self, from: *const u64) -> S::Vector {
        // SAFETY: `LANES` words are readable, as `Lanes::load` asks: a register's bytes.
        unsafe { self.simd.load_unaligned(from) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u64, v: S::Vector) {
        // SAFETY: `LANES` words are writable, as `Lanes::store` asks: a register's bytes.
        unsafe { self.simd.store_unaligned(to, v) }
    }

    #[inline(always)]
    unsafe fn splat_twiddle(self, entry: *const u64, plane: usize) -> Self::Twiddle {
        // SAFETY: the words of the entry are readable, as `Lanes::splat_twiddle` asks.
        unsafe {
            let shifted = entry.add(plane);
            Twiddle {
                low0: self.simd.splat64(*entry),
                high0: self.simd.splat_high(entry),
                low1: self.simd.splat64(*shifted),
                high1: self.simd.splat_high(shifted),
            }
        }
    }

    #[inline(always)]
    unsafe fn load_twiddle(self, entries: *const u64, plane: usize) -> Self::Twiddle {
        // SAFETY: `LANES` + 1 words of each plane are readable, as `Lanes::load_twiddle` asks.
        unsafe {
            let shifted = entries.add(plane);
            Twiddle {
                low0: self.simd.load_unaligned(entries),
                high0: self.simd.load_high(entries.cast()),
                low1: self.simd.load_unaligned(shifted),
                high1: self.simd.load_high(shifted.cast()),
            }
        }
    }

    #[inline(always)]
    unsafe fn advance_twiddles(
        self,
        from: *const u64,
        to: *mut u64,
        plane: usize,
        t: Self::Twiddle,
    ) {
        // SAFETY: `LANES` words of each plane can be read and written, as `Lanes::advance_twiddles` asks.
        unsafe {
            for offset in [0, plane] {
                let w = self
                    .simd
                    .join_halves(self.simd.load_unaligned(from.add(offset)));
                let w = self.simd.balance(self.product(w, t), self.p_half, self.p);
                self.simd
                    .store_unaligned(to.add(offset), self.simd.to_halves(w));
            }
        }
    }

    #[inline(always)]
    fn forward(self, a: S::Vector, b: S::Vector, t: Self::Twiddle) -> (S::Vector, S::Vector) {
        let product = self.product(b, t);
        let a = self.reduce(a);
        (self.simd.add64(a, product), self.simd.sub64(a, product))
    }

    #[inline(always)]
    fn inverse(self, a: S::Vector, b: S::Vector, t: Self::Twiddle) -> (S::Vector, S::Vector) {
        // Operands lie within p here.
        let sum = self.simd.toward_zero(self.simd.add64(a, b), self.p);
        let difference = self.simd.sub64(b, a);
        let difference = if BIG {
            self.simd.toward_zero(difference, self.p)
        } else {
            difference
        };
        (sum, self.product(difference, t))
    }

    #[inline(always)]
    fn scale(self, a: S::Vector, t: Self::Twiddle) -> S::Vector {
        self.product(a, t)
    }

    #[inline(always)]
    fn mul(self, a: S::Vector, b: S::Vector) -> S::Vector {
        // W0 = b and W1 = 2^32·b make b a multiplier, up to a factor; as
        // they are within p and not p/2, the result is within 1.5p at first.
        let b = self.reduce(b);
        let b_shifted = self.product(b, self.shift);
        let multiplier = Twiddle {
            low0: b,
            high0: self.simd.high(self.simd.add64(b, self.half)),
            low1: b_shifted,
            high1: self.simd.high(self.simd.add64(b_shifted, self.half)),
        };
        self.reduce(self.product(a, multiplier))
    }

    #[inline(always)]
    fn add(self, a: S::Vector, b: S::Vector) -> S::Vector {
        let (a, b) = (self.reduce(a), self.reduce(b));
        self.reduce(self.simd.add64(a, b))
    }

    #[inline(always)]
    fn sub(self, a: S::Vector, b: S::Vector) -> S::Vector {
        let (a, b) = (self.reduce(a), self.reduce(b));
        self.reduce(self.simd.sub64(a, b))
    }

    #[inline(always)]
    fn import(self, v: S::Vector) -> S::Vector {
        v
    }

    #[inline(always)]
    fn export(self, a: S::Vector, t: Self::Twiddle) -> S::Vector {
        // Products lie below p in absolute value.
        self.simd.lift_negative(self.product(a, t), self.p)
    }

    #[inline(always)]
    fn canonical(self, a: S::Vector) -> S::Vector {
        // From (−2p, 2p) to [0, 2p), to [−p, p), to [0, p).
        let r = self.simd.lift_negative(a, self.simd.add64(self.p, self.p));
        self.simd.lift_negative(self.simd.sub64(r, self.p), self.p)
    }

    #[inline(always)]
    unsafe fn load_block(self, from: *const u64, stride: usize) -> Self::Block {
        // SAFETY: the words of `LANES` rows are readable, as `Lanes::load_block` asks.
        unsafe { self.simd.load_block64(from.cast(), stride * 8) }
    }

    #[inline(always)]
    fn transpose(self, block: &mut Self::Block) {
        self.simd.transpose64(block)
    }

    #[inline(always)]
    fn reverse(self, a: S::Vector) -> S::Vector {
        self.simd.reverse64(a)
    }
}
