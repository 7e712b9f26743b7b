//! What transforms modulo r^k + 1 ask of a device.

use super::counts::countable;
use crate::big_prime::{BigPrimeContext, BigPrimeShape};
use sunzi_device::{DeviceInfo, GpuError, LaunchWork, Recorder};
use sunzi_field::AnyField;

/// The field modulo radix^digits + 1.
pub(super) fn field((radix, digits): (u64, usize)) -> Result<AnyField, GpuError> {
    let field = AnyField::generalized_fermat(radix, digits);
    field.map_err(|error| GpuError::Shape(error.to_string()))
}

/// The launches of `batch` transforms of 2^`log_n` points modulo radix^digits + 1, forward.
///
/// # Errors
/// As [`BigPrimeContext::with_shape`], and [`GpuError::Shape`] where radix^digits + 1 is no prime.
///
/// ```
/// use sunzi_device::DeviceInfo;
/// use sunzi_gpu::{big_prime::BigPrimeShape, tuning::big_prime_counts};
/// let (h100, p8) = (DeviceInfo::h100(), (1 << 59) + (1 << 57) + (1 << 39));
/// let shape = BigPrimeShape::for_device(&h100, 8, 12, 1);
/// let launches = big_prime_counts(shape, (p8, 8), 12, 1, &h100)?;
/// assert_eq!(launches.len(), 3);
/// // 4096 elements of 64 bytes there and back, and as many powers.
/// assert_eq!(launches[0].bytes, 3 * 4096 * 64);
/// # Ok::<(), sunzi_device::GpuError>(())
/// ```
pub fn big_prime_counts(
    shape: BigPrimeShape,
    of: (u64, usize),
    log_n: u32,
    batch: usize,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    let (_, digits) = of;
    let points = 1usize.checked_shl(log_n).unwrap_or(usize::MAX);
    countable([batch, points, digits.saturating_mul(2)])?;
    let (field, recorder) = (field(of)?, Recorder::new(device)?);
    let context = BigPrimeContext::with_shape(recorder.device(), &field, log_n, batch, shape)?;
    let mut data = recorder.device().buffer((batch * digits) << log_n)?;
    recorder.launches(|stream| context.forward(stream, (&mut data, 0), batch))
}

#[cfg(test)]
mod tests {
    use super::*;

    const P8: (u64, usize) = ((1 << 59) + (1 << 57) + (1 << 39), 8);

    #[test]
    fn passes_are_counted_as_they_are_submitted() {
        let h100 = DeviceInfo::h100();
        let shape = BigPrimeShape {
            threads: 16,
            slots: 64,
        };
        let launches = big_prime_counts(shape, P8, 5, 3, &h100).unwrap();
        let found: Vec<_> = launches
            .iter()
            .map(|launch| (launch.groups, launch.barriers, launch.multiplications))
            .collect();
        // 3 times 32 elements of 8 digits; passes of 4 and 8 points.
        let words = 3 * 32 * 8;
        assert_eq!(
            found,
            [(12, 3 + 2 + 24, words * 60), (12, 3 + 3, words * 7)]
        );
        let launches = big_prime_counts(shape, ((1 << 63) + (1 << 34), 8), 2, 1, &h100).unwrap();
        let found = launches.iter().map(|launch| (launch.kernel, launch.groups));
        assert!(found.eq([("big_prime_step", 1); 2]));
        for (digits, log_n) in [(3, 1), (32, 1), (8, 31)] {
            assert!(big_prime_counts(shape, (P8.0, digits), log_n, 1, &h100).is_err());
        }
    }
}
