//! What `sunzi tune self` has measured on this machine, and what `sunzi tune run` has learned of programs' kernels.

use std::env;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sunzi::tune::Tuning;
use sunzi::tune::live::LearnedKernel;
use sunzi_files::failure::{Failure, Place, reason};
use sunzi_files::output::Output;

/// The file that it is kept in; empty for none.
const VARIABLE: &str = "SUNZI_TUNING";

/// The file; `None` where the user wants none, or there is no folder for such things.
pub fn file() -> Option<PathBuf> {
    if let Some(named) = env::var_os(VARIABLE) {
        return Some(PathBuf::from(named)).filter(|file| !file.as_os_str().is_empty());
    }
    let folder = |name: &str| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|folder| folder.is_absolute())
    };
    let cache = folder("XDG_CACHE_HOME")
        .or_else(|| folder("LOCALAPPDATA"))
        .or_else(|| Some(folder("HOME")?.join(".cache")));
    Some(cache?.join("sunzi").join("tuning.json"))
}

/// The file of what was learned of programs' kernels: beside the first.
pub fn kernels_file() -> Option<PathBuf> {
    Some(file()?.with_extension("kernels.json"))
}

/// What was measured, if anything was.
pub fn tuning() -> Result<Option<Tuning>, Failure> {
    let Some(file) = file() else { return Ok(None) };
    let Some(text) = text(&file)? else {
        return Ok(None);
    };
    let tuning = Tuning::from_json(&text);
    tuning
        .map(Some)
        .map_err(|error| damaged(&file, &error.to_string()))
}

/// The version of files of learned kernels.
const VERSION: u32 = 1;

/// Learned kernels as they are written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Learned {
    version: u32,
    kernels: Vec<LearnedKernel>,
}

/// What was learned of programs' kernels.
pub fn kernels() -> Result<Vec<LearnedKernel>, Failure> {
    let Some(file) = kernels_file() else {
        return Ok(Vec::new());
    };
    let Some(text) = text(&file)? else {
        return Ok(Vec::new());
    };
    match serde_json::from_str(&text) {
        Ok(Learned {
            version: VERSION,
            kernels,
        }) => Ok(kernels),
        Ok(Learned { version, .. }) => Err(damaged(
            &file,
            &format!(
                "version {version} of learned kernels is unknown; this program reads version {VERSION}"
            ),
        )),
        Err(error) => Err(damaged(
            &file,
            &format!("these are no learned kernels: {error}"),
        )),
    }
}

/// Keeps what was learned of programs' kernels, in the place of what was there.
pub fn keep_kernels(kernels: Vec<LearnedKernel>) -> Result<(), Failure> {
    let Some(file) = kernels_file() else {
        return Ok(());
    };
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::Computation(format!("{}: {}", folder.display(), reason(&error)))
        })?;
    }
    let learned = Learned {
        version: VERSION,
        kernels,
    };
    let text =
        serde_json::to_string(&learned).map_err(|error| Failure::Computation(error.to_string()))?;
    let mut output = Output::create_named("SUNZI_TUNING", &file)?;
    output.write(format!("{text}\n").as_bytes())?;
    output.finish()
}

/// The text of a file, if it is there.
fn text(file: &Path) -> Result<Option<String>, Failure> {
    match std::fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(damaged(file, &reason(&error))),
    }
}

fn damaged(file: &Path, problem: &str) -> Failure {
    Failure::Input {
        place: Place {
            file: file.display().to_string(),
            line: None,
            column: None,
        },
        problem: format!("{problem}; `sunzi tune reset` removes it"),
    }
}
