//! A file that has its name only when it is complete.

use super::removal::Removal;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

/// A new file in the folder of its target.
///
/// On Linux it has no name at all before it is placed, so that nothing is left of it however the program ends. Where
/// the file system knows only files with names it has a hidden one, which goes on drop and by signals.
pub struct Unfinished {
    file: File,
    target: PathBuf,
    hidden: Option<Hidden>,
}

impl Unfinished {
    /// A file that is to have the name `target`.
    pub fn create(target: PathBuf) -> io::Result<Self> {
        match unnamed::create(folder(&target)) {
            Some(file) => Ok(Self {
                file,
                target,
                hidden: None,
            }),
            None => Self::with_name(target),
        }
    }

    /// The same where the file system knows only files with names.
    fn with_name(target: PathBuf) -> io::Result<Self> {
        let (hidden, file) = Hidden::make(&target, |path| {
            OpenOptions::new().write(true).create_new(true).open(path)
        })?;
        Ok(Self {
            file,
            target,
            hidden: Some(hidden),
        })
    }

    /// The file.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives the file its name, in place of a file that has it.
    pub fn place(self) -> io::Result<()> {
        let Self {
            file,
            target,
            hidden,
        } = self;
        let hidden = match hidden {
            Some(hidden) => hidden,
            None => match unnamed::link(&file, &target) {
                // A link replaces nothing, and a rename does, but needs another name first.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    Hidden::make(&target, |path| unnamed::link(&file, path))?.0
                }
                placed => return placed,
            },
        };
        // Some systems rename no open file.
        drop(file);
        hidden.rename(&target)
    }
}

/// The folder of a file.
pub(super) fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// A hidden name of a file, which goes on drop.
struct Hidden {
    path: PathBuf,
    _removal: Removal,
}

impl Hidden {
    /// Makes a file of a hidden name beside the target: a rename is atomic within one file system only.
    fn make<T>(target: &Path, make: impl Fn(&Path) -> io::Result<T>) -> io::Result<(Self, T)> {
        // As short for a long target, and like no other: what has this name may go by a signal before it is made.
        let unlike = RandomState::new().build_hasher().finish();
        let path = target.with_file_name(format!(".sunzi-{unlike:016x}.part"));
        let removal = Removal::of(&path)?;
        let made = make(&path)?;
        let hidden = Self {
            path,
            _removal: removal,
        };
        Ok((hidden, made))
    }

    fn rename(self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        // It is gone already if it was renamed; nothing depends on any other failure.
        let _ = fs::remove_file(&self.path);
    }
}

/// Files without names, where the system has them.
#[cfg(target_os = "linux")]
mod unnamed {
    use std::ffi::CString;
    use std::fs::{self, File, OpenOptions};
    use std::io;
    use std::os::fd::AsRawFd;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::OpenOptionsExt;
    use std::path::Path;

    /// A file in this folder, if its file system has such files and they can be named later.
    pub fn create(folder: &Path) -> Option<File> {
        let mut options = OpenOptions::new();
        let file = options.write(true).custom_flags(libc::O_TMPFILE);
        let file = file.open(folder).ok()?;
        fs::metadata(path(&file)).is_ok().then_some(file)
    }

    /// Gives the file a name that nothing has.
    pub fn link(file: &File, name: &Path) -> io::Result<()> {
        let old = CString::new(path(file))?;
        let new = CString::new(name.as_os_str().as_bytes())?;
        // SAFETY: both are texts that end in 0 and live until the call returns.
        let status = unsafe {
            libc::linkat(
                libc::AT_FDCWD,
                old.as_ptr(),
                libc::AT_FDCWD,
                new.as_ptr(),
                libc::AT_SYMLINK_FOLLOW,
            )
        };
        match status {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// The link by which the system knows an open file.
    fn path(file: &File) -> String {
        format!("/proc/self/fd/{}", file.as_raw_fd())
    }
}

/// Nothing: no other system has such files.
#[cfg(not(target_os = "linux"))]
mod unnamed {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    pub fn create(_: &Path) -> Option<File> {
        None
    }

    pub fn link(_: &File, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// Both ways to make a file.
    const WAYS: [fn(PathBuf) -> io::Result<Unfinished>; 2] =
        [Unfinished::create, Unfinished::with_name];

    fn count(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_file_takes_a_free_name_and_one_that_is_taken() {
        for make in WAYS {
            let folder = tempfile::tempdir().unwrap();
            let target = folder.path().join("x".repeat(255));
            for text in ["first", "second"] {
                let mut file = make(target.clone()).unwrap();
                file.file().write_all(text.as_bytes()).unwrap();
                file.place().unwrap();
                assert_eq!(fs::read_to_string(&target).unwrap(), text);
                assert_eq!(count(folder.path()), 1);
            }
            drop(make(target).unwrap());
            assert_eq!(count(folder.path()), 1);
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn an_unfinished_file_has_no_name_here() {
        let folder = tempfile::tempdir().unwrap();
        let file = Unfinished::create(folder.path().join("x")).unwrap();
        assert_eq!(count(folder.path()), 0);
        drop(file);
        let file = Unfinished::with_name(folder.path().join("x")).unwrap();
        assert_eq!(count(folder.path()), 1);
        drop(file);
    }

    /// The folder in which the process that a test starts makes a file, and waits.
    const FOLDER: &str = "SUNZI_TEST_UNFINISHED";

    #[test]
    #[cfg(unix)]
    fn a_signal_takes_the_hidden_name_away() {
        use std::os::unix::process::ExitStatusExt;
        use std::process::{Command, Stdio};
        use std::time::{Duration, Instant};
        // Those that users, shells, timers and limits send.
        const SIGNALS: [libc::c_int; 11] = [
            libc::SIGHUP,
            libc::SIGINT,
            libc::SIGQUIT,
            libc::SIGTERM,
            libc::SIGUSR1,
            libc::SIGUSR2,
            libc::SIGALRM,
            libc::SIGVTALRM,
            libc::SIGPROF,
            libc::SIGXCPU,
            libc::SIGABRT,
        ];
        if let Some(folder) = std::env::var_os(FOLDER) {
            // Tests may run where some are ignored.
            for signal in SIGNALS {
                // SAFETY: this restores what signals do by default, and no handler is there yet.
                unsafe { libc::signal(signal, libc::SIG_DFL) };
            }
            let _file = Unfinished::with_name(Path::new(&folder).join("x")).unwrap();
            loop {
                std::thread::sleep(Duration::from_secs(1));
            }
        }
        let name = "output::unfinished::tests::a_signal_takes_the_hidden_name_away";
        for signal in SIGNALS {
            let folder = tempfile::tempdir().unwrap();
            let mut child = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", name])
                .env(FOLDER, folder.path())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let start = Instant::now();
            while count(folder.path()) == 0 {
                assert!(start.elapsed() < Duration::from_secs(60));
                std::thread::sleep(Duration::from_millis(5));
            }
            let kill = format!("kill -{signal} {}", child.id());
            assert!(
                Command::new("sh")
                    .args(["-c", &kill])
                    .status()
                    .unwrap()
                    .success()
            );
            assert_eq!(child.wait().unwrap().signal(), Some(signal), "{signal}");
            assert_eq!(count(folder.path()), 0, "{signal}");
        }
    }
}
