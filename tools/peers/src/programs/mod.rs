//! Peers that are programs: found where they are installed, given their input as text, timed by processor time of their own.
//!
//! A program that is not there is no failure: a line says how to install it, once. One that takes longer than
//! [`LIMIT`] for a single run is left out of that case, with a line, too.

mod cgal;
mod compiled;
mod fflas;
mod msolve;
mod pari;
mod plonky3;
mod scipy;

use std::collections::HashSet;
use std::env;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

pub use cgal::{CgalRoots, CgalSystem};
pub use fflas::Fflas;
pub use msolve::Msolve;
pub use pari::Pari;
pub use plonky3::plonky3;
pub use scipy::SciPy;

use crate::contender::{Contender, Count, Peer};

/// A run that takes longer is not waited for.
const LIMIT: Duration = Duration::from_secs(20);

/// A program with an input.
pub trait Program: Send {
    /// The name of the peer.
    const NAME: &'static str;
    /// How it is installed.
    const INSTALL: &'static str;

    /// Runs the program `times` times: seconds of all runs, and what it found, as numbers that mean the same for every
    /// contender.
    ///
    /// # Errors
    /// A sentence: it is not there, or it failed, or it took too long.
    fn run(&mut self, times: usize) -> Result<(f64, Vec<u64>), Trouble>;

    /// What is counted of what it found.
    fn counts(&self, _found: &[u64]) -> Vec<Count> {
        Vec::new()
    }
}

/// Why there is nothing to time.
pub enum Trouble {
    /// The program is not installed.
    Missing,
    /// It failed or took too long.
    Failed(String),
}

/// The peer, if it is there and finishes a first run in time.
pub fn peer<P: Program + 'static>(mut program: P) -> Option<Peer> {
    match program.run(1) {
        Ok((_, output)) => Some(Peer::exact(P::NAME, Box::new(Running { program, output }))),
        Err(Trouble::Missing) => {
            once(format!("{} is not there: {}", P::NAME, P::INSTALL));
            None
        }
        Err(Trouble::Failed(sentence)) => {
            eprintln!("peers: {}: {sentence}", P::NAME);
            None
        }
    }
}

/// A program that has run before.
struct Running<P> {
    program: P,
    output: Vec<u64>,
}

impl<P: Program> Contender for Running<P> {
    fn run(&mut self, times: usize) -> Option<f64> {
        match self.program.run(times) {
            Ok((seconds, output)) => {
                self.output = output;
                Some(seconds)
            }
            // What ran a moment ago fails: nothing of the case can be believed.
            Err(Trouble::Missing) => panic!("{} is gone", P::NAME),
            Err(Trouble::Failed(sentence)) => panic!("{}: {sentence}", P::NAME),
        }
    }

    fn output(&self) -> Vec<u64> {
        self.output.clone()
    }

    fn counts(&self) -> Vec<Count> {
        self.program.counts(&self.output)
    }
}

/// Prints a line to standard error, unless it was there before.
fn once(line: String) {
    static SAID: Mutex<Option<HashSet<String>>> = Mutex::new(None);
    let Ok(mut said) = SAID.lock() else { return };
    if said.get_or_insert_with(HashSet::new).insert(line.clone()) {
        eprintln!("peers: {line}");
    }
}

/// The program of this name on the path.
fn on_path(name: &str) -> Result<PathBuf, Trouble> {
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
        .ok_or(Trouble::Missing)
}

/// What a process wrote, and the processor time that it took, start and end included.
struct Done {
    output: String,
    seconds: f64,
}

/// Runs a command to its end.
fn run_to_end(command: &mut Command, input: &str, limit: Duration) -> Result<Done, Trouble> {
    let fail = |what: &str, error: std::io::Error| Trouble::Failed(format!("{what}: {error}"));
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| fail("it does not start", error))?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // A program that stops reading says so by its status.
            stdin.map(|mut stdin| stdin.write_all(input.as_bytes()))
        });
        let reader = scope.spawn(move || {
            let mut output = String::new();
            stdout.map(|mut stdout| stdout.read_to_string(&mut output));
            output
        });
        let (status, seconds) = wait(&mut child, limit)?;
        let output = reader.join().unwrap_or_default();
        match status.success() {
            true => Ok(Done { output, seconds }),
            false => Err(Trouble::Failed(format!("it ended with {status}"))),
        }
    })
}

/// Waits for a child, and reads the processor time of it and its children.
fn wait(child: &mut Child, limit: Duration) -> Result<(ExitStatus, f64), Trouble> {
    let id = child.id().cast_signed();
    let start = Instant::now();
    loop {
        let mut status = 0;
        // SAFETY: zeros are a valid `rusage`.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: a child of this process that nobody else waits for, and places for two results.
        let waited = unsafe { libc::wait4(id, &mut status, libc::WNOHANG, &mut usage) };
        if waited == id {
            let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 * 1e-6;
            let all = seconds(usage.ru_utime) + seconds(usage.ru_stime);
            return Ok((ExitStatus::from_raw(status), all));
        }
        if start.elapsed() > limit {
            // SAFETY: a signal to a child that has not been waited for.
            unsafe { libc::kill(id, libc::SIGKILL) };
            // SAFETY: as above; this one waits.
            unsafe { libc::wait4(id, &mut status, 0, &mut usage) };
            let seconds = limit.as_secs();
            return Err(Trouble::Failed(format!(
                "a run takes more than {seconds} s: left out here"
            )));
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// Numbers as words that mean the same for every contender, though each rounds otherwise: their number, and each one in
/// units of 10⁻⁶, rounded where no result is likely to lie.
pub fn rounded(values: impl IntoIterator<Item = f64>) -> Vec<u64> {
    let round = |value: f64| ((value * 1e6 + 0.337).floor() as i64).cast_unsigned();
    let mut words: Vec<u64> = values.into_iter().map(round).collect();
    words.insert(0, words.len() as u64);
    words
}

/// Points in a common order.
pub fn rounded_points(mut points: Vec<(f64, f64)>) -> Vec<u64> {
    // Equal coordinates differ in their last digits.
    let key = |point: &(f64, f64)| [point.0, point.1].map(|value| (value * 1e6 + 0.337).floor());
    points.sort_by(|a, b| {
        key(a)
            .partial_cmp(&key(b))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    rounded(points.into_iter().flat_map(|(x, y)| [x, y]))
}
