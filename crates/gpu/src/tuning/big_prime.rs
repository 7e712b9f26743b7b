//! What transforms modulo r^k + 1 ask of a device.

use super::counts::{LaunchWork, countable};
use crate::big_prime::context::{pass_source, step_source};
use crate::big_prime::{BigPrimePlan, BigPrimeShape, DigitMethod};
use crate::error::GpuError;
use crate::info::DeviceInfo;

/// 32-bit multiply-adds of a product of two digits, and of a division of three words by r and the rest.
const DIGIT_PRODUCT: u64 = 4;
const DIVISION: u64 = 7;

/// The launches of `batch` transforms of 2^`log_n` points modulo radix^digits + 1, forward.
///
/// # Errors
/// [`GpuError::Shape`] and [`GpuError::Limits`] if it is no shape for the device or the digits; as [`BigPrimePlan::new`].
///
/// ```
/// use sunzi_gpu::{DeviceInfo, big_prime::BigPrimeShape, tuning::big_prime_counts};
/// let (h100, p8) = (DeviceInfo::h100(), (1 << 59) + (1 << 57) + (1 << 39));
/// let shape = BigPrimeShape::for_device(&h100, 8, 12, 1);
/// let launches = big_prime_counts(shape, (p8, 8), 12, 1, &h100)?;
/// assert_eq!(launches.len(), 3);
/// // 4096 elements of 64 bytes there and back, and as many powers.
/// assert_eq!(launches[0].bytes, 3 * 4096 * 64);
/// # Ok::<(), sunzi_gpu::GpuError>(())
/// ```
pub fn big_prime_counts(
    shape: BigPrimeShape,
    (radix, digits): (u64, usize),
    log_n: u32,
    batch: usize,
    device: &DeviceInfo,
) -> Result<Vec<LaunchWork>, GpuError> {
    let shape = shape.check(device, digits)?;
    let plan = BigPrimePlan::new(shape, radix, digits, log_n)?.check(device, shape)?;
    countable([batch, 1 << log_n, 2 * digits])?;
    let words = (batch * digits) << log_n;
    let by_steps = plan.method() == DigitMethod::Canonical;
    let column = digits as u64 * DIGIT_PRODUCT + 3 * DIVISION;
    let passes = plan.passes().len();
    let each = plan.passes().iter().enumerate().map(|(number, &c)| {
        let multiplies = number + 1 < passes;
        let table = if multiplies || by_steps {
            digits << log_n
        } else {
            0
        };
        let bytes = (size_of::<u64>() * (2 * words + table)) as u64;
        match by_steps {
            // Half of the elements are multiplied.
            true => LaunchWork {
                source: step_source(shape.threads),
                kernel: "big_prime_step",
                groups: (words / 2).div_ceil(shape.threads),
                threads: shape.threads,
                shared_bytes: 0,
                barriers: 5,
                bytes,
                multiplications: words as u64 / 2 * column,
            },
            false => {
                let turns = if multiplies {
                    shape.slots / shape.threads
                } else {
                    0
                };
                LaunchWork {
                    source: pass_source(shape, digits),
                    kernel: "big_prime_pass",
                    groups: words.div_ceil(shape.slots),
                    threads: shape.threads,
                    shared_bytes: 0,
                    barriers: 3 + c as usize + 6 * turns,
                    bytes,
                    multiplications: words as u64
                        * (DIVISION + if multiplies { column } else { 0 }),
                }
            }
        }
    });
    Ok(each.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_counted_as_they_are_submitted() {
        let h100 = DeviceInfo::h100();
        let shape = BigPrimeShape {
            threads: 16,
            slots: 64,
        };
        let launches = big_prime_counts(shape, (1 << 40, 8), 5, 3, &h100).unwrap();
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
        let launches = big_prime_counts(shape, (1 << 63, 8), 2, 1, &h100).unwrap();
        let found = launches.iter().map(|launch| (launch.kernel, launch.groups));
        assert!(found.eq([("big_prime_step", 1); 2]));
        for (digits, log_n) in [(3, 1), (32, 1), (8, 31)] {
            assert!(big_prime_counts(shape, (1 << 40, digits), log_n, 1, &h100).is_err());
        }
    }
}
