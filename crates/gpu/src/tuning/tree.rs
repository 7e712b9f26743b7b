//! What subproduct trees ask of a device.

use super::counts::countable;
use crate::field::ResidueWord;
use crate::tree::{SubproductTree, TreePlan};
use bytemuck::Pod;
use sunzi_device::{Buffer, DeviceInfo, GpuError, LaunchWork, Recorder};

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
/// use sunzi_device::DeviceInfo;
/// use sunzi_gpu::{tree::TreePlan, tuning::{TreeWork, tree_counts}};
/// let h100 = DeviceInfo::h100();
/// let plan = TreePlan::for_device(&h100, 1 << 20);
/// let launches = tree_counts::<u32>(plan, 469_762_049, TreeWork::Evaluation, &h100)?;
/// // Down 12 levels: a transform, products, a transform back, and halves.
/// let halves = launches.iter().filter(|launch| launch.kernel == "tree_upper");
/// assert_eq!(halves.count(), 12);
/// # Ok::<(), sunzi_device::GpuError>(())
/// ```
pub fn tree_counts<E: ResidueWord>(
    plan: TreePlan,
    prime: u64,
    work: TreeWork,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    let plan = plan.check::<E>(device)?;
    countable([1, plan.padded(), 2])?;
    let recorder = Recorder::new(device)?;
    let (on, stream) = (recorder.device(), recorder.stream());
    let vector = on.buffer::<E>(plan.points)?;
    let points = (&vector, 0);
    let grow = || match plan.fits(prime) {
        true => SubproductTree::with_plan(on, stream, prime, points, plan),
        false => SubproductTree::by_several_primes_with_plan(on, stream, prime, points, plan),
    };
    launches(&recorder, work, (&vector, plan.points), grow)
}

/// The launches on a tree that is made so, where a vector serves for points, coefficients and values.
pub(super) fn launches<E: Pod>(
    recorder: &Recorder,
    work: TreeWork,
    (vector, points): (&Buffer<E>, usize),
    grow: impl Fn() -> Result<SubproductTree, GpuError>,
) -> Result<Vec<LaunchWork>, GpuError> {
    let tree = grow()?;
    let grown = recorder.take();
    let mut to = recorder.device().buffer::<E>(vector.len())?;
    let interpolate =
        |to: &mut Buffer<E>| tree.interpolate(recorder.stream(), (vector, 0), (to, 0));
    match work {
        TreeWork::Preparation => Ok(grown),
        TreeWork::Evaluation => {
            recorder.launches(|stream| tree.evaluate(stream, (vector, 0), points, (&mut to, 0)))
        }
        TreeWork::Interpolation => {
            interpolate(&mut to)?;
            recorder.launches(|_| interpolate(&mut to))
        }
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
