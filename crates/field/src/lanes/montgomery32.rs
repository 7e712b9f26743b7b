//! Primes below 2^31 in 32-bit lanes: Montgomery products, even and odd lanes apart.
//!
//! A product takes six widening multiplications for all lanes of a register. With t < 2^32·p and a
//! multiplier below p, `(t − m·p)/2^32` lies in (−p, p), whatever 32-bit word the other factor is. So
//! how far residues may grow before they are reduced depends on the room that p leaves in a word:
//!
//! | `BITS` | p below | residues of the forward transform | of the inverse |
//! |---|---|---|---|
//! | 29 | 2^29 | `[0, 8p)`: two of four operands of a double butterfly are reduced | `[0, 2p)` |
//! | 30 | 2^30 | `[0, 4p)`: one of two operands of a butterfly is reduced | `[0, 2p)` |
//! | 31 | 2^31 | `[0, 2p)`: the product is reduced as well | `[0, p]` |

use super::butterfly_simd::ButterflySimd;
use super::{Lanes, two_levels_forward, two_levels_inverse};
use crate::word_modulus::{inverse_mod_2_64, inverse_power_of_two};

/// Arithmetic modulo an odd prime below 2^`BITS` in 32-bit lanes; `BITS` is 29, 30 or 31.
#[derive(Clone, Copy, Debug)]
pub(super) struct Montgomery32<S: ButterflySimd, const BITS: u32> {
    simd: S,
    prime: u32,
    p: S::Vector,
    two_p: S::Vector,
    /// 4p, where it fits a word.
    four_p: S::Vector,
    /// p⁻¹ mod 2^32, in the low half of each 64-bit lane.
    p_inverse: S::Vector,
    merge: S::Merge,
}

/// A multiplier in Montgomery form: its even lanes, and its odd lanes moved down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Twiddle<V> {
    even: V,
    odd: V,
}

impl<S: ButterflySimd, const BITS: u32> Montgomery32<S, BITS> {
    /// Constants for the prime p, which is odd and below 2^`BITS`.
    #[inline(always)]
    pub fn new(simd: S, p: u32) -> Self {
        debug_assert!(p & 1 == 1 && p >> BITS == 0);
        Self {
            simd,
            prime: p,
            p: simd.splat32(p),
            two_p: simd.splat32(2 * p),
            four_p: simd.splat32(p.wrapping_mul(4)),
            p_inverse: simd.splat64(inverse_mod_2_64(u64::from(p)) & 0xffff_ffff),
            merge: simd.merge(),
        }
    }

    /// `b·t`, in (−p, p) as a signed word; b is any word.
    #[inline(always)]
    fn mul_signed(self, b: S::Vector, t: Twiddle<S::Vector>) -> S::Vector {
        let even = self.simd.mul_u32(b, t.even);
        let odd = self.simd.mul_u32(self.simd.high(b), t.odd);
        self.divide(even, odd)
    }

    /// Words below 2^32·p in even and in odd lanes, divided by 2^32, in (−p, p) as signed words.
    #[inline(always)]
    fn divide(self, even: S::Vector, odd: S::Vector) -> S::Vector {
        let even_quotient = self.simd.mul_u32(even, self.p_inverse);
        let odd_quotient = self.simd.mul_u32(odd, self.p_inverse);
        let even = self
            .simd
            .sub64(even, self.simd.mul_u32(even_quotient, self.p));
        let odd = self
            .simd
            .sub64(odd, self.simd.mul_u32(odd_quotient, self.p));
        self.simd.merge_high(even, odd, self.merge)
    }

    /// A forward butterfly that leaves `a` unreduced; the outcome exceeds it by at most 2p.
    #[inline(always)]
    fn butterfly(
        self,
        a: S::Vector,
        b: S::Vector,
        t: Twiddle<S::Vector>,
    ) -> (S::Vector, S::Vector) {
        let product = self.mul_signed(b, t);
        let raised = self.simd.add32(a, self.p);
        (
            self.simd.add32(raised, product),
            self.simd.sub32(raised, product),
        )
    }

    /// `b − a + 2p`.
    #[inline(always)]
    fn difference(self, a: S::Vector, b: S::Vector) -> S::Vector {
        self.simd.add32(self.simd.sub32(b, a), self.two_p)
    }

    /// From (−p, p) to `[0, p)`.
    #[inline(always)]
    fn lift(self, r: S::Vector) -> S::Vector {
        // A negative word is large as an unsigned one.
        self.simd.min32(r, self.simd.add32(r, self.p))
    }

    /// [`Lanes::inverse4`] for `BITS` = 29, once.
    #[inline(always)]
    fn inverse_columns(self, z: [S::Vector; 4], t: [Twiddle<S::Vector>; 3]) -> [S::Vector; 4] {
        // Sums go unreduced to 4p and 8p; products stay signed until they are added.
        let sum_0 = self.simd.add32(z[0], z[1]);
        let sum_1 = self.simd.add32(z[2], z[3]);
        let product_0 = self.mul_signed(self.difference(z[0], z[1]), t[1]);
        let product_1 = self.mul_signed(self.difference(z[2], z[3]), t[2]);
        let x0 = self.settle(self.simd.add32(sum_0, sum_1));
        let sum = self.simd.add32(product_0, product_1);
        let x1 = self.simd.min32(sum, self.simd.add32(sum, self.two_p));
        let sums = self.simd.add32(self.simd.sub32(sum_1, sum_0), self.four_p);
        let x2 = self.simd.add32(self.mul_signed(sums, t[0]), self.p);
        let products = self.difference(product_0, product_1);
        let x3 = self.simd.add32(self.mul_signed(products, t[0]), self.p);
        [x0, x1, x2, x3]
    }

    /// The operands of [`Lanes::inverse`] lie below it, or are equal to it.
    #[inline(always)]
    fn working_modulus(self) -> S::Vector {
        if BITS < 31 { self.two_p } else { self.p }
    }

    /// From the range of the forward transform to that of the inverse.
    #[inline(always)]
    fn settle(self, a: S::Vector) -> S::Vector {
        let a = if BITS == 29 {
            self.reduce(a, self.four_p)
        } else {
            a
        };
        self.reduce(a, self.working_modulus())
    }

    /// From the range of either transform to `[0, p)`.
    #[inline(always)]
    fn to_canonical(self, a: S::Vector) -> S::Vector {
        if BITS == 31 {
            self.reduce(a, self.p)
        } else {
            self.reduce(self.settle(a), self.p)
        }
    }

    /// Subtracts `m` where that leaves a word that is not negative.
    #[inline(always)]
    fn reduce(self, a: S::Vector, m: S::Vector) -> S::Vector {
        self.simd.min32(a, self.simd.sub32(a, m))
    }
}

impl<S: ButterflySimd, const BITS: u32> Lanes for Montgomery32<S, BITS> {
    type Word = u32;
    type Vector = S::Vector;
    type Twiddle = Twiddle<S::Vector>;
    type Block = S::Block32;
    const LANES: usize = 2 * S::LANES;
    const TWIDDLE_WORDS: usize = 1;

    fn prepare(self, w: u64, entry: &mut [u32]) {
        entry[0] = ((w << 32) % u64::from(self.prime)) as u32;
    }

    fn mul_factor(self) -> u64 {
        inverse_power_of_two(32, u64::from(self.prime))
    }

    #[inline(always)]
    unsafe fn load(self, from: *const u32) -> S::Vector {
        // SAFETY: `LANES` words are readable, as `Lanes::load` asks: a register's bytes.
        unsafe { self.simd.load_unaligned(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u32, v: S::Vector) {
        // SAFETY: `LANES` words are writable, as `Lanes::store` asks: a register's bytes.
        unsafe { self.simd.store_unaligned(to.cast(), v) }
    }

    #[inline(always)]
    unsafe fn splat_twiddle(self, entry: *const u32, _plane: usize) -> Self::Twiddle {
        // SAFETY: the words of the entry are readable, as `Lanes::splat_twiddle` asks.
        unsafe {
            let w = self.simd.splat32(*entry);
            Twiddle { even: w, odd: w }
        }
    }

    #[inline(always)]
    unsafe fn load_twiddle(self, entries: *const u32, _plane: usize) -> Self::Twiddle {
        // SAFETY: `LANES` + 1 words of each plane are readable, as `Lanes::load_twiddle` asks.
        unsafe {
            Twiddle {
                even: self.simd.load_unaligned(entries.cast()),
                odd: self.simd.load_high(entries),
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
        // SAFETY: `LANES` words of each plane can be read and written, as `Lanes::advance_twiddles` asks.
        unsafe { self.store(to, self.scale(self.load(from), t)) }
    }

    #[inline(always)]
    fn forward(self, a: S::Vector, b: S::Vector, t: Self::Twiddle) -> (S::Vector, S::Vector) {
        if BITS == 31 {
            let product = self.lift(self.mul_signed(b, t));
            let a = self.reduce(a, self.p);
            (
                self.simd.add32(a, product),
                self.simd.add32(a, self.simd.sub32(self.p, product)),
            )
        } else {
            let bound = if BITS == 29 { self.four_p } else { self.two_p };
            self.butterfly(self.reduce(a, bound), b, t)
        }
    }

    #[inline(always)]
    fn forward4(self, x: [[S::Vector; 4]; 2], t: [Self::Twiddle; 3]) -> [[S::Vector; 4]; 2] {
        if BITS != 29 {
            return two_levels_forward(self, x, t);
        }
        let [a, b] = x;
        // From below 4p, each level adds at most 2p.
        let (a0, a1) = (
            self.reduce(a[0], self.four_p),
            self.reduce(a[1], self.four_p),
        );
        let (b0, b1) = (
            self.reduce(b[0], self.four_p),
            self.reduce(b[1], self.four_p),
        );
        let (a0, a2) = self.butterfly(a0, a[2], t[0]);
        let (a1, a3) = self.butterfly(a1, a[3], t[0]);
        let (b0, b2) = self.butterfly(b0, b[2], t[0]);
        let (b1, b3) = self.butterfly(b1, b[3], t[0]);
        let (a0, a1) = self.butterfly(a0, a1, t[1]);
        let (b0, b1) = self.butterfly(b0, b1, t[1]);
        let (a2, a3) = self.butterfly(a2, a3, t[2]);
        let (b2, b3) = self.butterfly(b2, b3, t[2]);
        [[a0, a1, a2, a3], [b0, b1, b2, b3]]
    }

    #[inline(always)]
    fn inverse(self, a: S::Vector, b: S::Vector, t: Self::Twiddle) -> (S::Vector, S::Vector) {
        let m = self.working_modulus();
        let sum = self.reduce(self.simd.add32(a, b), m);
        let difference = self.simd.add32(self.simd.sub32(b, a), m);
        let product = self.mul_signed(difference, t);
        let product = if BITS < 31 {
            self.simd.add32(product, self.p)
        } else {
            self.lift(product)
        };
        (sum, product)
    }

    #[inline(always)]
    fn inverse4(self, z: [[S::Vector; 4]; 2], t: [Self::Twiddle; 3]) -> [[S::Vector; 4]; 2] {
        if BITS != 29 {
            return two_levels_inverse(self, z, t);
        }
        [self.inverse_columns(z[0], t), self.inverse_columns(z[1], t)]
    }

    #[inline(always)]
    fn scale(self, a: S::Vector, t: Self::Twiddle) -> S::Vector {
        self.lift(self.mul_signed(a, t))
    }

    #[inline(always)]
    fn mul(self, a: S::Vector, b: S::Vector) -> S::Vector {
        // The bound on a product asks for one factor below p.
        let b = self.to_canonical(b);
        self.lift(self.mul_signed(
            a,
            Twiddle {
                even: b,
                odd: self.simd.high(b),
            },
        ))
    }

    #[inline(always)]
    fn scale3(self, a: [S::Vector; 3], t: [Self::Twiddle; 3]) -> S::Vector {
        // All are below p, so that the sum is below 3p², and that below 2^32·p, as a product's bound asks.
        if self.prime > u32::MAX / 3 {
            let sum = self.add(self.scale(a[0], t[0]), self.scale(a[1], t[1]));
            return self.add(sum, self.scale(a[2], t[2]));
        }
        let mut even = self.simd.mul_u32(a[0], t[0].even);
        let mut odd = self.simd.mul_u32(self.simd.high(a[0]), t[0].odd);
        for (a, t) in a.into_iter().zip(t).skip(1) {
            even = self.simd.add64(even, self.simd.mul_u32(a, t.even));
            odd = self
                .simd
                .add64(odd, self.simd.mul_u32(self.simd.high(a), t.odd));
        }
        self.lift(self.divide(even, odd))
    }

    #[inline(always)]
    fn combine3(self, factors: [S::Vector; 3], x: [S::Vector; 3]) -> S::Vector {
        if BITS == 31 {
            let sum = self.add(self.mul(x[0], factors[0]), self.mul(x[1], factors[1]));
            return self.add(sum, self.mul(x[2], factors[2]));
        }
        // All are below p < 2^30 then, so that the sum is below 3p² < 2^32·p, as a product's bound asks.
        let mut even = self.simd.splat64(0);
        let mut odd = even;
        for (factor, x) in factors.into_iter().zip(x) {
            let factor = self.to_canonical(factor);
            even = self.simd.add64(even, self.simd.mul_u32(x, factor));
            let (x, factor) = (self.simd.high(x), self.simd.high(factor));
            odd = self.simd.add64(odd, self.simd.mul_u32(x, factor));
        }
        self.lift(self.divide(even, odd))
    }

    #[inline(always)]
    fn add(self, a: S::Vector, b: S::Vector) -> S::Vector {
        let sum = self.simd.add32(self.settle(a), self.settle(b));
        self.reduce(sum, self.working_modulus())
    }

    #[inline(always)]
    fn sub(self, a: S::Vector, b: S::Vector) -> S::Vector {
        let difference = self.simd.sub32(self.settle(a), self.settle(b));
        self.simd.min32(
            difference,
            self.simd.add32(difference, self.working_modulus()),
        )
    }

    #[inline(always)]
    fn import(self, v: S::Vector) -> S::Vector {
        v
    }

    #[inline(always)]
    fn export(self, a: S::Vector, t: Self::Twiddle) -> S::Vector {
        self.scale(a, t)
    }

    #[inline(always)]
    fn canonical(self, a: S::Vector) -> S::Vector {
        self.to_canonical(a)
    }

    #[inline(always)]
    unsafe fn load_block(self, from: *const u32, stride: usize) -> Self::Block {
        // SAFETY: the words of `LANES` rows are readable, as `Lanes::load_block` asks.
        unsafe { self.simd.load_block32(from.cast(), stride * 4) }
    }

    #[inline(always)]
    fn transpose(self, block: &mut Self::Block) {
        self.simd.transpose32(block)
    }

    #[inline(always)]
    fn reverse(self, a: S::Vector) -> S::Vector {
        self.simd.reverse32(a)
    }
}
