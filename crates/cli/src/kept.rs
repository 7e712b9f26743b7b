//! What `sunzi tune self` has measured on this machine.

use std::env;
use std::path::PathBuf;

use sunzi::tune::Tuning;
use sunzi_files::failure::{Failure, Place, reason};

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

/// What was measured, if anything was.
pub fn tuning() -> Result<Option<Tuning>, Failure> {
    let Some(file) = file() else { return Ok(None) };
    let failure = |problem: String| Failure::Input {
        place: Place {
            file: file.display().to_string(),
            line: None,
            column: None,
        },
        problem: format!("{problem}; `sunzi tune reset` removes it"),
    };
    match std::fs::read_to_string(&file) {
        Ok(text) => Tuning::from_json(&text)
            .map(Some)
            .map_err(|error| failure(error.to_string())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failure(reason(&error))),
    }
}
