//! Products of polynomials over generalized Fermat fields, p = r^K + 1.
//!
//! **Problem.** Dense polynomials whose coefficients have K words, in any two lengths. **Algorithms.**
//! Short operands by schoolbook products, eight elements of the field at a time (`schoolbook`). Others by
//! transforms over the field itself ([`BigPrimeProducts`]).
//! Where p − 1 has too few factors 2 for any of these, Karatsuba's method with transforms at its end, or
//! one product of long integers (Kronecker substitution).
//!
//! **Floor.** A product of length L takes three transforms of L points (two for a square) and L products
//! in the field.

mod plan;
mod schoolbook;

use std::any::Any;
use std::sync::{Arc, OnceLock};

use sunzi_dft::DftError;
use sunzi_dft::internals::BigPrimeProducts;
use sunzi_field::{DigitKernels, Digits, Field, GeneralizedFermat, with_digits};

use crate::compiled::Compiled;
use crate::error::PolyError;
use crate::integer::IntegerPolyRing;
use crate::karatsuba::Karatsuba;
use crate::multiplier::{PolyMultiplier, ProductKernels};
use crate::plan::{Algorithm, Plan};
use crate::scalar::{multiply_over_integers, wrapped_product};
use crate::thresholds::Thresholds;
use plan::Planner;

impl<const K: usize> ProductKernels<GeneralizedFermat<K>> for DigitKernels {
    fn compiled() -> &'static Compiled<GeneralizedFermat<K>> {
        match any_compiled(K).and_then(|table| table.downcast_ref()) {
            Some(table) => table,
            None => unreachable!("a field has 2, 4 … 256 digits"),
        }
    }

    fn thresholds(field: &GeneralizedFermat<K>) -> Thresholds {
        plan::built_in(K, field.constants().is_some())
    }

    fn multiplier(
        field: &GeneralizedFermat<K>,
        thresholds: &Thresholds,
    ) -> Arc<dyn PolyMultiplier<GeneralizedFermat<K>>> {
        let made = any_multiplier(field, K, *thresholds);
        let multiplier = made.and_then(|made| made.downcast().ok());
        match multiplier {
            Some(multiplier) => *multiplier,
            None => unreachable!("a field has 2, 4 … 256 digits"),
        }
    }
}

/// The [`Compiled`] of the field with this number of digits. The types are told apart at run time, so that only this
/// crate makes tables.
#[inline(never)]
fn any_compiled(digits: usize) -> Option<&'static dyn Any> {
    with_digits!(
        digits,
        D => Some(const { &Compiled::<GeneralizedFermat<D>>::TABLE }),
        _ => None
    )
}

/// An `Arc<dyn PolyMultiplier>` over the field with this number of digits.
///
/// The types are told apart at run time, so that the multipliers are compiled in this crate.
fn any_multiplier(field: &dyn Any, digits: usize, thresholds: Thresholds) -> Option<Box<dyn Any>> {
    with_digits!(
        digits,
        D => {
            let field = field.downcast_ref::<GeneralizedFermat<D>>()?;
            let multiplier: Arc<dyn PolyMultiplier<GeneralizedFermat<D>>> =
                Arc::new(BigPrimeMultiplier::new(field, thresholds));
            Some(Box::new(multiplier))
        },
        _ => None
    )
}

/// Products over one field, and what they precompute.
#[derive(Debug)]
struct BigPrimeMultiplier<const K: usize> {
    field: GeneralizedFermat<K>,
    planner: Planner,
    transforms: BigPrimeProducts<K>,
    integers: OnceLock<IntegerPolyRing>,
}

impl<const K: usize> PolyMultiplier<GeneralizedFermat<K>> for BigPrimeMultiplier<K> {
    fn plan(&self, len_a: usize, len_b: usize) -> Plan {
        self.planner.plan(len_a, len_b)
    }

    fn plan_with(
        &self,
        algorithm: Algorithm,
        len_a: usize,
        len_b: usize,
    ) -> Result<Plan, PolyError> {
        self.planner.plan_with(algorithm, len_a, len_b)
    }

    fn execute(
        &self,
        plan: &Plan,
        out: &mut [Digits<K>],
        a: &[Digits<K>],
        b: &[Digits<K>],
    ) -> Result<(), PolyError> {
        if a.is_empty() || b.is_empty() {
            return Ok(());
        }
        let refused = || self.planner.unavailable(plan.algorithm, a.len(), b.len());
        match plan.algorithm {
            Algorithm::Schoolbook => schoolbook::product(&self.field, out, a, b),
            Algorithm::Karatsuba => Karatsuba {
                field: &self.field,
                base_case: |out: &mut [_], a: &[_], b: &[_]| self.karatsuba_base_case(out, a, b),
                base_len: self.planner.karatsuba_base(),
            }
            .multiply(out, a, b),
            Algorithm::Ntt => {
                let cover = self.planner.cover(a.len(), b.len()).ok_or_else(refused)?;
                let done = self.transforms.multiply(cover, out, a, b);
                done.map_err(|error| match error {
                    DftError::OutOfMemory(error) => PolyError::OutOfMemory(error),
                    _ => refused(),
                })?;
            }
            Algorithm::CrtNtt => return Err(refused()),
            Algorithm::Kronecker => {
                let ring = self.integers.get_or_init(IntegerPolyRing::new);
                multiply_over_integers(ring, &self.field, out, a, b)?;
            }
        }
        Ok(())
    }

    fn points(&self, len: usize) -> usize {
        let lengths = self.planner.lengths();
        let points = len.next_power_of_two().max(lengths.min_points);
        if points <= lengths.max_points {
            points
        } else {
            len
        }
    }

    // Values have the form of the field's transforms; where it has none of that length, they are the coefficients themselves.

    fn value_words(&self, points: usize) -> usize {
        K * points
    }

    fn evaluate(
        &self,
        values: &mut [u64],
        points: usize,
        a: &[Digits<K>],
    ) -> Result<(), PolyError> {
        let values = Digits::from_words_mut(values);
        if self.has_transforms(points) {
            let context = self.transforms.context(points)?;
            return Ok(context.evaluate_into(values, a)?);
        }
        let (filled, rest) = values.split_at_mut(a.len());
        filled.copy_from_slice(a);
        rest.fill(Digits::default());
        Ok(())
    }

    fn sum_products(
        &self,
        out: &mut [Digits<K>],
        points: usize,
        pairs: &[[&[u64]; 2]],
    ) -> Result<(), PolyError> {
        let mut product = vec![Digits::default(); if pairs.len() > 1 { out.len() } else { 0 }];
        for (index, pair) in pairs.iter().enumerate() {
            let [a, b] = pair.map(Digits::from_words);
            let target = if index == 0 { &mut *out } else { &mut product };
            if self.has_transforms(points) {
                let context = self.transforms.context(points)?;
                context.multiply_values(target, a.to_vec(), b)?;
            } else {
                wrapped_product(self, &self.field, target, points, a, b)?;
            }
            if index > 0 {
                self.field.add_assign_slice(out, &product);
            }
        }
        Ok(())
    }
}

impl<const K: usize> BigPrimeMultiplier<K> {
    /// Over `field`. Nothing is precomputed before a product needs it.
    fn new(field: &GeneralizedFermat<K>, thresholds: Thresholds) -> Self {
        let planner = Planner::new(field, thresholds);
        Self {
            planner,
            transforms: BigPrimeProducts::new(field.clone()),
            field: field.clone(),
            integers: OnceLock::new(),
        }
    }

    /// Whether the field has transforms with this number of points.
    fn has_transforms(&self, points: usize) -> bool {
        points <= self.planner.lengths().max_points
    }

    /// What Karatsuba's recursion ends with, for operands of one length.
    fn karatsuba_base_case(&self, out: &mut [Digits<K>], a: &[Digits<K>], b: &[Digits<K>]) {
        if let Some(cover) = self.planner.base_cover(a.len())
            && self.transforms.multiply(cover, out, a, b).is_ok()
        {
            return;
        }
        schoolbook::product(&self.field, out, a, b);
    }
}
