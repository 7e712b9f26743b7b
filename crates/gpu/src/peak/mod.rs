//! What a device does at most: the rates that floors are computed from.
//!
//! A transform or product can be no faster than its bytes over the bandwidth, nor than its multiplications over their
//! rate. Datasheets promise both; [`PeakRates::measure`] finds what the device at hand delivers: copies of memory
//! much larger than its caches, and chains of multiplications that touch nothing but registers, several independent
//! ones a thread, so that no latency is waited for. Times are the device's own, between events; each is the median of
//! several runs.

mod arithmetic;
mod clock;
mod memory;

use std::fmt;
use sunzi_device::{Device, GpuError};

/// What a device does at most.
///
/// ```
/// use sunzi::gpu::{Device, Selection};
/// use sunzi_gpu::peak::PeakRates;
/// # fn main() -> Result<(), sunzi::gpu::GpuError> {
/// let device = match Device::open(Selection::Any) {
///     Ok(device) => device,
///     Err(none) => return Ok(println!("{none}")),
/// };
/// let rates = PeakRates::measure(&device)?;
/// println!("{rates}");
/// assert!(rates.copy() >= rates.kernel_copy);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PeakRates {
    /// Bytes read and written a second by a kernel that copies memory of the device, 16 bytes at a time.
    pub kernel_copy: f64,
    /// The same by the driver's copy.
    pub driver_copy: f64,
    /// Bytes a second from [`Staging`](sunzi_device::Staging) memory of the host to the device.
    pub upload: f64,
    /// Bytes a second back.
    pub download: f64,
    /// Products of 32 by 32 bits added to 64 bits, a second.
    pub wide_products: f64,
    /// The same in rows with carries, as [`integer`](crate::integer) has them.
    pub chained_products: f64,
    /// Montgomery products modulo a prime below 2^62, a second.
    pub prime_products: f64,
    /// Fused multiplications and additions of doubles, a second; `None` where there are no doubles.
    pub double_products: Option<f64>,
    /// Seconds of the host for a launch that nobody waits for.
    pub launch: f64,
    /// Seconds from a launch until the host knows that it is done.
    pub round_trip: f64,
}

impl PeakRates {
    /// Measures them all, which takes a second or less. It should have the device to itself.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`] if a quarter of the memory that is free is less than a megabyte;
    /// [`GpuError::Compile`]; errors of the driver.
    pub fn measure(device: &Device) -> Result<Self, GpuError> {
        let stream = device.timed_stream()?;
        let arithmetic = arithmetic::measure(&stream)?;
        let memory = memory::memory(&stream)?;
        let launches = memory::launches(&stream)?;
        Ok(Self {
            kernel_copy: memory.kernel_copy,
            driver_copy: memory.driver_copy,
            upload: memory.upload,
            download: memory.download,
            wide_products: arithmetic.wide,
            chained_products: arithmetic.chained,
            prime_products: arithmetic.prime,
            double_products: arithmetic.double,
            launch: launches.submission,
            round_trip: launches.round_trip,
        })
    }

    /// Bytes read and written a second by the better copy.
    pub fn copy(&self) -> f64 {
        self.kernel_copy.max(self.driver_copy)
    }

    /// Products of 32-bit words, added up, a second in the better form.
    pub fn word_products(&self) -> f64 {
        self.wide_products.max(self.chained_products)
    }
}

impl fmt::Display for PeakRates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let giga = |rate: f64| rate / 1e9;
        writeln!(
            f,
            "copy by a kernel {:.1} GB/s, by the driver {:.1} GB/s (read and written)",
            giga(self.kernel_copy),
            giga(self.driver_copy)
        )?;
        writeln!(
            f,
            "to the device {:.1} GB/s, back {:.1} GB/s",
            giga(self.upload),
            giga(self.download)
        )?;
        writeln!(
            f,
            "32-bit multiply-adds {:.1} G/s, with carries {:.1} G/s; 64-bit Montgomery products {:.1} G/s",
            giga(self.wide_products),
            giga(self.chained_products),
            giga(self.prime_products)
        )?;
        if let Some(doubles) = self.double_products {
            writeln!(f, "multiply-adds of doubles {:.1} G/s", giga(doubles))?;
        }
        write!(
            f,
            "a launch {:.2} µs, with its end {:.2} µs",
            1e6 * self.launch,
            1e6 * self.round_trip
        )
    }
}
