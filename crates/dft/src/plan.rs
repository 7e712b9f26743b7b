//! The plan: which algorithm runs on which instructions, and why. A value that can be compared and printed.

use crate::problem::{Algorithm, Convolution, DftError, checked_log};
use crate::split::pass::{TransformField, kernel_for_len};
use std::fmt;
use sunzi_field::{GeneralizedFermat, TwoAdicField};
use sunzi_machine::{Grain, InstructionSet, memory::Budget};

/// Why a [`DftPlan`] is as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The caller named the algorithm.
    Asked,
    /// So few points that preparing vector registers costs more than it saves.
    Tiny,
    /// The fastest for word-size primes at every other length.
    Fastest,
    /// The fastest for primes r^k + 1 whose digits suit vectors.
    FastestForBigPrimes,
    /// The kernel that was asked for does not suit the processor, the prime or so few points.
    NarrowerKernel {
        /// The kernel asked for.
        asked: InstructionSet,
    },
}

/// How a context over a generalized Fermat field is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BigPrimeOptions {
    /// What pointwise products of its transforms are.
    pub convolution: Convolution,
    /// Bytes that tables of powers of ω may take; or O(√N) elements, if that is more. Where all N powers
    /// do not fit, they are computed by up to four products instead of one.
    pub table_limit: usize,
    /// The instructions to use; one that the processor lacks gives the portable ones.
    pub kernel: InstructionSet,
    /// The memory that tables and transforms may take.
    pub budget: Budget,
    /// How finely work is cut.
    #[doc(hidden)]
    pub grain: Grain,
}

impl Default for BigPrimeOptions {
    /// Cyclic, with full tables and the fastest kernel.
    fn default() -> Self {
        Self {
            convolution: Convolution::Cyclic,
            table_limit: usize::MAX,
            kernel: InstructionSet::detect(),
            budget: Budget::system(),
            grain: Grain::default(),
        }
    }
}

/// The checked choice of an algorithm and its parameters; a [`DftContext`](crate::DftContext) executes it.
///
/// ```
/// use sunzi::InstructionSet;
/// use sunzi::field::Fp32;
/// use sunzi::transform::{Convolution, DftPlan};
///
/// let field = Fp32::new(469762049)?;
/// let plan = DftPlan::choose(&field, 1 << 16, Convolution::Cyclic, InstructionSet::Portable)?;
/// assert!(plan.to_string().contains("65536 points by recursive splitting"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DftPlan {
    log_n: u32,
    convolution: Convolution,
    algorithm: Algorithm,
    kernel: InstructionSet,
    reason: Reason,
    grain: Grain,
}

/// Below this many points a loop over single words is faster (measured with the example
/// `transforms`).
const FEW_POINTS: usize = 16;

impl DftPlan {
    /// The fastest way for a word-size prime.
    ///
    /// # Errors
    /// [`DftError::NotPowerOfTwo`] and [`DftError::TooLong`] if there is no such transform.
    pub fn choose<F: TransformField>(
        field: &F,
        len: usize,
        convolution: Convolution,
        kernel: InstructionSet,
    ) -> Result<Self, DftError> {
        if len < FEW_POINTS {
            let mut plan = Self::scalar(field, len, convolution, Algorithm::CooleyTukey)?;
            plan.reason = Reason::Tiny;
            return Ok(plan);
        }
        let mut plan = Self::forced(field, len, convolution, Algorithm::Split, kernel)?;
        if plan.reason == Reason::Asked {
            plan.reason = Reason::Fastest;
        }
        Ok(plan)
    }

    /// The given algorithm, on the given kernel or the widest below it that fits.
    ///
    /// # Errors
    /// As [`DftPlan::choose`].
    pub fn forced<F: TransformField>(
        field: &F,
        len: usize,
        convolution: Convolution,
        algorithm: Algorithm,
        kernel: InstructionSet,
    ) -> Result<Self, DftError> {
        let log_n = checked_log(field, len, convolution)?;
        if algorithm != Algorithm::Split {
            return Self::scalar(field, len, convolution, algorithm);
        }
        let fitting = field.supported(kernel_for_len(field, field.supported(kernel), len));
        let reason = match fitting == kernel {
            true => Reason::Asked,
            false => Reason::NarrowerKernel { asked: kernel },
        };
        Ok(Self {
            log_n,
            convolution,
            algorithm,
            kernel: fitting,
            reason,
            grain: Grain::default(),
        })
    }

    /// An algorithm that takes one element at a time, for any field.
    ///
    /// # Errors
    /// As [`DftPlan::choose`]; [`DftError::NeedsLanes`] for [`Algorithm::Split`], and
    /// [`DftError::NeedsBigPrime`] for [`Algorithm::Rotations`].
    pub fn scalar<F: TwoAdicField>(
        field: &F,
        len: usize,
        convolution: Convolution,
        algorithm: Algorithm,
    ) -> Result<Self, DftError> {
        match algorithm {
            Algorithm::Split => return Err(DftError::NeedsLanes(algorithm)),
            Algorithm::Rotations => return Err(DftError::NeedsBigPrime(algorithm)),
            _ => {}
        }
        Ok(Self {
            log_n: checked_log(field, len, convolution)?,
            convolution,
            algorithm,
            kernel: InstructionSet::Portable,
            reason: Reason::Asked,
            grain: Grain::default(),
        })
    }

    /// [`Algorithm::Rotations`], for fields modulo r^K + 1.
    pub(crate) fn over_big_prime<const K: usize>(
        field: &GeneralizedFermat<K>,
        len: usize,
        options: &BigPrimeOptions,
    ) -> Result<Self, DftError> {
        let (convolution, asked) = (options.convolution, options.kernel);
        let is_there = asked.is_available();
        Ok(Self {
            log_n: checked_log(field, len, convolution)?,
            convolution,
            algorithm: Algorithm::Rotations,
            kernel: if is_there {
                asked
            } else {
                InstructionSet::Portable
            },
            reason: match is_there {
                true => Reason::FastestForBigPrimes,
                false => Reason::NarrowerKernel { asked },
            },
            grain: options.grain,
        })
    }

    /// Whether the two give the same transforms in the same order, for whatever reason.
    pub(crate) fn does_as(&self, other: &Self) -> bool {
        let reason = self.reason;
        *self == Self { reason, ..*other }
    }

    /// About how many bytes tables and working memory take, for elements of `element` bytes; tables of powers for
    /// rotations take at most `table_limit`. Saturating.
    pub(crate) fn working_bytes(&self, element: usize, table_limit: usize) -> u64 {
        let vector = element.saturating_mul(self.points());
        let bytes = match self.algorithm {
            Algorithm::Split => vector.saturating_mul(4),
            Algorithm::Rotations => {
                // Tables, two working vectors, and as much again for weights.
                let vectors = match self.convolution {
                    Convolution::Negacyclic => 4,
                    Convolution::Cyclic | Convolution::Plain => 2,
                };
                let tables = vector.min(table_limit);
                vector.saturating_mul(vectors).saturating_add(tables)
            }
            _ => vector,
        };
        bytes as u64
    }

    /// The same with other lengths of blocks and of what threads share.
    #[doc(hidden)]
    #[must_use]
    pub fn with_grain(self, grain: Grain) -> Self {
        Self { grain, ..self }
    }

    pub(crate) fn grain(&self) -> Grain {
        self.grain
    }

    /// Points N.
    #[must_use]
    pub fn points(&self) -> usize {
        1 << self.log_n
    }

    /// log2 N.
    #[must_use]
    pub fn log_points(&self) -> u32 {
        self.log_n
    }

    /// Which products its transforms are for.
    #[must_use]
    pub fn convolution(&self) -> Convolution {
        self.convolution
    }

    /// The algorithm that runs.
    #[must_use]
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// The instructions that it uses; all but [`Algorithm::Split`] and [`Algorithm::Rotations`] are
    /// portable.
    #[must_use]
    pub fn kernel(&self) -> InstructionSet {
        self.kernel
    }

    /// Why.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }
}

impl fmt::Display for DftPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (points, convolution, algorithm) = (self.points(), self.convolution, self.algorithm);
        write!(
            f,
            "{convolution} transform of {points} points by {algorithm}"
        )?;
        write!(f, ", {} kernel: ", self.kernel)?;
        match self.reason {
            Reason::Asked => f.write_str("as asked"),
            Reason::Tiny => f.write_str("too few points to fill vector registers"),
            Reason::Fastest => f.write_str("the fastest for word-size primes"),
            Reason::FastestForBigPrimes => f.write_str("the fastest for primes r^k + 1"),
            Reason::NarrowerKernel { asked } => write!(
                f,
                "the {asked} kernel does not suit this processor, prime or number of points"
            ),
        }
    }
}
