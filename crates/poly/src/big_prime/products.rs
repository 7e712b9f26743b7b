//! Products over a generalized Fermat field: which algorithm, and what they keep.

use std::sync::Arc;

use sunzi_field::{Digits, Field, GeneralizedFermat, memory};
use sunzi_integer::Multiplier;

use super::cover::{Cover, Lengths};
use super::methods::{Methods, methods, unavailable};
use super::thresholds::Thresholds;
use crate::PolyError;
use crate::karatsuba::scratch_len;
use crate::plan::{Algorithm, Reason};
use crate::products::Products;

/// Products of polynomials over the field modulo `r^K + 1`, and what they precompute.
#[derive(Debug)]
pub struct BigPrimeProducts<const K: usize> {
    field: GeneralizedFermat<K>,
    thresholds: Thresholds,
    lengths: Lengths,
    /// None for a number of digits that no field has.
    methods: Option<Arc<dyn Methods<K>>>,
}

impl<const K: usize> Products<GeneralizedFermat<K>> for BigPrimeProducts<K> {
    fn choose(&self, len_a: usize, len_b: usize) -> (Algorithm, Reason) {
        let short = len_a.min(len_b);
        if short == 0 {
            return (Algorithm::Plain, Reason::NoTerms);
        }
        let from = |threshold| Reason::From { threshold };
        let below = |threshold| Reason::Below { threshold };
        let ntt = self.thresholds.ntt_for(len_a.max(len_b));
        let Thresholds {
            karatsuba,
            kronecker,
            ..
        } = self.thresholds;
        let vectors = self.lengths.vectors;
        if self.cover(len_a, len_b).is_some() && (vectors || short < kronecker) {
            return match short < ntt {
                true => (Algorithm::Plain, below(ntt)),
                false => (Algorithm::Ntt, from(ntt)),
            };
        }
        if short < karatsuba.min(kronecker) {
            (Algorithm::Plain, below(karatsuba.min(kronecker)))
        } else if short < kronecker {
            (Algorithm::Karatsuba, from(karatsuba))
        } else {
            (Algorithm::Kronecker, from(kronecker))
        }
    }

    fn require(&self, algorithm: Algorithm, len_a: usize, len_b: usize) -> Result<(), PolyError> {
        let available = match algorithm {
            Algorithm::Plain | Algorithm::Karatsuba | Algorithm::Kronecker => true,
            Algorithm::Ntt => len_a.min(len_b) == 0 || self.cover(len_a, len_b).is_some(),
            Algorithm::CrtNtt => false,
        };
        match available {
            true => Ok(()),
            false => Err(unavailable(algorithm, self.lengths, len_a, len_b)),
        }
    }

    fn scratch_bytes(&self, algorithm: Algorithm, len_a: usize, len_b: usize) -> u64 {
        let short = len_a.min(len_b);
        match algorithm {
            _ if short == 0 => 0,
            Algorithm::Plain | Algorithm::CrtNtt => 0,
            Algorithm::Karatsuba => {
                let elements = scratch_len(short, self.thresholds.karatsuba_base(self.lengths))
                    .saturating_add(short.saturating_mul(2));
                (elements as u64).saturating_mul(size_of::<Digits<K>>() as u64)
            }
            Algorithm::Ntt => self
                .cover(len_a, len_b)
                .map_or(0, |cover| cover.scratch_bytes(K)),
            Algorithm::Kronecker => {
                // Every coefficient of the product takes 2K words and one for their number; the
                // operands lie packed beside it, and all of them as integers, too.
                let limbs = |len: usize| len.saturating_mul(2 * K + 1);
                let packed = limbs(len_a).saturating_add(limbs(len_b)) as u64;
                let multiplication = Multiplier::scratch_bytes(limbs(len_a), limbs(len_b));
                packed.saturating_mul(4 * 8).saturating_add(multiplication)
            }
        }
    }

    fn execute(
        &self,
        algorithm: Algorithm,
        out: &mut [Digits<K>],
        a: &[Digits<K>],
        b: &[Digits<K>],
    ) -> Result<(), PolyError> {
        if a.is_empty() || b.is_empty() {
            return Ok(());
        }
        match &self.methods {
            Some(methods) => methods.execute(algorithm, out, a, b),
            None => Err(unavailable(algorithm, self.lengths, a.len(), b.len())),
        }
    }

    /// Values in the form of the field's transforms; the coefficients themselves where it has none so long.
    type Word = Digits<K>;

    fn points(&self, len: usize) -> usize {
        let points = len.next_power_of_two().max(self.lengths.min_points);
        if self.has_transforms(points) {
            points
        } else {
            len
        }
    }

    fn cyclic_points(&self, len: usize) -> usize {
        self.points(len.next_power_of_two())
    }

    fn value_words(&self, points: usize) -> usize {
        points
    }

    fn evaluate(
        &self,
        values: &mut [Digits<K>],
        points: usize,
        a: &[Digits<K>],
    ) -> Result<(), PolyError> {
        match self.transforming(points) {
            Some(methods) => methods.evaluate(values, a),
            None => {
                let (filled, rest) = values.split_at_mut(a.len());
                filled.copy_from_slice(a);
                rest.fill(Digits::default());
                Ok(())
            }
        }
    }

    fn sum_products<const PAIRS: usize>(
        &self,
        out: &mut [Digits<K>],
        points: usize,
        pairs: [[&[Digits<K>]; 2]; PAIRS],
    ) -> Result<(), PolyError> {
        let mut product = vec![Digits::default(); if PAIRS > 1 { out.len() } else { 0 }];
        for (index, [a, b]) in pairs.into_iter().enumerate() {
            let target = if index == 0 { &mut *out } else { &mut product };
            match self.transforming(points) {
                Some(methods) => methods.multiply_values(target, a, b)?,
                None => self.wrapped_product(target, points, a, b)?,
            }
            if index > 0 {
                self.field.add_assign_slice(out, &product);
            }
        }
        Ok(())
    }
}

impl<const K: usize> BigPrimeProducts<K> {
    /// Over `field`. Nothing is precomputed before a product needs it.
    pub(crate) fn new(field: &GeneralizedFermat<K>) -> Self {
        Self {
            field: field.clone(),
            thresholds: Thresholds::of(K, field.constants().is_some()),
            lengths: Lengths::of(field),
            methods: methods(field),
        }
    }

    /// Whether the field has transforms of so many points.
    fn has_transforms(&self, points: usize) -> bool {
        self.methods.is_some() && points <= self.lengths.max_points
    }

    fn transforming(&self, points: usize) -> Option<&dyn Methods<K>> {
        let methods = self.methods.as_deref();
        methods.filter(|_| self.has_transforms(points))
    }

    /// The first coefficients of the product modulo x^points − 1, of as many coefficients each.
    fn wrapped_product(
        &self,
        out: &mut [Digits<K>],
        points: usize,
        a: &[Digits<K>],
        b: &[Digits<K>],
    ) -> Result<(), PolyError> {
        let plan = self.plan(points, points);
        let bytes = 2 * points as u64 * size_of::<Digits<K>>() as u64;
        memory::require(plan.scratch_bytes.saturating_add(bytes))?;
        let mut product = vec![Digits::default(); 2 * points - 1];
        self.execute(plan.algorithm, &mut product, a, b)?;
        let (low, high) = product.split_at_mut(points);
        self.field.add_assign_slice(&mut low[..points - 1], high);
        out.copy_from_slice(&low[..out.len()]);
        Ok(())
    }

    fn cover(&self, len_a: usize, len_b: usize) -> Option<Cover> {
        self.lengths.cover(len_a, len_b)
    }
}
