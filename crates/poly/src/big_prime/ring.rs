//! The ring of polynomials over a generalized Fermat field.

use std::sync::Arc;

use sunzi_field::{Digits, Field, GeneralizedFermat, memory};
use sunzi_integer::Multiplier;

use super::cover::{Cover, Lengths};
use super::methods::{Methods, methods, unavailable};
use super::thresholds::Thresholds;
use crate::karatsuba::scratch_len;
use crate::plan::{Algorithm, Plan, Reason};
use crate::ring::check_output;
use crate::{Poly, PolyError};

/// The ring of polynomials over the field modulo `r^K + 1`: a context that multiplies, and keeps what
/// its products precompute. It may be shared between threads, and uses those of the current rayon pool;
/// results do not depend on them.
///
/// It has the methods of [`PolyRing`](crate::PolyRing), which is for word-size primes.
///
/// ```
/// use sunzi_field::{Field, GeneralizedFermat};
/// use sunzi_poly::{BigPrimePolyRing, Poly};
///
/// let field = GeneralizedFermat::<8>::new((1 << 59) + (1 << 57) + (1 << 39))?; // P8
/// let ring = BigPrimePolyRing::new(field.clone());
/// let f = Poly::new(vec![field.from_i64(-1), field.one()]);
/// let square = ring.sqr(&f); // (x − 1)² = x² − 2x + 1
/// assert_eq!(square.coefficients(), [1, -2, 1].map(|c| field.from_i64(c)));
/// # Ok::<(), sunzi_field::GeneralizedFermatError>(())
/// ```
#[derive(Debug)]
pub struct BigPrimePolyRing<const K: usize> {
    field: GeneralizedFermat<K>,
    thresholds: Thresholds,
    lengths: Lengths,
    /// None for a number of digits that no field has.
    methods: Option<Arc<dyn Methods<K>>>,
}

impl<const K: usize> BigPrimePolyRing<K> {
    /// The ring over `field`. Nothing is precomputed before a product needs it.
    #[must_use]
    pub fn new(field: GeneralizedFermat<K>) -> Self {
        Self {
            thresholds: Thresholds::of(K, field.constants().is_some()),
            lengths: Lengths::of(&field),
            methods: methods(&field),
            field,
        }
    }

    /// The field of the coefficients.
    #[must_use]
    pub const fn field(&self) -> &GeneralizedFermat<K> {
        &self.field
    }

    /// `a · b`.
    ///
    /// # Panics
    /// If the memory for it cannot be had; [`Self::try_mul`] returns an error instead.
    pub fn mul(&self, a: &Poly<Digits<K>>, b: &Poly<Digits<K>>) -> Poly<Digits<K>> {
        match self.try_mul(a, b) {
            Ok(product) => product,
            Err(error) => panic!("{error}"),
        }
    }

    /// `a · b`. About three transforms as long as the product, two for a square (`a` and `b` one and
    /// the same).
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`] if the machine has not the memory, before anything starts.
    pub fn try_mul(
        &self,
        a: &Poly<Digits<K>>,
        b: &Poly<Digits<K>>,
    ) -> Result<Poly<Digits<K>>, PolyError> {
        self.run(&self.plan(a.len(), b.len()), a, b)
    }

    /// `a²`.
    ///
    /// # Panics
    /// If the memory for it cannot be had.
    pub fn sqr(&self, a: &Poly<Digits<K>>) -> Poly<Digits<K>> {
        self.mul(a, a)
    }

    /// `a · b` by the named algorithm.
    ///
    /// ```
    /// use sunzi_field::{Field, GeneralizedFermat};
    /// use sunzi_poly::{Algorithm, BigPrimePolyRing, Poly};
    ///
    /// let field = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11))?; // P4
    /// let ring = BigPrimePolyRing::new(field.clone());
    /// let f = Poly::new(vec![field.one(); 100]);
    /// assert_eq!(ring.mul_with(Algorithm::Ntt, &f, &f)?, ring.mul_with(Algorithm::Plain, &f, &f)?);
    /// assert!(ring.mul_with(Algorithm::CrtNtt, &f, &f).is_err()); // for word-size primes only
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`PolyError::Unavailable`] if that algorithm cannot do it, [`PolyError::OutOfMemory`].
    pub fn mul_with(
        &self,
        algorithm: Algorithm,
        a: &Poly<Digits<K>>,
        b: &Poly<Digits<K>>,
    ) -> Result<Poly<Digits<K>>, PolyError> {
        self.run(&self.plan_with(algorithm, a.len(), b.len())?, a, b)
    }

    fn run(
        &self,
        plan: &Plan,
        a: &Poly<Digits<K>>,
        b: &Poly<Digits<K>>,
    ) -> Result<Poly<Digits<K>>, PolyError> {
        if a.is_zero() || b.is_zero() {
            return Ok(Poly::zero());
        }
        let len = a.len() + b.len() - 1;
        let bytes = (len * size_of::<Digits<K>>()) as u64;
        memory::require(bytes.saturating_add(plan.scratch_bytes))?;
        let mut product = vec![self.field.zero(); len];
        let (a, b) = (a.coefficients(), b.coefficients());
        self.execute(plan.algorithm, &mut product, a, b)?;
        Ok(Poly::new(product))
    }

    /// `out = a · b`, coefficients from the constant term upward, all canonical.
    ///
    /// # Panics
    /// If `out.len() != a.len() + b.len() − 1` (or, where an operand is empty, is not 0), or the
    /// memory that it takes cannot be had; [`Self::try_mul_slices`] returns an error instead.
    pub fn mul_slices(&self, out: &mut [Digits<K>], a: &[Digits<K>], b: &[Digits<K>]) {
        if let Err(error) = self.try_mul_slices(out, a, b) {
            panic!("{error}");
        }
    }

    /// `out = a · b`, coefficients from the constant term upward, all canonical.
    ///
    /// # Errors
    /// [`PolyError::OutputLength`] unless `out.len() == a.len() + b.len() − 1` (or 0 where an
    /// operand is empty), [`PolyError::OutOfMemory`].
    ///
    /// ```
    /// use sunzi_field::{Field, GeneralizedFermat};
    /// use sunzi_poly::BigPrimePolyRing;
    ///
    /// let field = GeneralizedFermat::<4>::new((1 << 59) + (1 << 58) + (1 << 11))?; // P4
    /// let ring = BigPrimePolyRing::new(field.clone());
    /// let mut product = vec![field.zero(); 3];
    /// let word = |word| field.from_u64(word);
    /// ring.try_mul_slices(&mut product, &[word(1), word(2)], &[word(3), word(4)])?;
    /// assert_eq!(product, [3, 10, 8].map(word));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn try_mul_slices(
        &self,
        out: &mut [Digits<K>],
        a: &[Digits<K>],
        b: &[Digits<K>],
    ) -> Result<(), PolyError> {
        check_output(out.len(), a.len(), b.len())?;
        let plan = self.plan(a.len(), b.len());
        memory::require(plan.scratch_bytes)?;
        self.execute(plan.algorithm, out, a, b)
    }

    /// `out = a · b` by the named algorithm.
    ///
    /// # Errors
    /// [`PolyError::Unavailable`] if that algorithm cannot do it; else as
    /// [`Self::try_mul_slices`].
    pub fn mul_slices_with(
        &self,
        algorithm: Algorithm,
        out: &mut [Digits<K>],
        a: &[Digits<K>],
        b: &[Digits<K>],
    ) -> Result<(), PolyError> {
        check_output(out.len(), a.len(), b.len())?;
        let plan = self.plan_with(algorithm, a.len(), b.len())?;
        memory::require(plan.scratch_bytes)?;
        self.execute(algorithm, out, a, b)
    }

    /// What a product of operands with these numbers of coefficients will run, and why.
    ///
    /// ```
    /// use sunzi_field::GeneralizedFermat;
    /// use sunzi_poly::{Algorithm, BigPrimePolyRing};
    ///
    /// let field = GeneralizedFermat::<8>::new((1 << 59) + (1 << 57) + (1 << 39))?; // P8
    /// let ring = BigPrimePolyRing::new(field);
    /// assert_eq!(ring.plan(2, 1000).algorithm, Algorithm::Plain);
    /// assert_eq!(ring.plan(1000, 1000).algorithm, Algorithm::Ntt);
    /// # Ok::<(), sunzi_field::GeneralizedFermatError>(())
    /// ```
    #[must_use]
    pub fn plan(&self, len_a: usize, len_b: usize) -> Plan {
        let (algorithm, reason) = self.choose(len_a, len_b);
        self.describe(algorithm, reason, len_a, len_b)
    }

    /// The plan that runs the named algorithm.
    ///
    /// # Errors
    /// [`PolyError::Unavailable`] if it cannot do this product.
    pub fn plan_with(
        &self,
        algorithm: Algorithm,
        len_a: usize,
        len_b: usize,
    ) -> Result<Plan, PolyError> {
        let available = match algorithm {
            Algorithm::Plain | Algorithm::Karatsuba | Algorithm::Kronecker => true,
            Algorithm::Ntt => len_a.min(len_b) == 0 || self.cover(len_a, len_b).is_some(),
            Algorithm::CrtNtt => false,
        };
        match available {
            true => Ok(self.describe(algorithm, Reason::Asked, len_a, len_b)),
            false => Err(unavailable(algorithm, self.lengths, len_a, len_b)),
        }
    }

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

    fn cover(&self, len_a: usize, len_b: usize) -> Option<Cover> {
        self.lengths.cover(len_a, len_b)
    }

    fn describe(&self, algorithm: Algorithm, reason: Reason, len_a: usize, len_b: usize) -> Plan {
        let short = len_a.min(len_b);
        let scratch_bytes = match algorithm {
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
        };
        Plan {
            len_a,
            len_b,
            algorithm,
            reason,
            scratch_bytes,
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
}
