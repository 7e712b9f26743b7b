//! Where NVIDIA's compiler library may be.
//!
//! It is no part of the driver: it comes with the CUDA toolkit, or as a Python wheel, and each of its versions has a
//! file name of its own. Wheels are looked for in every Python that the user has, in environments that are not
//! activated as well, and beside this program. All that is found is a candidate; which of them works is for others to
//! try. To load a library is to run its code: what may be anybody's is no candidate.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Names the library's file, or its folder; then nothing else is looked at.
pub(super) const VARIABLE: &str = "SUNZI_NVRTC";

/// Names that the system's loader may know.
const NAMES: [&str; 7] = [
    "libnvrtc.so",
    "libnvrtc.so.13",
    "libnvrtc.so.12",
    "libnvrtc.so.11.2",
    "nvrtc64_130_0.dll",
    "nvrtc64_120_0.dll",
    "nvrtc64_112_0.dll",
];

/// The folder that NVIDIA's wheels share among Python's packages.
const WHEELS: &str = "nvidia";
/// Variables that name the toolkit's folder.
const TOOLKITS: [&str; 2] = ["CUDA_HOME", "CUDA_PATH"];
/// Variables that name a Python environment.
const ENVIRONMENTS: [&str; 2] = ["VIRTUAL_ENV", "CONDA_PREFIX"];
/// Folders of environments that need not be activated.
const UNNAMED: [&str; 2] = [".venv", "venv"];
/// Folders in the user's own that conda's installers make.
const CONDAS: [&str; 4] = ["miniforge3", "miniconda3", "mambaforge", "anaconda3"];

/// What there is to look at.
pub(super) struct Surroundings<'a> {
    /// A variable of the environment, unless it is empty.
    pub variable: &'a dyn Fn(&str) -> Option<PathBuf>,
    /// The root of the file system.
    pub root: &'a Path,
    /// The folder that this program is in.
    pub program: Option<PathBuf>,
    /// The folder that it works in.
    pub working: Option<PathBuf>,
    /// Whose a folder, or the link that leads there, is.
    pub owner: &'a dyn Fn(&Path) -> Owner,
}

/// Whose something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// Of who runs this program.
    User,
    /// Of the system's administrator.
    System,
    /// Of somebody else.
    Another,
    /// Nobody can tell.
    Unknown,
}

/// What to load, the likeliest first.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Candidates {
    pub files: Vec<PathBuf>,
    /// Whether the environment names them.
    pub named: bool,
}

/// What there is to load for this process; `named` stands for what the environment names.
pub(super) fn candidates(named: Option<&Path>) -> Candidates {
    around(&|name| match (name, named) {
        (VARIABLE, Some(named)) => Some(named.to_owned()),
        _ => variable(name),
    })
}

/// The same without what the environment names.
pub(super) fn unnamed() -> Candidates {
    around(&|name| variable(name).filter(|_| name != VARIABLE))
}

/// A variable of the environment, unless it is empty.
fn variable(name: &str) -> Option<PathBuf> {
    let value = std::env::var_os(name)?;
    (!value.is_empty()).then(|| value.into())
}

fn around(variable: &dyn Fn(&str) -> Option<PathBuf>) -> Candidates {
    let program = std::env::current_exe().ok();
    Surroundings {
        variable,
        root: Path::new("/"),
        program: program.and_then(|file| Some(file.parent()?.to_owned())),
        working: std::env::current_dir().ok(),
        owner: &owner,
    }
    .candidates()
}

impl Surroundings<'_> {
    /// What to load.
    pub(super) fn candidates(&self) -> Candidates {
        if let Some(named) = (self.variable)(VARIABLE) {
            let files = if named.is_dir() {
                let folders = [vec![named.clone()], wheels(&named)].concat();
                folders
                    .iter()
                    .flat_map(|folder| libraries_in(folder))
                    .collect()
            } else {
                vec![named]
            };
            return Candidates { files, named: true };
        }
        let known = NAMES.iter().map(PathBuf::from);
        let mut seen = HashSet::new();
        let found = self.folders().into_iter();
        let found = found
            // An empty part of a list, for one, leads to where one happens to work.
            .filter(|folder| folder.is_absolute())
            .flat_map(|folder| libraries_in(&folder))
            // Links lead to one file by several names.
            .filter(|file| seen.insert(fs::canonicalize(file).unwrap_or_else(|_| file.clone())));
        Candidates {
            files: known.chain(found).collect(),
            named: false,
        }
    }

    /// The folders that toolkits and Python's packages put it in.
    fn folders(&self) -> Vec<PathBuf> {
        let named = |variables: [&str; 2]| variables.map(self.variable).into_iter().flatten();
        let mut folders = Vec::new();
        let local = self.root.join("usr/local");
        let mut usual = vec![local.join("cuda")];
        usual.extend(inside(&local, "cuda-"));
        usual.push(self.root.join("opt/cuda"));
        for toolkit in named(TOOLKITS).chain(usual) {
            folders.extend(["lib64", "lib", "bin"].map(|part| toolkit.join(part)));
        }
        for packages in self.unprefixed() {
            folders.extend(wheels(&packages));
        }
        for prefix in named(ENVIRONMENTS).chain(self.pythons()) {
            for packages in packages_of(&prefix) {
                folders.extend(wheels(&packages));
            }
            // Conda puts libraries there.
            folders.push(prefix.join("lib"));
        }
        folders
    }

    /// Folders of Python's packages that belong to no installation: beside this program, those that Python is told of,
    /// and those that `scripts/nvrtc` makes.
    fn unprefixed(&self) -> Vec<PathBuf> {
        let beside = self.program.iter();
        let mut all: Vec<_> = beside
            .filter(|folder| self.is_safe(&folder.join(WHEELS)))
            .cloned()
            .collect();
        if let Some(paths) = (self.variable)("PYTHONPATH") {
            all.extend(std::env::split_paths(&paths));
        }
        let caches = (self.variable)("XDG_CACHE_HOME").or_else(|| self.at_home(".cache"));
        all.extend(
            caches
                .into_iter()
                .flat_map(|caches| inside(&caches.join("sunzi"), "nvrtc-")),
        );
        let users = (self.variable)("APPDATA").into_iter();
        let users = users.flat_map(|data| inside(&data.join("Python"), "Python"));
        all.extend(users.map(|python| python.join("site-packages")));
        all
    }

    /// The prefixes of Python's installations that no variable names.
    fn pythons(&self) -> Vec<PathBuf> {
        let unnamed = |folder: &PathBuf| UNNAMED.map(|name| folder.join(name));
        let is_environment = |prefix: &PathBuf| prefix.join("pyvenv.cfg").is_file();
        let beside = self.program.iter().flat_map(unnamed);
        let mut all: Vec<_> = beside
            .filter(|prefix| self.is_safe(prefix) && is_environment(prefix))
            .collect();
        all.extend((self.variable)("PYTHONUSERBASE").or_else(|| self.at_home(".local")));
        if let Some(pyenv) = (self.variable)("PYENV_ROOT").or_else(|| self.at_home(".pyenv")) {
            all.extend(inside(&pyenv.join("versions"), ""));
        }
        let condas = CONDAS.iter().filter_map(|name| self.at_home(name));
        for conda in condas.chain([self.root.join("opt/conda")]) {
            all.extend(inside(&conda.join("envs"), ""));
            all.push(conda);
        }
        all.extend(["usr/local", "usr"].map(|prefix| self.root.join(prefix)));
        // What lies where one happens to work may be anybody's, and what is one's own may have come in an archive.
        let here = self.working.iter().flat_map(unnamed);
        all.extend(
            here.filter(|prefix| (self.owner)(prefix) == Owner::User && is_environment(prefix)),
        );
        all
    }

    /// Whether what lies beside this program is not another user's, who may write to the same folder.
    fn is_safe(&self, beside: &Path) -> bool {
        (self.owner)(beside) != Owner::Another
    }

    /// A place in the user's own folder.
    fn at_home(&self, place: &str) -> Option<PathBuf> {
        Some((self.variable)("HOME")?.join(place))
    }
}

/// Whose a folder, or the link that leads there, is. Only Linux is asked.
fn owner(folder: &Path) -> Owner {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::MetadataExt;
        let user = fs::metadata("/proc/self").map(|facts| facts.uid());
        match (fs::symlink_metadata(folder).map(|facts| facts.uid()), user) {
            (Ok(owner), Ok(user)) if owner == user => Owner::User,
            (Ok(0), _) => Owner::System,
            (Ok(_), _) => Owner::Another,
            (Err(_), _) => Owner::Unknown,
        }
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = folder;
        Owner::Unknown
    }
}

/// The folders of packages of a Python with this prefix.
fn packages_of(prefix: &Path) -> Vec<PathBuf> {
    let versions = ["lib", "lib64"].map(|part| inside(&prefix.join(part), "python"));
    let versions = versions.into_iter().flatten();
    versions
        .flat_map(|python| ["site-packages", "dist-packages"].map(|name| python.join(name)))
        .chain([prefix.join("Lib").join("site-packages")])
        .collect()
}

/// The folders of libraries that NVIDIA's wheels make: `nvidia/cuda_nvrtc/lib`, and `nvidia/cu13/lib` since CUDA 13.
fn wheels(packages: &Path) -> Vec<PathBuf> {
    let parts = inside(&packages.join(WHEELS), "").into_iter();
    parts
        .flat_map(|part| ["lib", "bin", "bin/x86_64"].map(|name| part.join(name)))
        .collect()
}

/// What is in a folder and has a name that begins so, the greatest name first: newer versions before older ones.
fn inside(folder: &Path, prefix: &str) -> Vec<PathBuf> {
    let begins = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().starts_with(prefix)
    };
    let mut found: Vec<_> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(begins)
        .collect();
    found.sort_unstable();
    found.sort_by_cached_key(|path| rank(path));
    found.reverse();
    found
}

/// What names are sorted by: their texts and the numbers between these, so that 9 comes before 12.
fn rank(path: &Path) -> Vec<(String, u64)> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (mut rest, mut parts) = (&*name, Vec::new());
    while !rest.is_empty() {
        let digits = rest.find(|c: char| c.is_ascii_digit());
        let (text, after) = rest.split_at(digits.unwrap_or(rest.len()));
        let end = after.find(|c: char| !c.is_ascii_digit());
        let (digits, after) = after.split_at(end.unwrap_or(after.len()));
        let number = digits.bytes().fold(0u64, |number, digit| {
            number
                .saturating_mul(10)
                .saturating_add(u64::from(digit - b'0'))
        });
        parts.push((text.to_owned(), number));
        rest = after;
    }
    parts
}

/// The library in a folder, in all its versions.
fn libraries_in(folder: &Path) -> Vec<PathBuf> {
    versions(folder, "libnvrtc.so", "nvrtc64_")
}

/// The library that a candidate opens by name when it compiles, where it lies beside it.
pub(super) fn builtins_beside(candidate: &Path) -> Vec<PathBuf> {
    match candidate.parent() {
        // A name for the system's loader.
        None => Vec::new(),
        Some(folder) if folder == Path::new("") => Vec::new(),
        Some(folder) => versions(folder, "libnvrtc-builtins.so", "nvrtc-builtins64_"),
    }
}

/// A library in all its versions, by what its names begin with on Linux and on Windows. The `alt` ones are the same
/// with other options.
fn versions(folder: &Path, linux: &str, windows: &str) -> Vec<PathBuf> {
    let mut found = inside(folder, linux);
    let others = inside(folder, windows).into_iter();
    found.extend(others.filter(|path| {
        let name = path
            .file_name()
            .map(OsStr::to_string_lossy)
            .unwrap_or_default();
        name.ends_with(".dll") && !name.ends_with(".alt.dll")
    }));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A made file system, in which the user's folder is `home`.
    struct Made(tempfile::TempDir);

    impl Made {
        fn new() -> Self {
            Self(tempfile::tempdir().unwrap())
        }

        fn path(&self, place: &str) -> PathBuf {
            self.0.path().join(place)
        }

        /// Makes an empty file.
        fn file(&self, place: &str) -> PathBuf {
            let path = self.path(place);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "").unwrap();
            path
        }

        /// The candidates that are files, with these variables, where all is the user's own.
        fn found(&self, variables: &[(&str, &str)]) -> Candidates {
            self.found_where(variables, &|_| Owner::User)
        }

        /// Likewise, where all is of this owner.
        fn found_where(
            &self,
            variables: &[(&str, &str)],
            owner: &dyn Fn(&Path) -> Owner,
        ) -> Candidates {
            let variable = |name: &str| {
                let given = [("HOME", "home")];
                let mut all = variables.iter().chain(&given);
                all.find(|(given, _)| *given == name)
                    .map(|(_, place)| self.path(place))
            };
            let mut candidates = Surroundings {
                variable: &variable,
                root: self.0.path(),
                program: Some(self.path("program")),
                working: Some(self.path("working")),
                owner,
            }
            .candidates();
            candidates.files.retain(|file| file.is_absolute());
            candidates
        }
    }

    #[test]
    fn libraries_are_told_from_what_lies_beside_them() {
        let made = Made::new();
        for name in [
            "libnvrtc.so.12",
            "libnvrtc.so.13",
            "libnvrtc.alt.so.12",
            "libnvrtc-builtins.so.12.9",
            "libnvrtc-builtins.alt.so.12.9",
            "nvrtc64_120_0.dll",
            "nvrtc64_120_0.alt.dll",
            "nvrtc-builtins64_129.dll",
            "libnvrtc_static.a",
        ] {
            made.file(name);
        }
        let names = ["libnvrtc.so.13", "libnvrtc.so.12", "nvrtc64_120_0.dll"];
        assert_eq!(
            libraries_in(made.0.path()),
            names.map(|name| made.path(name))
        );
        assert!(libraries_in(&made.path("no-such")).is_empty());
        let builtins = ["libnvrtc-builtins.so.12.9", "nvrtc-builtins64_129.dll"];
        assert_eq!(
            builtins_beside(&made.path("libnvrtc.so.12")),
            builtins.map(|name| made.path(name))
        );
        assert!(builtins_beside(Path::new("libnvrtc.so.12")).is_empty());
    }

    #[test]
    fn wheels_are_found_in_every_python() {
        // The folder of packages, and the variable that leads there.
        let python = "lib/python3.12/site-packages";
        for (packages, variable) in [
            (format!("any/{python}"), Some(("VIRTUAL_ENV", "any"))),
            (format!("any/{python}"), Some(("CONDA_PREFIX", "any"))),
            ("any".to_owned(), Some(("PYTHONPATH", "any"))),
            (
                format!("any/versions/3.12.1/{python}"),
                Some(("PYENV_ROOT", "any")),
            ),
            (format!("any/{python}"), Some(("PYTHONUSERBASE", "any"))),
            (
                "any/Python/Python312/site-packages".to_owned(),
                Some(("APPDATA", "any")),
            ),
            (
                "any/sunzi/nvrtc-1".to_owned(),
                Some(("XDG_CACHE_HOME", "any")),
            ),
            ("home/.cache/sunzi/nvrtc-1".to_owned(), None),
            (format!("home/.local/{python}"), None),
            (format!("home/.pyenv/versions/3.12.1/{python}"), None),
            (format!("home/miniconda3/{python}"), None),
            (format!("home/miniforge3/envs/some/{python}"), None),
            (format!("opt/conda/{python}"), None),
            (format!("usr/{python}"), None),
            ("usr/lib/python3/dist-packages".to_owned(), None),
            ("usr/lib64/python3.9/site-packages".to_owned(), None),
            ("usr/local/lib/python3.11/dist-packages".to_owned(), None),
            ("program".to_owned(), None),
            (format!("program/venv/{python}"), None),
            (format!("working/.venv/{python}"), None),
            (format!("working/venv/{python}"), None),
        ] {
            for layout in ["cuda_nvrtc/lib/libnvrtc.so.12", "cu13/lib/libnvrtc.so.13"] {
                let made = Made::new();
                for environment in ["program/venv", "working/.venv", "working/venv"] {
                    made.file(&format!("{environment}/pyvenv.cfg"));
                }
                let file = made.file(&format!("{packages}/nvidia/{layout}"));
                let found = made.found(variable.as_slice());
                assert_eq!(found.files, [file], "{packages} {variable:?}");
                assert!(!found.named);
            }
        }
    }

    #[test]
    fn toolkits_and_folders_of_libraries_are_found_once() {
        let made = Made::new();
        let newer = made.file("usr/local/cuda-13.0/lib64/libnvrtc.so.13");
        let older = made.file("usr/local/cuda-12.4/lib64/libnvrtc.so.12");
        let conda = made.file("env/lib/libnvrtc.so.12");
        let variables = [
            ("CONDA_PREFIX", "env"),
            ("CUDA_HOME", "usr/local/cuda-13.0"),
        ];
        let found = made.found(&variables).files;
        assert_eq!(found, [newer, older, conda]);
    }

    #[test]
    fn an_environment_where_one_works_is_one_of_python() {
        let made = Made::new();
        made.file("working/.venv/lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13");
        assert_eq!(made.found(&[]).files, [""; 0].map(PathBuf::from));
    }

    #[test]
    fn what_may_be_anybodys_is_left_alone() {
        let made = Made::new();
        let library = "nvidia/cu13/lib/libnvrtc.so.13";
        let [beside, working] = ["program", "working"].map(|folder| {
            made.file(&format!("{folder}/venv/pyvenv.cfg"));
            made.file(&format!(
                "{folder}/venv/lib/python3.12/site-packages/{library}"
            ))
        });
        let program = made.file(&format!("program/{library}"));
        let found = |owner: Owner| made.found_where(&[], &|_| owner).files;
        assert_eq!(
            found(Owner::User),
            [program.clone(), beside.clone(), working]
        );
        assert_eq!(found(Owner::System), [program.clone(), beside.clone()]);
        assert_eq!(found(Owner::Unknown), [program, beside]);
        assert_eq!(found(Owner::Another), [""; 0].map(PathBuf::from));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn who_owns_a_link_is_not_who_owns_what_it_leads_to() {
        let made = Made::new();
        let link = made.path("link");
        std::os::unix::fs::symlink("/no-such", &link).unwrap();
        assert_eq!(owner(made.0.path()), Owner::User);
        assert_eq!(owner(&link), Owner::User);
        assert_eq!(owner(&made.path("no-such")), Owner::Unknown);
    }

    #[test]
    fn what_lies_where_one_works_comes_last() {
        let made = Made::new();
        let python = "lib/python3.12/site-packages/nvidia/cu13/lib/libnvrtc.so.13";
        made.file("working/.venv/pyvenv.cfg");
        let places = ["home/.local", "opt/conda", "usr", "working/.venv"];
        let expected = places.map(|prefix| made.file(&format!("{prefix}/{python}")));
        assert_eq!(made.found(&[]).files, expected);
    }

    #[test]
    #[cfg(unix)]
    fn no_variable_leads_to_where_one_works() {
        let made = Made::new();
        made.file("nvidia/cu13/lib/libnvrtc.so.13");
        made.file("lib/libnvrtc.so.13");
        // The same folder, as seen from here.
        let here = std::env::current_dir().unwrap();
        let mut relative: PathBuf = here.components().skip(1).map(|_| "..").collect();
        relative.push(made.0.path().strip_prefix("/").unwrap());
        assert!(relative.join("lib").is_dir());
        let variable = |name: &str| match name {
            "PYTHONPATH" => Some(
                std::env::join_paths([&*relative, "".as_ref()])
                    .unwrap()
                    .into(),
            ),
            "CUDA_HOME" | "VIRTUAL_ENV" => Some(relative.clone()),
            _ => None,
        };
        let candidates = Surroundings {
            variable: &variable,
            root: Path::new("/no-such"),
            program: None,
            working: None,
            owner: &|_| Owner::User,
        }
        .candidates();
        assert_eq!(candidates.files, NAMES.map(PathBuf::from));
    }

    #[test]
    fn newer_versions_come_before_older_ones() {
        let made = Made::new();
        for names in [
            ["cuda-13.0", "cuda-12.10", "cuda-12.9", "cuda-9.2"],
            ["python3.12", "python3.9", "python3", "python"],
            ["nvrtc64_130_0", "nvrtc64_120_0", "nvrtc64_112_0", "nvrtc64"],
        ] {
            let folder = made.path(names[0]).join("all");
            for name in names {
                fs::create_dir_all(folder.join(name)).unwrap();
            }
            assert_eq!(inside(&folder, ""), names.map(|name| folder.join(name)));
        }
        // The toolkit that the system has chosen comes before all of them.
        let toolkits = ["cuda", "cuda-13.0", "cuda-12.10", "cuda-9.2"]
            .map(|name| made.file(&format!("usr/local/{name}/lib64/libnvrtc.so")));
        assert_eq!(made.found(&[]).files, toolkits);
    }

    #[test]
    fn what_the_environment_names_is_all_there_is() {
        let made = Made::new();
        made.file("usr/local/cuda/lib64/libnvrtc.so.12");
        fs::create_dir_all(made.path("named")).unwrap();
        let of = |place: &str| made.found(&[(VARIABLE, place)]);
        let named = |files: &[&PathBuf]| Candidates {
            files: files.iter().copied().cloned().collect(),
            named: true,
        };
        assert_eq!(of("named"), named(&[]));
        let wheel = made.file("named/nvidia/cu13/lib/libnvrtc.so.13");
        assert_eq!(of("named"), named(&[&wheel]));
        let file = made.file("named/libnvrtc.so.12");
        assert_eq!(of("named"), named(&[&file, &wheel]));
        assert_eq!(of("named/libnvrtc.so.12"), named(&[&file]));
    }
}
