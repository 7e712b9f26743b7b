//! Libraries in C that tests put in the place of others: compiled once, into the folder that holds the tests' own.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

// The integers of PTX wrap, and its doubles are rounded after each operation.
const OPTIONS: [&str; 10] = [
    "-std=c11",
    "-D_GNU_SOURCE",
    "-O1",
    "-fwrapv",
    "-ffp-contract=off",
    "-fPIC",
    "-shared",
    "-fvisibility=hidden",
    "-Wall",
    "-Werror",
];

/// The folder of the libraries of that name, which `make` fills unless it is there. Any change of their sources is one
/// of the folder.
pub(crate) fn folder(
    name: &str,
    sources: &Path,
    make: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    // Programs of tests lie in `target/PROFILE/deps`.
    let above = program.ancestors().nth(2).unwrap_or(Path::new("."));
    let folder = above.join(format!("{name}-{:016x}", hash(sources)?));
    if !folder.is_dir() {
        // Several processes may be at it: each writes beside, and the first to be done gives its folder the name.
        let beside = folder.with_extension(std::process::id().to_string());
        fs::create_dir_all(&beside)?;
        make(&beside)?;
        if let Err(error) = fs::rename(&beside, &folder) {
            fs::remove_dir_all(&beside)?;
            if !folder.is_dir() {
                return Err(error);
            }
        }
    }
    Ok(folder)
}

/// What the folder's name says: anything that changes the libraries.
fn hash(sources: &Path) -> io::Result<u64> {
    let mut files: Vec<_> = fs::read_dir(sources)?
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

/// Compiles files of the sources to a library.
pub(crate) fn compile(
    library: &Path,
    sources: &Path,
    files: &[&str],
    more: &[&str],
) -> io::Result<()> {
    let name = library.file_name().unwrap_or_default().to_string_lossy();
    let output = Command::new("gcc")
        .current_dir(sources)
        .args(OPTIONS)
        .arg(format!("-Wl,-z,defs,-soname,{name}"))
        .args(files)
        .arg("-o")
        .arg(library)
        .args(more)
        .output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(io::Error::other(String::from_utf8_lossy(&output.stderr)))
}
