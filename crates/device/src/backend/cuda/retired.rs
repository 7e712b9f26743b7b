//! Programs that nobody launches any more.
//!
//! Their code may still run, and the driver wants that to be over when it unloads them. The host does not wait: each is
//! unloaded when an event tells that all which was submitted before is done, and that is looked at whenever a program is
//! loaded or retired. What is left then is unloaded when the device is closed.

use super::api::{Handle, NOT_READY};
use super::context::{Context, call};
use super::order::{Order, create_event, destroy_event};
use crate::error::GpuError;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A program, and what is reached when nothing of it runs.
struct Program {
    module: Handle,
    idle: Handle,
}

/// The programs of a device that wait to be unloaded.
#[derive(Default)]
pub(super) struct Retired(Mutex<Vec<Program>>);

impl Retired {
    fn all(&self) -> MutexGuard<'_, Vec<Program>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Unloads a program when nothing of it runs any more.
    ///
    /// # Safety
    /// It is loaded in this context, all of it that runs was submitted to streams of this order, and nobody uses it again.
    pub(super) unsafe fn add(&self, context: &Context, order: &Order, module: Handle) {
        match Self::idle_event(context, order) {
            Ok(idle) => self.all().push(Program { module, idle }),
            // A device that is lost, as likely as not. Without an order, the host waits.
            // SAFETY: by this function's terms; after the wait nothing of it runs.
            Err(_) => unsafe {
                let _ = call!(context, cuCtxSynchronize());
                let _ = call!(context, cuModuleUnload(module));
            },
        }
        self.sweep(context);
    }

    /// An event after everything that was submitted so far.
    fn idle_event(context: &Context, order: &Order) -> Result<Handle, GpuError> {
        let last = order.last(context)?;
        let idle = create_event(context, false)?;
        // SAFETY: event and stream are alive.
        let recorded = unsafe { call!(context, cuEventRecord(idle, last)) };
        recorded.inspect_err(|_| {
            // SAFETY: it was just made, and is not used again.
            unsafe { destroy_event(context, idle) }
        })?;
        Ok(idle)
    }

    /// Unloads those of which nothing runs any more.
    pub(super) fn sweep(&self, context: &Context) {
        self.all().retain(|program| {
            let mut running = false;
            // SAFETY: the event is alive.
            let _ = context.call("cuEventQuery", || unsafe {
                let code = (context.api.cuEventQuery)(program.idle);
                running = code == NOT_READY;
                code
            });
            if !running {
                // SAFETY: nothing of it runs, or the device is lost; it is taken off the list.
                unsafe { program.unload(context) }
            }
            running
        });
    }

    /// Unloads all of them. Everything that was submitted is done.
    pub(super) fn close(&self, context: &Context) {
        for program in self.all().drain(..) {
            // SAFETY: nothing runs, and it is off the list.
            unsafe { program.unload(context) }
        }
    }
}

impl Program {
    /// Unloads it.
    ///
    /// # Safety
    /// Nothing of it runs, and it is not used again.
    unsafe fn unload(&self, context: &Context) {
        // A failure cannot be reported, and nothing could be done about it.
        // SAFETY: by this function's terms.
        unsafe {
            let _ = call!(context, cuModuleUnload(self.module));
            destroy_event(context, self.idle);
        }
    }
}
