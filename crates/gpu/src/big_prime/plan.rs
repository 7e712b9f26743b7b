//! How transforms modulo r^k + 1 are cut into passes.

use crate::error::GpuError;
use crate::info::{DeviceInfo, DeviceKind};

/// Bytes of local memory for a digit: in two arrays, and its carry.
const SLOT_BYTES: usize = 2 * size_of::<u64>() + size_of::<u32>();

/// Groups for each processor, where there can be as many.
const GROUPS: u128 = 4;

/// How elements are laid out in groups of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BigPrimeShape {
    /// Threads of a group: a power of two, at least the digits of an element.
    pub threads: usize,
    /// Digits that a group has at a time: a power of two, at least the threads.
    pub slots: usize,
}

impl BigPrimeShape {
    /// What suits a device for `batch` transforms of 2^`log_n` points of `digits` digits: on a GPU the fewest digits that
    /// passes of 2k points need, where more of them would leave processors without a group.
    ///
    /// ```
    /// use sunzi_gpu::{DeviceInfo, big_prime::BigPrimeShape};
    /// let h100 = DeviceInfo::h100();
    /// let slots = |digits, log_n, batch| BigPrimeShape::for_device(&h100, digits, log_n, batch).slots;
    /// assert_eq!((slots(8, 12, 1), slots(8, 12, 1000)), (256, 2048));
    /// assert_eq!(slots(32, 12, 1), 2048);
    /// ```
    pub fn for_device(info: &DeviceInfo, digits: usize, log_n: u32, batch: usize) -> Self {
        let power_below = |most: usize| 1 << most.max(1).ilog2();
        let threads = power_below(info.group_threads.min(256));
        let mut slots: usize = power_below((info.shared_memory / SLOT_BYTES).min(2048));
        let threads = threads.min(slots);
        let least = threads.max(digits.saturating_mul(2 * digits));
        let words = (digits as u128 * batch as u128) << log_n.min(64);
        let groups = GROUPS * info.units as u128;
        while info.kind != DeviceKind::Cpu && slots > least && words / (slots as u128) < groups {
            slots /= 2;
        }
        Self { threads, slots }
    }

    /// Checks it against the limits of a device, for elements of `digits` digits.
    ///
    /// # Errors
    /// [`GpuError::Limits`] for more digits than a group has threads, [`GpuError::Shape`] for what is no shape there.
    pub(crate) fn check(self, info: &DeviceInfo, digits: usize) -> Result<Self, GpuError> {
        let Self { threads, slots } = self;
        if digits > info.group_threads {
            return Err(GpuError::Limits {
                device: info.name.clone(),
                kernel: "transforms modulo r^k + 1".to_owned(),
                reason: format!(
                    "a group has {} threads, and an element {digits} digits",
                    info.group_threads
                ),
            });
        }
        let are_powers = threads.is_power_of_two() && slots.is_power_of_two();
        let is_group = are_powers && (digits..=info.group_threads).contains(&threads);
        let fits = slots >= threads && slots <= info.shared_memory / SLOT_BYTES;
        if !(is_group && fits) {
            return Err(GpuError::Shape(format!(
                "{threads} threads with {slots} digits are no shape for elements of {digits} digits on {}: both are powers of \
                 two, from {digits} and {threads} to {} and {}",
                info.name,
                info.group_threads,
                info.shared_memory / SLOT_BYTES
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
}

impl BigPrimePlan {
    /// The fewest passes for a shape, as long as each other: 2^c ≤ 2k points each, as many as a group's digits hold and the
    /// radix leaves bits for; of two points for radices that leave none.
    ///
    /// ```
    /// use sunzi_gpu::big_prime::{BigPrimePlan, BigPrimeShape};
    ///
    /// let shape = BigPrimeShape { threads: 256, slots: 2048 };
    /// let passes = |radix, digits, log_n| BigPrimePlan::new(shape, radix, digits, log_n).passes().to_vec();
    /// assert_eq!(passes((1 << 59) + (1 << 57) + (1 << 39), 8, 12), [4, 4, 4]); // P8
    /// assert_eq!(passes((1 << 58) + (1 << 10), 16, 15), [5, 5, 5]);
    /// assert_eq!(passes(1 << 63, 4, 3), [1, 1, 1]);
    /// ```
    pub fn new(shape: BigPrimeShape, radix: u64, digits: usize, log_n: u32) -> Self {
        let longest = longest_pass(shape, radix, digits);
        let count = log_n.div_ceil(longest);
        let passes = (0..count).map(|pass| (log_n + pass) / count).collect();
        Self {
            digits,
            log_n,
            passes,
        }
    }

    /// log2 of the points of each pass.
    pub fn passes(&self) -> &[u32] {
        &self.passes
    }

    /// Whether digits are canonical after each operation, and all passes are of two points.
    pub(crate) fn is_by_steps(shape: BigPrimeShape, radix: u64, digits: usize) -> bool {
        longest_pass(shape, radix, digits) == 1
    }

    /// Bytes on the device for the powers of the root, and for `batch` vectors to go to and fro with; the vectors
    /// themselves are the caller's.
    ///
    /// ```
    /// use sunzi_gpu::big_prime::{BigPrimePlan, BigPrimeShape};
    ///
    /// let shape = BigPrimeShape { threads: 256, slots: 2048 };
    /// let plan = BigPrimePlan::new(shape, (1 << 59) + (1 << 57) + (1 << 39), 8, 12);
    /// assert_eq!(plan.bytes(2), 3 * 4096 * 64);
    /// ```
    pub fn bytes(&self, batch: usize) -> u64 {
        let element = (self.digits * size_of::<u64>()) as u64;
        let vectors = (batch as u64).saturating_add(1);
        element
            .saturating_mul(vectors)
            .saturating_mul(1 << self.log_n.min(40))
    }
}

/// log2 of the most points of a pass.
fn longest_pass(shape: BigPrimeShape, radix: u64, digits: usize) -> u32 {
    if radix < 8 * digits as u64 {
        return 1;
    }
    let by_roots = (2 * digits).ilog2();
    let by_slots = (shape.slots / digits).max(1).ilog2();
    // Sums of 2^c digits of at most r / 2 + 4 are below 2^63, and their carries at most r / 4.
    let by_sums = (i64::MAX as u64 / (radix / 2 + 4)).max(1).ilog2();
    let by_carries = (radix / 4).ilog2();
    let longest = by_roots.min(by_slots).min(by_sums).min(by_carries);
    longest.max(1)
}
