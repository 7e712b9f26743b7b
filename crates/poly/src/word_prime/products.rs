//! Products of polynomials over a word-size prime field: which algorithm, and what they keep.

use std::borrow::Cow;
use std::sync::OnceLock;

use sunzi_crt::ModularConvolver;
use sunzi_dft::Convolver;
use sunzi_integer::Multiplier;

use super::WordField;
use super::kronecker::{self, Layout};
use crate::PolyError;
use crate::bits::bit_length;
use crate::karatsuba::{BaseCase, Karatsuba, scratch_len};
use crate::plan::{Algorithm, Reason};
use crate::products::Products;

/// Products over a word-size prime field, and what they precompute.
#[derive(Debug)]
pub struct WordPrimeProducts<F: WordField> {
    field: F,
    /// Transforms over the field itself.
    convolver: Convolver<F>,
    /// Transforms over several primes; none for lack of a modulus, which a prime never lacks.
    crt_convolver: Option<ModularConvolver>,
    multiplier: OnceLock<Multiplier>,
}

/// The plain product as the end of Karatsuba's recursion.
struct PlainBase<'a, F>(&'a F);

impl<F: WordField> BaseCase<F> for PlainBase<'_, F> {
    fn multiply(&self, out: &mut [F::Elem], a: &[F::Elem], b: &[F::Elem]) {
        self.0.plain_product(out, a, b);
    }
}

impl<F: WordField> Products<F> for WordPrimeProducts<F> {
    fn choose(&self, len_a: usize, len_b: usize) -> (Algorithm, Reason) {
        let short = len_a.min(len_b);
        if short == 0 {
            return (Algorithm::Plain, Reason::NoTerms);
        }
        let thresholds = self.field.thresholds();
        if self.has_transform(len_a, len_b) {
            let threshold = thresholds.ntt;
            return match short < threshold {
                true => (Algorithm::Plain, Reason::Below { threshold }),
                false => (Algorithm::Ntt, Reason::From { threshold }),
            };
        }
        let (threshold, crt_threshold) = (thresholds.karatsuba, thresholds.crt_ntt);
        if short >= crt_threshold && in_crt_range(len_a, len_b) {
            let threshold = crt_threshold;
            (Algorithm::CrtNtt, Reason::From { threshold })
        } else if short >= threshold {
            (Algorithm::Karatsuba, Reason::From { threshold })
        } else {
            let threshold = threshold.min(crt_threshold);
            (Algorithm::Plain, Reason::Below { threshold })
        }
    }

    fn require(&self, algorithm: Algorithm, len_a: usize, len_b: usize) -> Result<(), PolyError> {
        let available = match algorithm {
            Algorithm::Plain | Algorithm::Karatsuba | Algorithm::Kronecker => true,
            Algorithm::Ntt => self.has_transform(len_a, len_b),
            Algorithm::CrtNtt => self.crt_convolver.is_some() && in_crt_range(len_a, len_b),
        };
        match available {
            true => Ok(()),
            false => Err(unavailable(algorithm, len_a, len_b)),
        }
    }

    fn scratch_bytes(&self, algorithm: Algorithm, len_a: usize, len_b: usize) -> u64 {
        let short = len_a.min(len_b);
        match algorithm {
            Algorithm::Plain => 0,
            Algorithm::Karatsuba => {
                let elements = scratch_len(short, self.karatsuba_base())
                    .saturating_add(short.saturating_mul(2));
                (elements as u64).saturating_mul(size_of::<F::Elem>() as u64)
            }
            Algorithm::Ntt => self.convolver.scratch_bytes(len_a.saturating_add(len_b)),
            Algorithm::CrtNtt => match &self.crt_convolver {
                Some(convolver) => convolver.scratch_bytes(len_a, len_b),
                None => 0,
            },
            Algorithm::Kronecker => self.kronecker_layout(short).scratch_bytes(len_a, len_b),
        }
    }

    fn execute(
        &self,
        algorithm: Algorithm,
        out: &mut [F::Elem],
        a: &[F::Elem],
        b: &[F::Elem],
    ) -> Result<(), PolyError> {
        if a.is_empty() || b.is_empty() {
            return Ok(());
        }
        match algorithm {
            Algorithm::Plain => self.field.plain_product(out, a, b),
            Algorithm::Karatsuba => Karatsuba {
                field: &self.field,
                base_case: PlainBase(&self.field),
                base_len: self.karatsuba_base(),
            }
            .multiply(out, a, b),
            Algorithm::Ntt => self
                .convolver
                .convolve(out, a, b)
                .map_err(|_| unavailable(algorithm, a.len(), b.len()))?,
            Algorithm::CrtNtt => {
                let refused = || unavailable(algorithm, a.len(), b.len());
                let convolver = self.crt_convolver.as_ref().ok_or_else(refused)?;
                self.field
                    .crt_product(convolver, out, a, b)
                    .map_err(|_| refused())?;
            }
            Algorithm::Kronecker => kronecker::multiply(
                self.multiplier.get_or_init(Multiplier::new),
                self.kronecker_layout(a.len().min(b.len())),
                (out, a, b),
                bit_length(self.field.prime_word() - 1),
                |element| self.field.to_word(element),
                |words| self.field.reduce_words(words),
            )?,
        }
        Ok(())
    }

    /// Residues modulo the prime, or modulo several primes where the field has no transforms so long.
    type Word = u64;

    fn points(&self, len: usize) -> usize {
        let over_field = self.convolver.points_for(len);
        let over_primes = || self.crt_convolver.as_ref()?.points_for(len);
        // Longer ones are refused when they are to be evaluated.
        over_field.or_else(over_primes).unwrap_or(len)
    }

    fn cyclic_points(&self, len: usize) -> usize {
        self.points(len.next_power_of_two())
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

    fn sum_products<const PAIRS: usize>(
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
}

impl<F: WordField> WordPrimeProducts<F> {
    /// Over `field`. Nothing is precomputed before a product needs it.
    pub(crate) fn new(field: &F) -> Self {
        Self {
            convolver: Convolver::new(field),
            crt_convolver: ModularConvolver::new(field.prime_word()).ok(),
            field: field.clone(),
            multiplier: OnceLock::new(),
        }
    }

    /// What evaluates at so many points, unless the field's own transforms do.
    fn values_over_primes(&self, points: usize) -> Option<&ModularConvolver> {
        let over_field = points <= self.convolver.max_len();
        self.crt_convolver.as_ref().filter(|_| !over_field)
    }

    /// Whether the field has roots of unity for transforms as long as the product.
    fn has_transform(&self, len_a: usize, len_b: usize) -> bool {
        len_a.saturating_add(len_b) <= self.convolver.max_len()
    }

    /// Karatsuba's recursion ends below its threshold.
    fn karatsuba_base(&self) -> usize {
        self.field.thresholds().karatsuba - 1
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
