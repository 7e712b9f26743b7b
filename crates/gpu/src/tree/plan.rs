//! The sizes of a subproduct tree.

use crate::big_prime::plan::MAX_LOG_POINTS as BIG_LOG_POINTS;
use crate::ntt::{MAX_LOG_POINTS, NttParameters, NttPlan};
use crate::residues::basis::ResidueBasis;
use crate::word::Word;
use sunzi_device::{Device, DeviceInfo, DeviceKind, GpuError};

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
    /// use sunzi::gpu::DeviceInfo;
    /// use sunzi_gpu::tree::TreePlan;
    /// let plan = TreePlan::for_device(&DeviceInfo::h100(), 1_000_000);
    /// assert_eq!((plan.leaf, plan.padded(), plan.levels()), (64, 1 << 20, 14));
    /// ```
    pub fn for_device(info: &DeviceInfo, points: usize) -> Self {
        let most = |wanted| info.power_of_threads(wanted, LEAF_ARRAYS * size_of::<u64>());
        match info.kind {
            DeviceKind::Cpu => Self {
                points,
                leaf: most(64),
            },
            DeviceKind::Gpu | DeviceKind::Accelerator => {
                Self::with_best_leaf(info, points, most(MOST_CHOSEN_LEAF))
            }
        }
    }

    /// N: the points, and zeros up to a power of two of leaves.
    pub fn padded(&self) -> usize {
        let points = self.points.max(self.leaf).max(1);
        points.checked_next_power_of_two().unwrap_or(usize::MAX)
    }

    /// Levels above the leaves: log2 of how many there are.
    pub fn levels(&self) -> usize {
        (self.padded() / self.leaf.max(1)).ilog2() as usize
    }

    /// log2 of the points of the transforms that two nodes of a level become, the leaves' being 0.
    pub(crate) fn log_points(&self, level: usize) -> u32 {
        self.leaf.max(1).ilog2() + 1 + level as u32
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
        self.points <= MOST_POINTS
            && log_points <= MAX_LOG_POINTS.min(prime.wrapping_sub(1).trailing_zeros())
    }

    /// The primes that products modulo another prime are computed by: sums of two products of 2d points, d ≤ N, are below
    /// 4 N p².
    ///
    /// # Errors
    /// [`GpuError::TooFewPrimes`].
    pub(crate) fn basis(&self, prime: u64) -> Result<ResidueBasis, GpuError> {
        let log_points = self.padded().ilog2() + 1;
        let bits_of_prime = u64::from(u64::BITS - prime.leading_zeros());
        ResidueBasis::new(2 * bits_of_prime + u64::from(log_points) + 1, log_points)
    }

    /// Whether there are primes enough to multiply by modulo a prime of a word that has no roots of unity.
    ///
    /// ```
    /// use sunzi_gpu::tree::TreePlan;
    /// let plan = TreePlan { points: 1 << 20, leaf: 256 };
    /// assert!(plan.fits_several_primes(1_000_000_007));
    /// ```
    pub fn fits_several_primes(&self, prime: u64) -> bool {
        self.points <= MOST_POINTS && self.basis(prime).is_ok()
    }

    /// Bytes on a device of a tree by several primes, at most, as [`bytes`](Self::bytes).
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes), and [`GpuError::TooFewPrimes`].
    pub fn bytes_by_several_primes(
        &self,
        info: &DeviceInfo,
        word: Word,
        prime: u64,
    ) -> Result<u64, GpuError> {
        let plan = self.check(info, word)?;
        let primes = plan.basis(prime)?.len() as u64;
        let values = 2 * plan.levels() as u64 + 2 + 2 * WORKING;
        let of_values = values * primes * size_of::<u32>() as u64;
        let of_elements = (KEPT + 2 * WORKING) * word.bytes() as u64;
        // A pair of numbers for each vector of a level, of which the leaves' have most.
        let spans = 4 * 8 / (2 * plan.leaf as u64) + 1;
        let mut bytes = plan.padded() as u64 * (of_values + of_elements + spans) + SMALL;
        for level in 0..=plan.levels() {
            let log_points = plan.log_points(level);
            bytes += primes * (SMALL + table_bytes(info, Word::U32, log_points, primes as usize)?);
        }
        Ok(bytes)
    }

    /// What suits points modulo r^k + 1: leaves of one.
    ///
    /// ```
    /// use sunzi_gpu::tree::TreePlan;
    /// assert_eq!(TreePlan::of_elements(1000).levels(), 10);
    /// ```
    pub const fn of_elements(points: usize) -> Self {
        Self { points, leaf: 1 }
    }

    /// Whether a prime r^k + 1, which is 1 modulo 2^`two_adicity` and no higher power, has the roots of unity of order 2N.
    ///
    /// ```
    /// use sunzi_gpu::tree::TreePlan;
    /// assert!(TreePlan::of_elements(1 << 20).fits_big_prime(312)); // P8
    /// assert!(!TreePlan::of_elements(1 << 20).fits_big_prime(20));
    /// ```
    pub fn fits_big_prime(&self, two_adicity: u32) -> bool {
        let log_points = self.padded().ilog2() + 1;
        self.points <= MOST_POINTS && log_points <= BIG_LOG_POINTS.min(two_adicity)
    }

    /// Bytes on a device of a tree over elements of so many digits, at most, as [`bytes`](Self::bytes).
    pub fn bytes_of_elements(&self, digits: usize) -> u64 {
        let vectors = 2 * self.levels() as u64 + KEPT + WORKING + TABLES;
        (self.padded() as u64)
            .saturating_mul(vectors)
            .saturating_mul((digits * size_of::<u64>()) as u64)
            .saturating_add(SMALL)
    }

    /// Checks that a tree which takes so many bytes, and has elements of `element` bytes, has room on a device.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`].
    pub(super) fn check_memory(
        &self,
        device: &Device,
        bytes: u64,
        element: usize,
    ) -> Result<(), GpuError> {
        let longest = (2 * self.padded() as u64).saturating_mul(element as u64);
        if bytes > device.memory_free() || longest > device.info().largest_buffer {
            return Err(device.out_of_memory(bytes));
        }
        Ok(())
    }

    /// Bytes on a device: what is kept, the tables of all transforms among it, and what evaluation and interpolation take for
    /// a while; at most.
    ///
    /// ```
    /// use sunzi::gpu::{DeviceInfo, Word};
    /// use sunzi_gpu::tree::TreePlan;
    /// let plan = TreePlan { points: 1 << 20, leaf: 256 };
    /// // Two vectors a level, ten more, and as much as one for tables.
    /// let vectors = plan.bytes(&DeviceInfo::h100(), Word::U32)? / (4 << 20);
    /// assert!((34..36).contains(&vectors));
    /// # Ok::<(), sunzi::gpu::GpuError>(())
    /// ```
    ///
    /// # Errors
    /// [`GpuError::Shape`] if it is no plan for the device.
    pub fn bytes(&self, info: &DeviceInfo, word: Word) -> Result<u64, GpuError> {
        let plan = self.check(info, word)?;
        let vectors = 2 * plan.levels() as u64 + KEPT + WORKING;
        let mut bytes = plan.padded() as u64 * vectors * word.bytes() as u64;
        for level in 0..=plan.levels() {
            let log_points = plan.log_points(level);
            bytes += SMALL + table_bytes(info, word, log_points, 1)?;
        }
        Ok(bytes)
    }

    /// Checks it against the limits of the kernels and of a device.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for no points, more than 2^27, or leaves that are no group anywhere, [`GpuError::Limits`] for
    /// leaves that are none there.
    pub(crate) fn check(self, info: &DeviceInfo, word: Word) -> Result<Self, GpuError> {
        let Self { points, leaf } = self;
        let is_leaf = leaf.is_power_of_two() && leaf <= MOST_LEAF;
        if points == 0 || points > MOST_POINTS || !is_leaf {
            return Err(GpuError::Shape(format!(
                "{points} points in leaves of {leaf} are no tree: a tree has 1 to 2^{} points, and a leaf a power of two of \
                 them, at most {MOST_LEAF}",
                MAX_LOG_POINTS - 1
            )));
        }
        info.check_arrays("subproduct trees", leaf, LEAF_ARRAYS * leaf * word.bytes())?;
        Ok(self)
    }
}

/// Bytes of a transform's tables modulo one of `primes` primes.
fn table_bytes(
    info: &DeviceInfo,
    word: Word,
    log_points: u32,
    primes: usize,
) -> Result<u64, GpuError> {
    let parameters = NttParameters::for_device(info, word, log_points, primes);
    Ok(NttPlan::new(log_points, parameters)?.bytes(word, log_points) as u64)
}

/// The most points of a leaf.
const MOST_LEAF: usize = 1024;

/// The most that is chosen: twice as many gain a fiftieth of the predicted time at most, below 2^14 points, and lose more above.
const MOST_CHOSEN_LEAF: usize = 256;

/// Elements of a group's arrays for each of its points, in the kernel that makes leaves.
const LEAF_ARRAYS: usize = 6;

/// The most points: transforms have twice as many.
const MOST_POINTS: usize = 1 << (MAX_LOG_POINTS - 1);

/// Bytes of a transform's table of primes, and of the roots that its factors are made from: more than there are.
const SMALL: u64 = 1 << 10;

/// Vectors of N words that are kept beside the levels: points, leaves, the root, the transform of its inverse, the weights.
const KEPT: u64 = 6;

/// Vectors of N elements that tables of powers modulo r^k + 1 take, and the passes of transforms.
const TABLES: u64 = 4 + 3;

/// Vectors that the inverse takes while it is made, the most that anything does.
const WORKING: u64 = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_size_is_too_strange_to_be_asked_about() {
        let h100 = DeviceInfo::h100();
        for points in [0, 1, MOST_POINTS, MOST_POINTS + 1, usize::MAX] {
            for leaf in [0, 1, 3, 256, usize::MAX] {
                let plan = TreePlan { points, leaf };
                let (n, levels) = (plan.padded(), plan.levels());
                assert!(n >= points && levels < 64);
                let is_tree = (1..=MOST_POINTS).contains(&points) && [1, 256].contains(&leaf);
                assert_eq!(plan.bytes(&h100, Word::U64).is_ok(), is_tree, "{plan:?}");
                assert!(!plan.fits(0) || points <= MOST_POINTS);
            }
        }
    }
}
