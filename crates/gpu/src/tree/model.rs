//! What an evaluation takes by the many-core machine model, and the leaves that it chooses.

use super::plan::TreePlan;
use crate::ntt::programs::EACH;
use crate::ntt::{NttParameters, NttPlan};
use crate::tuning::model::{cycles, kernel, machine};
use crate::word::Word;
use crate::work::{PRODUCT_MODULO, sum_of};
use sunzi_device::{DeviceInfo, Work};
use sunzi_tune::{KernelCosts, ManyCoreProgram};

/// Points of a leaf at least, of those that the model chooses among.
const LEAST_LEAF: usize = 64;

/// Bytes of an element.
const BYTES: u64 = 4;

impl TreePlan {
    /// The tree over so many points whose leaves, of `most` points at most, have the least bound on the time of an evaluation.
    pub(super) fn with_best_leaf(info: &DeviceInfo, points: usize, most: usize) -> Self {
        let machine = machine(info, info.shared_memory / Word::U32.bytes());
        // No tree has more points, and none is asked what it takes.
        let points_of_tree = points.min(1 << 27);
        let halves = |leaf: &usize| Some(leaf / 2).filter(|half| *half >= LEAST_LEAF.min(most));
        let leaves = std::iter::successors(Some(most), halves);
        let rated = leaves.map(|leaf| {
            let plan = Self {
                points: points_of_tree,
                leaf,
            };
            (cycles(&plan.evaluation_program(info), &machine), leaf)
        });
        let best = rated.min_by(|a, b| a.0.total_cmp(&b.0));
        Self {
            points,
            leaf: best.map_or(most, |(_, leaf)| leaf),
        }
    }

    /// The evaluation of a polynomial with as many coefficients as there are points, modulo a prime of 31 bits that has the roots of
    /// unity, as kernels of the many-core machine model.
    ///
    /// ```
    /// use sunzi::gpu::DeviceInfo;
    /// use sunzi::tune::MachineModel;
    /// use sunzi_gpu::tree::TreePlan;
    /// let machine = MachineModel { u: 20_u8.into(), z: 1 << 14, sms: 132 };
    /// let bound = |leaf| {
    ///     let plan = TreePlan { points: 1 << 20, leaf };
    ///     plan.evaluation_program(&DeviceInfo::h100()).bound_by_steps(&machine)
    /// };
    /// assert!(bound(128) < bound(16) && bound(128) < bound(512));
    /// ```
    pub fn evaluation_program(&self, info: &DeviceInfo) -> ManyCoreProgram {
        let (n, leaf) = (self.padded(), self.leaf.max(1));
        let product = sum_of(1, 1);
        // Moves so many elements, with so many multiply-adds for each of `count`.
        let vector = |count: usize, moved: usize, each: u64, barriers: usize| {
            let work = Work {
                bytes: moved as u64 * BYTES,
                multiplications: count as u64 * each,
                barriers,
            };
            vec![kernel(count.div_ceil(leaf), work)]
        };
        let top = self.levels();
        let transform = |level, count| self.transform(info, level, count);
        let mut steps = vec![vector(n, 2 * n, 0, 0), vector(n, n, 0, 0)];
        steps.extend(transform(top, 2 * n));
        steps.push(vec![self.values(info, top, 2 * n)]);
        steps.extend(transform(top, 2 * n));
        steps.push(vector(n, 2 * n, 0, 0));
        for level in (0..top).rev() {
            steps.extend(transform(level, n));
            steps.push(vector(n, 5 * n, 4 * product, 0));
            steps.extend(transform(level, 2 * n));
            steps.push(vector(n, 2 * n, 0, 0));
        }
        let in_leaf = sum_of(1, leaf) + leaf as u64 * product;
        steps.push(vector(n, 4 * n, in_leaf, 2));
        ManyCoreProgram::of_steps(steps)
    }

    fn parameters(&self, info: &DeviceInfo, level: usize) -> NttParameters {
        NttParameters::for_device(info, Word::U32, self.log_points(level), 1)
    }

    /// The passes of a level's transforms of `count` elements in all.
    fn transform(&self, info: &DeviceInfo, level: usize, count: usize) -> Vec<Vec<KernelCosts>> {
        let parameters = self.parameters(info, level);
        // Beyond the longest transforms there is no tree.
        let plan = NttPlan::new(self.log_points(level), parameters);
        let passes = plan.iter().flat_map(NttPlan::passes);
        let groups = count.div_ceil(1 << parameters.log_tile);
        let pass = |levels: u32, barriers| Work {
            bytes: 2 * count as u64 * BYTES,
            multiplications: count as u64 * u64::from(levels) * PRODUCT_MODULO / 2,
            barriers,
        };
        let kernels =
            passes.map(|of| vec![kernel(groups, pass(of.levels, of.barriers(&parameters)))]);
        kernels.collect()
    }

    /// The products of values of `count` points.
    fn values(&self, info: &DeviceInfo, level: usize, count: usize) -> KernelCosts {
        let threads = self.parameters(info, level).threads;
        let work = Work {
            bytes: 3 * count as u64 * BYTES,
            multiplications: 2 * count as u64 * sum_of(1, 1),
            barriers: 0,
        };
        kernel(count.div_ceil(threads * EACH), work)
    }
}
