//! Handles of kernels and buffers, and what the layer knows of them.

use std::collections::hash_map::DefaultHasher;
use std::collections::{HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, RwLock};

use sunzi_tune::live::{Limits, Unchanged};

use super::Layer;
use super::api::{self, Handle};
use super::arguments::{Arguments, Kind};
use crate::run::{Identity, Known, Tuned};

/// All handles that are alive. They are numbers here.
#[derive(Debug, Default)]
pub struct Kernels {
    kernels: RwLock<HashMap<usize, Arc<Held>>>,
    buffers: RwLock<HashSet<usize>>,
}

/// Where a kernel was launched: its device, and in how many dimensions.
type Place = (usize, usize);

/// A kernel's handle.
#[derive(Debug, Default)]
pub struct Held {
    pub arguments: Mutex<Arguments>,
    resolved: Mutex<Vec<(Place, Arc<Resolved>)>>,
}

/// A kernel that was launched on a device.
#[derive(Debug)]
pub struct Resolved {
    pub tuned: Arc<Tuned>,
    /// What the compiler says of its parameters.
    pub kinds: Vec<Kind>,
}

impl Resolved {
    pub fn kind(&self, index: usize) -> Kind {
        self.kinds.get(index).copied().unwrap_or(Kind::Unknown)
    }
}

// Where a lock is poisoned nothing is known of handles any more, and all calls pass.
impl Kernels {
    /// A new handle; a clone has the arguments of its origin.
    pub fn add(&self, kernel: Handle, origin: Option<Handle>) {
        if kernel.is_null() {
            return;
        }
        let arguments =
            origin.and_then(|origin| Some(self.get(origin)?.arguments.lock().ok()?.clone()));
        let held = Held {
            arguments: Mutex::new(arguments.unwrap_or_default()),
            resolved: Mutex::default(),
        };
        if let Ok(mut kernels) = self.kernels.write() {
            kernels.insert(kernel as usize, Arc::new(held));
        }
    }

    pub fn remove(&self, kernel: Handle) {
        if let Ok(mut kernels) = self.kernels.write() {
            kernels.remove(&(kernel as usize));
        }
    }

    pub fn get(&self, kernel: Handle) -> Option<Arc<Held>> {
        self.kernels.read().ok()?.get(&(kernel as usize)).cloned()
    }

    pub fn add_buffer(&self, memory: Handle) {
        if let (false, Ok(mut buffers)) = (memory.is_null(), self.buffers.write()) {
            buffers.insert(memory as usize);
        }
    }

    pub fn remove_buffer(&self, memory: Handle) {
        if let Ok(mut buffers) = self.buffers.write() {
            buffers.remove(&(memory as usize));
        }
    }

    pub fn has_buffer(&self, memory: Handle) -> bool {
        let buffers = self.buffers.read();
        buffers.is_ok_and(|buffers| buffers.contains(&(memory as usize)))
    }
}

impl Held {
    /// The kernel on a device.
    pub fn on(
        &self,
        layer: &Layer,
        kernel: Handle,
        device: Handle,
        dimensions: usize,
    ) -> Option<Arc<Resolved>> {
        let key = (device as usize, dimensions);
        let mut all = self.resolved.lock().ok()?;
        if let Some((_, resolved)) = all.iter().find(|(other, _)| *other == key) {
            return Some(resolved.clone());
        }
        let resolved = Arc::new(Resolved::new(layer, kernel, device, dimensions)?);
        all.push((key, resolved.clone()));
        Some(resolved)
    }
}

impl Resolved {
    fn new(layer: &Layer, kernel: Handle, device: Handle, dimensions: usize) -> Option<Self> {
        let next = &layer.next;
        let name = next.kernel_name(kernel)?;
        let program = next.kernel_number(kernel, api::KERNEL_PROGRAM)? as Handle;
        let mut code = DefaultHasher::new();
        next.program_source(program).hash(&mut code);
        next.build(program, device, api::BUILD_OPTIONS)
            .hash(&mut code);
        let device_name = next.device_text(device, api::DEVICE_NAME)?;
        let version = next.device_text(device, api::DEVICE_VERSION)?;
        let driver = next.device_text(device, api::DRIVER_VERSION)?;
        let identity = Identity {
            device: format!("{device_name}, {version} {driver}"),
            kernel: name,
            code: format!("{:016x}", code.finish()),
        };
        let limits = Limits {
            sides: next.device_sides(device)?,
            threads: next
                .group_number(kernel, device, api::GROUP_THREADS)?
                .min(next.device_number(device, api::DEVICE_GROUP_THREADS)?),
        };
        let is_fixed = next.has_required_group(kernel, device)?;
        let fixed = || {
            Unchanged::NotLegal("it is compiled for one block (reqd_work_group_size)".to_owned())
        };
        let known = Known {
            api: "opencl",
            device: &device_name,
            units: next.device_number(device, api::DEVICE_UNITS)? & 0xffff_ffff,
            dimensions,
            limits,
            only_described: false,
            fixed: is_fixed.then(fixed),
        };
        let tuned = layer.run.kernel(identity, known);
        let count = next.kernel_number(kernel, api::KERNEL_ARGUMENTS)? as u32;
        let kind = |index| Kind::of(next.argument_type(kernel, index).as_deref());
        Some(Resolved {
            tuned,
            kinds: (0..count).map(kind).collect(),
        })
    }
}
