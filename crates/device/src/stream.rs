//! Work in order.

use crate::backend::{Argument, Driver, Launch, Raw, Span, StreamIdentity};
use crate::buffer::{Buffer, Staging};
use crate::device::Device;
use crate::error::GpuError;
use crate::event::Event;
use crate::hazards::{Access, Timeline};
use crate::parameters::Parameters;
use crate::profile::Command;
use crate::program::Kernel;
use crate::work::LaunchWork;
use bytemuck::Pod;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A queue of work: what is submitted to it runs in order; what is on different streams may overlap.
///
/// What streams do with the same buffer keeps the order in which it was submitted, without a wait of the host: a stream
/// follows the last writer of what it reads, and all last users of what it writes. Kernels write the buffers that their
/// text does not declare `GLOBAL const`; one of a [verbatim](crate::Source::verbatim) program is taken to write all.
pub struct Stream {
    device: Device,
    raw: Raw,
    timeline: Arc<Timeline>,
    /// Held from what a command follows to its note, so that what it is noted to come after is what it follows.
    submitting: Mutex<()>,
    /// Whether the time of its events can be told.
    timed: bool,
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream of {}", self.device.info().name)
    }
}

impl Device {
    /// A new queue of work.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn stream(&self) -> Result<Stream, GpuError> {
        self.new_stream(false)
    }

    /// A new queue of work whose events keep the time, for [`Event::since`]. To keep it takes the device some of that
    /// time.
    ///
    /// ```
    /// use sunzi::gpu::{Device, Selection};
    /// # fn main() -> Result<(), sunzi::gpu::GpuError> {
    /// # let Ok(device) = Device::open(Selection::Any) else { return Ok(()) };
    /// let stream = device.timed_stream()?;
    /// let mut numbers = device.buffer::<u32>(1 << 20)?;
    /// let start = stream.record()?;
    /// stream.clear(&mut numbers, 0, 1 << 20)?;
    /// println!("cleared in {:?}", stream.record()?.since(&start)?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn timed_stream(&self) -> Result<Stream, GpuError> {
        self.new_stream(true)
    }

    fn new_stream(&self, timed: bool) -> Result<Stream, GpuError> {
        let timed = timed || self.profile().is_some();
        let raw = self.driver().create_stream(timed)?;
        Ok(Stream {
            raw,
            timeline: self.hazards().timeline(raw),
            submitting: Mutex::new(()),
            device: self.clone(),
            timed,
        })
    }

    /// Memory that holds these elements.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`].
    pub fn filled<T: Pod>(&self, stream: &Stream, elements: &[T]) -> Result<Buffer<T>, GpuError> {
        let mut buffer = self.buffer(elements.len())?;
        stream.write(&mut buffer, elements)?;
        Ok(buffer)
    }
}

impl Stream {
    /// Tells it from all others of its device.
    pub fn identity(&self) -> StreamIdentity {
        StreamIdentity(self.timeline.number())
    }

    /// Submits a command after all that it must follow on other streams.
    ///
    /// # Safety
    /// The command submits itself to this stream, and uses no other buffers.
    unsafe fn submit(
        &self,
        uses: impl Iterator<Item = (Raw, Access)> + Clone,
        command: impl FnOnce(&dyn Driver) -> Result<(), GpuError>,
    ) -> Result<(), GpuError> {
        let _one_at_a_time = self.one_at_a_time();
        self.follow(uses.clone())?;
        let submitted = command(self.device.driver().as_ref());
        self.device.hazards().after(&self.timeline, uses);
        submitted
    }

    /// Submits a command between two marks where times are kept.
    fn timed<T>(
        &self,
        command: impl FnOnce() -> Command,
        submit: impl FnOnce() -> Result<T, GpuError>,
    ) -> Result<T, GpuError> {
        let Some(profile) = self.device.profile() else {
            return submit();
        };
        let start = self.event(true)?.mark;
        let submitted = submit()?;
        profile.keep(command(), [start, self.event(true)?.mark]);
        Ok(submitted)
    }

    fn one_at_a_time(&self) -> MutexGuard<'_, ()> {
        self.submitting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Has the next command come after all that it must follow on other streams.
    fn follow(&self, uses: impl Iterator<Item = (Raw, Access)>) -> Result<(), GpuError> {
        for point in self.device.hazards().before(&self.timeline, uses) {
            if let Some((behind, mark)) = point.event(self.device.driver())? {
                // SAFETY: stream and event are alive and of this driver.
                unsafe { self.device.driver().wait_on(self.raw, mark.raw())? };
                self.timeline.note_followed(&behind);
            }
        }
        Ok(())
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Copies to the beginning of a buffer; the elements may be used again when it returns.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if the buffer is shorter; errors of the driver.
    pub fn write<T: Pod>(&self, to: &mut Buffer<T>, from: &[T]) -> Result<(), GpuError> {
        self.write_at(to, 0, from)
    }

    /// Copies to a buffer from element `start` on; the elements may be used again when it returns.
    ///
    /// # Errors
    /// As [`Stream::write`].
    pub fn write_at<T: Pod>(
        &self,
        to: &mut Buffer<T>,
        start: usize,
        from: &[T],
    ) -> Result<(), GpuError> {
        let Some(span) = self.span(to, start, from.len())? else {
            return Ok(());
        };
        let (source, memory) = (from.as_ptr().cast(), to.raw());
        let uses = [(memory, Access::Writes)].into_iter();
        // SAFETY: handles are alive and of this driver, the span is inside the buffer, and the call does not need the
        // elements any more when it returns.
        self.timed(
            || Command::Upload(span.len),
            || unsafe {
                self.submit(uses, |driver| {
                    driver.write(self.raw, memory, span, source, true)
                })
            },
        )
    }

    /// Copies the beginning of a buffer to the host, after everything submitted before, and waits for it.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if the buffer is shorter; errors of the driver.
    pub fn read<T: Pod>(&self, from: &Buffer<T>, to: &mut [T]) -> Result<(), GpuError> {
        self.read_at(from, 0, to)
    }

    /// Copies a buffer from element `start` on to the host, after everything submitted before, and waits for it.
    ///
    /// # Errors
    /// As [`Stream::read`].
    pub fn read_at<T: Pod>(
        &self,
        from: &Buffer<T>,
        start: usize,
        to: &mut [T],
    ) -> Result<(), GpuError> {
        let Some(span) = self.span(from, start, to.len())? else {
            return Ok(());
        };
        let target = to.as_mut_ptr().cast();
        self.timed(
            || Command::Download(span.len),
            // SAFETY: the handle is alive and of this driver, the span is inside the buffer, and `to` has as many bytes.
            || unsafe { self.read_span(from.raw(), span, target) },
        )
    }

    /// Copies bytes of a buffer to as many at `target`, and waits.
    ///
    /// # Safety
    /// The buffer is alive and of this driver, and both have these bytes.
    unsafe fn read_span(&self, from: Raw, span: Span, target: *mut u8) -> Result<(), GpuError> {
        let uses = [(from, Access::Reads)].into_iter();
        let submitting = self.one_at_a_time();
        self.follow(uses.clone())?;
        let before = self.timeline.now();
        drop(submitting);
        // SAFETY: as the caller says, and the call waits.
        let read = unsafe {
            self.device
                .driver()
                .read(self.raw, from, span, target, true)
        };
        match read {
            // It is over, and so is what it waited for.
            Ok(()) => before.note_done(),
            Err(_) => self.device.hazards().after(&self.timeline, uses),
        }
        read
    }

    /// Submits a copy of the first `len` elements of staging memory to a buffer from element `start` on, and returns.
    ///
    /// # Errors
    /// As [`Stream::write`].
    pub fn upload<T: Pod>(
        &self,
        to: &mut Buffer<T>,
        start: usize,
        from: &mut Staging<T>,
        len: usize,
    ) -> Result<(), GpuError> {
        from.get()?;
        self.staged(from, len)?;
        if let Some(span) = self.span(to, start, len)? {
            let (source, memory) = (from.address(), to.raw());
            let uses = [(memory, Access::Writes)].into_iter();
            // SAFETY: as in `write_at`; the staging memory waits for the event below before it can be reached or freed.
            let submitted = self.timed(
                || Command::Upload(span.len),
                || unsafe {
                    self.submit(uses, |driver| {
                        driver.write(self.raw, memory, span, source, false)
                    })
                },
            );
            from.lend(self.record_or_finish(submitted)?);
        }
        Ok(())
    }

    /// Submits a copy of `len` elements of a buffer from element `start` on to staging memory, and returns.
    ///
    /// # Errors
    /// As [`Stream::read`].
    pub fn download<T: Pod>(
        &self,
        from: &Buffer<T>,
        start: usize,
        to: &mut Staging<T>,
        len: usize,
    ) -> Result<(), GpuError> {
        to.get()?;
        self.staged(to, len)?;
        if let Some(span) = self.span(from, start, len)? {
            let (memory, target) = (from.raw(), to.address());
            let uses = [(memory, Access::Reads)].into_iter();
            // SAFETY: as in `upload`.
            let submitted = self.timed(
                || Command::Download(span.len),
                || unsafe {
                    self.submit(uses, |driver| {
                        driver.read(self.raw, memory, span, target, false)
                    })
                },
            );
            to.lend(self.record_or_finish(submitted)?);
        }
        Ok(())
    }

    /// An event after a copy that uses staging memory; where there can be none, or part of a copy that failed may be under way,
    /// it is waited for.
    fn record_or_finish(&self, submitted: Result<(), GpuError>) -> Result<Event, GpuError> {
        let event = submitted.and_then(|()| self.event(false));
        event.inspect_err(|_| {
            // A failure here is the same as the one reported.
            let _ = self.finish();
        })
    }

    /// Submits a copy of `len` elements between buffers of the device, which may not overlap.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if a buffer is shorter; errors of the driver.
    pub fn copy<T: Pod>(
        &self,
        (from, from_start): (&Buffer<T>, usize),
        (to, to_start): (&mut Buffer<T>, usize),
        len: usize,
    ) -> Result<(), GpuError> {
        let spans = (
            self.span(from, from_start, len)?,
            self.span(to, to_start, len)?,
        );
        let (Some(source), Some(target)) = spans else {
            return Ok(());
        };
        let (from, to) = ((from.raw(), source.offset), (to.raw(), target.offset));
        let uses = [(from.0, Access::Reads), (to.0, Access::Writes)].into_iter();
        // SAFETY: handles are alive and of this driver, and both spans are inside their buffers.
        self.timed(
            || Command::Copy(source.len),
            || unsafe { self.submit(uses, |driver| driver.copy(self.raw, from, to, source.len)) },
        )
    }

    /// Submits a command that sets `len` elements from `start` on to zero.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if the buffer is shorter; errors of the driver.
    pub fn clear<T: Pod>(
        &self,
        buffer: &mut Buffer<T>,
        start: usize,
        len: usize,
    ) -> Result<(), GpuError> {
        let Some(span) = self.span(buffer, start, len)? else {
            return Ok(());
        };
        let memory = buffer.raw();
        let uses = [(memory, Access::Writes)].into_iter();
        // SAFETY: handles are alive and of this driver, and the span is inside the buffer.
        unsafe { self.submit(uses, |driver| driver.clear(self.raw, memory, span)) }
    }

    /// Submits a kernel by its [description](crate::kernel); with no groups, nothing.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if the parameters are not those of the kernel, or a buffer is shorter than it takes it to be;
    /// as [`Stream::launch_unchecked`].
    pub fn launch<P: Parameters>(
        &self,
        kernel: &Kernel,
        launch: Launch,
        parameters: P,
    ) -> Result<(), GpuError> {
        if launch.groups.contains(&0) {
            return Ok(());
        }
        let name = P::KERNELS.iter().find(|&&name| name == kernel.name());
        let Some(&name) = name else {
            return Err(GpuError::Shape(format!(
                "{} cannot be launched with the parameters of {:?}",
                kernel.name(),
                P::KERNELS
            )));
        };
        let work = || {
            let work = parameters.work(&launch);
            LaunchWork {
                source: Arc::clone(kernel.source()),
                kernel: name,
                groups: launch.groups.iter().product(),
                threads: launch.threads.iter().product(),
                shared_bytes: launch.shared_bytes,
                barriers: work.barriers,
                bytes: work.bytes,
                multiplications: work.multiplications,
            }
        };
        self.device.note_launch(self.identity(), work);
        let command = self.device.profile().map(|_| Command::Launch(work()));
        let arguments = kernel.arguments(&launch, parameters)?;
        // SAFETY: the arguments are those of the kernel's signature, and the buffers, which the parameters borrow, are as
        // long as its description says.
        let submit = || unsafe { self.launch_unchecked(kernel, launch, &arguments) };
        match command {
            Some(command) => self.timed(|| command, submit),
            None => submit(),
        }
    }

    /// Submits a kernel of any text; with no groups, nothing.
    ///
    /// # Safety
    /// The arguments are those of the kernel, and it stays inside its buffers with them.
    ///
    /// # Errors
    /// [`GpuError::Limits`] if the device has no such groups; errors of the driver.
    pub unsafe fn launch_unchecked(
        &self,
        kernel: &Kernel,
        launch: Launch,
        arguments: &[Argument],
    ) -> Result<(), GpuError> {
        if launch.groups.contains(&0) {
            return Ok(());
        }
        self.device.must_own("kernel", kernel.device().identity())?;
        for argument in arguments {
            if let Argument::Memory(memory) = argument {
                self.device.must_own("buffer", memory.device)?;
            }
        }
        if arguments.len() > Launch::MOST_ARGUMENTS {
            return Err(GpuError::Shape(format!(
                "a kernel has at most {} arguments, not {}",
                Launch::MOST_ARGUMENTS,
                arguments.len()
            )));
        }
        let threads = launch
            .threads
            .iter()
            .fold(1, |all: usize, &side| all.saturating_mul(side));
        kernel.check(threads, launch.shared_bytes)?;
        if launch.groups.iter().any(|&groups| groups >> 31 != 0) {
            return Err(GpuError::Limits {
                device: self.device.info().name.clone(),
                kernel: kernel.name().to_owned(),
                reason: format!(
                    "{:?} groups are more than one launch takes, fewer than 2^31 of each",
                    launch.groups
                ),
            });
        }
        // SAFETY: handles are alive and of this driver: buffers and kernels keep their device, which was compared. That
        // the kernel stays inside its buffers is for the caller of this function to ensure.
        unsafe {
            self.submit(kernel.uses(arguments), |driver| {
                driver.launch(self.raw, kernel.raw(), launch, arguments)
            })
        }
    }

    /// A point after everything submitted so far.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn record(&self) -> Result<Event, GpuError> {
        self.event(self.timed)
    }

    fn event(&self, timed: bool) -> Result<Event, GpuError> {
        let (point, mark) = self
            .timeline
            .record(self.device.driver(), self.raw, timed)?;
        Ok(Event {
            device: self.device.clone(),
            mark,
            point,
            timed,
        })
    }

    /// What is submitted from now on waits for a point of another stream.
    ///
    /// # Errors
    /// Errors of the driver.
    pub fn wait_on(&self, event: &Event) -> Result<(), GpuError> {
        self.device.must_own("event", event.device.identity())?;
        let _one_at_a_time = self.one_at_a_time();
        // SAFETY: both are alive and of this driver.
        unsafe { self.device.driver().wait_on(self.raw, event.mark.raw())? };
        self.timeline.note_followed(&event.point);
        Ok(())
    }

    /// Waits for everything submitted.
    ///
    /// # Errors
    /// If any of it failed.
    pub fn finish(&self) -> Result<(), GpuError> {
        let before = self.timeline.now();
        // SAFETY: the stream is alive and of this driver.
        unsafe { self.device.driver().finish(self.raw)? };
        before.note_done();
        Ok(())
    }

    /// Where `len` elements from `start` on are in a buffer; `None` for no elements.
    fn span<T: Pod>(
        &self,
        buffer: &Buffer<T>,
        start: usize,
        len: usize,
    ) -> Result<Option<Span>, GpuError> {
        self.device.must_own("buffer", buffer.device().identity())?;
        if start.checked_add(len).is_none_or(|end| end > buffer.len()) {
            return Err(GpuError::Shape(format!(
                "{len} elements from {start} on are beyond the end of a buffer of {}",
                buffer.len()
            )));
        }
        let size = size_of::<T>();
        Ok((len > 0).then_some(Span {
            offset: start * size,
            len: len * size,
        }))
    }

    /// Checks that staging memory holds `len` elements.
    fn staged<T: Pod>(&self, staging: &Staging<T>, len: usize) -> Result<(), GpuError> {
        self.device
            .must_own("staging memory", staging.device().identity())?;
        if len > staging.len() {
            return Err(GpuError::Shape(format!(
                "{len} elements are beyond the end of staging memory of {}",
                staging.len()
            )));
        }
        Ok(())
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.timeline.end(self.device.driver());
        // SAFETY: the stream is of this driver, and this is its only owner.
        unsafe { self.device.driver().destroy_stream(self.raw) };
    }
}
