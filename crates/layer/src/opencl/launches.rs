//! Launches: what is chosen for each, and how long those took that are recorded.

use std::sync::{Arc, Mutex};

use sunzi_tune::live::{Launched, LiveKernel, Unchanged};

use super::Layer;
use super::api::{self, Code, Handle, Next};
use super::arguments::Arguments;
use super::kernels::Resolved;
use super::spare::OpenClSpare;
use crate::record::{Line, Record};

/// Launches whose times are waited for, at most.
const MOST_PENDING: usize = 1024;

/// A launch, and what is chosen for it.
pub struct Submitted {
    resolved: Arc<Resolved>,
    own: Launched,
    chosen: Option<Launched>,
    /// Integer arguments, where launches are recorded.
    integers: Vec<(usize, i64)>,
}

/// Sides as the driver takes them.
fn sizes(sides: [u64; 3]) -> [usize; 3] {
    sides.map(|side| side as usize)
}

impl Submitted {
    /// Looks at a launch. `None` for one that is none, and for kernels that the layer has not seen being made.
    ///
    /// # Safety
    /// The arguments are those of `clEnqueueNDRangeKernel`.
    pub unsafe fn new(
        layer: &Layer,
        (queue, kernel): (Handle, Handle),
        (dimensions, offset, threads, block): (u32, *const usize, *const usize, *const usize),
        (wait_count, waits): (u32, *const Handle),
    ) -> Option<Self> {
        let dimensions = dimensions as usize;
        if !(1..=3).contains(&dimensions) || threads.is_null() {
            return None;
        }
        let held = layer.kernels.get(kernel)?;
        let sides = |from: *const usize, otherwise: u64| {
            let mut sides = [otherwise; 3];
            if !from.is_null() {
                // SAFETY: there is a number for each dimension.
                let given = unsafe { std::slice::from_raw_parts(from, dimensions) };
                sides
                    .iter_mut()
                    .zip(given)
                    .for_each(|(side, &given)| *side = given as u64);
            }
            sides
        };
        let own = Launched {
            dimensions,
            threads: sides(threads, 1),
            block: (!block.is_null()).then(|| sides(block, 1)),
        };
        if own.threads.contains(&0) {
            return None;
        }
        let device = layer.next.queue_handle(queue, api::QUEUE_DEVICE)?;
        let resolved = held.on(layer, kernel, device, dimensions)?;
        let arguments = held.arguments.lock().ok()?;
        let integer = |index: usize| arguments.get(index)?.integer(resolved.kind(index));
        let waits = match wait_count {
            0 => &[],
            // SAFETY: there are so many events.
            _ => unsafe { std::slice::from_raw_parts(waits, wait_count as usize) },
        };
        let spare = |_: &LiveKernel, _: &[i64]| {
            OpenClSpare::new(
                layer,
                (queue, kernel, device),
                sizes_of(offset, dimensions),
                &resolved,
                &arguments,
                waits,
            )
        };
        let chosen = layer
            .run
            .decide(&resolved.tuned, &own, integer, || legal(&arguments), spare);
        let integers = match layer.run.record() {
            Some(_) => arguments
                .iter()
                .filter(|(_, argument)| !is_buffer(layer, argument.word()))
                .filter_map(|(index, _)| Some((index, integer(index)?)))
                .collect(),
            None => Vec::new(),
        };
        drop(arguments);
        Some(Submitted {
            resolved,
            own,
            chosen,
            integers,
        })
    }

    /// Threads and blocks to launch by instead of the program's own.
    pub fn chosen(&self) -> Option<([usize; 3], [usize; 3])> {
        let chosen = self.chosen?;
        Some((sizes(chosen.threads), sizes(chosen.block?)))
    }

    /// The driver has refused what was chosen.
    pub fn take_back(&self, layer: &Layer, code: Code) -> Option<()> {
        let why = format!("the driver refuses the chosen block with code {code}");
        layer
            .run
            .take_back(&self.resolved.tuned, Unchanged::Spare(why));
        Some(())
    }

    /// What is recorded of it.
    pub fn line(self) -> Option<Line> {
        Some(Line {
            kernel: self.resolved.tuned.clone(),
            own: self.own,
            chosen: self.chosen,
            integers: self.integers,
        })
    }
}

/// The offset of a launch; zeros where there is none.
fn sizes_of(offset: *const usize, dimensions: usize) -> [usize; 3] {
    let mut sizes = [0; 3];
    if !offset.is_null() {
        // SAFETY: a launch has an offset for each dimension.
        sizes[..dimensions]
            .copy_from_slice(unsafe { std::slice::from_raw_parts(offset, dimensions) });
    }
    sizes
}

fn is_buffer(layer: &Layer, word: Option<u64>) -> bool {
    word.is_some_and(|word| layer.kernels.has_buffer(word as Handle))
}

/// Whether the block may change with these arguments.
fn legal(arguments: &Arguments) -> Result<(), Unchanged> {
    match arguments.has_local() {
        true => Err(Unchanged::NotLegal(
            "it has local memory as an argument, whose length fits the program's own block"
                .to_owned(),
        )),
        false => Ok(()),
    }
}

/// The properties of a queue, with times kept. `None` for queues on the device, whose launches are not seen.
///
/// # Safety
/// The list is null, or pairs of names and values that end with a zero in the place of a name.
pub unsafe fn with_times(properties: *const u64) -> Option<Vec<u64>> {
    let mut all = Vec::new();
    if !properties.is_null() {
        let mut at = properties;
        // SAFETY: pairs are read until the zero.
        unsafe {
            while *at != 0 {
                all.push([*at, *at.add(1)]);
                at = at.add(2);
            }
        }
    }
    match all.iter_mut().find(|pair| pair[0] == api::QUEUE_PROPERTIES) {
        Some([_, value]) if *value & api::QUEUE_ON_DEVICE != 0 => return None,
        Some([_, value]) => *value |= api::QUEUE_PROFILING,
        None => all.push([api::QUEUE_PROPERTIES, api::QUEUE_PROFILING]),
    }
    Some(all.into_iter().flatten().chain([0]).collect())
}

/// Launches that are recorded when they are done.
#[derive(Default)]
pub struct Launches {
    pending: Mutex<Vec<Pending>>,
}

struct Pending {
    line: Line,
    event: Handle,
}
// SAFETY: events of OpenCL may be used by any thread.
unsafe impl Send for Pending {}

impl Launches {
    /// Takes a launch, and its event: the layer's own, or the program's.
    pub fn add(
        &self,
        next: &Next,
        record: &Record,
        line: Line,
        (event, is_own): (Handle, bool),
    ) -> Option<()> {
        if !is_own {
            // SAFETY: the program has just been given it.
            let retained = unsafe { next.retain_event?(event) };
            if retained != api::SUCCESS {
                record.write(&line, None);
                return None;
            }
        }
        let mut pending = self.pending.lock().ok()?;
        pending.push(Pending { line, event });
        let is_full = pending.len() >= MOST_PENDING;
        drop(pending);
        if is_full {
            self.gather(next, record);
        }
        Some(())
    }

    /// Records those that are done, in their order.
    pub fn gather(&self, next: &Next, record: &Record) {
        let Ok(mut pending) = self.pending.lock() else {
            return;
        };
        pending.retain(|Pending { line, event }| {
            let status = next.status(*event);
            if status.is_some_and(|status| status > api::COMPLETE) {
                return true;
            }
            record.write(line, next.milliseconds(*event));
            if let Some(release) = next.release_event {
                // SAFETY: it was retained, or made, for this.
                unsafe { release(*event) };
            }
            false
        });
        // What nobody waits for must not fill the memory.
        let many = pending.len().saturating_sub(16 * MOST_PENDING);
        pending
            .drain(..many)
            .for_each(|lost| record.write(&lost.line, None));
    }

    /// Records all others without their times.
    pub fn give_up(&self, record: &Record) {
        if let Ok(mut pending) = self.pending.lock() {
            pending
                .drain(..)
                .for_each(|lost| record.write(&lost.line, None));
        }
    }
}
