//! How transforms modulo r^k + 1 are cut into passes.

use sunzi_device::{DeviceInfo, DeviceKind, GpuError};

/// What errors call the kernels.
fn name(digits: usize) -> String {
    format!("arithmetic modulo r^{digits} + 1")
}

/// Digits that a group has at a time at most where nobody says how many.
const MOST_SLOTS: usize = 2048;

/// Bytes of local memory for a digit: in two arrays, and its carry.
const SLOT_BYTES: usize = 2 * size_of::<u64>() + size_of::<u32>();

/// log2 of the most points.
pub(crate) const MAX_LOG_POINTS: u32 = 30;

/// The most digits of an element.
pub(super) const MAX_DIGITS: usize = 256;

/// The least radix, which exceeds the third digit of every column.
pub(super) const LEAST_RADIX: u64 = 256;

/// Threads of a group at most where nobody says how many: those of an element with most digits.
const MOST_THREADS: usize = MAX_DIGITS;

/// Bytes of local memory for a thread of steps, and of trees, at most: six arrays of digits, and one of signs.
const STEP_BYTES: usize = 6 * size_of::<u64>() + size_of::<u32>();

/// Threads of a group that has a digit in each, on a device: a power of two.
///
/// # Errors
/// [`GpuError::Limits`] where that is less than an element has digits.
pub(crate) fn step_threads(info: &DeviceInfo, digits: usize) -> Result<usize, GpuError> {
    let threads = info.power_of_threads(MOST_THREADS, STEP_BYTES);
    // A group has an element at least.
    let least = digits.max(threads);
    info.check_arrays(&name(digits), least, least.saturating_mul(STEP_BYTES))?;
    Ok(threads)
}

/// Groups for each processor, where there can be as many.
const GROUPS: u128 = 4;

/// How elements are laid out in groups of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BigPrimeConfig {
    /// Threads of a group: a power of two, at least the digits of an element.
    pub threads: usize,
    /// Digits that a group has at a time: a power of two, at least the threads.
    pub slots: usize,
}

impl BigPrimeConfig {
    /// What suits a device for `batch` transforms of 2^`log_n` points of `digits` digits: on a GPU the fewest digits that
    /// passes of 2k points need, where more of them would leave processors without a group.
    ///
    /// ```
    /// use sunzi::gpu::DeviceInfo;
    /// use sunzi_gpu::big_prime::BigPrimeConfig;
    /// let h100 = DeviceInfo::h100();
    /// let slots = |digits, log_n, batch| BigPrimeConfig::for_device(&h100, digits, log_n, batch).slots;
    /// assert_eq!((slots(8, 12, 1), slots(8, 12, 1000)), (256, 2048));
    /// assert_eq!(slots(32, 12, 1), 2048);
    /// ```
    pub fn for_device(info: &DeviceInfo, digits: usize, log_n: u32, batch: usize) -> Self {
        let threads = info.power_of_threads(MOST_THREADS, STEP_BYTES);
        let most_slots = (info.array_bytes() / SLOT_BYTES).clamp(1, MOST_SLOTS);
        let mut slots: usize = 1 << most_slots.ilog2();
        let threads = threads.min(slots);
        let least = threads.max(digits.saturating_mul(digits).saturating_mul(2));
        let elements = (batch as u128) << log_n.min(MAX_LOG_POINTS);
        let words = elements.saturating_mul(digits as u128);
        let groups = GROUPS * info.units as u128;
        while info.kind != DeviceKind::Cpu && slots > least && words / (slots as u128) < groups {
            slots /= 2;
        }
        Self { threads, slots }
    }

    /// Checks it against the limits of a device, for elements of `digits` digits.
    ///
    /// # Errors
    /// [`GpuError::Limits`] for more digits than a group has threads, [`GpuError::Shape`] for what is no configuration there.
    pub(crate) fn check(self, info: &DeviceInfo, digits: usize) -> Result<Self, GpuError> {
        let Self { threads, slots } = self;
        // That an element has no group is another matter than that the configuration is none.
        info.check_arrays(&name(digits), digits, digits.saturating_mul(SLOT_BYTES))?;
        let are_powers = threads.is_power_of_two() && slots.is_power_of_two();
        let is_group = are_powers && (digits..=info.group_threads).contains(&threads);
        let fits = slots >= threads && slots <= info.array_bytes() / SLOT_BYTES;
        if !(is_group && fits) {
            return Err(GpuError::Shape(format!(
                "{threads} threads with {slots} digits are no shape for elements of {digits} digits on {}: both are powers of \
                 two, from {digits} and {threads} to {} and {}",
                info.name,
                info.group_threads,
                info.array_bytes() / SLOT_BYTES
            )));
        }
        Ok(self)
    }
}

/// How transforms of 2^n points modulo r^k + 1 are cut into passes, each of which goes once through the vector.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BigPrimePlan {
    digits: usize,
    log_n: u32,
    passes: Vec<u32>,
    method: DigitMethod,
}

/// How digits are kept between operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DigitMethod {
    /// Canonical: for all radices, by passes of two points, which are steps.
    Canonical,
    /// Signed and with carries left, for radices with bits to spare.
    Lazy,
}

impl BigPrimePlan {
    /// The fewest passes for a configuration, as long as each other: 2^c ≤ 2k points each, as many as a group's digits hold and the
    /// radix leaves bits for; of two points for radices that leave none.
    ///
    /// ```
    /// use sunzi_gpu::big_prime::{BigPrimeConfig, BigPrimePlan, DigitMethod};
    ///
    /// let config = BigPrimeConfig { threads: 256, slots: 2048 };
    /// let plan = BigPrimePlan::new(config, (1 << 59) + (1 << 57) + (1 << 39), 8, 12)?; // P8
    /// assert_eq!((plan.passes(), plan.method()), (&[4, 4, 4][..], DigitMethod::Lazy));
    /// let plan = BigPrimePlan::new(config, 1 << 63, 4, 3)?;
    /// assert_eq!((plan.passes(), plan.method()), (&[1, 1, 1][..], DigitMethod::Canonical));
    /// # Ok::<(), sunzi::gpu::GpuError>(())
    /// ```
    ///
    /// # Errors
    /// [`GpuError::Shape`] for other numbers of digits than 2, 4, 8 … 256, radices below 256, and more than 2^30 points.
    pub fn new(
        config: BigPrimeConfig,
        radix: u64,
        digits: usize,
        log_n: u32,
    ) -> Result<Self, GpuError> {
        if !is_known(radix, digits) || log_n > MAX_LOG_POINTS {
            return Err(GpuError::Shape(format!(
                "devices have no transforms of 2^{log_n} points modulo {radix}^{digits}+1: there are up to 2^{MAX_LOG_POINTS} points \
                 for 2, 4, 8 … {MAX_DIGITS} digits and radices from {LEAST_RADIX} on"
            )));
        }
        let longest = longest_pass(config, radix, digits);
        let count = log_n.div_ceil(longest.max(1));
        let passes = (0..count).map(|pass| (log_n + pass) / count).collect();
        Ok(Self {
            digits,
            log_n,
            passes,
            method: match longest {
                0 | 1 => DigitMethod::Canonical,
                _ => DigitMethod::Lazy,
            },
        })
    }

    /// log2 of the points.
    pub const fn log_n(&self) -> u32 {
        self.log_n
    }

    /// log2 of the points of each pass.
    pub fn passes(&self) -> &[u32] {
        &self.passes
    }

    /// How digits are kept.
    pub const fn method(&self) -> DigitMethod {
        self.method
    }

    /// Bytes on the device for the powers of the root, for half of them once more while they are computed, and for `batch`
    /// vectors to go to and fro with; the vectors themselves are the caller's.
    ///
    /// ```
    /// use sunzi_gpu::big_prime::{BigPrimeConfig, BigPrimePlan};
    ///
    /// let config = BigPrimeConfig { threads: 256, slots: 2048 };
    /// let plan = BigPrimePlan::new(config, (1 << 59) + (1 << 57) + (1 << 39), 8, 12)?;
    /// assert_eq!(plan.bytes(2), 3 * 4096 * 64 + 2048 * 64);
    /// # Ok::<(), sunzi::gpu::GpuError>(())
    /// ```
    pub fn bytes(&self, batch: usize) -> u64 {
        let vector = ((self.digits * size_of::<u64>()) as u64) << self.log_n;
        let vectors = vector.saturating_mul((batch as u64).saturating_add(1));
        vectors.saturating_add(vector / 2)
    }

    /// Checks that a device's groups have the memory that steps take in such a configuration.
    ///
    /// # Errors
    /// [`GpuError::Limits`].
    pub(crate) fn check(self, info: &DeviceInfo, config: BigPrimeConfig) -> Result<Self, GpuError> {
        if self.method == DigitMethod::Canonical {
            let bytes = config.threads.saturating_mul(STEP_BYTES);
            info.check_arrays(&name(self.digits), config.threads, bytes)?;
        }
        Ok(self)
    }
}

/// Whether devices compute modulo radix^digits + 1.
pub(super) fn is_known(radix: u64, digits: usize) -> bool {
    digits.is_power_of_two() && (2..=MAX_DIGITS).contains(&digits) && radix >= LEAST_RADIX
}

/// log2 of the most points of a pass.
fn longest_pass(config: BigPrimeConfig, radix: u64, digits: usize) -> u32 {
    let k = digits as u64;
    // Sums of three parts of a column, l + h + c with l and h below r and c at most 2k, are below 2^63, and their carries
    // are few.
    if radix < 8 * k || radix > (1 << 62) - 2 * k {
        return 1;
    }
    let by_roots = (2 * digits).ilog2();
    let by_slots = (config.slots / digits).max(1).ilog2();
    // Sums of 2^c digits of at most r / 2 + 4 are below 2^63, and their carries at most r / 4.
    let by_sums = (i64::MAX as u64 / (radix / 2 + 4)).ilog2();
    let by_carries = (radix / 4).ilog2();
    by_roots.min(by_slots).min(by_sums).min(by_carries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_size_is_too_strange_to_be_refused() {
        let configs = [(0, 0), (1, 1), (256, 2048), (usize::MAX, usize::MAX)];
        for (threads, slots) in configs {
            let config = BigPrimeConfig { threads, slots };
            for digits in [0, 1, 3, 512, usize::MAX] {
                assert!(BigPrimePlan::new(config, 1 << 40, digits, 5).is_err());
            }
            for (radix, log_n) in [(255, 5), (0, 5), (1 << 40, 31), (1 << 40, u32::MAX)] {
                assert!(BigPrimePlan::new(config, radix, 8, log_n).is_err());
            }
            for radix in [256, 1 << 40, (1 << 62) - 16, (1 << 62) - 15, u64::MAX] {
                let plan = BigPrimePlan::new(config, radix, 8, 30).unwrap();
                assert_eq!(plan.passes().iter().sum::<u32>(), 30);
                assert_eq!(plan.bytes(usize::MAX), u64::MAX);
            }
        }
        for digits in [0, 7, usize::MAX] {
            for (log_n, batch) in [(0, 0), (30, usize::MAX), (u32::MAX, usize::MAX)] {
                BigPrimeConfig::for_device(&DeviceInfo::h100(), digits, log_n, batch);
            }
        }
    }

    #[test]
    fn carries_are_left_as_long_as_sums_hold_them() {
        let config = BigPrimeConfig {
            threads: 256,
            slots: 2048,
        };
        let method = |radix| BigPrimePlan::new(config, radix, 8, 8).unwrap().method();
        assert_eq!(method((1 << 62) - 16), DigitMethod::Lazy);
        assert_eq!(method((1 << 62) - 15), DigitMethod::Canonical);
        assert_eq!(method(63 * 8), DigitMethod::Lazy);
    }
}
