//! Polynomials modulo a prime.

use super::on_device::{OnDevice, limbs_of};
use super::{Engine, EngineError};
use crate::field::{Fp32, Fp64, Rows};
use crate::poly::{AnyPoly, AnyPolyRing, CoefficientField, Poly, PolyRing};
use sunzi_gpu::GpuError;
use sunzi_gpu::products::{Operand, ProductForm};
use sunzi_threads::Threads;

/// A field whose elements a device knows: words that stand for themselves.
pub trait DeviceField: CoefficientField + Rows {
    /// The prime.
    fn word_prime(&self) -> u64;

    /// The words of elements, two for each where they have 64 bits.
    fn words(elements: &[Self::Elem]) -> &[u32];

    /// Elements of such words.
    fn from_words(words: &[u32]) -> Vec<Self::Elem>;
}

impl DeviceField for Fp32 {
    fn word_prime(&self) -> u64 {
        self.prime().into()
    }

    fn words(elements: &[u32]) -> &[u32] {
        elements
    }

    fn from_words(words: &[u32]) -> Vec<u32> {
        words.to_vec()
    }
}

impl DeviceField for Fp64 {
    fn word_prime(&self) -> u64 {
        self.prime()
    }

    fn words(elements: &[u64]) -> &[u32] {
        bytemuck::cast_slice(elements)
    }

    fn from_words(words: &[u32]) -> Vec<u64> {
        limbs_of(words)
    }
}

impl Engine {
    /// Multiplies pairs of polynomials modulo a prime.
    ///
    /// # Errors
    /// [`EngineError`] if there is too little memory, or the device that was asked for fails.
    pub fn multiply_residues<F: DeviceField>(
        &self,
        ring: &PolyRing<F>,
        pairs: &[[&Poly<F::Elem>; 2]],
    ) -> Result<Vec<Poly<F::Elem>>, EngineError> {
        match self.residues_modulo_word(ring, pairs)? {
            Some(products) => Ok(products),
            None => residues_on_processor(ring, pairs),
        }
    }

    /// The products of pairs of polynomials modulo a prime if the batch is for a device; `None` if it is for the
    /// processor, as all are whose prime has more than a word.
    ///
    /// # Errors
    /// As [`Engine::multiply_residues`].
    pub fn residues_on_device(
        &self,
        ring: &AnyPolyRing,
        pairs: &[[&AnyPoly; 2]],
    ) -> Result<Option<Vec<AnyPoly>>, EngineError> {
        if let Some(ring) = ring.over::<Fp32>() {
            self.any_residues(ring, pairs)
        } else if let Some(ring) = ring.over::<Fp64>() {
            self.any_residues(ring, pairs)
        } else {
            self.told_if_asked_for("products modulo a prime of several words");
            Ok(None)
        }
    }

    fn any_residues<F: DeviceField>(
        &self,
        ring: &PolyRing<F>,
        pairs: &[[&AnyPoly; 2]],
    ) -> Result<Option<Vec<AnyPoly>>, EngineError> {
        let mut typed = Vec::with_capacity(pairs.len());
        for [a, b] in pairs {
            typed.push([a.over::<F>()?, b.over::<F>()?]);
        }
        let products = self.residues_modulo_word(ring, &typed)?;
        Ok(products.map(|products| products.into_iter().map(AnyPoly::new::<F>).collect()))
    }

    fn residues_modulo_word<F: DeviceField>(
        &self,
        ring: &PolyRing<F>,
        pairs: &[[&Poly<F::Elem>; 2]],
    ) -> Result<Option<Vec<Poly<F::Elem>>>, EngineError> {
        let prime = ring.field().word_prime();
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
        self.polynomials
            .multiply(&form, &operands, |number, words| {
                products[number] = Poly::new(F::from_words(words));
            })?;
        Ok(products)
    }
}
