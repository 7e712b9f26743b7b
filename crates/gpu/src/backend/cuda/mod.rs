//! Devices of NVIDIA's driver.
//!
//! A device is used through its primary context, which other libraries of the process share; it becomes that of the
//! calling thread before every call, as CUDA's own runtime does. Streams do not wait for the null stream.

mod api;
mod driver;
mod library;
pub(crate) mod nvrtc;

use crate::error::GpuError;
use crate::info::{Backend, DeviceInfo, DeviceKind};
use api::{Api, Code, Device, Handle, failure};
use nvrtc::Nvrtc;
use std::ffi::{CStr, c_int};
use std::ptr;

/// Attributes of devices.
mod attribute {
    pub(super) const GROUP_THREADS: i32 = 1;
    pub(super) const WARP_SIZE: i32 = 10;
    /// In kilohertz.
    pub(super) const CLOCK_RATE: i32 = 13;
    pub(super) const PROCESSORS: i32 = 16;
    pub(super) const COMPUTE_CAPABILITY_MAJOR: i32 = 75;
    pub(super) const COMPUTE_CAPABILITY_MINOR: i32 = 76;
    /// That a kernel can have where it asks for it.
    pub(super) const SHARED_MEMORY: i32 = 97;
}

/// What there is.
pub(crate) fn survey() -> Result<Vec<DeviceInfo>, String> {
    let api = Api::start()?;
    let mut count = 0;
    // SAFETY: the pointer is to a live variable.
    let code = unsafe { (api.cuDeviceGetCount)(&mut count) };
    if code != 0 {
        return Err(format!(
            "NVIDIA's driver does not list its devices: {}",
            api.name(code)
        ));
    }
    // A device that does not answer is as good as none.
    Ok((0..count)
        .filter_map(|index| describe(&api, index).ok())
        .collect())
}

/// The result of a call.
fn checked(code: Code) -> Result<(), Code> {
    if code == 0 { Ok(()) } else { Err(code) }
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
    let number = |which| -> Result<u32, Code> {
        let mut value = 0;
        // SAFETY: the pointer is to a live variable; the driver checks attribute and device.
        checked(unsafe { (api.cuDeviceGetAttribute)(&mut value, which, device) })?;
        Ok(value.unsigned_abs())
    };
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
        // Where it is told at all.
        clock_mhz: number(attribute::CLOCK_RATE).unwrap_or(0) / 1000,
        doubles: true,
    })
}

/// The driver's version as it is shown.
fn driver_text((major, minor): (u32, u32)) -> String {
    format!("driver {major}.{minor}")
}

/// An open device.
pub(crate) struct Opened {
    info: DeviceInfo,
    api: Api,
    nvrtc: Nvrtc,
    device: Device,
    context: Handle,
}

// SAFETY: the driver's functions may be called from every thread, and the context is set before each of them.
unsafe impl Send for Opened {}
// SAFETY: likewise, also from several threads at once: the driver locks what it shares, and what is here is not
// changed after `open`.
unsafe impl Sync for Opened {}

impl Opened {
    pub(crate) fn open(info: &DeviceInfo) -> Result<Self, GpuError> {
        let gone = |reason| GpuError::NoDevice {
            wanted: format!("cuda:{}", info.index),
            found: reason,
        };
        let api = Api::start().map_err(gone)?;
        let failed = |call| move |code| failure(&api, info, call, code);
        let index = c_int::try_from(info.index).unwrap_or(c_int::MAX);
        let device =
            device(&api, index).map_err(|_| gone("it is not there any more".to_owned()))?;
        let version = api.version().map_err(failed("cuDriverGetVersion"))?;
        let nvrtc = Nvrtc::for_device(version, &info.architecture).map_err(|reason| {
            GpuError::NoCompiler {
                device: info.name.clone(),
                backend: Backend::Cuda,
                reason,
            }
        })?;
        let mut context = ptr::null_mut();
        // SAFETY: the pointer is to a live variable, and the device is the driver's.
        checked(unsafe { (api.cuDevicePrimaryCtxRetain)(&mut context, device) })
            .map_err(failed("cuDevicePrimaryCtxRetain"))?;
        // Compiled programs are kept for this driver and this compiler.
        let driver = format!("{}, {}", driver_text(version), nvrtc.name());
        Ok(Self {
            info: DeviceInfo {
                driver,
                ..info.clone()
            },
            api,
            nvrtc,
            device,
            context,
        })
    }

    /// Makes the context current on this thread, as every call needs it.
    fn enter(&self) -> Result<(), Code> {
        // SAFETY: the context is retained.
        checked(unsafe { (self.api.cuCtxSetCurrent)(self.context) })
    }

    /// The error of a call.
    fn failed(&self, call: &'static str, code: Code) -> GpuError {
        failure(&self.api, &self.info, call, code)
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        // SAFETY: everything else that this driver made is gone, for it keeps the device alive. The thread lets go of
        // a context that may be gone after this.
        unsafe {
            (self.api.cuCtxSetCurrent)(ptr::null_mut());
            (self.api.cuDevicePrimaryCtxRelease_v2)(self.device);
        }
    }
}
