//! Spare launches: a kernel of the layer's own, on copies of the program's buffers, in a queue of the layer's own.

use std::ptr;
use std::thread::sleep;
use std::time::{Duration, Instant};

use sunzi_tune::live::{Launched, Ran, Spare, Unchanged};

use super::Layer;
use super::api::{self, Handle, Next};
use super::arguments::{Argument, Arguments, Kind};
use super::kernels::Resolved;
use super::text::{self, Told};
use crate::spare::{PATIENCE, SpareError, patience};

/// Of a device's memory: what copies may take.
const SHARE: u64 = 4;
/// Addresses of handles are not below this, on any system that keeps its first pages from programs.
const LEAST_ADDRESS: u64 = 1 << 22;

/// A buffer of the program's, and the layer's copies.
struct Copied {
    size: usize,
    /// What it held before the launch.
    saved: Handle,
    /// What the kernel works on: the same for a buffer that it cannot write to.
    work: Handle,
}

/// What spare launches run on.
pub struct OpenClSpare {
    next: Next,
    queue: Handle,
    kernel: Handle,
    offset: [usize; 3],
    buffers: Vec<Copied>,
    /// What the first launch has left in the buffers that it can write to, and how long it took.
    first: Option<(Vec<Vec<u8>>, f64)>,
    /// Something is still under way, and what it uses stays for good.
    is_stuck: bool,
}

fn not_legal(why: impl Into<String>) -> Unchanged {
    Unchanged::NotLegal(why.into())
}

/// The buffers among the arguments, each once.
fn buffers(
    layer: &Layer,
    resolved: &Resolved,
    arguments: &Arguments,
) -> Result<Vec<Handle>, Unchanged> {
    let mut buffers = Vec::new();
    for index in 0..resolved.kinds.len() {
        let argument = arguments.get(index).ok_or_else(|| {
            not_legal(format!(
                "its argument {index} was set in a way that the layer does not see"
            ))
        })?;
        let word = argument.word().filter(|_| argument.bytes.len() == 8);
        let handle = word.filter(|&word| layer.kernels.has_buffer(word as Handle));
        match (resolved.kind(index), handle) {
            (Kind::Pointer | Kind::Unknown, Some(handle)) => {
                let handle = handle as Handle;
                if !buffers.contains(&handle) {
                    buffers.push(handle);
                }
            }
            (Kind::Signed | Kind::Unsigned | Kind::Number, _) => {}
            (Kind::Opaque, _) => {
                return Err(not_legal(format!(
                    "its argument {index} is no buffer and no number"
                )));
            }
            (Kind::Pointer | Kind::Unknown, None) => {
                // A null buffer is a number, too.
                if word.is_some_and(|word| word >= LEAST_ADDRESS) {
                    return Err(not_legal(format!(
                        "its argument {index} may be memory that is no buffer: a program built with -cl-kernel-arg-info tells"
                    )));
                }
            }
        }
    }
    Ok(buffers)
}

impl OpenClSpare {
    /// Copies what a launch is given. The copies are made in the program's queue, in the place of the launch, and waited for.
    pub fn new(
        layer: &Layer,
        (program_queue, program_kernel, device): (Handle, Handle, Handle),
        offset: [usize; 3],
        resolved: &Resolved,
        arguments: &Arguments,
        waits: &[Handle],
    ) -> Result<Self, Unchanged> {
        let next = layer.next;
        let failed = |what: &str| Unchanged::Spare(format!("the driver does not {what}"));
        if arguments.reaches_unseen {
            return Err(not_legal(
                "it is given addresses, and the layer does not see what is there",
            ));
        }
        let program = next.kernel_number(program_kernel, api::KERNEL_PROGRAM);
        let program = program.ok_or_else(|| failed("tell its program"))? as Handle;
        let source = next.program_source(program).unwrap_or_default();
        let is_described = layer.run.description(&resolved.tuned).is_some();
        let is_free = is_described || layer.run.may_change(&resolved.tuned);
        let options = next.build_options(program, device);
        let options = options.ok_or_else(|| failed("tell how its program was built"))?;
        let name = next.kernel_name(program_kernel).unwrap_or_default();
        match text::told(&source, &options, &name) {
            Told::Once(word) => {
                return Err(not_legal(format!(
                    "it has `{word}`, which is not to be done twice"
                )));
            }
            Told::Group(word) if !is_free => {
                return Err(not_legal(format!(
                    "it asks for its group (`{word}`), by which its results may change: describe it"
                )));
            }
            Told::Order(word) if !is_free => {
                return Err(not_legal(format!(
                    "it has `{word}`, and the block may change the order in which threads come to it: describe it"
                )));
            }
            Told::Unseen if !is_free => {
                return Err(not_legal(
                    "not all of its text is seen, which would tell whether its results depend on the block: describe it",
                ));
            }
            _ => {}
        }
        if next
            .build_globals(program, device)
            .is_some_and(|bytes| bytes > 0)
            && text::may_have_variables(&source, &options)
        {
            return Err(not_legal(
                "its program has variables of its own, which launches may change",
            ));
        }
        let handles = buffers(layer, resolved, arguments)?;
        let context = next.kernel_number(program_kernel, api::KERNEL_CONTEXT);
        let context = context.ok_or_else(|| failed("tell its context"))? as Handle;
        let name = std::ffi::CString::new(name).ok();
        let (Some(name), Some(create_kernel), Some(create_queue)) =
            (name, next.create_kernel, next.create_queue)
        else {
            return Err(failed("make kernels and queues"));
        };
        let mut code = 0;
        // SAFETY: the program's handles are alive while it launches; what is made here is released with this value.
        let mut spare = unsafe {
            OpenClSpare {
                next,
                queue: create_queue(context, device, api::QUEUE_PROFILING, &raw mut code),
                kernel: create_kernel(program, name.as_ptr(), &raw mut code),
                offset,
                buffers: Vec::new(),
                first: None,
                is_stuck: false,
            }
        };
        if spare.queue.is_null() || spare.kernel.is_null() {
            return Err(failed("make kernels and queues"));
        }
        let has_local = next.group_number(spare.kernel, device, api::GROUP_LOCAL_MEMORY);
        if has_local.is_none_or(|bytes| bytes > 0) && !is_described {
            return Err(not_legal(
                "it has local memory, whose length may fit the program's own block alone: describe it",
            ));
        }
        let memory = next.device_number(device, api::DEVICE_MEMORY).unwrap_or(0);
        spare.copy(context, &handles, memory)?;
        spare.set(arguments, &handles)?;
        spare.save(program_queue, &handles, waits)?;
        Ok(spare)
    }

    /// Makes room for copies.
    fn copy(&mut self, context: Handle, handles: &[Handle], memory: u64) -> Result<(), Unchanged> {
        let failed = || Unchanged::Spare("the driver does not tell about its buffers".to_owned());
        let mut parents = Vec::new();
        let mut sizes = Vec::new();
        for &handle in handles {
            let number = |what| self.next.memory_number(handle, what).ok_or_else(failed);
            if number(api::MEMORY_TYPE)? as u32 != api::MEMORY_IS_BUFFER {
                return Err(not_legal(
                    "one of its arguments is memory that is no buffer",
                ));
            }
            let parent = number(api::MEMORY_PARENT)? as Handle;
            parents.push(if parent.is_null() { handle } else { parent });
            let is_written = number(api::MEMORY_FLAGS)? & api::MEMORY_READ_ONLY == 0;
            sizes.push((number(api::MEMORY_SIZE)? as usize, is_written));
        }
        let count = parents.len();
        parents.sort_unstable();
        parents.dedup();
        if parents.len() < count {
            return Err(not_legal("its buffers are parts of one another"));
        }
        let taken = sizes
            .iter()
            .map(|&(size, is_written)| size as u64 * if is_written { 2 } else { 1 });
        if taken.sum::<u64>() > memory / SHARE {
            return Err(not_legal(
                "copies of its buffers take more than a quarter of the device's memory",
            ));
        }
        let create = self.next.create_buffer.ok_or_else(failed)?;
        for (size, is_written) in sizes {
            let mut code = 0;
            let mut made = || {
                // SAFETY: the context is alive.
                unsafe {
                    create(
                        context,
                        api::MEMORY_READ_WRITE,
                        size,
                        ptr::null_mut(),
                        &raw mut code,
                    )
                }
            };
            let saved = made();
            let work = if is_written { made() } else { saved };
            self.buffers.push(Copied { size, saved, work });
            if saved.is_null() || work.is_null() {
                return Err(Unchanged::Spare(
                    "there is no room for copies of its buffers".to_owned(),
                ));
            }
        }
        Ok(())
    }

    /// Gives the kernel its arguments, with the copies in the place of the buffers.
    fn set(&self, arguments: &Arguments, handles: &[Handle]) -> Result<(), Unchanged> {
        let failed =
            || Unchanged::Spare("the driver does not take its arguments a second time".to_owned());
        let set = self.next.set_argument.ok_or_else(failed)?;
        for (index, Argument { bytes, .. }) in arguments.iter() {
            let word = <[u8; 8]>::try_from(&bytes[..]).map(u64::from_le_bytes);
            let place = word
                .ok()
                .and_then(|word| handles.iter().position(|&handle| handle as u64 == word));
            let copy = place.map(|place| (self.buffers[place].work as u64).to_le_bytes());
            let value = copy.as_ref().map_or(&bytes[..], |copy| &copy[..]);
            // SAFETY: so many bytes are there.
            let code = unsafe {
                set(
                    self.kernel,
                    index as u32,
                    value.len(),
                    value.as_ptr().cast(),
                )
            };
            if code != api::SUCCESS {
                return Err(failed());
            }
        }
        Ok(())
    }

    /// Saves what the buffers hold at this place of the program's queue.
    fn save(
        &mut self,
        queue: Handle,
        handles: &[Handle],
        waits: &[Handle],
    ) -> Result<(), Unchanged> {
        let (Some(copy), Some(flush)) = (self.next.copy, self.next.flush) else {
            return Err(Unchanged::Spare("the driver does not copy".to_owned()));
        };
        let mut events = Vec::new();
        let mut code = api::SUCCESS;
        for (Copied { size, saved, .. }, &handle) in self.buffers.iter().zip(handles) {
            let mut event = ptr::null_mut();
            let (count, list) = match waits {
                [] => (0, ptr::null()),
                _ => (waits.len() as u32, waits.as_ptr()),
            };
            // SAFETY: all handles are alive, and both buffers are so long.
            code = unsafe {
                copy(
                    queue,
                    handle,
                    *saved,
                    0,
                    0,
                    *size,
                    count,
                    list,
                    &raw mut event,
                )
            };
            if code != api::SUCCESS {
                break;
            }
            events.push(event);
        }
        // SAFETY: the queue is alive.
        unsafe { flush(queue) };
        let deadline = Instant::now() + PATIENCE;
        let mut ended = match code {
            api::SUCCESS => Ok(()),
            code => Err(SpareError::Driver(code.into())),
        };
        for event in events {
            let copied = self.wait(event, deadline);
            ended = ended.and(copied);
        }
        Ok(ended?)
    }

    /// Waits for a command and forgets its event. No call of the driver's blocks here: what it waits for may be this very thread.
    fn wait(&mut self, event: Handle, deadline: Instant) -> Result<(), SpareError> {
        let ended = loop {
            match self.next.status(event) {
                Some(api::COMPLETE) => break Ok(()),
                Some(status) if status < 0 => break Err(SpareError::Driver(status.into())),
                Some(_) if Instant::now() < deadline => sleep(Duration::from_micros(20)),
                _ => {
                    self.is_stuck = true;
                    break Err(SpareError::Late);
                }
            }
        };
        if let Some(release) = self.next.release_event {
            // SAFETY: it is the layer's own.
            unsafe { release(event) };
        }
        ended
    }

    /// Launches once: how long it took.
    fn launch(&mut self, launched: &Launched) -> Result<Option<f64>, SpareError> {
        let (Some(copy), Some(launch), Some(flush)) =
            (self.next.copy, self.next.launch, self.next.flush)
        else {
            return Err(SpareError::Driver(api::SUCCESS.into()));
        };
        for Copied { size, saved, work } in &self.buffers {
            if saved != work {
                // SAFETY: both are the layer's own, and so long.
                let code = unsafe {
                    copy(
                        self.queue,
                        *saved,
                        *work,
                        0,
                        0,
                        *size,
                        0,
                        ptr::null(),
                        ptr::null_mut(),
                    )
                };
                if code != api::SUCCESS {
                    return Err(SpareError::Driver(code.into()));
                }
            }
        }
        let threads = launched.threads.map(|side| side as usize);
        let block = launched.block.map(|block| block.map(|side| side as usize));
        let block = block.as_ref().map_or(ptr::null(), |block| block.as_ptr());
        let mut event = ptr::null_mut();
        // SAFETY: the kernel has all its arguments, and there is a number for each dimension.
        let code = unsafe {
            launch(
                self.queue,
                self.kernel,
                launched.dimensions as u32,
                self.offset.as_ptr(),
                threads.as_ptr(),
                block,
                0,
                ptr::null(),
                &raw mut event,
            )
        };
        if code != api::SUCCESS {
            return Ok(None);
        }
        // SAFETY: the queue is the layer's own.
        unsafe { flush(self.queue) };
        let patience = patience(self.first.as_ref().map(|(_, first)| *first));
        if let Some(retain) = self.next.retain_event {
            // SAFETY: it is the layer's own; waiting for it forgets it once.
            unsafe { retain(event) };
        }
        let ended = self.wait(event, Instant::now() + patience);
        let milliseconds = self.next.milliseconds(event);
        if let Some(release) = self.next.release_event {
            // SAFETY: as above.
            unsafe { release(event) };
        }
        ended?;
        milliseconds
            .map(Some)
            .ok_or(SpareError::Driver(api::SUCCESS.into()))
    }

    /// What the buffers hold that the kernel can write to.
    fn results(&self) -> Result<Vec<Vec<u8>>, SpareError> {
        let read = self
            .next
            .read
            .ok_or(SpareError::Driver(api::SUCCESS.into()))?;
        let written = self
            .buffers
            .iter()
            .filter(|buffer| buffer.saved != buffer.work);
        let held = |Copied { size, work, .. }: &Copied| {
            let mut bytes = vec![0_u8; *size];
            // SAFETY: so many bytes are there and here; all that the queue holds is done.
            let code = unsafe {
                read(
                    self.queue,
                    *work,
                    1,
                    0,
                    *size,
                    bytes.as_mut_ptr().cast(),
                    0,
                    ptr::null(),
                    ptr::null_mut(),
                )
            };
            (code == api::SUCCESS)
                .then_some(bytes)
                .ok_or(SpareError::Driver(code.into()))
        };
        written.map(held).collect()
    }
}

impl Spare for OpenClSpare {
    type Error = SpareError;

    fn run(&mut self, launched: &Launched) -> Result<Option<Ran>, SpareError> {
        let Some(milliseconds) = self.launch(launched)? else {
            return Ok(None);
        };
        let results = self.results()?;
        let (first, _) = self
            .first
            .get_or_insert_with(|| (results.clone(), milliseconds));
        Ok(Some(Ran {
            milliseconds,
            same: *first == results,
        }))
    }
}

impl Drop for OpenClSpare {
    fn drop(&mut self) {
        if self.is_stuck {
            return;
        }
        let release = |function: Option<api::OfHandle>, handle: Handle| {
            if let (Some(function), false) = (function, handle.is_null()) {
                // SAFETY: it is the layer's own, and nothing uses it any more.
                unsafe { function(handle) };
            }
        };
        release(self.next.release_kernel, self.kernel);
        release(self.next.release_queue, self.queue);
        for Copied { saved, work, .. } in &self.buffers {
            release(self.next.release_memory, *saved);
            if work != saved {
                release(self.next.release_memory, *work);
            }
        }
    }
}
