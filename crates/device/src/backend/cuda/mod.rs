//! Devices of NVIDIA's driver.
//!
//! A device is used through its primary context (`context`). Streams do not wait for the null stream. Memory and
//! programs are given back after their last use without a wait of the host (`order`, `pool`, `retired`).

mod api;
mod arguments;
mod context;
mod driver;
mod library;
pub(crate) mod nvrtc;
mod order;
mod pool;
mod retired;

use crate::backend::Absence;
use crate::error::GpuError;
use crate::info::{Backend, DeviceInfo, DeviceKind};
use api::{Api, Code, Device, failure};
use context::{Context, checked};
use nvrtc::Nvrtc;
use order::Order;
use pool::Pool;
use retired::Retired;
use std::ffi::{CStr, c_int};
use std::path::Path;

/// Attributes of devices.
mod attribute {
    pub(super) const GROUP_THREADS: i32 = 1;
    pub(super) const WARP_SIZE: i32 = 10;
    /// In kilohertz.
    pub(super) const CLOCK_RATE: i32 = 13;
    pub(super) const PROCESSORS: i32 = 16;
    /// In kilohertz; two transfers a period.
    pub(super) const MEMORY_CLOCK_RATE: i32 = 36;
    /// In bits.
    pub(super) const MEMORY_BUS_WIDTH: i32 = 37;
    pub(super) const CACHE: i32 = 38;
    pub(super) const UNIT_THREADS: i32 = 39;
    pub(super) const COMPUTE_CAPABILITY_MAJOR: i32 = 75;
    pub(super) const COMPUTE_CAPABILITY_MINOR: i32 = 76;
    pub(super) const UNIT_SHARED_MEMORY: i32 = 81;
    pub(super) const UNIT_REGISTERS: i32 = 82;
    /// That a kernel can have where it asks for it.
    pub(super) const SHARED_MEMORY: i32 = 97;
    /// Told since CUDA 11.
    pub(super) const UNIT_GROUPS: i32 = 106;
    pub(super) const MEMORY_POOLS: i32 = 115;
}

/// What there is.
pub(crate) fn discover() -> Result<Vec<DeviceInfo>, Absence> {
    let api = Api::start()?;
    let mut count = 0;
    // SAFETY: the pointer is to a live variable.
    let code = unsafe { (api.cuDeviceGetCount)(&mut count) };
    if code != 0 {
        return Err(Absence::unusable(format!(
            "NVIDIA's driver does not list its devices: {}",
            api.name(code)
        )));
    }
    // A device that does not answer is as good as none.
    Ok((0..count)
        .filter_map(|index| describe(&api, index).ok())
        .collect())
}

/// The device of an index.
fn device(api: &Api, index: c_int) -> Result<Device, Code> {
    let mut device = 0;
    // SAFETY: the pointer is to a live variable; the driver checks the index.
    checked(unsafe { (api.cuDeviceGet)(&mut device, index) })?;
    Ok(device)
}

fn describe(api: &Api, index: c_int) -> Result<DeviceInfo, Code> {
    let device = device(api, index)?;
    let number = |which| attribute_of(api, device, which);
    let size = |which| number(which).map(|value| value as usize);
    let mut name = [0; 256];
    // SAFETY: the driver writes no more bytes than it is told there are, the last of them zero.
    checked(unsafe { (api.cuDeviceGetName)(name.as_mut_ptr(), name.len() as c_int, device) })?;
    // SAFETY: the array's last element is zero, and so is the end of the name.
    let name = unsafe { CStr::from_ptr(name.as_ptr()) };
    let mut memory = 0;
    // SAFETY: the pointer is to a live variable; the driver checks the device.
    checked(unsafe { (api.cuDeviceTotalMem_v2)(&mut memory, device) })?;
    let (major, minor) = (
        number(attribute::COMPUTE_CAPABILITY_MAJOR)?,
        number(attribute::COMPUTE_CAPABILITY_MINOR)?,
    );
    Ok(DeviceInfo {
        backend: Backend::Cuda,
        index: index.unsigned_abs() as usize,
        name: name.to_string_lossy().trim().to_owned(),
        driver: driver_text(api.version()?),
        kind: DeviceKind::Gpu,
        architecture: format!("sm_{major}{minor}"),
        memory: memory as u64,
        largest_buffer: memory as u64,
        shared_memory: size(attribute::SHARED_MEMORY)?,
        group_threads: size(attribute::GROUP_THREADS)?,
        simd_width: size(attribute::WARP_SIZE)?,
        units: size(attribute::PROCESSORS)?,
        // Where they are told at all.
        clock_mhz: number(attribute::CLOCK_RATE).unwrap_or(0) / 1000,
        unit_threads: size(attribute::UNIT_THREADS).unwrap_or(0),
        unit_groups: size(attribute::UNIT_GROUPS).unwrap_or(0),
        unit_registers: size(attribute::UNIT_REGISTERS).unwrap_or(0),
        unit_shared_memory: size(attribute::UNIT_SHARED_MEMORY).unwrap_or(0),
        cache: number(attribute::CACHE).map_or(0, u64::from),
        bandwidth: bandwidth([
            number(attribute::MEMORY_CLOCK_RATE).unwrap_or(0),
            number(attribute::MEMORY_BUS_WIDTH).unwrap_or(0),
        ]),
        doubles: true,
    })
}

/// Bytes a second of memory with this clock and this width of its bus, which transfers twice in a period.
fn bandwidth([kilohertz, bits]: [u32; 2]) -> u64 {
    2 * 1000 * u64::from(kilohertz) * u64::from(bits) / 8
}

/// The driver's version as it is shown.
fn driver_text((major, minor): (u32, u32)) -> String {
    format!("driver {major}.{minor}")
}

/// An attribute of a device.
fn attribute_of(api: &Api, device: Device, which: i32) -> Result<u32, Code> {
    let mut value = 0;
    // SAFETY: the pointer is to a live variable; the driver checks attribute and device.
    checked(unsafe { (api.cuDeviceGetAttribute)(&mut value, which, device) })?;
    Ok(value.unsigned_abs())
}

/// An open device.
pub(crate) struct Opened {
    nvrtc: Nvrtc,
    context: Context,
    order: Order,
    /// Where the driver has none, memory is freed by a call that waits.
    pool: Option<Pool>,
    retired: Retired,
}

// SAFETY: handles may be used from every thread, and what guards them is `Sync`; see `Context`.
unsafe impl Send for Opened {}
// SAFETY: likewise.
unsafe impl Sync for Opened {}

impl Opened {
    /// Opens a device; `compiler` is NVIDIA's, where the caller names one.
    pub(crate) fn open(info: &DeviceInfo, compiler: Option<&Path>) -> Result<Self, GpuError> {
        let gone = |absence: Absence| GpuError::NoDevice {
            wanted: format!("cuda:{}", info.index),
            found: absence.reason,
            unusable: absence.unusable,
        };
        let api = Api::start().map_err(gone)?;
        let failed = |call| move |code| failure(&api, info, call, code);
        let index = c_int::try_from(info.index).unwrap_or(c_int::MAX);
        let device =
            device(&api, index).map_err(|_| gone(Absence::none("it is not there any more")))?;
        let version = api.version().map_err(failed("cuDriverGetVersion"))?;
        let nvrtc = Nvrtc::for_device(version, &info.architecture, compiler).map_err(|reason| {
            GpuError::NoCompiler {
                device: info.name.clone(),
                backend: Backend::Cuda,
                reason,
            }
        })?;
        let has_pools = attribute_of(&api, device, attribute::MEMORY_POOLS) == Ok(1);
        let info = DeviceInfo {
            // Compiled programs are kept for this driver and this compiler.
            driver: format!("{}, {}", driver_text(version), nvrtc.name()),
            ..info.clone()
        };
        let context = Context::retain(api, info, device)?;
        let order = Order::new(&context)?;
        let pool = match has_pools {
            true => Pool::new(&context, device).inspect_err(|_| order.close(&context))?,
            false => None,
        };
        Ok(Self {
            nvrtc,
            context,
            order,
            pool,
            retired: Retired::default(),
        })
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        // Everything else that this driver made is gone, for it keeps the driver alive; what was submitted may still
        // run. A failure cannot be reported.
        let _ = self.order.settle(&self.context);
        self.retired.close(&self.context);
        if let Some(pool) = &self.pool {
            pool.close(&self.context);
        }
        self.order.close(&self.context);
    }
}

#[cfg(test)]
mod tests {
    use super::bandwidth;

    #[test]
    fn bandwidths_are_those_of_data_sheets() {
        // An H100 with HBM3, and an A100 of 40 GB.
        assert_eq!(bandwidth([2_619_000, 5120]) / 1_000_000_000, 3352);
        assert_eq!(bandwidth([1_215_000, 5120]) / 1_000_000_000, 1555);
        assert_eq!(bandwidth([0, 5120]), 0);
    }
}
