//! Batches of operands of all lengths, by transforms.

use super::{Finish, Operand, TransformProducts, TransformShape};
use crate::residues::CoefficientForm;
use crate::{Device, GpuError};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// Shapes whose kernels and tables are kept.
const KEPT_SHAPES: usize = 64;
/// Bits of values are rounded up to a multiple of this, so that shapes that differ by little are the same.
const BITS_STEP: u64 = 15;
/// How often a product is cut in two at most: 64 products of pieces still gain from a device.
const MOST_CUTS: u32 = 6;
/// Terms of the longer operand down to which a product is cut up when it does not fit.
const SHORTEST_CUT: usize = 1 << 10;

/// What is multiplied, whatever the lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProductForm {
    /// The coefficients of left operands.
    pub left: CoefficientForm,
    /// The coefficients of right operands.
    pub right: CoefficientForm,
    /// Bits of the product of two coefficients, the sign included: a coefficient of a product of n terms has log₂ n
    /// more.
    pub bits: u64,
    /// What becomes of the product's coefficients.
    pub finish: Finish,
}

impl ProductForm {
    /// Integers by digits of 32 bits.
    pub const INTEGERS: Self = Self {
        left: DIGITS,
        right: DIGITS,
        bits: 64,
        finish: Finish::Carry,
    };

    /// Residues modulo an odd number below 2^63, of one word each or of two; of one if it is below 2^32, or else of two.
    ///
    /// ```
    /// use sunzi_gpu::products::{Finish, ProductForm};
    ///
    /// assert_eq!(ProductForm::modulo(97, 1).finish, Finish::Modulo32(97));
    /// assert_eq!(ProductForm::modulo((1 << 61) - 1, 2).bits, 122);
    /// ```
    pub fn modulo(modulus: u64, words: usize) -> Self {
        let coefficients = CoefficientForm {
            words,
            signed: false,
        };
        Self {
            left: coefficients,
            right: coefficients,
            bits: 2 * u64::from(u64::BITS - modulus.leading_zeros()),
            finish: match u32::try_from(modulus) {
                Ok(modulus) if words == 1 => Finish::Modulo32(modulus),
                _ => Finish::Modulo64(modulus),
            },
        }
    }
}

/// The digits of integers.
const DIGITS: CoefficientForm = CoefficientForm {
    words: 1,
    signed: false,
};

/// Multiplies batches by transforms, whatever the lengths: pairs of like length together, and a pair that does not fit
/// in the device's memory in pieces.
#[derive(Debug)]
pub struct Transformer {
    device: Device,
    kept: Mutex<HashMap<TransformShape, Arc<TransformProducts>>>,
}

impl Transformer {
    /// Has no kernels yet.
    pub fn new(device: &Device) -> Self {
        Self {
            device: device.clone(),
            kept: Mutex::default(),
        }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Products of one shape, made ready when first asked for.
    ///
    /// # Errors
    /// As [`TransformProducts::new`].
    pub fn of_shape(&self, shape: TransformShape) -> Result<Arc<TransformProducts>, GpuError> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(products) = kept.get(&shape) {
            return Ok(products.clone());
        }
        if kept.len() >= KEPT_SHAPES {
            kept.clear();
        }
        let made = Arc::new(TransformProducts::new(&self.device, shape)?);
        kept.insert(shape, made.clone());
        Ok(made)
    }

    /// The shape of a product of operands of so many terms, both above 0.
    fn shape(form: &ProductForm, [left, right]: [usize; 2]) -> TransformShape {
        let digits = usize::from(form.finish == Finish::Carry);
        let points = (left + right - 1 + digits).next_power_of_two();
        let shorter = left.min(right) as u64;
        TransformShape {
            log_points: points.trailing_zeros(),
            left: form.left,
            right: form.right,
            bits: rounded(
                form.bits
                    .saturating_add(u64::from(shorter.next_power_of_two().trailing_zeros())),
            ),
            finish: form.finish,
        }
    }

    /// Multiplies pairs of operands, and hands each product's words to `take`, with the pair's number: as
    /// [`TransformProducts::multiply`], whatever the lengths.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if coefficients are not of this form; [`GpuError::TooFewPrimes`];
    /// [`GpuError::OutOfMemory`] if not even short pieces fit in the device's memory; what the device refuses.
    pub fn multiply(
        &self,
        form: &ProductForm,
        pairs: &[[Operand<'_>; 2]],
        mut take: impl FnMut(usize, &[u32]),
    ) -> Result<(), GpuError> {
        let mut groups: BTreeMap<(u32, u64), Vec<usize>> = BTreeMap::new();
        for (number, pair) in pairs.iter().enumerate() {
            let terms = pair.map(|operand| operand.terms());
            if terms.contains(&0) {
                take(number, &[]);
            } else {
                let shape = Self::shape(form, terms);
                groups
                    .entry((shape.log_points, shape.bits))
                    .or_default()
                    .push(number);
            }
        }
        for numbers in groups.into_values() {
            let group: Vec<_> = numbers.iter().map(|&number| pairs[number]).collect();
            let shape = Self::shape(form, group[0].map(|operand| operand.terms()));
            // Products are handed out in order, so what has yet to be computed is the rest.
            let mut done = 0;
            let mut most = group.len();
            let multiplied = loop {
                let start = done;
                let attempt = self.of_shape(shape).and_then(|products| {
                    products.multiply_by(most, &group[start..], |index, words| {
                        done = start + index + 1;
                        take(numbers[start + index], words);
                    })
                });
                match attempt {
                    Err(GpuError::OutOfMemory { .. }) if most > 1 => {
                        // The tables of other shapes take memory, too, and so do other threads.
                        self.forget();
                        most = most.min(group.len() - done).div_ceil(8);
                    }
                    done => break done,
                }
            };
            match multiplied {
                Ok(()) => {}
                Err(error) if may_fit_in_pieces(&error) => {
                    for &number in &numbers[done..] {
                        take(
                            number,
                            &self.in_pieces(form, pairs[number], MOST_CUTS, error.clone())?,
                        );
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Forgets all shapes, whose memory is free again unless they are in use.
    pub(super) fn forget(&self) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clear();
    }

    /// The product of a pair that does not fit as it is, by the products of halves of the longer operand, which may be
    /// cut `cuts` times in all.
    fn in_pieces(
        &self,
        form: &ProductForm,
        [left, right]: [Operand<'_>; 2],
        cuts: u32,
        error: GpuError,
    ) -> Result<Vec<u32>, GpuError> {
        let terms = [left.terms(), right.terms()];
        let half = terms[0].max(terms[1]).div_ceil(2);
        if half < SHORTEST_CUT || cuts == 0 {
            return Err(error);
        }
        let pieces = if terms[0] >= terms[1] {
            let (low, high) = left.split(half);
            [[low, right], [high, right]]
        } else {
            let (low, high) = right.split(half);
            [[left, low], [left, high]]
        };
        let digits = usize::from(form.finish == Finish::Carry);
        let words = form.finish.words();
        let mut product = vec![0; (terms[0] + terms[1] - 1 + digits) * words];
        for (index, piece) in pieces.into_iter().enumerate() {
            let mut add =
                |part: &[u32]| form.finish.add(&mut product[index * half * words..], part);
            let shape = Self::shape(form, piece.map(|operand| operand.terms()));
            let mut attempt = || {
                let products = self.of_shape(shape)?;
                products.multiply(&[piece], |_, part| add(part))
            };
            let mut multiplied = attempt();
            if let Err(GpuError::OutOfMemory { .. }) = multiplied {
                self.forget();
                multiplied = attempt();
            }
            match multiplied {
                Ok(()) => {}
                Err(error) if may_fit_in_pieces(&error) => {
                    add(&self.in_pieces(form, piece, cuts - 1, error)?);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(product)
    }
}

/// Bits rounded up, if they can be.
fn rounded(bits: u64) -> u64 {
    bits.checked_next_multiple_of(BITS_STEP).unwrap_or(bits)
}

/// Whether shorter operands may do where longer ones could not.
fn may_fit_in_pieces(error: &GpuError) -> bool {
    matches!(
        error,
        GpuError::OutOfMemory { .. } | GpuError::TooFewPrimes { .. }
    )
}
