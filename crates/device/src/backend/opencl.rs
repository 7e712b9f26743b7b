//! Devices of OpenCL, by the loader that finds every vendor's.

use crate::backend::{Absence, Argument, Compiled, Driver, Launch, Raw, RawHost, Span};
use crate::error::GpuError;
use crate::group::KernelGroup;
use crate::info::{Backend, DeviceInfo, DeviceKind};
use cl3::command_queue::{
    CL_QUEUE_PROFILING_ENABLE, create_command_queue, enqueue_barrier_with_wait_list,
    enqueue_copy_buffer, enqueue_fill_buffer, enqueue_map_buffer, enqueue_marker_with_wait_list,
    enqueue_nd_range_kernel, enqueue_read_buffer, enqueue_unmap_mem_object, enqueue_write_buffer,
    finish, flush, release_command_queue,
};
use cl3::context::{create_context, release_context};
use cl3::device::*;
use cl3::error_codes::{
    CL_BUILD_PROGRAM_FAILURE, CL_DEVICE_NOT_AVAILABLE, CL_INVALID_BUFFER_SIZE,
    CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_DEVICE,
    CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES, ClError,
    DLOPEN_FUNCTION_NOT_AVAILABLE, DLOPEN_RUNTIME_LOAD_FAILED,
};
use cl3::event::{
    CL_PROFILING_COMMAND_END, get_event_profiling_info, release_event, wait_for_events,
};
use cl3::kernel::{
    CL_KERNEL_LOCAL_MEM_SIZE, CL_KERNEL_WORK_GROUP_SIZE, create_kernel, get_kernel_work_group_info,
    release_kernel, set_kernel_arg,
};
use cl3::memory::{
    CL_MAP_READ, CL_MAP_WRITE, CL_MEM_ALLOC_HOST_PTR, CL_MEM_READ_WRITE, create_buffer,
    release_mem_object,
};
use cl3::platform::{CL_PLATFORM_NAME, get_platform_ids, get_platform_info};
use cl3::program::{
    CL_PROGRAM_BINARIES, CL_PROGRAM_BUILD_LOG, build_program, create_program_with_binary,
    create_program_with_source, get_program_build_info, get_program_info, release_program,
};
use cl3::types::{
    CL_TRUE, cl_command_queue, cl_context, cl_device_id, cl_event, cl_int, cl_mem, cl_platform_id,
    cl_program, cl_uint,
};
use std::ffi::{CStr, c_void};
use std::mem::{ManuallyDrop, size_of};
use std::ptr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How programs are compiled: the language every OpenCL device has.
const OPTIONS: &CStr = c"-cl-std=CL1.2";
/// Likewise, and kernels are told how to write NVIDIA's instructions: compilers have one of two words for that, if any.
const OPTIONS_WITH_ASM: [&CStr; 2] = [c"-cl-std=CL1.2 -D ASM=__asm__", c"-cl-std=CL1.2 -D ASM=asm"];
/// PoCL as a platform.
const POCL: &str = "Portable Computing Language";
/// The number of NVIDIA among the makers of PCI devices, by which drivers name themselves.
const NVIDIA: cl_uint = 0x10de;
/// What a compiler must take that is said to take NVIDIA's instructions: a carry from one to the next.
const ASM_TRIAL: &str = "
__kernel void trial(__global uint* x) {
  uint low = x[0], high = x[1];
  ASM volatile(\"mad.lo.cc.u32 %0, %2, %3, %0;\\n\\tmadc.hi.cc.u32 %1, %2, %3, %1;\"
               : \"+&r\"(low), \"+&r\"(high) : \"r\"(x[2]), \"r\"(x[3]));
  ASM volatile(\"addc.u32 %0, %0, 0;\" : \"+r\"(high));
  x[0] = low + high;
}
";

/// What there is.
pub(crate) fn discover() -> Result<Vec<DeviceInfo>, Absence> {
    let devices = identifiers().map_err(reason_of_absence)?;
    // A device that does not answer is as good as none.
    let infos = devices.iter().enumerate();
    Ok(infos
        .filter_map(|(index, &device)| describe(index, device).ok())
        .collect())
}

/// Why there is no OpenCL, in words.
fn reason_of_absence(code: cl_int) -> Absence {
    match code {
        DLOPEN_RUNTIME_LOAD_FAILED | DLOPEN_FUNCTION_NOT_AVAILABLE => {
            Absence::none("there is no OpenCL loader on this machine (libOpenCL)")
        }
        -1001 => Absence::none("the OpenCL loader knows no vendor's driver"),
        code => Absence::unusable(format!("the OpenCL loader failed: {}", ClError(code))),
    }
}

/// Drivers set themselves up when they are first asked for devices, and not all of them expect to be asked twice at
/// once. The lock guards their state; this crate has none.
static ASKING: Mutex<()> = Mutex::new(());

/// The devices of all platforms, in the loader's order.
fn identifiers() -> Result<Vec<cl_device_id>, cl_int> {
    let _one_at_a_time = ASKING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut all = Vec::new();
    for platform in get_platform_ids()? {
        // A platform without devices says so by an error.
        all.extend(get_device_ids(platform, CL_DEVICE_TYPE_ALL).unwrap_or_default());
    }
    Ok(all)
}

/// Text of a driver without the zeros and spaces around it.
fn plain(text: &str) -> String {
    text.trim_matches(|c: char| c == '\0' || c.is_whitespace())
        .to_owned()
}

/// The name of the runtime that a device belongs to.
fn platform_name(device: cl_device_id) -> Result<String, cl_int> {
    let platform = get_device_info(device, CL_DEVICE_PLATFORM)?.to_ptr() as cl_platform_id;
    let name = get_platform_info(platform, CL_PLATFORM_NAME)?;
    Ok(plain(&name.to_string()))
}

fn describe(index: usize, device: cl_device_id) -> Result<DeviceInfo, cl_int> {
    let text = |what| get_device_info(device, what).map(|value| plain(&value.to_string()));
    let size = |what| get_device_info(device, what).map(|value| value.to_size());
    let long = |what| get_device_info(device, what).map(|value| value.to_ulong());
    let int = |what| get_device_info(device, what).map(|value| value.to_uint());
    let kind = long(CL_DEVICE_TYPE)?;
    let kind = if kind & CL_DEVICE_TYPE_GPU != 0 {
        DeviceKind::Gpu
    } else if kind & CL_DEVICE_TYPE_CPU != 0 {
        DeviceKind::Cpu
    } else {
        DeviceKind::Accelerator
    };
    Ok(DeviceInfo {
        backend: Backend::OpenCl,
        index,
        name: text(CL_DEVICE_NAME)?,
        driver: format!("{} {}", text(CL_DEVICE_VERSION)?, text(CL_DRIVER_VERSION)?),
        kind,
        architecture: String::new(),
        memory: long(CL_DEVICE_GLOBAL_MEM_SIZE)?,
        largest_buffer: long(CL_DEVICE_MAX_MEM_ALLOC_SIZE)?,
        shared_memory: long(CL_DEVICE_LOCAL_MEM_SIZE)? as usize,
        group_threads: size(CL_DEVICE_MAX_WORK_GROUP_SIZE)?,
        simd_width: 1,
        units: int(CL_DEVICE_MAX_COMPUTE_UNITS)? as usize,
        clock_mhz: int(CL_DEVICE_MAX_CLOCK_FREQUENCY)?,
        unit_threads: 0,
        unit_groups: 0,
        unit_registers: 0,
        unit_shared_memory: 0,
        cache: long(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE).unwrap_or(0),
        bandwidth: 0,
        doubles: text(CL_DEVICE_EXTENSIONS)?
            .split(' ')
            .any(|name| name == "cl_khr_fp64"),
    })
}

/// An open device.
pub(crate) struct Opened {
    info: DeviceInfo,
    device: cl_device_id,
    context: cl_context,
    /// For copies that belong to no stream of the caller's: mapping host memory.
    queue: cl_command_queue,
    /// How programs are compiled.
    options: &'static CStr,
    /// Whether the runtime keeps compiled programs on disk itself. PoCL does; to make a binary it compiles every kernel once
    /// more, for groups of any size.
    keeps_programs: bool,
    /// A kernel object keeps its arguments until it is enqueued, so both are done under this lock.
    launching: Mutex<()>,
}

// SAFETY: OpenCL's functions may be called from every thread, but for `clSetKernelArg`, which is called under a lock.
unsafe impl Send for Opened {}
// SAFETY: likewise, also from several threads at once: OpenCL's other functions are thread-safe (specification,
// appendix A.2), and what is here is not changed after `open`.
unsafe impl Sync for Opened {}

impl Opened {
    pub(crate) fn open(info: &DeviceInfo) -> Result<Self, GpuError> {
        let gone = || GpuError::NoDevice {
            wanted: format!("opencl:{}", info.index),
            found: "it is not there any more".to_owned(),
            unusable: false,
        };
        let devices = identifiers().map_err(|_| gone())?;
        let device = *devices.get(info.index).ok_or_else(gone)?;
        let failed = |call| move |code| failure(info, call, code);
        let context = create_context(&[device], ptr::null(), None, ptr::null_mut())
            .map_err(failed("clCreateContext"))?;
        // SAFETY: context and device are alive and belong together.
        let queue = unsafe { create_command_queue(context, device, 0) }.map_err(|code| {
            // SAFETY: the context is not used again.
            let _ = unsafe { release_context(context) };
            failure(info, "clCreateCommandQueue", code)
        })?;
        let mut opened = Self {
            info: info.clone(),
            device,
            context,
            queue,
            options: OPTIONS,
            keeps_programs: platform_name(device).is_ok_and(|name| name == POCL),
            launching: Mutex::new(()),
        };
        // Other compilers look at foreign instructions when a kernel runs, if at all, and may give up on the program.
        let vendor = get_device_info(device, CL_DEVICE_VENDOR_ID).map_or(0, |id| id.to_uint());
        if vendor == NVIDIA && info.kind == DeviceKind::Gpu {
            opened.options = opened.options_with_asm().unwrap_or(OPTIONS);
        }
        Ok(opened)
    }

    /// How programs with NVIDIA's instructions are compiled, if the compiler takes them.
    fn options_with_asm(&mut self) -> Option<&'static CStr> {
        OPTIONS_WITH_ASM.into_iter().find(|options| {
            self.options = options;
            let trial = create_program_with_source(self.context, &[ASM_TRIAL]);
            trial.is_ok_and(|trial| self.build("trial", trial).is_ok())
        })
    }

    fn check<T>(&self, call: &'static str, result: Result<T, cl_int>) -> Result<T, GpuError> {
        result.map_err(|code| failure(&self.info, call, code))
    }

    /// As `check`, for calls that return an event of no interest.
    fn done(&self, call: &'static str, result: Result<cl_event, cl_int>) -> Result<(), GpuError> {
        let event = self.check(call, result)?;
        // SAFETY: the event was made by this call and is not used again.
        self.check("clReleaseEvent", unsafe { release_event(event) })
    }

    /// Compiles or loads a program.
    fn build(&self, name: &str, program: cl_program) -> Result<Program, GpuError> {
        let program = Program(program);
        match build_program(
            program.0,
            &[self.device],
            self.options,
            None,
            ptr::null_mut(),
        ) {
            Ok(()) => Ok(program),
            Err(CL_BUILD_PROGRAM_FAILURE) => Err(GpuError::Compile {
                program: name.to_owned(),
                device: self.info.name.clone(),
                log: self.log(&program),
            }),
            Err(code) => Err(failure(&self.info, "clBuildProgram", code)),
        }
    }

    /// What a program was compiled to.
    fn binary(&self, program: &Program) -> Result<Vec<u8>, GpuError> {
        let binaries = get_program_info(program.0, CL_PROGRAM_BINARIES);
        let all = self.check("clGetProgramInfo", binaries)?.to_vec_vec_uchar();
        Ok(all.into_iter().next().unwrap_or_default())
    }

    /// The compiler's log of a program.
    fn log(&self, program: &Program) -> String {
        let log = get_program_build_info(program.0, self.device, CL_PROGRAM_BUILD_LOG);
        log.map_or_else(
            |code| format!("(no log: {})", ClError(code)),
            |log| plain(&log.to_string()),
        )
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        // SAFETY: everything else that this driver made is gone, for it keeps the device alive.
        unsafe {
            let _ = release_command_queue(self.queue);
            let _ = release_context(self.context);
        }
    }
}

/// A program that is released with this value.
struct Program(cl_program);

impl Program {
    /// The program, released by no one yet.
    fn into_raw(self) -> Raw {
        Raw::of(ManuallyDrop::new(self).0)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: the program was made by OpenCL, and no one else has it.
        let _ = unsafe { release_program(self.0) };
    }
}

/// What an error code means.
fn failure(info: &DeviceInfo, call: &'static str, code: cl_int) -> GpuError {
    let device = info.name.clone();
    let name = ClError(code).to_string();
    match code {
        CL_MEM_OBJECT_ALLOCATION_FAILURE | CL_INVALID_BUFFER_SIZE | CL_OUT_OF_HOST_MEMORY => {
            GpuError::OutOfMemory {
                device,
                wanted: 0,
                free: 0,
                limit: info.memory,
                largest: info.largest_buffer,
            }
        }
        // Drivers tell a device that hangs or is unplugged by one of these.
        CL_DEVICE_NOT_AVAILABLE
        | CL_INVALID_CONTEXT
        | CL_INVALID_COMMAND_QUEUE
        | CL_INVALID_DEVICE => GpuError::DeviceLost {
            device,
            call,
            code: name,
        },
        CL_OUT_OF_RESOURCES => GpuError::Driver {
            device,
            call,
            code: format!("{name} (too little memory, or a kernel that went wrong)"),
        },
        _ => GpuError::Driver {
            device,
            call,
            code: name,
        },
    }
}

impl Driver for Opened {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn free_memory(&self) -> Option<u64> {
        None
    }

    fn allocate(&self, bytes: usize) -> Result<Raw, GpuError> {
        // SAFETY: the context is alive, and no host memory is given.
        let memory =
            unsafe { create_buffer(self.context, CL_MEM_READ_WRITE, bytes, ptr::null_mut()) };
        self.check("clCreateBuffer", memory).map(Raw::of)
    }

    unsafe fn free(&self, memory: Raw) {
        // SAFETY: `memory` is of this driver and not yet freed, as `Driver` asks. Commands that use it keep it until they
        // are done.
        let _ = unsafe { release_mem_object(memory.pointer()) };
    }

    fn allocate_host(&self, bytes: usize) -> Result<RawHost, GpuError> {
        // Memory that the driver allocates on the host is pinned where the driver can.
        let flags = CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR;
        // SAFETY: the context is alive, and no host memory is given.
        let memory = unsafe { create_buffer(self.context, flags, bytes, ptr::null_mut()) };
        let memory = self.check("clCreateBuffer", memory)?;
        let mut address: cl_mem = ptr::null_mut();
        // SAFETY: the buffer was just made, has that size, and the call waits.
        let mapped = unsafe {
            enqueue_map_buffer(
                self.queue,
                memory,
                CL_TRUE,
                CL_MAP_READ | CL_MAP_WRITE,
                0,
                bytes,
                &mut address,
                0,
                ptr::null(),
            )
        };
        self.done("clEnqueueMapBuffer", mapped).inspect_err(|_| {
            // SAFETY: the buffer is not used again.
            let _ = unsafe { release_mem_object(memory) };
        })?;
        Ok(RawHost {
            address: address.cast(),
            handle: Raw::of(memory),
        })
    }

    unsafe fn free_host(&self, memory: RawHost) {
        let buffer = memory.handle.pointer();
        // SAFETY: `memory` is of this driver and not yet freed, as `Driver` asks; the buffer was mapped at this address.
        unsafe {
            let unmapped =
                enqueue_unmap_mem_object(self.queue, buffer, memory.address.cast(), 0, ptr::null());
            let _ = self.done("clEnqueueUnmapMemObject", unmapped);
            let _ = finish(self.queue);
            let _ = release_mem_object(buffer);
        }
    }

    fn create_stream(&self, timed: bool) -> Result<Raw, GpuError> {
        let properties = if timed { CL_QUEUE_PROFILING_ENABLE } else { 0 };
        // SAFETY: context and device are alive and belong together.
        let queue = unsafe { create_command_queue(self.context, self.device, properties) };
        self.check("clCreateCommandQueue", queue).map(Raw::of)
    }

    unsafe fn destroy_stream(&self, stream: Raw) {
        // SAFETY: the stream is alive, as `Driver` asks.
        let _ = unsafe { release_command_queue(stream.pointer()) };
    }

    unsafe fn finish(&self, stream: Raw) -> Result<(), GpuError> {
        self.check("clFinish", finish(stream.pointer()))
    }

    unsafe fn write(
        &self,
        stream: Raw,
        memory: Raw,
        span: Span,
        source: *const u8,
        blocking: bool,
    ) -> Result<(), GpuError> {
        let (queue, memory, source) = (stream.pointer(), memory.pointer(), source.cast());
        // When a blocking write returns, the source may be used again; the buffer need not be written yet. What comes
        // after it on another queue needs an event, as after any command.
        let wait = cl_uint::from(blocking);
        // SAFETY: the span is inside the buffer, and the source lives until the stream is past it, as `Driver` asks.
        let written = unsafe {
            enqueue_write_buffer(
                queue,
                memory,
                wait,
                span.offset,
                span.len,
                source,
                0,
                ptr::null(),
            )
        };
        self.done("clEnqueueWriteBuffer", written)
    }

    unsafe fn read(
        &self,
        stream: Raw,
        memory: Raw,
        span: Span,
        target: *mut u8,
        blocking: bool,
    ) -> Result<(), GpuError> {
        let (queue, memory, target) = (stream.pointer(), memory.pointer(), target.cast());
        let wait = cl_uint::from(blocking);
        // SAFETY: the span is inside the buffer, and the target lives until the stream is past it, as `Driver` asks.
        let read = unsafe {
            enqueue_read_buffer(
                queue,
                memory,
                wait,
                span.offset,
                span.len,
                target,
                0,
                ptr::null(),
            )
        };
        self.done("clEnqueueReadBuffer", read)
    }

    unsafe fn copy(
        &self,
        stream: Raw,
        (from, from_offset): (Raw, usize),
        (to, to_offset): (Raw, usize),
        len: usize,
    ) -> Result<(), GpuError> {
        let (queue, from, to) = (stream.pointer(), from.pointer(), to.pointer());
        // SAFETY: both spans are inside their buffers, as `Driver` asks.
        let copied = unsafe {
            enqueue_copy_buffer(queue, from, to, from_offset, to_offset, len, 0, ptr::null())
        };
        self.done("clEnqueueCopyBuffer", copied)
    }

    unsafe fn clear(&self, stream: Raw, memory: Raw, span: Span) -> Result<(), GpuError> {
        let (queue, memory, zero) = (stream.pointer(), memory.pointer(), 0u8);
        // SAFETY: the span is inside the buffer, as `Driver` asks; the pattern is copied by the call.
        let cleared = unsafe {
            let pattern = (&raw const zero).cast();
            enqueue_fill_buffer(
                queue,
                memory,
                pattern,
                1,
                span.offset,
                span.len,
                0,
                ptr::null(),
            )
        };
        self.done("clEnqueueFillBuffer", cleared)
    }

    unsafe fn record(&self, stream: Raw, _timed: bool) -> Result<Raw, GpuError> {
        let queue = stream.pointer();
        // SAFETY: the stream is alive, as `Driver` asks.
        let event = unsafe { enqueue_marker_with_wait_list(queue, 0, ptr::null()) };
        let event = self.check("clEnqueueMarkerWithWaitList", event)?;
        // Another queue may wait for it, and a queue that is not flushed need not begin.
        if let Err(code) = flush(queue) {
            // SAFETY: the event was just made, and nobody else knows it.
            let _ = unsafe { release_event(event) };
            return Err(failure(&self.info, "clFlush", code));
        }
        Ok(Raw::of(event))
    }

    unsafe fn wait(&self, event: Raw) -> Result<(), GpuError> {
        self.check("clWaitForEvents", wait_for_events(&[event.pointer()]))
    }

    unsafe fn wait_on(&self, stream: Raw, event: Raw) -> Result<(), GpuError> {
        let events = [event.pointer()];
        // SAFETY: stream and event are alive, as `Driver` asks.
        let barrier =
            unsafe { enqueue_barrier_with_wait_list(stream.pointer(), 1, events.as_ptr()) };
        self.done("clEnqueueBarrierWithWaitList", barrier)
    }

    unsafe fn elapsed(&self, from: Raw, to: Raw) -> Result<Duration, GpuError> {
        let end = |event: Raw| {
            let info = get_event_profiling_info(event.pointer(), CL_PROFILING_COMMAND_END);
            self.check("clGetEventProfilingInfo", info)
                .map(|time| time.to_ulong())
        };
        Ok(Duration::from_nanos(end(to)?.saturating_sub(end(from)?)))
    }

    unsafe fn free_event(&self, event: Raw) {
        // SAFETY: the event is alive, as `Driver` asks.
        let _ = unsafe { release_event(event.pointer()) };
    }

    fn compiler_options(&self) -> String {
        self.options.to_string_lossy().into_owned()
    }

    fn compile(&self, name: &str, source: &str) -> Result<Compiled, GpuError> {
        let program = create_program_with_source(self.context, &[source]);
        let program = self.build(name, self.check("clCreateProgramWithSource", program)?)?;
        let binary = match self.keeps_programs {
            true => None,
            false => Some(self.binary(&program)?),
        };
        Ok(Compiled {
            program: program.into_raw(),
            binary,
        })
    }

    fn load(&self, name: &str, binary: &[u8]) -> Result<Raw, GpuError> {
        // SAFETY: context and device are alive and belong together; the binary is read by the call alone.
        let program =
            unsafe { create_program_with_binary(self.context, &[self.device], &[binary]) };
        let program = self.check("clCreateProgramWithBinary", program)?;
        Ok(self.build(name, program)?.into_raw())
    }

    unsafe fn unload(&self, program: Raw) {
        // SAFETY: the program is loaded, as `Driver` asks.
        let _ = unsafe { release_program(program.pointer()) };
    }

    unsafe fn kernel(&self, program: Raw, name: &CStr) -> Result<Raw, GpuError> {
        self.check("clCreateKernel", create_kernel(program.pointer(), name))
            .map(Raw::of)
    }

    unsafe fn free_kernel(&self, kernel: Raw) {
        // SAFETY: the kernel is alive, as `Driver` asks.
        let _ = unsafe { release_kernel(kernel.pointer()) };
    }

    unsafe fn group(&self, kernel: Raw) -> Result<KernelGroup, GpuError> {
        let told = |what| get_kernel_work_group_info(kernel.pointer(), self.device, what);
        let threads = told(CL_KERNEL_WORK_GROUP_SIZE).map_or(0, |threads| threads.to_size());
        let bytes = told(CL_KERNEL_LOCAL_MEM_SIZE).map_or(0, |bytes| bytes.to_ulong());
        Ok(KernelGroup {
            threads: match threads {
                // What a driver does not tell, it refuses when the kernel is launched.
                0 => usize::MAX,
                threads => threads,
            },
            shared_bytes: bytes as usize,
            has_tile: true,
            // Of these there is no word in OpenCL.
            registers: None,
        })
    }

    unsafe fn launch(
        &self,
        stream: Raw,
        kernel: Raw,
        launch: Launch,
        arguments: &[Argument],
    ) -> Result<(), GpuError> {
        let kernel = kernel.pointer();
        let _one_at_a_time = self
            .launching
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        for (index, argument) in (0..).zip(arguments) {
            let buffer;
            let (size, value): (usize, *const c_void) = match argument {
                Argument::Memory(memory) => {
                    buffer = memory.raw.pointer();
                    (size_of::<cl_mem>(), (&raw const buffer).cast())
                }
                Argument::U32(value) => (4, ptr::from_ref(value).cast()),
                Argument::U64(value) => (8, ptr::from_ref(value).cast()),
            };
            // SAFETY: the value has that size and is copied by the call, which checks size and number.
            self.check("clSetKernelArg", unsafe {
                set_kernel_arg(kernel, index, size, value)
            })?;
        }
        let group = launch.threads;
        let all = [0, 1, 2].map(|side| launch.groups[side].saturating_mul(group[side]));
        // SAFETY: stream, kernel and buffers are alive, as `Driver` asks; sizes are of three dimensions.
        let launched = unsafe {
            enqueue_nd_range_kernel(
                stream.pointer(),
                kernel,
                3,
                ptr::null(),
                all.as_ptr(),
                group.as_ptr(),
                0,
                ptr::null(),
            )
        };
        self.done("clEnqueueNDRangeKernel", launched)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_nvidias_compiler_is_given_its_instructions() {
        let devices = match discover() {
            Ok(devices) => devices,
            Err(none) => return sunzi_testkit::skip(&none.reason),
        };
        for info in devices.iter().filter(|info| info.kind == DeviceKind::Cpu) {
            let opened = Opened::open(info).unwrap();
            assert_eq!(opened.compiler_options(), "-cl-std=CL1.2", "{info:?}");
        }
    }
}
