//! What determinants ask of a device.

use super::counts::countable;
use crate::determinant::{DeterminantContext, DeterminantPlan, FloatContext, FloatPivoting};
use crate::field::ResidueWord;
use sunzi_device::{DeviceInfo, GpuError, LaunchWork, Recorder};

/// The launches for `batch` regular matrices of `order` rows, whose pivots are in the leading columns, modulo primes such as
/// this one.
///
/// # Errors
/// [`GpuError::Shape`] and [`GpuError::Limits`] if the plan is none for the device or the order.
///
/// ```
/// use sunzi_device::DeviceInfo;
/// use sunzi_gpu::{determinant::DeterminantPlan, tuning::determinant_counts};
/// let h100 = DeviceInfo::h100();
/// let plan = DeterminantPlan::for_device::<u32>(&h100, 4000);
/// let launches = determinant_counts::<u32>(plan, 469_762_049, 4000, 1, &h100)?;
/// assert_eq!(launches.len(), plan.launches(4000));
/// # Ok::<(), sunzi_device::GpuError>(())
/// ```
pub fn determinant_counts<E: ResidueWord>(
    plan: DeterminantPlan,
    prime: u64,
    order: usize,
    batch: usize,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    countable([batch, order, order])?;
    let recorder = Recorder::new(device)?;
    let on = recorder.device();
    let context = DeterminantContext::<E>::with_plan(on, &[prime], order, plan)?;
    let from = on.buffer(batch * order * order)?;
    let mut to = on.buffer(batch)?;
    recorder.launches(|stream| context.run(stream, (&from, 0), (&mut to, 0), batch))
}

/// The launches for `batch` matrices of doubles of `order` rows, none of which loses a row; multiplications are operations on
/// doubles.
///
/// # Errors
/// [`GpuError::Shape`] for no rows, and more than any device holds.
///
/// ```
/// use sunzi_device::DeviceInfo;
/// use sunzi_gpu::tuning::float_determinant_counts;
/// let launches = float_determinant_counts(800, 1, &DeviceInfo::h100())?;
/// assert_eq!(launches.len(), 800);
/// # Ok::<(), sunzi_device::GpuError>(())
/// ```
pub fn float_determinant_counts(
    order: usize,
    batch: usize,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    countable([batch, order, order])?;
    let recorder = Recorder::new(device)?;
    let context = FloatContext::new(recorder.device())?;
    let matrices = vec![1.0; batch * order * order];
    recorder.launches(|stream| context.pivots(stream, FloatPivoting::Largest, &matrices, order))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::determinant::{DeterminantShape, PanelShape};

    fn by(plan: DeterminantPlan, n: usize) -> Vec<LaunchWork> {
        determinant_counts::<u32>(plan, 101, n, 3, &DeviceInfo::h100()).unwrap()
    }

    #[test]
    fn launches_are_counted_as_they_are_submitted() {
        let shape = DeterminantShape {
            threads: 1,
            order: 8,
        };
        let [launch] = &by(DeterminantPlan::Shared(shape), 3)[..] else {
            panic!("one launch")
        };
        // A product for each entry, then 4 and 1 sums of two.
        assert_eq!(launch.multiplications, 3 * (9 * 5 + 5 * 7));
        assert_eq!((launch.groups, launch.bytes), (3, 3 * 4 * 10));
        let plan = DeterminantPlan::Panels(PanelShape { rows: 4, side: 2 });
        for n in [1, 3, 4, 5, 8, 9, 33] {
            assert_eq!(by(plan, n).len(), plan.launches(n), "{n}");
        }
        let launches = by(plan, 14);
        let updates = launches
            .iter()
            .filter(|launch| launch.kernel == "determinant_update");
        let found: Vec<_> = updates
            .map(|launch| (launch.groups, launch.bytes, launch.multiplications))
            .collect();
        // 10, 6 and 2 rows are left, in tiles of 8.
        let expected = [(10, 2), (6, 1), (2, 1)].map(|(left, tiles)| {
            let bytes = 3 * 4 * 2 * left * (left + 4);
            let groups = 3 * tiles * tiles;
            (groups, bytes as u64, groups as u64 * 64 * (4 * 2 + 3))
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn steps_in_floating_point_lose_a_row_and_a_column_each() {
        let h100 = DeviceInfo::h100();
        let launches = float_determinant_counts(3, 2, &h100).unwrap();
        let found: Vec<_> = launches
            .iter()
            .map(|launch| (launch.groups, launch.bytes, launch.multiplications))
            .collect();
        // Of 3 entries a row, 2, and 1.
        let bytes = [3 + 2 * 5, 2 + 3, 1].map(|words| 2 * 8 * words);
        assert_eq!(
            found,
            [(4, bytes[0], 16), (2, bytes[1], 4), (2, bytes[2], 0)]
        );
        for (order, batch) in [(0, 1), (1 << 22, 1), (8, usize::MAX)] {
            assert!(float_determinant_counts(order, batch, &h100).is_err());
        }
    }

    #[test]
    fn what_no_plan_takes_is_refused() {
        let h100 = DeviceInfo::h100();
        let refused = |plan, order, batch| {
            let counts = determinant_counts::<u64>(plan, 101, order, batch, &h100);
            assert!(counts.is_err(), "{counts:?}");
        };
        let small = DeterminantPlan::for_device::<u64>(&h100, 100);
        refused(small, 0, 1);
        refused(small, 1000, 1);
        refused(small, 100, usize::MAX);
        let large = DeterminantPlan::for_device::<u64>(&h100, 1000);
        refused(large, 0, 1);
        refused(large, 1 << 16, 1);
        refused(
            DeterminantPlan::Panels(PanelShape { rows: 3, side: 2 }),
            8,
            1,
        );
    }
}
