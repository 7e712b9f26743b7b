//! Which algorithm and which kernel run for operands of given lengths, and why: a value, comparable and printable.
//!
//! Every product, also one inside of another, is planned once, by [`Planner::plan`]; what executes it matches on the
//! plan and calls the kernel.

use crate::fermat::FermatPlan;
use crate::schoolbook::{Kernel, MAX_IFMA, MAX_IFMA_WHOLE, MAX_LONG_SQUARE, MAX_UNROLLED};
use crate::thresholds::{NEVER, Thresholds};
use crate::transform::{Digits, PRIMES};
use std::fmt;
use sunzi_dft::crt::ProductPlan;
use sunzi_machine::InstructionSet;

/// The ways to multiply two integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// Every limb times every limb, 64 bits at a time.
    Schoolbook,
    /// Schoolbook on 52-bit digits, eight columns at a time (AVX-512 IFMA).
    Ifma,
    /// Three half-size products.
    Karatsuba,
    /// Five third-size products.
    Toom3,
    /// Number-theoretic transforms over several primes.
    Transform,
    /// Number-theoretic transforms over one prime r^k + 1 of many words.
    Fermat,
}

impl Algorithm {
    /// All algorithms, from the smallest sizes to the largest, and the one that is fastest for none.
    pub const ALL: [Self; 6] = [
        Self::Schoolbook,
        Self::Ifma,
        Self::Karatsuba,
        Self::Toom3,
        Self::Transform,
        Self::Fermat,
    ];

    /// The name by which a user asks for it.
    ///
    /// ```
    /// assert_eq!(sunzi::integer::Algorithm::Toom3.name(), "toom3");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Self::Schoolbook => "schoolbook",
            Self::Ifma => "ifma",
            Self::Karatsuba => "karatsuba",
            Self::Toom3 => "toom3",
            Self::Transform => "transform",
            Self::Fermat => "fermat",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An algorithm with all that it leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Quadratic(Kernel),
    Karatsuba,
    Toom3,
    Transform(Digits),
    Fermat(FermatPlan),
}

/// The algorithm chosen for a product of given sizes, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Limbs of the longer operand.
    pub long: usize,
    /// Limbs of the shorter operand.
    pub short: usize,
    /// Whether both operands are the same.
    pub(crate) square: bool,
    /// Limbs of the pieces into which the longer operand is cut before anything else: `long` if it is not.
    pub(crate) piece: usize,
    /// What runs on a piece, and decides anew for the last one, which may be shorter.
    pub(crate) step: Step,
    /// The size of the shorter operand, in limbs, from which on this algorithm is the fastest here; 0
    /// for the one of the shortest.
    from: usize,
    /// The kernels in use.
    set: InstructionSet,
}

impl Plan {
    /// The algorithm of the outermost level.
    pub fn algorithm(&self) -> Algorithm {
        match self.step {
            Step::Quadratic(Kernel::Ifma | Kernel::IfmaTiled) => Algorithm::Ifma,
            Step::Quadratic(_) => Algorithm::Schoolbook,
            Step::Karatsuba => Algorithm::Karatsuba,
            Step::Toom3 => Algorithm::Toom3,
            Step::Transform(_) => Algorithm::Transform,
            Step::Fermat(_) => Algorithm::Fermat,
        }
    }

    /// Into how many pieces the longer operand is cut before that; 1: it is not.
    pub fn pieces(&self) -> usize {
        self.long.div_ceil(self.piece.max(1)).max(1)
    }

    /// About how many bytes the product takes beside operands and result. Saturating.
    ///
    /// ```
    /// use sunzi::integer::Multiplier;
    /// // A million limbs each: 2^21 points, three primes.
    /// let plan = Multiplier::new().plan(1_000_000, 1_000_000);
    /// assert_eq!(plan.bytes(), 7 * (8 << 21));
    /// ```
    pub fn bytes(&self) -> u64 {
        let transforms = match self.step {
            Step::Transform(digits) => {
                let [piece, short] = [self.piece, self.short].map(|limbs| digits.holding(limbs));
                ProductPlan::new(PRIMES, piece.saturating_add(short)).bytes()
            }
            Step::Fermat(plan) => plan.bytes(),
            _ => 0,
        };
        let scratch = (self.scratch_limbs() as u64).saturating_mul(8);
        transforms.saturating_add(scratch)
    }

    /// Whether the longer operand is not cut.
    #[inline(always)]
    pub(crate) fn is_whole(&self) -> bool {
        self.piece == self.long
    }

    /// Limbs of scratch that cover every level of the product.
    pub(crate) fn scratch_limbs(&self) -> usize {
        match self.step {
            Step::Quadratic(_) | Step::Transform(_) | Step::Fermat(_) if self.is_whole() => 0,
            Step::Transform(_) => {
                // The last piece may be shorter than the other operand, and then need not go by transforms.
                let last = self.long - (self.pieces() - 1) * self.piece;
                let rest = match last < self.short {
                    true => recursion_limbs(self.short, last),
                    false => 0,
                };
                self.short.saturating_add(rest)
            }
            _ => recursion_limbs(self.long, self.short),
        }
    }
}

/// Scratch limbs that cover every level of a product of these sizes by Karatsuba's algorithm or Toom-3.
fn recursion_limbs(long: usize, short: usize) -> usize {
    // n limbs: Karatsuba takes n + 1 and passes on ⌈n/2⌉, so 2n and a little in all; Toom-3 takes
    // 8(⌈n/3⌉ + 1) and passes on ⌈n/3⌉ + 1, so 4n and a little. "A little" is at most 24 a level.
    // Pieces take `short` limbs, and pass on operands of which the longer has at most 2·short, or, when
    // they feed the quadratic kernels, once more at most `short`.
    let n = long.min(short.saturating_mul(2));
    n.saturating_mul(5)
        .saturating_add(24 * usize::BITS as usize)
}

impl fmt::Display for Plan {
    /// One sentence, such as `karatsuba for 512 × 512 limbs: fastest from 176 limbs on (AVX-512 IFMA kernels)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} for {} × {} limbs",
            self.algorithm(),
            self.long,
            self.short
        )?;
        if self.pieces() > 1 {
            write!(f, ", the longer operand in {} pieces", self.pieces())?;
        }
        if let Step::Fermat(plan) = self.step {
            write!(f, ": {plan}")?;
        } else if self.from > 0 {
            write!(f, ": fastest from {} limbs on", self.from)?;
        } else {
            write!(f, ": fastest for so few limbs")?;
        }
        write!(f, " ({} kernels)", self.set)
    }
}

/// From this length of the longer operand on, it is cut into strips even if the other has three or four limbs:
/// measured.
const LONG_STRIPS: usize = 24;

/// Makes plans: by the kernels of an instruction set, and the lengths from which algorithms win.
#[derive(Debug, Clone, Copy)]
pub struct Planner {
    /// That of the kernels, with its chains of carries.
    set: InstructionSet,
    thresholds: Thresholds,
    /// Below this length of the shorter operand only the scalar schoolbook product runs, ...
    scalar_below: usize,
    /// ... and below this one only schoolbook products.
    quadratic_below: usize,
    /// What runs at the outermost level whatever the thresholds say.
    fermat: Option<FermatPlan>,
}

impl Planner {
    /// The processor must have the set and its chains of carries: plans call its kernels.
    pub fn new(set: InstructionSet, thresholds: Thresholds) -> Self {
        let quadratic_below = thresholds.karatsuba.min(thresholds.transform);
        Self {
            set,
            thresholds,
            scalar_below: thresholds.ifma.min(quadratic_below),
            quadratic_below,
            fermat: None,
        }
    }

    /// That of the kernels.
    pub fn instruction_set(&self) -> InstructionSet {
        self.set
    }

    /// The same with other thresholds, as far as the instruction set allows.
    pub fn with_thresholds(&self, thresholds: Thresholds) -> Self {
        Self::new(self.set, thresholds.fitting(self.set))
    }

    /// The plan modulo a prime r^k + 1 that this one chooses, if it was made to.
    pub(crate) fn fermat(&self) -> Option<FermatPlan> {
        self.fermat
    }

    /// The thresholds.
    pub(crate) fn thresholds(&self) -> Thresholds {
        self.thresholds
    }

    /// One that chooses `algorithm` for the outermost level of a product of `long ≥ short` limbs, and for the levels below what
    /// is fastest; `None` where the instruction set lacks its instructions, or the algorithm such lengths.
    pub(crate) fn forcing(&self, algorithm: Algorithm, long: usize, short: usize) -> Option<Self> {
        let natural = self.thresholds;
        let without_transform = Thresholds {
            transform: NEVER,
            ..natural
        };
        let quadratic = Thresholds {
            karatsuba: NEVER,
            toom3: NEVER,
            ..without_transform
        };
        let thresholds = match algorithm {
            Algorithm::Schoolbook => Thresholds {
                ifma: NEVER,
                ..quadratic
            },
            Algorithm::Ifma if self.set == InstructionSet::Avx512 => Thresholds {
                ifma: 1,
                ifma_long: 1,
                ifma_square: 1,
                ..quadratic
            },
            Algorithm::Ifma => return None,
            Algorithm::Karatsuba => Thresholds {
                karatsuba: natural.karatsuba.min(short.max(2)),
                toom3: NEVER,
                ..without_transform
            },
            Algorithm::Toom3 => {
                let toom3 = natural.toom3.min(short.max(8));
                Thresholds {
                    karatsuba: natural.karatsuba.min(toom3),
                    toom3,
                    ..without_transform
                }
            }
            Algorithm::Transform => Thresholds {
                transform: 1,
                ..natural
            },
            // Nothing is left to do with an operand of no limbs.
            Algorithm::Fermat if short == 0 => natural,
            Algorithm::Fermat => {
                let fermat = Some(FermatPlan::choose(long, short)?);
                return Some(Self { fermat, ..*self });
            }
        };
        Some(Self::new(self.set, thresholds))
    }

    /// Whether there is a kernel for just these lengths, in any order, where no algorithm is forced: what [`Self::plan`]
    /// says, too, but in so little time that callers may ask for it first.
    #[inline(always)]
    pub fn is_unrolled(&self, len_a: usize, len_b: usize) -> bool {
        // Zero wraps around to the largest number.
        let short = (len_a.wrapping_sub(1) | len_b.wrapping_sub(1)) < MAX_UNROLLED;
        short && self.set != InstructionSet::Portable
    }

    /// The same for the square of an operand of `len` limbs.
    #[inline(always)]
    pub fn is_unrolled_square(&self, len: usize) -> bool {
        len.wrapping_sub(1) < MAX_UNROLLED && self.set != InstructionSet::Portable
    }

    /// The kernel for operands of `long ≥ short` limbs, one and the same where `square` says so, if one kernel takes
    /// them whole: the first choice of [`Self::plan`].
    #[inline(always)]
    pub(crate) fn quadratic(&self, long: usize, short: usize, square: bool) -> Option<Kernel> {
        let t = &self.thresholds;
        if short < self.scalar_below {
            return Some(self.scalar(long, short, square));
        }
        if short >= self.quadratic_below {
            return None;
        }
        let long_from = if square { t.ifma_square } else { t.ifma_long };
        if short < t.ifma || long < long_from {
            return Some(self.scalar(long, short, square));
        }
        if long <= MAX_IFMA_WHOLE {
            Some(Kernel::Ifma)
        } else {
            (long <= MAX_IFMA).then_some(Kernel::IfmaTiled)
        }
    }

    /// The plan for operands of `long ≥ short` limbs, one and the same where `square` says so.
    #[inline]
    pub fn plan(&self, long: usize, short: usize, square: bool) -> Plan {
        let t = &self.thresholds;
        let plan = |step, piece, from| Plan {
            long,
            short,
            square,
            piece,
            step,
            from,
            set: self.set,
        };
        if let Some(fermat) = self.fermat {
            return plan(Step::Fermat(fermat), long, 0);
        }
        if let Some(kernel) = self.quadratic(long, short, square) {
            let ifma = matches!(kernel, Kernel::Ifma | Kernel::IfmaTiled);
            return plan(Step::Quadratic(kernel), long, if ifma { t.ifma } else { 0 });
        }
        if short >= t.transform {
            let (digits, piece) = (Digits::for_limbs(short), transform_piece(long, short));
            if digits.fit(piece, short) {
                return plan(Step::Transform(digits), piece, t.transform);
            }
        }
        if short < t.karatsuba {
            if self.set != InstructionSet::Avx512 {
                // Transforms begin below this threshold, and have no such lengths.
                return plan(Step::Quadratic(self.scalar(long, short, square)), long, 0);
            }
            let piece = long.div_ceil(long.div_ceil(MAX_IFMA));
            return plan(Step::Quadratic(Kernel::IfmaTiled), piece, t.ifma);
        }
        let toom3 = short >= t.toom3;
        if toom3 && short > 2 * long.div_ceil(3) {
            plan(Step::Toom3, long, t.toom3)
        } else if short > long.div_ceil(2) {
            plan(Step::Karatsuba, long, t.karatsuba)
        } else if toom3 {
            plan(Step::Toom3, short, t.toom3)
        } else {
            plan(Step::Karatsuba, short, t.karatsuba)
        }
    }

    /// The kernel of the scalar schoolbook product.
    #[inline(always)]
    fn scalar(&self, long: usize, short: usize, square: bool) -> Kernel {
        if self.set == InstructionSet::Portable {
            return Kernel::Portable;
        }
        if short > MAX_UNROLLED {
            return match square && short <= MAX_LONG_SQUARE {
                true => Kernel::LongSquare,
                false => Kernel::Strips,
            };
        }
        match short {
            0 => Kernel::Empty,
            _ if long <= MAX_UNROLLED && square => Kernel::UnrolledSquare,
            _ if long <= MAX_UNROLLED => Kernel::Unrolled,
            1 => Kernel::OneWord,
            2 => Kernel::TwoWords,
            3..=4 if long >= LONG_STRIPS => Kernel::Strips,
            _ => Kernel::Strip,
        }
    }
}

/// Limbs of the pieces into which an operand of `long` limbs is cut before transforms: many times
/// the shorter one would waste the transform of the shorter one's zeros.
#[inline]
fn transform_piece(long: usize, short: usize) -> usize {
    if long > short.max(1).saturating_mul(16) {
        8 * short.max(1)
    } else {
        long
    }
}

/// What runs on a piece, of how many limbs, and whether that is all, for tests.
#[cfg(feature = "internals")]
pub fn parts(plan: &Plan) -> (Step, usize, bool) {
    (plan.step, plan.piece, plan.is_whole())
}
