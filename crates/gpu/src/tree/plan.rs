//! The sizes of a subproduct tree.

use crate::error::GpuError;
use crate::field::ResidueWord;
use crate::info::{DeviceInfo, DeviceKind};
use crate::ntt::MAX_LOG_POINTS;

/// How a tree over given points is laid out: N = 2^n points in leaves of 2^l, where points that are missing are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TreePlan {
    /// The points.
    pub points: usize,
    /// Points of a leaf, a power of two: a group of threads has one each.
    pub leaf: usize,
}

impl TreePlan {
    /// What suits a device for so many points.
    ///
    /// ```
    /// use sunzi_gpu::{DeviceInfo, tree::TreePlan};
    /// let plan = TreePlan::for_device(&DeviceInfo::h100(), 1_000_000);
    /// assert_eq!((plan.leaf, plan.padded(), plan.levels()), (256, 1 << 20, 12));
    /// ```
    pub fn for_device(info: &DeviceInfo, points: usize) -> Self {
        let wanted: usize = match info.kind {
            DeviceKind::Cpu => 64,
            DeviceKind::Gpu | DeviceKind::Accelerator => 256,
        };
        let most = info.group_threads.max(1);
        let leaf = wanted.min(1 << most.ilog2());
        Self { points, leaf }
    }

    /// N: the points, and zeros up to a power of two of leaves.
    pub fn padded(&self) -> usize {
        let points = self.points.max(self.leaf);
        points.checked_next_power_of_two().unwrap_or(usize::MAX)
    }

    /// Levels above the leaves: log2 of how many there are.
    pub fn levels(&self) -> usize {
        (self.padded() / self.leaf).ilog2() as usize
    }

    /// Whether a prime has the roots of unity of order 2N that the tree takes, and transforms reach as far.
    ///
    /// ```
    /// use sunzi_gpu::tree::TreePlan;
    /// let plan = TreePlan { points: 1 << 20, leaf: 256 };
    /// assert!(plan.fits(469_762_049) && !plan.fits(1_000_000_007));
    /// ```
    pub fn fits(&self, prime: u64) -> bool {
        let log_points = self.padded().ilog2() + 1;
        self.points <= 1 << (MAX_LOG_POINTS - 1)
            && log_points <= MAX_LOG_POINTS.min(prime.wrapping_sub(1).trailing_zeros())
    }

    /// Bytes on the device: what is kept, and what evaluation and interpolation take for a while.
    ///
    /// ```
    /// use sunzi_gpu::tree::TreePlan;
    /// let plan = TreePlan { points: 1 << 20, leaf: 256 };
    /// assert_eq!(plan.bytes::<u32>(), (4 << 20) * (2 * 12 + 6 + 4));
    /// ```
    pub fn bytes<E: ResidueWord>(&self) -> u64 {
        let vectors = 2 * self.levels() as u64 + KEPT + WORKING;
        (self.padded() as u64).saturating_mul(vectors * size_of::<E>() as u64)
    }

    /// Checks it against the limits of a device.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for no points, more than 2^27, or leaves that are no group of the device.
    pub(crate) fn check(self, info: &DeviceInfo) -> Result<Self, GpuError> {
        let Self { points, leaf } = self;
        let is_group = leaf.is_power_of_two() && leaf <= info.group_threads.min(1024);
        if points == 0 || points > 1 << (MAX_LOG_POINTS - 1) || !is_group {
            return Err(GpuError::Shape(format!(
                "{points} points in leaves of {leaf} are no tree for {}: a tree has 1 to 2^{} points, and a leaf a power of \
                 two of them, at most {}",
                info.name,
                MAX_LOG_POINTS - 1,
                info.group_threads.min(1024)
            )));
        }
        Ok(self)
    }
}

/// Vectors of N words that are kept beside the levels: points, leaves, the root, the transform of its inverse, the weights.
const KEPT: u64 = 6;

/// Vectors that the inverse takes while it is made, the most that anything does.
const WORKING: u64 = 4;
