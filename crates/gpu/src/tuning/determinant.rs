//! What determinants ask of a device.

use super::counts::{LaunchWork, countable, sum_of};
use crate::determinant::context::source;
use crate::determinant::{DeterminantPlan, DeterminantShape, PanelShape};
use crate::determinant::{float, panels};
use crate::error::GpuError;
use crate::field::{ResidueWord, leaves_spare_bits};
use crate::info::DeviceInfo;

/// Threads side by side in a row of a small matrix.
const WIDTH: usize = 32;

/// The launches for `batch` regular matrices of `order` rows, whose pivots are in the leading columns, modulo primes such as
/// this one.
///
/// # Errors
/// [`GpuError::Shape`] and [`GpuError::Limits`] if the plan is none for the device or the order.
///
/// ```
/// use sunzi_gpu::{DeviceInfo, determinant::DeterminantPlan, tuning::determinant_counts};
/// let h100 = DeviceInfo::h100();
/// let plan = DeterminantPlan::for_device::<u32>(&h100, 4000);
/// let launches = determinant_counts::<u32>(plan, 469_762_049, 4000, 1, &h100)?;
/// assert_eq!(launches.len(), plan.launches(4000));
/// # Ok::<(), sunzi_gpu::GpuError>(())
/// ```
pub fn determinant_counts<E: ResidueWord>(
    plan: DeterminantPlan,
    prime: u64,
    order: usize,
    batch: usize,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    countable([batch, order, order])?;
    if order == 0 {
        return Err(GpuError::Shape(
            "matrices without rows take no launch".to_owned(),
        ));
    }
    let spare = leaves_spare_bits::<E>(prime);
    match plan {
        DeterminantPlan::Shared(shape) => {
            let shape = shape.check::<E>(device)?;
            if order > shape.order {
                return Err(GpuError::Shape(format!(
                    "matrices of {order} rows are none for a shape of 1 to {}",
                    shape.order
                )));
            }
            Ok(vec![shared::<E>(shape, spare, order, batch)])
        }
        DeterminantPlan::Panels(shape) => {
            let shape = shape.check::<E>(device, order)?;
            Ok(by_panels::<E>(shape, spare, order, batch))
        }
    }
}

/// The launches for `batch` matrices of doubles of `order` rows, none of which loses a row; multiplications are operations on
/// doubles.
///
/// # Errors
/// [`GpuError::Shape`] for no rows, and more than any device holds.
///
/// ```
/// use sunzi_gpu::{DeviceInfo, tuning::float_determinant_counts};
/// let launches = float_determinant_counts(800, 1, &DeviceInfo::h100())?;
/// assert_eq!(launches.len(), 800);
/// # Ok::<(), sunzi_gpu::GpuError>(())
/// ```
pub fn float_determinant_counts(
    order: usize,
    batch: usize,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    countable([batch, order, order])?;
    if order == 0 {
        return Err(GpuError::Shape(
            "matrices without rows take no launch".to_owned(),
        ));
    }
    let threads = float::threads(device);
    let step = |step: usize| {
        let below = order - step - 1;
        LaunchWork {
            source: float::source(threads),
            kernel: "float_step",
            groups: below.max(1) * batch,
            threads,
            shared_bytes: 0,
            // Two searches by halves.
            barriers: 2 * (threads.ilog2() as usize + 1),
            // The pivot's row, and rows below there and back, a column shorter.
            bytes: (size_of::<f64>() * batch * (below + 1 + below * (2 * below + 1))) as u64,
            multiplications: 2 * (batch * below * below) as u64,
        }
    };
    Ok((0..order).map(step).collect())
}

/// The one launch for small matrices.
fn shared<E: ResidueWord>(
    shape: DeterminantShape,
    spare: bool,
    n: usize,
    batch: usize,
) -> LaunchWork {
    let width = shape.threads.min(WIDTH);
    let rows_of_group = shape.threads / width;
    // Threads without an entry wait for those with one.
    let steps = (1..n)
        .map(|left| (left.next_multiple_of(rows_of_group) * left.next_multiple_of(width)) as u64);
    let each = (n * n).next_multiple_of(shape.threads) as u64 * sum_of::<E>(1)
        + steps.sum::<u64>() * sum_of::<E>(2);
    LaunchWork {
        source: source::<E>(&shape, spare),
        kernel: "determinants",
        groups: batch,
        threads: shape.threads,
        shared_bytes: shape.shared_bytes::<E>(),
        barriers: n + 2,
        bytes: (size_of::<E>() * batch * (n * n + 1)) as u64,
        multiplications: each.saturating_mul(batch as u64),
    }
}

/// The launches for large ones.
fn by_panels<E: ResidueWord>(
    shape: PanelShape,
    spare: bool,
    n: usize,
    batch: usize,
) -> Vec<LaunchWork> {
    let (rows, threads, tile) = (shape.rows, shape.threads(), shape.tile());
    let program = panels::source::<E>(&shape, spare);
    // Groups, barriers, elements and multiply-adds of a matrix.
    let launch =
        |kernel, groups: usize, barriers, elements: usize, multiplications: u64| LaunchWork {
            source: program.clone(),
            kernel,
            groups,
            threads,
            shared_bytes: 0,
            barriers,
            bytes: (size_of::<E>() * batch * elements) as u64,
            multiplications: multiplications.saturating_mul(batch as u64),
        };
    let groups = |threads_wanted: usize| (batch * threads_wanted).div_ceil(threads);
    let mut all = vec![launch(
        "determinant_begin",
        groups(n * n),
        0,
        2 * n * n,
        (n * n) as u64 * sum_of::<E>(1),
    )];
    for done in (0..n).step_by(rows) {
        let own = rows.min(n - done);
        // Step c leaves the columns behind it in the window, and all of the transformation.
        let steps = (0..own).map(|c| ((own - 1) * (own - c - 1 + rows)) as u64);
        all.push(launch(
            "determinant_panel",
            batch,
            own + 3,
            own * (own + rows),
            steps.sum::<u64>() * sum_of::<E>(2),
        ));
        let Some(left) = n.checked_sub(done + rows).filter(|&left| left > 0) else {
            break;
        };
        let tiles = left.div_ceil(tile);
        let met = (tiles * tile) as u64;
        all.push(launch(
            "determinant_solve",
            batch * tiles,
            1,
            rows * (2 * left + rows),
            met * rows as u64 * sum_of::<E>(rows),
        ));
        all.push(launch(
            "determinant_update",
            batch * tiles * tiles,
            1,
            2 * left * (left + rows),
            met * met * sum_of::<E>(rows),
        ));
    }
    all.push(launch("determinant_end", groups(1), 0, 2, 0));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

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
