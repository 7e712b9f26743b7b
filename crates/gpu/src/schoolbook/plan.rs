//! How schoolbook products are cut into groups of threads.
//!
//! The rows x are those of the least bound by the many-core machine model (thesis of 2013, chapter 8): a block of a part has 2x − 1
//! operations and moves 3 words, and parts are added in pairs. More rows mean fewer blocks, and less that is moved; fewer rows
//! leave work for all processors.

use crate::tuning::model::machine;
use crate::word::Word;
use sunzi_device::{DeviceInfo, DeviceKind, GpuError};
use sunzi_tune::{KernelCosts, MachineModel, ManyCoreProgram};

/// Coefficients of the result in a thread, which the kernel is written for: as many rows meet them at a time.
pub(crate) const EACH: usize = 4;

/// Threads of a group at most.
const MOST_THREADS: usize = 1024;

/// Bytes that a group shares at most where nobody says how products are cut.
const LOCAL_BYTES: usize = 32 << 10;

/// Rows of a part at most.
const MOST_ROWS: usize = 1 << 16;

/// Those that the model chooses among: fewer do not hide what starting a block takes.
const CHOSEN_ROWS: [usize; 2] = [64, 1024];

/// How schoolbook products are cut into groups of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SchoolbookPlan {
    /// Threads of a group; each has four coefficients of a part.
    pub threads: usize,
    /// Coefficients of the shorter operand in a part: x of the thesis, a multiple of 4, 65536 at most.
    pub rows: usize,
}

impl SchoolbookPlan {
    /// What suits a device for `batch` products of n by m coefficients where nothing was measured: as
    /// [`SchoolbookPlan::for_machine`] with U = 20, by which rows of an H100 are within a factor of 2 of those that leave four groups
    /// for each of its processors. For a processor, whose compilers take long, one plan serves all lengths.
    pub fn for_device(info: &DeviceInfo, word: Word, n: usize, m: usize, batch: usize) -> Self {
        if info.kind == DeviceKind::Cpu {
            let threads = info.group_threads.min(64);
            return Self { threads, rows: 64 }.within(info, word);
        }
        let machine = machine(info, info.shared_memory / word.bytes());
        Self::for_machine(info, &machine, word, n, m, batch)
    }

    /// What suits a device that is such a machine, for `batch` products of n by m coefficients: groups as wide as a part if it is
    /// short, and the rows of the least bound on the time, 64 to 1024.
    pub fn for_machine(
        info: &DeviceInfo,
        machine: &MachineModel,
        word: Word,
        n: usize,
        m: usize,
        batch: usize,
    ) -> Self {
        let (n, m) = (n.max(m), n.min(m));
        let most_threads = info.group_threads.clamp(1, 256);
        let threads = (n + m).div_ceil(EACH).next_power_of_two();
        let threads = threads.clamp(32.min(most_threads), most_threads);
        let [fewest, most] = CHOSEN_ROWS;
        let longest = m.next_multiple_of(EACH).clamp(EACH, most);
        let halved =
            |rows: &usize| Some((rows / 2).next_multiple_of(EACH)).filter(|rows| *rows >= fewest);
        let candidates = std::iter::successors(Some(longest), halved);
        let plans = candidates.map(|rows| Self { threads, rows });
        let bounded = plans.map(|plan| (plan.program(n, m, batch).bound_by_steps(machine), plan));
        let best = bounded.min_by(|a, b| a.0.cmp(&b.0));
        let plan = best.map_or(
            Self {
                threads,
                rows: longest,
            },
            |(_, plan)| plan,
        );
        plan.within(info, word)
    }

    /// The same with no more rows than a group of the device has memory for.
    fn within(mut self, info: &DeviceInfo, word: Word) -> Self {
        while self.shared_bytes(word) > info.shared_memory.min(LOCAL_BYTES) && self.rows > EACH {
            self.rows = (self.rows / 2).next_multiple_of(EACH);
        }
        self
    }

    /// What `batch` products of n by m coefficients are by the many-core machine model: parts of 2x − 1 operations for a
    /// coefficient, which are added in pairs.
    ///
    /// ```
    /// use sunzi::tune::MachineModel;
    /// use sunzi_gpu::schoolbook::SchoolbookPlan;
    ///
    /// let machine = MachineModel { u: 50_u8.into(), z: 4096, sms: 4 };
    /// let bound = |rows| SchoolbookPlan { threads: 64, rows }.program(4096, 4096, 1).bound_by_steps(&machine);
    /// // Neither few rows nor as many as there are.
    /// assert!(bound(512) < bound(16) && bound(512) < bound(4096));
    /// ```
    pub fn program(&self, n: usize, m: usize, batch: usize) -> ManyCoreProgram {
        let (n, m) = (n.max(m), n.min(m));
        let (rows, threads) = (self.rows.max(1) as u64, self.threads.max(1) as u64);
        let width = (n as u64).saturating_add(rows - 1);
        let step = |parts: u64, span: u64| KernelCosts {
            blocks: width
                .saturating_mul(parts)
                .saturating_mul(batch as u64)
                .div_ceil(threads.saturating_mul(EACH as u64)),
            work: threads.saturating_mul(EACH as u64).saturating_mul(span),
            span,
            words: 3,
        };
        let mut program = ManyCoreProgram::default();
        let mut parts = (m as u64).div_ceil(rows).max(1);
        let mut last = program.kernel(step(parts, rows.saturating_mul(2) - 1), &[]);
        while let (Ok(before), 2..) = (&last, parts) {
            last = program.kernel(step(parts / 2, 1), &[*before]);
            parts = parts.div_ceil(2);
        }
        program
    }

    /// Parts of a product of n by m coefficients.
    pub(crate) fn parts(&self, n: usize, m: usize) -> usize {
        n.min(m).div_ceil(self.rows)
    }

    /// Coefficients of a part: of the product where it is the only one.
    pub(crate) fn width(&self, n: usize, m: usize) -> usize {
        if self.parts(n, m) == 1 {
            n + m - 1
        } else {
            n.max(m) + self.rows - 1
        }
    }

    /// Coefficients of the parts of a product that are added up: none if there is one part.
    pub(crate) fn scratch_len(&self, n: usize, m: usize) -> usize {
        match self.parts(n, m) {
            0 | 1 => 0,
            parts => parts.saturating_mul(self.width(n, m)),
        }
    }

    /// Bytes of local memory of a group.
    pub(crate) const fn shared_bytes(&self, word: Word) -> usize {
        (EACH * (self.threads + self.rows / EACH + 1) + self.rows) * word.bytes()
    }

    /// Checks it against the limits of the kernels and of a device.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for what is no plan anywhere, [`GpuError::Limits`] for what is none there.
    pub(crate) fn check(self, info: &DeviceInfo, word: Word) -> Result<Self, GpuError> {
        let Self { threads, rows } = self;
        let is_plan = (1..=MOST_THREADS).contains(&threads)
            && (1..=MOST_ROWS).contains(&rows)
            && rows.is_multiple_of(EACH);
        if !is_plan {
            return Err(GpuError::Shape(format!(
                "{threads} threads with {rows} rows are no plan for products: groups have 1 to {MOST_THREADS} threads, and rows \
                 are a positive multiple of {EACH} up to {MOST_ROWS}"
            )));
        }
        info.check_group("schoolbook products", threads, self.shared_bytes(word))?;
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_products_have_longer_parts_and_batches_one() {
        let h100 = DeviceInfo::h100();
        let rows = |n: usize, batch| SchoolbookPlan::for_device(&h100, Word::U32, n, n, batch).rows;
        let chosen: Vec<usize> = (8..=17).map(|log| rows(1 << log, 1)).collect();
        assert!(chosen.is_sorted() && chosen[0] == 64, "{chosen:?}");
        assert_eq!(chosen[chosen.len() - 1], 1024);
        // Where parts are few enough to fill the device once, there are as many as it takes.
        for log in 13..=17 {
            let n = 1_usize << log;
            let plan = SchoolbookPlan::for_device(&h100, Word::U32, n, n, 1);
            let groups = plan.parts(n, n) * (n + plan.rows).div_ceil(plan.threads * EACH);
            assert!(groups >= h100.units, "{plan:?} for 2^{log}");
        }
        // A batch fills the device whatever the parts: then it is only what is moved that makes them long.
        assert!(rows(1024, 1000) > rows(1024, 1));
        // Short operands are one part, whatever the other's length.
        for (n, m) in [(1, 1), (3, 2), (50, 1 << 20), (1 << 20, 63)] {
            let plan = SchoolbookPlan::for_device(&h100, Word::U64, n, m, 1);
            assert_eq!(plan.parts(n, m), 1, "{plan:?}");
            assert!(plan.check(&h100, Word::U64).is_ok());
        }
    }

    /// The plan's program costs what the model's multiplication does, for lengths that are multiples of all parameters.
    #[test]
    fn programs_are_those_of_the_model() {
        use sunzi_tune::ManyCoreAlgorithm;
        let machine = MachineModel {
            u: 7_u8.into(),
            z: 1 << 16,
            sms: 3,
        };
        let (threads, rows, m) = (64, 16, 128);
        let n = 4 * threads * 8 - rows + 1;
        let plan = SchoolbookPlan { threads, rows };
        let costs = plan.program(n, m, 1).costs(&machine);
        let model = ManyCoreAlgorithm::Multiplication {
            n: n as u64,
            m: m as u64,
            x: rows as u64,
            l: (EACH * threads) as u64,
        };
        assert_eq!(costs, model.costs(&machine));
    }
}
