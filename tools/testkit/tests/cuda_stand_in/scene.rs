//! A program of the driver, call by call: a context, memory, streams and a few kernels.

use std::ffi::{CStr, CString, c_void};
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use sunzi_testkit::{CudaStandIn, LoadedStandIn};

pub type Handle = *mut c_void;
pub type Code = u32;

pub const OK: Code = 0;
pub const INVALID_VALUE: Code = 1;
pub const OUT_OF_MEMORY: Code = 2;
pub const INVALID_CONTEXT: Code = 201;
pub const INVALID_HANDLE: Code = 400;
pub const ILLEGAL_STATE: Code = 401;
pub const NOT_FOUND: Code = 500;
pub const ILLEGAL_ADDRESS: Code = 700;
pub const LAUNCH_FAILED: Code = 719;

/// Calls a function of the driver, its arguments with their types: the result is its code.
macro_rules! call {
    ($scene:expr, $name:ident($($value:expr => $type:ty),* $(,)?)) => {{
        type Function = unsafe extern "C" fn($($type),*) -> $crate::scene::Code;
        // SAFETY: the types are those of the driver's documentation, and so are the values, or the stand-in is to see
        // that they are not.
        unsafe { $scene.stand_in.function::<Function>(stringify!($name))($($value),*) }
    }};
}
pub(crate) use call;

/// Threads of the kernels' groups.
pub const GROUP: u32 = 64;

/// Kernels as the compiler's stand-in hands them on.
const PROGRAM: &str = "\x7fELF of the stand-in for CUDA, sm_90
#define KERNEL __kernel __attribute__((reqd_work_group_size(64, 1, 1))) void
#define SHARED_TILE(type, name, count) __local type name[count]
typedef ulong E;
KERNEL add(__global uint* to, __global const uint* from, uint count, E plus) {
  uint i = get_global_id(0);
  if (i < count) to[i] = from[i] + (uint)plus;
}
KERNEL reverse(__global uint* numbers) {
  SHARED_TILE(uint, tile, 64);
  tile[get_local_id(0)] = numbers[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  numbers[get_global_id(0)] = tile[63 - get_local_id(0)];
}
";

/// A device in use. One at a time: violations and planted failures are the process's.
pub struct Scene {
    pub stand_in: LoadedStandIn,
    pub context: Handle,
    _alone: MutexGuard<'static, ()>,
}

impl Scene {
    pub fn new() -> Self {
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let stand_in = CudaStandIn::build().unwrap().load().unwrap();
        let mut scene = Self {
            stand_in,
            context: ptr::null_mut(),
            _alone: alone,
        };
        scene.stand_in.reset();
        let mut context = ptr::null_mut();
        assert_eq!(call!(scene, cuInit(0 => u32)), OK);
        assert_eq!(
            call!(scene, cuDevicePrimaryCtxRetain(&mut context => &mut Handle, 0 => i32)),
            OK
        );
        assert_eq!(call!(scene, cuCtxPushCurrent_v2(context => Handle)), OK);
        scene.context = context;
        scene
    }

    /// Fails unless exactly one violation was reported since the last call, in such words.
    pub fn seen(&self, words: &str) {
        let found = self.stand_in.violations();
        assert!(
            found.len() == 1 && found[0].contains(words),
            "{words}: {found:?}"
        );
        self.stand_in.reset();
    }

    /// Fails if any violation was reported.
    pub fn nothing_seen(&self) {
        assert_eq!(self.stand_in.violations(), [""; 0]);
    }

    /// Releases the context; returns the code.
    pub fn release(&self) -> Code {
        assert_eq!(
            call!(self, cuCtxPopCurrent_v2(ptr::null_mut() => *mut Handle)),
            OK
        );
        call!(self, cuDevicePrimaryCtxRelease_v2(0 => i32))
    }

    pub fn buffer(&self, bytes: usize) -> u64 {
        let mut address = 0;
        assert_eq!(
            call!(self, cuMemAlloc_v2(&mut address => &mut u64, bytes => usize)),
            OK
        );
        address
    }

    pub fn pooled(&self, bytes: usize, stream: Handle) -> u64 {
        let mut address = 0;
        let taken = call!(self, cuMemAllocAsync(&mut address => &mut u64, bytes => usize, stream => Handle));
        assert_eq!(taken, OK);
        address
    }

    /// Memory of the host, as bytes.
    pub fn pinned(&self, bytes: usize) -> *mut u8 {
        let mut address: Handle = ptr::null_mut();
        let taken =
            call!(self, cuMemHostAlloc(&mut address => &mut Handle, bytes => usize, 1 => u32));
        assert_eq!(taken, OK);
        address.cast()
    }

    pub fn stream(&self) -> Handle {
        let mut stream = ptr::null_mut();
        assert_eq!(
            call!(self, cuStreamCreate(&mut stream => &mut Handle, 1 => u32)),
            OK
        );
        stream
    }

    pub fn event(&self, flags: u32) -> Handle {
        let mut event = ptr::null_mut();
        assert_eq!(
            call!(self, cuEventCreate(&mut event => &mut Handle, flags => u32)),
            OK
        );
        event
    }

    /// `after` goes on when `before` has come so far.
    pub fn then(&self, before: Handle, after: Handle) {
        let event = self.event(2);
        assert_eq!(
            call!(self, cuEventRecord(event => Handle, before => Handle)),
            OK
        );
        assert_eq!(
            call!(self, cuStreamWaitEvent(after => Handle, event => Handle, 0 => u32)),
            OK
        );
        assert_eq!(call!(self, cuEventDestroy_v2(event => Handle)), OK);
    }

    pub fn finish(&self, stream: Handle) -> Code {
        call!(self, cuStreamSynchronize(stream => Handle))
    }

    pub fn upload(&self, to: u64, from: *const u8, bytes: usize, stream: Handle) -> Code {
        call!(self, cuMemcpyHtoDAsync_v2(to => u64, from => *const u8, bytes => usize, stream => Handle))
    }

    pub fn download(&self, to: *mut u8, from: u64, bytes: usize, stream: Handle) -> Code {
        call!(self, cuMemcpyDtoHAsync_v2(to => *mut u8, from => u64, bytes => usize, stream => Handle))
    }

    pub fn clear(&self, memory: u64, bytes: usize, stream: Handle) -> Code {
        call!(self, cuMemsetD8Async(memory => u64, 0 => u8, bytes => usize, stream => Handle))
    }

    pub fn free(&self, memory: u64) -> Code {
        call!(self, cuMemFree_v2(memory => u64))
    }

    pub fn module(&self) -> Handle {
        self.load(PROGRAM).unwrap()
    }

    /// Loads an image, or a text of PTX; its log if that fails.
    pub fn load(&self, image: &str) -> Result<Handle, String> {
        let (image, mut module) = (CString::new(image).unwrap(), ptr::null_mut());
        let mut log = [0u8; 1024];
        let mut options = [5, 6];
        let mut values: [Handle; 2] = [
            log.as_mut_ptr().cast(),
            ptr::without_provenance_mut(log.len()),
        ];
        let loaded = call!(self, cuModuleLoadDataEx(
            &mut module => &mut Handle, image.as_ptr() => *const i8, 2 => u32,
            options.as_mut_ptr() => *mut i32, values.as_mut_ptr() => *mut Handle,
        ));
        match loaded {
            OK => Ok(module),
            _ => Err(CStr::from_bytes_until_nul(&log)
                .unwrap()
                .to_string_lossy()
                .into_owned()),
        }
    }

    pub fn function(&self, module: Handle, name: &str) -> Handle {
        let (name, mut function) = (CString::new(name).unwrap(), ptr::null_mut());
        let found = call!(self, cuModuleGetFunction(
            &mut function => &mut Handle, module => Handle, name.as_ptr() => *const i8,
        ));
        assert_eq!(found, OK);
        function
    }

    /// Launches a group with these bytes as arguments.
    pub fn launch(
        &self,
        function: Handle,
        shape: [u32; 2],
        arguments: &[u8],
        stream: Handle,
    ) -> Code {
        let mut size = arguments.len();
        let mut extra: [Handle; 5] = [
            ptr::without_provenance_mut(1),
            arguments.as_ptr().cast_mut().cast(),
            ptr::without_provenance_mut(2),
            ptr::from_mut(&mut size).cast(),
            ptr::null_mut(),
        ];
        let [threads, shared] = shape;
        call!(self, cuLaunchKernel(
            function => Handle, 1 => u32, 1 => u32, 1 => u32, threads => u32, 1 => u32, 1 => u32, shared => u32,
            stream => Handle, ptr::null_mut() => *mut Handle, extra.as_mut_ptr() => *mut Handle,
        ))
    }
}

/// The arguments of the kernel `add`.
pub fn of_add(to: u64, from: u64, count: u32, plus: u64) -> Vec<u8> {
    let mut bytes = [to.to_ne_bytes(), from.to_ne_bytes()].concat();
    bytes.extend(count.to_ne_bytes());
    bytes.extend([0; 4]);
    bytes.extend(plus.to_ne_bytes());
    bytes
}
