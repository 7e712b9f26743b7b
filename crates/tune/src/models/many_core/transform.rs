//! Products of polynomials by transforms, a kernel for each stage.
//!
//! **Problem.** What a thread does and moves when 2^l threads multiply polynomials whose product has 2^l coefficients at most.
//!
//! **Formula.** Two transforms forward and one back have l stages each, and between them the values are multiplied and scaled, with
//! 2 operations and 3 words: 3al + 2 operations and 3(bl − c) + 3 words a thread, for a operations and b words a stage and c words
//! that one stage is spared. All threads do the same, so the work is 2^l times as much.
//!
//! **Source.** S. A. Haque, *Hardware Acceleration Technologies in Computer Algebra*, 2013, Notation 2, has 15l + 2 operations and
//! 36l − 21 words: a = 5, b = 12 and c = 8, what permutation, twiddles and butterflies come to as kernels of their own, with nothing
//! to permute or to twiddle in one of the stages. Printed are 15d′ + 2d′ and 36d′ − 21 with d′ = 2^l; Propositions 23, 30 and 32 have
//! l in the place of d′.

use super::program::{Steps, sheet};

/// What a stage of a transform costs each thread, one for every point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransformCosts {
    /// Operations of a stage.
    pub stage_operations: u64,
    /// Words that a stage moves.
    pub stage_words: u64,
    /// Words that are spared once in a transform.
    pub spared_words: u64,
}

/// Operations of a thread, and words that it moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadCosts {
    /// Operations.
    pub operations: u64,
    /// Words read from the memory that all share, and written to it.
    pub words: u64,
}

impl TransformCosts {
    /// Those of the thesis's transforms, by three kernels a stage.
    pub const THREE_KERNELS: Self = Self {
        stage_operations: 5,
        stage_words: 12,
        spared_words: 8,
    };

    /// A kernel for each stage, where a thread has a point: it reads two and a twiddle, multiplies, adds, and writes one.
    pub const ONE_KERNEL: Self = Self {
        stage_operations: 2,
        stage_words: 4,
        spared_words: 0,
    };

    /// What a thread does for a transform of 2^`log_points` points.
    pub const fn transform(&self, log_points: u32) -> ThreadCosts {
        ThreadCosts {
            operations: self.stage_operations * log_points as u64,
            words: if log_points == 0 {
                0
            } else {
                self.stage_words * log_points as u64 - self.spared()
            },
        }
    }

    /// Words that a transform is spared: those of one stage at most.
    const fn spared(&self) -> u64 {
        if self.spared_words < self.stage_words {
            self.spared_words
        } else {
            self.stage_words
        }
    }

    /// The sum over l of the operations of a thread for products of 2^l coefficients, given how many l there are, all positive,
    /// and their sum.
    pub(super) fn operations(&self, count: u128, sum: u128) -> u128 {
        3 * u128::from(self.stage_operations) * sum + 2 * count
    }

    /// The same for words.
    pub(super) fn words(&self, count: u128, sum: u128) -> u128 {
        3 * (u128::from(self.stage_words) * sum - u128::from(self.spared()) * count) + 3 * count
    }

    /// What a thread does for a product of 2^`log_points` coefficients at most.
    ///
    /// ```
    /// use sunzi::tune::{ThreadCosts, TransformCosts};
    ///
    /// let product = TransformCosts::THREE_KERNELS.product(10);
    /// assert_eq!(product, ThreadCosts { operations: 15 * 10 + 2, words: 36 * 10 - 21 });
    /// ```
    pub const fn product(&self, log_points: u32) -> ThreadCosts {
        let transform = self.transform(log_points);
        ThreadCosts {
            operations: 3 * transform.operations + 2,
            words: 3 * transform.words + 3,
        }
    }

    /// The steps of `batch` such products at a time, by blocks of `block` threads.
    pub(super) fn products(&self, log_points: u32, batch: u64, block: u64) -> Steps {
        let all = batch << log_points;
        let stage = |number: u32| {
            let spared = if number == 0 { self.spared() } else { 0 };
            let words = self.stage_words - spared;
            vec![sheet(all, block, self.stage_operations, words)]
        };
        let transform = || (0..log_points).map(stage);
        let values = [vec![sheet(all, block, 2, 3)]];
        let forward = transform().chain(transform());
        forward.chain(values).chain(transform()).collect()
    }
}
