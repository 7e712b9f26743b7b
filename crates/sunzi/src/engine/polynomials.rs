//! Polynomials over ℤ.

use super::on_device::{OnDevice, limbs_of};
use super::{Engine, EngineError};
use crate::poly::{FlatPoly, Poly};
use dashu_int::IBig;
use std::borrow::Cow;
use std::collections::BTreeMap;
use sunzi_gpu::GpuError;
use sunzi_gpu::products::{Finish, Operand, ProductForm};
use sunzi_gpu::residues::CoefficientForm;
use sunzi_threads::Threads;

/// Bits of a limb.
const LIMB: usize = 64;

impl Engine {
    /// Multiplies pairs of polynomials over ℤ.
    ///
    /// # Errors
    /// [`EngineError`] if there is too little memory, or the device that was asked for fails.
    pub fn multiply_polynomials(
        &self,
        pairs: &[[&Poly<IBig>; 2]],
    ) -> Result<Vec<Poly<IBig>>, EngineError> {
        match self.polynomials_on_device(pairs)? {
            Some(products) => Ok(products),
            None => self.polynomials_on_processor(pairs),
        }
    }

    /// As [`Engine::multiply_polynomials`] if the batch is for a device; `None` if it is for the processor.
    ///
    /// # Errors
    /// As [`Engine::multiply_polynomials`].
    pub fn polynomials_on_device(
        &self,
        pairs: &[[&Poly<IBig>; 2]],
    ) -> Result<Option<Vec<Poly<IBig>>>, EngineError> {
        let words = |poly: &Poly<IBig>| {
            let coefficients = poly.coefficients().iter();
            coefficients
                .map(|value| 2 * value.as_sign_words().1.len())
                .sum::<usize>()
        };
        let words = pairs.iter().map(|pair| words(pair[0]) + words(pair[1]));
        self.on_device(pairs, words, OnDevice::multiply_polynomials, |pairs| {
            self.polynomials_on_processor(pairs)
        })
    }

    fn polynomials_on_processor(
        &self,
        pairs: &[[&Poly<IBig>; 2]],
    ) -> Result<Vec<Poly<IBig>>, EngineError> {
        let multiply =
            |pair: &[&Poly<IBig>; 2]| Ok(self.integer_polys.try_mul(pair[0], pair[1])?);
        Threads::all().try_map(pairs, multiply)
    }

    /// Multiplies pairs of polynomials over ℤ that lie in rows of limbs.
    ///
    /// # Errors
    /// As [`Engine::multiply_polynomials`].
    pub fn multiply_flat(&self, pairs: &[[&FlatPoly; 2]]) -> Result<Vec<FlatPoly>, EngineError> {
        let words = |pair: &[&FlatPoly; 2]| 2 * (pair[0].limbs().len() + pair[1].limbs().len());
        let on_processor = |pairs: &[[&FlatPoly; 2]]| self.flat_on_processor(pairs);
        let products = self.on_device(
            pairs,
            pairs.iter().map(words),
            OnDevice::multiply_flat,
            on_processor,
        )?;
        match products {
            Some(products) => Ok(products),
            None => self.flat_on_processor(pairs),
        }
    }

    fn flat_on_processor(&self, pairs: &[[&FlatPoly; 2]]) -> Result<Vec<FlatPoly>, EngineError> {
        let multiply = |pair: &[&FlatPoly; 2]| {
            let mut product = FlatPoly::default();
            self.integer_polys
                .mul_flat(&mut product, pair[0], pair[1])?;
            Ok(product)
        };
        Threads::all().try_map(pairs, multiply)
    }
}

/// What pairs that are multiplied together have in common: limbs of coefficients, left and right, and bits of their
/// products; all rounded up, so that batches of mixed sizes fall into few groups.
type Likeness = (usize, usize, u64);

/// A number rounded up by a quarter of itself at most.
fn rounded(count: usize) -> usize {
    count.next_multiple_of((count.next_power_of_two() / 8).max(1))
}

impl OnDevice {
    fn multiply_polynomials(
        &self,
        pairs: &[[&Poly<IBig>; 2]],
    ) -> Result<Vec<Poly<IBig>>, GpuError> {
        let flat = Threads::all().map(pairs, |pair| pair.map(FlatPoly::from_poly));
        let flat: Vec<_> = flat.iter().map(|[a, b]| [a, b]).collect();
        let products = self.multiply_flat(&flat)?;
        Ok(Threads::all().map(&products, FlatPoly::to_poly))
    }

    fn multiply_flat(&self, pairs: &[[&FlatPoly; 2]]) -> Result<Vec<FlatPoly>, GpuError> {
        let mut alike: BTreeMap<Likeness, Vec<usize>> = BTreeMap::new();
        let mut widths = Vec::with_capacity(pairs.len());
        for (number, pair) in pairs.iter().enumerate() {
            let [left, right] = pair.map(FlatPoly::magnitude_bits);
            let bits = left + right + 1;
            widths.push((bits + carried_bits(pair)).div_ceil(LIMB));
            let likeness = (
                rounded(pair[0].width()),
                rounded(pair[1].width()),
                rounded(bits) as u64,
            );
            alike.entry(likeness).or_default().push(number);
        }
        let mut products = vec![FlatPoly::default(); pairs.len()];
        for ((left, right, bits), numbers) in alike {
            let rows: Vec<_> = numbers
                .iter()
                .map(|&number| {
                    [
                        widened(pairs[number][0], left),
                        widened(pairs[number][1], right),
                    ]
                })
                .collect();
            let operand = |rows, limbs| Operand::new(bytemuck::cast_slice(rows), 2 * limbs);
            let group: Vec<_> = rows
                .iter()
                .map(|[a, b]| [operand(a, left), operand(b, right)])
                .collect();
            let carries = numbers
                .iter()
                .map(|&number| carried_bits(&pairs[number]))
                .max();
            let width = (bits as usize + carries.unwrap_or(0)).div_ceil(LIMB);
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
            self.polynomials.multiply(&form, &group, |index, words| {
                let number = numbers[index];
                products[number] = narrowed(&limbs_of(words), width, widths[number]);
            })?;
        }
        Ok(products)
    }
}

/// Bits that a sum of so many products has more than one of them.
fn carried_bits(pair: &[&FlatPoly; 2]) -> usize {
    let terms = pair[0].len().min(pair[1].len()).max(1);
    terms.next_power_of_two().trailing_zeros() as usize
}

/// The coefficients' limbs, `width` of each: no fewer than there are.
fn widened(poly: &FlatPoly, width: usize) -> Cow<'_, [u64]> {
    if poly.width() == width {
        return Cow::Borrowed(poly.limbs());
    }
    let mut limbs = Vec::with_capacity(poly.len() * width);
    for row in poly.limbs().chunks(poly.width()) {
        let negative = row.last().is_some_and(|&top| top >> (LIMB - 1) != 0);
        limbs.extend_from_slice(row);
        limbs.resize(
            limbs.len() + width - row.len(),
            if negative { u64::MAX } else { 0 },
        );
    }
    Cow::Owned(limbs)
}

/// A polynomial whose coefficients, of `width` limbs each, need no more than `own`.
fn narrowed(limbs: &[u64], width: usize, own: usize) -> FlatPoly {
    if limbs.is_empty() {
        return FlatPoly::default();
    }
    let own = own.clamp(1, width);
    let kept = limbs
        .chunks_exact(width)
        .flat_map(|row| &row[..own])
        .copied()
        .collect();
    // Whole rows of one limb at least are a polynomial.
    FlatPoly::from_limbs(own, kept).unwrap_or_default()
}
