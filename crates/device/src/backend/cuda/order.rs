//! What comes after everything that was submitted so far, without a wait of the host.
//!
//! A stream of the driver's own, the last one, waits for points of all others. What is freed in its order is freed after
//! its last use, whatever stream that was on, also one that is gone by then. Nothing else runs on it, so that nobody
//! waits for it but for memory. Where nothing was submitted since it last followed, as between the buffers of a plan that
//! is dropped, it does not follow again.

use super::api::Handle;
use super::context::{Context, call};
use crate::error::GpuError;
use std::ffi::c_uint;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A stream does not wait for the null stream.
const STREAM_NON_BLOCKING: c_uint = 1;
/// An event notes the time, or does not.
const EVENT_DEFAULT: c_uint = 0;
const EVENT_DISABLE_TIMING: c_uint = 2;

/// Makes a stream.
pub(super) fn create_stream(context: &Context) -> Result<Handle, GpuError> {
    let mut stream = ptr::null_mut();
    // SAFETY: the pointer is to a live variable.
    unsafe { call!(context, cuStreamCreate(&mut stream, STREAM_NON_BLOCKING))? };
    Ok(stream)
}

/// Destroys a stream. What was submitted still runs to its end.
///
/// # Safety
/// It is alive, and not used again.
pub(super) unsafe fn destroy_stream(context: &Context, stream: Handle) {
    // A failure cannot be reported, and nothing could be done about it.
    // SAFETY: by this function's terms.
    let _ = unsafe { call!(context, cuStreamDestroy_v2(stream)) };
}

/// Makes an event, which costs less if its time is not wanted.
pub(super) fn create_event(context: &Context, timed: bool) -> Result<Handle, GpuError> {
    let mut event = ptr::null_mut();
    let flags = if timed {
        EVENT_DEFAULT
    } else {
        EVENT_DISABLE_TIMING
    };
    // SAFETY: the pointer is to a live variable.
    unsafe { call!(context, cuEventCreate(&mut event, flags))? };
    Ok(event)
}

/// Destroys an event. One that is not yet reached is freed once it is.
///
/// # Safety
/// It is alive, and not used again.
pub(super) unsafe fn destroy_event(context: &Context, event: Handle) {
    // As in `destroy_stream`.
    // SAFETY: by this function's terms.
    let _ = unsafe { call!(context, cuEventDestroy_v2(event)) };
}

/// A stream, and the event that is recorded on it whenever the last stream is to wait for it.
struct Followed {
    stream: Handle,
    reached: Handle,
}

/// The streams but the last one.
#[derive(Default)]
struct Others {
    streams: Vec<Followed>,
    /// How much of what was submitted the last stream follows.
    followed: u64,
}

/// The streams of a device.
pub(super) struct Order {
    last: Handle,
    /// How much was submitted to streams.
    submitted: AtomicU64,
    others: Mutex<Others>,
}

impl Order {
    pub(super) fn new(context: &Context) -> Result<Self, GpuError> {
        Ok(Self {
            last: create_stream(context)?,
            submitted: AtomicU64::new(0),
            others: Mutex::default(),
        })
    }

    /// Counts what was just submitted, whatever came of it.
    ///
    /// It comes after the submission: who then frees what that uses sees the count grown.
    pub(super) fn count<T>(&self, submitted: T) -> T {
        self.submitted.fetch_add(1, Ordering::Release);
        submitted
    }

    fn others(&self) -> MutexGuard<'_, Others> {
        self.others.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes a stream that is followed.
    pub(super) fn add(&self, context: &Context) -> Result<Handle, GpuError> {
        let reached = create_event(context, false)?;
        let stream = create_stream(context).inspect_err(|_| {
            // SAFETY: it was just made.
            unsafe { destroy_event(context, reached) }
        })?;
        self.others().streams.push(Followed { stream, reached });
        Ok(stream)
    }

    /// Destroys a stream; what follows comes after what was submitted to it.
    ///
    /// # Safety
    /// It is one that `add` made, and not used again.
    pub(super) unsafe fn remove(&self, context: &Context, stream: Handle) {
        let streams = &mut self.others().streams;
        let Some(place) = streams.iter().position(|other| other.stream == stream) else {
            return;
        };
        let gone = streams.swap_remove(place);
        if self.follow(context, &gone).is_err() {
            // There may be no order any more, as where the device is lost; what was submitted must be over.
            // SAFETY: the stream is alive.
            let _ = unsafe { call!(context, cuStreamSynchronize(gone.stream)) };
        }
        // SAFETY: both are alive, and not used again. Who waits for the event has taken note of its point.
        unsafe {
            destroy_event(context, gone.reached);
            destroy_stream(context, gone.stream);
        }
    }

    /// Has the last stream wait for a point of another.
    fn follow(&self, context: &Context, other: &Followed) -> Result<(), GpuError> {
        // SAFETY: streams and event are alive.
        unsafe {
            call!(context, cuEventRecord(other.reached, other.stream))?;
            call!(context, cuStreamWaitEvent(self.last, other.reached, 0))
        }
    }

    /// The stream whose order is after everything that was submitted so far.
    pub(super) fn last(&self, context: &Context) -> Result<Handle, GpuError> {
        let mut others = self.others();
        // What is submitted from here on may be missed, and is followed when this is called again.
        let submitted = self.submitted.load(Ordering::Acquire);
        if others.followed != submitted {
            let mut streams = others.streams.iter();
            streams.try_for_each(|other| self.follow(context, other))?;
            others.followed = submitted;
        }
        Ok(self.last)
    }

    /// Waits for what comes after everything, as far as it was asked for.
    pub(super) fn settle(&self, context: &Context) -> Result<(), GpuError> {
        // SAFETY: the stream is alive.
        unsafe { call!(context, cuStreamSynchronize(self.last)) }
    }

    /// Destroys the last stream. The others are gone.
    pub(super) fn close(&self, context: &Context) {
        // SAFETY: it is alive, and this is the end of the device.
        unsafe { destroy_stream(context, self.last) };
    }
}
