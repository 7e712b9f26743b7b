//! The context that multiplies: kernels of this processor, measured thresholds, reusable scratch.

use crate::cpu::CpuClass;
use crate::error::MulError;
use crate::limbs::add_assign;
use crate::memory::transform_bytes;
use crate::plan::{Algorithm, Plan};
use crate::recursion::{Recursion, Step, scratch_limbs};
use crate::schoolbook;
use crate::scratch::ScratchPool;
use crate::thresholds::Thresholds;
use crate::transform::TransformContext;
use sunzi_field::InstructionSet;

/// Up to so many limbs of the shorter operand it is always schoolbook, and no choice is made: at these
/// sizes even that would take time. Below the thresholds of every class of kernels.
const SHORT: usize = 5;

/// Multiplies vectors of limbs (little-endian `u64`) of any lengths.
///
/// Make one and pass it on: it keeps the scratch memory that its products need, so that repeated
/// products allocate nothing. It may be shared between threads. Results never depend on the
/// processor, on the algorithm, or on the number of threads.
///
/// ```
/// use sunzi_integer::Multiplier;
/// let multiplier = Multiplier::new();
/// let mut product = [0; 3];
/// multiplier.mul(&mut product, &[u64::MAX, u64::MAX], &[2]);
/// assert_eq!(product, [u64::MAX - 1, u64::MAX, 1]);
/// ```
#[derive(Debug)]
pub struct Multiplier {
    recursion: Recursion,
    scratch: ScratchPool,
    transform: TransformContext,
}

impl Default for Multiplier {
    fn default() -> Self {
        Self::new()
    }
}

impl Multiplier {
    /// A multiplier with the best kernels of this processor.
    pub fn new() -> Self {
        Self::with_kernels(CpuClass::detect(), InstructionSet::detect())
    }

    /// A multiplier with the kernels of one class: for comparisons between them.
    ///
    /// # Errors
    /// [`MulError::UnsupportedCpu`] if this processor does not run them.
    ///
    /// ```
    /// use sunzi_integer::{CpuClass, Multiplier};
    /// let multiplier = Multiplier::with_cpu(CpuClass::Portable)?;
    /// let mut product = [0; 2];
    /// multiplier.mul(&mut product, &[6], &[7]);
    /// assert_eq!(product, [42, 0]);
    /// # Ok::<(), sunzi_integer::MulError>(())
    /// ```
    pub fn with_cpu(cpu: CpuClass) -> Result<Self, MulError> {
        if cpu.is_supported() {
            let kernel = match cpu {
                CpuClass::Portable => InstructionSet::Portable,
                CpuClass::Adx => InstructionSet::Avx2,
                CpuClass::Ifma => InstructionSet::Avx512,
            };
            Ok(Self::with_kernels(cpu, kernel))
        } else {
            Err(MulError::UnsupportedCpu { cpu })
        }
    }

    /// `kernel` is that of the transforms; one that the processor lacks gives the portable one.
    fn with_kernels(cpu: CpuClass, kernel: InstructionSet) -> Self {
        let recursion = Recursion {
            cpu,
            thresholds: Thresholds::of(cpu, kernel),
        };
        Self {
            recursion,
            scratch: ScratchPool::default(),
            transform: TransformContext::new(kernel),
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
        self.chosen_product(out, a, b);
    }

    /// `out = a · b`, for any lengths, zero included, in any order.
    ///
    /// # Errors
    /// [`MulError::OutputLength`] unless `out.len() == a.len() + b.len()`.
    ///
    /// ```
    /// let multiplier = sunzi_integer::Multiplier::new();
    /// assert!(multiplier.try_mul(&mut [0; 3], &[6], &[7]).is_err());
    /// ```
    pub fn try_mul(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> Result<(), MulError> {
        check_output(out.len(), a.len() + b.len())?;
        self.chosen_product(out, a, b);
        Ok(())
    }

    /// `out = a²`.
    ///
    /// # Panics
    /// Unless `out.len() == 2 · a.len()`.
    ///
    /// ```
    /// let mut square = [0; 2];
    /// sunzi_integer::Multiplier::new().sqr(&mut square, &[1 << 63]);
    /// assert_eq!(square, [0, 1 << 62]);
    /// ```
    #[inline]
    pub fn sqr(&self, out: &mut [u64], a: &[u64]) {
        if out.len() != 2 * a.len() {
            wrong_output_length(out.len(), 2 * a.len());
        }
        if !schoolbook::sqr_if_short(self.recursion.cpu, out, a) {
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
    /// [`MulError::OutputLength`]; [`MulError::Unavailable`] where the processor lacks the instructions.
    ///
    /// ```
    /// use sunzi_integer::{Algorithm, Multiplier};
    /// let mut product = [0; 4];
    /// Multiplier::new().mul_with(Algorithm::Karatsuba, &mut product, &[0, 1], &[5, 7])?;
    /// assert_eq!(product, [0, 5, 7, 0]);
    /// # Ok::<(), sunzi_integer::MulError>(())
    /// ```
    pub fn mul_with(
        &self,
        algorithm: Algorithm,
        out: &mut [u64],
        a: &[u64],
        b: &[u64],
    ) -> Result<(), MulError> {
        check_output(out.len(), a.len() + b.len())?;
        let Recursion { cpu, thresholds } = self.recursion;
        let forced = thresholds.forced(algorithm, cpu, a.len().min(b.len()))?;
        self.product(
            &Recursion {
                cpu,
                thresholds: forced,
            },
            out,
            a,
            b,
        );
        Ok(())
    }

    /// `out = a · b` by the algorithm that the thresholds choose.
    ///
    /// The shortest operands take less time than a choice, or than saving registers for the other ways.
    #[inline]
    fn chosen_product(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        if !schoolbook::mul_if_short(self.recursion.cpu, out, a, b) {
            self.longer_product(out, a, b);
        }
    }

    /// Beside the callers of [`Self::mul`]: too long to be repeated in each of them.
    #[inline(never)]
    fn longer_product(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        if a.len() < b.len() {
            self.turned_product(out, a, b);
        } else if b.len() <= SHORT {
            schoolbook::mul_by_few(self.recursion.cpu, out, a, b);
        } else {
            self.planned_product(out, a, b);
        }
    }

    /// Beside [`Self::longer_product`]: a branch is faster there than conditional moves.
    #[inline(never)]
    fn turned_product(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        self.longer_product(out, b, a);
    }

    /// Beside [`Self::longer_product`], which saves no registers for it.
    #[inline(never)]
    fn planned_product(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        self.product(&self.recursion, out, a, b);
    }

    /// Beside the callers of [`Self::sqr`].
    #[inline(never)]
    fn longer_square(&self, out: &mut [u64], a: &[u64]) {
        if !schoolbook::sqr_if_faster(self.recursion.cpu, out, a) {
            self.longer_product(out, a, a);
        }
    }

    #[inline]
    fn product(&self, recursion: &Recursion, out: &mut [u64], a: &[u64], b: &[u64]) {
        let (a, b) = if a.len() >= b.len() { (a, b) } else { (b, a) };
        if b.len() >= recursion.thresholds.transform {
            return self.transform_product(recursion, out, a, b);
        }
        match recursion.step(a.len(), b.len()) {
            Step::Whole(kernel @ (Algorithm::Schoolbook | Algorithm::Ifma)) => {
                recursion.quadratic(kernel, out, a, b);
            }
            _ => self.recursive_product(recursion, out, a, b),
        }
    }

    #[inline(never)]
    fn recursive_product(&self, recursion: &Recursion, out: &mut [u64], a: &[u64], b: &[u64]) {
        self.scratch
            .with(scratch_limbs(a.len(), b.len()), |scratch| {
                recursion.mul(out, a, b, scratch);
            });
    }

    /// A product by transforms; a much longer operand is cut into pieces first.
    #[inline(never)]
    fn transform_product(&self, recursion: &Recursion, out: &mut [u64], a: &[u64], b: &[u64]) {
        let piece = transform_piece(a.len(), b.len());
        if piece < a.len() {
            out[..b.len()].fill(0);
            let mut part = vec![0; piece + b.len()];
            for (i, a) in a.chunks(piece).enumerate() {
                let part = &mut part[..a.len() + b.len()];
                self.product(recursion, part, a, b);
                let (low, high) = part.split_at(b.len());
                out[i * piece + b.len()..][..high.len()].copy_from_slice(high);
                add_assign(&mut out[i * piece..][..part.len()], low);
            }
        } else if b.is_empty() {
            out.fill(0);
        } else if self.transform.mul(out, a, b).is_err() {
            // Longer than any transform: 2^32 limbs.
            self.recursive_product(recursion, out, a, b);
        }
    }

    /// About how many bytes [`Self::mul`] takes beside operands and product of these lengths, in
    /// either order: those of transforms, for other algorithms take less (but for some KiB).
    /// Saturating.
    ///
    /// [`Self::mul`] itself does not ask whether they can be had.
    ///
    /// ```
    /// use sunzi_integer::Multiplier;
    /// // A million limbs each: 2^21 points, three primes.
    /// let bytes = Multiplier::scratch_bytes(1_000_000, 1_000_000);
    /// assert_eq!(bytes, 7 * (8 << 21));
    /// ```
    #[must_use]
    pub fn scratch_bytes(long_limbs: usize, short_limbs: usize) -> u64 {
        let long = long_limbs.max(short_limbs);
        let short = long_limbs.min(short_limbs);
        let piece = transform_piece(long, short);
        let buffer = match piece < long {
            true => (piece.saturating_add(short) as u64).saturating_mul(8),
            false => 0,
        };
        transform_bytes(piece, short).saturating_add(buffer)
    }

    /// What [`Self::mul`] will do for operands of these lengths in limbs.
    ///
    /// ```
    /// use sunzi_integer::{Algorithm, Multiplier};
    /// let plan = Multiplier::new().plan(1, 3);
    /// assert_eq!((plan.long, plan.algorithm), (3, Algorithm::Schoolbook));
    /// println!("{plan}");
    /// ```
    pub fn plan(&self, len_a: usize, len_b: usize) -> Plan {
        let (long, short) = (len_a.max(len_b), len_a.min(len_b));
        let thresholds = &self.recursion.thresholds;
        if short >= thresholds.transform {
            return Plan {
                long,
                short,
                algorithm: Algorithm::Transform,
                pieces: long.div_ceil(transform_piece(long, short)),
                from: thresholds.transform,
                cpu: self.recursion.cpu,
            };
        }
        let (algorithm, pieces) = match self.recursion.step(long, short) {
            Step::Whole(algorithm) => (algorithm, 1),
            Step::Pieces(size) => match self.recursion.step(size, short) {
                Step::Whole(algorithm) => (algorithm, long.div_ceil(size)),
                Step::Pieces(_) => (Algorithm::Karatsuba, long.div_ceil(size)),
            },
        };
        let from = match algorithm {
            Algorithm::Ifma => thresholds.ifma,
            Algorithm::Karatsuba => thresholds.karatsuba,
            Algorithm::Toom3 => thresholds.toom3,
            _ => 0,
        };
        Plan {
            long,
            short,
            algorithm,
            pieces,
            from,
            cpu: self.recursion.cpu,
        }
    }
}

/// Limbs of the pieces into which an operand of `long` limbs is cut before transforms: many times
/// the shorter one would waste the transform of the shorter one's zeros.
fn transform_piece(long: usize, short: usize) -> usize {
    if long > short.max(1).saturating_mul(16) {
        8 * short.max(1)
    } else {
        long
    }
}

fn check_output(found: usize, expected: usize) -> Result<(), MulError> {
    if found == expected {
        Ok(())
    } else {
        Err(MulError::OutputLength { expected, found })
    }
}

/// Beside the code of products, which it would slow down.
#[cold]
#[inline(never)]
fn wrong_output_length(found: usize, expected: usize) -> ! {
    panic!("the product has as many limbs as both operands: {expected}, not {found}");
}
