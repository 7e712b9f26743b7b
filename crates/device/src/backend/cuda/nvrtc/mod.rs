//! NVIDIA's compiler library (NVRTC), loaded at run time.
//!
//! It needs neither a GPU nor the driver. It makes code of a real architecture, with its own report on it.

mod advice;
mod find;

use self::advice::{Problem, Refused, Wanted};
use self::find::Candidates;
use super::library::{Missing, function, library, reason};
use crate::error::GpuError;
use crate::info::Backend;
use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
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
/// What a compiler is tried by.
const TRIAL: &str = concat!(
    "#define GROUP 32\n",
    include_str!("../../../prelude.h"),
    "KERNEL trial(GLOBAL u32* x) { x[0] = mulhi32(x[0], x[1]); }\n"
);
/// The architecture that a compiler which names none is tried with: all of them know it.
const OLDEST: u32 = 70;
/// Has the compiler report what kernels need.
const VERBOSE: &CStr = c"--ptxas-options=-v";

impl Nvrtc {
    /// The compiler for a device whose driver speaks this version of CUDA; or what is missing, and what to do.
    ///
    /// `named` is the only one that is tried.
    pub(crate) fn for_device(
        driver: (u32, u32),
        architecture: &str,
        named: Option<&Path>,
    ) -> Result<Self, String> {
        let wanted = Wanted {
            driver: Some(driver),
            architecture: Some(architecture),
        };
        Self::find(&find::candidates(named), &wanted)
    }

    /// Whatever compiler there is; or what is missing, and what to do.
    pub(crate) fn any() -> Result<Self, String> {
        let wanted = Wanted {
            driver: None,
            architecture: None,
        };
        Self::find(&find::candidates(None), &wanted)
    }

    /// One compiler of every version that is to be found, also if the environment names one.
    pub(crate) fn all() -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for file in find::unnamed().files {
            let Ok(nvrtc) = Self::load(&file) else {
                continue;
            };
            let works = nvrtc.compiles_at_all(&nvrtc.newest()).is_ok();
            if works && all.iter().all(|other| other.version != nvrtc.version) {
                all.push(nvrtc);
            }
        }
        all
    }

    /// The newest architecture that it is known to compile for.
    fn newest(&self) -> String {
        let newest = self.supported.iter().max().unwrap_or(&OLDEST);
        format!("sm_{newest}")
    }

    /// Compiles a program of nothing but the prelude: a library that does not find its other half compiles none.
    fn compiles_at_all(&self, architecture: &str) -> Result<(), CompileFailure> {
        self.compile("trial", TRIAL, architecture).map(|_| ())
    }

    /// Why it does not serve, if it does not.
    fn problem(&self, wanted: &Wanted<'_>, is_named: bool) -> Option<Problem> {
        let problem = wanted.problem(self.version, &self.supported, is_named);
        problem.or_else(|| {
            let newest = self.newest();
            let tried = self.compiles_at_all(wanted.architecture.unwrap_or(&newest));
            tried.err().map(|failure| Problem::Broken(failure.log))
        })
    }

    /// The first of the candidates that serves.
    fn find(candidates: &Candidates, wanted: &Wanted<'_>) -> Result<Self, String> {
        let mut refused = Vec::new();
        for file in &candidates.files {
            let (version, problem) = match Self::load(file) {
                Ok(nvrtc) => match nvrtc.problem(wanted, candidates.named) {
                    None => return Ok(nvrtc),
                    Some(problem) => (Some(nvrtc.version), problem),
                },
                // A plain name that the loader does not know needs no mention.
                Err(_) if !candidates.named && file.is_relative() => continue,
                Err(reason) => (None, Problem::Unloadable(reason)),
            };
            refused.push(Refused {
                file: file.clone(),
                version,
                problem,
            });
        }
        Err(wanted.missing(&refused, candidates.named))
    }

    /// The library of a file, or of a name that the system's loader knows.
    fn load(file: &Path) -> Result<Self, String> {
        // It opens its other half by name, and not every package tells the system's loader to look beside it. What is
        // open is found under its name.
        let builtins = find::builtins_beside(file);
        // SAFETY: as below.
        let builtins = builtins.iter().map(|file| unsafe { Library::new(file) });
        let builtins: Vec<_> = builtins.flatten().collect();
        // SAFETY: what the library does when it is loaded is what every program with it relies on.
        let library = unsafe { Library::new(file) }.map_err(|error| reason(&error))?;
        let lacking = |missing: Missing| missing.reason;
        // SAFETY: the types are those of the library's documentation, and it is never unloaded: see below.
        let api = unsafe { Api::of(&library) }.map_err(lacking)?;
        // SAFETY: likewise.
        let error_text = unsafe { function(&library, "nvrtcGetErrorString") }.map_err(lacking)?;
        // They stay until the process ends, and so do the pointers into them.
        std::mem::forget(library);
        builtins.into_iter().for_each(std::mem::forget);
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

    /// How it compiles for an architecture.
    pub(crate) fn options(&self, architecture: &str) -> String {
        let target = self.target(architecture);
        let target = target.map_or_else(|none| none, Target::option);
        let options = OPTIONS.iter().map(|option| option.to_string_lossy());
        options.chain([target.into()]).collect::<Vec<_>>().join(" ")
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

    /// Whether it makes an architecture's own code.
    pub(crate) fn makes_code_for(&self, architecture: &str) -> bool {
        matches!(self.target(architecture), Ok(Target::Cubin(_)))
    }

    /// The compiler's report on a program for an architecture that this library knows, and the code.
    pub(crate) fn report(
        &self,
        name: &str,
        source: &str,
        architecture: &str,
    ) -> Result<(String, Vec<u8>), CompileFailure> {
        let target = self.target(architecture).and_then(|target| match target {
            Target::Cubin(_) => Ok(target),
            Target::Ptx(_) => Err(format!("{} makes no code for {architecture}", self.name())),
        });
        let target = target.map_err(|log| CompileFailure { log })?;
        let program = self.run(name, source, target, &[VERBOSE])?;
        // Who makes no code has no such target.
        let code = self.cubin().map(|cubin| program.bytes(cubin)).transpose()?;
        Ok((program.log(), code.unwrap_or_default()))
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
    use super::find::Surroundings;
    use super::*;

    const SQUARE: &str =
        "#define GROUP 64\nextern \"C\" __global__ void square(int* x) { *x *= *x; }";

    /// For no driver and no GPU in particular.
    const ANY: Wanted<'static> = Wanted {
        driver: None,
        architecture: None,
    };

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
    fn its_options_tell_what_it_makes() {
        let Some(nvrtc) = nvrtc() else { return };
        let options = nvrtc.options("sm_90");
        assert!(
            options.contains("--fmad=false") && options.ends_with("sm_90"),
            "{options}"
        );
        assert_ne!(nvrtc.options("sm_999"), options);
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
        let problem = |driver, architecture, is_named| {
            let wanted = Wanted {
                driver: Some(driver),
                architecture: Some(architecture),
            };
            nvrtc.problem(&wanted, is_named)
        };
        assert_eq!(problem((major, 0), "sm_90", false), None);
        assert_eq!(problem((major + 1, minor), "sm_90", false), None);
        let older = (major - 1, 9);
        assert_eq!(problem(older, "sm_90", false), Some(Problem::Newer(older)));
        assert_eq!(problem(older, "sm_90", true), None);
        let too_old = problem((major, minor), "sm_1", false);
        assert!(matches!(too_old, Some(Problem::Architecture(_))));
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
            let candidates = Surroundings {
                variable: &|name| (name == find::VARIABLE).then(|| named.clone()),
                root: Path::new("/"),
                program: None,
                working: None,
                owner: &|_| find::Owner::User,
            }
            .candidates();
            let Err(reason) = Nvrtc::find(&candidates, &ANY) else {
                panic!("{named:?} is no compiler")
            };
            for part in [
                "SUNZI_NVRTC names nothing",
                "unset SUNZI_NVRTC",
                "nvidia-cuda-nvrtc==13.*",
            ] {
                assert!(reason.contains(part), "{reason}");
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_wheel_in_an_environment_that_is_not_activated_compiles() {
        // The wheel that other tests compile with is named by its folder of libraries.
        let named = std::env::var_os(find::VARIABLE).map(std::path::PathBuf::from);
        let wheel = named.and_then(|folder| folder.canonicalize().ok());
        let Some(wheel) = wheel.filter(|folder| {
            folder
                .parent()
                .is_some_and(|up| up.ends_with("nvidia/cuda_nvrtc") || up.ends_with("nvidia/cu13"))
        }) else {
            return sunzi_testkit::skip("SUNZI_NVRTC names no wheel's folder");
        };
        let made = tempfile::tempdir().unwrap();
        let python = made.path().join(".venv/lib/python3.12");
        std::fs::create_dir_all(&python).unwrap();
        std::fs::write(made.path().join(".venv/pyvenv.cfg"), "").unwrap();
        let packages = wheel.ancestors().nth(3).unwrap();
        std::os::unix::fs::symlink(packages, python.join("site-packages")).unwrap();
        // Before it comes one that is no library.
        let broken = made.path().join("nvidia/cu13/lib/libnvrtc.so.13");
        std::fs::create_dir_all(broken.parent().unwrap()).unwrap();
        std::fs::write(&broken, "not a library").unwrap();
        let mut candidates = Surroundings {
            variable: &|_| None,
            root: made.path(),
            program: Some(made.path().to_owned()),
            working: None,
            owner: &|_| find::Owner::User,
        }
        .candidates();
        candidates.files.retain(|file| file.is_absolute());
        assert_eq!(candidates.files.first(), Some(&broken));
        assert!(Nvrtc::find(&candidates, &ANY).is_ok());
        candidates.files.truncate(1);
        let Err(reason) = Nvrtc::find(&candidates, &ANY) else {
            panic!("{broken:?} is no compiler")
        };
        assert!(reason.contains("libnvrtc.so.13 cannot be used"), "{reason}");
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
