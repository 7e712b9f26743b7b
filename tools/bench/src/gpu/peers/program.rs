//! A program of somebody else, run once: what it prints, or why there is nothing.
//!
//! It may hang, print without end, or leave children behind: it is given a limited time and ended with all that it started
//! ([`Group`]), all it prints is taken but only the end kept, and the threads that read it are not waited for.

use super::group::{GRACE, Group, STEP};
use super::protocol::shown;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use sunzi_files::failure::reason;
use thiserror::Error;

/// Bytes of its output that are kept, and of one piece of it.
const KEPT: usize = 1 << 16;
const PIECE: usize = 1 << 12;
/// Pieces that may wait to be taken.
const WAITING: usize = 16;

/// Why a program gave nothing.
#[derive(Debug, Error)]
pub enum Fault {
    #[error("cannot be started: {}", reason(.0))]
    Start(io::Error),
    #[error("was ended after {} s, which is --peer-limit", .0.as_secs_f64())]
    Hung(Duration),
    #[error("failed ({status}){}", last(.said))]
    Failed {
        status: ExitStatus,
        /// The last line of its standard error.
        said: String,
    },
    #[error("does not answer as tools/peers/gpu/README.md tells: {0}")]
    Answer(String),
    #[error("ran on `{0}`, another device")]
    Device(String),
}

/// What a program said last, if anything.
fn last(said: &str) -> String {
    if said.is_empty() {
        String::new()
    } else {
        format!(", and said last: {said}")
    }
}

/// The end of what was written to a stream.
#[derive(Default)]
struct Tail(Vec<u8>);

impl Tail {
    fn push(&mut self, piece: &[u8]) {
        self.0.extend_from_slice(piece);
        let surplus = self.0.len().saturating_sub(KEPT);
        self.0.drain(..surplus);
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }
}

/// Which stream a piece is from.
#[derive(Clone, Copy)]
enum Source {
    Output,
    Errors,
}

/// Runs a program for so long at most; what it printed at the end.
pub fn run(mut command: Command, limit: Duration) -> Result<String, Fault> {
    let start = Instant::now();
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut group = Group::start(&mut command).map_err(Fault::Start)?;
    let (send, pieces) = sync_channel(WAITING);
    listen(group.leader.stdout.take(), Source::Output, send.clone())
        .and_then(|()| listen(group.leader.stderr.take(), Source::Errors, send))
        .map_err(Fault::Start)?;

    let (mut output, mut errors) = (Tail::default(), Tail::default());
    let mut deadline = start + limit;
    let mut ended = None;
    loop {
        let all_read = match pieces.recv_timeout(STEP) {
            Ok((Source::Output, piece)) => {
                output.push(&piece);
                false
            }
            Ok((Source::Errors, piece)) => {
                errors.push(&piece);
                false
            }
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => {
                // It may have closed its streams long before its end.
                thread::sleep(STEP);
                true
            }
        };
        if ended.is_none() {
            ended = group.ended().map_err(Fault::Start)?;
            if ended.is_some() {
                deadline = Instant::now() + GRACE;
            }
        }
        if ended.is_some() && all_read || Instant::now() > deadline {
            break;
        }
    }
    match ended {
        None => Err(Fault::Hung(limit)),
        Some(status) if status.success() => Ok(output.text()),
        Some(status) => {
            let errors = errors.text();
            let last = errors.lines().rev().find(|line| !line.trim().is_empty());
            Err(Fault::Failed {
                status,
                said: shown(last.unwrap_or_default()),
            })
        }
    }
}

/// Reads a stream on a thread of its own.
fn listen(
    stream: Option<impl Read + Send + 'static>,
    source: Source,
    send: SyncSender<(Source, Vec<u8>)>,
) -> io::Result<()> {
    let Some(mut stream) = stream else {
        return Ok(());
    };
    let read = move || {
        let mut piece = [0; PIECE];
        while let Ok(count @ 1..) = stream.read(&mut piece) {
            if send.send((source, piece[..count].to_vec())).is_err() {
                break;
            }
        }
    };
    thread::Builder::new().spawn(read).map(drop)
}

/// Whether the file can be run.
#[cfg(unix)]
pub fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// Whether the file can be run.
#[cfg(not(unix))]
pub fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, limit: f64) -> Result<String, Fault> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(command, Duration::from_secs_f64(limit))
    }

    #[test]
    fn what_was_printed_is_returned() {
        assert_eq!(shell("echo one; echo two >&2", 30.0).unwrap(), "one\n");
        // More than a pipe holds, on both streams; the end is kept.
        let long = "i=0; while [ $i -lt 20000 ]; do echo 0123456789; echo 0123456789 >&2; i=$((i + 1)); done; echo last";
        let printed = shell(long, 30.0).unwrap();
        assert_eq!(printed.len(), KEPT);
        assert!(printed.ends_with("\nlast\n"));
    }

    #[test]
    fn failures_are_told_with_the_last_line() {
        let said = shell(
            "echo first >&2; echo 'no memory' >&2; echo >&2; exit 3",
            30.0,
        )
        .unwrap_err();
        assert_eq!(
            said.to_string(),
            "failed (exit status: 3), and said last: no memory"
        );
        let said = shell("exit 4", 30.0).unwrap_err();
        assert_eq!(said.to_string(), "failed (exit status: 4)");
        let missing = run(Command::new("/nowhere/peer"), GRACE).unwrap_err();
        assert!(
            missing.to_string().starts_with("cannot be started: "),
            "{missing}"
        );
    }

    #[test]
    fn what_hangs_is_ended() {
        let start = Instant::now();
        // By itself, without its streams, printing without end, and in a child that the program leaves behind.
        for script in [
            "exec sleep 100",
            "exec >&- 2>&-; exec sleep 100",
            "while :; do echo y; done",
            "sleep 100",
        ] {
            let fault = shell(script, 0.1).unwrap_err();
            assert!(matches!(fault, Fault::Hung(_)), "{script}: {fault}");
        }
        // The child of a program that ended holds its output open.
        assert_eq!(shell("sleep 100 & echo done", 30.0).unwrap(), "done\n");
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn children_end_with_the_program() {
        // On a timeout, and when the program has ended by itself.
        for (end, limit) in [("wait", 0.2), ("exit 0", 30.0)] {
            let folder = tempfile::tempdir().unwrap();
            let note = folder.path().join("child");
            let script = format!("sleep 100 & echo $! > '{}'; {end}", note.display());
            let hung = shell(&script, limit).is_err();
            assert_eq!(hung, end == "wait");
            let child: i32 = std::fs::read_to_string(note)
                .unwrap()
                .trim()
                .parse()
                .unwrap();
            assert_gone(child);
        }
    }

    /// Waits until a process is gone, or only waits for somebody to reap it.
    fn assert_gone(process: i32) {
        let start = Instant::now();
        loop {
            let asked = Command::new("ps")
                .args(["-o", "stat=", "-p", &process.to_string()])
                .output()
                .unwrap();
            let state = String::from_utf8_lossy(&asked.stdout).trim().to_owned();
            if state.is_empty() || state.starts_with('Z') {
                return;
            }
            assert!(
                start.elapsed() < Duration::from_secs(10),
                "{process} is there: {state}"
            );
            thread::sleep(STEP);
        }
    }
}
