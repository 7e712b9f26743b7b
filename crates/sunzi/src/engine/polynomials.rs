//! Polynomials over ℤ.

use super::on_device::{OnDevice, keep_all, limbs_of};
use super::{Batch, Engine, EngineError, Work};
use crate::Integer;
use crate::poly::{Algorithm, FlatPoly, IntegerPlan, Poly};
use std::borrow::Cow;
use std::collections::BTreeMap;
use sunzi_device::GpuError;
use sunzi_gpu::products::{CoefficientForm, Finish, Operand, ProductForm};
use sunzi_machine::threads::Threads;

/// Bits of a limb.
const LIMB: usize = 64;

impl Engine {
    /// What the processor runs for a pair of polynomials over ℤ, and why.
    ///
    /// # Errors
    /// [`EngineError::Polynomial`] if the named algorithm cannot do it.
    pub fn plan_polynomials(
        &self,
        [a, b]: [&Poly<Integer>; 2],
        algorithm: Option<Algorithm>,
    ) -> Result<IntegerPlan, EngineError> {
        match algorithm {
            Some(algorithm) => Ok(self.integer_polys.plan_with(algorithm, a, b)?),
            None => Ok(self.integer_polys.plan(a, b)),
        }
    }

    /// Multiplies pairs of polynomials over ℤ.
    ///
    /// ```
    /// use sunzi::Integer;
    /// use sunzi::engine::{DeviceChoice, Engine};
    /// use sunzi::poly::Poly;
    ///
    /// let f = Poly::new(vec![Integer::from(-1), Integer::from(2)]);
    /// let engine = Engine::new(DeviceChoice::Auto)?;
    /// let squares = engine.multiply_polynomials(&[[&f, &f]], None)?.into_all()?;
    /// assert_eq!(squares[0].coefficients(), [1, -4, 4].map(Integer::from));
    /// # Ok::<(), sunzi::engine::EngineError>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if the device that was asked for fails. Rows have errors of their own.
    pub fn multiply_polynomials(
        &self,
        pairs: &[[&Poly<Integer>; 2]],
        algorithm: Option<Algorithm>,
    ) -> Result<Batch<Poly<Integer>>, EngineError> {
        let multiply = |[a, b]: &[&Poly<Integer>; 2]| match algorithm {
            Some(algorithm) => Ok(self.integer_polys.mul_with(algorithm, a, b)?),
            None => Ok(self.integer_polys.try_mul(a, b)?),
        };
        if algorithm.is_some() {
            return Ok(Batch::on_processor(pairs, multiply));
        }
        let words = |poly: &Poly<Integer>| {
            let coefficients = poly.coefficients().iter();
            coefficients
                .map(|value| 2 * value.magnitude().as_limbs().len())
                .sum::<usize>()
        };
        let work = Work {
            words: &|[a, b]: &[&Poly<Integer>; 2]| words(a) + words(b),
            on_device: &|device, pairs| Ok(device.multiply_polynomials(pairs)?),
            on_processor: &multiply,
        };
        self.run(pairs, &work)
    }

    /// Multiplies pairs of polynomials over ℤ that lie in rows of limbs.
    ///
    /// # Errors
    /// As [`Engine::multiply_polynomials`].
    pub fn multiply_flat(&self, pairs: &[[&FlatPoly; 2]]) -> Result<Batch<FlatPoly>, EngineError> {
        let work = Work {
            words: &|[a, b]: &[&FlatPoly; 2]| 2 * (a.limbs().len() + b.limbs().len()),
            on_device: &|device, pairs| Ok(device.multiply_flat(pairs)?),
            on_processor: &|[a, b]: &[&FlatPoly; 2]| {
                let mut product = FlatPoly::default();
                self.integer_polys.mul_flat(&mut product, a, b)?;
                Ok(product)
            },
        };
        self.run(pairs, &work)
    }
}

/// What pairs that are multiplied together have in common; all rounded up, so that batches of mixed sizes fall into few
/// groups.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Shape {
    /// Limbs of a coefficient of the left operand.
    left: usize,
    right: usize,
    /// Bits of a product of two coefficients.
    bits: u64,
}

/// A number rounded up by a quarter of itself at most.
fn rounded(count: usize) -> usize {
    count.next_multiple_of((count.next_power_of_two() / 8).max(1))
}

impl OnDevice {
    fn multiply_polynomials(
        &self,
        pairs: &[[&Poly<Integer>; 2]],
    ) -> Result<Vec<Poly<Integer>>, GpuError> {
        let flat = Threads::all().map(pairs, |pair| pair.map(FlatPoly::from_poly));
        let flat: Vec<_> = flat.iter().map(|[a, b]| [a, b]).collect();
        let products = self.multiply_flat(&flat)?;
        Ok(Threads::all().map(&products, FlatPoly::to_poly))
    }

    fn multiply_flat(&self, pairs: &[[&FlatPoly; 2]]) -> Result<Vec<FlatPoly>, GpuError> {
        let mut groups: BTreeMap<Shape, Vec<usize>> = BTreeMap::new();
        let mut widths = Vec::with_capacity(pairs.len());
        for (number, pair) in pairs.iter().enumerate() {
            let [left, right] = pair.map(FlatPoly::magnitude_bits);
            let bits = left + right + 1;
            widths.push((bits + carried_bits(pair)).div_ceil(LIMB));
            let shape = Shape {
                left: rounded(pair[0].width()),
                right: rounded(pair[1].width()),
                bits: rounded(bits) as u64,
            };
            groups.entry(shape).or_default().push(number);
        }
        let mut products = vec![FlatPoly::default(); pairs.len()];
        for (Shape { left, right, bits }, numbers) in groups {
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
            let make =
                |number: usize, words: &[u32]| narrowed(&limbs_of(words), width, widths[number]);
            self.polynomials.multiply_together(&form, &group, |done| {
                let done: Vec<_> = done
                    .iter()
                    .map(|&(index, words)| (numbers[index], words))
                    .collect();
                keep_all(&mut products, &done, make);
            })?;
        }
        Ok(products)
    }
}

/// By how many bits a coefficient of the product may exceed the product of two coefficients.
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
