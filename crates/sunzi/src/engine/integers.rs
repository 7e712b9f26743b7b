//! Integers.

use super::on_device::{OnDevice, keep_all, limbs_of};
use super::{Batch, Engine, EngineError, Work};
use crate::integer::{Algorithm, Plan};
use crate::{Integer, Natural};
use std::fmt;
use sunzi_device::GpuError;

/// What a product of two integers runs on the processor.
///
/// ```
/// use sunzi::Integer;
/// use sunzi::engine::{DeviceChoice, Engine};
/// use sunzi::integer::Algorithm;
///
/// let engine = Engine::new(DeviceChoice::Cpu)?;
/// let a = Integer::from(3);
/// let plan = engine.plan_integers([&a, &a], Some(Algorithm::Karatsuba));
/// assert_eq!(plan.to_string(), "karatsuba for 1 × 1 limbs: asked for");
/// assert_eq!(engine.plan_integers([&a, &a], None).algorithm, Algorithm::Schoolbook);
/// # Ok::<(), sunzi::engine::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct IntegerProductPlan {
    /// Limbs of the operands.
    pub limbs: [usize; 2],
    /// The algorithm of the outermost level.
    pub algorithm: Algorithm,
    /// About how many bytes it takes beside operands and product.
    pub scratch_bytes: u64,
    /// Why that algorithm, unless it was asked for.
    chosen: Option<Plan>,
}

impl fmt::Display for IntegerProductPlan {
    /// One sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.chosen, self.limbs) {
            (Some(plan), _) => plan.fmt(f),
            (None, [a, b]) => write!(f, "{} for {a} × {b} limbs: asked for", self.algorithm),
        }
    }
}

impl Engine {
    /// What the processor runs for a pair of integers, and why.
    pub fn plan_integers(
        &self,
        pair: [&Integer; 2],
        algorithm: Option<Algorithm>,
    ) -> IntegerProductPlan {
        let [a, b] = pair.map(|value| limbs(value).len());
        let plan = self.multiplier.plan(a, b);
        // One that this processor lacks is refused when it is to run.
        let forced =
            algorithm.and_then(|algorithm| self.multiplier.plan_with(algorithm, a, b).ok());
        IntegerProductPlan {
            limbs: [a, b],
            algorithm: algorithm.unwrap_or(plan.algorithm()),
            scratch_bytes: forced.unwrap_or(plan).bytes(),
            chosen: algorithm.is_none().then_some(plan),
        }
    }

    /// Multiplies pairs of integers.
    ///
    /// # Errors
    /// [`EngineError::Gpu`] if the device that was asked for fails. Rows have errors of their own.
    pub fn multiply_integers(
        &self,
        pairs: &[[&Integer; 2]],
        algorithm: Option<Algorithm>,
    ) -> Result<Batch<Integer>, EngineError> {
        let multiply = |pair: &[&Integer; 2]| {
            let [a, b] = pair.map(limbs);
            let mut product = vec![0; a.len() + b.len()];
            match algorithm {
                Some(algorithm) => self.multiplier.mul_with(algorithm, &mut product, a, b)?,
                None => self.multiplier.try_mul(&mut product, a, b)?,
            }
            Ok(with_sign(pair, &product))
        };
        if algorithm.is_some() {
            return Ok(Batch::on_processor(pairs, multiply));
        }
        let work = Work {
            words: &|pair: &[&Integer; 2]| pair.iter().map(|value| 2 * limbs(value).len()).sum(),
            on_device: &|device, pairs| Ok(device.multiply_integers(pairs)?),
            on_processor: &multiply,
        };
        self.run(pairs, &work)
    }
}

impl OnDevice {
    pub(super) fn multiply_integers(
        &self,
        pairs: &[[&Integer; 2]],
    ) -> Result<Vec<Integer>, GpuError> {
        let operands: Vec<_> = pairs
            .iter()
            .map(|pair| pair.map(|value| digits(limbs(value))))
            .collect();
        let mut products = vec![Integer::ZERO; pairs.len()];
        let make = |number: usize, words: &[u32]| with_sign(&pairs[number], &limbs_of(words));
        self.integers
            .multiply_together(&self.polynomials, &operands, |done| {
                keep_all(&mut products, done, make);
            })?;
        Ok(products)
    }
}

/// The limbs of a magnitude.
fn limbs(value: &Integer) -> &[u64] {
    value.magnitude().as_limbs()
}

/// The digits of a magnitude: its limbs read as twice as many words.
fn digits(limbs: &[u64]) -> &[u32] {
    let words: &[u32] = bytemuck::cast_slice(limbs);
    // A highest digit of zero is none.
    &words[..words.len() - usize::from(words.last() == Some(&0))]
}

/// The product of a pair whose magnitude has these limbs.
fn with_sign(pair: &[&Integer; 2], magnitude: &[u64]) -> Integer {
    let [negative, other] = pair.map(Integer::is_negative);
    Integer::from_sign_magnitude(negative != other, Natural::from(magnitude))
}
