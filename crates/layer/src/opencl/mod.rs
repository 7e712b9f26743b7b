//! The layer of OpenCL's loader: the functions that it puts into the table.
//!
//! Each calls the driver's own function once, with what the program gave or, for a launch, with the chosen block. What the layer does
//! before and after is guarded.

mod api;
mod arguments;
mod kernels;
mod launches;
mod spare;
mod text;

use std::ffi::{c_char, c_void};
use std::ptr;
use std::sync::OnceLock;

use api::{Code, Handle, Next, place};
use kernels::Kernels;
use launches::{Recorded, Submitted};

use crate::guard::guarded;
use crate::pending::Pending;
use crate::run::Run;

/// What `clGetLayerInfo` is asked for.
const LAYER_VERSION: u32 = 0x4240;
const LAYER_NAME: u32 = 0x4241;
const VERSION: u32 = 100;
const NAME: &[u8] = b"sunzi\0";
const INVALID_VALUE: Code = -30;
/// What a function returns that the driver turned out not to have.
const INVALID_OPERATION: Code = -59;

/// The layer in this process.
struct Layer {
    next: Next,
    run: &'static Run,
    kernels: Kernels,
    launches: Pending<Recorded>,
    table: Table,
}

/// A copy of the loader's table with functions replaced.
struct Table(Vec<*const c_void>);
// SAFETY: it holds addresses of functions, and nobody writes to it.
unsafe impl Send for Table {}
// SAFETY: as above.
unsafe impl Sync for Table {}

static LAYER: OnceLock<Layer> = OnceLock::new();

/// What is known of the layer, for the loader.
///
/// # Safety
/// As the loader calls it: `value` has room for so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetLayerInfo(
    what: u32,
    room: usize,
    value: *mut c_void,
    size: *mut usize,
) -> Code {
    let version = VERSION.to_ne_bytes();
    let bytes = match what {
        LAYER_VERSION => &version[..],
        LAYER_NAME => NAME,
        _ => return INVALID_VALUE,
    };
    if !value.is_null() && room < bytes.len() {
        return INVALID_VALUE;
    }
    // SAFETY: there is room, and what is null is not written to.
    unsafe {
        if !value.is_null() {
            ptr::copy_nonoverlapping(bytes.as_ptr(), value.cast(), bytes.len());
        }
        if !size.is_null() {
            *size = bytes.len();
        }
    }
    api::SUCCESS
}

/// Puts the layer before a table of functions. Without a plan the table stays as it is.
///
/// # Safety
/// As the loader calls it: `target` is a table of so many functions, and the other two are places for the new one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clInitLayer(
    length: u32,
    target: *const *const c_void,
    new_length: *mut u32,
    new: *mut *const *const c_void,
) -> Code {
    if target.is_null() || new_length.is_null() || new.is_null() {
        return INVALID_VALUE;
    }
    let layer = guarded(|| {
        // A second loader in the process has a table of its own, which the first one's functions would not lead to.
        if LAYER.get().is_some() {
            return None;
        }
        // SAFETY: by this function's terms.
        let layer = unsafe { Layer::before(target, length as usize) }?;
        Some(LAYER.get_or_init(|| layer))
    });
    let table = layer.map_or(target, |layer| layer.table.0.as_ptr());
    // SAFETY: by this function's terms.
    unsafe {
        *new_length = length;
        *new = table;
    }
    api::SUCCESS
}

/// The same for later loaders of Khronos, which say how the layer is to end: it keeps nothing that has to end.
///
/// # Safety
/// As [`clInitLayer`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clInitLayerWithProperties(
    length: u32,
    target: *const *const c_void,
    new_length: *mut u32,
    new: *mut *const *const c_void,
    _properties: *const u64,
) -> Code {
    // SAFETY: by this function's terms.
    unsafe { clInitLayer(length, target, new_length, new) }
}

/// The loader ends, and drivers are still there.
#[unsafe(no_mangle)]
pub extern "C" fn clDeinitLayer() -> Code {
    waited();
    api::SUCCESS
}

impl Layer {
    /// # Safety
    /// `target` is a table of so many functions.
    unsafe fn before(target: *const *const c_void, length: usize) -> Option<Self> {
        let run = Run::get()?;
        // SAFETY: by this function's terms.
        let (next, mut table) = unsafe {
            let all = std::slice::from_raw_parts(target, length);
            (Next::of(target, length), all.to_vec())
        };
        let mut replace = |place: usize, function: *const c_void| {
            if let Some(entry) = table.get_mut(place).filter(|entry| !entry.is_null()) {
                *entry = function;
            }
        };
        replace(place::create_buffer, create_buffer as *const c_void);
        replace(
            place::create_buffer_with,
            create_buffer_with as *const c_void,
        );
        replace(place::create_sub_buffer, create_sub_buffer as *const c_void);
        replace(place::release_memory, release_memory as *const c_void);
        replace(place::create_kernel, create_kernel as *const c_void);
        replace(place::create_kernels, create_kernels as *const c_void);
        replace(place::clone_kernel, clone_kernel as *const c_void);
        replace(place::release_kernel, release_kernel as *const c_void);
        replace(place::set_argument, set_argument as *const c_void);
        replace(place::set_svm_pointer, set_svm_pointer as *const c_void);
        replace(place::set_execution, set_execution as *const c_void);
        replace(place::launch, launch as *const c_void);
        if run.record().is_some() {
            replace(place::create_queue, create_queue as *const c_void);
            replace(place::create_queue_with, create_queue_with as *const c_void);
            replace(place::release_queue, release_queue as *const c_void);
            replace(place::wait_for_events, wait_for_events as *const c_void);
            replace(place::finish, finish as *const c_void);
            replace(place::read, read as *const c_void);
            replace(place::map, map as *const c_void);
        }
        Some(Layer {
            next,
            run,
            kernels: Kernels::default(),
            launches: Pending::default(),
            table: Table(table),
        })
    }
}

/// Writes down launches whose time nobody has waited for. Drivers may be gone, and are not asked.
pub fn give_up_pending() {
    if let Some(layer) = LAYER.get()
        && let Some(record) = layer.run.record()
    {
        layer.launches.give_up(record);
    }
}

/// Calls the driver's function of that name, which is there where its place in the table was taken; what the layer makes of it is guarded.
macro_rules! next {
    ($name:ident($($argument:expr),*) else $otherwise:expr) => {
        match LAYER.get().and_then(|layer| layer.next.$name) {
            // SAFETY: with what the program gave, as it would have called it by itself.
            Some(function) => unsafe { function($($argument),*) },
            None => $otherwise,
        }
    };
}

/// Does something with the layer, guarded.
fn with<T>(work: impl FnOnce(&'static Layer) -> Option<T>) -> Option<T> {
    guarded(|| work(LAYER.get()?))
}

/// After a call that may have waited: writes down launches that are done.
fn waited() {
    with(|layer| {
        layer.launches.gather(&layer.next, layer.run.record()?);
        Some(())
    });
}

fn made(memory: Handle) -> Handle {
    with(|layer| {
        layer.kernels.add_buffer(memory);
        Some(())
    });
    memory
}

unsafe extern "C" fn create_buffer(
    context: Handle,
    flags: u64,
    size: usize,
    host: *mut c_void,
    code: *mut Code,
) -> Handle {
    made(next!(create_buffer(context, flags, size, host, code) else ptr::null_mut()))
}

unsafe extern "C" fn create_buffer_with(
    context: Handle,
    properties: *const u64,
    flags: u64,
    size: usize,
    host: *mut c_void,
    code: *mut Code,
) -> Handle {
    made(
        next!(create_buffer_with(context, properties, flags, size, host, code) else ptr::null_mut()),
    )
}

unsafe extern "C" fn create_sub_buffer(
    parent: Handle,
    flags: u64,
    kind: u32,
    region: *const c_void,
    code: *mut Code,
) -> Handle {
    made(next!(create_sub_buffer(parent, flags, kind, region, code) else ptr::null_mut()))
}

unsafe extern "C" fn release_memory(memory: Handle) -> Code {
    with(|layer| {
        if layer.kernels.has_buffer(memory)
            && layer.next.memory_number(memory, api::MEMORY_REFERENCES)? as u32 == 1
        {
            layer.kernels.remove_buffer(memory);
        }
        Some(())
    });
    next!(release_memory(memory) else INVALID_OPERATION)
}

unsafe extern "C" fn create_kernel(
    program: Handle,
    name: *const c_char,
    code: *mut Code,
) -> Handle {
    let kernel = next!(create_kernel(program, name, code) else ptr::null_mut());
    with(|layer| {
        layer.kernels.add(kernel, None);
        Some(())
    });
    kernel
}

unsafe extern "C" fn create_kernels(
    program: Handle,
    room: u32,
    kernels: *mut Handle,
    count: *mut u32,
) -> Code {
    let mut made = 0;
    let code = next!(create_kernels(program, room, kernels, &raw mut made) else INVALID_OPERATION);
    with(|layer| {
        if code == api::SUCCESS && !kernels.is_null() {
            // SAFETY: the driver has written so many handles.
            let kernels = unsafe { std::slice::from_raw_parts(kernels, made.min(room) as usize) };
            kernels
                .iter()
                .for_each(|&kernel| layer.kernels.add(kernel, None));
        }
        Some(())
    });
    if !count.is_null() {
        // SAFETY: the program wants to know it there.
        unsafe { *count = made };
    }
    code
}

unsafe extern "C" fn clone_kernel(kernel: Handle, code: *mut Code) -> Handle {
    let clone = next!(clone_kernel(kernel, code) else ptr::null_mut());
    with(|layer| {
        layer.kernels.add(clone, Some(kernel));
        Some(())
    });
    clone
}

unsafe extern "C" fn release_kernel(kernel: Handle) -> Code {
    with(|layer| {
        if layer.next.kernel_number(kernel, api::KERNEL_REFERENCES)? as u32 == 1 {
            layer.kernels.remove(kernel);
        }
        Some(())
    });
    next!(release_kernel(kernel) else INVALID_OPERATION)
}

unsafe extern "C" fn set_argument(
    kernel: Handle,
    index: u32,
    size: usize,
    value: *const c_void,
) -> Code {
    let code = next!(set_argument(kernel, index, size, value) else INVALID_OPERATION);
    if code == api::SUCCESS {
        with(|layer| {
            let bytes = (!value.is_null()).then(|| {
                // SAFETY: the driver has read so many bytes there.
                unsafe { std::slice::from_raw_parts(value.cast::<u8>(), size) }
            });
            layer
                .kernels
                .get(kernel)?
                .arguments
                .lock()
                .ok()?
                .set(index as usize, size, bytes);
            Some(())
        });
    }
    code
}

/// An argument that is an address, or memory that is reached by addresses: what the kernel writes to is not seen from here.
fn reaches_unseen(kernel: Handle) {
    with(|layer| {
        layer
            .kernels
            .get(kernel)?
            .arguments
            .lock()
            .ok()?
            .reaches_unseen = true;
        Some(())
    });
}

unsafe extern "C" fn set_svm_pointer(kernel: Handle, index: u32, value: *const c_void) -> Code {
    reaches_unseen(kernel);
    next!(set_svm_pointer(kernel, index, value) else INVALID_OPERATION)
}

unsafe extern "C" fn set_execution(
    kernel: Handle,
    what: u32,
    size: usize,
    value: *const c_void,
) -> Code {
    reaches_unseen(kernel);
    next!(set_execution(kernel, what, size, value) else INVALID_OPERATION)
}

unsafe extern "C" fn launch(
    queue: Handle,
    kernel: Handle,
    dimensions: u32,
    offset: *const usize,
    threads: *const usize,
    block: *const usize,
    wait_count: u32,
    waits: *const Handle,
    event: *mut Handle,
) -> Code {
    // SAFETY: the arguments are those of a launch.
    let mut submitted = with(|layer| unsafe {
        Submitted::new(
            layer,
            (queue, kernel),
            (dimensions, offset, threads, block),
            (wait_count, waits),
        )
    });
    let mut own_event = ptr::null_mut();
    let is_recorded = submitted.is_some() && with(|layer| layer.run.record()).is_some();
    let event = match is_recorded && event.is_null() {
        true => &raw mut own_event,
        false => event,
    };
    let chosen = submitted.as_ref().and_then(Submitted::chosen);
    let mut code = match chosen {
        Some((threads, block)) => {
            next!(launch(queue, kernel, dimensions, offset, threads.as_ptr(), block.as_ptr(), wait_count, waits, event)
                else INVALID_OPERATION)
        }
        None => INVALID_OPERATION,
    };
    if chosen.is_none() || code != api::SUCCESS {
        if let Some(submitted) = submitted.as_mut().filter(|_| chosen.is_some()) {
            with(|layer| submitted.take_back(layer, code));
        }
        code = next!(launch(queue, kernel, dimensions, offset, threads, block, wait_count, waits, event) else INVALID_OPERATION);
    }
    if is_recorded && code == api::SUCCESS {
        // SAFETY: the driver has written the event.
        let handle = unsafe { *event };
        let is_own = !own_event.is_null();
        with(|layer| {
            let (record, line) = (layer.run.record()?, submitted?.line());
            match Recorded::new(&layer.next, handle, is_own) {
                Some(event) => layer.launches.add(&layer.next, record, line, event),
                None => {
                    record.write(&line, None);
                    Some(())
                }
            }
        });
    }
    code
}

unsafe extern "C" fn create_queue(
    context: Handle,
    device: Handle,
    properties: u64,
    code: *mut Code,
) -> Handle {
    let timed = properties | api::QUEUE_PROFILING;
    let queue = next!(create_queue(context, device, timed, code) else ptr::null_mut());
    match queue.is_null() {
        true => next!(create_queue(context, device, properties, code) else ptr::null_mut()),
        false => queue,
    }
}

unsafe extern "C" fn create_queue_with(
    context: Handle,
    device: Handle,
    properties: *const u64,
    code: *mut Code,
) -> Handle {
    let timed = guarded(|| {
        // SAFETY: the list ends with a zero in the place of a name.
        unsafe { launches::with_times(properties) }
    });
    if let Some(timed) = timed {
        let queue =
            next!(create_queue_with(context, device, timed.as_ptr(), code) else ptr::null_mut());
        if !queue.is_null() {
            return queue;
        }
    }
    next!(create_queue_with(context, device, properties, code) else ptr::null_mut())
}

unsafe extern "C" fn release_queue(queue: Handle) -> Code {
    waited();
    next!(release_queue(queue) else INVALID_OPERATION)
}

unsafe extern "C" fn wait_for_events(count: u32, events: *const Handle) -> Code {
    let code = next!(wait_for_events(count, events) else INVALID_OPERATION);
    waited();
    code
}

unsafe extern "C" fn finish(queue: Handle) -> Code {
    let code = next!(finish(queue) else INVALID_OPERATION);
    waited();
    code
}

unsafe extern "C" fn read(
    queue: Handle,
    memory: Handle,
    blocking: u32,
    offset: usize,
    size: usize,
    host: *mut c_void,
    wait_count: u32,
    waits: *const Handle,
    event: *mut Handle,
) -> Code {
    let code = next!(read(queue, memory, blocking, offset, size, host, wait_count, waits, event) else INVALID_OPERATION);
    if blocking != 0 {
        waited();
    }
    code
}

unsafe extern "C" fn map(
    queue: Handle,
    memory: Handle,
    blocking: u32,
    flags: u64,
    offset: usize,
    size: usize,
    wait_count: u32,
    waits: *const Handle,
    event: *mut Handle,
    code: *mut Code,
) -> *mut c_void {
    let address = next!(map(queue, memory, blocking, flags, offset, size, wait_count, waits, event, code) else ptr::null_mut());
    if blocking != 0 {
        waited();
    }
    address
}
