//! The context that multiplies: kernels of this processor, measured thresholds, reusable scratch.

use crate::cpu::CpuClass;
use crate::error::MulError;
use crate::plan::{Algorithm, Plan};
use crate::recursion::{Recursion, Step, scratch_limbs};
use crate::scratch::ScratchPool;
use crate::thresholds::Thresholds;

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
}

impl Default for Multiplier {
    fn default() -> Self {
        Self::new()
    }
}

impl Multiplier {
    /// A multiplier with the best kernels of this processor.
    pub fn new() -> Self {
        let cpu = CpuClass::detect();
        let recursion = Recursion {
            cpu,
            thresholds: Thresholds::of(cpu),
        };
        Self {
            recursion,
            scratch: ScratchPool::default(),
        }
    }

    /// `out = a · b`, for any lengths, zero included, in any order.
    ///
    /// # Panics
    /// Unless `out.len() == a.len() + b.len()`; [`Self::try_mul`] returns an error instead.
    pub fn mul(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        assert_eq!(
            out.len(),
            a.len() + b.len(),
            "the product has as many limbs as both operands"
        );
        self.mul_unchecked_lengths(out, a, b);
    }

    /// `out = a · b`, for any lengths, zero included, in any order.
    ///
    /// # Errors
    /// [`MulError::OutputLength`] unless `out.len() == a.len() + b.len()`.
    pub fn try_mul(&self, out: &mut [u64], a: &[u64], b: &[u64]) -> Result<(), MulError> {
        check_output(out.len(), a.len() + b.len())?;
        self.mul_unchecked_lengths(out, a, b);
        Ok(())
    }

    fn mul_unchecked_lengths(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        let (long, short) = (a.len().max(b.len()), a.len().min(b.len()));
        match self.recursion.step(long, short) {
            Step::Whole(kernel @ (Algorithm::Schoolbook | Algorithm::Ifma)) => {
                let (a, b) = if a.len() >= b.len() { (a, b) } else { (b, a) };
                self.recursion.whole(kernel, out, a, b, &mut []);
            }
            _ => self.scratch.with(scratch_limbs(long, short), |scratch| {
                self.recursion.mul(out, a, b, scratch);
            }),
        }
    }

    /// `out = a²`.
    ///
    /// # Panics
    /// Unless `out.len() == 2 · a.len()`.
    pub fn sqr(&self, out: &mut [u64], a: &[u64]) {
        assert_eq!(out.len(), 2 * a.len(), "the square has twice as many limbs");
        self.scratch
            .with(scratch_limbs(a.len(), a.len()), |scratch| {
                self.recursion.sqr(out, a, scratch);
            });
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

fn check_output(found: usize, expected: usize) -> Result<(), MulError> {
    if found == expected {
        Ok(())
    } else {
        Err(MulError::OutputLength { expected, found })
    }
}
