//! An interrupted program leaves no unfinished file behind.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The code that an interrupted program ends with, as shells do it for SIGINT.
const INTERRUPTED: i32 = 130;

/// Removes a file when SIGINT, SIGTERM or SIGHUP (Ctrl-C on Windows) ends the program.
pub struct Interruption {
    unfinished: Arc<Mutex<Option<PathBuf>>>,
}

impl Interruption {
    /// Starts to wait for signals; there is nothing to remove yet.
    ///
    /// Where a handler is there already, or a signal is ignored as under `nohup`, all stays as it is.
    pub fn watch() -> Self {
        let unfinished = Arc::new(Mutex::new(None));
        let known = Arc::clone(&unfinished);
        // Without a handler the program works as well; an interruption leaves the hidden file then.
        let _ = ctrlc::try_set_handler(move || {
            // Held until the end, so that no new file is made any more.
            let path: MutexGuard<'_, Option<PathBuf>> = locked(&known);
            if let Some(path) = path.as_ref() {
                // It may have got its name already, or have been removed.
                let _ = fs::remove_file(path);
            }
            std::process::exit(INTERRUPTED);
        });
        Self { unfinished }
    }

    /// Makes a file that is to be removed; no signal comes between making and noting it.
    pub fn protect(
        &self,
        path: &Path,
        make: impl FnOnce() -> io::Result<File>,
    ) -> io::Result<File> {
        let mut unfinished = locked(&self.unfinished);
        let file = make()?;
        *unfinished = Some(path.to_owned());
        Ok(file)
    }
}

fn locked(path: &Mutex<Option<PathBuf>>) -> MutexGuard<'_, Option<PathBuf>> {
    path.lock().unwrap_or_else(PoisonError::into_inner)
}
