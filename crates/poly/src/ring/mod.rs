//! The ring of polynomials over a field, and its products.

pub(crate) mod values;

use std::sync::Arc;
use sunzi_machine::threads::Threads;

use sunzi_machine::{Grain, memory::Budget};

use crate::error::PolyError;
use crate::multiplier::{CoefficientField, PolyMultiplier, ProductKernels};
use crate::plan::{Algorithm, Plan};
use crate::poly::Poly;
use crate::thresholds::Thresholds;

/// Products of coefficients that a batch must hold before it is spread over threads.
const PARALLEL_BATCH_WORK: usize = 1 << 20;

/// The ring of polynomials over a field: a context that multiplies, and keeps what its products
/// precompute. It may be shared between threads, and its clones share what is kept; results depend
/// neither on the machine nor on the number of threads.
///
/// ```
/// use sunzi::field::Fp32;
/// use sunzi::poly::{Poly, PolyRing};
///
/// let ring = PolyRing::new(Fp32::new(7)?);
/// let f = Poly::new(vec![1, 3]);
/// assert_eq!(ring.mul(&f, &f).coefficients(), [1, 6, 2]); // (3x + 1)² = 2x² + 6x + 1
/// # Ok::<(), sunzi::field::FieldError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PolyRing<F: CoefficientField> {
    field: F,
    multiplier: Arc<dyn PolyMultiplier<F>>,
    thresholds: Thresholds,
    grain: Grain,
}

/// One product of a batch: where it goes, and its factors.
type Operation<'a, E> = ((&'a mut [E], &'a [E]), &'a [E]);

impl<F: CoefficientField> PolyRing<F> {
    /// The ring over `field`. Nothing is precomputed before a product needs it.
    pub fn new(field: F) -> Self {
        let thresholds = F::Kernels::thresholds(&field);
        Self {
            multiplier: F::Kernels::multiplier(&field, &thresholds),
            field,
            thresholds,
            grain: Grain::default(),
        }
    }

    /// The same with other lengths from which ways to multiply win: results do not change, only their times. What was
    /// precomputed is not taken along.
    #[must_use]
    pub fn with_thresholds(self, thresholds: Thresholds) -> Self {
        let thresholds = thresholds.fitting();
        Self {
            multiplier: F::Kernels::multiplier(&self.field, &thresholds),
            thresholds,
            ..self
        }
    }

    /// The lengths from which its ways to multiply win.
    pub const fn thresholds(&self) -> Thresholds {
        self.thresholds
    }

    /// The same with other lengths of what threads share.
    #[doc(hidden)]
    #[must_use]
    pub fn with_grain(self, grain: Grain) -> Self {
        Self { grain, ..self }
    }

    /// A length at which work is cut.
    pub(crate) fn cut(&self, length: usize) -> usize {
        self.grain.of(length)
    }

    /// The field of the coefficients.
    pub const fn field(&self) -> &F {
        &self.field
    }

    /// What multiplies.
    pub(crate) fn multiplier(&self) -> &dyn PolyMultiplier<F> {
        &*self.multiplier
    }

    /// Whether the machine has the memory for `vectors` vectors of `len` elements.
    pub(crate) fn require_vectors(&self, vectors: u64, len: usize) -> Result<(), PolyError> {
        let bytes = vectors.saturating_mul(size_of::<F::Elem>() as u64);
        Budget::system().require(bytes.saturating_mul(len as u64))?;
        Ok(())
    }

    /// `a · b`.
    ///
    /// # Panics
    /// If there is too little memory; [`Self::try_mul`] returns an error instead.
    pub fn mul(&self, a: &Poly<F::Elem>, b: &Poly<F::Elem>) -> Poly<F::Elem> {
        match self.try_mul(a, b) {
            Ok(product) => product,
            Err(error) => panic!("{error}"),
        }
    }

    /// `a · b`.
    ///
    /// # Errors
    /// [`PolyError::OutOfMemory`] if there is too little memory, before anything starts.
    pub fn try_mul(
        &self,
        a: &Poly<F::Elem>,
        b: &Poly<F::Elem>,
    ) -> Result<Poly<F::Elem>, PolyError> {
        let plan = self.plan(a.len(), b.len());
        self.run(&plan, a, b)
    }

    /// `a²`.
    ///
    /// # Panics
    /// If there is too little memory; [`Self::try_mul`] returns an error instead.
    pub fn sqr(&self, a: &Poly<F::Elem>) -> Poly<F::Elem> {
        self.mul(a, a)
    }

    /// `a · b` by the named algorithm.
    ///
    /// # Errors
    /// [`PolyError::Unavailable`] if that algorithm cannot do it, [`PolyError::OutOfMemory`].
    pub fn mul_with(
        &self,
        algorithm: Algorithm,
        a: &Poly<F::Elem>,
        b: &Poly<F::Elem>,
    ) -> Result<Poly<F::Elem>, PolyError> {
        let plan = self.plan_with(algorithm, a.len(), b.len())?;
        self.run(&plan, a, b)
    }

    fn run(
        &self,
        plan: &Plan,
        a: &Poly<F::Elem>,
        b: &Poly<F::Elem>,
    ) -> Result<Poly<F::Elem>, PolyError> {
        if a.is_zero() || b.is_zero() {
            return Ok(Poly::zero());
        }
        let len = a.len() + b.len() - 1;
        let bytes = (len * size_of::<F::Elem>()) as u64;
        Budget::system().require(bytes.saturating_add(plan.scratch_bytes))?;
        let mut product = vec![self.field.zero(); len];
        self.multiplier
            .execute(plan, &mut product, a.coefficients(), b.coefficients())?;
        Ok(Poly::new(product))
    }

    /// `out = a · b`, coefficients from the constant term upward, all canonical. Short products
    /// allocate nothing.
    ///
    /// # Panics
    /// If `out.len() != a.len() + b.len() − 1` (or, where an operand is empty, is not 0), or if
    /// there is too little memory; [`Self::try_mul_slices`] returns an error instead.
    pub fn mul_slices(&self, out: &mut [F::Elem], a: &[F::Elem], b: &[F::Elem]) {
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
    /// use sunzi::field::Fp64;
    /// use sunzi::poly::PolyRing;
    ///
    /// let ring = PolyRing::new(Fp64::new(1_000_000_007)?);
    /// let mut product = [0; 3];
    /// ring.try_mul_slices(&mut product, &[1, 2], &[3, 4]).unwrap();
    /// assert_eq!(product, [3, 10, 8]);
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    pub fn try_mul_slices(
        &self,
        out: &mut [F::Elem],
        a: &[F::Elem],
        b: &[F::Elem],
    ) -> Result<(), PolyError> {
        check_output(out.len(), a.len(), b.len())?;
        let plan = self.plan(a.len(), b.len());
        Budget::system().require(plan.scratch_bytes)?;
        self.multiplier.execute(&plan, out, a, b)
    }

    /// `out = a · b` by the named algorithm.
    ///
    /// # Errors
    /// [`PolyError::Unavailable`] if that algorithm cannot do it; else as
    /// [`Self::try_mul_slices`].
    pub fn mul_slices_with(
        &self,
        algorithm: Algorithm,
        out: &mut [F::Elem],
        a: &[F::Elem],
        b: &[F::Elem],
    ) -> Result<(), PolyError> {
        check_output(out.len(), a.len(), b.len())?;
        let plan = self.plan_with(algorithm, a.len(), b.len())?;
        Budget::system().require(plan.scratch_bytes)?;
        self.multiplier.execute(&plan, out, a, b)
    }

    /// Products of many pairs: `out[i] = a[i] · b[i]`, where all left operands have `len_a`
    /// coefficients and all right ones `len_b`, each side lying in one slice; so do the results,
    /// of `len_a + len_b − 1` coefficients each. Large batches use the threads of the current
    /// rayon pool.
    ///
    /// # Errors
    /// [`PolyError::BatchLength`] if the slices are no whole numbers of operands, or not equally
    /// many; [`PolyError::OutputLength`]; [`PolyError::OutOfMemory`].
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::poly::PolyRing;
    ///
    /// let ring = PolyRing::new(Fp32::new(101)?);
    /// let mut products = [0; 6];
    /// ring.mul_batch(&mut products, &[1, 2, 3, 4], &[5, 6, 7, 8], 2, 2).unwrap();
    /// assert_eq!(products, [5, 16, 12, 21, 52, 32]);
    /// # Ok::<(), sunzi::field::FieldError>(())
    /// ```
    pub fn mul_batch(
        &self,
        out: &mut [F::Elem],
        a: &[F::Elem],
        b: &[F::Elem],
        len_a: usize,
        len_b: usize,
    ) -> Result<(), PolyError> {
        (F::compiled().mul_batch)(self, out, a, b, len_a, len_b)
    }

    /// The same, of which `Compiled` has the instances.
    pub(crate) fn mul_batch_here(
        &self,
        out: &mut [F::Elem],
        a: &[F::Elem],
        b: &[F::Elem],
        len_a: usize,
        len_b: usize,
    ) -> Result<(), PolyError> {
        let wrong = PolyError::BatchLength {
            len_a,
            len_b,
            found_a: a.len(),
            found_b: b.len(),
        };
        if len_a == 0 || len_b == 0 {
            return if a.is_empty() && b.is_empty() {
                check_output(out.len(), 0, 0)
            } else {
                Err(wrong)
            };
        }
        let count = a.len() / len_a;
        if a.len() % len_a != 0 || b.len() % len_b != 0 || b.len() / len_b != count {
            return Err(wrong);
        }
        if count == 0 {
            // Without operands their lengths may be anything, and have no sum.
            return check_output(out.len(), 0, 0);
        }
        let len = len_a + len_b - 1;
        if out.len() != count * len {
            return Err(PolyError::OutputLength {
                expected: count * len,
                found: out.len(),
            });
        }
        let plan = self.plan(len_a, len_b);
        let threads = sunzi_machine::threads::count() as u64;
        Budget::system().require(plan.scratch_bytes.saturating_mul(threads))?;
        let one = |((out, a), b): Operation<'_, F::Elem>| self.multiplier.execute(&plan, out, a, b);
        let work = len_a.saturating_mul(len_b).saturating_mul(count);
        let shared = self.cut(PARALLEL_BATCH_WORK);
        let threads = Threads::when(work >= shared);
        // A thread takes many short products at a time.
        let piece = threads.piece(count, (shared / 8).div_ceil(len_a.saturating_mul(len_b)));
        let pieces = out
            .chunks_mut(piece * len)
            .zip(a.chunks(piece * len_a))
            .zip(b.chunks(piece * len_b));
        threads.try_each(pieces, |((out, a), b)| {
            out.chunks_mut(len)
                .zip(a.chunks(len_a))
                .zip(b.chunks(len_b))
                .try_for_each(one)
        })
    }

    /// What a product of operands with these numbers of coefficients will run, and why.
    pub fn plan(&self, len_a: usize, len_b: usize) -> Plan {
        self.multiplier.plan(len_a, len_b)
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
        self.multiplier.plan_with(algorithm, len_a, len_b)
    }
}

pub(crate) fn check_output(found: usize, len_a: usize, len_b: usize) -> Result<(), PolyError> {
    let expected = match (len_a, len_b) {
        (0, _) | (_, 0) => 0,
        _ => len_a + len_b - 1,
    };
    if found == expected {
        Ok(())
    } else {
        Err(PolyError::OutputLength { expected, found })
    }
}
