//! What subproduct trees modulo r^k + 1 ask of a device.

use super::big_prime::big_prime_counts;
use super::counts::{LaunchWork, countable};
use super::tree::TreeWork;
use crate::big_prime::BigPrimeShape;
use crate::big_prime::plan::step_threads;
use crate::error::GpuError;
use crate::info::DeviceInfo;
use crate::program::Source;
use crate::tree::TreePlan;
use crate::tree::kernels::digit_source as source;

/// 32-bit multiply-adds of a product of two digits, and of the divisions of a column.
const DIGIT_PRODUCT: u64 = 4;
const DIVISIONS: u64 = 21;

/// The launches on a tree over so many points modulo radix^digits + 1; those by which the first interpolation inverts its
/// weights left out.
///
/// # Errors
/// [`GpuError::Shape`] for no points or too many, and for a radix or number of digits that devices do not know.
///
/// ```
/// use sunzi_gpu::{DeviceInfo, tuning::{TreeWork, element_tree_counts}};
/// let (h100, p8) = (DeviceInfo::h100(), ((1 << 59) + (1 << 57) + (1 << 39), 8));
/// let launches = element_tree_counts(1000, p8, TreeWork::Evaluation, &h100)?;
/// let halves = launches.iter().filter(|launch| launch.kernel == "element_upper");
/// assert_eq!(halves.count(), 10);
/// # Ok::<(), sunzi_gpu::GpuError>(())
/// ```
pub fn element_tree_counts(
    points: usize,
    of: (u64, usize),
    work: TreeWork,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    let plan = TreePlan::of_elements(points).check::<u64>(device)?;
    let (_, digits) = of;
    countable([1, plan.padded(), digits.saturating_mul(2)])?;
    let threads = step_threads(device, digits)?;
    let mut launches = Launches {
        plan,
        of,
        device,
        threads,
        program: source(threads),
        all: Vec::new(),
    };
    let (n, levels) = (plan.padded(), plan.levels());
    match work {
        TreeWork::Preparation => launches.preparation()?,
        TreeWork::Evaluation => {
            launches.each("element_part", n, 2, 0);
            launches.each("element_part", n, 1, 0);
            launches.multiplied(levels)?;
            launches.each("element_part", n, 2, 0);
            for level in (0..levels).rev() {
                launches.transforms(level, n)?;
                launches.each("element_down", n, 5, 2);
                launches.transforms(level, 2 * n)?;
                launches.each("element_upper", n, 2, 0);
            }
            launches.each("element_part", points, 2, 0);
        }
        TreeWork::Interpolation => {
            launches.each("element_part", n, 2, 0);
            launches.points(points)?;
            launches.each("element_part", n, 2, 0);
            for level in 0..levels {
                launches.each("element_spread", n, 3, 0);
                launches.transforms(level, 2 * n)?;
                launches.each("element_up", n, 5, 2);
                launches.transforms(level, n)?;
            }
            launches.each("element_part", points, 2, 0);
        }
    }
    Ok(launches.all)
}

/// Launches, in their order.
struct Launches<'a> {
    plan: TreePlan,
    of: (u64, usize),
    device: &'a DeviceInfo,
    threads: usize,
    program: Source<'static>,
    all: Vec<LaunchWork>,
}

impl Launches<'_> {
    /// Of N points: leaves, levels, and the inverse of the root.
    fn preparation(&mut self) -> Result<(), GpuError> {
        let (n, levels) = (self.plan.padded(), self.plan.levels());
        self.each("element_part", n, 2, 0);
        self.each("element_part", n, 2, 0);
        for level in 0..levels {
            self.each("element_spread", n, 3, 0);
            self.transforms(level, 2 * n)?;
            self.each("element_products", n, 3, 1);
            self.transforms(level, n)?;
        }
        self.each("element_part", n, 2, 0);
        self.each("element_part", 1, 2, 0);
        for level in 0..levels {
            let h = 1 << level;
            self.each("element_part", 2 * h, 2, 0);
            self.each("element_part", 2 * h, 2, 0);
            self.transforms(level, 2 * h)?;
            self.multiplied(level)?;
            self.each("element_part", 2 * h, 2, 0);
            self.multiplied(level)?;
            self.each("element_part", h, 2, 0);
        }
        self.each("element_part", 2 * n, 2, 0);
        self.transforms(levels, 2 * n)
    }

    /// A kernel with a thread for each digit of so many elements, which reads and writes so many elements for each, and
    /// multiplies.
    fn each(&mut self, kernel: &'static str, count: usize, elements: usize, products: u64) {
        let (_, digits) = self.of;
        let words = count * digits;
        let column = digits as u64 * DIGIT_PRODUCT + DIVISIONS;
        self.all.push(LaunchWork {
            source: self.program.clone(),
            kernel,
            groups: words.div_ceil(self.threads),
            threads: self.threads,
            shared_bytes: 0,
            barriers: 2 + 2 * products as usize,
            bytes: (words * elements * size_of::<u64>()) as u64,
            multiplications: words as u64 * products * column,
        });
    }

    /// Transforms of the vectors of a level, so many elements of them, either way.
    fn transforms(&mut self, level: usize, elements: usize) -> Result<(), GpuError> {
        let log_n = self.plan.log_points(level);
        let batch = elements >> log_n;
        let (_, digits) = self.of;
        let shape = BigPrimeShape::for_device(self.device, digits, log_n, batch);
        let launches = big_prime_counts(shape, self.of, log_n, batch, self.device)?;
        self.all.extend(launches);
        Ok(())
    }

    /// A vector of a level there, multiplied by another, and back.
    fn multiplied(&mut self, level: usize) -> Result<(), GpuError> {
        let length = 1 << self.plan.log_points(level);
        self.transforms(level, length)?;
        self.points(length)?;
        self.transforms(level, length)
    }

    /// Products of so many elements, by the kernel of transforms.
    fn points(&mut self, count: usize) -> Result<(), GpuError> {
        // As a pass that multiplies: its counts hold for one point by one factor.
        let log_n = self.plan.log_points(self.plan.levels());
        let (_, digits) = self.of;
        let shape = BigPrimeShape::for_device(self.device, digits, log_n, 1);
        let pass = big_prime_counts(shape, self.of, 1, 1, self.device)?;
        let words = count * digits;
        let column = digits as u64 * DIGIT_PRODUCT + DIVISIONS;
        self.all.extend(pass.into_iter().next().map(|pass| {
            let by_steps = pass.kernel == "big_prime_step";
            let slots = if by_steps { shape.threads } else { shape.slots };
            LaunchWork {
                kernel: if by_steps {
                    "big_prime_pointwise"
                } else {
                    "big_prime_products"
                },
                groups: words.div_ceil(slots),
                barriers: 3 * slots / pass.threads,
                bytes: (3 * words * size_of::<u64>()) as u64,
                multiplications: words as u64 * column,
                ..pass
            }
        }));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launches_are_counted_as_they_are_submitted() {
        let h100 = DeviceInfo::h100();
        let p8 = ((1 << 59) + (1 << 57) + (1 << 39), 8);
        let names = |work| -> Vec<_> {
            let launches = element_tree_counts(3, p8, work, &h100).unwrap();
            launches.iter().map(|launch| launch.kernel).collect()
        };
        // Transforms of 2, 4 and 8 points take a pass each.
        let (pass, part) = ("big_prime_pass", "element_part");
        let level = [pass, "element_down", pass, "element_upper"];
        let expected = [
            &[part, part, pass, "big_prime_products", pass, part][..],
            &level,
            &level,
            &[part],
        ];
        assert_eq!(names(TreeWork::Evaluation), expected.concat());
        let level = ["element_spread", pass, "element_up", pass];
        let expected = [
            &[part, "big_prime_products", part][..],
            &level,
            &level,
            &[part],
        ];
        assert_eq!(names(TreeWork::Interpolation), expected.concat());
        assert_eq!(
            names(TreeWork::Preparation).len(),
            2 + 2 * 4 + 2 + 2 * 11 + 2
        );
        let launches = element_tree_counts(3, p8, TreeWork::Evaluation, &h100).unwrap();
        // 4 nodes of 8 digits, read once with two factors, and both products.
        assert_eq!((launches[7].bytes, launches[7].groups), (5 * 4 * 64, 1));
        assert_eq!(launches[7].multiplications, 2 * 4 * 8 * (8 * 4 + 21));
        let by_steps = element_tree_counts(3, (1 << 63, 8), TreeWork::Evaluation, &h100).unwrap();
        assert!(
            by_steps
                .iter()
                .any(|launch| launch.kernel == "big_prime_pointwise")
        );
        for (points, of) in [(0, p8), (usize::MAX, p8), (5, (100, 8)), (5, (1 << 40, 3))] {
            assert!(element_tree_counts(points, of, TreeWork::Evaluation, &h100).is_err());
        }
    }
}
