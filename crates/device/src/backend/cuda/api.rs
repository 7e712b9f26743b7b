//! The functions of NVIDIA's driver, found at run time, and what its error codes mean.
//!
//! The table is all that binds us to the driver: `Api::start` says what is missing, and calls are made through pointers.

use super::library::library;
use crate::backend::Absence;
use crate::error::GpuError;
use crate::info::DeviceInfo;
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_uchar, c_uint, c_ushort, c_void};
use std::ptr;

/// The driver's library, under the names that systems give it. The plain name may be the toolkit's stub.
const LIBRARIES: [&str; 3] = ["libcuda.so.1", "libcuda.so", "nvcuda.dll"];

/// What every function returns: zero for success.
pub(super) type Code = c_uint;
/// A device of the driver.
pub(super) type Device = c_int;
/// An address of the device's memory.
pub(super) type DevicePointer = u64;
/// A context, stream, event, module or function of the driver; or what is handed over in the place of a pointer.
pub(super) type Handle = *mut c_void;

/// What a pool is to be, as the driver lays it out.
#[repr(C)]
pub(super) struct PoolProperties {
    pub(super) allocation: c_int,
    pub(super) handles: c_int,
    pub(super) location: c_int,
    pub(super) device: c_int,
    pub(super) security: *mut c_void,
    pub(super) most: usize,
    pub(super) usage: c_ushort,
    pub(super) reserved: [u8; 54],
}

library! {
    /// The functions, by their names in the library.
    Api -> Code;
    required {
        cuInit(c_uint);
        cuDriverGetVersion(*mut c_int);
        cuDeviceGetCount(*mut c_int);
        cuDeviceGet(*mut Device, c_int);
        cuDeviceGetName(*mut c_char, c_int, Device);
        cuDeviceGetAttribute(*mut c_int, c_int, Device);
        cuDeviceTotalMem_v2(*mut usize, Device);
        cuMemGetInfo_v2(*mut usize, *mut usize);
        cuDevicePrimaryCtxRetain(*mut Handle, Device);
        cuDevicePrimaryCtxRelease_v2(Device);
        cuCtxPushCurrent_v2(Handle);
        cuCtxPopCurrent_v2(*mut Handle);
        cuCtxSynchronize();
        cuMemAlloc_v2(*mut DevicePointer, usize);
        cuMemFree_v2(DevicePointer);
        cuMemHostAlloc(*mut Handle, usize, c_uint);
        cuMemFreeHost(Handle);
        cuStreamCreate(*mut Handle, c_uint);
        cuStreamDestroy_v2(Handle);
        cuStreamSynchronize(Handle);
        cuStreamWaitEvent(Handle, Handle, c_uint);
        cuMemcpyHtoDAsync_v2(DevicePointer, *const c_void, usize, Handle);
        cuMemcpyDtoHAsync_v2(Handle, DevicePointer, usize, Handle);
        cuMemcpyDtoDAsync_v2(DevicePointer, DevicePointer, usize, Handle);
        cuMemsetD8Async(DevicePointer, c_uchar, usize, Handle);
        cuEventCreate(*mut Handle, c_uint);
        cuEventRecord(Handle, Handle);
        cuEventQuery(Handle);
        cuEventSynchronize(Handle);
        cuEventElapsedTime(*mut f32, Handle, Handle);
        cuEventDestroy_v2(Handle);
        cuModuleLoadDataEx(*mut Handle, *const c_void, c_uint, *mut c_int, *mut Handle);
        cuModuleUnload(Handle);
        cuModuleGetFunction(*mut Handle, Handle, *const c_char);
        cuFuncGetAttribute(*mut c_int, c_int, Handle);
        cuFuncSetAttribute(Handle, c_int, c_int);
        cuLaunchKernel(Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle, *mut Handle, *mut Handle);
        cuGetErrorName(Code, *mut *const c_char);
        cuGetErrorString(Code, *mut *const c_char);
    }
    optional {
        // Since 11.2.
        cuMemPoolCreate(*mut Handle, *const PoolProperties);
        cuMemPoolDestroy(Handle);
        cuMemPoolSetAttribute(Handle, c_int, *mut c_void);
        cuMemPoolTrimTo(Handle, usize);
        cuMemAllocFromPoolAsync(*mut DevicePointer, usize, Handle, Handle);
        cuMemFreeAsync(DevicePointer, Handle);
    }
}

/// What is under way is not over: no failure of anything.
pub(super) const NOT_READY: Code = 600;
const OUT_OF_MEMORY: Code = 2;
const STUB_LIBRARY: Code = 34;
const NO_DEVICE: Code = 100;

/// Codes after which the context, and all that was on the device, is gone.
const LOST: [Code; 20] = [
    4,   // deinitialized
    46,  // the device is unavailable
    201, // invalid context
    214, // uncorrectable error of memory
    220, // uncorrectable error of a link
    226, // an error was contained to this process
    700, // illegal address
    702, // a launch took too long
    709, // the context is destroyed
    710, // an assertion of a kernel failed
    714, // error of the hardware's stack
    715, // illegal instruction
    716, // misaligned address
    717, // invalid address space
    718, // invalid program counter
    719, // a launch failed
    721, // tensor memory was not given back
    806, // the server that shares the device failed
    810, // that server has ended this process's work
    911, // an external device failed
];

impl Api {
    /// The driver, set up; or why it cannot be used.
    pub(super) fn start() -> Result<Self, Absence> {
        let library = LIBRARIES
            .iter()
            // SAFETY: what the driver does when it is loaded is what every CUDA program relies on.
            .find_map(|name| unsafe { Library::new(*name) }.ok())
            .ok_or_else(|| Absence::none("NVIDIA's driver is not on this machine (libcuda)"))?;
        // SAFETY: the types are those of the driver's documentation, and the library is never unloaded: see below.
        let api = unsafe { Self::of(&library) }.map_err(|missing| {
            Absence::unusable(format!(
                "NVIDIA's driver is too old: it has no {}",
                missing.function
            ))
        })?;
        // The driver has threads of its own: it stays until the process ends, and so do the pointers into it.
        std::mem::forget(library);
        // SAFETY: the flags must be zero.
        match unsafe { (api.cuInit)(0) } {
            0 => Ok(api),
            NO_DEVICE => Err(Absence::none("NVIDIA's driver finds no GPU")),
            STUB_LIBRARY => Err(Absence::unusable(
                "the libcuda that is found is the toolkit's stub, not NVIDIA's driver",
            )),
            code => Err(Absence::unusable(format!(
                "NVIDIA's driver does not start: {} ({})",
                api.name(code),
                api.words(code)
            ))),
        }
    }

    /// The name of an error.
    pub(super) fn name(&self, code: Code) -> String {
        text(self.cuGetErrorName, code).unwrap_or_else(|| format!("CUDA error {code}"))
    }

    /// What an error means.
    fn words(&self, code: Code) -> String {
        text(self.cuGetErrorString, code).unwrap_or_else(|| "an unknown error".to_owned())
    }

    /// The version of CUDA that the driver speaks: 12.4 as (12, 4).
    pub(super) fn version(&self) -> Result<(u32, u32), Code> {
        let mut version = 0;
        // SAFETY: the pointer is to a live variable.
        match unsafe { (self.cuDriverGetVersion)(&mut version) } {
            0 => {
                let version = version.unsigned_abs();
                Ok((version / 1000, version % 1000 / 10))
            }
            code => Err(code),
        }
    }
}

/// What one of the functions for texts says of a code.
fn text(
    function: unsafe extern "C" fn(Code, *mut *const c_char) -> Code,
    code: Code,
) -> Option<String> {
    let mut text = ptr::null();
    // SAFETY: the pointer is to a live variable; the functions take any code.
    let result = unsafe { function(code, &mut text) };
    if result != 0 || text.is_null() {
        return None;
    }
    // SAFETY: a text of the driver ends with a zero and lives as long as the driver.
    let text = unsafe { CStr::from_ptr(text) };
    Some(text.to_string_lossy().into_owned())
}

/// The error of a code.
pub(super) fn failure(api: &Api, info: &DeviceInfo, call: &'static str, code: Code) -> GpuError {
    // The names in the library end with a version.
    classified(info, call.trim_end_matches("_v2"), code, api.name(code))
}

fn classified(info: &DeviceInfo, call: &'static str, code: Code, name: String) -> GpuError {
    let device = info.name.clone();
    if code == OUT_OF_MEMORY {
        GpuError::OutOfMemory {
            device,
            wanted: 0,
            free: 0,
            limit: info.memory,
            largest: info.largest_buffer,
        }
    } else if LOST.contains(&code) {
        GpuError::DeviceLost {
            device,
            call,
            code: name,
        }
    } else {
        GpuError::Driver {
            device,
            call,
            code: name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::info::{Backend, DeviceKind};

    #[test]
    fn codes_are_sorted_by_what_can_be_done() {
        let info = DeviceInfo::sample(Backend::Cuda, DeviceKind::Gpu);
        let of = |code| classified(&info, "cuSomething", code, format!("E{code}"));
        assert!(matches!(of(2), GpuError::OutOfMemory { .. }));
        for lost in [
            4, 46, 201, 214, 226, 700, 702, 709, 710, 714, 716, 718, 719, 810,
        ] {
            assert!(
                matches!(of(lost), GpuError::DeviceLost { code, .. } if code == format!("E{lost}"))
            );
        }
        for refused in [1, 3, 200, 209, 218, 222, 400, 500, 701, 801, 999, 123_456] {
            assert!(
                matches!(of(refused), GpuError::Driver { code, .. } if code == format!("E{refused}"))
            );
        }
    }
}
