//! Programs: text with definitions, compiled for a device, and their kernels.

use crate::backend::{Argument, Launch, Raw};
use crate::device::{Device, LoadedProgram};
use crate::error::GpuError;
use crate::group::KernelGroup;
use crate::hazards::Access;
use crate::parameters::{Lengths, Parameters, Told};
use crate::signatures::{Kind, SignatureParameter, Signatures};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::CString;
use std::fmt::{self, Display, Write};
use std::iter;
use std::sync::Arc;

/// The macros that every kernel is written over.
const PRELUDE: &str = include_str!("prelude.h");

/// What is compiled: definitions, then the macros that kernels are written over, then parts of text in order.
#[derive(Clone, Debug)]
pub struct Source<'a> {
    name: Cow<'a, str>,
    /// Of a group, where the program is compiled for as many.
    threads: Option<usize>,
    definitions: String,
    prelude: &'static str,
    parts: Vec<Cow<'a, str>>,
}

impl<'a> Source<'a> {
    /// A program of that name, as errors call it, for groups of `threads` threads (the definition `GROUP`).
    pub fn new(name: &'a str, threads: usize) -> Self {
        Self {
            threads: Some(threads),
            prelude: PRELUDE,
            ..Self::verbatim(name)
        }
        .define("GROUP", threads)
    }

    /// A program of that name in the language of the device, OpenCL C or CUDA C++, without what this crate's kernels are written
    /// over.
    pub fn verbatim(name: &'a str) -> Self {
        Self {
            name: name.into(),
            threads: None,
            definitions: String::new(),
            prelude: "",
            parts: Vec::new(),
        }
    }

    /// Defines a macro.
    #[must_use]
    pub fn define(mut self, name: &str, value: impl Display) -> Self {
        // Writing to a string never fails.
        let _ = writeln!(self.definitions, "#define {name} {value}");
        self
    }

    /// Defines a macro as a constant of 64 bits.
    #[must_use]
    pub fn define_u64(self, name: &str, value: u64) -> Self {
        self.define(name, format_args!("((u64){value:#x})"))
    }

    /// Adds text.
    #[must_use]
    pub fn part(mut self, text: &'a str) -> Self {
        self.parts.push(text.into());
        self
    }

    /// What errors call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its name and its definitions, by which programs of one text are told apart.
    ///
    /// ```
    /// use sunzi_device::Source;
    /// let source = Source::new("sums", 64).define("WORDS", 2);
    /// assert_eq!(source.label(), "sums GROUP=64 WORDS=2");
    /// ```
    pub fn label(&self) -> String {
        let definitions = self.definitions.lines();
        definitions.fold(self.name.clone().into_owned(), |label, line| {
            let line = line.strip_prefix("#define ").unwrap_or(line);
            format!("{label} {}", line.replacen(' ', "=", 1))
        })
    }

    /// What parameters its kernels have; of a verbatim text nothing is known.
    pub(crate) fn signatures(&self) -> Signatures {
        if self.prelude.is_empty() {
            return Signatures::default();
        }
        Signatures::read(&self.parts.concat())
    }

    /// The names of its kernels, each with the number of its parameters and of those that it may write; `None` where they are not
    /// understood.
    pub fn kernels(&self) -> BTreeMap<String, Option<[usize; 2]>> {
        self.signatures().counts()
    }

    /// The same text, which borrows nothing.
    pub(crate) fn owned(&self) -> Source<'static> {
        let own = |text: &Cow<'a, str>| Cow::Owned(text.clone().into_owned());
        Source {
            name: own(&self.name),
            threads: self.threads,
            definitions: self.definitions.clone(),
            prelude: self.prelude,
            parts: self.parts.iter().map(own).collect(),
        }
    }

    /// The whole text.
    pub fn text(&self) -> String {
        let parts = self.parts.concat();
        format!("{}{}{parts}", self.definitions, self.prelude)
    }
}

/// A program compiled for a device. A clone is the same program.
#[derive(Clone)]
pub struct Program {
    loaded: Arc<LoadedProgram>,
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let device = &self.loaded.device().info().name;
        write!(f, "Program {} for {device}", self.loaded.source().name())
    }
}

impl Device {
    /// Compiles a program, or finds it in memory or on disk.
    ///
    /// # Errors
    /// [`GpuError::Limits`] for groups of more threads than the device has; [`GpuError::Compile`] with the compiler's log.
    pub fn program(&self, source: &Source<'_>) -> Result<Program, GpuError> {
        if let Some(threads) = source.threads {
            self.info().check_group(&source.name, threads, 0)?;
        }
        let loaded = self.loaded_program(source)?;
        Ok(Program { loaded })
    }
}

impl Program {
    /// Whether two are one and the same.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.loaded, &other.loaded)
    }

    /// One of its kernels.
    ///
    /// # Errors
    /// [`GpuError::Driver`] if it has none of that name; [`GpuError::Limits`] if its groups share more than the device has.
    pub fn kernel(&self, name: &str) -> Result<Kernel, GpuError> {
        let text = CString::new(name)
            .map_err(|_| GpuError::Shape(format!("{name:?} is no name of a kernel")))?;
        let device = self.loaded.device();
        // SAFETY: the program is alive and of this driver.
        let raw = unsafe { device.driver().kernel(self.loaded.raw(), &text)? };
        let mut kernel = Kernel {
            program: self.clone(),
            raw,
            name: name.to_owned(),
            group: KernelGroup::ANY,
            signature: self.loaded.signatures().of(name),
        };
        // SAFETY: the kernel is of this driver, and alive.
        kernel.group = unsafe { device.driver().group(raw)? };
        kernel.check(1, 0)?;
        Ok(kernel)
    }
}

/// An entry point of a program.
pub struct Kernel {
    program: Program,
    raw: Raw,
    name: String,
    group: KernelGroup,
    /// Its parameters; `None` if they are not known.
    signature: Option<Arc<[SignatureParameter]>>,
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

    /// The program that it is of.
    pub(crate) fn source(&self) -> &Arc<Source<'static>> {
        self.program.loaded.source()
    }

    /// Registers of a thread, and bytes of shared memory of a group beside those that a launch adds, where the driver tells
    /// them: CUDA does, and OpenCL does not.
    pub fn resources(&self) -> Option<[u64; 2]> {
        let shared_bytes = self.group.shared_bytes as u64;
        self.group
            .registers
            .map(|registers| [registers, shared_bytes])
    }

    /// Refuses groups of so many threads, with so many bytes of the tile, that the device does not have for it.
    pub(crate) fn check(&self, threads: usize, tile: usize) -> Result<(), GpuError> {
        let (info, group) = (self.device().info(), &self.group);
        info.check_launch(&self.name, group, threads, tile)
    }

    /// The arguments of a launch, if its parameters are those of the text, and buffers are as long as it takes them to be.
    pub(crate) fn arguments(
        &self,
        launch: &Launch,
        parameters: impl Parameters,
    ) -> Result<Vec<Argument>, GpuError> {
        parameters.lengths(Lengths {
            kernel: &self.name,
            launch,
        })?;
        Told::new(parameters).arguments(&self.name, self.signature.as_deref())
    }

    /// The buffers among its arguments, and what it does with them; what is not known to be read only is written.
    pub(crate) fn uses<'a>(
        &'a self,
        arguments: &'a [Argument],
    ) -> impl Iterator<Item = (Raw, Access)> + Clone + 'a {
        let parameters = self.signature.as_deref().unwrap_or_default().iter();
        let accesses = parameters.filter_map(|parameter| match parameter.kind {
            Kind::Reads { .. } => Some(Access::Reads),
            Kind::Writes { .. } => Some(Access::Writes),
            Kind::U32 | Kind::U64 => None,
        });
        let all = accesses.chain(iter::repeat(Access::Writes));
        let buffers = arguments.iter().filter_map(|argument| match argument {
            Argument::Memory(memory) => Some(memory.raw),
            Argument::U32(_) | Argument::U64(_) => None,
        });
        buffers.zip(all)
    }

    pub(crate) fn device(&self) -> &Device {
        self.program.loaded.device()
    }

    pub(crate) fn raw(&self) -> Raw {
        self.raw
    }
}

impl Drop for Kernel {
    fn drop(&mut self) {
        // SAFETY: the kernel is of this driver, and this is its only owner.
        unsafe { self.device().driver().free_kernel(self.raw) };
    }
}
