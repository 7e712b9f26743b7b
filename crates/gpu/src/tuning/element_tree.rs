//! What subproduct trees modulo r^k + 1 ask of a device.

use super::big_prime::field;
use super::counts::countable;
use super::tree::{TreeWork, launches};
use crate::tree::{SubproductTree, TreePlan};
use sunzi_device::{DeviceInfo, GpuError, LaunchWork, Recorder};

/// The launches on a tree over so many points modulo radix^digits + 1; those by which the first interpolation inverts its
/// weights left out.
///
/// # Errors
/// [`GpuError::Shape`] for no points or too many, and for a radix or number of digits that devices do not know.
///
/// ```
/// use sunzi_device::DeviceInfo;
/// use sunzi_gpu::tuning::{TreeWork, element_tree_counts};
/// let (h100, p8) = (DeviceInfo::h100(), ((1 << 59) + (1 << 57) + (1 << 39), 8));
/// let launches = element_tree_counts(1000, p8, TreeWork::Evaluation, &h100)?;
/// let halves = launches.iter().filter(|launch| launch.kernel == "element_upper");
/// assert_eq!(halves.count(), 10);
/// # Ok::<(), sunzi_device::GpuError>(())
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
    let (field, recorder) = (field(of)?, Recorder::new(device)?);
    let (on, stream) = (recorder.device(), recorder.stream());
    let vector = on.buffer::<u64>(points * digits)?;
    let grow = || SubproductTree::of_elements(on, stream, &field, (&vector, 0), points);
    launches(&recorder, work, (&vector, points), grow)
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
        let by_steps =
            element_tree_counts(3, ((1 << 63) + (1 << 34), 8), TreeWork::Evaluation, &h100)
                .unwrap();
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
