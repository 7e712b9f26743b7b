//! What division and Euclid's algorithm ask of a device.

use super::counts::countable;
use crate::euclid::rounds::Work;
use crate::euclid::{EuclidContext, EuclidShape};
use crate::field::ResidueWord;
use sunzi_device::{DeviceInfo, GpuError, LaunchWork, Recorder};

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

/// A prime of the word's range that leaves it no bits to spare: 2^31 − 1, or 2^63 − 25.
fn full_prime<E>() -> u64 {
    match size_of::<E>() {
        4 => (1 << 31) - 1,
        _ => (1 << 63) - 25,
    }
}

/// The launch for `batch` pairs of `lengths` coefficients, none of which is 0, in a shape. Pairs are those that Euclid's
/// algorithm takes longest for: coprime, and degrees drop by one.
///
/// # Errors
/// [`GpuError::Shape`] and [`GpuError::Limits`] if it is no shape for the device or the lengths.
///
/// ```
/// use sunzi_device::DeviceInfo;
/// use sunzi_gpu::{euclid::EuclidShape, tuning::{EuclidWork, euclid_counts}};
/// let h100 = DeviceInfo::h100();
/// let shape = EuclidShape::for_device::<u32>(&h100, 10_001);
/// let launch = euclid_counts::<u32>(shape, EuclidWork::Gcd, [10_001; 2], 132, &h100)?;
/// assert_eq!((launch.groups, launch.barriers), (132, 10_001));
/// # Ok::<(), sunzi_device::GpuError>(())
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
    if work == EuclidWork::Cofactors {
        shape.cofactor_bytes::<E>(device)?;
    }
    countable([batch, n, 1])?;
    let (recorder, context) = context::<E>(shape, batch, device)?;
    let operands = lengths.map(|len| vec![E::from_residue(1); len]);
    let pairs = vec![operands.each_ref().map(|operand| &operand[..]); batch];
    let launches = recorder.launches(|stream| match work {
        EuclidWork::Division => context.divide_all(stream, &pairs).map(drop),
        EuclidWork::Gcd => context.gcd_all(stream, &pairs).map(drop),
        EuclidWork::Cofactors => context.xgcd_all(stream, &pairs).map(drop),
    })?;
    let launch = launches.into_iter().next();
    launch.ok_or_else(|| GpuError::Shape("no pairs take no launch".to_owned()))
}

/// A context in a shape that takes all pairs together.
fn context<E: ResidueWord>(
    shape: EuclidShape,
    batch: usize,
    device: &DeviceInfo,
) -> Result<(Recorder, EuclidContext<E>), GpuError> {
    let shape = EuclidShape {
        pairs: shape.pairs.max(batch),
        ..shape
    };
    let recorder = Recorder::new(device)?;
    let context = EuclidContext::with_shape(recorder.device(), full_prime::<E>(), shape)?;
    Ok((recorder, context))
}

/// The launches by rounds for `batch` pairs of `lengths` coefficients, none of which is 0, in a shape. Pairs are those that
/// Euclid's algorithm takes longest for: coprime, and degrees drop by one.
///
/// # Errors
/// [`GpuError::Shape`] and [`GpuError::Limits`] if it is no shape for the device, or operands have no coefficients.
///
/// ```
/// use sunzi_device::DeviceInfo;
/// use sunzi_gpu::{euclid::EuclidShape, tuning::{EuclidWork, euclid_round_counts}};
/// let h100 = DeviceInfo::h100();
/// let shape = EuclidShape::for_device::<u32>(&h100, 100_001);
/// let launches = euclid_round_counts::<u32>(shape, EuclidWork::Gcd, [100_001; 2], 1, &h100)?;
/// // Rounds of 512 steps, each of two launches; two rounds more see that nothing is left.
/// assert_eq!(launches.len(), 2 * (100_001 / 512 + 2) + 2);
/// # Ok::<(), sunzi_device::GpuError>(())
/// ```
pub fn euclid_round_counts<E: ResidueWord>(
    shape: EuclidShape,
    work: EuclidWork,
    lengths: [usize; 2],
    batch: usize,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    let shape = shape.check::<E>(device)?;
    if lengths.contains(&0) {
        return Err(GpuError::Shape(
            "pairs with an operand without coefficients take no rounds".to_owned(),
        ));
    }
    let (work, parts) = match work {
        EuclidWork::Division => (Work::Division, 1),
        EuclidWork::Gcd => (Work::Gcd, 1),
        EuclidWork::Cofactors => (Work::Cofactors, 3),
    };
    countable([batch, lengths[0].max(lengths[1]), 4 * parts])?;
    let (recorder, context) = context::<E>(shape, batch, device)?;
    let operands = lengths.map(|len| vec![E::from_residue(1); len]);
    let pairs = vec![operands.each_ref().map(|operand| &operand[..]); batch];
    recorder.launches(|stream| context.by_rounds(stream, &pairs, work, drop))
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

    fn by_rounds(work: EuclidWork, lengths: [usize; 2]) -> Vec<LaunchWork> {
        let shape = EuclidShape {
            threads: 1,
            row: 4,
            pairs: 1,
            steps: 4,
        };
        euclid_round_counts::<u32>(shape, work, lengths, 3, &DeviceInfo::h100()).unwrap()
    }

    #[test]
    fn rounds_are_counted_as_they_are_submitted() {
        // Seven coefficients of the quotient, 4 and 3 at a time.
        let division = by_rounds(EuclidWork::Division, [10, 4]);
        let found: Vec<_> = division
            .iter()
            .map(|launch| (launch.kernel, launch.barriers))
            .collect();
        let round = |count: usize| [("quotients", count + 1), ("apply", 2)];
        let expected = [&[("enter", 0)][..], &round(4), &round(3), &[("leave", 1)]];
        assert_eq!(found, expected.concat());
        // 6 products in sums of their own find 4 coefficients; 10 coefficients, in groups of 5, lose 4 products each.
        assert_eq!(division[1].multiplications, 3 * 6 * 5);
        assert_eq!(division[2].multiplications, 3 * 10 * (4 * 2 + 3));
        assert_eq!(by_rounds(EuclidWork::Division, [4, 10]).len(), 2);
        let gcd = by_rounds(EuclidWork::Gcd, [9, 9]);
        assert_eq!(gcd.len(), 2 + 2 * (18 / 8 + 2));
        // 4 steps with windows of 8, 7, 6 and 5 coefficients, and twice 0, 1, 2 and 3 of the matrix.
        assert_eq!(gcd[1].multiplications, 3 * (26 + 12) * (3 * 2 + 3));
        // Two rows of 9, two terms of 4 products.
        assert_eq!(gcd[2].multiplications, 3 * 20 * (8 * 2 + 3));
        let cofactors = by_rounds(EuclidWork::Cofactors, [9, 9]);
        assert_eq!(cofactors[2].bytes, 3 * 4 * 2 * (18 + 16));
    }

    #[test]
    fn what_takes_no_rounds_is_refused() {
        let h100 = DeviceInfo::h100();
        let shape = EuclidShape::for_device::<u64>(&h100, 100);
        for lengths in [[0, 1], [1, 0]] {
            let refused = euclid_round_counts::<u64>(shape, EuclidWork::Gcd, lengths, 1, &h100);
            assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
        }
        let lengths = [usize::MAX; 2];
        let refused = euclid_round_counts::<u64>(shape, EuclidWork::Gcd, lengths, 2, &h100);
        assert!(matches!(refused, Err(GpuError::Shape(_))), "{refused:?}");
    }
}
