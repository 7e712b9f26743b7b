//! NVIDIA's compiler library (NVRTC), loaded at run time.
//!
//! It needs neither a GPU nor the driver. It makes code of a real architecture, with its own report on it.

mod find;

use super::library::{Missing, function, library, reason};
use crate::error::GpuError;
use crate::info::Backend;
use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::ptr;

/// A program of the library.
type Handle = *mut c_void;
/// A function that tells a length in bytes, and one that fills as many.
type Length = unsafe extern "C" fn(Handle, *mut usize) -> c_int;
type Fill = unsafe extern "C" fn(Handle, *mut c_char) -> c_int;

library! {
    /// The library's functions, by their names.
    Api -> c_int;
    required {
        nvrtcVersion(*mut c_int, *mut c_int);
        nvrtcCreateProgram(
            *mut Handle, *const c_char, *const c_char, c_int, *const *const c_char, *const *const c_char
        );
        nvrtcCompileProgram(Handle, c_int, *const *const c_char);
        nvrtcDestroyProgram(*mut Handle);
        nvrtcGetProgramLogSize(Handle, *mut usize);
        nvrtcGetProgramLog(Handle, *mut c_char);
        nvrtcGetPTXSize(Handle, *mut usize);
        nvrtcGetPTX(Handle, *mut c_char);
    }
    optional {
        // Since 11.1.
        nvrtcGetCUBINSize(Handle, *mut usize);
        nvrtcGetCUBIN(Handle, *mut c_char);
        // Since 11.2.
        nvrtcGetNumSupportedArchs(*mut c_int);
        nvrtcGetSupportedArchs(*mut c_int);
    }
}

/// The compiler.
pub(crate) struct Nvrtc {
    api: Api,
    /// What an error code means.
    error_text: unsafe extern "C" fn(c_int) -> *const c_char,
    version: (u32, u32),
    /// The architectures that it compiles for; none if it does not say.
    supported: Vec<u32>,
}

/// Why a program was not compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CompileFailure {
    /// What the compiler said.
    pub log: String,
}

impl CompileFailure {
    /// The error of a program on a device.
    pub(crate) fn of(self, program: &str, device: &str) -> GpuError {
        GpuError::Compile {
            program: program.to_owned(),
            device: device.to_owned(),
            log: self.log,
        }
    }
}

/// How every program is compiled: warnings would be about functions of the prelude that it does not use, and products
/// are fused with sums only where a kernel says so, as in OpenCL.
const OPTIONS: [&CStr; 4] = [c"--std=c++14", c"-default-device", c"-w", c"--fmad=false"];
/// Has the compiler report what kernels need.
const VERBOSE: &CStr = c"--ptxas-options=-v";

impl Nvrtc {
    /// The compiler for a device whose driver speaks this version of CUDA; or what is missing, and what to do.
    ///
    /// A driver loads nothing of a compiler with a greater major version.
    pub(crate) fn for_device(driver: (u32, u32), architecture: &str) -> Result<Self, String> {
        let wheel = match driver.0 {
            0..=12 => format!("nvidia-cuda-nvrtc-cu{}", driver.0.max(11)),
            major => format!("nvidia-cuda-nvrtc=={major}.*"),
        };
        Self::find(&find::candidates(of_environment), &wheel, |nvrtc, named| {
            // Who names a compiler knows why.
            let driver = if named { nvrtc.version } else { driver };
            nvrtc.serves(driver, architecture)
        })
    }

    /// Whatever compiler there is; or what is missing, and what to do.
    pub(crate) fn any() -> Result<Self, String> {
        let candidates = find::candidates(of_environment);
        Self::find(&candidates, "nvidia-cuda-nvrtc-cu12", |_, _| Ok(()))
    }

    /// Whether what it compiles for an architecture can be loaded by a driver that speaks this version of CUDA.
    fn serves(&self, (major, minor): (u32, u32), architecture: &str) -> Result<(), String> {
        if self.version.0 > major {
            return Err(format!(
                "it is newer than the driver, which speaks CUDA {major}.{minor}"
            ));
        }
        self.target(architecture).map(|_| ())
    }

    /// The first of the candidates that serves; `serves` is told whether the environment names it.
    fn find(
        (candidates, named): &(Vec<PathBuf>, bool),
        wheel: &str,
        serves: impl Fn(&Self, bool) -> Result<(), String>,
    ) -> Result<Self, String> {
        let named = *named;
        let mut refused = Vec::new();
        for file in candidates {
            let problem = match Self::load(file) {
                Ok(nvrtc) => match serves(&nvrtc, named) {
                    Ok(()) => return Ok(nvrtc),
                    Err(reason) => format!("{} is there, but {reason}", nvrtc.name()),
                },
                Err(reason) if named => reason,
                // That a file which need not be there is not there goes without saying.
                Err(_) => continue,
            };
            if !refused.contains(&problem) {
                refused.push(problem);
            }
        }
        let variable = find::VARIABLE;
        if named {
            refused.insert(0, format!("{variable} names nothing that can be used"));
        }
        let refused: String = refused.iter().map(|reason| format!(": {reason}")).collect();
        Err(format!(
            "NVIDIA's compiler library NVRTC is missing{refused}; install the Python wheel {wheel} or the CUDA \
             toolkit, name its folder in {variable}, or use --device opencl"
        ))
    }

    /// The library of a file, or of a name that the system's loader knows.
    fn load(file: &Path) -> Result<Self, String> {
        // SAFETY: what the library does when it is loaded is what every program with it relies on.
        let library = unsafe { Library::new(file) }.map_err(|error| reason(&error))?;
        let lacking = |missing: Missing| missing.reason;
        // SAFETY: the types are those of the library's documentation, and it is never unloaded: see below.
        let api = unsafe { Api::of(&library) }.map_err(lacking)?;
        // SAFETY: likewise.
        let error_text = unsafe { function(&library, "nvrtcGetErrorString") }.map_err(lacking)?;
        // It stays until the process ends, and so do the pointers into it.
        std::mem::forget(library);
        Ok(Self {
            error_text,
            version: api.version()?,
            supported: api.supported().unwrap_or_default(),
            api,
        })
    }

    /// Its name and version: `NVRTC 12.9`.
    pub(crate) fn name(&self) -> String {
        format!("NVRTC {}.{}", self.version.0, self.version.1)
    }

    /// The functions for an architecture's own code.
    fn cubin(&self) -> Option<(Length, Fill)> {
        self.api.nvrtcGetCUBINSize.zip(self.api.nvrtcGetCUBIN)
    }

    fn target(&self, architecture: &str) -> Result<Target, String> {
        Target::choose(architecture, &self.supported, self.cubin().is_some())
    }

    /// Compiles for an architecture: its own code, or text for the driver to compile where the architecture is newer
    /// than this library. Text ends with a zero.
    pub(crate) fn compile(
        &self,
        name: &str,
        source: &str,
        architecture: &str,
    ) -> Result<Vec<u8>, CompileFailure> {
        let target = self
            .target(architecture)
            .map_err(|log| CompileFailure { log })?;
        let program = self.run(name, source, target, &[])?;
        match (target, self.cubin()) {
            (Target::Cubin(_), Some(cubin)) => program.bytes(cubin),
            _ => program.bytes((self.api.nvrtcGetPTXSize, self.api.nvrtcGetPTX)),
        }
    }

    /// The compiler's report on a program for an architecture that this library knows.
    pub(crate) fn report(
        &self,
        name: &str,
        source: &str,
        architecture: &str,
    ) -> Result<String, CompileFailure> {
        let target = self.target(architecture).and_then(|target| match target {
            Target::Cubin(_) => Ok(target),
            Target::Ptx(_) => Err(format!("{} makes no code for {architecture}", self.name())),
        });
        let target = target.map_err(|log| CompileFailure { log })?;
        Ok(self.run(name, source, target, &[VERBOSE])?.log())
    }

    /// Compiles; the results are asked of what is returned.
    fn run(
        &self,
        name: &str,
        source: &str,
        target: Target,
        more: &[&CStr],
    ) -> Result<Compiled<'_>, CompileFailure> {
        let text = |text: &str| {
            CString::new(text).map_err(|_| CompileFailure {
                log: "there is a zero byte in its text or name".to_owned(),
            })
        };
        let (name, source, target) = (
            text(&format!("{name}.cu"))?,
            text(source)?,
            text(&target.option())?,
        );
        let mut handle = ptr::null_mut();
        // SAFETY: the pointers are to a live variable and to texts that end with a zero; there are no headers.
        let code = unsafe {
            (self.api.nvrtcCreateProgram)(
                &mut handle,
                source.as_ptr(),
                name.as_ptr(),
                0,
                ptr::null(),
                ptr::null(),
            )
        };
        self.check(code)?;
        let program = Compiled {
            nvrtc: self,
            handle,
        };
        let options = OPTIONS.iter().copied().chain([target.as_c_str()]);
        let options: Vec<_> = options
            .chain(more.iter().copied())
            .map(CStr::as_ptr)
            .collect();
        // SAFETY: the program is alive, and the options are as many texts that end with a zero.
        let code = unsafe {
            (self.api.nvrtcCompileProgram)(handle, options.len() as c_int, options.as_ptr())
        };
        self.check(code).map_err(|failure| CompileFailure {
            log: format!("{}\n{}", failure.log, program.log())
                .trim_end()
                .to_owned(),
        })?;
        Ok(program)
    }

    /// The result of a call.
    fn check(&self, code: c_int) -> Result<(), CompileFailure> {
        if code == 0 {
            return Ok(());
        }
        // SAFETY: the function takes every code, and its texts are constants.
        let words = unsafe {
            let words = (self.error_text)(code);
            (!words.is_null()).then(|| CStr::from_ptr(words).to_string_lossy().into_owned())
        };
        Err(CompileFailure {
            log: words.unwrap_or_else(|| format!("NVRTC error {code}")),
        })
    }
}

/// A program of the library, freed when it is dropped.
struct Compiled<'a> {
    nvrtc: &'a Nvrtc,
    handle: Handle,
}

impl Compiled<'_> {
    /// Bytes whose number one function tells and which another fills.
    fn bytes(&self, (length, fill): (Length, Fill)) -> Result<Vec<u8>, CompileFailure> {
        let mut count = 0;
        // SAFETY: the program is alive, and the pointer is to a live variable.
        let code = unsafe { length(self.handle, &mut count) };
        self.nvrtc.check(code)?;
        let mut bytes = vec![0; count];
        // SAFETY: the program is alive, and there are as many bytes as the library asked for.
        let code = unsafe { fill(self.handle, bytes.as_mut_ptr().cast()) };
        self.nvrtc.check(code)?;
        Ok(bytes)
    }

    /// What the compiler said.
    fn log(&self) -> String {
        let api = &self.nvrtc.api;
        let text = self.bytes((api.nvrtcGetProgramLogSize, api.nvrtcGetProgramLog));
        let text = text.unwrap_or_default();
        let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
        String::from_utf8_lossy(text).trim_end().to_owned()
    }
}

impl Drop for Compiled<'_> {
    fn drop(&mut self) {
        // SAFETY: the program is alive and not used again.
        unsafe { (self.nvrtc.api.nvrtcDestroyProgram)(&mut self.handle) };
    }
}

/// A variable of the environment, unless it is empty.
fn of_environment(variable: &str) -> Option<PathBuf> {
    let value = std::env::var_os(variable)?;
    (!value.is_empty()).then(|| value.into())
}

impl Api {
    /// The library's version.
    fn version(&self) -> Result<(u32, u32), String> {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: the pointers are to live variables.
        match unsafe { (self.nvrtcVersion)(&mut major, &mut minor) } {
            0 => Ok((major.unsigned_abs(), minor.unsigned_abs())),
            code => Err(format!("it does not tell its version (error {code})")),
        }
    }

    /// The architectures that the library compiles for, if it says so.
    fn supported(&self) -> Option<Vec<u32>> {
        let (count, list) = self
            .nvrtcGetNumSupportedArchs
            .zip(self.nvrtcGetSupportedArchs)?;
        let mut many = 0;
        // SAFETY: the pointer is to a live variable.
        if unsafe { count(&mut many) } != 0 {
            return None;
        }
        let mut numbers = vec![0; usize::try_from(many).unwrap_or_default()];
        // SAFETY: there is room for as many as the library has.
        let code = unsafe { list(numbers.as_mut_ptr()) };
        (code == 0).then(|| numbers.into_iter().map(c_int::unsigned_abs).collect())
    }
}

/// What the compiler makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// Code of this architecture.
    Cubin(u32),
    /// The intermediate language, as this architecture has it.
    Ptx(u32),
}

impl Target {
    /// The target for an architecture, where the compiler knows those of `supported` (all, if it does not say which).
    ///
    /// A compiler older than the device makes the intermediate language of the newest architecture that it knows: the
    /// driver compiles it for every later one.
    fn choose(architecture: &str, supported: &[u32], has_cubins: bool) -> Result<Self, String> {
        let number = number(architecture)?;
        let known = supported.is_empty() || supported.contains(&number);
        match known {
            true if has_cubins => Ok(Self::Cubin(number)),
            true => Ok(Self::Ptx(number)),
            false => {
                let below = supported.iter().filter(|&&known| known < number);
                below.max().copied().map(Self::Ptx).ok_or_else(|| {
                    let least = supported.iter().min().copied().unwrap_or_default();
                    format!("it compiles for sm_{least} and newer, not for {architecture}")
                })
            }
        }
    }

    /// How the compiler is told.
    fn option(self) -> String {
        match self {
            Self::Cubin(number) => format!("--gpu-architecture=sm_{number}"),
            Self::Ptx(number) => format!("--gpu-architecture=compute_{number}"),
        }
    }
}

/// 90 of `sm_90`.
fn number(architecture: &str) -> Result<u32, String> {
    let digits = architecture.strip_prefix("sm_").unwrap_or_default();
    digits
        .parse()
        .map_err(|_| format!("`{architecture}` is no architecture: they are named as sm_90 is"))
}

/// The error that there is no compiler for an architecture.
pub(crate) fn missing(architecture: &str, reason: String) -> GpuError {
    GpuError::NoCompiler {
        device: architecture.to_owned(),
        backend: Backend::Cuda,
        reason,
    }
}

#[cfg(test)]
mod tests {
    use super::Target::{Cubin, Ptx};
    use super::*;

    const SQUARE: &str =
        "#define GROUP 64\nextern \"C\" __global__ void square(int* x) { *x *= *x; }";

    /// The compiler, or `None` after a word on why there is none.
    fn nvrtc() -> Option<Nvrtc> {
        let found = Nvrtc::any().inspect_err(|reason| sunzi_testkit::skip(reason));
        found.ok()
    }

    #[test]
    fn a_known_architecture_gets_code_and_a_newer_one_text() {
        let Some(nvrtc) = nvrtc() else { return };
        let code = nvrtc.compile("square", SQUARE, "sm_90").unwrap();
        assert!(code.starts_with(b"\x7fELF"));
        let text = nvrtc.compile("square", SQUARE, "sm_999").unwrap();
        assert_eq!(text.last(), Some(&0));
        let text = String::from_utf8(text).unwrap();
        let newest = nvrtc.supported.iter().max().unwrap();
        assert!(text.contains(&format!(".target sm_{newest}")), "{text}");
        assert!(text.contains(".entry square("), "{text}");
    }

    #[test]
    fn the_log_says_where_and_what() {
        let Some(nvrtc) = nvrtc() else { return };
        let failure = nvrtc
            .compile("wrong", "\nint f() { return missing; }", "sm_90")
            .unwrap_err();
        for part in ["NVRTC_ERROR_COMPILATION", "wrong.cu(2)", "missing"] {
            assert!(failure.log.contains(part), "{}", failure.log);
        }
    }

    #[test]
    fn a_compiler_serves_drivers_of_its_major_version_and_later_ones() {
        let Some(nvrtc) = nvrtc() else { return };
        let (major, minor) = nvrtc.version;
        assert!(nvrtc.serves((major, 0), "sm_90").is_ok());
        assert!(nvrtc.serves((major + 1, minor), "sm_90").is_ok());
        let older = nvrtc.serves((major - 1, 9), "sm_90").unwrap_err();
        assert!(older.contains("newer than the driver"), "{older}");
        assert!(nvrtc.serves((major, minor), "sm_1").is_err());
    }

    #[test]
    fn a_named_file_that_is_no_compiler_is_told_with_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("libnvrtc.so.12");
        std::fs::write(&file, "not a library").unwrap();
        for named in [
            file,
            folder.path().to_owned(),
            folder.path().join("no-such"),
        ] {
            let candidates =
                find::candidates(|variable| (variable == find::VARIABLE).then(|| named.clone()));
            let Err(reason) = Nvrtc::find(&candidates, "a-wheel", |_, _| Ok(())) else {
                panic!("{named:?} is no compiler")
            };
            for part in ["SUNZI_NVRTC names nothing", "a-wheel", "--device opencl"] {
                assert!(reason.contains(part), "{reason}");
            }
        }
    }

    #[test]
    fn a_compiler_serves_what_it_knows_and_what_is_newer() {
        let supported = [75, 80, 90, 120];
        let choose = |architecture| Target::choose(architecture, &supported, true);
        assert_eq!(choose("sm_90"), Ok(Cubin(90)));
        assert_eq!(choose("sm_999"), Ok(Ptx(120)));
        assert_eq!(choose("sm_89"), Ok(Ptx(80)));
        let older = choose("sm_70").unwrap_err();
        assert!(older.contains("sm_75 and newer"), "{older}");
        assert_eq!(Target::choose("sm_90", &supported, false), Ok(Ptx(90)));
        assert_eq!(Target::choose("sm_90", &[], true), Ok(Cubin(90)));
        for wrong in ["", "90", "sm_", "sm_x", "sm_-1", "compute_90"] {
            assert!(choose(wrong).is_err(), "{wrong}");
        }
    }
}
