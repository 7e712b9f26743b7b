//! Polynomials modulo a prime.

use super::on_device::{OnDevice, limbs_of};
use super::{Engine, EngineError};
use crate::field::{Fp32, Fp64, GeneralizedFermat};
use crate::poly::{CoefficientField, Poly, PolyRing};
use sunzi_gpu::GpuError;
use sunzi_gpu::products::{Operand, ProductForm};
use sunzi_threads::Threads;

/// A field whose elements a device may know.
pub trait DeviceField: CoefficientField {
    /// The prime, where elements are words that stand for themselves.
    fn word_prime(&self) -> Option<u64>;

    /// The words of elements, two for each where they have 64 bits; none where elements are no words.
    fn words(elements: &[Self::Elem]) -> &[u32];

    /// Elements of such words.
    fn from_words(words: &[u32]) -> Vec<Self::Elem>;
}

impl DeviceField for Fp32 {
    fn word_prime(&self) -> Option<u64> {
        Some(self.prime().into())
    }

    fn words(elements: &[u32]) -> &[u32] {
        elements
    }

    fn from_words(words: &[u32]) -> Vec<u32> {
        words.to_vec()
    }
}

impl DeviceField for Fp64 {
    fn word_prime(&self) -> Option<u64> {
        Some(self.prime())
    }

    fn words(elements: &[u64]) -> &[u32] {
        bytemuck::cast_slice(elements)
    }

    fn from_words(words: &[u32]) -> Vec<u64> {
        limbs_of(words)
    }
}

impl<const K: usize> DeviceField for GeneralizedFermat<K> {
    fn word_prime(&self) -> Option<u64> {
        None
    }

    fn words(_: &[Self::Elem]) -> &[u32] {
        &[]
    }

    fn from_words(_: &[u32]) -> Vec<Self::Elem> {
        Vec::new()
    }
}

impl Engine {
    /// Multiplies pairs of polynomials modulo a prime: on the processor if the prime has more than a word.
    ///
    /// # Errors
    /// [`EngineError`] if there is too little memory, or the device that was asked for fails.
    pub fn multiply_residues<F: DeviceField>(
        &self,
        ring: &PolyRing<F>,
        pairs: &[[&Poly<F::Elem>; 2]],
    ) -> Result<Vec<Poly<F::Elem>>, EngineError> {
        match self.residues_on_device(ring, pairs)? {
            Some(products) => Ok(products),
            None => residues_on_processor(ring, pairs),
        }
    }

    /// As [`Engine::multiply_residues`] if the batch is for a device; `None` if it is for the processor.
    ///
    /// # Errors
    /// As [`Engine::multiply_residues`].
    pub fn residues_on_device<F: DeviceField>(
        &self,
        ring: &PolyRing<F>,
        pairs: &[[&Poly<F::Elem>; 2]],
    ) -> Result<Option<Vec<Poly<F::Elem>>>, EngineError> {
        let Some(prime) = ring.field().word_prime() else {
            self.told_if_asked_for("products modulo a prime of several words");
            return Ok(None);
        };
        let words = size_of::<F::Elem>() / 4;
        let words = pairs
            .iter()
            .map(|pair| words * (pair[0].len() + pair[1].len()));
        let on_device = |device: &OnDevice, pairs: &[[&Poly<F::Elem>; 2]]| {
            device.multiply_residues::<F>(prime, pairs)
        };
        self.on_device(pairs, words, on_device, |pairs| {
            residues_on_processor(ring, pairs)
        })
    }
}

fn residues_on_processor<F: DeviceField>(
    ring: &PolyRing<F>,
    pairs: &[[&Poly<F::Elem>; 2]],
) -> Result<Vec<Poly<F::Elem>>, EngineError> {
    let multiply = |pair: &[&Poly<F::Elem>; 2]| Ok(ring.try_mul(pair[0], pair[1])?);
    Threads::all().try_map(pairs, multiply)
}

impl OnDevice {
    fn multiply_residues<F: DeviceField>(
        &self,
        prime: u64,
        pairs: &[[&Poly<F::Elem>; 2]],
    ) -> Result<Vec<Poly<F::Elem>>, GpuError> {
        let words = size_of::<F::Elem>() / 4;
        let form = ProductForm::modulo(prime, words);
        let operands: Vec<_> = pairs
            .iter()
            .map(|pair| pair.map(|poly| Operand::new(F::words(poly.coefficients()), words)))
            .collect();
        let mut products = vec![Poly::new(Vec::new()); pairs.len()];
        self.transformer
            .multiply(&form, &operands, |number, words| {
                products[number] = Poly::new(F::from_words(words));
            })?;
        Ok(products)
    }
}
