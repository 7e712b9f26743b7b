//! A stand-in for NVIDIA's driver and run-time compiler, so that what is written for them runs on any machine.
//!
//! `cuda_stand_in/` holds two libraries in C with the functions that are used of the two. Kernels run on the processor,
//! by OpenCL, or as the PTX that NVIDIA's own compiler makes of them, instruction by instruction; work is done when it is
//! submitted. What a device would not forgive fails with an error and is reported: use of memory that is in use or freed,
//! missing contexts, arguments and shared memory of the wrong size, leaks; and of PTX, accesses off their boundary or
//! outside of memory, races in shared memory, and barriers that not all threads come to. Failures can be ordered. The
//! libraries are compiled once, by `gcc`, into the folder that holds the tests' own.
//!
//! The driver is opened by its name. Inside a process the name finds what is already loaded under it; a child process
//! is told where it is by `LD_LIBRARY_PATH`.

use crate::c_library;
use libloading::{Library, Symbol};
use std::ffi::{CString, c_char, c_int, c_uint, c_ulong};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Where the sources are.
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/cuda_stand_in");
/// What both libraries are made of.
const SHARED: [&str; 2] = ["report.c", "runner.c"];
const OF_DRIVER: [&str; 13] = [
    "context.c",
    "copies.c",
    "device.c",
    "launch.c",
    "memory.c",
    "module.c",
    "pool.c",
    "ptx_counts.c",
    "ptx_read.c",
    "ptx_run.c",
    "order.c",
    "stream.c",
    "turns.c",
];
const OF_COMPILER: [&str; 1] = ["nvrtc.c"];
const DRIVER: &str = "libcuda.so.1";
const COMPILER: &str = "libnvrtc.so.12";
/// The folder of a driver without what came with later versions.
const OLD: &str = "old";
/// What they are linked with.
const LIBRARIES: [&str; 3] = ["-l:libOpenCL.so.1", "-lpthread", "-lm"];

/// The libraries of the stand-in, in a folder.
#[derive(Clone, Debug)]
pub struct CudaStandIn {
    folder: PathBuf,
}

impl CudaStandIn {
    /// Compiles them, unless they are there.
    ///
    /// # Errors
    /// If there is no C compiler or no OpenCL, in words.
    pub fn build() -> Result<Self, String> {
        static BUILT: OnceLock<Result<CudaStandIn, String>> = OnceLock::new();
        let build =
            || Self::build_once().map_err(|error| format!("the stand-in for CUDA: {error}"));
        BUILT.get_or_init(build).clone()
    }

    fn build_once() -> io::Result<Self> {
        let folder = c_library::folder("cuda-stand-in", Path::new(SOURCES), |folder| {
            fs::create_dir_all(folder.join(OLD))?;
            compile(&folder.join(DRIVER), &OF_DRIVER, &[])?;
            compile(
                &folder.join(OLD).join(DRIVER),
                &OF_DRIVER,
                &["-DWITHOUT_POOLS"],
            )?;
            compile(&folder.join(COMPILER), &OF_COMPILER, &[])
        })?;
        Ok(Self { folder })
    }

    /// The folder of both libraries.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The library that stands for the compiler.
    pub fn compiler(&self) -> PathBuf {
        self.folder.join(COMPILER)
    }

    /// Has a child process find the stand-in.
    pub fn lend<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command
            .env("LD_LIBRARY_PATH", &self.folder)
            .env("SUNZI_NVRTC", self.compiler())
    }

    /// Has a child process find the driver without what came with later versions.
    pub fn lend_old<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        self.lend(command)
            .env("LD_LIBRARY_PATH", self.folder.join(OLD))
    }

    /// Loads the driver and the compiler for good: from here on this process finds the driver by its name.
    ///
    /// # Errors
    /// What the system says.
    pub fn load(&self) -> Result<LoadedStandIn, String> {
        let open = |file: PathBuf| {
            // SAFETY: loading them does nothing but load OpenCL.
            let library = unsafe { Library::new(&file) };
            library.map_err(|error| format!("the stand-in for CUDA: {error}"))
        };
        Ok(LoadedStandIn {
            driver: open(self.folder.join(DRIVER))?,
            compiler: open(self.compiler())?,
        })
    }
}

fn compile(library: &Path, files: &[&str], more: &[&str]) -> io::Result<()> {
    let all: Vec<_> = SHARED.iter().chain(files).copied().collect();
    let more: Vec<_> = more.iter().chain(&LIBRARIES).copied().collect();
    c_library::compile(library, Path::new(SOURCES), &all, &more)
}

/// A launch that the stand-in has seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenLaunch {
    /// The kernel's name.
    pub kernel: String,
    /// Groups of threads, in all.
    pub groups: usize,
    /// Threads of a group.
    pub threads: usize,
    /// Bytes of dynamic shared memory.
    pub shared_bytes: usize,
}

impl SeenLaunch {
    /// Reads a name, groups along three sides, threads and bytes.
    fn read(line: &str) -> Self {
        let mut parts = line.split(' ');
        let kernel = parts.next().unwrap_or_default().to_owned();
        let numbers: Vec<usize> = parts.map(|part| part.parse().unwrap()).collect();
        let [x, y, z, threads, shared_bytes] = numbers[..] else {
            panic!("a launch has five numbers: {line}")
        };
        Self {
            kernel,
            groups: x * y * z,
            threads,
            shared_bytes,
        }
    }
}

/// What a launch of PTX did, in all its threads.
#[derive(Clone, Debug, PartialEq)]
pub struct LaunchWork {
    /// The kernel's name.
    pub kernel: String,
    /// Groups of threads, in all.
    pub groups: usize,
    /// Threads of a group.
    pub threads: usize,
    /// Instructions of PTX.
    pub instructions: f64,
    /// An estimate of what a processor issues for them, in instructions of 32 bits.
    pub issued: f64,
    /// Multiply-adds of 32 bits among these, two for a product with all 64 bits, or operations on doubles.
    pub products: f64,
    /// Loads from and stores to the device's memory.
    pub global: f64,
    /// Bytes that these move.
    pub bytes: f64,
    /// Loads from and stores to shared memory.
    pub shared: f64,
    /// Barriers that a group waits at.
    pub barriers: f64,
}

impl LaunchWork {
    /// Reads a line of what the stand-in tells.
    fn read(line: &str) -> Self {
        let mut parts = line.split(',');
        let kernel = parts.next().unwrap_or_default().to_owned();
        let numbers: Vec<f64> = parts.map(|part| part.parse().unwrap()).collect();
        let [
            groups,
            threads,
            instructions,
            issued,
            products,
            global,
            bytes,
            shared,
            barriers,
        ] = numbers[..]
        else {
            panic!("what a launch did has nine numbers: {line}")
        };
        Self {
            kernel,
            groups: groups as usize,
            threads: threads as usize,
            instructions,
            issued,
            products,
            global,
            bytes,
            shared,
            barriers,
        }
    }
}

/// What a library tells through a function that fills so many bytes with lines.
fn lines(library: &Library, name: &str) -> Vec<String> {
    type Told = unsafe extern "C" fn(*mut c_char, c_ulong) -> c_uint;
    let mut words = vec![0u8; 1 << 16];
    // SAFETY: callers name functions of this type, and there is as much room as they are told.
    unsafe {
        let told: Symbol<'_, Told> = library.get(name).unwrap();
        told(words.as_mut_ptr().cast(), words.len() as c_ulong);
    }
    let words = words.split(|&byte| byte == 0).next().unwrap_or_default();
    let lines = String::from_utf8_lossy(words);
    lines.lines().map(str::to_owned).collect()
}

/// The stand-in, loaded in this process.
#[derive(Debug)]
pub struct LoadedStandIn {
    driver: Library,
    compiler: Library,
}

impl LoadedStandIn {
    /// A function of the driver.
    ///
    /// # Safety
    /// `F` is its type.
    ///
    /// # Panics
    /// If there is none of that name.
    pub unsafe fn function<F>(&self, name: &str) -> Symbol<'_, F> {
        // SAFETY: by this function's terms.
        unsafe { self.driver.get(name) }.unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// What went against the rules since the last [`reset`](Self::reset), line by line.
    pub fn violations(&self) -> Vec<String> {
        let both = [&self.driver, &self.compiler];
        both.map(|library| lines(library, "standInViolations"))
            .concat()
    }

    /// Has calls fail, counted from now on: `cuMemAlloc_v2:3=2,*:50=719` fails the third `cuMemAlloc_v2` with code 2, and
    /// the 50th call of any function with code 719, which stands for a lost device: every later call fails likewise.
    ///
    /// # Panics
    /// If the rules cannot be read.
    pub fn fail(&self, rules: &str) {
        type Fail = unsafe extern "C" fn(*const c_char) -> c_int;
        let text = CString::new(rules).unwrap();
        for library in [&self.driver, &self.compiler] {
            // SAFETY: the function has this type in both libraries, and the text ends with a zero.
            let understood = unsafe {
                let fail: Symbol<'_, Fail> = library.get("standInFail").unwrap();
                fail(text.as_ptr())
            };
            assert!(understood != 0, "{rules} cannot be read");
        }
    }

    /// Calls of the driver since the last [`fail`](Self::fail) or [`reset`](Self::reset).
    pub fn calls(&self) -> u64 {
        // SAFETY: it is the function's type.
        unsafe { self.function::<unsafe extern "C" fn() -> c_ulong>("standInCalls")() }
    }

    /// The launches of kernels since the last [`reset`](Self::reset), as far as 64 KiB of lines tell them.
    pub fn launches(&self) -> Vec<SeenLaunch> {
        let lines = lines(&self.driver, "standInLaunches");
        lines.iter().map(|line| SeenLaunch::read(line)).collect()
    }

    /// What the launches of PTX since the last [`reset`](Self::reset) did, as far as 64 KiB of lines tell it.
    pub fn work(&self) -> Vec<LaunchWork> {
        let lines = lines(&self.driver, "standInWork");
        lines.iter().map(|line| LaunchWork::read(line)).collect()
    }

    /// The instructions of PTX that it knows, with `_` for dots.
    pub fn instructions(&self) -> Vec<String> {
        lines(&self.driver, "standInInstructions")
    }

    /// Has the threads of a group take turns in this order, and the groups of a launch, where they run as PTX: `forward`,
    /// `reverse` or `shuffled:SEED`.
    ///
    /// # Panics
    /// If the order cannot be read.
    pub fn take_turns(&self, order: &str) {
        type Turns = unsafe extern "C" fn(*const c_char) -> c_int;
        let text = CString::new(order).unwrap();
        // SAFETY: it is the function's type, and the text ends with a zero.
        let understood = unsafe { self.function::<Turns>("standInTurns")(text.as_ptr()) };
        assert!(understood != 0, "{order} cannot be read");
    }

    /// Forgets violations, failures, launches and the loss of the device.
    pub fn reset(&self) {
        for library in [&self.driver, &self.compiler] {
            // SAFETY: the function has this type in both libraries.
            unsafe {
                let reset: Symbol<'_, unsafe extern "C" fn()> =
                    library.get("standInReset").unwrap();
                reset();
            }
        }
    }
}
