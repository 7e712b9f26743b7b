//! A device that is not there: it takes what a device of its limits takes, and does nothing.

use crate::backend::{Argument, Compiled, Driver, Launch, Raw, RawHost, Span};
use crate::error::GpuError;
use crate::group::KernelGroup;
use crate::info::DeviceInfo;
use std::ffi::CStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Bytes of memory that there seem to be: more than anything takes.
const BYTES: u64 = u64::MAX / 2;

/// Every word of 32 bits that is read is 1: a length, a state that is done, a residue that is not 0.
const READ: [u8; 4] = [1, 0, 0, 0];

/// A device that is not there.
pub(crate) struct Recorder {
    info: DeviceInfo,
    /// Buffers so far, by which handles differ.
    buffers: AtomicUsize,
}

impl Recorder {
    /// One with the limits of a device, but for its memory.
    pub(crate) fn new(info: &DeviceInfo) -> Self {
        Self {
            info: DeviceInfo {
                memory: BYTES,
                largest_buffer: BYTES,
                ..info.clone()
            },
            buffers: AtomicUsize::new(0),
        }
    }
}

impl Driver for Recorder {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn free_memory(&self) -> Option<u64> {
        None
    }

    fn allocate(&self, _: usize) -> Result<Raw, GpuError> {
        Ok(Raw(self.buffers.fetch_add(1, Ordering::Relaxed)))
    }

    unsafe fn free(&self, _: Raw) {}

    fn allocate_host(&self, _: usize) -> Result<RawHost, GpuError> {
        Err(GpuError::Shape(
            "a device that is not there reaches no memory of the host".to_owned(),
        ))
    }

    unsafe fn free_host(&self, _: RawHost) {}

    fn create_stream(&self, _: bool) -> Result<Raw, GpuError> {
        Ok(Raw(0))
    }

    unsafe fn destroy_stream(&self, _: Raw) {}

    unsafe fn finish(&self, _: Raw) -> Result<(), GpuError> {
        Ok(())
    }

    unsafe fn write(&self, _: Raw, _: Raw, _: Span, _: *const u8, _: bool) -> Result<(), GpuError> {
        Ok(())
    }

    unsafe fn read(
        &self,
        _: Raw,
        _: Raw,
        span: Span,
        target: *mut u8,
        _: bool,
    ) -> Result<(), GpuError> {
        // SAFETY: there are as many bytes as the span has, as the trait's terms say.
        let bytes = unsafe { std::slice::from_raw_parts_mut(target, span.len) };
        for (byte, word) in bytes.iter_mut().zip(READ.iter().cycle()) {
            *byte = *word;
        }
        Ok(())
    }

    unsafe fn copy(
        &self,
        _: Raw,
        _: (Raw, usize),
        _: (Raw, usize),
        _: usize,
    ) -> Result<(), GpuError> {
        Ok(())
    }

    unsafe fn clear(&self, _: Raw, _: Raw, _: Span) -> Result<(), GpuError> {
        Ok(())
    }

    unsafe fn record(&self, _: Raw, _: bool) -> Result<Raw, GpuError> {
        Ok(Raw(0))
    }

    unsafe fn wait(&self, _: Raw) -> Result<(), GpuError> {
        Ok(())
    }

    unsafe fn wait_on(&self, _: Raw, _: Raw) -> Result<(), GpuError> {
        Ok(())
    }

    unsafe fn elapsed(&self, _: Raw, _: Raw) -> Result<Duration, GpuError> {
        Ok(Duration::ZERO)
    }

    unsafe fn free_event(&self, _: Raw) {}

    fn compiler_options(&self) -> String {
        String::new()
    }

    fn compile(&self, _: &str, _: &str) -> Result<Compiled, GpuError> {
        Ok(Compiled {
            program: Raw(0),
            binary: None,
        })
    }

    fn load(&self, _: &str, _: &[u8]) -> Result<Raw, GpuError> {
        Ok(Raw(0))
    }

    unsafe fn unload(&self, _: Raw) {}

    unsafe fn kernel(&self, _: Raw, _: &CStr) -> Result<Raw, GpuError> {
        Ok(Raw(0))
    }

    unsafe fn free_kernel(&self, _: Raw) {}

    unsafe fn group(&self, _: Raw) -> Result<KernelGroup, GpuError> {
        Ok(KernelGroup::ANY)
    }

    unsafe fn launch(&self, _: Raw, _: Raw, _: Launch, _: &[Argument]) -> Result<(), GpuError> {
        Ok(())
    }
}
