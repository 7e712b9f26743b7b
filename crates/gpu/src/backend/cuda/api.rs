//! The functions of NVIDIA's driver, found at run time.
//!
//! `cudarc` knows their types, and the compiler compares them with ours. They are called through a table of our own
//! for three reasons: a function that a driver lacks is an error here and a panic there; a driver newer than the
//! bindings has error codes that `cudarc`'s enumeration does not hold, and such a value of that type must not exist;
//! and the library's versioned name comes first, since the plain one may be the toolkit's stub.

use cudarc::driver::sys::{
    self, CUcontext, CUdevice, CUdevice_attribute, CUdeviceptr, CUevent, CUfunction,
    CUfunction_attribute, CUjit_option, CUmodule, CUresult, CUstream,
};
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_uchar, c_uint, c_void};
use std::ptr;

/// The driver's library, under the names that systems give it.
const LIBRARIES: [&str; 3] = ["libcuda.so.1", "libcuda.so", "nvcuda.dll"];

/// Declares the table, and has the compiler compare each type with `cudarc`'s, but for those that take an error code.
macro_rules! functions {
    (
        compared { $($name:ident($($argument:ty),*);)* }
        of_codes { $($other:ident($($taken:ty),*);)* }
    ) => {
        /// The functions, by their names in the library; each returns an error code, zero for success.
        #[allow(non_snake_case)]
        #[derive(Clone, Copy)]
        pub struct Api {
            $(pub $name: unsafe extern "C" fn($($argument),*) -> c_uint,)*
            $(pub $other: unsafe extern "C" fn($($taken),*) -> c_uint,)*
        }

        $(const _: unsafe fn($($argument),*) -> CUresult = sys::$name;)*

        impl Api {
            fn of(library: &Library) -> Result<Self, String> {
                // SAFETY: the types are those of the driver's documentation; see above.
                unsafe {
                    Ok(Self {
                        $($name: function(library, stringify!($name))?,)*
                        $($other: function(library, stringify!($other))?,)*
                    })
                }
            }
        }
    };
}

functions! {
    compared {
        cuInit(c_uint);
        cuDriverGetVersion(*mut c_int);
        cuDeviceGetCount(*mut c_int);
        cuDeviceGet(*mut CUdevice, c_int);
        cuDeviceGetName(*mut c_char, c_int, CUdevice);
        cuDeviceGetAttribute(*mut c_int, CUdevice_attribute, CUdevice);
        cuDeviceTotalMem_v2(*mut usize, CUdevice);
        cuMemGetInfo_v2(*mut usize, *mut usize);
        cuDevicePrimaryCtxRetain(*mut CUcontext, CUdevice);
        cuDevicePrimaryCtxRelease_v2(CUdevice);
        cuCtxSetCurrent(CUcontext);
        cuCtxSynchronize();
        cuMemAlloc_v2(*mut CUdeviceptr, usize);
        cuMemFree_v2(CUdeviceptr);
        cuMemHostAlloc(*mut *mut c_void, usize, c_uint);
        cuMemFreeHost(*mut c_void);
        cuStreamCreate(*mut CUstream, c_uint);
        cuStreamDestroy_v2(CUstream);
        cuStreamSynchronize(CUstream);
        cuStreamWaitEvent(CUstream, CUevent, c_uint);
        cuMemcpyHtoDAsync_v2(CUdeviceptr, *const c_void, usize, CUstream);
        cuMemcpyDtoHAsync_v2(*mut c_void, CUdeviceptr, usize, CUstream);
        cuMemcpyDtoDAsync_v2(CUdeviceptr, CUdeviceptr, usize, CUstream);
        cuMemsetD8Async(CUdeviceptr, c_uchar, usize, CUstream);
        cuEventCreate(*mut CUevent, c_uint);
        cuEventRecord(CUevent, CUstream);
        cuEventSynchronize(CUevent);
        cuEventElapsedTime(*mut f32, CUevent, CUevent);
        cuEventDestroy_v2(CUevent);
        cuModuleLoadDataEx(*mut CUmodule, *const c_void, c_uint, *mut CUjit_option, *mut *mut c_void);
        cuModuleUnload(CUmodule);
        cuModuleGetFunction(*mut CUfunction, CUmodule, *const c_char);
        cuFuncGetAttribute(*mut c_int, CUfunction_attribute, CUfunction);
        cuFuncSetAttribute(CUfunction, CUfunction_attribute, c_int);
        cuLaunchKernel(
            CUfunction, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, CUstream,
            *mut *mut c_void, *mut *mut c_void
        );
    }
    of_codes {
        cuGetErrorName(c_uint, *mut *const c_char);
        cuGetErrorString(c_uint, *mut *const c_char);
    }
}

/// A function of the library.
///
/// # Safety
/// `F` is its type.
unsafe fn function<F: Copy>(library: &Library, name: &str) -> Result<F, String> {
    // SAFETY: by this function's terms.
    let found = unsafe { library.get::<F>(name) };
    found
        .map(|function| *function)
        .map_err(|_| format!("NVIDIA's driver is too old: it has no {name}"))
}

impl Api {
    /// The driver, set up; or why it cannot be used.
    pub fn start() -> Result<Self, String> {
        let library = LIBRARIES
            .iter()
            // SAFETY: what the driver does when it is loaded is what every CUDA program relies on.
            .find_map(|name| unsafe { Library::new(*name) }.ok())
            .ok_or("NVIDIA's driver is not on this machine (libcuda)")?;
        let api = Self::of(&library)?;
        // The driver has threads of its own: it stays until the process ends, and so do the pointers into it.
        std::mem::forget(library);
        // SAFETY: the flags must be zero.
        match unsafe { (api.cuInit)(0) } {
            0 => Ok(api),
            NO_DEVICE => Err("NVIDIA's driver finds no GPU".to_owned()),
            STUB_LIBRARY => Err(
                "the libcuda that is found is the toolkit's stub, not NVIDIA's driver".to_owned(),
            ),
            code => Err(format!(
                "NVIDIA's driver does not start: {} ({})",
                api.name(code),
                api.words(code)
            )),
        }
    }

    /// The name of an error.
    pub fn name(&self, code: c_uint) -> String {
        text(self.cuGetErrorName, code).unwrap_or_else(|| format!("CUDA error {code}"))
    }

    /// What an error means.
    fn words(&self, code: c_uint) -> String {
        text(self.cuGetErrorString, code).unwrap_or_else(|| "an unknown error".to_owned())
    }

    /// The version of CUDA that the driver speaks: 12.4 as (12, 4).
    pub fn version(&self) -> Result<(u32, u32), c_uint> {
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

const NO_DEVICE: c_uint = CUresult::CUDA_ERROR_NO_DEVICE as c_uint;
const STUB_LIBRARY: c_uint = CUresult::CUDA_ERROR_STUB_LIBRARY as c_uint;

/// What one of the functions for texts says of a code.
fn text(
    function: unsafe extern "C" fn(c_uint, *mut *const c_char) -> c_uint,
    code: c_uint,
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
