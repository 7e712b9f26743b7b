//! What goes when a signal ends the program: names of files, and the bar of progress.

pub use system::{Removal, bar, remove_all};

/// Goes to the beginning of the line of a terminal, and clears it.
const CLEAR_LINE: &[u8] = b"\r\x1b[2K";

#[cfg(unix)]
mod system {
    use super::CLEAR_LINE;
    use signal_hook::consts as signals;
    use signal_hook::low_level;
    use std::ffi::{CString, c_char, c_int};
    use std::io;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;
    use std::ptr::null_mut;
    use std::sync::Once;
    use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

    /// Files that can be under way at the same time.
    const MOST: usize = 8;

    /// The names noted, for a handler that can neither wait nor take memory. Whoever takes one out owns it.
    static NAMES: [AtomicPtr<c_char>; MOST] = [const { AtomicPtr::new(null_mut()) }; MOST];

    /// Whether there is a bar on the terminal of standard error.
    static BAR: AtomicBool = AtomicBool::new(false);

    /// Those that end a program by default, can be caught, and come from people, shells, timers and limits. Where the
    /// file system knows only files with names, the hidden file stays behind all others: those that cannot be caught,
    /// those for what the program itself does wrong, SIGIO, SIGPWR, SIGSTKFLT and real-time signals.
    const ENDING: [c_int; 11] = [
        signals::SIGHUP,
        signals::SIGINT,
        signals::SIGQUIT,
        signals::SIGTERM,
        signals::SIGUSR1,
        signals::SIGUSR2,
        signals::SIGALRM,
        signals::SIGVTALRM,
        signals::SIGPROF,
        signals::SIGXCPU,
        signals::SIGABRT,
    ];

    /// A name that goes by any signal that ends the program and can be caught, for as long as this lives.
    pub struct Removal {
        slot: &'static AtomicPtr<c_char>,
    }

    impl Removal {
        /// Notes a name, whose file need not exist yet. A signal that comes before the file is made removes nothing,
        /// and another thread may still make the file before the program ends: it stays then.
        pub fn of(path: &Path) -> io::Result<Self> {
            watch();
            let name = CString::new(path.as_os_str().as_bytes())?.into_raw();
            for slot in &NAMES {
                let free =
                    slot.compare_exchange(null_mut(), name, Ordering::AcqRel, Ordering::Relaxed);
                if free.is_ok() {
                    return Ok(Self { slot });
                }
            }
            // SAFETY: it is from `into_raw`, and nothing else knows it.
            drop(unsafe { CString::from_raw(name) });
            Err(io::Error::other("too many files are written at once"))
        }
    }

    impl Drop for Removal {
        fn drop(&mut self) {
            let name = self.slot.swap(null_mut(), Ordering::AcqRel);
            if !name.is_null() {
                // SAFETY: it is from `into_raw` in `of`, and the swap left it to this thread alone.
                drop(unsafe { CString::from_raw(name) });
            }
        }
    }

    /// Says whether there is a bar on the terminal of standard error.
    pub fn bar(is_shown: bool) {
        if is_shown {
            watch();
        }
        BAR.store(is_shown, Ordering::Release);
    }

    /// From now on signals remove the names. One that is ignored, as SIGHUP is under `nohup`, stays ignored.
    fn watch() {
        static HANDLERS: Once = Once::new();
        HANDLERS.call_once(set_handlers);
    }

    fn set_handlers() {
        for signal in ENDING.into_iter().filter(|&signal| !is_ignored(signal)) {
            let end = move || {
                remove_all();
                // It is in the list of those that end a program.
                let _ = low_level::emulate_default_handler(signal);
            };
            // SAFETY: `end` does what a handler may: it swaps pointers, unlinks, writes, restores a signal and raises it.
            // Without a handler the program works as well, and a signal leaves the hidden file.
            let _ = unsafe { low_level::register(signal, end) };
        }
    }

    /// Removes the files of all names that are noted, and the bar. A handler may do this, and it takes no memory.
    pub fn remove_all() {
        if BAR.swap(false, Ordering::AcqRel) {
            // SAFETY: as many bytes as there are. A terminal that takes nothing shows no bar.
            unsafe {
                libc::write(
                    libc::STDERR_FILENO,
                    CLEAR_LINE.as_ptr().cast(),
                    CLEAR_LINE.len(),
                )
            };
        }
        for slot in &NAMES {
            let name = slot.swap(null_mut(), Ordering::AcqRel);
            if !name.is_null() {
                // SAFETY: a text that ends in 0, which the swap left to this thread alone, and which nothing frees.
                // It may have got its name already: nothing can be done about a failure.
                unsafe { libc::unlink(name) };
            }
        }
    }

    fn is_ignored(signal: c_int) -> bool {
        // SAFETY: all zeros is a value of this plain structure.
        let mut found: libc::sigaction = unsafe { std::mem::zeroed() };
        // SAFETY: without a new action the call only writes the present one to a valid place.
        let status = unsafe { libc::sigaction(signal, std::ptr::null(), &raw mut found) };
        status == 0 && found.sa_sigaction == libc::SIG_IGN
    }
}

#[cfg(not(unix))]
mod system {
    use super::CLEAR_LINE;
    use std::fs;
    use std::io::{self, Write};
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Mutex, MutexGuard, Once, PoisonError};

    /// The code that shells give to a program which Ctrl-C ended.
    const INTERRUPTED: i32 = 130;

    /// The names noted.
    static NAMES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

    /// Whether there is a bar on the terminal of standard error.
    static BAR: AtomicBool = AtomicBool::new(false);

    fn names() -> MutexGuard<'static, Vec<PathBuf>> {
        NAMES.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A name that goes when the program is interrupted, for as long as this lives.
    pub struct Removal(PathBuf);

    impl Removal {
        /// Notes a name, whose file need not exist yet.
        pub fn of(path: &Path) -> io::Result<Self> {
            watch();
            names().push(path.to_owned());
            Ok(Self(path.to_owned()))
        }
    }

    impl Drop for Removal {
        fn drop(&mut self) {
            names().retain(|name| *name != self.0);
        }
    }

    /// Says whether there is a bar on the terminal of standard error.
    pub fn bar(is_shown: bool) {
        if is_shown {
            watch();
        }
        BAR.store(is_shown, Ordering::Release);
    }

    /// From now on an interruption removes the names.
    fn watch() {
        static HANDLER: Once = Once::new();
        HANDLER.call_once(|| {
            // Without a handler the program works as well; an interruption leaves the hidden file then.
            let _ = ctrlc::try_set_handler(|| {
                remove_all();
                std::process::exit(INTERRUPTED);
            });
        });
    }

    /// Removes the files of all names that are noted, and the bar.
    pub fn remove_all() {
        if BAR.swap(false, Ordering::AcqRel) {
            // A terminal that takes nothing shows no bar.
            let _ = io::stderr().write_all(CLEAR_LINE);
        }
        for name in names().iter() {
            // It may have got its name already.
            let _ = fs::remove_file(name);
        }
    }
}
