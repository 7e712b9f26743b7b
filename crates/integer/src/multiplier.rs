//! The context that multiplies: it makes a plan for every product and calls the kernel that the plan names, with
//! scratch that it keeps.

use crate::fermat::FermatProducts;
use crate::number::{Integer, Natural};
use crate::plan::{Algorithm, Plan, Planner, Step};
use crate::problem::{MulError, check_output};
use crate::schoolbook;
use crate::thresholds::{Thresholds, measured};
use crate::transform::TransformContext;
use crate::{karatsuba, toom3};
use std::sync::{Mutex, OnceLock, PoisonError};
use sunzi_dft::crt::Segmentation;
use sunzi_machine::{Grain, InstructionSet};
use sunzi_rns::limbs::add_assign;

/// Multiplies vectors of limbs (little-endian `u64`) of any lengths.
///
/// Make one and pass it on: it keeps the scratch memory that its products need, so that repeated
/// products allocate nothing. It may be shared between threads. Results never depend on the
/// processor, on the algorithm, or on the number of threads.
///
/// ```
/// use sunzi::integer::Multiplier;
/// let multiplier = Multiplier::new();
/// let mut product = [0; 3];
/// multiplier.mul(&mut product, &[u64::MAX, u64::MAX], &[2]);
/// assert_eq!(product, [u64::MAX - 1, u64::MAX, 1]);
/// ```
#[derive(Debug)]
pub struct Multiplier {
    pub(crate) planner: Planner,
    /// Buffers that products borrow: as many as ran at the same time.
    scratch: Mutex<Vec<Vec<u64>>>,
    transform: TransformContext,
    fermat: FermatProducts,
    /// How finely batches are cut.
    pub(crate) grain: Grain,
}

impl Default for Multiplier {
    fn default() -> Self {
        Self::new()
    }
}

impl Multiplier {
    /// A multiplier with the best kernels of this processor.
    pub fn new() -> Self {
        Self::with_kernels(
            InstructionSet::detect_carry_chains(),
            InstructionSet::detect(),
        )
    }

    /// The multiplier of the whole process, which the operators of [`Natural`](crate::Natural) and its sisters use.
    ///
    /// It is made when it is first asked for, and keeps tables and scratch memory: what was computed before changes no result.
    ///
    /// ```
    /// let mut product = [0; 2];
    /// sunzi::integer::Multiplier::shared().mul(&mut product, &[6], &[7]);
    /// assert_eq!(product, [42, 0]);
    /// ```
    #[inline]
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Multiplier> = OnceLock::new();
        SHARED.get_or_init(Self::new)
    }

    /// A multiplier with the kernels of one instruction set: for comparisons between them.
    ///
    /// # Errors
    /// [`MulError::Unsupported`] if this processor does not run them.
    ///
    /// ```
    /// use sunzi::InstructionSet;
    /// use sunzi::integer::Multiplier;
    /// let multiplier = Multiplier::with_instruction_set(InstructionSet::Portable)?;
    /// let mut product = [0; 2];
    /// multiplier.mul(&mut product, &[6], &[7]);
    /// assert_eq!(product, [42, 0]);
    /// # Ok::<(), sunzi::integer::MulError>(())
    /// ```
    pub fn with_instruction_set(set: InstructionSet) -> Result<Self, MulError> {
        if set.has_carry_chains() {
            Ok(Self::with_kernels(set, set))
        } else {
            Err(MulError::Unsupported { set })
        }
    }

    /// The same with other lengths from which algorithms take over: products do not change, only their times.
    ///
    /// Thresholds below 9 count as 9, and those of vectors that the processor lacks as none.
    ///
    /// ```
    /// use sunzi::integer::{Algorithm, Multiplier, Thresholds};
    /// let early = Thresholds { karatsuba: 9, ..Multiplier::new().thresholds() };
    /// let multiplier = Multiplier::new().with_thresholds(early);
    /// assert_eq!(multiplier.plan(9, 9).algorithm(), Algorithm::Karatsuba);
    /// ```
    #[must_use]
    pub fn with_thresholds(self, thresholds: Thresholds) -> Self {
        Self {
            planner: self.planner.with_thresholds(thresholds),
            ..self
        }
    }

    /// The same with other lengths of what threads share in a batch.
    #[doc(hidden)]
    #[must_use]
    pub fn with_grain(self, grain: Grain) -> Self {
        Self { grain, ..self }
    }

    /// The instructions of its schoolbook products, by name.
    pub fn kernels(&self) -> &'static str {
        match self.planner.instruction_set() {
            InstructionSet::Portable => "portable",
            InstructionSet::Avx2 => "mulx/adcx/adox",
            InstructionSet::Avx512 => "AVX-512 IFMA",
        }
    }

    /// The lengths from which its algorithms take over.
    pub fn thresholds(&self) -> Thresholds {
        self.planner.thresholds()
    }

    /// `schoolbook` and `transforms` are the instruction sets of these; of one that the processor lacks transforms are portable.
    fn with_kernels(schoolbook: InstructionSet, transforms: InstructionSet) -> Self {
        Self {
            planner: Planner::new(schoolbook, measured(schoolbook, transforms)),
            scratch: Mutex::default(),
            transform: TransformContext::new(transforms),
            fermat: FermatProducts::new(),
            grain: Grain::default(),
        }
    }

    /// `out = a · b`, for any lengths, zero included, in any order.
    ///
    /// # Panics
    /// Unless `out.len() == a.len() + b.len()`; [`Self::try_mul`] returns an error instead.
    #[inline]
    pub fn mul(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        if out.len() != a.len() + b.len() {
            wrong_output_length(out.len(), a.len() + b.len());
        }
        self.product(out, a, b);
    }

    /// `out = a · b`, for any lengths, zero included, in any order.
    ///
    /// # Errors
    /// [`MulError::OutputLength`] unless `out.len() == a.len() + b.len()`.
    ///
    /// ```
    /// let multiplier = sunzi::integer::Multiplier::new();
    /// assert!(multiplier.try_mul(&mut [0; 3], &[6], &[7]).is_err());
    /// ```
    pub fn try_mul(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> Result<(), MulError> {
        check_output(out.len(), a.len() + b.len())?;
        self.product(out, a, b);
        Ok(())
    }

    /// `out = a²`.
    ///
    /// # Panics
    /// Unless `out.len() == 2 · a.len()`; [`Self::try_mul`] of `a` and `a` returns an error instead.
    ///
    /// ```
    /// let mut square = [0; 2];
    /// sunzi::integer::Multiplier::new().sqr(&mut square, &[1 << 63]);
    /// assert_eq!(square, [0, 1 << 62]);
    /// ```
    #[inline]
    pub fn sqr(&self, out: &mut [u64], a: &[u64]) {
        if out.len() != 2 * a.len() {
            wrong_output_length(out.len(), 2 * a.len());
        }
        if self.planner.is_unrolled_square(a.len()) {
            // SAFETY: planned for this length, of which the output has twice as many limbs, as checked above.
            unsafe { schoolbook::unrolled_square(out.as_mut_ptr(), a) };
        } else {
            self.longer_square(out, a);
        }
    }

    /// `out = a · b` with a given algorithm at the outermost level, whether or not it is the fastest.
    ///
    /// Where its shape does not fit (the shorter operand has less than half the limbs of the longer, or
    /// two thirds for Toom-3), the longer operand is cut into pieces first; operands of fewer than 2 limbs
    /// (8 for Toom-3) go to the next simpler algorithm.
    ///
    /// # Errors
    /// [`MulError::OutputLength`]; [`MulError::Unavailable`] where the processor lacks the instructions;
    /// [`MulError::OutOfMemory`] for [`Algorithm::Fermat`].
    ///
    /// ```
    /// use sunzi::integer::{Algorithm, Multiplier};
    /// let mut product = [0; 4];
    /// Multiplier::new().mul_with(Algorithm::Karatsuba, &mut product, &[0, 1], &[5, 7])?;
    /// assert_eq!(product, [0, 5, 7, 0]);
    /// # Ok::<(), sunzi::integer::MulError>(())
    /// ```
    pub fn mul_with(
        &self,
        algorithm: Algorithm,
        out: &mut [u64],
        a: &[u64],
        b: &[u64],
    ) -> Result<(), MulError> {
        check_output(out.len(), a.len() + b.len())?;
        let (a, b) = if a.len() >= b.len() { (a, b) } else { (b, a) };
        let planner = self.forcing(algorithm, a.len(), b.len())?;
        if let Some(plan) = planner.fermat() {
            return self.fermat.multiply(&plan, out, a, b);
        }
        self.planned_product(&planner, out, a, b);
        Ok(())
    }

    /// `a · b` as a new vector, as long as both operands: its top limb may be zero.
    #[inline]
    pub(crate) fn product_of(&self, a: &[u64], b: &[u64]) -> Vec<u64> {
        let len = a.len() + b.len();
        let mut out = Vec::with_capacity(len);
        if self.planner.is_unrolled(a.len(), b.len()) {
            // SAFETY: planned for these lengths; there is room for as many limbs as both, all of which are written.
            unsafe {
                schoolbook::unrolled(out.as_mut_ptr(), a, b);
                out.set_len(len);
            }
        } else {
            out.resize(len, 0);
            self.mul(&mut out, a, b);
        }
        out
    }

    /// `a²` as a new vector, twice as long as the operand: its top limb may be zero.
    #[inline]
    pub(crate) fn square_of(&self, a: &[u64]) -> Vec<u64> {
        let len = 2 * a.len();
        let mut out = Vec::with_capacity(len);
        if self.planner.is_unrolled_square(a.len()) {
            // SAFETY: planned for this length; there is room for twice as many limbs, all of which are written.
            unsafe {
                schoolbook::unrolled_square(out.as_mut_ptr(), a);
                out.set_len(len);
            }
        } else {
            out.resize(len, 0);
            self.sqr(&mut out, a);
        }
        out
    }

    /// The product of two integers.
    ///
    /// ```
    /// use sunzi::Integer;
    /// use sunzi::integer::Multiplier;
    /// assert_eq!(Multiplier::new().mul_integers(&Integer::from(-6), &Integer::from(7)), -42);
    /// ```
    pub fn mul_integers(&self, a: &Integer, b: &Integer) -> Integer {
        let product = self.product_of(a.magnitude().as_limbs(), b.magnitude().as_limbs());
        Integer::from_sign_magnitude(
            a.is_negative() != b.is_negative(),
            Natural::from_limbs(product),
        )
    }

    /// The square of an integer.
    ///
    /// ```
    /// use sunzi::Integer;
    /// use sunzi::integer::Multiplier;
    /// assert_eq!(Multiplier::new().sqr_integer(&Integer::from(-6)), 36);
    /// ```
    pub fn sqr_integer(&self, a: &Integer) -> Integer {
        Natural::from_limbs(self.square_of(a.magnitude().as_limbs())).into()
    }

    /// What [`Self::mul`] will do for operands of these lengths in limbs.
    ///
    /// [`Self::mul`] itself does not ask whether the [bytes](Plan::bytes) that it takes can be had.
    ///
    /// ```
    /// use sunzi::integer::{Algorithm, Multiplier};
    /// let plan = Multiplier::new().plan(1, 3);
    /// assert_eq!((plan.long, plan.algorithm()), (3, Algorithm::Schoolbook));
    /// println!("{plan}");
    /// ```
    pub fn plan(&self, len_a: usize, len_b: usize) -> Plan {
        self.planner.plan(len_a.max(len_b), len_a.min(len_b), false)
    }

    /// What [`Self::mul_with`] will do for operands of these lengths in limbs.
    ///
    /// # Errors
    /// [`MulError::Unavailable`] where the processor lacks the instructions.
    ///
    /// ```
    /// use sunzi::integer::{Algorithm, Multiplier};
    /// let plan = Multiplier::new().plan_with(Algorithm::Karatsuba, 30, 30)?;
    /// assert_eq!(plan.algorithm(), Algorithm::Karatsuba);
    /// # Ok::<(), sunzi::integer::MulError>(())
    /// ```
    pub fn plan_with(
        &self,
        algorithm: Algorithm,
        len_a: usize,
        len_b: usize,
    ) -> Result<Plan, MulError> {
        let (long, short) = (len_a.max(len_b), len_a.min(len_b));
        let planner = self.forcing(algorithm, long, short)?;
        Ok(planner.plan(long, short, false))
    }

    /// What plans by a given algorithm.
    fn forcing(
        &self,
        algorithm: Algorithm,
        long: usize,
        short: usize,
    ) -> Result<Planner, MulError> {
        let planner = self.planner.forcing(algorithm, long, short);
        planner.ok_or(MulError::Unavailable {
            algorithm,
            reason: match algorithm {
                Algorithm::Fermat => "no prime r^k + 1 with a name has transforms of that length",
                _ => "the processor lacks AVX-512 IFMA and VBMI",
            },
        })
    }

    /// `out = a · b`, in the code of the caller for the shortest operands, whose products take less time than a call.
    #[inline]
    fn product(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        if self.planner.is_unrolled(a.len(), b.len()) {
            // SAFETY: planned for these lengths, whose sum callers have found the output to have.
            unsafe { schoolbook::unrolled(out.as_mut_ptr(), a, b) };
        } else {
            // SAFETY: the output has as many limbs as both, as callers have found.
            unsafe { self.longer_product(out.as_mut_ptr(), a, b) };
        }
    }

    /// `out = a · b` for operands that no unrolled kernel takes. What needs scratch is a call away, so that no registers
    /// are saved for it here; the output comes without its length, so that all arguments go by registers.
    ///
    /// # Safety
    /// `out` writable for as many limbs as both operands have, which are not among them.
    #[inline(never)]
    unsafe fn longer_product(&self, out: *mut u64, a: &[u64], b: &[u64]) {
        if a.len() < b.len() {
            // SAFETY: this function asks the same.
            return unsafe { self.swapped_product(out, a, b) };
        }
        // SAFETY: these limbs are writable, as this function asks.
        let out = unsafe { std::slice::from_raw_parts_mut(out, a.len() + b.len()) };
        match self.planner.quadratic(a.len(), b.len(), std::ptr::eq(a, b)) {
            // SAFETY: planned for these lengths, whose sum the output has.
            Some(kernel) => unsafe { schoolbook::run(kernel, out, a, b) },
            None => self.large_product(out, a, b),
        }
    }

    /// A call beside [`Self::longer_product`]: a branch is faster there than conditional moves.
    ///
    /// # Safety
    /// As [`Self::longer_product`].
    #[inline(never)]
    unsafe fn swapped_product(&self, out: *mut u64, a: &[u64], b: &[u64]) {
        // SAFETY: this function asks the same.
        unsafe { self.longer_product(out, b, a) };
    }

    /// `out = a²` for an operand that no unrolled kernel takes.
    #[inline(never)]
    fn longer_square(&self, out: &mut [u64], a: &[u64]) {
        match self.planner.quadratic(a.len(), a.len(), true) {
            // SAFETY: planned for this length, of which callers have found the output to have twice as many limbs.
            Some(kernel) => unsafe { schoolbook::run(kernel, out, a, a) },
            None => self.large_product(out, a, a),
        }
    }

    /// A call beside [`Self::longer_product`], which would move its arguments for a call with one more.
    #[inline(never)]
    fn large_product(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        self.planned_product(&self.planner, out, a, b);
    }

    /// `out = a · b` for `a.len() ≥ b.len()`, with scratch.
    fn planned_product(&self, planner: &Planner, out: &mut [u64], a: &[u64], b: &[u64]) {
        let plan = planner.plan(a.len(), b.len(), std::ptr::eq(a, b));
        self.with_scratch(plan.scratch_limbs(), |scratch| {
            self.execute(planner, &plan, out, [a, b], scratch);
        });
    }

    /// `out = a · b` inside of a product, in any order; operands that are one and the same slice are squared.
    fn multiply(
        &self,
        planner: &Planner,
        out: &mut [u64],
        a: &[u64],
        b: &[u64],
        scratch: &mut [u64],
    ) {
        let (a, b) = if a.len() >= b.len() { (a, b) } else { (b, a) };
        let square = std::ptr::eq(a, b);
        match planner.quadratic(a.len(), b.len(), square) {
            // SAFETY: planned for these lengths; `out` has as many limbs as both at every level.
            Some(kernel) => unsafe { schoolbook::run(kernel, out, a, b) },
            None => {
                let plan = planner.plan(a.len(), b.len(), square);
                self.execute(planner, &plan, out, [a, b], scratch);
            }
        }
    }

    /// Runs a plan that was made for these operands, the longer one first.
    #[inline(never)]
    fn execute(
        &self,
        planner: &Planner,
        plan: &Plan,
        out: &mut [u64],
        [a, b]: [&[u64]; 2],
        scratch: &mut [u64],
    ) {
        if !plan.is_whole() {
            return self.pieces(planner, plan.piece, out, [a, b], scratch);
        }
        let inner = |out: &mut [u64], a: &[u64], b: &[u64], scratch: &mut [u64]| {
            self.multiply(planner, out, a, b, scratch);
        };
        match plan.step {
            // SAFETY: planned for these lengths; `out` has as many limbs as both at every level.
            Step::Quadratic(kernel) => unsafe { schoolbook::run(kernel, out, a, b) },
            Step::Karatsuba => karatsuba::mul(out, a, b, plan.square, scratch, inner),
            Step::Toom3 => toom3::mul(out, a, b, plan.square, scratch, inner),
            Step::Transform(digits) => {
                let cut = Segmentation::for_threads;
                let done = self.transform.mul(digits, plan.square, out, [a, b], cut);
                done.expect("transforms are planned only where they are long enough");
            }
            Step::Fermat(_) => {
                unreachable!("what was asked for by name runs where it was asked for")
            }
        }
    }

    /// Multiplies `b` by pieces of `size` limbs of `a`, adding up as it goes.
    #[inline(never)]
    fn pieces(
        &self,
        planner: &Planner,
        size: usize,
        out: &mut [u64],
        [a, b]: [&[u64]; 2],
        scratch: &mut [u64],
    ) {
        let (overlap, scratch) = scratch.split_at_mut(b.len());
        for (i, piece) in a.chunks(size).enumerate() {
            let part = &mut out[i * size..i * size + piece.len() + b.len()];
            if i == 0 {
                self.multiply(planner, part, piece, b, scratch);
                continue;
            }
            // The low limbs still hold the top of the pieces before: set them aside, then add them.
            overlap.copy_from_slice(&part[..b.len()]);
            self.multiply(planner, part, piece, b, scratch);
            add_assign(part, overlap);
        }
    }

    /// Runs `work` with `limbs` limbs of arbitrary content.
    fn with_scratch(&self, limbs: usize, work: impl FnOnce(&mut [u64])) {
        if limbs == 0 {
            return work(&mut []);
        }
        // A panic elsewhere cannot leave a list of buffers half-changed in a way that matters.
        let pool = || self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let mut buffer = pool().pop().unwrap_or_default();
        if buffer.len() < limbs {
            buffer.resize(limbs.next_power_of_two(), 0);
        }
        work(&mut buffer[..limbs]);
        pool().push(buffer);
    }
}

/// Beside the code of products, which it would slow down.
#[cold]
#[inline(never)]
fn wrong_output_length(found: usize, expected: usize) -> ! {
    panic!("the product has as many limbs as both operands: {expected}, not {found}");
}

/// The product of two natural numbers, limbs by limbs, by the [shared multiplier](Multiplier::shared); there may be a zero at its end.
///
/// ```
/// assert_eq!(sunzi_integer::mul_limbs(&[0, 2], &[3]), [0, 6, 0]);
/// ```
pub fn mul_limbs(a: &[u64], b: &[u64]) -> Vec<u64> {
    Multiplier::shared().product_of(a, b)
}
