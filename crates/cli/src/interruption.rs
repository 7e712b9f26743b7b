//! An interrupted program leaves no unfinished file behind.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The code, less the signal's number, that shells give to a program which a signal ended.
const BY_SIGNAL: i32 = 128;

/// Removes a file when SIGINT, SIGTERM or SIGHUP (Ctrl-C on Windows) ends the program.
pub struct Interruption {
    unfinished: Arc<Mutex<Option<PathBuf>>>,
}

impl Interruption {
    /// Starts to wait for signals; there is nothing to remove yet.
    ///
    /// A signal that is ignored, as SIGHUP is under `nohup`, stays ignored.
    pub fn watch() -> Self {
        let unfinished = Arc::new(Mutex::new(None));
        let known = Arc::clone(&unfinished);
        // Without a handler the program works as well; an interruption leaves the hidden file then.
        let _ = signals::on_end(move |signal| {
            // Held until the end, so that no new file is made any more.
            let path: MutexGuard<'_, Option<PathBuf>> = locked(&known);
            if let Some(path) = path.as_ref() {
                // It may have got its name already, or have been removed.
                let _ = fs::remove_file(path);
            }
            std::process::exit(BY_SIGNAL + signal);
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

#[cfg(unix)]
mod signals {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use std::io;

    /// Calls `end` with the number of the first signal that is to end the program, on a thread of
    /// its own.
    pub fn on_end(end: impl FnOnce(i32) + Send + 'static) -> io::Result<()> {
        let heard = [SIGHUP, SIGINT, SIGTERM]
            .into_iter()
            .filter(|&s| !is_ignored(s));
        let mut signals = Signals::new(heard)?;
        let wait = move || {
            if let Some(signal) = signals.forever().next() {
                end(signal);
            }
        };
        std::thread::Builder::new().spawn(wait).map(drop)
    }

    fn is_ignored(signal: i32) -> bool {
        // SAFETY: all zeros is a value of this plain structure.
        let mut found: libc::sigaction = unsafe { std::mem::zeroed() };
        // SAFETY: without a new action the call only writes the present one to a valid place.
        let status = unsafe { libc::sigaction(signal, std::ptr::null(), &raw mut found) };
        status == 0 && found.sa_sigaction == libc::SIG_IGN
    }
}

#[cfg(not(unix))]
mod signals {
    /// The number of Ctrl-C's signal where there are signals.
    const INTERRUPT: i32 = 2;

    /// Calls `end` when the user asks the program to end, on a thread of its own.
    pub fn on_end(end: impl Fn(i32) + Send + 'static) -> Result<(), ctrlc::Error> {
        ctrlc::try_set_handler(move || end(INTERRUPT))
    }
}
