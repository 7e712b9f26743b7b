//! Polynomials over ℤ.

use super::on_device::{OnDevice, limbs_of};
use super::{Engine, EngineError, Place};
use crate::poly::{FlatPoly, Poly};
use dashu_int::IBig;
use rayon::prelude::*;
use std::collections::BTreeMap;
use sunzi_gpu::GpuError;
use sunzi_gpu::products::{Finish, Operand, ProductForm};
use sunzi_gpu::residues::CoefficientForm;

/// Bits of a limb.
const LIMB: usize = 64;

impl Engine {
    /// Where a batch of products of polynomials over ℤ is computed.
    pub fn place_of_polynomials(&self, pairs: &[[&Poly<IBig>; 2]]) -> Place {
        let words = |poly: &Poly<IBig>| {
            let coefficients = poly.coefficients().iter();
            coefficients
                .map(|value| 2 * value.as_sign_words().1.len())
                .sum::<usize>()
        };
        self.place(pairs.iter().map(|pair| words(pair[0]) + words(pair[1])))
    }

    /// Multiplies pairs of polynomials over ℤ.
    ///
    /// # Errors
    /// [`EngineError`] if there is too little memory, or the device that was asked for fails.
    pub fn multiply_polynomials(
        &self,
        pairs: &[[&Poly<IBig>; 2]],
    ) -> Result<Vec<Poly<IBig>>, EngineError> {
        let place = self.place_of_polynomials(pairs);
        let on_device = |device: &OnDevice| {
            let flat: Vec<_> = pairs
                .par_iter()
                .map(|pair| pair.map(FlatPoly::from_poly))
                .collect();
            let flat: Vec<_> = flat.iter().map(|[a, b]| [a, b]).collect();
            device.multiply_flat(&flat)
        };
        if let Some(products) = self.try_device(place, pairs.len(), on_device)? {
            return Ok(products.par_iter().map(FlatPoly::to_poly).collect());
        }
        let multiply =
            |pair: &[&Poly<IBig>; 2]| Ok(self.integer_polys.try_mul(pair[0], pair[1])?);
        pairs.par_iter().map(multiply).collect()
    }

    /// Multiplies pairs of polynomials over ℤ that lie in rows of limbs.
    ///
    /// # Errors
    /// As [`Engine::multiply_polynomials`].
    pub fn multiply_flat(&self, pairs: &[[&FlatPoly; 2]]) -> Result<Vec<FlatPoly>, EngineError> {
        let words = |pair: &[&FlatPoly; 2]| 2 * (pair[0].limbs().len() + pair[1].limbs().len());
        let place = self.place(pairs.iter().map(words));
        let on_device = |device: &OnDevice| device.multiply_flat(pairs);
        if let Some(products) = self.try_device(place, pairs.len(), on_device)? {
            return Ok(products);
        }
        let multiply = |pair: &[&FlatPoly; 2]| {
            let mut product = FlatPoly::default();
            self.integer_polys
                .mul_flat(&mut product, pair[0], pair[1])?;
            Ok(product)
        };
        pairs.par_iter().map(multiply).collect()
    }
}

/// What pairs that are multiplied together have in common: limbs of coefficients, left and right, and bits of their
/// products.
type Likeness = (usize, usize, u64);

impl OnDevice {
    fn multiply_flat(&self, pairs: &[[&FlatPoly; 2]]) -> Result<Vec<FlatPoly>, GpuError> {
        let mut alike: BTreeMap<Likeness, Vec<usize>> = BTreeMap::new();
        for (number, pair) in pairs.iter().enumerate() {
            let bits = pair.map(FlatPoly::magnitude_bits);
            let likeness = (
                pair[0].width(),
                pair[1].width(),
                (bits[0] + bits[1] + 1) as u64,
            );
            alike.entry(likeness).or_default().push(number);
        }
        let mut products = vec![FlatPoly::default(); pairs.len()];
        for ((left, right, bits), numbers) in alike {
            let group: Vec<_> = numbers
                .iter()
                .map(|&number| pairs[number].map(operand))
                .collect();
            let terms = group
                .iter()
                .map(|pair| pair[0].terms().min(pair[1].terms()))
                .max()
                .unwrap_or(0);
            let carries = (terms.max(1) as u64).next_power_of_two().trailing_zeros();
            let width = (bits as usize + carries as usize).div_ceil(LIMB).max(1);
            let form = |limbs| CoefficientForm {
                words: 2 * limbs,
                signed: true,
            };
            let form = ProductForm {
                left: form(left),
                right: form(right),
                bits,
                finish: Finish::Words {
                    words: 2 * width,
                    signed: true,
                },
            };
            self.transformer.multiply(&form, &group, |index, words| {
                // Rows of whole limbs, by the form.
                products[numbers[index]] =
                    FlatPoly::from_limbs(width, limbs_of(words)).unwrap_or_default();
            })?;
        }
        Ok(products)
    }
}

/// The coefficients' limbs read as twice as many words.
fn operand(poly: &FlatPoly) -> Operand<'_> {
    Operand::new(bytemuck::cast_slice(poly.limbs()), 2 * poly.width())
}
