//! An open device: its driver, its memory, and the programs that are loaded on it.

use crate::backend::recorder::Recorder;
use crate::backend::{Compiled, DeviceIdentity, Driver, Raw, StreamIdentity, cuda, opencl};
use crate::cache::Cache;
use crate::discovery::{Selection, discover};
use crate::error::GpuError;
use crate::hazards::Hazards;
use crate::info::{Backend, DeviceInfo};
use crate::memo::Memo;
use crate::options::{CacheFolder, DeviceOptions};
use crate::profile::{CommandTime, Profile};
use crate::signatures::Signatures;
use crate::source::Source;
use crate::work::LaunchWork;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The part of the free memory that is left to what else the driver needs.
const RESERVE: u64 = 16;

/// In the place of a compiler's options, for what is kept beside compiled programs: no compiler has these.
const NO_OPTIONS: &str = "not compiled";

/// An open device. A clone is the same device.
#[derive(Clone)]
pub struct Device {
    inner: Arc<Inner>,
}

struct Inner {
    driver: Arc<dyn Driver>,
    memory_limit: u64,
    used: AtomicU64,
    cache: Cache,
    /// Those in use, by their whole text.
    programs: Memo<String, LoadedProgram>,
    warnings: Mutex<Vec<String>>,
    hazards: Hazards,
    /// What is kept where nothing is done.
    recording: Option<Mutex<Recording>>,
    profile: Option<Profile>,
}

/// What a device that is not there keeps.
#[derive(Default)]
struct Recording {
    launches: Vec<(StreamIdentity, LaunchWork)>,
    /// By their labels: they are not compiled, so that their texts do not matter.
    programs: BTreeMap<String, Arc<LoadedProgram>>,
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
    /// [`GpuError::NoDevice`] if there is no such device, [`GpuError::NoCompiler`] if nothing can be compiled for it, and
    /// errors of the driver.
    pub fn open(wanted: Selection) -> Result<Self, GpuError> {
        Self::open_with(wanted, &DeviceOptions::from_env()?)
    }

    /// Opens a device.
    ///
    /// # Errors
    /// As [`Device::open`].
    pub fn open_with(wanted: Selection, options: &DeviceOptions) -> Result<Self, GpuError> {
        let found = discover();
        let info = found.select(wanted)?;
        match Self::open_found(info, options) {
            // Without NVIDIA's compiler the same GPU may still be there for OpenCL, or another one.
            Err(unusable @ GpuError::NoCompiler { .. }) => {
                let info = found.select_without_cuda(wanted, unusable.clone())?;
                let device = Self::open_found(info, options)?;
                device.add_warning(format!("{} is used instead: {unusable}", info.name));
                Ok(device)
            }
            opened => opened,
        }
    }

    /// Opens a device of a [`Discovery`](crate::Discovery); [`info`](Self::info) then has the limits that the options set.
    ///
    /// # Errors
    /// As [`Device::open`].
    pub fn open_found(info: &DeviceInfo, options: &DeviceOptions) -> Result<Self, GpuError> {
        let info = DeviceInfo {
            group_threads: options
                .group_threads
                .map_or(info.group_threads, |limit| limit.min(info.group_threads)),
            shared_memory: options
                .group_memory
                .map_or(info.shared_memory, |limit| limit.min(info.shared_memory)),
            ..info.clone()
        };
        let driver: Arc<dyn Driver> = match info.backend {
            Backend::Cuda => Arc::new(cuda::Opened::open(&info, options.compiler.as_deref())?),
            Backend::OpenCl => Arc::new(opencl::Opened::open(&info)?),
        };
        Ok(Self::over(driver, options, None))
    }

    /// One that is not there, with the limits of this one but for its memory: launches are noted, and that is all.
    pub(crate) fn recorder(info: &DeviceInfo) -> Self {
        let options = DeviceOptions {
            cache: CacheFolder::None,
            ..DeviceOptions::default()
        };
        let driver = Arc::new(Recorder::new(info));
        Self::over(driver, &options, Some(Mutex::default()))
    }

    fn over(
        driver: Arc<dyn Driver>,
        options: &DeviceOptions,
        recording: Option<Mutex<Recording>>,
    ) -> Self {
        // Programs and contexts take memory as well, and so do other processes.
        let free = driver.free_memory().map(|free| free - free / RESERVE);
        let memory = free.unwrap_or(driver.info().memory);
        Self {
            inner: Arc::new(Inner {
                driver,
                memory_limit: options
                    .memory_limit
                    .map_or(memory, |limit| limit.min(memory)),
                used: AtomicU64::new(0),
                cache: Cache::new(&options.cache),
                programs: Memo::default(),
                warnings: Mutex::default(),
                hazards: Hazards::default(),
                recording,
                profile: options.keep_times.then(Profile::default),
            }),
        }
    }

    fn recording(&self) -> Option<MutexGuard<'_, Recording>> {
        let recording = self.inner.recording.as_ref()?;
        Some(recording.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Notes a launch on a stream, where launches are noted.
    pub(crate) fn note_launch(&self, on: StreamIdentity, launch: impl FnOnce() -> LaunchWork) {
        if let Some(mut recording) = self.recording() {
            recording.launches.push((on, launch()));
        }
    }

    /// Where times are kept, if they are.
    pub(crate) fn profile(&self) -> Option<&Profile> {
        self.inner.profile.as_ref()
    }

    /// How long each command took on all streams since this was last asked, in the order of submission; waits for them. Commands
    /// are copies, and kernels that are launched by their descriptions; there are none where the device was not opened with
    /// [`DeviceOptions::keep_times`].
    ///
    /// ```
    /// use sunzi::gpu::{Device, DeviceOptions, Selection};
    /// # fn main() -> Result<(), sunzi::gpu::GpuError> {
    /// let options = DeviceOptions { keep_times: true, ..DeviceOptions::from_env()? };
    /// # let Ok(device) = Device::open_with(Selection::Any, &options) else { return Ok(()) };
    /// let stream = device.stream()?;
    /// let mut numbers = device.buffer::<u32>(1 << 20)?;
    /// stream.write(&mut numbers, &[1; 1 << 20])?;
    /// for took in device.take_times()? {
    ///     println!("{:?} in {:?}", took.command, took.time);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If any of them failed.
    pub fn take_times(&self) -> Result<Vec<CommandTime>, GpuError> {
        match self.profile() {
            Some(profile) => profile.take(self.driver().as_ref()),
            None => Ok(Vec::new()),
        }
    }

    /// The launches on a stream that were noted since this was last asked.
    pub(crate) fn take_launches(&self, on: StreamIdentity) -> Vec<LaunchWork> {
        let noted = self
            .recording()
            .map(|mut kept| std::mem::take(&mut kept.launches));
        let noted = noted.into_iter().flatten();
        noted
            .filter_map(|(stream, launch)| (stream == on).then_some(launch))
            .collect()
    }

    /// What programs were asked for where launches are noted, by their labels.
    pub(crate) fn recorded_sources(&self) -> Vec<Arc<Source<'static>>> {
        let programs = self.recording().map(|kept| {
            let programs = kept.programs.values();
            programs
                .map(|program| Arc::clone(program.source()))
                .collect()
        });
        programs.unwrap_or_default()
    }

    /// Forgets programs that are kept for a recording, which keep the device in turn.
    pub(crate) fn end_recording(&self) {
        let programs = self
            .recording()
            .map(|mut kept| std::mem::take(&mut kept.programs));
        // They are dropped without the lock.
        drop(programs);
    }

    /// Tells it from every other that is open.
    pub fn identity(&self) -> DeviceIdentity {
        DeviceIdentity(Arc::as_ptr(&self.inner).addr())
    }

    /// Refuses what belongs to another open device: its handles mean nothing here.
    ///
    /// # Errors
    /// [`GpuError::Shape`].
    pub fn must_own(&self, what: &str, owner: DeviceIdentity) -> Result<(), GpuError> {
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

    /// Keeps bytes for later processes, beside compiled kernels; a warning tells if that cannot be done.
    pub fn remember(&self, name: &str, bytes: &[u8]) {
        let cache = &self.inner.cache;
        if let Some(problem) = cache.keep(&cache.key(self.info(), NO_OPTIONS, name), bytes) {
            self.add_warning(problem);
        }
    }

    /// The bytes that were kept under a name, for this device and driver.
    pub fn recall(&self, name: &str) -> Option<Vec<u8>> {
        let cache = &self.inner.cache;
        cache.find(&cache.key(self.info(), NO_OPTIONS, name))
    }

    /// What did not go as expected without being an error, such as compiled kernels that could not be kept. Each is
    /// reported once.
    pub fn take_warnings(&self) -> Vec<String> {
        std::mem::take(
            &mut self
                .inner
                .warnings
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        )
    }

    /// Adds a warning that is not there yet, for whoever takes them next.
    pub fn add_warning(&self, text: String) {
        let mut warnings = self
            .inner
            .warnings
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if !warnings.contains(&text) {
            warnings.push(text);
        }
    }

    pub(crate) fn driver(&self) -> &Arc<dyn Driver> {
        &self.inner.driver
    }

    /// What its buffers were used for last.
    pub(crate) fn hazards(&self) -> &Hazards {
        &self.inner.hazards
    }

    /// The program of this text, compiled if it is neither in use nor on disk.
    pub(crate) fn loaded_program(
        &self,
        source: &Source<'_>,
    ) -> Result<Arc<LoadedProgram>, GpuError> {
        let loaded = |raw| LoadedProgram {
            raw,
            device: self.clone(),
            source: Arc::new(source.owned()),
            signatures: source.signatures(),
        };
        if let Some(mut recording) = self.recording() {
            let program = recording.programs.entry(source.label());
            let program = program.or_insert_with(|| Arc::new(loaded(Raw(0))));
            return Ok(Arc::clone(program));
        }
        let text = source.text();
        let load = || Ok(loaded(self.load(source.name(), &text)?));
        self.inner.programs.get(&text, load)
    }

    /// Loads a program from the cache on disk, or compiles it and keeps it there.
    fn load(&self, name: &str, text: &str) -> Result<Raw, GpuError> {
        let (driver, cache) = (self.driver(), &self.inner.cache);
        let key = cache.key(driver.info(), &driver.compiler_options(), text);
        // A binary that the driver does not take any more is rebuilt like one that is not there.
        if let Some(program) = cache
            .find(&key)
            .and_then(|binary| driver.load(name, &binary).ok())
        {
            return Ok(program);
        }
        let Compiled { program, binary } = driver.compile(name, text)?;
        let problem = binary.and_then(|binary| cache.keep(&key, &binary));
        if let Some(problem) = problem {
            self.add_warning(problem);
        }
        Ok(program)
    }

    /// Sets bytes aside, if as many are free.
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
    pub fn out_of_memory(&self, wanted: u64) -> GpuError {
        GpuError::OutOfMemory {
            device: self.info().name.clone(),
            wanted,
            free: self.memory_free(),
            limit: self.memory_limit(),
            largest: self.info().largest_buffer,
        }
    }
}

/// A program that is loaded on a device.
pub(crate) struct LoadedProgram {
    /// Its driver must outlive the program.
    device: Device,
    raw: Raw,
    source: Arc<Source<'static>>,
    signatures: Signatures,
}

impl LoadedProgram {
    /// The parameters of its kernels.
    pub(crate) fn signatures(&self) -> &Signatures {
        &self.signatures
    }

    pub(crate) fn device(&self) -> &Device {
        &self.device
    }

    pub(crate) fn raw(&self) -> Raw {
        self.raw
    }

    /// What it was compiled from.
    pub(crate) fn source(&self) -> &Arc<Source<'static>> {
        &self.source
    }
}

impl Drop for LoadedProgram {
    fn drop(&mut self) {
        // SAFETY: the program is of this driver, and this is its only owner.
        unsafe { self.device.driver().unload(self.raw) };
    }
}
