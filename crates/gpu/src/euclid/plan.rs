//! How pairs of polynomials are laid out in groups of threads.

use super::work::Round;
use crate::tuning::model::{cycles, kernel, machine};
use crate::word::Word;
use sunzi_device::{DeviceInfo, DeviceKind, GpuError};
use sunzi_tune::ManyCoreProgram;

/// What errors call the program.
pub(crate) const NAME: &str = "division and Euclid's algorithm";

/// Coefficients that a thread of a GPU has of an operand, where there are threads enough.
const EACH: usize = 8;

/// Coefficients of an operand for which a program is compiled at least: shorter ones share it.
const LEAST_ROW: usize = 64;

/// Steps of a round on a GPU that the many-core machine model chooses among.
const STEPS: [usize; 6] = [32, 64, 128, 256, 512, 1024];

/// Threads of a group at most where pairs are taken by rounds.
const ROUND_THREADS: usize = 512;

/// Coefficients of a row that a thread computes from a round's matrix: odd, so that threads read from all banks of local
/// memory, and as many as registers have sums for.
pub(crate) const fn outputs_each(word: Word) -> usize {
    if word.bytes() == 4 { 5 } else { 3 }
}

/// Coefficients of a matrix's polynomial that a group has at a time.
pub(crate) const CHUNK: usize = 32;

/// How pairs of polynomials are laid out in groups of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EuclidConfig {
    /// Threads of a group, which has one pair.
    pub threads: usize,
    /// Coefficients of an operand at most. Longer pairs are taken by rounds.
    pub row: usize,
    /// Pairs of a launch at most, fewer where the device's memory is short.
    pub pairs: usize,
    /// Steps of a round of Euclid's algorithm, and coefficients of a quotient that a round of division finds.
    pub steps: usize,
}

impl EuclidConfig {
    /// What suits a device for operands of up to `longest` coefficients.
    ///
    /// ```
    /// use sunzi::gpu::{DeviceInfo, Word};
    /// use sunzi_gpu::euclid::EuclidConfig;
    /// let config = EuclidConfig::for_device(&DeviceInfo::h100(), Word::U32, 10_001);
    /// assert_eq!((config.threads, config.row), (1024, 16_384));
    /// ```
    pub fn for_device(info: &DeviceInfo, word: Word, longest: usize) -> Self {
        let wanted = longest.max(LEAST_ROW).next_power_of_two();
        let threads = match info.kind {
            DeviceKind::Cpu => 64,
            DeviceKind::Gpu | DeviceKind::Accelerator => (wanted / EACH).clamp(32, 1024),
        };
        let threads = threads.min(info.group_threads).max(1);
        let shared = info.shared_memory / word.bytes();
        let most = shared.saturating_sub(threads) / 2;
        let config = Self {
            threads,
            // A power of two, so that few programs serve all lengths; or all there is.
            row: wanted.min(most),
            pairs: 1 << 16,
            steps: 64,
        };
        let most_steps = shared.saturating_sub(4) / 8;
        match info.kind {
            DeviceKind::Cpu => Self {
                steps: config.steps.min(most_steps),
                ..config
            },
            DeviceKind::Gpu | DeviceKind::Accelerator => {
                config.with_best_steps(info, word, longest, most_steps)
            }
        }
    }

    /// The same with the steps by which a division and Euclid's algorithm of operands that are too long for a group have the least
    /// bound on their time, of those that there is local memory for.
    fn with_best_steps(
        self,
        info: &DeviceInfo,
        word: Word,
        longest: usize,
        most_steps: usize,
    ) -> Self {
        let machine = machine(info, info.shared_memory / word.bytes());
        let n = longest.max(self.row.saturating_add(1));
        let candidates = STEPS.into_iter().filter(|steps| *steps <= most_steps);
        let rated = candidates.map(|steps| {
            let config = Self { steps, ..self };
            // The round in the middle, times the rounds that there are.
            let of = |divides, lengths, coefficients: usize| {
                let round = config.round_program(word, divides, lengths, coefficients / 2, 1);
                let rounds = coefficients.div_ceil(steps) as f64;
                cycles(&round, &machine) * rounds
            };
            let bound = of(true, [n, n / 2], n - n / 2) + of(false, [n, n], n);
            (bound, config)
        });
        let best = rated.min_by(|a, b| a.0.total_cmp(&b.0));
        best.map_or(
            Self {
                steps: most_steps,
                ..self
            },
            |(_, config)| config,
        )
    }

    /// A round of division, or of Euclid's algorithm, for pairs of these lengths, of which so many coefficients are done: what one group
    /// finds for each pair, and what many groups apply, as kernels of the many-core machine model.
    ///
    /// ```
    /// use sunzi::gpu::{DeviceInfo, Word};
    /// use sunzi::tune::MachineModel;
    /// use sunzi_gpu::euclid::EuclidConfig;
    /// let machine = MachineModel { u: 20_u8.into(), z: 1 << 14, sms: 132 };
    /// let config = EuclidConfig::for_device(&DeviceInfo::h100(), Word::U32, 100_001);
    /// // Cycles that a step takes at most in rounds of so many.
    /// let of_step = |steps| {
    ///     let config = EuclidConfig { steps, ..config };
    ///     let round = config.round_program(Word::U32, false, [100_001; 2], 50_000, 1);
    ///     round.bound_by_steps(&machine).to_f64() / steps as f64
    /// };
    /// assert!(of_step(config.steps) < of_step(1024));
    /// ```
    pub fn round_program(
        &self,
        word: Word,
        divides: bool,
        lengths: [usize; 2],
        done: usize,
        pairs: usize,
    ) -> ManyCoreProgram {
        let round = Round {
            config: *self,
            lengths,
            done,
            parts: 1,
        };
        let find = match divides {
            true => round.quotients(word, pairs),
            false => round.steps(word, pairs),
        };
        let apply = round.apply(word, pairs, divides);
        let groups = lengths[0]
            .max(lengths[1])
            .div_ceil(self.outputs(word))
            .saturating_mul(pairs);
        ManyCoreProgram::of_steps([vec![kernel(pairs, find)], vec![kernel(groups, apply)]])
    }

    /// The same with rows that groups share with their cofactors.
    pub(crate) fn for_cofactors(self, info: &DeviceInfo, word: Word) -> Self {
        Self {
            row: self.row.min(info.shared_memory / (6 * word.bytes())),
            ..self
        }
    }

    /// Threads of a group that takes rounds: each has many sums in registers.
    pub(crate) fn round_threads(&self) -> usize {
        self.threads.min(ROUND_THREADS)
    }

    /// Coefficients of a row that a group computes from a round's matrix.
    pub(crate) fn outputs(&self, word: Word) -> usize {
        outputs_each(word) * self.round_threads()
    }

    /// Bytes of local memory of a group that finds a round's matrix, divides, applies a matrix, and ends a pair.
    pub(crate) fn round_bytes(&self, word: Word) -> [usize; 4] {
        let (steps, threads) = (self.steps, self.round_threads());
        let elements = [
            steps.saturating_mul(8).saturating_add(4),
            steps.saturating_mul(2),
            self.outputs(word) + 3 * CHUNK,
            threads,
        ];
        elements.map(|elements| elements.saturating_mul(word.bytes()))
    }

    /// Bytes of local memory of a group.
    pub(crate) const fn shared_bytes(&self, word: Word) -> usize {
        let elements = self.row.saturating_mul(2).saturating_add(self.threads);
        elements.saturating_mul(word.bytes())
    }

    /// Checks it against the limits of the kernels and of a device.
    ///
    /// # Errors
    /// [`GpuError::Limits`] if a group cannot share two such polynomials, [`GpuError::Shape`] for what is none anywhere.
    pub(crate) fn check(self, info: &DeviceInfo, word: Word) -> Result<Self, GpuError> {
        if !(1..=info.group_threads).contains(&self.threads) || self.row == 0 || self.pairs == 0 {
            return Err(GpuError::Shape(format!(
                "{} threads with two polynomials of {} coefficients, and {} such pairs in a launch, are no shape for {}: a \
                 group has at most {} threads",
                self.threads, self.row, self.pairs, info.name, info.group_threads
            )));
        }
        if self.steps < 2 {
            return Err(GpuError::Shape(format!(
                "rounds of {} steps come to no end: give 2 or more",
                self.steps
            )));
        }
        self.within(info, self.shared_bytes(word), "two polynomials", self.row)?;
        for bytes in self.round_bytes(word) {
            self.within(info, bytes, "rounds", self.steps)?;
        }
        Ok(self)
    }

    /// Bytes of local memory of a group that finds cofactors, too.
    ///
    /// # Errors
    /// [`GpuError::Limits`] if it cannot share as many.
    pub(crate) fn cofactor_bytes(&self, info: &DeviceInfo, word: Word) -> Result<usize, GpuError> {
        let bytes = self.row.saturating_mul(6 * word.bytes());
        self.within(
            info,
            bytes,
            "two polynomials and their cofactors,",
            self.row,
        )
    }

    fn within(
        &self,
        info: &DeviceInfo,
        bytes: usize,
        what: &str,
        len: usize,
    ) -> Result<usize, GpuError> {
        if bytes <= info.shared_memory {
            return Ok(bytes);
        }
        Err(GpuError::Limits {
            device: info.name.clone(),
            kernel: NAME.to_owned(),
            reason: format!(
                "a group of threads shares {} bytes, too few for {what} of {len} coefficients",
                info.shared_memory
            ),
        })
    }
}
