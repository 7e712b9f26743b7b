//! Products of polynomials over one field by transforms, with tables and buffers kept for reuse.

use crate::problem::DftError;
use crate::split::pass::{SplitContext, TransformField, kernel_for_len};
use crate::split::plan::{Footprint, grain, truncated_len};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use sunzi_machine::{Grain, InstructionSet, threads::Threads};

/// Points from which the two operands are transformed on different threads.
const PARALLEL_OPERANDS: usize = 1 << 14;

/// Multiplies polynomials over a field with roots of unity: transforms of truncated lengths, so
/// that the cost grows smoothly with the length of the product.
///
/// Tables of multipliers grow with the longest product asked for; they and the working buffers are
/// kept for the next product. All methods take `&self`: one convolver serves many threads.
///
/// ```
/// use sunzi::field::Fp32;
/// use sunzi::transform::Convolver;
///
/// let field = Fp32::new(469762049)?;
/// let convolver = Convolver::new(&field);
/// let mut product = [0; 4];
/// convolver.convolve(&mut product, &[1, 2, 3], &[4, 5])?;
/// assert_eq!(product, [4, 13, 22, 15]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Convolver<F: TransformField> {
    field: F,
    kernel: InstructionSet,
    grain: Grain,
    context: RwLock<Option<Arc<SplitContext<F>>>>,
    /// Working memory for the next product, shared between convolvers.
    buffers: Arc<Mutex<Vec<Vec<F::Elem>>>>,
}

/// The transform of a polynomial, kept to multiply it by many others.
///
/// It stands for a polynomial of at most [`Transformed::len`] coefficients, evaluated at as many
/// points as its products need ([`Transformed::points`]); it belongs to the convolver that made it.
#[derive(Clone, Debug)]
pub struct Transformed<F: TransformField> {
    values: Vec<F::Elem>,
    context: Arc<SplitContext<F>>,
    len: usize,
}

impl<F: TransformField> Transformed<F> {
    /// Coefficients of the polynomial.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Points at which it was evaluated: products with it may be that long.
    #[must_use]
    pub fn points(&self) -> usize {
        self.values.len()
    }
}

/// A product in a kernel's private form, see [`Convolver::convolve_private`].
#[derive(Debug)]
pub(crate) struct PrivateProduct<F: TransformField> {
    values: Vec<F::Elem>,
    /// Coefficients, rounded up to whole vectors.
    padded: usize,
    scale: [F::Elem; 2],
}

impl<F: TransformField> PrivateProduct<F> {
    /// The coefficients, in the kernel's private form and times a constant; rounded up to whole vectors.
    pub(crate) fn values_mut(&mut self) -> &mut [F::Elem] {
        &mut self.values[..self.padded]
    }

    /// The prepared multiplier, one table entry, that removes the constant.
    pub(crate) fn scale(&self) -> &[F::Elem; 2] {
        &self.scale
    }
}

impl<F: TransformField> Convolver<F> {
    /// A convolver with the fastest kernel of this processor. Costs nothing until it is used.
    #[must_use]
    pub fn new(field: &F) -> Self {
        Self::with_kernel(field, InstructionSet::detect())
    }

    /// A convolver with the given kernel; one that the processor lacks gives the portable one, and
    /// one whose vectors are too long for the field's transforms a narrower one.
    #[must_use]
    pub fn with_kernel(field: &F, kernel: InstructionSet) -> Self {
        Self {
            field: field.clone(),
            kernel: kernel_for_len(field, field.supported(kernel), max_len(field)),
            grain: Grain::default(),
            context: RwLock::new(None),
            buffers: Arc::default(),
        }
    }

    /// The same with other lengths of blocks and of what threads share.
    #[doc(hidden)]
    #[must_use]
    pub fn with_grain(self, grain: Grain) -> Self {
        Self {
            grain,
            context: RwLock::new(None),
            ..self
        }
    }

    /// A convolver over another field of the same type that takes its working memory from the same
    /// store as this one.
    pub(crate) fn sharing_memory(&self, field: &F) -> Self {
        Self {
            buffers: Arc::clone(&self.buffers),
            grain: self.grain,
            ..Self::with_kernel(field, self.kernel)
        }
    }

    /// The field.
    #[must_use]
    pub fn field(&self) -> &F {
        &self.field
    }

    /// The kernel that runs.
    #[must_use]
    pub fn kernel(&self) -> InstructionSet {
        self.kernel
    }

    /// The most coefficients that a product may have: 2^s, where 2^s is the power of two in p − 1.
    #[must_use]
    pub fn max_len(&self) -> usize {
        max_len(&self.field)
    }

    /// About how many bytes a product of `len` coefficients takes beside operands and result: the
    /// values of both operands, and the multipliers. Saturating.
    ///
    /// ```
    /// use sunzi::field::Fp32;
    /// use sunzi::transform::Convolver;
    ///
    /// let convolver = Convolver::new(&Fp32::new(469762049)?);
    /// assert_eq!(convolver.scratch_bytes(1 << 20), 3 * (4 << 20));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn scratch_bytes(&self, len: usize) -> u64 {
        let footprint = Footprint::of(len);
        let words = self.field().shape(self.kernel()).words() as u64;
        let tables = footprint.multipliers.saturating_mul(words);
        let vectors = footprint.values.saturating_mul(2).saturating_add(tables);
        vectors.saturating_mul(size_of::<F::Elem>() as u64)
    }

    /// Computes the tables for products of up to `len` coefficients now rather than at the first
    /// product.
    ///
    /// # Errors
    /// [`DftError::TooLong`] if the field has no roots of unity of that order.
    pub fn prepare(&self, len: usize) -> Result<(), DftError> {
        self.context_for(len).map(drop)
    }

    pub(crate) fn context_for(&self, len: usize) -> Result<Arc<SplitContext<F>>, DftError> {
        if len > self.max_len() {
            return Err(DftError::TooLong {
                len,
                max: self.max_len(),
            });
        }
        let held = self
            .context
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let points = truncated_len(len, 1);
        if let Some(context) = held
            && context.tables().points() >= points
        {
            return Ok(context);
        }
        let context = Arc::new(SplitContext::new(
            &self.field,
            self.kernel,
            points,
            self.grain,
        ));
        let mut slot = self.context.write().unwrap_or_else(PoisonError::into_inner);
        match &*slot {
            Some(other) if other.tables().points() >= points => Ok(other.clone()),
            _ => {
                *slot = Some(context.clone());
                Ok(context)
            }
        }
    }

    /// A buffer of at least `len` words, its contents unspecified.
    pub(crate) fn take_buffer(&self, len: usize) -> Vec<F::Elem> {
        let mut buffers = self.buffers.lock().unwrap_or_else(PoisonError::into_inner);
        let best = (0..buffers.len())
            .filter(|&i| buffers[i].len() >= len)
            .min_by_key(|&i| buffers[i].len());
        match best {
            Some(i) => buffers.swap_remove(i),
            None => {
                // Too short a buffer gives way to the new one.
                buffers.pop();
                vec![F::Elem::default(); len]
            }
        }
    }

    pub(crate) fn give_buffer(&self, buffer: Vec<F::Elem>) {
        self.buffers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(buffer);
    }

    /// Transforms `a` for products of up to `product_len` coefficients.
    ///
    /// # Errors
    /// [`DftError::TooLong`] if the field has no roots of unity of that order;
    /// [`DftError::Shape`] if `a` is longer than `product_len`.
    pub fn transform(&self, a: &[F::Elem], product_len: usize) -> Result<Transformed<F>, DftError> {
        if a.len() > product_len {
            return Err(DftError::Shape {
                expected: product_len,
                found: a.len(),
            });
        }
        let context = self.context_for(product_len)?;
        let points = truncated_len(product_len, context.shape().square());
        let mut values = vec![F::Elem::default(); points.next_power_of_two()];
        evaluate(&context, &mut values, a.len(), points, |x| {
            import(&context, x, a)
        });
        values.truncate(points);
        values.shrink_to_fit();
        Ok(Transformed {
            values,
            context,
            len: a.len(),
        })
    }

    /// The product of `a` and `b`.
    ///
    /// # Errors
    /// [`DftError::Shape`] if `out.len() != a.len() + b.len() − 1`, or if either was transformed
    /// for products of another length; [`DftError::ForeignSpectrum`] if either comes from a
    /// convolver over another field or with another kernel.
    pub fn multiply_transformed(
        &self,
        out: &mut [F::Elem],
        a: &Transformed<F>,
        b: &Transformed<F>,
    ) -> Result<(), DftError> {
        let expected = product_len(a.len, b.len);
        let points = a.points().min(b.points());
        if out.len() != expected || expected > points {
            return Err(DftError::Shape {
                expected,
                found: out.len().min(points),
            });
        }
        if expected == 0 {
            return Ok(());
        }
        if a.points() != b.points() {
            return Err(DftError::Shape {
                expected: a.points(),
                found: b.points(),
            });
        }
        let context = self.context_for(points)?;
        // The order of values depends on the kernel, their meaning on the field.
        let foreign = |spectrum: &Transformed<F>| {
            spectrum.context.kernel != context.kernel || spectrum.context.field != context.field
        };
        if foreign(a) || foreign(b) {
            return Err(DftError::ForeignSpectrum);
        }
        let mut values = self.take_buffer(points.next_power_of_two());
        values[..points].copy_from_slice(&a.values);
        context.multiply_points(&mut values, &b.values, points);
        let product = self.interpolate(&context, values, points, expected);
        self.export(&context, product, out);
        Ok(())
    }

    /// The product of `a` and `b`: `out[k] = Σ a[i]·b[k − i]`. All elements are canonical.
    ///
    /// Takes O(n log n) field operations for n coefficients of the product; transforms share the
    /// threads of the current rayon pool when they are long enough to gain from it.
    ///
    /// # Errors
    /// [`DftError::Shape`] if `out.len() != a.len() + b.len() − 1` (or 0 where an operand is
    /// empty); [`DftError::TooLong`] if it is above [`Convolver::max_len`].
    pub fn convolve(
        &self,
        out: &mut [F::Elem],
        a: &[F::Elem],
        b: &[F::Elem],
    ) -> Result<(), DftError> {
        let expected = product_len(a.len(), b.len());
        if out.len() != expected {
            return Err(DftError::Shape {
                expected,
                found: out.len(),
            });
        }
        if expected == 0 {
            return Ok(());
        }
        let context = self.context_for(expected)?;
        let fill_a = |x: &mut [F::Elem]| import(&context, x, a);
        let fill_b = |x: &mut [F::Elem]| import(&context, x, b);
        let fill_b = (!std::ptr::eq(a, b)).then_some(fill_b);
        let product = self.product(&context, (a.len(), b.len()), fill_a, fill_b);
        self.export(&context, product, out);
        Ok(())
    }

    /// The product of two polynomials that the caller writes in the kernel's private form, left in
    /// that form: for products over several primes, where projection and reconstruction take the
    /// place of [`Lanes::import`](sunzi_field::lanes::Lanes::import) and `export`.
    ///
    /// `fill_a` writes all of a slice of `len_a` residues, rounded up to whole vectors; likewise
    /// `fill_b`. Without `fill_b` the product is the square of a.
    ///
    /// # Errors
    /// [`DftError::TooLong`] as for [`Convolver::convolve`]; [`DftError::Shape`] for an empty
    /// operand.
    pub(crate) fn convolve_private(
        &self,
        (len_a, len_b): (usize, usize),
        fill_a: impl FnOnce(&mut [F::Elem]) + Send,
        fill_b: Option<impl FnOnce(&mut [F::Elem]) + Send>,
    ) -> Result<PrivateProduct<F>, DftError> {
        let len = product_len(len_a, len_b);
        if len == 0 {
            return Err(DftError::Shape {
                expected: 1,
                found: 0,
            });
        }
        let context = self.context_for(len)?;
        Ok(self.product(&context, (len_a, len_b), fill_a, fill_b))
    }

    /// [`Convolver::convolve_private`] with tables that are long enough.
    fn product(
        &self,
        context: &SplitContext<F>,
        (len_a, len_b): (usize, usize),
        fill_a: impl FnOnce(&mut [F::Elem]) + Send,
        fill_b: Option<impl FnOnce(&mut [F::Elem]) + Send>,
    ) -> PrivateProduct<F> {
        let len = product_len(len_a, len_b);
        let points = truncated_len(len, context.shape().square());
        let whole = points.next_power_of_two();
        let mut x = self.take_buffer(whole);
        match fill_b {
            None => {
                evaluate(context, &mut x[..whole], len_a, points, fill_a);
                context.square_points(&mut x, points);
            }
            Some(fill_b) => {
                let mut y = self.take_buffer(whole);
                let threads = Threads::when(points >= self.grain.of(PARALLEL_OPERANDS));
                threads.join(
                    || evaluate(context, &mut x[..whole], len_a, points, fill_a),
                    || evaluate(context, &mut y[..whole], len_b, points, fill_b),
                );
                context.multiply_points(&mut x, &y, points);
                self.give_buffer(y);
            }
        }
        self.interpolate(context, x, points, len)
    }

    /// The polynomial of `len` coefficients whose values at `points` points are in `x`, which come
    /// from one pointwise product.
    pub(crate) fn interpolate(
        &self,
        context: &SplitContext<F>,
        mut x: Vec<F::Elem>,
        points: usize,
        len: usize,
    ) -> PrivateProduct<F> {
        let whole = &mut x[..points.next_power_of_two()];
        let log = context.inverse_to_length(whole, points, grain(points));
        PrivateProduct {
            values: x,
            padded: len.next_multiple_of(context.shape().lanes),
            scale: context.tables().export_scale(log),
        }
    }

    /// Writes a product as canonical residues and takes back its buffer.
    pub(crate) fn export(
        &self,
        context: &SplitContext<F>,
        mut product: PrivateProduct<F>,
        out: &mut [F::Elem],
    ) {
        let scale = product.scale;
        context.export_points(product.values_mut(), scale);
        out.copy_from_slice(&product.values_mut()[..out.len()]);
        self.recycle(product);
    }

    /// Takes back the buffer of a product.
    pub(crate) fn recycle(&self, product: PrivateProduct<F>) {
        self.give_buffer(product.values);
    }
}

/// The longest power of two for which the field has roots of unity.
fn max_len<F: TransformField>(field: &F) -> usize {
    1 << field.two_adicity().min(usize::BITS - 2)
}

/// Coefficients of a product.
fn product_len(a: usize, b: usize) -> usize {
    if a == 0 || b == 0 { 0 } else { a + b - 1 }
}

/// Writes the canonical residues `a`, rounded up to whole vectors, in the private form.
pub(crate) fn import<F: TransformField>(
    context: &SplitContext<F>,
    x: &mut [F::Elem],
    a: &[F::Elem],
) {
    x[..a.len()].copy_from_slice(a);
    x[a.len()..].fill(F::Elem::default());
    context.import_points(x);
}

/// The first `points` values of the transform of what `fill` writes, `len` residues rounded up to
/// whole vectors, in `x[..points]`.
pub(crate) fn evaluate<F: TransformField>(
    context: &SplitContext<F>,
    x: &mut [F::Elem],
    len: usize,
    points: usize,
    fill: impl FnOnce(&mut [F::Elem]),
) {
    let padded = len.next_multiple_of(context.shape().lanes).min(x.len());
    fill(&mut x[..padded]);
    context.forward_truncated(x, 0, padded, points, grain(points));
}
