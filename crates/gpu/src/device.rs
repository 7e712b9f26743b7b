//! Devices: what there is, and one that is open.

use crate::backend::{Backend, Driver, cuda, opencl};
use crate::cache::Cache;
use crate::program::ProgramTable;
use crate::{Buffer, DeviceOptions, GpuError, Program, Selection, Source, Staging, Stream};
use bytemuck::Pod;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use sunzi_field::memory::process_bytes;

/// The part of the free memory that is left to what else the driver needs.
const RESERVE: u64 = 16;

/// Names interfaces that are to be left alone: `cuda`, `opencl`, `cuda,opencl` or `all`.
const HIDE_VARIABLE: &str = "SUNZI_HIDE_DEVICES";

/// Address space that drivers need: with less than this left they end the whole program instead of telling so.
const DRIVER_BYTES: u64 = 1 << 31;

/// What a device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceKind {
    /// A graphics processor.
    Gpu,
    /// The processor itself, by an OpenCL that runs on it.
    Cpu,
    /// Anything else.
    Accelerator,
}

impl fmt::Display for DeviceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gpu => "GPU",
            Self::Cpu => "CPU",
            Self::Accelerator => "accelerator",
        })
    }
}

/// A device and its limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceInfo {
    /// The interface.
    pub backend: Backend,
    /// Its number among those of the interface.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// The driver's version.
    pub driver: String,
    /// What it is.
    pub kind: DeviceKind,
    /// What code is compiled for: `sm_90`; empty where the driver knows by itself.
    pub architecture: String,
    /// Bytes of its memory.
    pub memory: u64,
    /// Bytes of the largest buffer.
    pub largest_buffer: u64,
    /// Bytes of memory that the threads of a group share.
    pub shared_memory: usize,
    /// Threads of a group at most.
    pub group_threads: usize,
    /// Threads that run in step; 1 where unknown.
    pub simd_width: usize,
    /// Processors.
    pub units: usize,
    /// Megahertz at most; 0 where unknown.
    pub clock_mhz: u32,
    /// Whether it computes with doubles.
    pub doubles: bool,
}

/// What there is on this machine.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The devices, those of CUDA first.
    pub devices: Vec<DeviceInfo>,
    /// The interfaces that have none, and why.
    pub absent: Vec<(Backend, String)>,
}

/// Looks for devices, opening none.
///
/// The environment variable `SUNZI_HIDE_DEVICES` (`cuda`, `opencl`, both with a comma, or `all`) hides devices.
pub fn survey() -> Survey {
    let mut found = Survey {
        devices: Vec::new(),
        absent: Vec::new(),
    };
    let cramped = process_bytes().is_some_and(|bytes| bytes < DRIVER_BYTES);
    for backend in [Backend::Cuda, Backend::OpenCl] {
        let devices = if hidden(backend) {
            Err(format!("{HIDE_VARIABLE} hides it"))
        } else if cramped {
            let least = DRIVER_BYTES >> 30;
            Err(format!(
                "its driver needs {least} GiB of memory to itself, and `ulimit -v` or `ulimit -d` leaves less"
            ))
        } else {
            match backend {
                Backend::Cuda => cuda::survey(),
                Backend::OpenCl => opencl::survey(),
            }
        };
        match devices {
            Ok(devices) if devices.is_empty() => {
                found
                    .absent
                    .push((backend, "it knows no device".to_owned()));
            }
            Ok(devices) => found.devices.extend(devices),
            Err(reason) => found.absent.push((backend, reason)),
        }
    }
    found
}

/// Whether the environment hides an interface.
fn hidden(backend: Backend) -> bool {
    let names = std::env::var(HIDE_VARIABLE).unwrap_or_default();
    let mut names = names.split(',').map(str::trim);
    names.any(|name| name == "all" || name == backend.name())
}

impl Survey {
    /// The device that a selection takes.
    ///
    /// # Errors
    /// [`GpuError::NoDevice`], with what there is or why there is nothing.
    pub fn select(&self, wanted: Selection) -> Result<&DeviceInfo, GpuError> {
        let gpu = |device: &&DeviceInfo| device.kind == DeviceKind::Gpu;
        let found = match wanted {
            Selection::Gpu => self.devices.iter().find(gpu),
            Selection::Any => self.devices.iter().find(gpu).or(self.devices.first()),
            Selection::Of(backend, index) => {
                let devices = || {
                    self.devices
                        .iter()
                        .filter(|device| device.backend == backend)
                };
                match index {
                    Some(index) => devices().find(|device| device.index == index),
                    None => devices().find(gpu).or(devices().next()),
                }
            }
        };
        found.ok_or_else(|| GpuError::NoDevice {
            wanted: wanted.to_string(),
            found: self.sentence(),
        })
    }

    /// What there is, in a sentence.
    fn sentence(&self) -> String {
        let devices = self.devices.iter().map(|device| {
            let (backend, index) = (device.backend.name(), device.index);
            format!("{backend}:{index} is {} ({})", device.name, device.kind)
        });
        let absent = self.absent.iter();
        let absent = absent.map(|(backend, reason)| format!("no device by {backend}: {reason}"));
        let all: Vec<_> = devices.chain(absent).collect();
        all.join("; ")
    }
}

/// Tells an open device from every other that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceIdentity(usize);

/// An open device. A clone is the same device.
#[derive(Clone)]
pub struct Device {
    inner: Arc<Inner>,
}

struct Inner {
    driver: Box<dyn Driver>,
    memory_limit: u64,
    used: AtomicU64,
    cache: Cache,
    programs: ProgramTable,
    notices: Mutex<Vec<String>>,
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Device").field(self.info()).finish()
    }
}

impl Device {
    /// Opens a device, with the options that the environment gives.
    ///
    /// # Errors
    /// [`GpuError::NoDevice`] if there is none such, [`GpuError::NoCompiler`] if nothing can be compiled for it, and
    /// whatever the driver refuses.
    pub fn open(wanted: Selection) -> Result<Self, GpuError> {
        Self::open_with(wanted, &DeviceOptions::from_env()?)
    }

    /// Opens a device.
    ///
    /// # Errors
    /// As [`Device::open`].
    pub fn open_with(wanted: Selection, options: &DeviceOptions) -> Result<Self, GpuError> {
        let found = survey();
        let info = found.select(wanted)?;
        match (Self::open_found(info, options), wanted) {
            // Without NVIDIA's compiler the same GPU may still be there for OpenCL.
            (Err(unusable @ GpuError::NoCompiler { .. }), Selection::Gpu | Selection::Any) => {
                let mut rest = found.clone();
                rest.devices
                    .retain(|device| device.backend != Backend::Cuda);
                rest.absent.push((Backend::Cuda, unusable.to_string()));
                Self::open_found(rest.select(wanted)?, options)
            }
            (opened, _) => opened,
        }
    }

    /// Opens a device of a [`Survey`].
    ///
    /// # Errors
    /// As [`Device::open`].
    pub fn open_found(info: &DeviceInfo, options: &DeviceOptions) -> Result<Self, GpuError> {
        let driver: Box<dyn Driver> = match info.backend {
            Backend::Cuda => Box::new(cuda::Opened::open(info)?),
            Backend::OpenCl => Box::new(opencl::Opened::open(info)?),
        };
        // Programs and contexts take memory as well, and so do other processes.
        let free = driver.free_memory().map(|free| free - free / RESERVE);
        let memory = free.unwrap_or(driver.info().memory);
        Ok(Self {
            inner: Arc::new(Inner {
                driver,
                memory_limit: options
                    .memory_limit
                    .map_or(memory, |limit| limit.min(memory)),
                used: AtomicU64::new(0),
                cache: Cache::new(&options.cache),
                programs: ProgramTable::default(),
                notices: Mutex::default(),
            }),
        })
    }

    pub(crate) fn identity(&self) -> DeviceIdentity {
        DeviceIdentity(Arc::as_ptr(&self.inner).addr())
    }

    /// Refuses what belongs to another open device: its handles mean nothing here.
    pub(crate) fn must_own(&self, what: &str, owner: DeviceIdentity) -> Result<(), GpuError> {
        if owner != self.identity() {
            return Err(GpuError::Shape(format!(
                "the {what} is of another open device than {}",
                self.info().name
            )));
        }
        Ok(())
    }

    /// What it is, and its limits.
    pub fn info(&self) -> &DeviceInfo {
        self.inner.driver.info()
    }

    /// Bytes that may be used in all.
    pub fn memory_limit(&self) -> u64 {
        self.inner.memory_limit
    }

    /// Bytes that buffers take now.
    pub fn memory_used(&self) -> u64 {
        self.inner.used.load(Ordering::Relaxed)
    }

    /// Bytes that may still be used.
    pub fn memory_free(&self) -> u64 {
        self.memory_limit().saturating_sub(self.memory_used())
    }

    /// Memory for `len` elements, whose values are not specified.
    ///
    /// # Errors
    /// [`GpuError::OutOfMemory`].
    pub fn buffer<T: Pod>(&self, len: usize) -> Result<Buffer<T>, GpuError> {
        Buffer::new(self, len)
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

    /// Memory of the host for `len` elements, all zero, that the device reads and writes directly.
    ///
    /// # Errors
    /// What the driver refuses.
    pub fn staging<T: Pod>(&self, len: usize) -> Result<Staging<T>, GpuError> {
        Staging::new(self, len)
    }

    /// A new queue of work.
    ///
    /// # Errors
    /// What the driver refuses.
    pub fn stream(&self) -> Result<Stream, GpuError> {
        Stream::new(self)
    }

    /// Compiles a program, or finds it in memory or on disk.
    ///
    /// # Errors
    /// [`GpuError::Compile`] with the compiler's log.
    pub fn program(&self, source: &Source<'_>) -> Result<Program, GpuError> {
        self.inner.programs.get(self, source)
    }

    /// Keeps bytes for later processes, beside compiled kernels; a notice tells if that cannot be done.
    pub fn remember(&self, name: &str, bytes: &[u8]) {
        let key = self.cache().key(self.info(), name);
        if let Some(problem) = self.cache().keep(&key, bytes) {
            self.notice(problem);
        }
    }

    /// The bytes that were kept under a name, for this device and driver.
    pub fn recall(&self, name: &str) -> Option<Vec<u8>> {
        self.cache().find(&self.cache().key(self.info(), name))
    }

    /// What went another way than expected without being an error: that compiled kernels could not be kept, say. Each
    /// is told once.
    pub fn take_notices(&self) -> Vec<String> {
        std::mem::take(
            &mut self
                .inner
                .notices
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        )
    }

    pub(crate) fn notice(&self, text: String) {
        let mut notices = self
            .inner
            .notices
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if !notices.contains(&text) {
            notices.push(text);
        }
    }

    pub(crate) fn driver(&self) -> &dyn Driver {
        &*self.inner.driver
    }

    pub(crate) fn cache(&self) -> &Cache {
        &self.inner.cache
    }

    /// Sets bytes aside, if there are so many.
    pub(crate) fn take_memory(&self, bytes: u64) -> Result<(), GpuError> {
        let (limit, largest) = (self.memory_limit(), self.info().largest_buffer);
        let taken = self
            .inner
            .used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
                let after = used.checked_add(bytes)?;
                (after <= limit && bytes <= largest).then_some(after)
            });
        taken.map(|_| ()).map_err(|_| self.out_of_memory(bytes))
    }

    pub(crate) fn return_memory(&self, bytes: u64) {
        self.inner.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Gives bytes back that were set aside for memory which the driver refused.
    pub(crate) fn refused_memory(&self, bytes: u64, error: GpuError) -> GpuError {
        self.return_memory(bytes);
        match error {
            GpuError::OutOfMemory { .. } => self.out_of_memory(bytes),
            error => error,
        }
    }

    /// The error that `wanted` bytes are too many.
    pub(crate) fn out_of_memory(&self, wanted: u64) -> GpuError {
        GpuError::OutOfMemory {
            device: self.info().name.clone(),
            wanted,
            free: self.memory_free(),
            limit: self.memory_limit(),
            largest: self.info().largest_buffer,
        }
    }
}
