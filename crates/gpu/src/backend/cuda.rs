//! Devices of NVIDIA's driver.

use super::{Backend, Driver, Launch, Raw, RawHost, Span};
use crate::{Argument, DeviceInfo, GpuError};
use std::ffi::CStr;
use std::time::Duration;

/// What there is.
pub fn survey() -> Result<Vec<DeviceInfo>, String> {
    Err("not yet".to_owned())
}
pub struct Opened;
impl Opened {
    pub fn open(_info: &DeviceInfo) -> Result<Self, GpuError> {
        Err(GpuError::NoDevice {
            wanted: Backend::Cuda.to_string(),
            found: String::new(),
        })
    }
}
impl Driver for Opened {
    fn info(&self) -> &DeviceInfo {
        unreachable!()
    }
    fn allocate(&self, _: usize) -> Result<Raw, GpuError> {
        unreachable!()
    }
    unsafe fn free(&self, _: Raw) {}
    fn allocate_host(&self, _: usize) -> Result<RawHost, GpuError> {
        unreachable!()
    }
    unsafe fn free_host(&self, _: RawHost) {}
    fn create_stream(&self) -> Result<Raw, GpuError> {
        unreachable!()
    }
    unsafe fn destroy_stream(&self, _: Raw) {}
    unsafe fn finish(&self, _: Raw) -> Result<(), GpuError> {
        unreachable!()
    }
    unsafe fn write(&self, _: Raw, _: Raw, _: Span, _: *const u8, _: bool) -> Result<(), GpuError> {
        unreachable!()
    }
    unsafe fn read(&self, _: Raw, _: Raw, _: Span, _: *mut u8, _: bool) -> Result<(), GpuError> {
        unreachable!()
    }
    unsafe fn copy(
        &self,
        _: Raw,
        _: (Raw, usize),
        _: (Raw, usize),
        _: usize,
    ) -> Result<(), GpuError> {
        unreachable!()
    }
    unsafe fn clear(&self, _: Raw, _: Raw, _: Span) -> Result<(), GpuError> {
        unreachable!()
    }
    unsafe fn record(&self, _: Raw) -> Result<Raw, GpuError> {
        unreachable!()
    }
    unsafe fn wait(&self, _: Raw) -> Result<(), GpuError> {
        unreachable!()
    }
    unsafe fn wait_on(&self, _: Raw, _: Raw) -> Result<(), GpuError> {
        unreachable!()
    }
    unsafe fn elapsed(&self, _: Raw, _: Raw) -> Result<Duration, GpuError> {
        unreachable!()
    }
    unsafe fn free_event(&self, _: Raw) {}
    fn compile(&self, _: &str, _: &str) -> Result<Vec<u8>, GpuError> {
        unreachable!()
    }
    fn load(&self, _: &str, _: &[u8]) -> Result<Raw, GpuError> {
        unreachable!()
    }
    unsafe fn unload(&self, _: Raw) {}
    unsafe fn kernel(&self, _: Raw, _: &CStr) -> Result<Raw, GpuError> {
        unreachable!()
    }
    unsafe fn free_kernel(&self, _: Raw) {}
    unsafe fn launch(&self, _: Raw, _: Raw, _: Launch, _: &[Argument]) -> Result<(), GpuError> {
        unreachable!()
    }
}
