//! Programs: text with definitions, compiled for a device, and their kernels.

use crate::backend::Raw;
use crate::{Device, GpuError};
use std::collections::HashMap;
use std::ffi::CString;
use std::fmt::{self, Display, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// The macros that every kernel is written over.
const PRELUDE: &str = include_str!("kernels/prelude.h");

/// What is compiled: definitions, then the prelude, then parts of text in order.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    name: &'a str,
    definitions: String,
    parts: Vec<&'a str>,
}

impl<'a> Source<'a> {
    /// A program of that name, as errors call it, for groups of so many threads (the definition `GROUP`).
    pub fn new(name: &'a str, threads: usize) -> Self {
        Self {
            name,
            definitions: String::new(),
            parts: Vec::new(),
        }
        .define("GROUP", threads)
    }

    /// Defines a macro.
    #[must_use]
    pub fn define(mut self, name: &str, value: impl Display) -> Self {
        // Writing to a string has no errors.
        let _ = writeln!(self.definitions, "#define {name} {value}");
        self
    }

    /// Defines a macro as a constant of 64 bits.
    #[must_use]
    pub fn define_u64(self, name: &str, value: u64) -> Self {
        self.define(name, format_args!("((u64){value:#x})"))
    }

    /// Defines a macro as a constant of 32 bits.
    #[must_use]
    pub fn define_u32(self, name: &str, value: u32) -> Self {
        self.define(name, format_args!("((u32){value:#x}u)"))
    }

    /// Adds text.
    #[must_use]
    pub fn part(mut self, text: &'a str) -> Self {
        self.parts.push(text);
        self
    }

    /// What errors call it.
    pub fn name(&self) -> &str {
        self.name
    }

    /// The whole text.
    pub fn text(&self) -> String {
        let parts = self.parts.concat();
        format!("{}{PRELUDE}{parts}", self.definitions)
    }
}

/// A program compiled for a device. A clone is the same program.
#[derive(Clone)]
pub struct Program {
    inner: Arc<Loaded>,
}

struct Loaded {
    /// The device without its programs would free them too early.
    device: Device,
    raw: Raw,
    name: String,
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Program {} for {}",
            self.inner.name,
            self.inner.device.info().name
        )
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // SAFETY: the program is of this driver, and this is its only owner.
        unsafe { self.device.driver().unload(self.raw) };
    }
}

impl Program {
    /// A kernel of it.
    ///
    /// # Errors
    /// [`GpuError::Driver`] if it has none of that name.
    pub fn kernel(&self, name: &str) -> Result<Kernel, GpuError> {
        let text = CString::new(name)
            .map_err(|_| GpuError::Shape(format!("{name:?} is no name of a kernel")))?;
        // SAFETY: the program is alive and of this driver.
        let raw = unsafe { self.inner.device.driver().kernel(self.inner.raw, &text)? };
        Ok(Kernel {
            program: self.clone(),
            raw,
            name: name.to_owned(),
        })
    }
}

/// An entry point of a program.
pub struct Kernel {
    program: Program,
    raw: Raw,
    name: String,
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Kernel {} of {:?}", self.name, self.program)
    }
}

impl Kernel {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn device(&self) -> &Device {
        &self.program.inner.device
    }

    pub(crate) fn raw(&self) -> Raw {
        self.raw
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        // SAFETY: the kernel is of this driver, and this is its only owner.
        unsafe { self.program.inner.device.driver().free_kernel(self.raw) };
    }
}

/// The compiled programs of a device that are still in use, by their whole text.
#[derive(Default)]
pub struct ProgramTable {
    /// Weak, or device and programs would keep each other alive.
    programs: Mutex<HashMap<String, std::sync::Weak<Loaded>>>,
}

impl ProgramTable {
    /// The program, compiled if it is neither here nor on disk.
    pub fn get(&self, device: &Device, source: &Source<'_>) -> Result<Program, GpuError> {
        let text = source.text();
        // Held while compiling: two threads that want one program compile it once.
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(inner) = programs.get(&text).and_then(std::sync::Weak::upgrade) {
            return Ok(Program { inner });
        }
        programs.retain(|_, program| program.strong_count() > 0);
        let inner = Arc::new(Loaded {
            raw: load(device, source.name, &text)?,
            device: device.clone(),
            name: source.name.to_owned(),
        });
        programs.insert(text, Arc::downgrade(&inner));
        Ok(Program { inner })
    }
}

/// Loads the program from the cache on disk, or compiles it and keeps it there.
fn load(device: &Device, name: &str, text: &str) -> Result<Raw, GpuError> {
    let (driver, cache) = (device.driver(), device.cache());
    let key = cache.key(driver.info(), text);
    // A binary that the driver does not take any more is rebuilt like one that is not there.
    if let Some(program) = cache
        .find(&key)
        .and_then(|binary| driver.load(name, &binary).ok())
    {
        return Ok(program);
    }
    let binary = driver.compile(name, text)?;
    if let Some(problem) = cache.keep(&key, &binary) {
        device.notice(problem);
    }
    driver.load(name, &binary)
}
