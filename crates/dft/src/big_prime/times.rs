//! What the steps of a transform take.

use std::time::{Duration, Instant};

/// Time spent in the steps of a transform, on all threads together.
///
/// The steps are those of the six-step transform: permutations, base cases, twiddles. Where one pass
/// does several, each has its part; loads from memory belong to the step that waits for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StepTimes {
    /// Between the order of the caller's elements and that of blocks, and between lanes and rows.
    pub permutation: Duration,
    /// Base cases: sums and rotations.
    pub base_case: Duration,
    /// Products with twiddles, rotations instead of them, and carries.
    pub twiddle: Duration,
}

impl StepTimes {
    /// All steps together.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.permutation + self.base_case + self.twiddle
    }

    pub(super) fn add(&mut self, other: Self) {
        self.permutation += other.permutation;
        self.base_case += other.base_case;
        self.twiddle += other.twiddle;
    }
}

/// A step of [`StepTimes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Permutation,
    BaseCase,
    Twiddle,
}

/// A clock that is told of the end of every step; if it is off, it takes no time.
#[derive(Debug)]
pub(super) struct Stopwatch {
    last: Option<Instant>,
    times: StepTimes,
}

impl Stopwatch {
    pub(super) fn new(is_on: bool) -> Self {
        Self {
            last: is_on.then(Instant::now),
            times: StepTimes::default(),
        }
    }

    /// The time since the last call, or since the clock was made, was spent on `step`.
    #[inline(always)]
    pub(super) fn lap(&mut self, step: Step) {
        if let Some(last) = self.last {
            self.record(step, last);
        }
    }

    #[cold]
    fn record(&mut self, step: Step, last: Instant) {
        let now = Instant::now();
        self.last = Some(now);
        let spent = now - last;
        match step {
            Step::Permutation => self.times.permutation += spent,
            Step::BaseCase => self.times.base_case += spent,
            Step::Twiddle => self.times.twiddle += spent,
        }
    }

    /// What was spent.
    pub(super) fn times(&self) -> StepTimes {
        self.times
    }
}
