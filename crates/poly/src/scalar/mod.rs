//! Products of polynomials over any field: nothing is asked of it but its own operations.
//!
//! **Problem.** Dense polynomials over a field that has no kernels of its own. **Algorithms.** Schoolbook products (`schoolbook`)
//! and Karatsuba's method by single products; transforms over several primes where elements are residues of one word; else
//! one product of long integers (`integers`). Transforms over the field, one element at a time, are for those who ask.
//!
//! Polynomials that take part in several products are kept as values modulo several primes, or as their coefficients.

mod integers;
mod schoolbook;

use std::sync::{Arc, OnceLock};
use sunzi_integer::Natural;

use sunzi_dft::crt::ModularConvolver;
use sunzi_dft::internals::in_chunks_of;
use sunzi_dft::{DftError, Ordering};
use sunzi_field::{Rows, ScalarKernels, TwoAdicField};
use sunzi_machine::memory::Budget;

use crate::compiled::Compiled;
use crate::error::PolyError;
use crate::integer::IntegerPolyRing;
use crate::karatsuba::{self, Karatsuba};
use crate::multiplier::{CoefficientField, PolyMultiplier, ProductKernels};
use crate::plan::{Algorithm, Plan, Reason};
use crate::thresholds::Thresholds;
pub(crate) use integers::{multiply as multiply_over_integers, scratch_bytes as integer_bytes};
pub(crate) use schoolbook::one_by_one;

/// Coefficients of a schoolbook product that a thread computes together.
const CHUNK: usize = 128;

impl<F: TwoAdicField<Kernels = Self> + Rows> ProductKernels<F> for ScalarKernels {
    /// As measured modulo 2^64 − 59.
    fn thresholds(_: &F) -> Thresholds {
        Thresholds {
            ntt: usize::MAX,
            ntt_long: usize::MAX,
            karatsuba: 20,
            over_integers: 36,
            leaf_log: 6,
        }
    }

    fn compiled() -> &'static Compiled<F>
    where
        F: CoefficientField,
    {
        const { &Compiled::TABLE }
    }

    fn multiplier(field: &F, thresholds: &Thresholds) -> Arc<dyn PolyMultiplier<F>>
    where
        F: CoefficientField,
    {
        let modulus = u64::try_from(field.modulus::<Natural>()).ok();
        Arc::new(ScalarMultiplier {
            field: field.clone(),
            thresholds: *thresholds,
            residues: modulus
                .filter(|_| F::WIDTH == 1)
                .and_then(|modulus| ModularConvolver::new(modulus).ok()),
            integers: OnceLock::new(),
        })
    }
}

/// Products over one field, and what they precompute.
#[derive(Debug)]
struct ScalarMultiplier<F> {
    field: F,
    thresholds: Thresholds,
    /// Transforms over several primes, where elements are residues of one word.
    residues: Option<ModularConvolver>,
    integers: OnceLock<IntegerPolyRing>,
}

impl<F: CoefficientField<Kernels = ScalarKernels> + Rows> PolyMultiplier<F>
    for ScalarMultiplier<F>
{
    fn plan(&self, len_a: usize, len_b: usize) -> Plan {
        let (algorithm, reason) = self.choose(len_a, len_b);
        self.with(algorithm, reason, len_a, len_b)
    }

    fn plan_with(
        &self,
        algorithm: Algorithm,
        len_a: usize,
        len_b: usize,
    ) -> Result<Plan, PolyError> {
        let available = match algorithm {
            Algorithm::Schoolbook | Algorithm::Karatsuba | Algorithm::Kronecker => true,
            Algorithm::Ntt => self.has_transform(len_a, len_b),
            Algorithm::CrtNtt => self.over_primes(len_a, len_b).is_some(),
        };
        match available {
            true => Ok(self.with(algorithm, Reason::Asked, len_a, len_b)),
            false => Err(self.unavailable(algorithm, len_a, len_b)),
        }
    }

    fn execute(
        &self,
        plan: &Plan,
        out: &mut [F::Elem],
        a: &[F::Elem],
        b: &[F::Elem],
    ) -> Result<(), PolyError> {
        if a.is_empty() || b.is_empty() {
            return Ok(());
        }
        let refused = || self.unavailable(plan.algorithm, a.len(), b.len());
        match plan.algorithm {
            Algorithm::Schoolbook => self.schoolbook(out, a, b),
            Algorithm::Karatsuba => Karatsuba {
                field: &self.field,
                base_case: |out: &mut [_], a: &[_], b: &[_]| self.schoolbook(out, a, b),
                base_len: self.karatsuba_base(),
            }
            .multiply(out, a, b),
            Algorithm::Ntt => self.by_transforms(out, a, b).map_err(|error| match error {
                DftError::OutOfMemory(error) => PolyError::OutOfMemory(error),
                _ => refused(),
            })?,
            Algorithm::CrtNtt => {
                let convolver = self.over_primes(a.len(), b.len()).ok_or_else(refused)?;
                let mut product = vec![0; out.len()];
                convolver
                    .convolve(&mut product, &F::rows(a), &F::rows(b))
                    .map_err(|_| refused())?;
                out.copy_from_slice(&F::from_rows(product));
            }
            Algorithm::Kronecker => {
                let ring = self.integers.get_or_init(IntegerPolyRing::new);
                multiply_over_integers(ring, &self.field, out, a, b)?;
            }
        }
        Ok(())
    }

    fn points(&self, len: usize) -> usize {
        let over_primes = self.residues.as_ref().and_then(|all| all.points_for(len));
        over_primes.unwrap_or(len)
    }

    fn value_words(&self, points: usize) -> usize {
        match &self.residues {
            Some(convolver) => convolver.value_words(points),
            None => F::WIDTH * points,
        }
    }

    fn evaluate(&self, values: &mut [u64], points: usize, a: &[F::Elem]) -> Result<(), PolyError> {
        let rows = F::rows(a);
        if let Some(convolver) = &self.residues {
            return Ok(convolver.evaluate_into(values, points, &rows)?);
        }
        let (filled, rest) = values.split_at_mut(rows.len());
        filled.copy_from_slice(&rows);
        rest.fill(0);
        Ok(())
    }

    fn sum_products(
        &self,
        out: &mut [F::Elem],
        points: usize,
        pairs: &[[&[u64]; 2]],
    ) -> Result<(), PolyError> {
        if let Some(convolver) = &self.residues {
            let mut sum = vec![0; out.len()];
            match *pairs {
                [pair] => convolver.sum_products(&mut sum, points, [pair])?,
                [first, second] => convolver.sum_products(&mut sum, points, [first, second])?,
                _ => unreachable!("one or two pairs"),
            }
            out.copy_from_slice(&F::from_rows(sum));
            return Ok(());
        }
        let mut product = vec![self.field.zero(); out.len()];
        for (index, pair) in pairs.iter().enumerate() {
            let [a, b] = pair.map(|values| F::from_rows(values.to_vec()));
            let target = if index == 0 { &mut *out } else { &mut product };
            wrapped_product(self, &self.field, target, points, &a, &b)?;
            if index > 0 {
                self.field.add_assign_slice(out, &product);
            }
        }
        Ok(())
    }
}

impl<F: CoefficientField<Kernels = ScalarKernels> + Rows> ScalarMultiplier<F> {
    fn with(&self, algorithm: Algorithm, reason: Reason, len_a: usize, len_b: usize) -> Plan {
        Plan {
            len_a,
            len_b,
            algorithm,
            reason,
            scratch_bytes: self.scratch_bytes(algorithm, len_a, len_b),
        }
    }

    fn choose(&self, len_a: usize, len_b: usize) -> (Algorithm, Reason) {
        let short = len_a.min(len_b);
        if short == 0 {
            return (Algorithm::Schoolbook, Reason::NoTerms);
        }
        let from = |threshold| Reason::From { threshold };
        let ntt = self.thresholds.ntt_for(len_a.max(len_b));
        let (karatsuba, integers) = (self.thresholds.karatsuba, self.thresholds.over_integers);
        if short >= ntt && self.has_transform(len_a, len_b) {
            (Algorithm::Ntt, from(ntt))
        } else if short >= integers && self.over_primes(len_a, len_b).is_some() {
            (Algorithm::CrtNtt, from(integers))
        } else if short >= integers {
            (Algorithm::Kronecker, from(integers))
        } else if short >= karatsuba {
            (Algorithm::Karatsuba, from(karatsuba))
        } else {
            let threshold = karatsuba.min(integers);
            (Algorithm::Schoolbook, Reason::Below { threshold })
        }
    }

    /// Memory that an algorithm takes beside operands and product, in bytes.
    fn scratch_bytes(&self, algorithm: Algorithm, len_a: usize, len_b: usize) -> u64 {
        let (short, element) = (len_a.min(len_b), size_of::<F::Elem>());
        let len = len_a.saturating_add(len_b);
        match algorithm {
            _ if short == 0 => 0,
            Algorithm::Schoolbook => 0,
            Algorithm::Karatsuba => karatsuba::scratch_bytes(short, self.karatsuba_base(), element),
            // Both operands, scratch memory and the table.
            Algorithm::Ntt => (len.saturating_mul(2) as u64).saturating_mul(4 * element as u64),
            Algorithm::CrtNtt => {
                let plan = self.residues.as_ref().map(|all| all.plan(len_a, len_b));
                plan.map_or(0, |plan| plan.bytes().saturating_add(8 * len as u64))
            }
            Algorithm::Kronecker => integer_bytes(F::WIDTH, len_a, len_b),
        }
    }

    /// Karatsuba's recursion ends below its threshold.
    const fn karatsuba_base(&self) -> usize {
        self.thresholds.karatsuba - 1
    }

    fn has_transform(&self, len_a: usize, len_b: usize) -> bool {
        let log = self.field.two_adicity().min(usize::BITS - 1);
        len_a.saturating_add(len_b) <= 1 << log
    }

    /// What multiplies operands of these lengths over several primes: they have roots of unity for 2^32 points.
    fn over_primes(&self, len_a: usize, len_b: usize) -> Option<&ModularConvolver> {
        let in_range = len_a.saturating_add(len_b) as u64 <= 1 << 32;
        self.residues.as_ref().filter(|_| in_range)
    }

    fn schoolbook(&self, out: &mut [F::Elem], a: &[F::Elem], b: &[F::Elem]) {
        let (long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
        in_chunks_of(CHUNK, out, &|start, out| {
            one_by_one(&self.field, out, start, long, short);
        });
    }

    fn by_transforms(
        &self,
        out: &mut [F::Elem],
        a: &[F::Elem],
        b: &[F::Elem],
    ) -> Result<(), DftError> {
        let points = out.len().next_power_of_two();
        let context = self.field.fastest_dft(points)?;
        let values = |operand: &[F::Elem]| {
            let mut values = operand.to_vec();
            values.resize(points, self.field.zero());
            context.forward(&mut values, Ordering::Internal)?;
            Ok::<_, DftError>(values)
        };
        let mut product = values(a)?;
        match std::ptr::eq(a, b) {
            true => {
                let square = product.clone();
                self.field.mul_assign_slice(&mut product, &square);
            }
            false => self.field.mul_assign_slice(&mut product, &values(b)?),
        }
        context.inverse(&mut product, Ordering::Internal)?;
        out.copy_from_slice(&product[..out.len()]);
        Ok(())
    }

    fn unavailable(&self, algorithm: Algorithm, len_a: usize, len_b: usize) -> PolyError {
        let reason = match algorithm {
            Algorithm::Ntt => {
                "the prime p has no transform so long, for p − 1 has too few factors 2"
            }
            _ if self.residues.is_none() => {
                "it is for primes of one word: name plain, karatsuba, ntt or kronecker"
            }
            _ => "the product is longer than 2^32 coefficients",
        };
        PolyError::Unavailable {
            algorithm,
            len_a,
            len_b,
            reason: reason.into(),
        }
    }
}

/// The first coefficients of a product modulo x^points − 1, where both operands have `points` coefficients.
pub(crate) fn wrapped_product<F: CoefficientField>(
    multiplier: &impl PolyMultiplier<F>,
    field: &F,
    out: &mut [F::Elem],
    points: usize,
    a: &[F::Elem],
    b: &[F::Elem],
) -> Result<(), PolyError> {
    let plan = multiplier.plan(points, points);
    let bytes = 2 * points as u64 * size_of::<F::Elem>() as u64;
    Budget::system().require(plan.scratch_bytes.saturating_add(bytes))?;
    let mut product = vec![field.zero(); 2 * points - 1];
    multiplier.execute(&plan, &mut product, a, b)?;
    let (low, high) = product.split_at_mut(points);
    field.add_assign_slice(&mut low[..points - 1], high);
    out.copy_from_slice(&low[..out.len()]);
    Ok(())
}
