//! What subproduct trees ask of a device.

use super::counts::{
    LaunchWork, Way, countable, projection, recombination, sum_of, transforms_of,
    transforms_of_several,
};
use crate::error::GpuError;
use crate::field::{ResidueWord, leaves_spare_bits};
use crate::info::DeviceInfo;
use crate::ntt::NttParameters;
use crate::ntt::programs::{EACH, points_source};
use crate::program::Source;
use crate::residues::{combine, project};
use crate::tree::TreePlan;
use crate::tree::kernels::word_source as source;

/// What is done with a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TreeWork {
    /// It is made from its points.
    Preparation,
    /// A polynomial of as many coefficients as points is evaluated.
    Evaluation,
    /// A polynomial is interpolated, where one was before.
    Interpolation,
}

/// The launches on a tree modulo primes such as this one: by several primes where it lacks roots of unity.
///
/// # Errors
/// [`GpuError::Shape`] if the plan is none for the device; [`GpuError::TooFewPrimes`].
///
/// ```
/// use sunzi_gpu::{DeviceInfo, tree::TreePlan, tuning::{TreeWork, tree_counts}};
/// let h100 = DeviceInfo::h100();
/// let plan = TreePlan::for_device(&h100, 1 << 20);
/// let launches = tree_counts::<u32>(plan, 469_762_049, TreeWork::Evaluation, &h100)?;
/// // Down 12 levels: a transform, products, a transform back, and halves.
/// let halves = launches.iter().filter(|launch| launch.kernel == "tree_upper");
/// assert_eq!(halves.count(), 12);
/// # Ok::<(), sunzi_gpu::GpuError>(())
/// ```
pub fn tree_counts<E: ResidueWord>(
    plan: TreePlan,
    prime: u64,
    work: TreeWork,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    let plan = plan.check::<E>(device)?;
    let several = match plan.fits(prime) {
        true => None,
        false => Some(plan.basis(prime)?.len()),
    };
    countable([1, plan.padded(), 2])?;
    let spare = leaves_spare_bits::<E>(prime);
    let mut launches = Launches::<E> {
        plan,
        spare,
        several,
        device,
        program: source::<E>(plan.leaf, spare),
        all: Vec::new(),
        word: std::marker::PhantomData,
    };
    match work {
        TreeWork::Preparation => launches.preparation()?,
        TreeWork::Evaluation => launches.evaluation()?,
        TreeWork::Interpolation => launches.interpolation()?,
    }
    Ok(launches.all)
}

/// Launches, in their order.
struct Launches<'a, E> {
    plan: TreePlan,
    spare: bool,
    /// How many primes products are computed by, where it is not the tree's own.
    several: Option<usize>,
    device: &'a DeviceInfo,
    program: Source<'static>,
    all: Vec<LaunchWork>,
    word: std::marker::PhantomData<E>,
}

impl<E: ResidueWord> Launches<'_, E> {
    /// A kernel with a thread for each of so many elements, which reads and writes words for each, and multiplies.
    fn each(
        &mut self,
        kernel: &'static str,
        count: usize,
        words: usize,
        (multiplications, barriers): (u64, usize),
    ) {
        self.all.push(LaunchWork {
            source: self.program.clone(),
            kernel,
            groups: count.div_ceil(self.plan.leaf),
            threads: self.plan.leaf,
            shared_bytes: 0,
            barriers,
            bytes: (count * words * size_of::<E>()) as u64,
            multiplications: count as u64 * multiplications,
        });
    }

    /// Transforms of the vectors that two nodes of a level become, so many words of them.
    fn transforms(&mut self, level: usize, words: usize, way: Way) -> Result<(), GpuError> {
        let log_n = self.plan.log_points(level);
        if let Some(primes) = self.several {
            let vectors = [words >> log_n, primes];
            let launches = transforms_of_several(log_n, vectors, way, self.device)?;
            let there_or_back = self.other_primes(words, primes, way);
            if way == Way::Forward {
                self.all.push(there_or_back);
                self.all.extend(launches);
            } else {
                self.all.extend(launches);
                self.all.push(there_or_back);
            }
            return Ok(());
        }
        let parameters = NttParameters::for_device::<E>(self.device, log_n, 1);
        let batch = words >> log_n;
        let launches = transforms_of::<E>(parameters, [log_n as usize, batch], way, self.device)?;
        self.all.extend(launches);
        Ok(())
    }

    /// From elements to residues modulo several primes, or back.
    fn other_primes(&self, words: usize, primes: usize, way: Way) -> LaunchWork {
        let threads = self.device.independent_threads();
        let groups = words.div_ceil(threads);
        let chunks = project::chunks(primes);
        let size = size_of::<E>() / size_of::<u32>();
        let (source, kernel, groups, read, multiplications) = match way {
            Way::Forward => (
                project::source(threads),
                "project",
                groups * chunks,
                size * chunks + primes,
                primes as u64 * projection(size),
            ),
            Way::Back => (
                combine::modulo_source(threads, primes, ["u32", "u64"][size - 1]),
                "combine_modulo",
                groups,
                primes + size,
                recombination(primes),
            ),
        };
        LaunchWork {
            source,
            kernel,
            groups,
            threads,
            shared_bytes: 0,
            barriers: 0,
            bytes: (words * read * size_of::<u32>()) as u64,
            multiplications: words as u64 * multiplications,
        }
    }

    /// A kernel that multiplies values of nodes: `words` of them are read and written for each of N.
    fn values(&mut self, kernel: &'static str, words: usize, products: fn(bool) -> u64) {
        let n = self.plan.padded();
        let Some(primes) = self.several else {
            let wide = size_of::<E>() == size_of::<u64>();
            return self.each(kernel, n, words, (products(wide), 0));
        };
        self.all.push(LaunchWork {
            source: source::<u32>(self.plan.leaf, false),
            kernel,
            groups: n.div_ceil(self.plan.leaf) * primes,
            threads: self.plan.leaf,
            shared_bytes: 0,
            barriers: 0,
            bytes: (n * primes * words * size_of::<u32>()) as u64,
            multiplications: (n * primes) as u64 * products(false),
        });
    }

    /// One vector's points by another's.
    fn pointwise(&mut self, level: usize) {
        let log_n = self.plan.log_points(level);
        if let Some(primes) = self.several {
            let parameters = NttParameters::for_device::<u32>(self.device, log_n, primes);
            let (threads, points) = (parameters.threads, 1_usize << log_n);
            self.all.push(LaunchWork {
                source: points_source::<u32>(threads, false),
                kernel: "pointwise",
                groups: points.div_ceil(threads * EACH) * primes,
                threads,
                shared_bytes: 0,
                barriers: 0,
                bytes: (3 * points * primes * size_of::<u32>()) as u64,
                multiplications: (points * primes) as u64 * 2 * sum_of::<u32>(1),
            });
            return;
        }
        let parameters = NttParameters::for_device::<E>(self.device, log_n, 1);
        let (threads, points) = (parameters.threads, 1_usize << log_n);
        self.all.push(LaunchWork {
            source: points_source::<E>(threads, self.spare),
            kernel: "pointwise",
            groups: points.div_ceil(threads * EACH),
            threads,
            shared_bytes: 0,
            barriers: 0,
            bytes: (3 * points * size_of::<E>()) as u64,
            multiplications: points as u64 * 2 * sum_of::<E>(1),
        });
    }

    fn preparation(&mut self) -> Result<(), GpuError> {
        let (n, leaf, product) = (self.plan.padded(), self.plan.leaf, sum_of::<E>(1));
        self.each("tree_part", n, 2, (0, 0));
        self.each("tree_leaves", n, 2, (leaf as u64 * product, leaf));
        for level in 0..self.plan.levels() {
            self.each("tree_spread", n, 3, (0, 0));
            self.transforms(level, 2 * n, Way::Forward)?;
            self.values("tree_products", 3, |wide| 2 * sum_of_either(wide, 1));
            self.transforms(level, n, Way::Back)?;
        }
        // 1 over the reversed root: both sums of each of log2 GROUP steps, the longest counted for all.
        self.each("tree_part", n, 2, (0, 0));
        let steps = 2 * leaf.ilog2() as usize;
        self.each("tree_inverse", leaf, 2, (2 * sum_of::<E>(leaf), steps));
        for level in 0..self.plan.levels() {
            let h = leaf << level;
            for _ in ["the error", "the inverse so far"] {
                self.each("tree_part", 2 * h, 2, (0, 0));
                self.transforms(level, 2 * h, Way::Forward)?;
            }
            self.pointwise(level);
            self.transforms(level, 2 * h, Way::Back)?;
            self.each("tree_part", 2 * h, 2, (0, 0));
            self.transforms(level, 2 * h, Way::Forward)?;
            self.pointwise(level);
            self.transforms(level, 2 * h, Way::Back)?;
            self.each("tree_part", h, 2, (0, 0));
        }
        self.each("tree_part", 2 * n, 2, (0, 0));
        self.transforms(self.plan.levels(), 2 * n, Way::Forward)
    }

    fn evaluation(&mut self) -> Result<(), GpuError> {
        let (n, leaf, product) = (self.plan.padded(), self.plan.leaf, sum_of::<E>(1));
        let levels = self.plan.levels();
        self.each("tree_part", n, 2, (0, 0));
        self.each("tree_part", n, 1, (0, 0));
        self.transforms(levels, 2 * n, Way::Forward)?;
        self.pointwise(levels);
        self.transforms(levels, 2 * n, Way::Back)?;
        self.each("tree_part", n, 2, (0, 0));
        for level in (0..levels).rev() {
            self.transforms(level, n, Way::Forward)?;
            self.values("tree_down", 5, |wide| 4 * sum_of_either(wide, 1));
            self.transforms(level, 2 * n, Way::Back)?;
            self.each("tree_upper", n, 2, (0, 0));
        }
        // The product with the leaf, threads waiting for the longest sum, and Horner's rule.
        let in_leaf = sum_of::<E>(leaf) + leaf as u64 * product;
        self.each("tree_values", n, 4, (in_leaf, 2));
        Ok(())
    }

    fn interpolation(&mut self) -> Result<(), GpuError> {
        let (n, leaf, product) = (self.plan.padded(), self.plan.leaf, sum_of::<E>(1));
        // An inverse is a power.
        let power = 2 * 8 * size_of::<E>() as u64 * product;
        self.each("tree_weights", n, 3, (power, 0));
        let step = sum_of::<E>(2) + product;
        self.each("tree_leaves", n, 3, (leaf as u64 * step, leaf));
        for level in 0..self.plan.levels() {
            self.each("tree_spread", n, 3, (0, 0));
            self.transforms(level, 2 * n, Way::Forward)?;
            self.values("tree_up", 5, |wide| {
                sum_of_either(wide, 2) + sum_of_either(wide, 1)
            });
            self.transforms(level, n, Way::Back)?;
        }
        self.each("tree_part", n, 2, (0, 0));
        Ok(())
    }
}

/// Multiply-adds of a sum of products, in words of 64 bits or of 32.
fn sum_of_either(wide: bool, products: usize) -> u64 {
    match wide {
        true => sum_of::<u64>(products),
        false => sum_of::<u32>(products),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_are_counted_as_they_are_submitted() {
        let h100 = DeviceInfo::h100();
        let plan = TreePlan {
            points: 20,
            leaf: 8,
        };
        let names = |work| -> Vec<_> {
            let launches = tree_counts::<u32>(plan, 469_762_049, work, &h100).unwrap();
            launches.iter().map(|launch| launch.kernel).collect()
        };
        // Leaves of 8, nodes of 16, and the root of 32: transforms of 16, 32 and 64 points take a pass each.
        let level = ["ntt_pass", "tree_down", "ntt_pass", "tree_upper"];
        let expected = [
            &[
                "tree_part",
                "tree_part",
                "ntt_pass",
                "pointwise",
                "ntt_pass",
                "tree_part",
            ][..],
            &level,
            &level,
            &["tree_values"],
        ];
        assert_eq!(names(TreeWork::Evaluation), expected.concat());
        let level = ["tree_spread", "ntt_pass", "tree_up", "ntt_pass"];
        let expected = [
            &["tree_weights", "tree_leaves"][..],
            &level,
            &level,
            &["tree_part"],
        ];
        assert_eq!(names(TreeWork::Interpolation), expected.concat());
        let launches = tree_counts::<u32>(plan, 469_762_049, TreeWork::Evaluation, &h100).unwrap();
        let values = launches.last().unwrap();
        // 32 points: 8 products of 2 multiply-adds and 1 reduction in 3, then 8 of 5.
        assert_eq!((values.groups, values.bytes), (4, 32 * 4 * 4));
        assert_eq!(values.multiplications, 32 * (8 * 2 + 3 + 8 * 5));
        assert_eq!(
            names(TreeWork::Preparation).len(),
            2 + 2 * 4 + 2 + 2 * 11 + 2
        );
    }

    #[test]
    fn what_no_tree_is_has_no_counts() {
        let h100 = DeviceInfo::h100();
        for (points, leaf) in [(0, 8), (5, 3)] {
            let plan = TreePlan { points, leaf };
            let refused = tree_counts::<u32>(plan, 469_762_049, TreeWork::Evaluation, &h100);
            assert!(matches!(refused, Err(GpuError::Shape(_))));
        }
        let plan = TreePlan::for_device(&h100, 1 << 27);
        let refused = tree_counts::<u32>(plan, 101, TreeWork::Evaluation, &h100);
        assert!(matches!(refused, Err(GpuError::TooFewPrimes { .. })));
    }

    #[test]
    fn several_primes_are_gone_to_and_come_back_from() {
        let h100 = DeviceInfo::h100();
        let plan = TreePlan {
            points: 20,
            leaf: 8,
        };
        let work = TreeWork::Interpolation;
        let launches = tree_counts::<u64>(plan, (1 << 63) - 25, work, &h100).unwrap();
        let names: Vec<_> = launches.iter().map(|launch| launch.kernel).collect();
        let level = [
            "tree_spread",
            "project",
            "ntt_pass",
            "tree_up",
            "ntt_pass",
            "combine_modulo",
        ];
        let expected = [
            &["tree_weights", "tree_leaves"][..],
            &level,
            &level,
            &["tree_part"],
        ];
        assert_eq!(names, expected.concat());
        // 2^132 is exceeded by 5 primes: two words come for two chunks of them, 64 elements of them.
        assert_eq!(launches[3].bytes, 64 * 4 * (2 * 2 + 5));
        assert_eq!(launches[5].bytes, 5 * 32 * 5 * 4);
        assert_eq!(launches[7].bytes, 32 * 4 * (2 + 5));
    }
}
