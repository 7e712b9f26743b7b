//! What an open device of NVIDIA's driver does.

use super::Opened;
use crate::backend::{Driver, Launch, Raw, RawHost, Span};
use crate::{Argument, DeviceInfo, GpuError};
use cudarc::driver::sys::{
    CU_MEMHOSTALLOC_PORTABLE, CUdeviceptr, CUevent, CUevent_flags, CUfunction,
    CUfunction_attribute as FunctionAttribute, CUjit_option, CUmodule, CUstream, CUstream_flags,
};
use std::ffi::{CStr, c_int, c_uint, c_void};
use std::ptr;
use std::time::Duration;

/// Arguments of a kernel at most: their addresses stand in an array on the stack.
const MOST_ARGUMENTS: usize = 16;
/// Bytes that the driver's own compiler may say.
const LOG_BYTES: usize = 4096;

/// An address of device memory, some bytes on.
fn address(memory: Raw, offset: usize) -> CUdeviceptr {
    (memory.0 + offset) as CUdeviceptr
}

fn stream_of(raw: Raw) -> CUstream {
    raw.0 as CUstream
}

fn event_of(raw: Raw) -> CUevent {
    raw.0 as CUevent
}

fn module_of(raw: Raw) -> CUmodule {
    raw.0 as CUmodule
}

fn function_of(raw: Raw) -> CUfunction {
    raw.0 as CUfunction
}

/// The handle of an object of the driver.
fn handle<T>(pointer: *mut T) -> Raw {
    Raw(pointer as usize)
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
        self.call("cuStreamSynchronize", |cuda| {
            // SAFETY: the stream is alive by the terms of those who call this.
            unsafe { (cuda.cuStreamSynchronize)(stream_of(stream)) }
        })
    }

    /// The error of a kernel that asks for more than there can be.
    fn beyond(&self, reason: String) -> GpuError {
        GpuError::Limits {
            device: self.info.name.clone(),
            kernel: "a kernel".to_owned(),
            reason,
        }
    }

    /// An attribute of a kernel.
    fn attribute(&self, function: CUfunction, which: FunctionAttribute) -> Result<c_int, GpuError> {
        let mut value = 0;
        self.call("cuFuncGetAttribute", |cuda| {
            // SAFETY: the pointer is to a live variable, and the function is of a module that is loaded.
            unsafe { (cuda.cuFuncGetAttribute)(&mut value, which, function) }
        })?;
        Ok(value)
    }

    /// Lets a kernel have all the shared memory that its groups can have, when it is launched with so much.
    fn raise_shared_memory(&self, function: CUfunction) -> Result<(), GpuError> {
        let fixed = self.attribute(
            function,
            FunctionAttribute::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
        )?;
        let most = c_int::try_from(self.info.shared_memory).unwrap_or(c_int::MAX);
        let which = FunctionAttribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        self.call("cuFuncSetAttribute", |cuda| {
            // SAFETY: the function is of a module that is loaded; the driver checks the value.
            unsafe { (cuda.cuFuncSetAttribute)(function, which, (most - fixed).max(0)) }
        })
    }
}

impl Driver for Opened {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn free_memory(&self) -> Option<u64> {
        let (mut free, mut total) = (0, 0);
        let told = self.call("cuMemGetInfo", |cuda| {
            // SAFETY: the pointers are to live variables.
            unsafe { (cuda.cuMemGetInfo_v2)(&mut free, &mut total) }
        });
        told.ok().map(|()| free as u64)
    }

    fn allocate(&self, bytes: usize) -> Result<Raw, GpuError> {
        let mut memory = 0;
        self.call("cuMemAlloc", |cuda| {
            // SAFETY: the pointer is to a live variable.
            unsafe { (cuda.cuMemAlloc_v2)(&mut memory, bytes) }
        })?;
        Ok(Raw(memory as usize))
    }

    unsafe fn free(&self, memory: Raw) {
        // There is nobody to tell of a failure, and nothing that could be done.
        let _ = self.call("cuMemFree", |cuda| {
            // SAFETY: `memory` is of this driver and not yet freed, as `Driver` asks. The driver waits for work that is
            // under way.
            unsafe { (cuda.cuMemFree_v2)(address(memory, 0)) }
        });
    }

    fn allocate_host(&self, bytes: usize) -> Result<RawHost, GpuError> {
        let mut memory = ptr::null_mut();
        let allocated = self.call("cuMemHostAlloc", |cuda| {
            // SAFETY: the pointer is to a live variable.
            unsafe { (cuda.cuMemHostAlloc)(&mut memory, bytes, CU_MEMHOSTALLOC_PORTABLE) }
        });
        allocated.map_err(|error| match error {
            GpuError::OutOfMemory {
                device,
                free,
                limit,
                largest,
                ..
            } => GpuError::OutOfMemory {
                device,
                wanted: bytes as u64,
                free,
                limit,
                largest,
            },
            error => error,
        })?;
        Ok(RawHost {
            address: memory.cast(),
            handle: handle(memory),
        })
    }

    unsafe fn free_host(&self, memory: RawHost) {
        // As in `free`.
        let _ = self.call("cuMemFreeHost", |cuda| {
            // SAFETY: `memory` is of this driver and not yet freed, as `Driver` asks.
            unsafe { (cuda.cuMemFreeHost)(memory.address.cast()) }
        });
    }

    fn create_stream(&self) -> Result<Raw, GpuError> {
        let mut stream = ptr::null_mut();
        let flags = CUstream_flags::CU_STREAM_NON_BLOCKING as c_uint;
        self.call("cuStreamCreate", |cuda| {
            // SAFETY: the pointer is to a live variable.
            unsafe { (cuda.cuStreamCreate)(&mut stream, flags) }
        })?;
        Ok(handle(stream))
    }

    unsafe fn destroy_stream(&self, stream: Raw) {
        // As in `free`.
        let _ = self.call("cuStreamDestroy", |cuda| {
            // SAFETY: the stream is alive, as `Driver` asks. What was submitted still runs to its end.
            unsafe { (cuda.cuStreamDestroy_v2)(stream_of(stream)) }
        });
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
        self.call("cuMemcpyHtoDAsync", |cuda| {
            // SAFETY: the span is inside the buffer, and the source lives until the stream is past it, as `Driver` asks.
            unsafe { (cuda.cuMemcpyHtoDAsync_v2)(target, source, span.len, stream_of(stream)) }
        })?;
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
        self.call("cuMemcpyDtoHAsync", |cuda| {
            // SAFETY: the span is inside the buffer, and the target lives until the stream is past it, as `Driver` asks.
            unsafe { (cuda.cuMemcpyDtoHAsync_v2)(target, source, span.len, stream_of(stream)) }
        })?;
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
        self.call("cuMemcpyDtoDAsync", |cuda| {
            // SAFETY: both spans are inside their buffers, as `Driver` asks.
            unsafe { (cuda.cuMemcpyDtoDAsync_v2)(to, from, len, stream_of(stream)) }
        })
    }

    unsafe fn clear(&self, stream: Raw, memory: Raw, span: Span) -> Result<(), GpuError> {
        let memory = address(memory, span.offset);
        self.call("cuMemsetD8Async", |cuda| {
            // SAFETY: the span is inside the buffer, as `Driver` asks.
            unsafe { (cuda.cuMemsetD8Async)(memory, 0, span.len, stream_of(stream)) }
        })
    }

    unsafe fn record(&self, stream: Raw) -> Result<Raw, GpuError> {
        let mut event = ptr::null_mut();
        // By default an event notes the time.
        let flags = CUevent_flags::CU_EVENT_DEFAULT as c_uint;
        self.call("cuEventCreate", |cuda| {
            // SAFETY: the pointer is to a live variable.
            unsafe { (cuda.cuEventCreate)(&mut event, flags) }
        })?;
        let event = handle(event);
        self.call("cuEventRecord", |cuda| {
            // SAFETY: the event was just made; the stream is alive, as `Driver` asks.
            unsafe { (cuda.cuEventRecord)(event_of(event), stream_of(stream)) }
        })
        .inspect_err(|_| {
            // SAFETY: the event is not used again.
            unsafe { self.free_event(event) }
        })?;
        Ok(event)
    }

    unsafe fn wait(&self, event: Raw) -> Result<(), GpuError> {
        self.call("cuEventSynchronize", |cuda| {
            // SAFETY: the event is alive, as `Driver` asks.
            unsafe { (cuda.cuEventSynchronize)(event_of(event)) }
        })
    }

    unsafe fn wait_on(&self, stream: Raw, event: Raw) -> Result<(), GpuError> {
        self.call("cuStreamWaitEvent", |cuda| {
            // SAFETY: stream and event are alive, as `Driver` asks; the flags must be zero.
            unsafe { (cuda.cuStreamWaitEvent)(stream_of(stream), event_of(event), 0) }
        })
    }

    unsafe fn elapsed(&self, from: Raw, to: Raw) -> Result<Duration, GpuError> {
        let mut milliseconds = 0.0;
        self.call("cuEventElapsedTime", |cuda| {
            // SAFETY: the pointer is to a live variable; the events are alive, as `Driver` asks.
            unsafe { (cuda.cuEventElapsedTime)(&mut milliseconds, event_of(from), event_of(to)) }
        })?;
        Ok(duration(milliseconds))
    }

    unsafe fn free_event(&self, event: Raw) {
        // As in `free`.
        let _ = self.call("cuEventDestroy", |cuda| {
            // SAFETY: the event is alive, as `Driver` asks. An event that is not yet reached is freed once it is.
            unsafe { (cuda.cuEventDestroy_v2)(event_of(event)) }
        });
    }

    fn compile(&self, name: &str, source: &str) -> Result<Vec<u8>, GpuError> {
        self.nvrtc
            .compile(name, source, &self.info.architecture)
            .map_err(|failure| failure.of(name, &self.info.name))
    }

    fn load(&self, name: &str, binary: &[u8]) -> Result<Raw, GpuError> {
        // The driver is not told where the image ends: ELF says so itself, and text ends with a zero.
        if !binary.starts_with(b"\x7fELF") && binary.last() != Some(&0) {
            return Err(GpuError::Driver {
                device: self.info.name.clone(),
                call: "cuModuleLoadDataEx",
                code: format!("{name} is no compiled program"),
            });
        }
        let mut log = [0u8; LOG_BYTES];
        // Values are handed over in the place of pointers.
        let mut options = [
            CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
            CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        ];
        let mut values: [*mut c_void; 2] = [
            log.as_mut_ptr().cast(),
            ptr::without_provenance_mut(LOG_BYTES),
        ];
        let mut module = ptr::null_mut();
        let loaded = self.call("cuModuleLoadDataEx", |cuda| {
            // SAFETY: the image ends where it says; options and values are as many, and the log is as long as told.
            unsafe {
                (cuda.cuModuleLoadDataEx)(
                    &mut module,
                    binary.as_ptr().cast(),
                    options.len() as c_uint,
                    options.as_mut_ptr(),
                    values.as_mut_ptr(),
                )
            }
        });
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
        Ok(handle(module))
    }

    unsafe fn unload(&self, program: Raw) {
        // Its code may still run. As in `free`, there is nobody to tell of a failure.
        let _ = self.call("cuCtxSynchronize", |cuda| {
            // SAFETY: it takes nothing.
            unsafe { (cuda.cuCtxSynchronize)() }
        });
        let _ = self.call("cuModuleUnload", |cuda| {
            // SAFETY: the program is loaded, as `Driver` asks, and nothing of it runs any more.
            unsafe { (cuda.cuModuleUnload)(module_of(program)) }
        });
    }

    unsafe fn kernel(&self, program: Raw, name: &CStr) -> Result<Raw, GpuError> {
        let mut function = ptr::null_mut();
        self.call("cuModuleGetFunction", |cuda| {
            // SAFETY: the pointers are to a live variable and to text that ends with a zero; the module is loaded,
            // as `Driver` asks.
            unsafe { (cuda.cuModuleGetFunction)(&mut function, module_of(program), name.as_ptr()) }
        })?;
        self.raise_shared_memory(function)?;
        Ok(handle(function))
    }

    unsafe fn free_kernel(&self, _: Raw) {
        // It belongs to its module.
    }

    unsafe fn launch(
        &self,
        stream: Raw,
        kernel: Raw,
        launch: Launch,
        arguments: &[Argument],
    ) -> Result<(), GpuError> {
        if arguments.len() > MOST_ARGUMENTS {
            return Err(GpuError::Shape(format!(
                "a kernel has at most {MOST_ARGUMENTS} arguments, not {}",
                arguments.len()
            )));
        }
        let whole = |value: usize| c_int::try_from(value).map(c_int::unsigned_abs);
        let (Ok(groups), Ok(threads), Ok(shared)) = (
            whole(launch.groups),
            whole(launch.threads),
            whole(launch.shared_bytes),
        ) else {
            return Err(self.beyond(format!(
                "{} groups of {} threads that share {} bytes are more than a launch can have, {} of each",
                launch.groups,
                launch.threads,
                launch.shared_bytes,
                c_int::MAX
            )));
        };
        let mut addresses: [CUdeviceptr; MOST_ARGUMENTS] = [0; MOST_ARGUMENTS];
        let mut values: [*mut c_void; MOST_ARGUMENTS] = [ptr::null_mut(); MOST_ARGUMENTS];
        for ((argument, place), value) in arguments.iter().zip(&mut addresses).zip(&mut values) {
            // The driver only reads where the values point.
            *value = match argument {
                Argument::Memory(memory) => {
                    *place = address(memory.raw, 0);
                    ptr::from_mut(place).cast()
                }
                Argument::U32(number) => ptr::from_ref(number).cast_mut().cast(),
                Argument::U64(number) => ptr::from_ref(number).cast_mut().cast(),
            };
        }
        self.call("cuLaunchKernel", |cuda| {
            // SAFETY: handles are alive, as `Driver` asks; the values live until the call has copied them, and the
            // caller answers for their number and types.
            unsafe {
                (cuda.cuLaunchKernel)(
                    function_of(kernel),
                    groups,
                    1,
                    1,
                    threads,
                    1,
                    1,
                    shared,
                    stream_of(stream),
                    values.as_mut_ptr(),
                    ptr::null_mut(),
                )
            }
        })
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
