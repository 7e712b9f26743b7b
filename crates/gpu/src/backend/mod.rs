//! What every interface to devices offers, in the terms that they have in common.
//!
//! A [`Driver`] is one open device. Handles are plain words that mean something to the driver that made them; the
//! safe types of this crate ([`Buffer`](crate::Buffer), [`Stream`](crate::Stream), …) own them, and are the only ones
//! that call the driver.

pub mod cuda;
pub mod opencl;

use crate::{Argument, DeviceInfo, GpuError};
use std::ffi::CStr;
use std::fmt;
use std::time::Duration;

/// An interface to devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backend {
    /// NVIDIA's driver.
    Cuda,
    /// Any vendor's OpenCL.
    OpenCl,
}

impl Backend {
    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cuda => "cuda",
            Self::OpenCl => "opencl",
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cuda => "CUDA",
            Self::OpenCl => "OpenCL",
        })
    }
}

/// A handle of the driver.
#[derive(Clone, Copy, Debug)]
pub struct Raw(pub usize);

/// Host memory that the device reads and writes directly.
#[derive(Clone, Copy, Debug)]
pub struct RawHost {
    /// The memory.
    pub address: *mut u8,
    /// The driver's handle.
    pub handle: Raw,
}

/// How much of the host's memory, and where in a buffer.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// First byte in the buffer.
    pub offset: usize,
    /// Bytes.
    pub len: usize,
}

/// A launch: so many groups, of so many threads each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Groups of threads.
    pub groups: usize,
    /// Threads of a group; the program's definition `GROUP`.
    pub threads: usize,
    /// Bytes of the kernel's `SHARED_TILE`, where it has one.
    pub shared_bytes: usize,
}

/// An open device.
///
/// # Safety
/// Of every unsafe method: handles are of this driver and not yet freed; spans are inside their buffers; host memory is
/// valid for the length given, and stays so until the stream has come past a call that is not blocking.
pub trait Driver: Send + Sync {
    fn info(&self) -> &DeviceInfo;

    /// Bytes of memory that are free now, other programs considered, where the driver tells.
    fn free_memory(&self) -> Option<u64>;
    fn allocate(&self, bytes: usize) -> Result<Raw, GpuError>;
    unsafe fn free(&self, memory: Raw);
    fn allocate_host(&self, bytes: usize) -> Result<RawHost, GpuError>;
    unsafe fn free_host(&self, memory: RawHost);

    fn create_stream(&self) -> Result<Raw, GpuError>;
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

    unsafe fn record(&self, stream: Raw) -> Result<Raw, GpuError>;
    unsafe fn wait(&self, event: Raw) -> Result<(), GpuError>;
    unsafe fn wait_on(&self, stream: Raw, event: Raw) -> Result<(), GpuError>;
    unsafe fn elapsed(&self, from: Raw, to: Raw) -> Result<Duration, GpuError>;
    unsafe fn free_event(&self, event: Raw);

    /// Compiles to what [`load`](Self::load) takes, now or in a later process on the same device and driver.
    fn compile(&self, name: &str, source: &str) -> Result<Vec<u8>, GpuError>;
    fn load(&self, name: &str, binary: &[u8]) -> Result<Raw, GpuError>;
    unsafe fn unload(&self, program: Raw);
    unsafe fn kernel(&self, program: Raw, name: &CStr) -> Result<Raw, GpuError>;
    unsafe fn free_kernel(&self, kernel: Raw);
    unsafe fn launch(
        &self,
        stream: Raw,
        kernel: Raw,
        launch: Launch,
        arguments: &[Argument],
    ) -> Result<(), GpuError>;
}
