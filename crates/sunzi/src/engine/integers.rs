//! Integers.

use super::on_device::{OnDevice, limbs_of};
use super::{Engine, EngineError};
use dashu_int::{IBig, Sign, UBig};
use sunzi_gpu::GpuError;
use sunzi_threads::Threads;

impl Engine {
    /// Multiplies pairs of integers.
    ///
    /// # Errors
    /// [`EngineError`] if there is too little memory, or the device that was asked for fails.
    pub fn multiply_integers(&self, pairs: &[[&IBig; 2]]) -> Result<Vec<IBig>, EngineError> {
        match self.integers_on_device(pairs)? {
            Some(products) => Ok(products),
            None => self.integers_on_processor(pairs),
        }
    }

    /// As [`Engine::multiply_integers`] if the batch is for a device; `None` if it is for the processor.
    ///
    /// # Errors
    /// As [`Engine::multiply_integers`].
    pub fn integers_on_device(
        &self,
        pairs: &[[&IBig; 2]],
    ) -> Result<Option<Vec<IBig>>, EngineError> {
        let limbs = |value: &IBig| value.as_sign_words().1.len();
        let words = pairs
            .iter()
            .map(|pair| 2 * (limbs(pair[0]) + limbs(pair[1])));
        self.on_device(pairs, words, OnDevice::multiply_integers, |pairs| {
            self.integers_on_processor(pairs)
        })
    }

    fn integers_on_processor(&self, pairs: &[[&IBig; 2]]) -> Result<Vec<IBig>, EngineError> {
        let multiply = |pair: &[&IBig; 2]| {
            let [(sign, a), (other, b)] = pair.map(IBig::as_sign_words);
            let mut product = vec![0; a.len() + b.len()];
            self.multiplier.try_mul(&mut product, a, b)?;
            Ok(signed(sign, other, UBig::from_words(&product)))
        };
        Threads::all().try_map(pairs, multiply)
    }
}

impl OnDevice {
    pub(super) fn multiply_integers(&self, pairs: &[[&IBig; 2]]) -> Result<Vec<IBig>, GpuError> {
        let operands: Vec<_> = pairs
            .iter()
            .map(|pair| pair.map(|value| digits(value.as_sign_words().1)))
            .collect();
        let mut products = vec![IBig::ZERO; pairs.len()];
        self.integers
            .multiply(&self.polynomials, &operands, |number, words| {
                let [(sign, _), (other, _)] = pairs[number].map(IBig::as_sign_words);
                products[number] = signed(sign, other, UBig::from_words(&limbs_of(words)));
            })?;
        Ok(products)
    }
}

/// The digits of a magnitude: its limbs read as twice as many words.
fn digits(limbs: &[u64]) -> &[u32] {
    let words: &[u32] = bytemuck::cast_slice(limbs);
    // A highest digit of zero is none.
    &words[..words.len() - usize::from(words.last() == Some(&0))]
}

/// A magnitude with the sign of a product.
fn signed(sign: Sign, other: Sign, magnitude: UBig) -> IBig {
    let sign = if sign == other {
        Sign::Positive
    } else {
        Sign::Negative
    };
    IBig::from_parts(sign, magnitude)
}
