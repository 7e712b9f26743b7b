//! Launches: what is chosen for each, and how long those took that are recorded.

use std::sync::Arc;

use sunzi_tune::live::{Launched, LiveKernel, Unchanged};

use super::Layer;
use super::api::{self, Code, Handle, Next};
use super::arguments::Arguments;
use super::kernels::Resolved;
use super::spare::OpenClSpare;
use crate::pending::Event;
use crate::record::Line;

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

    /// The driver has refused what was chosen: the launch is the program's own.
    pub fn take_back(&mut self, layer: &Layer, code: Code) -> Option<()> {
        self.chosen = None;
        let why = format!("the driver refuses the chosen block with code {code}");
        layer
            .run
            .take_back(&self.resolved.tuned, Unchanged::Spare(why));
        Some(())
    }

    /// What is recorded of it.
    pub fn line(self) -> Line {
        Line {
            kernel: self.resolved.tuned.clone(),
            own: self.own,
            chosen: self.chosen,
            integers: self.integers,
        }
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

/// The event of a launch that is recorded, which was retained or made for this.
pub struct Recorded(Handle);
// SAFETY: events of OpenCL may be used by any thread.
unsafe impl Send for Recorded {}

impl Recorded {
    /// The layer's own event, or the program's.
    pub fn new(next: &Next, event: Handle, is_own: bool) -> Option<Self> {
        let is_kept = is_own || {
            // SAFETY: the program has just been given it.
            unsafe { next.retain_event?(event) == api::SUCCESS }
        };
        is_kept.then_some(Recorded(event))
    }
}

impl Event for Recorded {
    type Driver = Next;

    fn is_to_come(&self, next: &Next) -> bool {
        next.status(self.0)
            .is_some_and(|status| status > api::COMPLETE)
    }

    fn milliseconds(&self, next: &Next) -> Option<f64> {
        next.milliseconds(self.0)
    }

    fn release(self, next: &Next) {
        if let Some(release) = next.release_event {
            // SAFETY: nothing uses it any more.
            unsafe { release(self.0) };
        }
    }
}
