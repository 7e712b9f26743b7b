//! The driver's functions that the layer calls by itself.

use std::ffi::{CStr, c_char, c_void};
use std::sync::OnceLock;

use super::find;

/// What functions return.
pub type Code = u32;
/// A context, stream, event or function of the driver.
pub type Handle = *mut c_void;

pub const SUCCESS: Code = 0;
pub const NOT_READY: Code = 600;
/// A function is not there.
pub const NOT_FOUND: Code = 500;
/// A stream that waits for none of others.
pub const NON_BLOCKING: u32 = 1;
/// The default stream of the calling thread.
pub const PER_THREAD_STREAM: usize = 2;
/// Attributes of a device: threads of a block, in all and along each side, and processors.
pub const BLOCK_THREADS: i32 = 1;
pub const BLOCK_SIDES: [i32; 3] = [2, 3, 4];
pub const PROCESSORS: i32 = 16;
/// Attributes of a function, which tell code from other code.
pub const CODE_ATTRIBUTES: [i32; 6] = [1, 2, 3, 4, 5, 6];
/// The threads of a block that a function takes at most.
pub const MOST_THREADS: i32 = 0;

pub type Launch = unsafe extern "C" fn(
    Handle,
    u32,
    u32,
    u32,
    u32,
    u32,
    u32,
    u32,
    Handle,
    *mut *mut c_void,
    *mut *mut c_void,
) -> Code;

/// Declares a table of functions that return a code; those that are `optional` came with a later version.
macro_rules! functions {
    (required { $($name:ident($($type:ty),*);)* } optional { $($later:ident($($given:ty),*);)* }) => {
        /// The functions, by their names in the library.
        #[allow(non_snake_case)]
        #[derive(Clone, Copy, Debug)]
        pub struct Driver {
            $(pub $name: unsafe extern "C" fn($($type),*) -> Code,)*
            $(pub $later: Option<unsafe extern "C" fn($($given),*) -> Code>,)*
        }

        impl Driver {
            fn load() -> Option<Self> {
                // SAFETY: the library is there if a program launches, and is not loaded here if not; its functions have these types.
                unsafe {
                    let library = libc::dlopen(c"libcuda.so.1".as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD);
                    if library.is_null() {
                        return None;
                    }
                    let find = find::system()?;
                    let function = |name: &CStr| {
                        let found = find(library, name.as_ptr());
                        (!found.is_null()).then_some(found)
                    };
                    Some(Driver {
                        $($name: std::mem::transmute::<*const c_void, unsafe extern "C" fn($($type),*) -> Code>(
                            function(CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()).ok()?)?
                        ),)*
                        $($later: function(CStr::from_bytes_with_nul(concat!(stringify!($later), "\0").as_bytes()).ok()?).map(|found| {
                            std::mem::transmute::<*const c_void, unsafe extern "C" fn($($given),*) -> Code>(found)
                        }),)*
                    })
                }
            }
        }
    };
}

functions! {
    required {
        cuCtxGetDevice(*mut i32);
        cuDeviceGetName(*mut c_char, i32, i32);
        cuDeviceGetAttribute(*mut i32, i32, i32);
        cuDriverGetVersion(*mut i32);
        cuFuncGetAttribute(*mut i32, i32, Handle);
        cuMemAlloc_v2(*mut u64, usize);
        cuMemFree_v2(u64);
        cuMemcpyDtoDAsync_v2(u64, u64, usize, Handle);
        cuMemcpyDtoHAsync_v2(Handle, u64, usize, Handle);
        cuStreamCreate(*mut Handle, u32);
        cuStreamDestroy_v2(Handle);
        cuStreamSynchronize(Handle);
        cuEventCreate(*mut Handle, u32);
        cuEventRecord(Handle, Handle);
        cuEventQuery(Handle);
        cuEventElapsedTime(*mut f32, Handle, Handle);
        cuEventDestroy_v2(Handle);
    }
    optional {
        // All drivers of NVIDIA's have it; the layer does without.
        cuMemGetAddressRange_v2(*mut u64, *mut usize, u64);
        // Since 10.0.
        cuStreamIsCapturing(Handle, *mut i32);
        // Since 12.3 and 12.4.
        cuFuncGetName(*mut *const c_char, Handle);
        cuFuncGetParamInfo(Handle, usize, *mut usize, *mut usize);
    }
}

impl Driver {
    /// The functions, once the driver is there.
    pub fn get() -> Option<&'static Self> {
        static DRIVER: OnceLock<Option<Driver>> = OnceLock::new();
        DRIVER.get_or_init(Self::load).as_ref()
    }

    /// The device of the current context.
    pub fn device(&self) -> Option<i32> {
        let mut device = 0;
        // SAFETY: it writes a number.
        (unsafe { (self.cuCtxGetDevice)(&raw mut device) } == SUCCESS).then_some(device)
    }

    /// Its name.
    pub fn device_name(&self, device: i32) -> Option<String> {
        let mut name = [0_u8; 256];
        // SAFETY: there is so much room.
        let code =
            unsafe { (self.cuDeviceGetName)(name.as_mut_ptr().cast(), name.len() as i32, device) };
        let name = CStr::from_bytes_until_nul(&name).ok()?;
        (code == SUCCESS).then(|| name.to_string_lossy().trim().to_owned())
    }

    pub fn device_attribute(&self, attribute: i32, device: i32) -> Option<u64> {
        let mut value = 0;
        // SAFETY: it writes a number.
        let code = unsafe { (self.cuDeviceGetAttribute)(&raw mut value, attribute, device) };
        (code == SUCCESS).then(|| u64::try_from(value).ok())?
    }

    pub fn version(&self) -> Option<i32> {
        let mut version = 0;
        // SAFETY: it writes a number.
        (unsafe { (self.cuDriverGetVersion)(&raw mut version) } == SUCCESS).then_some(version)
    }

    pub fn function_attribute(&self, attribute: i32, function: Handle) -> Option<i32> {
        let mut value = 0;
        // SAFETY: the function is one that is launched.
        let code = unsafe { (self.cuFuncGetAttribute)(&raw mut value, attribute, function) };
        (code == SUCCESS).then_some(value)
    }

    /// The name of a function, where the driver tells.
    pub fn function_name(&self, function: Handle) -> Option<String> {
        let mut name = std::ptr::null();
        // SAFETY: the function is one that is launched; the driver keeps its name.
        unsafe {
            let code = self.cuFuncGetName?(&raw mut name, function);
            (code == SUCCESS && !name.is_null())
                .then(|| CStr::from_ptr(name).to_string_lossy().into_owned())
        }
    }

    /// Bytes of a function's parameters, where the driver tells.
    pub fn parameters(&self, function: Handle) -> Vec<usize> {
        let size = |index| {
            let (mut offset, mut size) = (0, 0);
            // SAFETY: as above.
            let code = unsafe {
                self.cuFuncGetParamInfo?(function, index, &raw mut offset, &raw mut size)
            };
            (code == SUCCESS).then_some(size)
        };
        (0..).map_while(size).collect()
    }

    /// Bytes from an address to the end of its allocation, where the driver tells.
    pub fn rest_of_allocation(&self, address: u64) -> Option<usize> {
        let (mut start, mut size) = (0, 0);
        let query = self.cuMemGetAddressRange_v2?;
        // SAFETY: it writes two numbers, and refuses an address that it does not know.
        let code = unsafe { query(&raw mut start, &raw mut size, address) };
        let before = usize::try_from(address.checked_sub(start)?).ok()?;
        (code == SUCCESS).then(|| size.checked_sub(before))?
    }

    /// Whether launches on a stream are written down to be run later: what a layer did there would be, too.
    pub fn is_capturing(&self, stream: Handle) -> bool {
        let mut status = 0;
        // SAFETY: the stream is one that is launched on.
        self.cuStreamIsCapturing.is_some_and(
            |query| unsafe { query(stream, &raw mut status) } != SUCCESS || status != 0,
        )
    }

    /// An event that keeps the time.
    pub fn event(&self) -> Option<Handle> {
        let mut event = std::ptr::null_mut();
        // SAFETY: it writes a handle.
        (unsafe { (self.cuEventCreate)(&raw mut event, 0) } == SUCCESS).then_some(event)
    }

    /// The time between two events that have come.
    pub fn milliseconds(&self, from: Handle, to: Handle) -> Option<f64> {
        let mut milliseconds = 0.0;
        // SAFETY: both are alive.
        let code = unsafe { (self.cuEventElapsedTime)(&raw mut milliseconds, from, to) };
        (code == SUCCESS).then_some(f64::from(milliseconds))
    }
}
