//! Where NVIDIA's compiler library may be.
//!
//! It is no part of the driver: it comes with the CUDA toolkit, or as a Python wheel, and each of its versions has a
//! file name of its own.

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

/// Variables that name the toolkit's folder.
const TOOLKITS: [&str; 2] = ["CUDA_HOME", "CUDA_PATH"];
/// Variables that name a Python environment.
const ENVIRONMENTS: [&str; 2] = ["VIRTUAL_ENV", "CONDA_PREFIX"];

/// What to load, the likeliest first, and whether the environment named it.
pub(super) fn candidates(environment: impl Fn(&str) -> Option<PathBuf>) -> (Vec<PathBuf>, bool) {
    if let Some(named) = environment(VARIABLE) {
        let files = if named.is_dir() {
            libraries_in(&named)
        } else {
            vec![named]
        };
        return (files, true);
    }
    let known = NAMES.iter().map(PathBuf::from);
    let found = folders(environment).into_iter();
    let found = found.flat_map(|folder| libraries_in(&folder));
    (known.chain(found).collect(), false)
}

/// The folders that toolkits and Python's wheels put it in.
fn folders(environment: impl Fn(&str) -> Option<PathBuf>) -> Vec<PathBuf> {
    let named = |variables: [&str; 2]| variables.map(&environment).into_iter().flatten();
    let mut folders = Vec::new();
    let usual = inside(Path::new("/usr/local"), "cuda");
    for toolkit in named(TOOLKITS).chain(usual).chain(["/opt/cuda".into()]) {
        folders.extend(["lib64", "lib", "bin"].map(|part| toolkit.join(part)));
    }
    for prefix in named(ENVIRONMENTS) {
        let libraries = prefix.join("lib");
        for python in inside(&libraries, "python") {
            folders.extend(wheels(&python.join("site-packages")));
        }
        folders.extend(wheels(&prefix.join("Lib").join("site-packages")));
        folders.push(libraries);
    }
    folders
}

/// The folders of libraries that NVIDIA's wheels make.
fn wheels(packages: &Path) -> Vec<PathBuf> {
    let parts = inside(&packages.join("nvidia"), "").into_iter();
    parts
        .flat_map(|part| ["lib", "bin"].map(|name| part.join(name)))
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
    found.reverse();
    found
}

/// The library in a folder, in all its versions.
pub(super) fn libraries_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = inside(folder, "libnvrtc.so");
    let windows = inside(folder, "nvrtc64_").into_iter();
    found.extend(windows.filter(|path| {
        let name = path.to_string_lossy();
        name.ends_with(".dll") && !name.ends_with(".alt.dll")
    }));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_told_from_what_lies_beside_them() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "libnvrtc.so.12",
            "libnvrtc.so.13",
            "libnvrtc.alt.so.12",
            "libnvrtc-builtins.so.12.9",
            "nvrtc64_120_0.dll",
            "nvrtc64_120_0.alt.dll",
            "nvrtc-builtins64_129.dll",
            "libnvrtc_static.a",
        ] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let names = ["libnvrtc.so.13", "libnvrtc.so.12", "nvrtc64_120_0.dll"];
        let found = libraries_in(folder.path());
        assert_eq!(found, names.map(|name| folder.path().join(name)));
        assert!(libraries_in(&folder.path().join("no-such")).is_empty());
    }

    #[test]
    fn a_wheel_of_a_python_environment_is_found() {
        let prefix = tempfile::tempdir().unwrap();
        let packages = prefix.path().join("lib/python3.12/site-packages");
        let folder = packages.join("nvidia/cuda_nvrtc/lib");
        fs::create_dir_all(&folder).unwrap();
        let library = folder.join("libnvrtc.so.12");
        fs::write(&library, "").unwrap();
        let environment =
            |variable: &str| (variable == "VIRTUAL_ENV").then(|| prefix.path().to_owned());
        let (found, named) = candidates(environment);
        assert!(found.contains(&library) && !named, "{found:?}");
        assert_eq!(
            found[0],
            Path::new("libnvrtc.so"),
            "the system's comes first"
        );
    }

    #[test]
    fn what_the_environment_names_is_all_there_is() {
        let folder = tempfile::tempdir().unwrap();
        let of = |path: &Path| candidates(|name| (name == VARIABLE).then(|| path.to_owned()));
        assert_eq!(of(folder.path()), (vec![], true));
        let file = folder.path().join("libnvrtc.so.12");
        fs::write(&file, "").unwrap();
        assert_eq!(of(folder.path()), (vec![file.clone()], true));
        assert_eq!(of(&file), (vec![file], true));
    }
}
