//! Memory from a pool in the order of streams, where the driver has them: to free waits for nobody, and what was freed
//! is there for the next without a call of the operating system.
//!
//! The pool is this device's own, since the one that the driver has for all would change under other libraries. It keeps
//! a part of the device's memory at most beyond what is in use, and that until the device is closed or memory runs out;
//! the rest is there for others. Memory is taken on a stream that waits for nothing: it
//! is never memory whose last use is still to come, for the pool may not put such waits in by itself. Hence it is there
//! at once, for every stream.

use super::api::{Api, Code, DevicePointer, Handle, PoolProperties};
use super::context::Context;
use super::order::{create_stream, destroy_stream};
use crate::backend::Raw;
use crate::error::GpuError;
use std::ffi::{c_int, c_void};
use std::ptr;

/// Attributes of pools.
const REUSE_INTERNAL_DEPENDENCIES: c_int = 3;
const RELEASE_THRESHOLD: c_int = 4;

/// The part of the device's memory that a pool keeps at most of what was freed: work that goes on takes it again sooner
/// than the system would give it.
const KEPT_PART: u64 = 16;

/// Memory of the device.
const PINNED: c_int = 1;
const ON_DEVICE: c_int = 1;
/// It is shared with no other process.
const NO_HANDLES: c_int = 0;

/// The driver's functions for pools, which came with CUDA 11.2.
#[derive(Clone, Copy)]
struct Functions {
    create: unsafe extern "C" fn(*mut Handle, *const PoolProperties) -> Code,
    destroy: unsafe extern "C" fn(Handle) -> Code,
    set: unsafe extern "C" fn(Handle, c_int, *mut c_void) -> Code,
    trim: unsafe extern "C" fn(Handle, usize) -> Code,
    allocate: unsafe extern "C" fn(*mut DevicePointer, usize, Handle, Handle) -> Code,
    free: unsafe extern "C" fn(DevicePointer, Handle) -> Code,
}

impl Functions {
    fn of(api: &Api) -> Option<Self> {
        Some(Self {
            create: api.cuMemPoolCreate?,
            destroy: api.cuMemPoolDestroy?,
            set: api.cuMemPoolSetAttribute?,
            trim: api.cuMemPoolTrimTo?,
            allocate: api.cuMemAllocFromPoolAsync?,
            free: api.cuMemFreeAsync?,
        })
    }
}

/// A pool.
pub(super) struct Pool {
    functions: Functions,
    handle: Handle,
    /// Where memory is taken.
    first: Handle,
}

impl Pool {
    /// A pool of a device's memory; `None` where the driver has no pools, or none for this device.
    pub(super) fn new(context: &Context, device: c_int) -> Result<Option<Self>, GpuError> {
        let Some(functions) = Functions::of(&context.api) else {
            return Ok(None);
        };
        match Self::make(context, device, functions) {
            // What is refused for another reason than want of memory or of the device, one can do without.
            Err(GpuError::Driver { .. }) => Ok(None),
            made => made.map(Some),
        }
    }

    fn make(context: &Context, device: c_int, functions: Functions) -> Result<Self, GpuError> {
        let properties = PoolProperties {
            allocation: PINNED,
            handles: NO_HANDLES,
            location: ON_DEVICE,
            device,
            security: ptr::null_mut(),
            most: 0,
            usage: 0,
            reserved: [0; 54],
        };
        let first = create_stream(context)?;
        let mut handle = ptr::null_mut();
        // SAFETY: the pointers are to live variables, laid out as the driver has them.
        let made = context.call("cuMemPoolCreate", || unsafe {
            (functions.create)(&mut handle, &properties)
        });
        if let Err(error) = made {
            // SAFETY: the stream was just made.
            unsafe { destroy_stream(context, first) };
            return Err(error);
        }
        let pool = Self {
            functions,
            handle,
            first,
        };
        let (mut no, mut kept) = (0 as c_int, context.info.memory / KEPT_PART);
        let set = pool
            .set(
                context,
                REUSE_INTERNAL_DEPENDENCIES,
                ptr::from_mut(&mut no).cast(),
            )
            .and_then(|()| pool.set(context, RELEASE_THRESHOLD, ptr::from_mut(&mut kept).cast()));
        set.inspect_err(|_| pool.close(context))?;
        Ok(pool)
    }

    /// Sets an attribute; the value is of the attribute's type.
    fn set(&self, context: &Context, attribute: c_int, value: *mut c_void) -> Result<(), GpuError> {
        // SAFETY: the pool is alive, and the callers' values have the types of the driver's documentation.
        context.call("cuMemPoolSetAttribute", || unsafe {
            (self.functions.set)(self.handle, attribute, value)
        })
    }

    /// Memory that is there for every stream.
    pub(super) fn allocate(&self, context: &Context, bytes: usize) -> Result<Raw, GpuError> {
        let mut memory = 0;
        // SAFETY: the pointer is to a live variable; pool and stream are alive.
        context.call("cuMemAllocFromPoolAsync", || unsafe {
            (self.functions.allocate)(&mut memory, bytes, self.handle, self.first)
        })?;
        // The stream has nothing to do, so that this takes no time.
        // SAFETY: the stream is alive.
        let there = context.call("cuStreamSynchronize", || unsafe {
            (context.api.cuStreamSynchronize)(self.first)
        });
        there.inspect_err(|_| {
            // SAFETY: nobody has the memory.
            unsafe { self.free(context, Raw(memory as usize), self.first) }
        })?;
        Ok(Raw(memory as usize))
    }

    /// Frees memory in the order of a stream.
    ///
    /// # Safety
    /// It is of this pool, and what uses it comes before in that order.
    pub(super) unsafe fn free(&self, context: &Context, memory: Raw, stream: Handle) {
        // A failure cannot be reported, and nothing could be done about it.
        // SAFETY: by this function's terms.
        let _ = context.call("cuMemFreeAsync", || unsafe {
            (self.functions.free)(memory.0 as DevicePointer, stream)
        });
    }

    /// Gives what is kept and not in use back to the system.
    pub(super) fn trim(&self, context: &Context) {
        // Memory that is not given back is missed by who asks next.
        // SAFETY: the pool is alive.
        let _ = context.call("cuMemPoolTrimTo", || unsafe {
            (self.functions.trim)(self.handle, 0)
        });
    }

    /// Destroys it, with what is freed by then.
    pub(super) fn close(&self, context: &Context) {
        // SAFETY: stream and pool are alive, and this is their end.
        unsafe { destroy_stream(context, self.first) };
        // SAFETY: likewise.
        let _ = context.call("cuMemPoolDestroy", || unsafe {
            (self.functions.destroy)(self.handle)
        });
    }
}
