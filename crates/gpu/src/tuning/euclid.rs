//! What division and Euclid's algorithm ask of a device.

use super::LaunchWork;
use super::counts::countable;
use crate::error::GpuError;
use crate::euclid::EuclidShape;
use crate::euclid::context::{cofactor_source, source};
use crate::field::ResidueWord;
use crate::info::DeviceInfo;
use crate::products::plan::{PRODUCT_MODULO, TERM, WIDE_PRODUCT};

/// What is computed of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EuclidWork {
    /// Quotient and remainder.
    Division,
    /// The greatest common divisor; the resultant takes as much.
    Gcd,
    /// The greatest common divisor and its cofactors.
    Cofactors,
}

/// The launch for `batch` pairs of `lengths` coefficients, none of which is 0, in a shape. Pairs are those that Euclid's
/// algorithm takes longest for: coprime, and degrees drop by one.
///
/// # Errors
/// [`GpuError::Shape`] and [`GpuError::Limits`] if it is no shape for the device or the lengths.
///
/// ```
/// use sunzi_gpu::{DeviceInfo, euclid::EuclidShape, tuning::{EuclidWork, euclid_counts}};
/// let h100 = DeviceInfo::h100();
/// let shape = EuclidShape::for_device::<u32>(&h100, 10_001);
/// let launch = euclid_counts::<u32>(shape, EuclidWork::Gcd, [10_001; 2], 132, &h100)?;
/// assert_eq!((launch.groups, launch.barriers), (132, 10_001));
/// # Ok::<(), sunzi_gpu::GpuError>(())
/// ```
pub fn euclid_counts<E: ResidueWord>(
    shape: EuclidShape,
    work: EuclidWork,
    lengths: [usize; 2],
    batch: usize,
    device: &DeviceInfo,
) -> Result<LaunchWork, GpuError> {
    let shape = shape.check::<E>(device)?;
    let [n, m] = [lengths[0].max(lengths[1]), lengths[0].min(lengths[1])];
    if m == 0 || n > shape.row {
        return Err(GpuError::Shape(format!(
            "operands of {n} and {m} coefficients are none for a shape of 1 to {}",
            shape.row
        )));
    }
    countable([batch, n, 1])?;
    let place = size_of::<E>() / 4 - 1;
    let (term, reduction) = (
        TERM[place],
        [PRODUCT_MODULO, WIDE_PRODUCT][place] - TERM[place],
    );
    // Threads without a coefficient wait for those with one.
    let of = |len: usize, terms: u64| {
        len.next_multiple_of(shape.threads) as u64 * (terms * term + reduction)
    };
    let (mut barriers, mut multiplications) = (1, of(n + m, 1));
    let written = match work {
        EuclidWork::Division => {
            let steps = lengths[0]
                .checked_sub(lengths[1])
                .map_or(0, |drop| drop + 1);
            barriers += steps;
            multiplications += steps as u64 * of(lengths[1] - 1, 1);
            n
        }
        EuclidWork::Gcd | EuclidWork::Cofactors => {
            let has_cofactors = work == EuclidWork::Cofactors;
            let least = usize::from(!has_cofactors);
            let (mut x, mut y) = ([n, 1, 0], [m, 0, 1]);
            while y[0] > least {
                let shift = x[0] - y[0];
                let drop = if shift > 0 { 2 } else { 1 };
                barriers += 1;
                let left = x[0].saturating_sub(drop);
                if has_cofactors {
                    x = [left, x[1].max(y[1] + shift), x[2].max(y[2] + shift)];
                    multiplications += x.iter().map(|&len| of(len, 3)).sum::<u64>();
                } else {
                    x[0] = left;
                    multiplications += of(left, 1 + drop as u64);
                }
                if x[0] < y[0] {
                    (x, y) = (y, x);
                }
            }
            if has_cofactors { 3 * n } else { n }
        }
    };
    let (program, kernel, shared_bytes) = match work {
        EuclidWork::Division => (
            source::<E>(&shape, false),
            "divide",
            shape.shared_bytes::<E>(),
        ),
        EuclidWork::Gcd => (source::<E>(&shape, false), "gcd", shape.shared_bytes::<E>()),
        EuclidWork::Cofactors => (
            cofactor_source::<E>(&shape, false),
            "cofactors",
            shape.cofactor_bytes::<E>(device)?,
        ),
    };
    Ok(LaunchWork {
        source: program,
        kernel,
        groups: batch,
        threads: shape.threads,
        shared_bytes,
        barriers,
        bytes: (size_of::<E>() * batch * (n + m + written)) as u64,
        multiplications: multiplications.saturating_mul(batch as u64),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(work: EuclidWork, lengths: [usize; 2]) -> LaunchWork {
        let shape = EuclidShape {
            threads: 1,
            row: 100,
            pairs: 1,
            steps: 4,
        };
        euclid_counts::<u32>(shape, work, lengths, 3, &DeviceInfo::h100()).unwrap()
    }

    #[test]
    fn steps_are_counted_as_the_kernels_take_them() {
        // What is loaded takes a product a coefficient.
        let division = of(EuclidWork::Division, [10, 4]);
        assert_eq!(
            (division.barriers, division.multiplications),
            (1 + 7, 3 * 5 * (14 + 7 * 3))
        );
        assert_eq!(of(EuclidWork::Division, [4, 10]).barriers, 1);
        // 5, 4: 5 becomes 3 by two steps, 4 becomes 2 against 3, 3 becomes 1 against 2.
        let gcd = of(EuclidWork::Gcd, [4, 5]);
        assert_eq!(
            (gcd.barriers, gcd.multiplications),
            (1 + 3, 3 * (5 * 9 + 9 * (3 + 2 + 1)))
        );
        assert_eq!(gcd.bytes, 3 * 4 * (9 + 5));
        // Equal lengths begin with a single step; a constant is left out without cofactors.
        assert_eq!(of(EuclidWork::Gcd, [2, 2]).barriers, 1 + 1);
        assert_eq!(of(EuclidWork::Cofactors, [2, 2]).barriers, 1 + 2);
        assert_eq!(of(EuclidWork::Gcd, [1, 100]).barriers, 1);
    }

    #[test]
    fn what_no_shape_takes_is_refused() {
        let (h100, work) = (DeviceInfo::h100(), EuclidWork::Gcd);
        let shape = EuclidShape::for_device::<u64>(&h100, 100);
        for lengths in [[0, 1], [1, 0], [1, 1000]] {
            let refused = euclid_counts::<u64>(shape, work, lengths, 1, &h100);
            assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
        }
        let refused = euclid_counts::<u64>(shape, work, [1, 1], usize::MAX, &h100);
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
    }
}
