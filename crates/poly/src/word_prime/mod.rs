//! Products of polynomials over word-size prime fields.
//!
//! **Problem.** Dense polynomials modulo p < 2^63, in any two lengths. **Algorithms.** Schoolbook products in
//! vectors (`schoolbook`); transforms over the field where p − 1 has enough factors 2; else Karatsuba's
//! method, and transforms over several primes; one product of long integers when asked for
//! (`kronecker`).
//!
//! **Floor.** A product of length L takes three transforms of L points (two for a square) and L products
//! in the field.

mod field;
mod kronecker;
pub(crate) mod schoolbook;

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use sunzi_dft::Convolver;
use sunzi_dft::crt::ModularConvolver;
use sunzi_field::{Fp32, Fp64, WordKernels};
use sunzi_integer::Multiplier;

use crate::bits::bit_length;
use crate::compiled::Compiled;
use crate::error::PolyError;
use crate::karatsuba::{self, Karatsuba};
use crate::multiplier::{PolyMultiplier, ProductKernels};
use crate::plan::{Algorithm, Plan, Reason};
use crate::thresholds::Thresholds;
use field::WordField;
use kronecker::Layout;

/// Implements what [`WordKernels`] do over one field: so they are compiled in this crate.
macro_rules! products {
    ($field:ty) => {
        impl ProductKernels<$field> for WordKernels {
            fn thresholds(field: &$field) -> Thresholds {
                built_in(field)
            }

            #[inline(never)]
            fn compiled() -> &'static Compiled<$field> {
                const { &Compiled::TABLE }
            }

            fn multiplier(
                field: &$field,
                thresholds: &Thresholds,
            ) -> Arc<dyn PolyMultiplier<$field>> {
                Arc::new(WordPrimeMultiplier::new(field, *thresholds))
            }
        }
    };
}

products!(Fp32);
products!(Fp64);

/// Points of the transforms for products of nodes at the leaves of trees.
const LOG_LEAF_TRANSFORM: u32 = 8;

/// Built-in thresholds: leaves of trees are larger where the field has no transforms for their products.
fn built_in<F: WordField>(field: &F) -> Thresholds {
    Thresholds {
        leaf_log: match field.two_adicity() >= LOG_LEAF_TRANSFORM {
            true => F::THRESHOLDS.leaf_log,
            false => 8,
        },
        ..F::THRESHOLDS
    }
}

/// Products over a word-size prime field, and what they precompute.
#[derive(Debug)]
struct WordPrimeMultiplier<F: WordField> {
    field: F,
    thresholds: Thresholds,
    /// Transforms over the field itself.
    convolver: Convolver<F>,
    /// Transforms over several primes; none for lack of a modulus, which a prime never lacks.
    crt_convolver: Option<ModularConvolver>,
    /// Products of long integers.
    integers: OnceLock<Multiplier>,
}

impl<F: WordField> PolyMultiplier<F> for WordPrimeMultiplier<F> {
    fn plan(&self, len_a: usize, len_b: usize) -> Plan {
        let (algorithm, reason) = self.choose(len_a, len_b);
        Plan {
            len_a,
            len_b,
            algorithm,
            reason,
            scratch_bytes: self.scratch_bytes(algorithm, len_a, len_b),
        }
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
            Algorithm::CrtNtt => self.crt_convolver.is_some() && in_crt_range(len_a, len_b),
        };
        match available {
            true => Ok(Plan {
                len_a,
                len_b,
                algorithm,
                reason: Reason::Asked,
                scratch_bytes: self.scratch_bytes(algorithm, len_a, len_b),
            }),
            false => Err(unavailable(algorithm, len_a, len_b)),
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
        let refused = || unavailable(plan.algorithm, a.len(), b.len());
        match plan.algorithm {
            Algorithm::Schoolbook => self.field.schoolbook(out, a, b),
            Algorithm::Karatsuba => Karatsuba {
                field: &self.field,
                base_case: |out: &mut [_], a: &[_], b: &[_]| self.field.schoolbook(out, a, b),
                base_len: self.karatsuba_base(),
            }
            .multiply(out, a, b),
            Algorithm::Ntt => self.convolver.convolve(out, a, b).map_err(|_| refused())?,
            Algorithm::CrtNtt => {
                let convolver = self.crt_convolver.as_ref().ok_or_else(refused)?;
                F::crt_convolve(convolver, out, a, b).map_err(|_| refused())?;
            }
            Algorithm::Kronecker => kronecker::multiply(
                self.integers.get_or_init(Multiplier::new),
                self.kronecker_layout(a.len().min(b.len())),
                (out, a, b),
                bit_length(self.field.prime_word() - 1),
                |element| self.field.to_word(element),
                |words| self.field.reduce_words(words),
            )?,
        }
        Ok(())
    }

    // Values are residues modulo the prime, or, where the field has no transforms of that length, modulo
    // several primes.

    fn points(&self, len: usize) -> usize {
        let over_field = self.convolver.points_for(len);
        let over_primes = || self.crt_convolver.as_ref()?.points_for(len);
        // Longer ones are refused when they are to be evaluated.
        over_field.or_else(over_primes).unwrap_or(len)
    }

    fn value_words(&self, points: usize) -> usize {
        match self.values_over_primes(points) {
            Some(convolver) => convolver.value_words(points),
            None => (points * size_of::<F::Elem>()).div_ceil(size_of::<u64>()),
        }
    }

    fn evaluate(&self, values: &mut [u64], points: usize, a: &[F::Elem]) -> Result<(), PolyError> {
        match self.values_over_primes(points) {
            Some(convolver) => F::crt_evaluate(convolver, values, points, a)?,
            None => {
                let values = &mut F::elements_mut(values)[..points];
                self.convolver.evaluate_into(values, a)?;
            }
        }
        Ok(())
    }

    fn sum_products(
        &self,
        out: &mut [F::Elem],
        points: usize,
        pairs: &[[&[u64]; 2]],
    ) -> Result<(), PolyError> {
        match *pairs {
            [pair] => self.sum_of(out, points, [pair]),
            [first, second] => self.sum_of(out, points, [first, second]),
            _ => unreachable!("one or two pairs"),
        }
    }
}

impl<F: WordField> WordPrimeMultiplier<F> {
    /// Over `field`. Nothing is precomputed before a product needs it.
    fn new(field: &F, thresholds: Thresholds) -> Self {
        Self {
            thresholds,
            convolver: Convolver::new(field),
            crt_convolver: ModularConvolver::new(field.prime_word()).ok(),
            field: field.clone(),
            integers: OnceLock::new(),
        }
    }

    /// The algorithm that wins for operands with these numbers of coefficients, and why.
    fn choose(&self, len_a: usize, len_b: usize) -> (Algorithm, Reason) {
        let short = len_a.min(len_b);
        if short == 0 {
            return (Algorithm::Schoolbook, Reason::NoTerms);
        }
        let thresholds = &self.thresholds;
        if self.has_transform(len_a, len_b) {
            let threshold = thresholds.ntt_for(len_a.max(len_b));
            return match short < threshold {
                true => (Algorithm::Schoolbook, Reason::Below { threshold }),
                false => (Algorithm::Ntt, Reason::From { threshold }),
            };
        }
        let (threshold, crt_threshold) = (thresholds.karatsuba, thresholds.over_integers);
        if short >= crt_threshold && in_crt_range(len_a, len_b) {
            let threshold = crt_threshold;
            (Algorithm::CrtNtt, Reason::From { threshold })
        } else if short >= threshold {
            (Algorithm::Karatsuba, Reason::From { threshold })
        } else {
            let threshold = threshold.min(crt_threshold);
            (Algorithm::Schoolbook, Reason::Below { threshold })
        }
    }

    /// Memory that an algorithm takes beside operands and product, in bytes.
    fn scratch_bytes(&self, algorithm: Algorithm, len_a: usize, len_b: usize) -> u64 {
        let short = len_a.min(len_b);
        match algorithm {
            Algorithm::Schoolbook => 0,
            Algorithm::Karatsuba => {
                karatsuba::scratch_bytes(short, self.karatsuba_base(), size_of::<F::Elem>())
            }
            Algorithm::Ntt => self.convolver.scratch_bytes(len_a.saturating_add(len_b)),
            Algorithm::CrtNtt => match &self.crt_convolver {
                Some(convolver) => convolver.plan(len_a, len_b).bytes(),
                None => 0,
            },
            Algorithm::Kronecker => self.kronecker_layout(short).scratch_bytes(len_a, len_b),
        }
    }

    /// The first coefficients of a sum of products by values.
    fn sum_of<const PAIRS: usize>(
        &self,
        out: &mut [F::Elem],
        points: usize,
        pairs: [[&[u64]; 2]; PAIRS],
    ) -> Result<(), PolyError> {
        match self.values_over_primes(points) {
            Some(convolver) => F::crt_sum_products(convolver, out, points, pairs)?,
            None => {
                let pairs = pairs.map(|pair| pair.map(|values| &F::elements(values)[..points]));
                self.convolver.sum_products(out, pairs)?;
            }
        }
        Ok(())
    }

    /// What evaluates at this number of points, unless the field's own transforms do.
    fn values_over_primes(&self, points: usize) -> Option<&ModularConvolver> {
        let over_field = points <= self.convolver.max_len();
        self.crt_convolver.as_ref().filter(|_| !over_field)
    }

    /// Whether the field has roots of unity for transforms as long as the product.
    fn has_transform(&self, len_a: usize, len_b: usize) -> bool {
        len_a.saturating_add(len_b) <= self.convolver.max_len()
    }

    /// Karatsuba's recursion ends below its threshold.
    const fn karatsuba_base(&self) -> usize {
        self.thresholds.karatsuba - 1
    }

    fn kronecker_layout(&self, terms: usize) -> Layout {
        Layout::for_residues(self.field.prime_word(), terms)
    }
}

/// Whether the primes of transforms over several primes have roots of unity for this product.
fn in_crt_range(len_a: usize, len_b: usize) -> bool {
    (len_a.saturating_add(len_b) as u64) <= 1 << 32
}

fn unavailable(algorithm: Algorithm, len_a: usize, len_b: usize) -> PolyError {
    PolyError::Unavailable {
        algorithm,
        len_a,
        len_b,
        reason: Cow::Borrowed(match algorithm {
            Algorithm::Ntt => {
                "the prime p has no transform so long, for p − 1 has too few factors 2"
            }
            _ => "the product is longer than 2^32 coefficients",
        }),
    }
}
