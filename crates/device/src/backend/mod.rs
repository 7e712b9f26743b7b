//! What every interface to devices offers, in the terms that they have in common.
//!
//! A [`Driver`] is one open device. Handles are plain words that mean something to the driver that made them; the
//! safe types of this crate ([`Buffer`](crate::Buffer), [`Stream`](crate::Stream), …) own them, and are the only ones
//! that call the driver.

pub(crate) mod cuda;
pub(crate) mod opencl;
pub(crate) mod recorder;

use crate::error::GpuError;
use crate::group::KernelGroup;
use crate::info::DeviceInfo;
use std::ffi::{CStr, c_void};
use std::time::Duration;

/// Why an interface has no devices.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Absence {
    pub reason: String,
    /// Whether something may be there, but cannot be used.
    pub unusable: bool,
}

impl Absence {
    /// There are none.
    pub(crate) fn none(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            unusable: false,
        }
    }

    /// There may be some, but they cannot be used.
    pub(crate) fn unusable(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            unusable: true,
        }
    }
}

/// A handle of the driver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Raw(pub usize);

impl Raw {
    /// The handle of an object that the driver points to.
    fn of<T>(pointer: *mut T) -> Self {
        Self(pointer as usize)
    }

    /// What the driver points to its object by.
    fn pointer(self) -> *mut c_void {
        self.0 as *mut c_void
    }
}

/// A program that was compiled and is loaded.
pub(crate) struct Compiled {
    pub program: Raw,
    /// What [`Driver::load`] takes in a later process on the same device and driver; none where the driver keeps programs on
    /// disk itself.
    pub binary: Option<Vec<u8>>,
}

/// Host memory that the device reads and writes directly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawHost {
    /// The memory.
    pub address: *mut u8,
    /// The driver's handle.
    pub handle: Raw,
}

/// Bytes of a buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// First byte in the buffer.
    pub offset: usize,
    /// Bytes.
    pub len: usize,
}

/// A launch: a number of groups, with equally many threads each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Groups of threads: a box of them, whose sides kernels know as `BLOCK`, `BLOCK_Y` and `BLOCK_Z`.
    pub groups: [usize; 3],
    /// Threads of a group: a box of them. Kernels that are written for one row have its length as the definition `GROUP`.
    pub threads: [usize; 3],
    /// Bytes of the kernel's `SHARED_TILE`, where it has one.
    pub shared_bytes: usize,
}

impl Launch {
    /// Arguments of a kernel at most.
    pub const MOST_ARGUMENTS: usize = 32;

    /// Groups in the second and third dimension at most: as many as NVIDIA's driver takes.
    const MOST_ROWS: usize = 65_535;

    /// A row of groups, whose number is a product of sizes.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for 2^31 groups and more: the kernels' numbers of groups have 32 bits, and drivers take no
    /// more.
    pub fn new(groups: u64, threads: usize, shared_bytes: usize) -> Result<Self, GpuError> {
        Self::rows(groups, 1, threads, shared_bytes)
    }

    /// Rows of groups.
    ///
    /// # Errors
    /// As [`Launch::new`], and [`GpuError::Shape`] for more than 65535 rows.
    pub fn rows(
        groups: u64,
        rows: usize,
        threads: usize,
        shared_bytes: usize,
    ) -> Result<Self, GpuError> {
        if groups >> 31 != 0 || rows > Self::MOST_ROWS {
            return Err(GpuError::Shape(format!(
                "{rows} rows of {groups} groups of threads are more than one launch takes: cut the batch into smaller ones"
            )));
        }
        Ok(Self {
            groups: [groups as usize, rows, 1],
            threads: [threads, 1, 1],
            shared_bytes,
        })
    }
}

/// Tells an open device from every other that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceIdentity(pub(crate) usize);

/// Tells a stream from all others of its device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamIdentity(pub(crate) u64);

/// An argument of a kernel, in the order of its parameters.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
    /// A buffer of the device; see [`Argument::of`].
    Memory(MemoryArgument),
    /// A `u32`.
    U32(u32),
    /// A `u64`.
    U64(u64),
}

/// A buffer of the device as an argument.
#[derive(Clone, Copy, Debug)]
pub struct MemoryArgument {
    pub(crate) raw: Raw,
    /// The device that it is on.
    pub(crate) device: DeviceIdentity,
}

impl From<u32> for Argument {
    fn from(value: u32) -> Self {
        Self::U32(value)
    }
}

impl From<u64> for Argument {
    fn from(value: u64) -> Self {
        Self::U64(value)
    }
}

/// An open device.
///
/// # Safety
/// Of every unsafe method: handles are of this driver and not yet freed; spans are inside their buffers; host memory is
/// valid for the length given, and stays so until the stream has come past a call that is not blocking.
pub(crate) trait Driver: Send + Sync {
    fn info(&self) -> &DeviceInfo;

    /// Bytes of memory that are free now, other programs considered, where the driver tells.
    fn free_memory(&self) -> Option<u64>;
    fn allocate(&self, bytes: usize) -> Result<Raw, GpuError>;
    /// Frees memory once all that was submitted before is done with it; does not wait for that, where the driver need
    /// not.
    unsafe fn free(&self, memory: Raw);
    fn allocate_host(&self, bytes: usize) -> Result<RawHost, GpuError>;
    unsafe fn free_host(&self, memory: RawHost);

    /// A stream; `timed` if events that are asked to note the time will be recorded on it.
    fn create_stream(&self, timed: bool) -> Result<Raw, GpuError>;
    unsafe fn destroy_stream(&self, stream: Raw);
    unsafe fn finish(&self, stream: Raw) -> Result<(), GpuError>;

    unsafe fn write(
        &self,
        stream: Raw,
        memory: Raw,
        span: Span,
        source: *const u8,
        blocking: bool,
    ) -> Result<(), GpuError>;
    unsafe fn read(
        &self,
        stream: Raw,
        memory: Raw,
        span: Span,
        target: *mut u8,
        blocking: bool,
    ) -> Result<(), GpuError>;
    unsafe fn copy(
        &self,
        stream: Raw,
        from: (Raw, usize),
        to: (Raw, usize),
        len: usize,
    ) -> Result<(), GpuError>;
    unsafe fn clear(&self, stream: Raw, memory: Raw, span: Span) -> Result<(), GpuError>;

    /// An event; `elapsed` takes those that are `timed`.
    unsafe fn record(&self, stream: Raw, timed: bool) -> Result<Raw, GpuError>;
    unsafe fn wait(&self, event: Raw) -> Result<(), GpuError>;
    unsafe fn wait_on(&self, stream: Raw, event: Raw) -> Result<(), GpuError>;
    unsafe fn elapsed(&self, from: Raw, to: Raw) -> Result<Duration, GpuError>;
    unsafe fn free_event(&self, event: Raw);

    /// What decides what a text is compiled to, beside what [`info`](Self::info) tells.
    fn compiler_options(&self) -> String;
    fn compile(&self, name: &str, source: &str) -> Result<Compiled, GpuError>;
    fn load(&self, name: &str, binary: &[u8]) -> Result<Raw, GpuError>;
    /// Unloads a program once all that was submitted before is done with it; does not wait for that.
    unsafe fn unload(&self, program: Raw);
    unsafe fn kernel(&self, program: Raw, name: &CStr) -> Result<Raw, GpuError>;
    unsafe fn free_kernel(&self, kernel: Raw);
    /// What a kernel's groups take; as far as the driver tells.
    unsafe fn group(&self, kernel: Raw) -> Result<KernelGroup, GpuError>;
    unsafe fn launch(
        &self,
        stream: Raw,
        kernel: Raw,
        launch: Launch,
        arguments: &[Argument],
    ) -> Result<(), GpuError>;
}
