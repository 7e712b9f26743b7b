//! What an open device of NVIDIA's driver does.

use super::Opened;
use super::api::DevicePointer;
use super::arguments::Packed;
use super::context::call;
use super::order::{create_event, destroy_event};
use crate::backend::{Argument, Compiled, Driver, Launch, Raw, RawHost, Span};
use crate::error::GpuError;
use crate::group::KernelGroup;
use crate::info::DeviceInfo;
use std::ffi::{CStr, c_int, c_uint, c_void};
use std::ptr;
use std::time::Duration;

/// Bytes of the log of the driver's own compiler.
const LOG_BYTES: usize = 4096;

/// Host memory is pinned for all contexts.
const HOST_PORTABLE: c_uint = 1;
/// Attributes of kernels: threads of a group at most, bytes of shared memory of fixed size, registers of a thread, and bytes
/// that a launch may add.
const GROUP_THREADS: c_int = 0;
const SHARED_BYTES: c_int = 1;
const REGISTERS: c_int = 4;
const MAX_DYNAMIC_SHARED_BYTES: c_int = 8;
/// Options of the driver's compiler: where its errors are written, and how long they may be.
const JIT_ERROR_LOG_BUFFER: c_int = 5;
const JIT_ERROR_LOG_BUFFER_BYTES: c_int = 6;

/// An address of device memory, some bytes on.
fn address(memory: Raw, offset: usize) -> DevicePointer {
    (memory.0 + offset) as DevicePointer
}

/// Milliseconds between events.
fn duration(milliseconds: f32) -> Duration {
    Duration::try_from_secs_f64(f64::from(milliseconds) / 1e3).unwrap_or_default()
}

impl Opened {
    /// Waits for the stream if the caller waits.
    fn settle(&self, stream: Raw, blocking: bool) -> Result<(), GpuError> {
        if !blocking {
            return Ok(());
        }
        // SAFETY: the stream is alive by the terms of those who call this.
        unsafe { call!(self.context, cuStreamSynchronize(stream.pointer())) }
    }

    /// Takes memory, if there is any.
    fn take(&self, bytes: usize) -> Result<Raw, GpuError> {
        if let Some(pool) = &self.pool {
            return pool.allocate(&self.context, bytes);
        }
        let mut memory = 0;
        // SAFETY: the pointer is to a live variable.
        unsafe { call!(self.context, cuMemAlloc_v2(&mut memory, bytes))? };
        Ok(Raw(memory as usize))
    }

    /// Waits until what was freed is free, and gives it back to the system.
    fn reclaim(&self) -> Result<(), GpuError> {
        self.order.settle(&self.context)?;
        self.retired.sweep(&self.context);
        if let Some(pool) = &self.pool {
            pool.trim(&self.context);
        }
        Ok(())
    }

    /// An attribute of a kernel.
    fn attribute(&self, function: *mut c_void, which: c_int) -> Result<c_int, GpuError> {
        let mut value = 0;
        // SAFETY: the pointer is to a live variable, and the function is of a module that is loaded.
        unsafe {
            call!(
                self.context,
                cuFuncGetAttribute(&mut value, which, function)
            )?
        };
        Ok(value)
    }

    /// Lets a kernel have all the shared memory that its groups can have, when it is launched with as much.
    fn raise_shared_memory(&self, function: *mut c_void) -> Result<(), GpuError> {
        let fixed = self.attribute(function, SHARED_BYTES)?;
        let most = c_int::try_from(self.context.info.shared_memory).unwrap_or(c_int::MAX);
        // SAFETY: the function is of a module that is loaded; the driver checks the value.
        unsafe {
            call!(
                self.context,
                cuFuncSetAttribute(function, MAX_DYNAMIC_SHARED_BYTES, (most - fixed).max(0))
            )
        }
    }
}

impl Driver for Opened {
    fn info(&self) -> &DeviceInfo {
        &self.context.info
    }

    fn free_memory(&self) -> Option<u64> {
        let (mut free, mut total) = (0, 0);
        // SAFETY: the pointers are to live variables.
        let told = unsafe { call!(self.context, cuMemGetInfo_v2(&mut free, &mut total)) };
        told.ok().map(|()| free as u64)
    }

    fn allocate(&self, bytes: usize) -> Result<Raw, GpuError> {
        match self.take(bytes) {
            // What was freed may have to wait for its last use, or lie where it is of no use.
            Err(GpuError::OutOfMemory { .. }) => {
                self.reclaim()?;
                self.take(bytes)
            }
            taken => taken,
        }
    }

    unsafe fn free(&self, memory: Raw) {
        if let Some(pool) = &self.pool {
            match self.order.last(&self.context) {
                // SAFETY: the memory is of the pool and not yet freed, as `Driver` asks; the order is after all that
                // was submitted.
                Ok(last) => return unsafe { pool.free(&self.context, memory, last) },
                // Without an order, the host waits. That fails as well where the device is lost.
                // SAFETY: it takes nothing.
                Err(_) => unsafe { drop(call!(self.context, cuCtxSynchronize())) },
            }
        }
        // A failure cannot be reported, and nothing could be done about it.
        // SAFETY: `memory` is of this driver and not yet freed, as `Driver` asks. The driver waits for work that is
        // under way with memory that is of no pool.
        let _ = unsafe { call!(self.context, cuMemFree_v2(address(memory, 0))) };
    }

    fn allocate_host(&self, bytes: usize) -> Result<RawHost, GpuError> {
        let mut memory = ptr::null_mut();
        // SAFETY: the pointer is to a live variable.
        unsafe {
            call!(
                self.context,
                cuMemHostAlloc(&mut memory, bytes, HOST_PORTABLE)
            )?
        };
        Ok(RawHost {
            address: memory.cast(),
            handle: Raw::of(memory),
        })
    }

    unsafe fn free_host(&self, memory: RawHost) {
        // As in `free`.
        // SAFETY: `memory` is of this driver and not yet freed, as `Driver` asks.
        let _ = unsafe { call!(self.context, cuMemFreeHost(memory.address.cast())) };
    }

    fn create_stream(&self, _timed: bool) -> Result<Raw, GpuError> {
        self.order.add(&self.context).map(Raw::of)
    }

    unsafe fn destroy_stream(&self, stream: Raw) {
        // SAFETY: the stream is alive, as `Driver` asks.
        unsafe { self.order.remove(&self.context, stream.pointer()) }
    }

    unsafe fn finish(&self, stream: Raw) -> Result<(), GpuError> {
        self.settle(stream, true)
    }

    unsafe fn write(
        &self,
        stream: Raw,
        memory: Raw,
        span: Span,
        source: *const u8,
        blocking: bool,
    ) -> Result<(), GpuError> {
        let (target, source) = (address(memory, span.offset), source.cast());
        // SAFETY: the span is inside the buffer, and the source lives until the stream is past it, as `Driver` asks.
        let submitted = unsafe {
            call!(
                self.context,
                cuMemcpyHtoDAsync_v2(target, source, span.len, stream.pointer())
            )
        };
        self.order.count(submitted)?;
        self.settle(stream, blocking)
    }

    unsafe fn read(
        &self,
        stream: Raw,
        memory: Raw,
        span: Span,
        target: *mut u8,
        blocking: bool,
    ) -> Result<(), GpuError> {
        let (source, target) = (address(memory, span.offset), target.cast());
        // SAFETY: the span is inside the buffer, and the target lives until the stream is past it, as `Driver` asks.
        let submitted = unsafe {
            call!(
                self.context,
                cuMemcpyDtoHAsync_v2(target, source, span.len, stream.pointer())
            )
        };
        self.order.count(submitted)?;
        self.settle(stream, blocking)
    }

    unsafe fn copy(
        &self,
        stream: Raw,
        (from, from_offset): (Raw, usize),
        (to, to_offset): (Raw, usize),
        len: usize,
    ) -> Result<(), GpuError> {
        let (from, to) = (address(from, from_offset), address(to, to_offset));
        // SAFETY: both spans are inside their buffers, as `Driver` asks.
        let submitted = unsafe {
            call!(
                self.context,
                cuMemcpyDtoDAsync_v2(to, from, len, stream.pointer())
            )
        };
        self.order.count(submitted)
    }

    unsafe fn clear(&self, stream: Raw, memory: Raw, span: Span) -> Result<(), GpuError> {
        let memory = address(memory, span.offset);
        // SAFETY: the span is inside the buffer, as `Driver` asks.
        let submitted = unsafe {
            call!(
                self.context,
                cuMemsetD8Async(memory, 0, span.len, stream.pointer())
            )
        };
        self.order.count(submitted)
    }

    unsafe fn record(&self, stream: Raw, timed: bool) -> Result<Raw, GpuError> {
        let event = create_event(&self.context, timed)?;
        let event = Raw::of(event);
        // SAFETY: the event was just made; the stream is alive, as `Driver` asks.
        let recorded = unsafe {
            call!(
                self.context,
                cuEventRecord(event.pointer(), stream.pointer())
            )
        };
        recorded.inspect_err(|_| {
            // SAFETY: the event is not used again.
            unsafe { self.free_event(event) }
        })?;
        Ok(event)
    }

    unsafe fn wait(&self, event: Raw) -> Result<(), GpuError> {
        // SAFETY: the event is alive, as `Driver` asks.
        unsafe { call!(self.context, cuEventSynchronize(event.pointer())) }
    }

    unsafe fn wait_on(&self, stream: Raw, event: Raw) -> Result<(), GpuError> {
        // SAFETY: stream and event are alive, as `Driver` asks; the flags must be zero.
        unsafe {
            call!(
                self.context,
                cuStreamWaitEvent(stream.pointer(), event.pointer(), 0)
            )
        }
    }

    unsafe fn elapsed(&self, from: Raw, to: Raw) -> Result<Duration, GpuError> {
        let mut milliseconds = 0.0;
        // SAFETY: the pointer is to a live variable; the events are alive, as `Driver` asks.
        unsafe {
            call!(
                self.context,
                cuEventElapsedTime(&mut milliseconds, from.pointer(), to.pointer())
            )?
        };
        Ok(duration(milliseconds))
    }

    unsafe fn free_event(&self, event: Raw) {
        // SAFETY: the event is alive, as `Driver` asks.
        unsafe { destroy_event(&self.context, event.pointer()) }
    }

    fn compiler_options(&self) -> String {
        self.nvrtc.options(&self.context.info.architecture)
    }

    fn compile(&self, name: &str, source: &str) -> Result<Compiled, GpuError> {
        let binary = self
            .nvrtc
            .compile(name, source, &self.context.info.architecture)
            .map_err(|failure| failure.of(name, &self.context.info.name))?;
        Ok(Compiled {
            program: self.load(name, &binary)?,
            binary: Some(binary),
        })
    }

    fn load(&self, name: &str, binary: &[u8]) -> Result<Raw, GpuError> {
        self.retired.sweep(&self.context);
        // The driver is not told where the image ends: ELF says so itself, and text ends with a zero.
        if !binary.starts_with(b"\x7fELF") && binary.last() != Some(&0) {
            return Err(GpuError::Driver {
                device: self.context.info.name.clone(),
                call: "cuModuleLoadDataEx",
                code: format!("{name} is no compiled program"),
            });
        }
        let mut log = [0u8; LOG_BYTES];
        // Values are handed over in the place of pointers.
        let mut options = [JIT_ERROR_LOG_BUFFER, JIT_ERROR_LOG_BUFFER_BYTES];
        let mut values: [*mut c_void; 2] = [
            log.as_mut_ptr().cast(),
            ptr::without_provenance_mut(LOG_BYTES),
        ];
        let mut module = ptr::null_mut();
        // SAFETY: the image ends where it says; options and values are as many, and the log is as long as told.
        let loaded = unsafe {
            call!(
                self.context,
                cuModuleLoadDataEx(
                    &mut module,
                    binary.as_ptr().cast(),
                    options.len() as c_uint,
                    options.as_mut_ptr(),
                    values.as_mut_ptr()
                )
            )
        };
        loaded.map_err(|error| match error {
            GpuError::Driver { device, call, code } => {
                let said = log.split(|&byte| byte == 0).next().unwrap_or_default();
                let said = String::from_utf8_lossy(said);
                GpuError::Driver {
                    device,
                    call,
                    code: format!("{code} (program {name}) {said}")
                        .trim_end()
                        .to_owned(),
                }
            }
            error => error,
        })?;
        Ok(Raw::of(module))
    }

    unsafe fn unload(&self, program: Raw) {
        // SAFETY: the program is loaded, as `Driver` asks, and nobody launches it any more.
        unsafe {
            self.retired
                .add(&self.context, &self.order, program.pointer())
        }
    }

    unsafe fn kernel(&self, program: Raw, name: &CStr) -> Result<Raw, GpuError> {
        let mut function = ptr::null_mut();
        // SAFETY: the pointers are to a live variable and to text that ends with a zero; the module is loaded,
        // as `Driver` asks.
        unsafe {
            call!(
                self.context,
                cuModuleGetFunction(&mut function, program.pointer(), name.as_ptr())
            )?
        };
        self.raise_shared_memory(function)?;
        Ok(Raw::of(function))
    }

    unsafe fn free_kernel(&self, _: Raw) {
        // It belongs to its module.
    }

    unsafe fn group(&self, kernel: Raw) -> Result<KernelGroup, GpuError> {
        let attribute = |which| {
            let value = self.attribute(kernel.pointer(), which)?;
            Ok(value.unsigned_abs() as usize)
        };
        Ok(KernelGroup {
            threads: attribute(GROUP_THREADS)?,
            shared_bytes: attribute(SHARED_BYTES)?,
            has_tile: false,
            registers: Some(attribute(REGISTERS)? as u64),
        })
    }

    unsafe fn launch(
        &self,
        stream: Raw,
        kernel: Raw,
        launch: Launch,
        arguments: &[Argument],
    ) -> Result<(), GpuError> {
        // A stream refuses launches of more.
        let whole = |value: usize| value as c_uint;
        let ([x, y, z], [wide, high, deep]) = (launch.groups.map(whole), launch.threads.map(whole));
        let mut packed = Packed::new(arguments);
        let mut extra = packed.extra();
        // SAFETY: handles are alive, as `Driver` asks; the values live until the call has copied them, and the
        // caller answers for their number and types.
        let submitted = unsafe {
            call!(
                self.context,
                cuLaunchKernel(
                    kernel.pointer(),
                    x,
                    y,
                    z,
                    wide,
                    high,
                    deep,
                    whole(launch.shared_bytes),
                    stream.pointer(),
                    ptr::null_mut(),
                    extra.as_mut_ptr()
                )
            )
        };
        self.order.count(submitted)
    }
}

#[cfg(test)]
mod tests {
    use super::duration;
    use std::time::Duration;

    #[test]
    fn times_of_events_are_never_negative() {
        assert_eq!(duration(1.5), Duration::from_micros(1500));
        for none in [-1.0, f32::NAN, f32::INFINITY, 0.0] {
            assert_eq!(duration(none), Duration::ZERO);
        }
    }
}
