//! One residue at a time, on any processor: the reference of the vector arithmetics.

use super::Lanes;
use crate::word_modulus::{inverse_mod_2_64, inverse_power_of_two};

/// Arithmetic modulo an odd prime with canonical residues and Montgomery multipliers.
macro_rules! portable {
    ($name:ident, $word:ty, $wide:ty, $bits:literal, $bound:literal, |$p:ident, $a:ident, $b:ident| $sum:expr) => {
        #[doc = concat!("Arithmetic modulo an odd prime below 2^", $bound, ", one residue at a time.")]
        #[derive(Clone, Copy, Debug)]
        pub(super) struct $name {
            p: $word,
            p_inverse: $word,
        }

        impl $name {
            /// Constants for the prime p, which is odd and below the bound.
            #[inline(always)]
            pub fn new(p: $word) -> Self {
                debug_assert!(p & 1 == 1 && p.leading_zeros() >= $bits - $bound);
                Self {
                    p,
                    p_inverse: inverse_mod_2_64(p as u64) as $word,
                }
            }

            #[inline(always)]
            fn lift(self, r: $word, borrowed: bool) -> $word {
                // A jump would be mispredicted half of the time; a mask alone is compiled to one.
                std::hint::select_unpredictable(borrowed, r.wrapping_add(self.p), r)
            }

            #[inline(always)]
            fn product(self, b: $word, w: $word) -> $word {
                let t = b as $wide * w as $wide;
                let m = (t as $word).wrapping_mul(self.p_inverse);
                let high = (m as $wide * self.p as $wide) >> $bits;
                let (r, borrowed) = ((t >> $bits) as $word).overflowing_sub(high as $word);
                self.lift(r, borrowed)
            }

            #[inline(always)]
            fn sum(self, $a: $word, $b: $word) -> $word {
                let $p = self.p;
                let (r, borrowed) = $sum;
                self.lift(r, borrowed)
            }

            #[inline(always)]
            fn difference(self, a: $word, b: $word) -> $word {
                let (r, borrowed) = a.overflowing_sub(b);
                self.lift(r, borrowed)
            }
        }

        impl Lanes for $name {
            type Word = $word;
            type Vector = $word;
            type Twiddle = $word;
            type Block = [$word; 1];
            const LANES: usize = 1;
            const TWIDDLE_WORDS: usize = 1;

            fn prepare(self, w: u64, entry: &mut [$word]) {
                entry[0] = ((u128::from(w) << $bits) % self.p as u128) as $word;
            }

            fn mul_factor(self) -> u64 {
                inverse_power_of_two($bits, self.p as u64)
            }

            #[inline(always)]
            unsafe fn load(self, from: *const $word) -> $word {
                // SAFETY: a word is readable, as `Lanes::load` asks.
                unsafe { *from }
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut $word, v: $word) {
                // SAFETY: a word is writable, as `Lanes::store` asks.
                unsafe { *to = v }
            }

            #[inline(always)]
            unsafe fn splat_twiddle(self, entry: *const $word, _plane: usize) -> $word {
                // SAFETY: the entry's one word is readable, as `Lanes::splat_twiddle` asks.
                unsafe { *entry }
            }

            #[inline(always)]
            unsafe fn load_twiddle(self, entries: *const $word, _plane: usize) -> $word {
                // SAFETY: the entry's one word is readable, as `Lanes::load_twiddle` asks.
                unsafe { *entries }
            }

            #[inline(always)]
            unsafe fn advance_twiddles(
                self,
                from: *const $word,
                to: *mut $word,
                _plane: usize,
                t: $word,
            ) {
                // SAFETY: a word can be read and written, as `Lanes::advance_twiddles` asks.
                unsafe { *to = self.product(*from, t) }
            }

            #[inline(always)]
            fn forward(self, a: $word, b: $word, t: $word) -> ($word, $word) {
                let product = self.product(b, t);
                (self.sum(a, product), self.difference(a, product))
            }

            #[inline(always)]
            fn inverse(self, a: $word, b: $word, t: $word) -> ($word, $word) {
                (self.sum(a, b), self.product(self.difference(b, a), t))
            }

            #[inline(always)]
            fn scale(self, a: $word, t: $word) -> $word {
                self.product(a, t)
            }

            #[inline(always)]
            fn mul(self, a: $word, b: $word) -> $word {
                self.product(a, b)
            }

            #[inline(always)]
            fn add(self, a: $word, b: $word) -> $word {
                self.sum(a, b)
            }

            #[inline(always)]
            fn sub(self, a: $word, b: $word) -> $word {
                self.difference(a, b)
            }

            #[inline(always)]
            fn import(self, v: $word) -> $word {
                v
            }

            #[inline(always)]
            fn export(self, a: $word, t: $word) -> $word {
                self.product(a, t)
            }

            #[inline(always)]
            fn canonical(self, a: $word) -> $word {
                a
            }

            #[inline(always)]
            unsafe fn load_block(self, from: *const $word, _stride: usize) -> [$word; 1] {
                // SAFETY: the one word of the one row is readable, as `Lanes::load_block` asks.
                unsafe { [*from] }
            }

            #[inline(always)]
            fn transpose(self, _block: &mut [$word; 1]) {}

            #[inline(always)]
            fn reverse(self, a: $word) -> $word {
                a
            }
        }
    };
}

portable!(Portable32, u32, u64, 32, 31, |p, a, b| (a + b)
    .overflowing_sub(p));
portable!(Portable64, u64, u128, 64, 63, |p, a, b| (a + b)
    .overflowing_sub(p));
// A sum of residues may need a bit more than a word has: a − (p − b) does not.
portable!(PortableFull, u64, u128, 64, 64, |p, a, b| a
    .overflowing_sub(p - b));
