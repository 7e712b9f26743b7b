//! How products are computed.

use std::any::Any;
use std::fmt::Debug;
use std::sync::{Arc, OnceLock};
use sunzi_threads::Threads;

use dashu_int::IBig;
use sunzi_dft::DftError;
use sunzi_field::{Digits, Field, GeneralizedFermat};

use super::cover::Lengths;
use super::plain;
use super::thresholds::Thresholds;
use super::transforms::Transforms;
use crate::karatsuba::{BaseCase, Karatsuba};
use crate::plan::Algorithm;
use crate::{IntegerPolyRing, Poly, PolyError};

/// Products over one field.
pub(super) trait Methods<const K: usize>: Debug + Send + Sync {
    /// `out = a · b` by one algorithm; the operands are not empty, and the lengths have been checked.
    fn execute(
        &self,
        algorithm: Algorithm,
        out: &mut [Digits<K>],
        a: &[Digits<K>],
        b: &[Digits<K>],
    ) -> Result<(), PolyError>;

    /// The values of a polynomial at as many points as `values` has elements.
    fn evaluate(&self, values: &mut [Digits<K>], a: &[Digits<K>]) -> Result<(), PolyError>;

    /// The first coefficients of a product by such values.
    fn multiply_values(
        &self,
        out: &mut [Digits<K>],
        a: &[Digits<K>],
        b: &[Digits<K>],
    ) -> Result<(), PolyError>;
}

/// Products over a field.
///
/// The types are told apart at run time, so that they are compiled in this crate, once, and not wherever
/// a ring is made.
pub(super) fn methods<const K: usize>(field: &GeneralizedFermat<K>) -> Option<Arc<dyn Methods<K>>> {
    let methods = any_methods(field, K)?.downcast::<Arc<dyn Methods<K>>>();
    methods.ok().map(|methods| *methods)
}

/// An `Arc<dyn Methods>` over the field of so many digits.
fn any_methods(field: &dyn Any, digits: usize) -> Option<Box<dyn Any>> {
    macro_rules! among {
        ($($k:literal)*) => {
            match digits {
                $($k => {
                    let field = field.downcast_ref::<GeneralizedFermat<$k>>()?;
                    let methods: Arc<dyn Methods<$k>> = Arc::new(OverField::new(field));
                    Some(Box::new(methods))
                })*
                _ => None,
            }
        };
    }
    among!(2 4 8 16 32 64 128 256)
}

/// What products over a field keep.
#[derive(Debug)]
struct OverField<const K: usize> {
    field: GeneralizedFermat<K>,
    thresholds: Thresholds,
    transforms: Transforms<K>,
    integers: OnceLock<IntegerPolyRing>,
}

/// What Karatsuba's recursion ends with: transforms where they win, else plain products.
struct Shorter<'a, const K: usize>(&'a OverField<K>);

impl<const K: usize> BaseCase<GeneralizedFermat<K>> for Shorter<'_, K> {
    fn multiply(&self, out: &mut [Digits<K>], a: &[Digits<K>], b: &[Digits<K>]) {
        let Self(over) = self;
        let cover = over.transforms.lengths().cover(a.len(), b.len());
        if let Some(cover) = cover.filter(|_| a.len() >= over.thresholds.ntt)
            && over.transforms.multiply(cover, out, a, b).is_ok()
        {
            return;
        }
        plain::product(&over.field, out, a, b);
    }
}

impl<const K: usize> Methods<K> for OverField<K> {
    fn execute(
        &self,
        algorithm: Algorithm,
        out: &mut [Digits<K>],
        a: &[Digits<K>],
        b: &[Digits<K>],
    ) -> Result<(), PolyError> {
        let lengths = self.transforms.lengths();
        let refused = || unavailable(algorithm, lengths, a.len(), b.len());
        match algorithm {
            Algorithm::Plain => plain::product(&self.field, out, a, b),
            Algorithm::Karatsuba => Karatsuba {
                field: &self.field,
                base_case: Shorter(self),
                base_len: self.thresholds.karatsuba_base(lengths),
            }
            .multiply(out, a, b),
            Algorithm::Ntt => {
                let cover = lengths.cover(a.len(), b.len()).ok_or_else(refused)?;
                let done = self.transforms.multiply(cover, out, a, b);
                done.map_err(|error| match error {
                    DftError::OutOfMemory(error) => PolyError::OutOfMemory(error),
                    _ => refused(),
                })?;
            }
            Algorithm::CrtNtt => return Err(refused()),
            Algorithm::Kronecker => self.by_integers(out, a, b)?,
        }
        Ok(())
    }

    fn evaluate(&self, values: &mut [Digits<K>], a: &[Digits<K>]) -> Result<(), PolyError> {
        Ok(self
            .transforms
            .plan(values.len())?
            .evaluate_into(values, a)?)
    }

    fn multiply_values(
        &self,
        out: &mut [Digits<K>],
        a: &[Digits<K>],
        b: &[Digits<K>],
    ) -> Result<(), PolyError> {
        let plan = self.transforms.plan(a.len())?;
        Ok(plan.multiply_values(out, a.to_vec(), b)?)
    }
}

impl<const K: usize> OverField<K> {
    fn new(field: &GeneralizedFermat<K>) -> Self {
        Self {
            thresholds: Thresholds::of(K, field.constants().is_some()),
            transforms: Transforms::new(field.clone()),
            field: field.clone(),
            integers: OnceLock::new(),
        }
    }

    /// The product over Z, reduced at its end.
    fn by_integers(
        &self,
        out: &mut [Digits<K>],
        a: &[Digits<K>],
        b: &[Digits<K>],
    ) -> Result<(), PolyError> {
        let ring = self.integers.get_or_init(IntegerPolyRing::new);
        let lift = |x: &[Digits<K>]| -> Poly<IBig> {
            Poly::new(Threads::all().map(x, |&x| self.field.to_integer(x).into()))
        };
        let product = if std::ptr::eq(a, b) {
            let a = lift(a);
            ring.mul_with(Algorithm::Kronecker, &a, &a)?
        } else {
            ring.mul_with(Algorithm::Kronecker, &lift(a), &lift(b))?
        };
        let coefficients = product.coefficients();
        let (filled, rest) = out.split_at_mut(coefficients.len());
        let filled = filled.iter_mut().zip(coefficients);
        Threads::all().each(filled, |(out, coefficient)| {
            *out = self.field.from_integer(coefficient);
        });
        rest.fill(self.field.zero());
        Ok(())
    }
}

/// Why an algorithm cannot do a product, with transforms of these lengths.
pub(super) fn unavailable(
    algorithm: Algorithm,
    lengths: Lengths,
    len_a: usize,
    len_b: usize,
) -> PolyError {
    PolyError::Unavailable {
        algorithm,
        len_a,
        len_b,
        reason: match algorithm {
            Algorithm::Ntt => format!(
                "the longest transform modulo p has 2^{} points, which does for up to {} coefficients of \
                 the shorter operand: name karatsuba or kronecker, or choose a prime with a greater \
                 power of two in p − 1",
                lengths.max_points.ilog2(),
                lengths.max_points / 2
            )
            .into(),
            _ => "it is for word-size primes: name plain, karatsuba, ntt or kronecker".into(),
        },
    }
}
