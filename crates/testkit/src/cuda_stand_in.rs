//! A stand-in for NVIDIA's driver and run-time compiler, so that what is written for them runs on any machine.
//!
//! `cuda_stand_in/` holds two libraries in C with the functions that are used of the two. Kernels run on the processor,
//! by OpenCL; work is done when it is submitted. What a device would not forgive fails with an error and is reported: use
//! of memory that is in use or freed, missing contexts, arguments and shared memory of the wrong size, leaks. Failures
//! can be ordered. The libraries are compiled once, by `gcc`, into the folder that holds the tests' own.
//!
//! The driver is opened by its name. Inside a process the name finds what is already loaded under it; a child process
//! is told where it is by `LD_LIBRARY_PATH`.

use libloading::{Library, Symbol};
use std::ffi::{CString, c_char, c_int, c_uint, c_ulong};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Where the sources are.
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/cuda_stand_in");
/// What both libraries are made of.
const SHARED: [&str; 2] = ["report.c", "runner.c"];
const OF_DRIVER: [&str; 9] = [
    "context.c",
    "copies.c",
    "device.c",
    "launch.c",
    "memory.c",
    "module.c",
    "pool.c",
    "order.c",
    "stream.c",
];
const OF_COMPILER: [&str; 1] = ["nvrtc.c"];
const DRIVER: &str = "libcuda.so.1";
const COMPILER: &str = "libnvrtc.so.12";
/// The folder of a driver without what came with later versions.
const OLD: &str = "old";
const OPTIONS: [&str; 8] = [
    "-std=c11",
    "-D_GNU_SOURCE",
    "-O1",
    "-fPIC",
    "-shared",
    "-fvisibility=hidden",
    "-Wall",
    "-Werror",
];

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
        let folder = place_of_libraries(source_hash()?)?;
        if !folder.is_dir() {
            // Several processes may be at it: each writes beside, and the first to be done gives its folder the name.
            let beside = folder.with_extension(std::process::id().to_string());
            fs::create_dir_all(beside.join(OLD))?;
            compile(&beside.join(DRIVER), &OF_DRIVER, &[])?;
            compile(
                &beside.join(OLD).join(DRIVER),
                &OF_DRIVER,
                &["-DWITHOUT_POOLS"],
            )?;
            compile(&beside.join(COMPILER), &OF_COMPILER, &[])?;
            if let Err(error) = fs::rename(&beside, &folder) {
                fs::remove_dir_all(&beside)?;
                if !folder.is_dir() {
                    return Err(error);
                }
            }
        }
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

/// What the libraries' name says: anything that changes them.
fn source_hash() -> io::Result<u64> {
    let mut files: Vec<_> = fs::read_dir(SOURCES)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    let mut hasher = DefaultHasher::new();
    OPTIONS.hash(&mut hasher);
    for file in files {
        (&file, fs::read(&file)?).hash(&mut hasher);
    }
    Ok(hasher.finish())
}

/// A folder beside the one that this program is in: programs of tests lie in `target/PROFILE/deps`.
fn place_of_libraries(hash: u64) -> io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    let above = program.ancestors().nth(2).unwrap_or(Path::new("."));
    Ok(above.join(format!("cuda-stand-in-{hash:016x}")))
}

fn compile(library: &Path, files: &[&str], more: &[&str]) -> io::Result<()> {
    let name = library.file_name().unwrap_or_default().to_string_lossy();
    let output = Command::new("gcc")
        .current_dir(SOURCES)
        .args(OPTIONS)
        .args(more)
        .arg(format!("-Wl,-z,defs,-soname,{name}"))
        .args(SHARED.iter().chain(files))
        .arg("-o")
        .arg(library)
        .args(["-l:libOpenCL.so.1", "-lpthread"])
        .output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(io::Error::other(String::from_utf8_lossy(&output.stderr)))
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
        type Told = unsafe extern "C" fn(*mut c_char, c_ulong) -> c_uint;
        let mut all = Vec::new();
        for library in [&self.driver, &self.compiler] {
            let mut words = vec![0u8; 1 << 16];
            // SAFETY: the function has this type in both libraries, and there is as much room as it is told.
            unsafe {
                let told: Symbol<'_, Told> = library.get("standInViolations").unwrap();
                told(words.as_mut_ptr().cast(), words.len() as c_ulong);
            }
            let words = words.split(|&byte| byte == 0).next().unwrap_or_default();
            all.extend(String::from_utf8_lossy(words).lines().map(str::to_owned));
        }
        all
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
        type Told = unsafe extern "C" fn(*mut c_char, c_ulong) -> c_uint;
        let mut words = vec![0u8; 1 << 16];
        // SAFETY: it is the function's type, and there is as much room as it is told.
        unsafe {
            let told = self.function::<Told>("standInLaunches");
            told(words.as_mut_ptr().cast(), words.len() as c_ulong);
        }
        let words = words.split(|&byte| byte == 0).next().unwrap_or_default();
        let lines = String::from_utf8_lossy(words);
        lines.lines().map(SeenLaunch::read).collect()
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
