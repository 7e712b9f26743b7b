//! In what products over the two word-size fields differ: kernels, and the built-in lengths from which the faster
//! methods win.

use sunzi_dft::crt::ModularConvolver;
use sunzi_dft::{DftError, TransformField};
use sunzi_field::{Field, Fp32, Fp64};

use super::schoolbook;
use crate::multiplier::CoefficientField;
use crate::thresholds::Thresholds;

/// A field of word size: [`Fp32`] or [`Fp64`].
pub(super) trait WordField: TransformField + CoefficientField {
    /// Built-in ones, where the field has transforms.
    const THRESHOLDS: Thresholds;

    /// The prime.
    fn prime_word(&self) -> u64;

    /// The schoolbook product `out = a · b` of operands that are not empty.
    ///
    /// # Panics
    /// If an operand is empty or `out.len() != a.len() + b.len() − 1`.
    fn schoolbook(&self, out: &mut [Self::Elem], a: &[Self::Elem], b: &[Self::Elem]);

    /// The residue of a number of three words, least significant first.
    fn reduce_words(&self, words: [u64; 3]) -> Self::Elem;

    /// Elements that lie in words of 64 bits, as many as fit.
    fn elements(words: &[u64]) -> &[Self::Elem];

    /// The same, to be written.
    fn elements_mut(words: &mut [u64]) -> &mut [Self::Elem];

    /// The product `out = a · b` by transforms over several primes.
    ///
    /// # Errors
    /// If `out` has the wrong length, or the product is longer than those primes allow.
    fn crt_convolve(
        convolver: &ModularConvolver,
        out: &mut [Self::Elem],
        a: &[Self::Elem],
        b: &[Self::Elem],
    ) -> Result<(), DftError>;

    /// [`ModularConvolver::evaluate_into`] for residues of this size.
    ///
    /// # Errors
    /// As there.
    fn crt_evaluate(
        convolver: &ModularConvolver,
        values: &mut [u64],
        points: usize,
        a: &[Self::Elem],
    ) -> Result<(), DftError>;

    /// [`ModularConvolver::sum_products`] for residues of this size.
    ///
    /// # Errors
    /// As there.
    fn crt_sum_products<const PAIRS: usize>(
        convolver: &ModularConvolver,
        out: &mut [Self::Elem],
        points: usize,
        pairs: [[&[u64]; 2]; PAIRS],
    ) -> Result<(), DftError>;
}

impl WordField for Fp32 {
    const THRESHOLDS: Thresholds = Thresholds {
        ntt: 104,
        ntt_long: 104,
        karatsuba: 256,
        over_integers: 480,
        leaf_log: 6,
    };

    fn prime_word(&self) -> u64 {
        u64::from(self.prime())
    }

    fn schoolbook(&self, out: &mut [u32], a: &[u32], b: &[u32]) {
        schoolbook::product_32(self, out, a, b);
    }

    #[inline(always)]
    fn reduce_words(&self, [low, middle, high]: [u64; 3]) -> u32 {
        let carry = |rest: u32, word: u64| {
            let upper = self.reduce(u64::from(rest) << 32 | word >> 32);
            self.reduce(u64::from(upper) << 32 | (word & 0xffff_ffff))
        };
        carry(carry(self.from_u64(high), middle), low)
    }

    fn elements(words: &[u64]) -> &[u32] {
        bytemuck::cast_slice(words)
    }

    fn elements_mut(words: &mut [u64]) -> &mut [u32] {
        bytemuck::cast_slice_mut(words)
    }

    fn crt_convolve(
        convolver: &ModularConvolver,
        out: &mut [u32],
        a: &[u32],
        b: &[u32],
    ) -> Result<(), DftError> {
        convolver.convolve_short(out, a, b)
    }

    fn crt_evaluate(
        convolver: &ModularConvolver,
        values: &mut [u64],
        points: usize,
        a: &[u32],
    ) -> Result<(), DftError> {
        convolver.evaluate_short_into(values, points, a)
    }

    fn crt_sum_products<const PAIRS: usize>(
        convolver: &ModularConvolver,
        out: &mut [u32],
        points: usize,
        pairs: [[&[u64]; 2]; PAIRS],
    ) -> Result<(), DftError> {
        convolver.sum_products_short(out, points, pairs)
    }
}

impl WordField for Fp64 {
    const THRESHOLDS: Thresholds = Thresholds {
        ntt: 96,
        ntt_long: 96,
        karatsuba: 128,
        over_integers: 240,
        leaf_log: 6,
    };

    fn prime_word(&self) -> u64 {
        self.prime()
    }

    fn schoolbook(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        schoolbook::product_64(self, out, a, b);
    }

    #[inline(always)]
    fn reduce_words(&self, [low, middle, high]: [u64; 3]) -> u64 {
        let carry =
            |rest: u64, word: u64| self.reduce_wide(u128::from(rest) << 64 | u128::from(word));
        carry(carry(self.from_u64(high), middle), low)
    }

    fn elements(words: &[u64]) -> &[u64] {
        words
    }

    fn elements_mut(words: &mut [u64]) -> &mut [u64] {
        words
    }

    fn crt_convolve(
        convolver: &ModularConvolver,
        out: &mut [u64],
        a: &[u64],
        b: &[u64],
    ) -> Result<(), DftError> {
        convolver.convolve(out, a, b)
    }

    fn crt_evaluate(
        convolver: &ModularConvolver,
        values: &mut [u64],
        points: usize,
        a: &[u64],
    ) -> Result<(), DftError> {
        convolver.evaluate_into(values, points, a)
    }

    fn crt_sum_products<const PAIRS: usize>(
        convolver: &ModularConvolver,
        out: &mut [u64],
        points: usize,
        pairs: [[&[u64]; 2]; PAIRS],
    ) -> Result<(), DftError> {
        convolver.sum_products(out, points, pairs)
    }
}
