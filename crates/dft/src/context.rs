//! Transforms of one length over one field, ready to run.

use crate::bands::columns::{ColumnTransforms, LINE_BYTES, TransposedColumns};
use crate::plan::DftPlan;
use crate::problem::{Algorithm, Convolution, DftError, Direction, Ordering};
use crate::scalar::ScalarTransform;
use crate::split::columns::SplitColumns;
use crate::split::pass::TransformField;
use crate::split::transform::SplitTransform;
use crate::transform::Transform;
use std::fmt;
use std::sync::Arc;
use sunzi_field::{ScalarKernels, TwoAdicField, WordKernels};
use sunzi_machine::{InstructionSet, memory::Budget, threads::Threads};

/// Points of a batch from which its vectors are shared between threads.
const PARALLEL_BATCH: usize = 1 << 14;

/// Transforms of N = 2^k points over one field: tables, and the algorithm that a [`DftPlan`] names.
///
/// Coefficients and values are canonical residues. With ω the field's
/// [`root_of_unity`](TwoAdicField::root_of_unity) of order N, a forward transform takes x to
/// `X_j = Σ x_i·ω^{ij}`, an inverse one takes X back to x, with the division by N. A context for
/// negacyclic products ([`Convolution::Negacyclic`]) evaluates at the odd powers of ψ instead, the
/// root of order 2N: `X_j = Σ x_i·ψ^{i(2j+1)}`.
///
/// A context is immutable and cheap to clone; many threads may use one. A transform uses the threads
/// of the current rayon pool if it is long enough; its result does not depend on them.
///
/// ```
/// use sunzi::field::Fp32;
/// use sunzi::transform::{DftContext, Ordering};
///
/// let field = Fp32::new(17)?;
/// let context = DftContext::new(&field, 4)?; // ω = 13, as 13² = −1
/// let mut x = [1, 2, 3, 4];
/// context.forward(&mut x, Ordering::Natural)?;
/// assert_eq!(x, [10, 6, 15, 7]);
/// context.inverse(&mut x, Ordering::Natural)?;
/// assert_eq!(x, [1, 2, 3, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DftContext<F: TwoAdicField> {
    pub(crate) field: F,
    pub(crate) plan: DftPlan,
    pub(crate) transforms: Arc<dyn Transform<F>>,
}

impl<F: TransformField> DftContext<F> {
    /// The fastest transforms of `len` points on this processor.
    ///
    /// Takes O(N) operations for the tables.
    ///
    /// # Errors
    /// [`DftError::NotPowerOfTwo`]; [`DftError::TooLong`] if N does not divide p − 1;
    /// [`DftError::OutOfMemory`].
    pub fn new(field: &F, len: usize) -> Result<Self, DftError> {
        Self::for_convolution(field, len, Convolution::Cyclic)
    }

    /// The same where tables and working memory are to keep within a budget.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::memory::Budget;
    /// use sunzi::transform::DftContext;
    ///
    /// let field = Fp32::new(469762049)?;
    /// assert!(DftContext::within(&field, 1 << 10, Budget::within(Some(1 << 20))).is_ok());
    /// assert!(DftContext::within(&field, 1 << 20, Budget::within(Some(1 << 20))).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`DftContext::new`].
    pub fn within(field: &F, len: usize, budget: Budget) -> Result<Self, DftError> {
        let kernel = InstructionSet::detect();
        let plan = DftPlan::choose(field, len, Convolution::Cyclic, kernel)?;
        Self::from_plan_within(field, plan, budget)
    }

    /// The fastest transforms of `len` points whose pointwise products are convolutions of the given kind.
    ///
    /// # Errors
    /// As [`DftContext::new`]; negacyclic ones need 2N to divide p − 1.
    pub fn for_convolution(
        field: &F,
        len: usize,
        convolution: Convolution,
    ) -> Result<Self, DftError> {
        let plan = DftPlan::choose(field, len, convolution, InstructionSet::detect())?;
        Self::from_plan(field, plan)
    }

    /// Transforms by the given algorithm; a kernel that the processor or the prime lacks, or that
    /// is too wide for `len`, gives the next below it.
    ///
    /// # Errors
    /// As [`DftContext::new`].
    ///
    /// ```
    /// use sunzi::InstructionSet;
    /// use sunzi::field::Fp64;
    /// use sunzi::transform::{Algorithm, DftContext};
    ///
    /// let field = Fp64::new((1 << 60) - (1 << 18) + 1)?;
    /// let context = DftContext::with(&field, 1 << 10, Algorithm::SixStep, InstructionSet::Portable)?;
    /// assert!(context.to_string().contains("the six-step transform"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with(
        field: &F,
        len: usize,
        algorithm: Algorithm,
        kernel: InstructionSet,
    ) -> Result<Self, DftError> {
        let plan = DftPlan::forced(field, len, Convolution::Cyclic, algorithm, kernel)?;
        Self::from_plan(field, plan)
    }

    /// What `plan` says, over the field that it was made for.
    ///
    /// # Errors
    /// As [`DftContext::new`].
    pub fn from_plan(field: &F, plan: DftPlan) -> Result<Self, DftError> {
        Self::from_plan_within(field, plan, Budget::system())
    }

    pub(crate) fn from_plan_within(
        field: &F,
        plan: DftPlan,
        budget: Budget,
    ) -> Result<Self, DftError> {
        if plan.algorithm() != Algorithm::Split {
            return Self::from_scalar_plan(field, plan, budget);
        }
        // Made for another field, it may name a kernel or a length that this one lacks.
        let (len, convolution) = (plan.points(), plan.convolution());
        let fitting = DftPlan::forced(field, len, convolution, Algorithm::Split, plan.kernel())?;
        let fitting = fitting.with_grain(plan.grain());
        budget.require(fitting.working_bytes(size_of::<F::Elem>(), usize::MAX))?;
        Ok(Self {
            field: field.clone(),
            transforms: Arc::new(SplitTransform::new(field, &fitting)),
            plan: if fitting.does_as(&plan) {
                plan
            } else {
                fitting
            },
        })
    }
}

impl<F: TwoAdicField> DftContext<F> {
    /// Transforms over any field, by an algorithm that takes one element at a time.
    ///
    /// # Errors
    /// As [`DftContext::new`]; [`DftError::NeedsLanes`] for [`Algorithm::Split`].
    pub fn scalar(
        field: &F,
        len: usize,
        convolution: Convolution,
        algorithm: Algorithm,
    ) -> Result<Self, DftError> {
        Self::scalar_within(field, len, convolution, algorithm, Budget::system())
    }

    fn scalar_within(
        field: &F,
        len: usize,
        convolution: Convolution,
        algorithm: Algorithm,
        budget: Budget,
    ) -> Result<Self, DftError> {
        let plan = DftPlan::scalar(field, len, convolution, algorithm)?;
        Self::from_scalar_plan(field, plan, budget)
    }

    fn from_scalar_plan(field: &F, plan: DftPlan, budget: Budget) -> Result<Self, DftError> {
        let (len, convolution) = (plan.points(), plan.convolution());
        DftPlan::scalar(field, len, convolution, plan.algorithm())?;
        budget.require(plan.working_bytes(size_of::<F::Elem>(), usize::MAX))?;
        Ok(Self {
            field: field.clone(),
            transforms: Arc::new(ScalarTransform::new(field, &plan)?),
            plan,
        })
    }

    /// The field.
    #[must_use]
    pub fn field(&self) -> &F {
        &self.field
    }

    /// What the context does and why.
    #[must_use]
    pub fn plan(&self) -> &DftPlan {
        &self.plan
    }

    /// Points N: every vector has this length.
    #[must_use]
    pub fn points(&self) -> usize {
        self.plan.points()
    }

    /// Elements of scratch memory that a transform takes besides the vector: 0 or N.
    #[must_use]
    pub fn scratch_len(&self) -> usize {
        self.transforms.scratch_len()
    }

    /// Bytes of the context's tables, about.
    #[must_use]
    pub fn table_bytes(&self) -> usize {
        self.transforms.table_bytes()
    }

    pub(crate) fn transforms(&self) -> &dyn Transform<F> {
        &*self.transforms
    }

    /// Whether both are the same context, or two that do the same.
    pub(crate) fn agrees_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.transforms, &other.transforms)
            || (self.plan.does_as(&other.plan) && self.field == other.field)
    }

    /// Coefficients in natural order to values in the given order, or back, in place.
    ///
    /// Takes O(N log N) operations (N² for [`Algorithm::Reference`]).
    ///
    /// # Errors
    /// [`DftError::Shape`] if `data` does not have N elements.
    pub fn transform(
        &self,
        data: &mut [F::Elem],
        direction: Direction,
        ordering: Ordering,
    ) -> Result<(), DftError> {
        let mut scratch = self.scratch();
        self.transform_with_scratch(data, &mut scratch, direction, ordering)
    }

    /// As [`DftContext::transform`], with the caller's scratch memory, whose contents don't matter.
    ///
    /// # Errors
    /// [`DftError::Shape`] if `data` does not have N elements, or `scratch` has fewer than
    /// [`DftContext::scratch_len`].
    pub fn transform_with_scratch(
        &self,
        data: &mut [F::Elem],
        scratch: &mut [F::Elem],
        direction: Direction,
        ordering: Ordering,
    ) -> Result<(), DftError> {
        expect_len(self.points(), data.len())?;
        let (expected, found) = (self.scratch_len(), scratch.len());
        let scratch = scratch
            .get_mut(..expected)
            .ok_or(DftError::Shape { expected, found })?;
        self.transforms
            .transform(data, scratch, direction, ordering);
        Ok(())
    }

    /// Values of the polynomial with coefficients `data`, in the given order.
    ///
    /// # Errors
    /// As [`DftContext::transform`].
    pub fn forward(&self, data: &mut [F::Elem], ordering: Ordering) -> Result<(), DftError> {
        self.transform(data, Direction::Forward, ordering)
    }

    /// Coefficients of the polynomial with values `data`, which are in the given order.
    ///
    /// # Errors
    /// As [`DftContext::transform`].
    pub fn inverse(&self, data: &mut [F::Elem], ordering: Ordering) -> Result<(), DftError> {
        self.transform(data, Direction::Inverse, ordering)
    }

    /// Values in [`Ordering::Internal`]: nothing is spent on their order.
    ///
    /// ```
    /// use sunzi::field::{Field, Fp32};
    /// use sunzi::transform::DftContext;
    ///
    /// // (1 + x)² modulo x^8 − 1.
    /// let field = Fp32::new(469762049)?;
    /// let context = DftContext::new(&field, 8)?;
    /// let mut values = [1, 1, 0, 0, 0, 0, 0, 0];
    /// context.forward_in_place(&mut values)?;
    /// for value in &mut values {
    ///     *value = field.mul(*value, *value);
    /// }
    /// context.inverse_in_place(&mut values)?;
    /// assert_eq!(values, [1, 2, 1, 0, 0, 0, 0, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`DftContext::transform`].
    pub fn forward_in_place(&self, data: &mut [F::Elem]) -> Result<(), DftError> {
        self.forward(data, Ordering::Internal)
    }

    /// Undoes [`DftContext::forward_in_place`].
    ///
    /// # Errors
    /// As [`DftContext::transform`].
    pub fn inverse_in_place(&self, data: &mut [F::Elem]) -> Result<(), DftError> {
        self.inverse(data, Ordering::Internal)
    }

    /// Transforms the vectors of N elements that lie one after the other in `data`, several at a
    /// time if there are threads.
    ///
    /// # Errors
    /// [`DftError::Shape`] if their length together is no multiple of N.
    pub fn transform_batch(
        &self,
        data: &mut [F::Elem],
        direction: Direction,
        ordering: Ordering,
    ) -> Result<(), DftError> {
        let points = self.points();
        expect_len(data.len().next_multiple_of(points), data.len())?;
        let shared = self.plan.grain().of(PARALLEL_BATCH);
        let threads = Threads::when(data.len() >= shared);
        let vectors = data.len() / points;
        let piece = threads.piece(vectors, (shared / 4).div_ceil(points));
        threads.each(data.chunks_mut(piece * points), |vectors| {
            let mut scratch = self.scratch();
            for vector in vectors.chunks_exact_mut(points) {
                self.transforms
                    .transform(vector, &mut scratch, direction, ordering);
            }
        });
        Ok(())
    }

    pub(crate) fn scratch(&self) -> Vec<F::Elem> {
        vec![F::Elem::default(); self.scratch_len()]
    }
}

/// An error unless the lengths agree.
pub(crate) fn expect_len(expected: usize, found: usize) -> Result<(), DftError> {
    match expected == found {
        true => Ok(()),
        false => Err(DftError::Shape { expected, found }),
    }
}

impl<F: TwoAdicField> fmt::Display for DftContext<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.plan)
    }
}

/// A kind of kernels ([`Field::Kernels`](sunzi_field::Field::Kernels)) with transforms over the field F.
pub trait TransformKernels<F: TwoAdicField> {
    /// Vectors of N elements that a transform takes beside its own, on each thread that computes one.
    const SCRATCH: usize;

    /// Bytes of a row of a matrix that the transforms of its columns take at a time at least.
    #[doc(hidden)]
    const LEAST_ROW: usize = 1;

    /// The fastest transforms of `len` points, a power of two, whose tables and working memory keep within the budget.
    ///
    /// # Errors
    /// As [`DftContext::scalar`].
    fn fastest_dft(field: &F, len: usize, budget: Budget) -> Result<DftContext<F>, DftError>;

    /// The fastest transforms of the columns of a matrix of `height` rows, likewise, by a kernel that the processor has.
    #[doc(hidden)]
    #[allow(private_interfaces)]
    fn fastest_columns(
        field: &F,
        height: usize,
        _kernel: InstructionSet,
        budget: Budget,
    ) -> Result<Arc<dyn ColumnTransforms<F>>, DftError> {
        let context = Self::fastest_dft(field, height, budget)?;
        Ok(Arc::new(TransposedColumns(context)))
    }
}

/// A prime field with its fastest transforms.
pub trait DftField: TwoAdicField<Kernels: TransformKernels<Self>> {
    /// The fastest transforms of `len` points, a power of two.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::transform::{DftField, Ordering};
    ///
    /// let mut x = [1, 2, 3, 4];
    /// Fp32::new(17)?.fastest_dft(4)?.forward(&mut x, Ordering::Natural)?;
    /// assert_eq!(x, [10, 6, 15, 7]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DftError::NotPowerOfTwo`]; [`DftError::TooLong`] if N does not divide p − 1;
    /// [`DftError::OutOfMemory`].
    fn fastest_dft(&self, len: usize) -> Result<DftContext<Self>, DftError> {
        self.fastest_dft_within(len, Budget::system())
    }

    /// The same where tables and working memory are to keep within a budget.
    ///
    /// # Errors
    /// As [`DftField::fastest_dft`].
    fn fastest_dft_within(&self, len: usize, budget: Budget) -> Result<DftContext<Self>, DftError> {
        Self::Kernels::fastest_dft(self, len, budget)
    }
}

impl<F: TwoAdicField<Kernels: TransformKernels<F>>> DftField for F {}

impl<F: TransformField> TransformKernels<F> for WordKernels {
    const SCRATCH: usize = 0;
    const LEAST_ROW: usize = LINE_BYTES;

    fn fastest_dft(field: &F, len: usize, budget: Budget) -> Result<DftContext<F>, DftError> {
        DftContext::within(field, len, budget)
    }

    #[allow(private_interfaces)]
    fn fastest_columns(
        field: &F,
        height: usize,
        kernel: InstructionSet,
        budget: Budget,
    ) -> Result<Arc<dyn ColumnTransforms<F>>, DftError> {
        Ok(Arc::new(SplitColumns::new(field, height, kernel, budget)?))
    }
}

/// Points from which vectors are transformed as matrices, whose rows fit caches and are shared between threads.
const SIX_STEP_POINTS: usize = 1 << 12;

impl<F: TwoAdicField> TransformKernels<F> for ScalarKernels {
    const SCRATCH: usize = 2;

    fn fastest_dft(field: &F, len: usize, budget: Budget) -> Result<DftContext<F>, DftError> {
        let algorithm = match len < SIX_STEP_POINTS {
            true => Algorithm::Stockham,
            false => Algorithm::SixStep,
        };
        DftContext::scalar_within(field, len, Convolution::Cyclic, algorithm, budget)
    }
}
