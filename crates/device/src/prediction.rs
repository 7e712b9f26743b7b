//! How long launches should take.

use crate::info::DeviceInfo;
use crate::work::LaunchWork;
use std::fmt;

/// The part of the memory's rate by its data sheet that kernels reach: assumed.
const REACHED: f64 = 0.9;
/// 32-bit multiply-adds, or those of doubles, of a processor in a cycle (*CUDA C++ Programming Guide*, throughput of
/// arithmetic instructions, compute capability 9.0).
const LANES: f64 = 64.0;
/// Seconds of a launch that does nothing: assumed.
const LAUNCH: f64 = 2.5e-6;
/// Bytes of what a group shares that are the system's, on NVIDIA's.
const SYSTEM_BYTES: usize = 1 << 10;

/// What a device does in a second, for predictions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Bytes of its memory that are read and written a second.
    pub bytes: f64,
    /// 32-bit multiply-adds a second.
    pub multiplications: f64,
    /// Seconds that a launch takes at least.
    pub launch: f64,
    /// Seconds that a group takes from barrier to barrier at least.
    pub step: f64,
}

impl Rates {
    /// Seconds from barrier to barrier, assumed: loads from local memory, products that wait for each other, the barrier.
    pub const STEP: f64 = 1e-7;

    /// An NVIDIA GPU by its data sheet, at `hertz` when all processors work; what no data sheet tells is assumed: nine
    /// tenths of the memory's rate, 2.5 µs a launch, 0.1 µs a step. `None` where the device does not tell its bandwidth.
    ///
    /// ```
    /// use sunzi::gpu::DeviceInfo;
    /// use sunzi_device::Rates;
    /// let h100 = Rates::by_data_sheet(&DeviceInfo::h100(), 1.755e9);
    /// assert_eq!(h100.map(|rates| rates.multiplications as u64 / 1_000_000_000), Some(14_826));
    /// ```
    pub fn by_data_sheet(device: &DeviceInfo, hertz: f64) -> Option<Self> {
        (device.bandwidth > 0 && device.units > 0).then_some(Self {
            bytes: REACHED * device.bandwidth as f64,
            multiplications: device.units as f64 * LANES * hertz,
            launch: LAUNCH,
            step: Self::STEP,
        })
    }
}

/// What launches come to: a plan's bytes, multiplications and predicted time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prediction {
    /// Launches.
    pub launches: usize,
    /// Bytes that are read and written.
    pub bytes: u64,
    /// 32-bit multiply-adds.
    pub multiplications: u64,
    /// Seconds that all bytes or all multiply-adds take, the longer ones.
    pub floor: f64,
    /// Seconds that are predicted.
    pub seconds: f64,
}

impl Prediction {
    /// What launches come to on a device of these rates, the registers of kernels left out, which only compiling tells.
    pub fn of(launches: &[LaunchWork], device: &DeviceInfo, rates: &Rates) -> Self {
        let each = launches.iter();
        let seconds =
            each.map(|launch| launch.seconds(device, rates, launch.resident(device, 0, 0)));
        Self::sum(launches, rates, seconds.sum())
    }

    /// What launches come to that take so many seconds.
    pub fn sum(launches: &[LaunchWork], rates: &Rates, seconds: f64) -> Self {
        let bytes = launches.iter().map(|launch| launch.bytes).sum();
        let multiplications = launches.iter().map(|launch| launch.multiplications).sum();
        Self {
            launches: launches.len(),
            bytes,
            multiplications,
            floor: (bytes as f64 / rates.bytes).max(multiplications as f64 / rates.multiplications),
            seconds,
        }
    }
}

impl fmt::Display for Prediction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} launches, {:.3} MB, {:.3} million multiply-adds, {:.3} ms predicted",
            self.launches,
            self.bytes as f64 / 1e6,
            self.multiplications as f64 / 1e6,
            1e3 * self.seconds
        )
    }
}

impl LaunchWork {
    /// Groups that a processor has at a time, at least one; `registers` are those of a thread and `shared_bytes` those that
    /// a group shares beside its tile.
    pub fn resident(&self, device: &DeviceInfo, registers: u32, shared_bytes: usize) -> usize {
        // Registers are given to warps in blocks of 8 a thread.
        let registers = registers.next_multiple_of(8) as usize * self.threads;
        let shared = self.shared_bytes + shared_bytes + SYSTEM_BYTES;
        let limit = |of: usize, each: usize| match of {
            0 => usize::MAX, // unknown
            of => of / each.max(1),
        };
        let by = [
            limit(device.unit_registers, registers),
            limit(device.unit_groups, 1),
            limit(device.unit_threads, self.threads),
            limit(device.unit_shared_memory, shared),
        ];
        match by.into_iter().fold(usize::MAX, usize::min) {
            // Where nothing is known, one after the other: OpenCL on a processor.
            usize::MAX => 1,
            resident => resident.max(1),
        }
    }

    /// Seconds with so many groups of a processor at a time: the longest of four times. Its bytes; its multiply-adds, both
    /// times as long where there are too few groups for all processors; the steps of its groups from barrier to barrier,
    /// for as many groups one after the other as a processor has; and the least that a launch takes.
    pub fn seconds(&self, device: &DeviceInfo, rates: &Rates, resident: usize) -> f64 {
        let units = device.units.max(1);
        let share = (self.groups as f64 / units as f64).clamp(1.0 / units as f64, 1.0);
        let memory = self.bytes as f64 / rates.bytes / share;
        let arithmetic = self.multiplications as f64 / rates.multiplications / share;
        let in_turn = self.groups.div_ceil(units * resident.max(1));
        let steps = (in_turn * self.barriers) as f64 * rates.step;
        memory.max(arithmetic).max(steps).max(rates.launch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    const RATES: Rates = Rates {
        bytes: 1e9,
        multiplications: 1e9,
        launch: 1e-6,
        step: 1e-7,
    };

    fn launch(groups: usize) -> LaunchWork {
        LaunchWork {
            source: Source::new("nothing", 256).into(),
            kernel: "nothing",
            groups,
            threads: 256,
            shared_bytes: 0,
            barriers: 0,
            bytes: 0,
            multiplications: 0,
        }
    }

    #[test]
    fn each_of_four_times_may_be_the_longest() {
        let h100 = DeviceInfo::h100();
        let seconds = |launch: LaunchWork| launch.seconds(&h100, &RATES, 2);
        let close = |found: f64, expected: f64| (found / expected - 1.0).abs() < 1e-12;
        assert!(close(seconds(launch(1)), 1e-6));
        // All processors work, and half of them.
        for (groups, slower) in [(1320, 1.0), (66, 2.0), (1, 132.0)] {
            let bytes = LaunchWork {
                bytes: 1_000_000,
                ..launch(groups)
            };
            assert!(close(seconds(bytes), 1e-3 * slower));
            let multiplications = LaunchWork {
                multiplications: 1_000_000,
                ..launch(groups)
            };
            assert!(close(seconds(multiplications), 1e-3 * slower));
        }
        // 264 groups at a time.
        for (groups, turns) in [(1, 1.0), (264, 1.0), (265, 2.0)] {
            let steps = LaunchWork {
                barriers: 100,
                ..launch(groups)
            };
            assert!(close(seconds(steps), 1e-5 * turns));
        }
    }

    #[test]
    fn threads_registers_and_shared_memory_limit_groups() {
        let h100 = DeviceInfo::h100();
        let of = |threads, registers, shared_bytes| {
            let launch = LaunchWork {
                threads,
                shared_bytes,
                ..launch(1)
            };
            launch.resident(&h100, registers, 0)
        };
        assert_eq!(of(32, 16, 0), 32);
        assert_eq!(of(256, 32, 0), 8);
        assert_eq!(of(256, 33, 0), 6); // 40 registers are given
        assert_eq!(of(256, 32, 113 << 10), 2);
        assert_eq!(of(256, 32, 114 << 10), 1);
        let unknown = DeviceInfo {
            unit_registers: 0,
            unit_shared_memory: 0,
            ..h100.clone()
        };
        assert_eq!(launch(1).resident(&unknown, 255, 1 << 20), 8);
        let unknown = DeviceInfo {
            unit_threads: 0,
            unit_groups: 0,
            ..unknown
        };
        assert_eq!(launch(1).resident(&unknown, 255, 1 << 20), 1);
    }

    #[test]
    fn nothing_takes_no_time() {
        let nothing = Prediction::of(&[], &DeviceInfo::h100(), &RATES);
        assert_eq!(nothing, Prediction::default());
        let twice = Prediction::of(&[launch(1), launch(1)], &DeviceInfo::h100(), &RATES);
        assert_eq!((twice.launches, twice.seconds), (2, 2e-6));
    }
}
