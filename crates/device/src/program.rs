//! Programs compiled for a device, and their kernels.

use crate::backend::{Argument, Launch, Raw};
use crate::device::{Device, LoadedProgram};
use crate::error::GpuError;
use crate::group::KernelGroup;
use crate::hazards::Access;
use crate::parameters::{Lengths, Parameters, Told};
use crate::signatures::{Kind, SignatureParameter};
use crate::source::Source;
use std::ffi::CString;
use std::fmt;
use std::iter;
use std::sync::Arc;

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
            self.info().check_group(source.name(), threads, 0)?;
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
