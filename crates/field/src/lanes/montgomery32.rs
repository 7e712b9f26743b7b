//! Primes below 2^31 in 32-bit lanes: Montgomery products, even and odd lanes apart.
//!
//! A product takes six widening multiplications for all lanes of a register. For p < 2^30
//! (`LAZY`) residues stay in `[0, 4p)`, so that a butterfly reduces one operand only; above, they
//! stay in `[0, 2p)` and the product is reduced as well. In both cases a factor of a product may be
//! any 32-bit word: with t < 2^32·p and a multiplier below p, `(t − m·p)/2^32` lies in (−p, p).

use super::Lanes;
use super::kernel::{inverse_mod_2_64, inverse_power_of_two};
use super::simd::Simd;
use super::transpose::Transpose;

/// Arithmetic modulo an odd prime below 2^31 (`LAZY`: below 2^30) in 32-bit lanes.
#[derive(Clone, Copy, Debug)]
pub struct Montgomery32<S: Simd, const LAZY: bool> {
    prime: u32,
    p: S::V,
    two_p: S::V,
    /// p⁻¹ mod 2^32, in the low half of each 64-bit lane.
    p_inverse: S::V,
}

/// A multiplier in Montgomery form: its even lanes, and its odd lanes moved down.
#[derive(Clone, Copy, Debug)]
pub struct Twiddle<V> {
    even: V,
    odd: V,
}

impl<S: Simd, const LAZY: bool> Montgomery32<S, LAZY> {
    /// Constants for the prime p.
    ///
    /// # Safety
    /// The CPU has the instruction set `S`; p is odd and below 2^31, or 2^30 if `LAZY`.
    #[inline(always)]
    pub unsafe fn new(p: u32) -> Self {
        debug_assert!(p & 1 == 1 && p < if LAZY { 1 << 30 } else { 1 << 31 });
        // SAFETY: as the caller's.
        unsafe {
            Self {
                prime: p,
                p: S::splat32(p),
                two_p: S::splat32(2 * p),
                p_inverse: S::splat64(inverse_mod_2_64(u64::from(p)) & 0xffff_ffff),
            }
        }
    }

    /// `b·t`, in (−p, p) as a signed word; b is any word.
    #[inline(always)]
    unsafe fn mul_signed(self, b: S::V, t: Twiddle<S::V>) -> S::V {
        // SAFETY: the instruction set was checked when `self` was made.
        unsafe {
            let even = S::mul_u32(b, t.even);
            let odd = S::mul_u32(S::high(b), t.odd);
            let even_quotient = S::mul_u32_low(even, self.p_inverse);
            let odd_quotient = S::mul_u32_low(odd, self.p_inverse);
            let even = S::sub64(even, S::mul_u32(even_quotient, self.p));
            let odd = S::sub64(odd, S::mul_u32(odd_quotient, self.p));
            S::merge_high(even, odd)
        }
    }

    /// From (−p, p) to `[0, p)`.
    #[inline(always)]
    unsafe fn lift(self, r: S::V) -> S::V {
        // SAFETY: as above. A negative word is large as an unsigned one.
        unsafe { S::min_u32(r, S::add32(r, self.p)) }
    }

    /// The operands of [`Lanes::inverse`] lie below it (or are equal to it), those of
    /// [`Lanes::forward`] below twice this.
    #[inline(always)]
    fn working_modulus(self) -> S::V {
        if LAZY { self.two_p } else { self.p }
    }

    /// Subtracts `m` where that leaves a word that is not negative.
    #[inline(always)]
    unsafe fn reduce(a: S::V, m: S::V) -> S::V {
        // SAFETY: as above.
        unsafe { S::min_u32(a, S::sub32(a, m)) }
    }
}

impl<S: Simd + Transpose, const LAZY: bool> Lanes for Montgomery32<S, LAZY> {
    type Word = u32;
    type Vector = S::V;
    type Twiddle = Twiddle<S::V>;
    type Block = S::Block32;
    const LANES: usize = 2 * S::LANES64;
    const TWIDDLE_WORDS: usize = 1;

    fn prepare(self, w: u64, entry: &mut [u32]) {
        entry[0] = ((w << 32) % u64::from(self.prime)) as u32;
    }

    fn mul_factor(self) -> u64 {
        inverse_power_of_two(32, u64::from(self.prime))
    }

    #[inline(always)]
    unsafe fn load(self, from: *const u32) -> S::V {
        // SAFETY: as the caller's.
        unsafe { S::load(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u32, v: S::V) {
        // SAFETY: as the caller's.
        unsafe { S::store(to.cast(), v) }
    }

    #[inline(always)]
    unsafe fn splat_twiddle(self, entry: *const u32, _plane: usize) -> Self::Twiddle {
        // SAFETY: as the caller's.
        unsafe {
            let w = S::splat32(*entry);
            Twiddle { even: w, odd: w }
        }
    }

    #[inline(always)]
    unsafe fn load_twiddle(self, entries: *const u32, _plane: usize) -> Self::Twiddle {
        // SAFETY: as the caller's.
        unsafe {
            let w = S::load(entries.cast());
            Twiddle {
                even: w,
                odd: S::high(w),
            }
        }
    }

    #[inline(always)]
    unsafe fn load_twiddle_reversed(self, entries: *const u32, _plane: usize) -> Self::Twiddle {
        // SAFETY: as the caller's.
        unsafe {
            let w = S::reverse32(S::load(entries.cast()));
            Twiddle {
                even: w,
                odd: S::high(w),
            }
        }
    }

    #[inline(always)]
    unsafe fn advance_twiddles(
        self,
        from: *const u32,
        to: *mut u32,
        _plane: usize,
        t: Self::Twiddle,
    ) {
        // SAFETY: as the caller's.
        unsafe { self.store(to, self.scale(self.load(from), t)) }
    }

    #[inline(always)]
    unsafe fn forward(self, a: S::V, b: S::V, t: Self::Twiddle) -> (S::V, S::V) {
        // SAFETY: as the caller's.
        unsafe {
            let product = self.mul_signed(b, t);
            if LAZY {
                let a = Self::reduce(a, self.two_p);
                let raised = S::add32(a, self.p);
                (S::add32(raised, product), S::sub32(raised, product))
            } else {
                let product = self.lift(product);
                let a = Self::reduce(a, self.p);
                (S::add32(a, product), S::add32(a, S::sub32(self.p, product)))
            }
        }
    }

    #[inline(always)]
    unsafe fn inverse(self, a: S::V, b: S::V, t: Self::Twiddle) -> (S::V, S::V) {
        // SAFETY: as the caller's.
        unsafe {
            let m = self.working_modulus();
            let sum = Self::reduce(S::add32(a, b), m);
            let difference = S::add32(S::sub32(b, a), m);
            let product = self.mul_signed(difference, t);
            let product = if LAZY {
                S::add32(product, self.p)
            } else {
                self.lift(product)
            };
            (sum, product)
        }
    }

    #[inline(always)]
    unsafe fn scale(self, a: S::V, t: Self::Twiddle) -> S::V {
        // SAFETY: as the caller's.
        unsafe { self.lift(self.mul_signed(a, t)) }
    }

    #[inline(always)]
    unsafe fn mul(self, a: S::V, b: S::V) -> S::V {
        // SAFETY: as the caller's.
        unsafe {
            // The bound on a product asks for one factor below p.
            let b = if LAZY { Self::reduce(b, self.two_p) } else { b };
            let b = Self::reduce(b, self.p);
            self.lift(self.mul_signed(
                a,
                Twiddle {
                    even: b,
                    odd: S::high(b),
                },
            ))
        }
    }

    #[inline(always)]
    unsafe fn add(self, a: S::V, b: S::V) -> S::V {
        // SAFETY: as the caller's.
        unsafe {
            let m = self.working_modulus();
            Self::reduce(S::add32(Self::reduce(a, m), Self::reduce(b, m)), m)
        }
    }

    #[inline(always)]
    unsafe fn sub(self, a: S::V, b: S::V) -> S::V {
        // SAFETY: as the caller's.
        unsafe {
            let m = self.working_modulus();
            let difference = S::sub32(Self::reduce(a, m), Self::reduce(b, m));
            S::min_u32(difference, S::add32(difference, m))
        }
    }

    #[inline(always)]
    unsafe fn import(self, v: S::V) -> S::V {
        v
    }

    #[inline(always)]
    unsafe fn export(self, a: S::V, t: Self::Twiddle) -> S::V {
        // SAFETY: as the caller's.
        unsafe { self.scale(a, t) }
    }

    #[inline(always)]
    unsafe fn load_block(self, from: *const u32, stride: usize) -> Self::Block {
        // SAFETY: as the caller's.
        unsafe { S::load_block32(from.cast(), stride * 4) }
    }

    #[inline(always)]
    unsafe fn transpose(self, block: &mut Self::Block) {
        // SAFETY: as the caller's.
        unsafe { S::transpose32(block) }
    }
}
