//! What the layer knows of OpenCL: types, numbers of queries, and the places of functions in the table by which a loader calls a driver
//! (`cl_khr_icd`).

use std::ffi::{CStr, c_char, c_void};
use std::ptr;

/// A handle of the driver's.
pub type Handle = *mut c_void;
/// What functions return.
pub type Code = i32;

pub const SUCCESS: Code = 0;
pub const COMPLETE: i32 = 0;
pub const QUEUE_PROFILING: u64 = 2;
pub const QUEUE_ON_DEVICE: u64 = 4;
pub const QUEUE_DEVICE: u32 = 0x1091;
pub const QUEUE_PROPERTIES: u64 = 0x1093;
pub const DEVICE_UNITS: u32 = 0x1002;
pub const DEVICE_GROUP_THREADS: u32 = 0x1004;
pub const DEVICE_GROUP_SIDES: u32 = 0x1005;
pub const DEVICE_MEMORY: u32 = 0x101F;
pub const DEVICE_NAME: u32 = 0x102B;
pub const DRIVER_VERSION: u32 = 0x102D;
pub const DEVICE_VERSION: u32 = 0x102F;
pub const MEMORY_READ_WRITE: u64 = 1;
pub const MEMORY_READ_ONLY: u64 = 4;
pub const MEMORY_TYPE: u32 = 0x1100;
pub const MEMORY_FLAGS: u32 = 0x1101;
pub const MEMORY_SIZE: u32 = 0x1102;
pub const MEMORY_REFERENCES: u32 = 0x1105;
pub const MEMORY_PARENT: u32 = 0x1107;
pub const MEMORY_IS_BUFFER: u32 = 0x10F0;
pub const PROGRAM_SOURCE: u32 = 0x1164;
pub const BUILD_OPTIONS: u32 = 0x1182;
pub const BUILD_GLOBALS: u32 = 0x1185;
pub const KERNEL_NAME: u32 = 0x1190;
pub const KERNEL_ARGUMENTS: u32 = 0x1191;
pub const KERNEL_REFERENCES: u32 = 0x1192;
pub const KERNEL_CONTEXT: u32 = 0x1193;
pub const KERNEL_PROGRAM: u32 = 0x1194;
pub const ARGUMENT_TYPE: u32 = 0x1198;
pub const GROUP_THREADS: u32 = 0x11B0;
pub const GROUP_REQUIRED: u32 = 0x11B1;
pub const GROUP_LOCAL_MEMORY: u32 = 0x11B2;
pub const EVENT_STATUS: u32 = 0x11D3;
pub const PROFILING_START: u32 = 0x1282;
pub const PROFILING_END: u32 = 0x1283;

pub type CreateQueue = unsafe extern "C" fn(Handle, Handle, u64, *mut Code) -> Handle;
pub type CreateQueueWith = unsafe extern "C" fn(Handle, Handle, *const u64, *mut Code) -> Handle;
pub type CreateBuffer = unsafe extern "C" fn(Handle, u64, usize, *mut c_void, *mut Code) -> Handle;
pub type CreateBufferWith =
    unsafe extern "C" fn(Handle, *const u64, u64, usize, *mut c_void, *mut Code) -> Handle;
pub type CreateSubBuffer =
    unsafe extern "C" fn(Handle, u64, u32, *const c_void, *mut Code) -> Handle;
pub type CreateKernel = unsafe extern "C" fn(Handle, *const c_char, *mut Code) -> Handle;
pub type CreateKernels = unsafe extern "C" fn(Handle, u32, *mut Handle, *mut u32) -> Code;
pub type CloneKernel = unsafe extern "C" fn(Handle, *mut Code) -> Handle;
pub type OfHandle = unsafe extern "C" fn(Handle) -> Code;
pub type SetArgument = unsafe extern "C" fn(Handle, u32, usize, *const c_void) -> Code;
pub type SetPointer = unsafe extern "C" fn(Handle, u32, *const c_void) -> Code;
pub type SetExecution = unsafe extern "C" fn(Handle, u32, usize, *const c_void) -> Code;
pub type Info = unsafe extern "C" fn(Handle, u32, usize, *mut c_void, *mut usize) -> Code;
pub type InfoOfTwo =
    unsafe extern "C" fn(Handle, Handle, u32, usize, *mut c_void, *mut usize) -> Code;
pub type ArgumentInfo =
    unsafe extern "C" fn(Handle, u32, u32, usize, *mut c_void, *mut usize) -> Code;
pub type WaitForEvents = unsafe extern "C" fn(u32, *const Handle) -> Code;
pub type Read = unsafe extern "C" fn(
    Handle,
    Handle,
    u32,
    usize,
    usize,
    *mut c_void,
    u32,
    *const Handle,
    *mut Handle,
) -> Code;
pub type Map = unsafe extern "C" fn(
    Handle,
    Handle,
    u32,
    u64,
    usize,
    usize,
    u32,
    *const Handle,
    *mut Handle,
    *mut Code,
) -> *mut c_void;
pub type Copy = unsafe extern "C" fn(
    Handle,
    Handle,
    Handle,
    usize,
    usize,
    usize,
    u32,
    *const Handle,
    *mut Handle,
) -> Code;
pub type Launch = unsafe extern "C" fn(
    Handle,
    Handle,
    u32,
    *const usize,
    *const usize,
    *const usize,
    u32,
    *const Handle,
    *mut Handle,
) -> Code;

/// Declares the functions that are called or replaced: their places in the table, and their types.
macro_rules! functions {
    ($($name:ident $place:literal $type:ty;)*) => {
        /// The functions behind the layer; those that came with later versions of OpenCL may lack.
        #[derive(Clone, Copy, Debug)]
        pub struct Next { $(pub $name: Option<$type>,)* }

        /// Places in the table.
        pub mod place { $(#[allow(non_upper_case_globals, dead_code, reason = "functions that are only called are not replaced")] pub const $name: usize = $place;)* }

        impl Next {
            /// The functions of a table of so many.
            ///
            /// # Safety
            /// It is the table of a loader.
            pub unsafe fn of(table: *const *const c_void, length: usize) -> Self {
                // SAFETY: within the length; what stands at a place is of the type that the standard gives it there, or null.
                unsafe {
                    Next { $($name: match $place < length {
                        true => std::mem::transmute::<*const c_void, Option<$type>>(*table.add($place)),
                        false => None,
                    },)* }
                }
            }
        }
    };
}

functions! {
    device_info 3 Info;
    create_queue 9 CreateQueue;
    release_queue 11 OfHandle;
    queue_info 12 Info;
    create_buffer 14 CreateBuffer;
    release_memory 18 OfHandle;
    memory_info 20 Info;
    program_info 32 Info;
    build_info 33 InfoOfTwo;
    create_kernel 34 CreateKernel;
    create_kernels 35 CreateKernels;
    release_kernel 37 OfHandle;
    set_argument 38 SetArgument;
    kernel_info 39 Info;
    group_info 40 InfoOfTwo;
    wait_for_events 41 WaitForEvents;
    event_info 42 Info;
    retain_event 43 OfHandle;
    release_event 44 OfHandle;
    profiling_info 45 Info;
    flush 46 OfHandle;
    finish 47 OfHandle;
    read 48 Read;
    copy 50 Copy;
    map 56 Map;
    launch 59 Launch;
    create_sub_buffer 82 CreateSubBuffer;
    argument_info 101 ArgumentInfo;
    create_queue_with 123 CreateQueueWith;
    set_svm_pointer 134 SetPointer;
    set_execution 135 SetExecution;
    clone_kernel 137 CloneKernel;
    create_buffer_with 146 CreateBufferWith;
}

/// The bytes that a query gives; `None` if it fails.
///
/// # Safety
/// `ask` calls a query with the room and the places for the value and its size that it is given.
unsafe fn bytes(ask: impl Fn(usize, *mut c_void, *mut usize) -> Code) -> Option<Vec<u8>> {
    let mut size = 0;
    if ask(0, ptr::null_mut(), &raw mut size) != SUCCESS {
        return None;
    }
    let mut value = vec![0_u8; size];
    (ask(size, value.as_mut_ptr().cast(), ptr::null_mut()) == SUCCESS).then_some(value)
}

/// A number of at most 64 bits, as the driver wrote it.
fn number(bytes: &[u8]) -> Option<u64> {
    let mut number = [0; 8];
    number.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(u64::from_le_bytes(number))
}

/// A text that ends with a zero.
fn text(bytes: &[u8]) -> Option<String> {
    let text = CStr::from_bytes_until_nul(bytes).ok()?;
    Some(text.to_string_lossy().trim().to_owned())
}

/// Queries of handles that are alive, which is for callers to see to: all that the program has just used, or the layer's own.
impl Next {
    fn bytes_of(query: Option<Info>, handle: Handle, what: u32) -> Option<Vec<u8>> {
        let query = query?;
        // SAFETY: the handle is alive.
        unsafe { bytes(|room, value, size| query(handle, what, room, value, size)) }
    }

    fn number_of(query: Option<Info>, handle: Handle, what: u32) -> Option<u64> {
        let (query, mut value) = (query?, 0_u64);
        // SAFETY: the handle is alive, and what is asked for has at most 64 bits.
        let code = unsafe { query(handle, what, 8, (&raw mut value).cast(), ptr::null_mut()) };
        (code == SUCCESS).then_some(value)
    }

    pub fn device_number(&self, device: Handle, what: u32) -> Option<u64> {
        Self::number_of(self.device_info, device, what)
    }

    pub fn device_text(&self, device: Handle, what: u32) -> Option<String> {
        text(&Self::bytes_of(self.device_info, device, what)?)
    }

    /// Threads of a group in the first three dimensions.
    pub fn device_sides(&self, device: Handle) -> Option<[u64; 3]> {
        let bytes = Self::bytes_of(self.device_info, device, DEVICE_GROUP_SIDES)?;
        let mut sides = bytes.chunks(size_of::<usize>()).map(number);
        Some([sides.next()??, sides.next()??, sides.next()??])
    }

    pub fn queue_handle(&self, queue: Handle, what: u32) -> Option<Handle> {
        Some(Self::number_of(self.queue_info, queue, what)? as Handle)
    }

    pub fn kernel_number(&self, kernel: Handle, what: u32) -> Option<u64> {
        Self::number_of(self.kernel_info, kernel, what)
    }

    pub fn kernel_name(&self, kernel: Handle) -> Option<String> {
        text(&Self::bytes_of(self.kernel_info, kernel, KERNEL_NAME)?)
    }

    pub fn memory_number(&self, memory: Handle, what: u32) -> Option<u64> {
        Self::number_of(self.memory_info, memory, what)
    }

    /// The text that a program was made from; `None` for one with a zero inside, behind which compilers may read on.
    pub fn program_source(&self, program: Handle) -> Option<String> {
        let source = Self::bytes_of(self.program_info, program, PROGRAM_SOURCE)?;
        let end = source.iter().rposition(|&byte| byte != 0)? + 1;
        let source = String::from_utf8_lossy(&source[..end]);
        (!source.contains('\0')).then(|| source.into_owned())
    }

    pub fn build_options(&self, program: Handle, device: Handle) -> Option<String> {
        text(&self.build(program, device, BUILD_OPTIONS)?)
    }

    pub fn build(&self, program: Handle, device: Handle, what: u32) -> Option<Vec<u8>> {
        let query = self.build_info?;
        // SAFETY: both handles are alive.
        unsafe { bytes(|room, value, size| query(program, device, what, room, value, size)) }
    }

    /// Bytes of the program's own variables; `None` where OpenCL does not tell, and has none.
    pub fn build_globals(&self, program: Handle, device: Handle) -> Option<u64> {
        number(&self.build(program, device, BUILD_GLOBALS)?)
    }

    pub fn group_number(&self, kernel: Handle, device: Handle, what: u32) -> Option<u64> {
        number(&self.group(kernel, device, what)?)
    }

    /// Whether the kernel was compiled for one block.
    pub fn has_required_group(&self, kernel: Handle, device: Handle) -> Option<bool> {
        let bytes = self.group(kernel, device, GROUP_REQUIRED)?;
        Some(bytes.iter().any(|&byte| byte != 0))
    }

    fn group(&self, kernel: Handle, device: Handle, what: u32) -> Option<Vec<u8>> {
        let query = self.group_info?;
        // SAFETY: both handles are alive.
        unsafe { bytes(|room, value, size| query(kernel, device, what, room, value, size)) }
    }

    /// The type of an argument, where the compiler has kept it.
    pub fn argument_type(&self, kernel: Handle, index: u32) -> Option<String> {
        let query = self.argument_info?;
        // SAFETY: the handle is alive.
        text(&unsafe {
            bytes(|room, value, size| query(kernel, index, ARGUMENT_TYPE, room, value, size))
        }?)
    }

    /// The status of an event: [`COMPLETE`], above it while it is to come, below it after an error.
    pub fn status(&self, event: Handle) -> Option<i32> {
        Self::number_of(self.event_info, event, EVENT_STATUS).map(|status| status as i32)
    }

    /// How long the command of an event took, if the queue keeps times.
    pub fn milliseconds(&self, event: Handle) -> Option<f64> {
        let at = |what| Self::number_of(self.profiling_info, event, what);
        let taken = at(PROFILING_END)?.checked_sub(at(PROFILING_START)?)?;
        Some(taken as f64 / 1e6)
    }
}
