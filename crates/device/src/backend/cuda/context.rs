//! The context that a device is used through: the primary one, which other libraries of the process share.
//!
//! It becomes current on the calling thread for the time of a call, and what was current before is so again after it:
//! another library that works on the same thread warnings nothing.

use super::api::{Api, Code, Device, Handle, failure};
use crate::error::GpuError;
use crate::info::DeviceInfo;
use std::ptr;

/// A device's primary context, retained.
pub(super) struct Context {
    pub api: Api,
    pub info: DeviceInfo,
    device: Device,
    handle: Handle,
}

// SAFETY: the driver's functions may be called from every thread, and the context is made current for each of them.
unsafe impl Send for Context {}
// SAFETY: likewise, also from several threads at once: the driver locks what it shares, and what is here is not
// changed after it was made.
unsafe impl Sync for Context {}

/// Calls a function of the driver in a context. The caller answers for the arguments.
macro_rules! call {
    ($context:expr, $name:ident($($argument:expr),*)) => {
        $context.call(stringify!($name), || ($context.api.$name)($($argument),*))
    };
}
pub(super) use call;

/// While it lives, the context is the thread's current one.
struct Entered<'a>(&'a Api);

impl Drop for Entered<'_> {
    fn drop(&mut self) {
        let mut popped = ptr::null_mut();
        // A failure cannot be reported: the call that was made is the one that counts.
        // SAFETY: the pointer is to a live variable, and this thread pushed the context before.
        let _ = unsafe { (self.0.cuCtxPopCurrent_v2)(&mut popped) };
    }
}

/// The result of a call.
pub(super) fn checked(code: Code) -> Result<(), Code> {
    if code == 0 { Ok(()) } else { Err(code) }
}

impl Context {
    /// Retains the context of a device.
    pub(super) fn retain(api: Api, info: DeviceInfo, device: Device) -> Result<Self, GpuError> {
        let mut handle = ptr::null_mut();
        // SAFETY: the pointer is to a live variable, and the device is the driver's.
        checked(unsafe { (api.cuDevicePrimaryCtxRetain)(&mut handle, device) })
            .map_err(|code| failure(&api, &info, "cuDevicePrimaryCtxRetain", code))?;
        Ok(Self {
            info,
            api,
            device,
            handle,
        })
    }

    /// Makes a call in the context.
    pub(super) fn call(
        &self,
        name: &'static str,
        call: impl FnOnce() -> Code,
    ) -> Result<(), GpuError> {
        self.enter()
            .and_then(|_entered| checked(call()))
            .map_err(|code| failure(&self.api, &self.info, name, code))
    }

    /// Makes it current on this thread, as every call needs it.
    fn enter(&self) -> Result<Entered<'_>, Code> {
        // SAFETY: the context is retained.
        checked(unsafe { (self.api.cuCtxPushCurrent_v2)(self.handle) })?;
        Ok(Entered(&self.api))
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: it was retained once, and everything that was made in it is gone: what this driver made keeps it
        // alive, and it its context.
        unsafe { (self.api.cuDevicePrimaryCtxRelease_v2)(self.device) };
    }
}
