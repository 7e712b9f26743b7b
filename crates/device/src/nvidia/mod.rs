//! What kernels need on NVIDIA's GPUs, found without one.
//!
//! NVIDIA's compiler library runs on any machine, and reports registers, spilled values and shared memory of every
//! kernel: what decides how many groups run at once, and whether local variables stay in registers. What instructions
//! there are is read from the code that it makes.

mod cubin;
mod sass;

pub use sass::Instructions;

use crate::backend::cuda::nvrtc::{CompileFailure, Nvrtc, missing};
use crate::error::GpuError;
use crate::source::Source;

/// What a kernel needs on one architecture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelResources {
    /// Its name.
    pub kernel: String,
    /// Registers of 32 bits a thread.
    pub registers: u32,
    /// Bytes a thread that are stored because registers do not suffice.
    pub spill_stores: u32,
    /// Bytes a thread that are loaded back.
    pub spill_loads: u32,
    /// Bytes a thread of local memory: spilled values, and arrays that are not in registers.
    pub stack_bytes: u32,
    /// Bytes a group of shared memory, without its `SHARED_TILE`.
    pub shared_bytes: u32,
    /// Its instructions.
    pub code: Instructions,
}

impl KernelResources {
    /// Bytes a thread that go through memory because registers do not suffice.
    pub fn spills(&self) -> u32 {
        self.spill_stores + self.spill_loads
    }

    /// Reads the compiler's report.
    ///
    /// For every kernel it is a line with `Compiling entry function 'NAME'`, one with bytes of stack and spills for it
    /// and for each function that it calls, and one with registers and bytes of shared memory.
    fn parse(report: &str) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for line in report.lines() {
            if let Some((_, rest)) = line.split_once("Compiling entry function '") {
                all.push(Self {
                    kernel: rest.split('\'').next().unwrap_or_default().to_owned(),
                    ..Self::default()
                });
            }
            let Some(last) = all.last_mut() else { continue };
            last.spill_stores += before(line, " bytes spill stores");
            last.spill_loads += before(line, " bytes spill loads");
            last.stack_bytes = last.stack_bytes.max(before(line, " bytes stack frame"));
            last.registers = last.registers.max(before(line, " registers"));
            last.shared_bytes = last.shared_bytes.max(before(line, " bytes smem"));
        }
        all
    }
}

/// The number that stands before some words; zero if they are not there.
fn before(line: &str, words: &str) -> u32 {
    let number = line.split_once(words).map_or("", |(head, _)| head);
    let number = number.rsplit(|c: char| !c.is_ascii_digit()).next();
    number.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// NVIDIA's compiler library.
pub struct Compiler(Nvrtc);

impl Compiler {
    /// That of a [`Device`](crate::Device): named by the environment variable `SUNZI_NVRTC`, which has its file or
    /// folder, or where it usually is.
    ///
    /// # Errors
    /// [`GpuError::NoCompiler`] with what to install.
    pub fn any() -> Result<Self, GpuError> {
        let found = Nvrtc::any().map_err(|reason| missing("every device", reason));
        found.map(Self)
    }

    /// All versions that are where the library usually is, whatever `SUNZI_NVRTC` says.
    pub fn all() -> Vec<Self> {
        Nvrtc::all().into_iter().map(Self).collect()
    }

    /// Its name and version: `NVRTC 12.9`.
    pub fn name(&self) -> String {
        self.0.name()
    }

    /// Whether it makes code for an architecture (`sm_90`).
    pub fn makes_code_for(&self, architecture: &str) -> bool {
        self.0.makes_code_for(architecture)
    }

    /// Compiles a program for an architecture, and says what its kernels need there. Nothing runs, and no GPU is needed.
    ///
    /// # Errors
    /// [`GpuError::Compile`] with the compiler's log, also where it does not know the architecture.
    ///
    /// # Examples
    /// ```
    /// use sunzi::gpu::{GpuError, Source};
    /// use sunzi_device::nvidia::Compiler;
    /// let twice = Source::new("twice", 64)
    ///     .part("KERNEL twice(GLOBAL u32* x) { u32 i = BLOCK * GROUP + THREAD; x[i] = 2 * x[i]; }");
    /// match Compiler::any() {
    ///     Ok(compiler) => {
    ///         let kernels = compiler.check(&twice, "sm_90")?;
    ///         assert_eq!(kernels[0].kernel, "twice");
    ///         assert_eq!((kernels[0].spills(), kernels[0].code.global), (0, 2));
    ///     }
    ///     Err(reason) => println!("{reason}"),
    /// }
    /// # Ok::<(), GpuError>(())
    /// ```
    pub fn check(
        &self,
        source: &Source<'_>,
        architecture: &str,
    ) -> Result<Vec<KernelResources>, GpuError> {
        self.resources(source, architecture)
            .map_err(|failure| failure.of(source.name(), architecture))
    }

    fn resources(
        &self,
        source: &Source<'_>,
        architecture: &str,
    ) -> Result<Vec<KernelResources>, CompileFailure> {
        let (report, code) = self.0.report(source.name(), &source.text(), architecture)?;
        let mut kernels = KernelResources::parse(&report);
        let codes = cubin::kernels(&code).unwrap_or_default();
        for kernel in &mut kernels {
            let mut codes = codes.iter();
            let Some((_, code)) = codes.find(|(name, _)| *name == kernel.kernel) else {
                return Err(CompileFailure {
                    log: format!("there is no code of {} in what was made", kernel.kernel),
                });
            };
            kernel.code = Instructions::count(code);
        }
        Ok(kernels)
    }
}

#[cfg(test)]
mod tests {
    use super::KernelResources;

    #[test]
    fn reports_are_read() {
        // The lines of two versions: with a dot and without, with constant memory and without.
        let report = "\
nvrtc: warning: Architectures prior to '<compute/sm>_75' are deprecated and may be removed in a future release
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'spilly' for 'sm_90'
ptxas info    : Function properties for spilly
ptxas         .     3104 bytes stack frame, 5880 bytes spill stores, 6544 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 3104 bytes cumulative stack size
ptxas info    : Compile time = 160.965 ms
ptxas info    : Compiling entry function 'squares' for 'sm_90'
ptxas info    : Function properties for squares
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 14 registers, used 1 barriers, 400 bytes smem, 384 bytes cmem[0]
";
        let expected = [
            KernelResources {
                kernel: "spilly".to_owned(),
                registers: 32,
                spill_stores: 5880,
                spill_loads: 6544,
                stack_bytes: 3104,
                ..KernelResources::default()
            },
            KernelResources {
                kernel: "squares".to_owned(),
                registers: 14,
                shared_bytes: 400,
                ..KernelResources::default()
            },
        ];
        assert_eq!(KernelResources::parse(report), expected);
        assert_eq!(expected[0].spills(), 5880 + 6544);
        assert!(KernelResources::parse("").is_empty());
    }
}
