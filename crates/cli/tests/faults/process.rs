//! The program under a fault: started with it, watched, and described when it has ended.

use std::fs::File;
use std::io::{Read, Seek};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What is done to the program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// `ulimit -v` and `ulimit -d`, in bytes.
    AddressSpace(u64),
    Data(u64),
    /// `--max-memory`, in bytes.
    MaxMemory(u64),
    /// `ulimit -f`, in bytes.
    FileSize(u64),
    /// A file system with room for this many bytes.
    Room(u64),
    /// Standard output is `/dev/full`, closed, or read by nobody.
    FullOutput,
    ClosedOutput,
    NoReader,
    ClosedInput,
    /// A signal, and when it comes.
    Signal(i32, Duration),
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Code(i32),
    Signal(i32),
    /// It did not, and was killed.
    Never,
}

/// What is known of a process that has ended.
#[derive(Debug)]
pub struct Ended {
    pub end: End,
    pub stdout: Vec<u8>,
    pub stderr: String,
    /// Bytes of memory that it held at most when it was looked at.
    pub peak: u64,
    pub time: Duration,
}

/// How often a process is looked at.
const STEP: Duration = Duration::from_millis(2);

/// Runs a program under a fault, or under none; it may take so long.
pub fn run(mut command: Command, fault: Option<Fault>, bound: Duration) -> Ended {
    let mut stdout = tempfile::tempfile().unwrap();
    let mut stderr = tempfile::tempfile().unwrap();
    command.stdout(stdout.try_clone().unwrap());
    command.stderr(stderr.try_clone().unwrap());
    let mut limits: Vec<(libc::__rlimit_resource_t, u64)> = Vec::new();
    let mut closed = None;
    match fault {
        Some(Fault::AddressSpace(bytes)) => limits.push((libc::RLIMIT_AS, bytes)),
        Some(Fault::Data(bytes)) => limits.push((libc::RLIMIT_DATA, bytes)),
        Some(Fault::FileSize(bytes)) => limits.push((libc::RLIMIT_FSIZE, bytes)),
        Some(Fault::FullOutput) => {
            command.stdout(File::options().write(true).open("/dev/full").unwrap());
        }
        Some(Fault::NoReader) => {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            command.stdout(writer);
        }
        Some(Fault::ClosedOutput) => closed = Some(libc::STDOUT_FILENO),
        Some(Fault::ClosedInput) => closed = Some(libc::STDIN_FILENO),
        _ => {}
    }
    if let Some(Fault::FileSize(_)) = fault {
        // What is told must not be cut off.
        command.stderr(Stdio::piped());
    }
    // Cores are large, and nobody looks at them.
    limits.push((libc::RLIMIT_CORE, 0));
    let prepare = move || {
        for &(resource, bytes) in &limits {
            let limit = libc::rlimit {
                rlim_cur: bytes,
                rlim_max: bytes,
            };
            // SAFETY: the structure lives until the call returns.
            if unsafe { libc::setrlimit(resource, &limit) } != 0 {
                return Err(std::io::Error::last_os_error());
            }
        }
        if let Some(stream) = closed {
            // SAFETY: the child's own stream, which nothing uses before the program starts.
            unsafe { libc::close(stream) };
        }
        Ok(())
    };
    // SAFETY: what runs between fork and exec are system calls alone.
    unsafe { command.pre_exec(prepare) };
    let start = Instant::now();
    let mut child = command.spawn().unwrap();
    let pid = libc::pid_t::try_from(child.id()).unwrap();
    let mut signal = match fault {
        Some(Fault::Signal(signal, when)) => Some((signal, when)),
        _ => None,
    };
    let mut late = false;
    let mut peak = 0;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        peak = peak.max(held_at_most(pid).unwrap_or(0));
        if let Some((number, when)) = signal
            && start.elapsed() >= when
        {
            kill(pid, number);
            signal = None;
        }
        if !late && start.elapsed() > bound {
            late = true;
            kill(pid, libc::SIGKILL);
        }
        std::thread::sleep(STEP);
    };
    let time = start.elapsed();
    let end = match (status.code(), status.signal()) {
        _ if late => End::Never,
        (Some(code), _) => End::Code(code),
        (None, signal) => End::Signal(signal.unwrap_or(0)),
    };
    let mut bytes = Vec::new();
    stdout.rewind().unwrap();
    stdout.read_to_end(&mut bytes).unwrap();
    let mut said = Vec::new();
    match child.stderr.take() {
        Some(mut pipe) => pipe.read_to_end(&mut said).unwrap(),
        None => {
            stderr.rewind().unwrap();
            stderr.read_to_end(&mut said).unwrap()
        }
    };
    Ended {
        end,
        stdout: bytes,
        stderr: String::from_utf8(said).unwrap(),
        peak,
        time,
    }
}

/// The most memory that a process has held so far. (What the system tells when it has ended counts what the process
/// shared with this one before it became another program.)
fn held_at_most(pid: libc::pid_t) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}

fn kill(pid: libc::pid_t, signal: i32) {
    // SAFETY: the child has not been waited for, so that the number is still its own.
    unsafe { libc::kill(pid, signal) };
}
