//! Every command under faults: too little memory, full disks, closed streams, signals at any moment.
//!
//! However a run ends, it ends: with an exit code that the program knows or by the signal that was sent, soon, with all of
//! its output in its place or nothing, and without a file that nobody asked for.
//!
//! `cargo test` makes some runs of every kind. `SUNZI_FAULTS_SECONDS` makes random ones for so long, and
//! `SUNZI_FAULTS_SEED` chooses which; `SUNZI_FAULTS_SWEEP` puts each limit of memory on every command. `scripts/faults` does
//! both, with the program as it is released.

#![cfg(target_os = "linux")]

mod cases;
mod process;
mod verdict;

use cases::{CASES, Case, LONG};
use process::{End, Fault};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use sunzi_testkit::Random;
use verdict::{Form, Harness};

const MEGABYTE: u64 = 1_000_000;

/// `ulimit -v` and `--max-memory`.
const ADDRESS_SPACES: [u64; 10] = [50, 60, 80, 100, 120, 150, 200, 300, 500, 1000];
const MEMORIES: [u64; 8] = [0, 1, 5, 16, 32, 64, 128, 512];
/// `ulimit -f`, in bytes.
const FILE_SIZES: [u64; 4] = [0, 1, 4096, 300_000];
/// Room on a disk, in bytes.
const ROOMS: [u64; 3] = [4096, 65_536, 1_000_000];

/// What may be wrong with standard output and input.
const STREAMS: [Fault; 4] = [
    Fault::FullOutput,
    Fault::ClosedOutput,
    Fault::NoReader,
    Fault::ClosedInput,
];

/// Signals that end a program.
const SIGNALS: [i32; 11] = [
    libc::SIGTERM,
    libc::SIGINT,
    libc::SIGHUP,
    libc::SIGQUIT,
    libc::SIGUSR1,
    libc::SIGALRM,
    libc::SIGXCPU,
    libc::SIGXFSZ,
    libc::SIGKILL,
    libc::SIGPIPE,
    libc::SIGVTALRM,
];

/// Faults for each case, others for the next: four of the seven kinds in turn, so that of two neighbours one meets each.
fn chosen(index: usize, random: &mut Random) -> [Fault; 4] {
    let when = Duration::from_millis(random.word() % 150);
    // Kinds come in turns of seven, too: each meets all limits.
    let limit = (index + index / 7) % 7;
    let mut kinds = [
        // The least limits, which tell.
        Fault::AddressSpace(ADDRESS_SPACES[limit] * MEGABYTE),
        Fault::Data(ADDRESS_SPACES[(limit + 3) % 7] * MEGABYTE),
        Fault::MaxMemory(MEMORIES[limit] * MEGABYTE),
        Fault::FileSize(FILE_SIZES[index % FILE_SIZES.len()]),
        STREAMS[index % STREAMS.len()],
        Fault::Signal(SIGNALS[index % SIGNALS.len()], when),
        Fault::Room(ROOMS[index % ROOMS.len()]),
    ];
    kinds.rotate_left(4 * index % 7);
    [kinds[0], kinds[1], kinds[2], kinds[3]]
}

#[test]
fn every_command_under_a_fault_of_every_kind() {
    let mut random = Random::new(31);
    let harness = Harness::new(false);
    let disks = Disk::new(ROOMS[0]).map(drop);
    if let Err(reason) = &disks {
        sunzi_testkit::skip(&format!("full disks: {reason}"));
    }
    let mut runs: Vec<(&Case, Form, Fault)> = Vec::new();
    for (index, case) in CASES.iter().enumerate() {
        for (turn, fault) in chosen(index, &mut random).into_iter().enumerate() {
            if disks.is_ok() || !matches!(fault, Fault::Room(_)) {
                runs.push((case, Form::of(case, index + turn, fault), fault));
            }
        }
    }
    let wrong = wrong_runs(&harness, &runs);
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Makes all runs; what is wrong with some of them.
fn wrong_runs(harness: &Harness, runs: &[(&Case, Form, Fault)]) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    // One waits for the program while the other looks at what it did.
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(&(case, form, fault)) = runs.get(next.fetch_add(1, Relaxed)) {
                    if let Err(text) = run(harness, case, form, fault) {
                        wrong.lock().unwrap().push(text);
                    }
                }
            });
        }
    });
    wrong.into_inner().unwrap()
}

#[test]
fn every_limit_of_memory_on_every_command() {
    if std::env::var_os("SUNZI_FAULTS_SWEEP").is_none() {
        return sunzi_testkit::skip("all limits of memory: SUNZI_FAULTS_SWEEP asks for them");
    }
    let harness = Harness::new(true);
    let all: Vec<Case> = CASES.into_iter().chain(LONG).collect();
    let mut runs = Vec::new();
    for case in &all {
        let address_spaces = ADDRESS_SPACES.map(|limit| Fault::AddressSpace(limit * MEGABYTE));
        let data = ADDRESS_SPACES.map(|limit| Fault::Data(limit * MEGABYTE));
        let memories = MEMORIES.map(|limit| Fault::MaxMemory(limit * MEGABYTE));
        for fault in address_spaces.into_iter().chain(data).chain(memories) {
            runs.push((case, Form::of(case, runs.len(), fault), fault));
        }
    }
    let wrong = wrong_runs(&harness, &runs);
    println!("{} runs, {} wrong", runs.len(), wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Runs a case, on a disk of its own where that is the fault.
fn run(harness: &Harness, case: &Case, form: Form, fault: Fault) -> Result<End, String> {
    match fault {
        Fault::Room(room) => {
            let disk = Disk::new(room)?;
            harness.run_in(disk.path(), case, form, fault)
        }
        _ => harness.run(case, form, fault),
    }
}

/// A file system of its own in memory.
struct Disk {
    folder: tempfile::TempDir,
}

impl Disk {
    /// One with so much room, if this user may make one.
    fn new(bytes: u64) -> Result<Self, String> {
        let folder = tempfile::tempdir().unwrap();
        let made = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={bytes}"), "tmpfs"])
            .arg(folder.path())
            .output();
        match made {
            Ok(made) if made.status.success() => Ok(Self { folder }),
            Ok(made) => Err(String::from_utf8_lossy(&made.stderr).into_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.folder.path()).status();
    }
}

/// A random fault, and its kind.
fn any_fault(random: &mut Random, usual: Duration) -> (&'static str, Fault) {
    let mut below = |bound: u64| random.word() % bound;
    match below(100) {
        0..5 => ("data", Fault::Data((20 + below(300)) * MEGABYTE)),
        5..30 => {
            let bytes = match below(2) {
                0 => ADDRESS_SPACES[below(10) as usize],
                _ => 50 + below(450),
            };
            ("address space", Fault::AddressSpace(bytes * MEGABYTE))
        }
        30..50 => {
            let bytes = match below(2) {
                0 => MEMORIES[below(8) as usize] * MEGABYTE,
                _ => below(200 * MEGABYTE),
            };
            ("--max-memory", Fault::MaxMemory(bytes))
        }
        50..60 => ("file size", Fault::FileSize(below(2_000_000))),
        60..65 => ("full disk", Fault::Room(4096 * (1 + below(400)))),
        65..75 => ("streams", STREAMS[below(4) as usize]),
        _ => {
            let when = usual.as_micros() as u64 * 6 / 5;
            let when = Duration::from_micros(below(when.max(1)));
            let signal = SIGNALS[below(SIGNALS.len() as u64) as usize];
            ("signals", Fault::Signal(signal, when))
        }
    }
}

/// Runs and failures of a kind, and how the runs ended.
#[derive(Default)]
struct Tally {
    runs: u64,
    wrong: u64,
    done: u64,
    refused: u64,
    by_signal: u64,
}

#[test]
fn random_faults_for_as_long_as_wanted() {
    let number = |name| -> Option<u64> { std::env::var(name).ok()?.parse().ok() };
    let Some(seconds) = number("SUNZI_FAULTS_SECONDS") else {
        return sunzi_testkit::skip("random faults: SUNZI_FAULTS_SECONDS says for how long");
    };
    let seed = number("SUNZI_FAULTS_SEED").unwrap_or(1);
    println!("seed {seed}, {seconds} s");
    let mut random = Random::new(seed);
    let harness = Harness::new(true);
    let disks = Disk::new(ROOMS[0]).map(drop);
    println!("full disks: {disks:?}");
    let all: Vec<Case> = CASES.into_iter().chain(LONG).collect();
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut wrong = Vec::new();
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(seconds) {
        let case = &all[(random.word() % all.len() as u64) as usize];
        let usual = harness.usual_time(case);
        let (kind, fault) = any_fault(&mut random, usual);
        let form = Form::of(case, (random.word() % 60) as usize, fault);
        if matches!(fault, Fault::Room(_)) && disks.is_err() {
            continue;
        }
        let ran = run(&harness, case, form, fault);
        let tally = tallies.entry(kind).or_default();
        tally.runs += 1;
        match ran {
            Ok(End::Code(0)) => tally.done += 1,
            Ok(End::Code(_)) => tally.refused += 1,
            Ok(End::Signal(_) | End::Never) => tally.by_signal += 1,
            Err(text) => {
                tally.wrong += 1;
                println!("WRONG {text}");
                wrong.push(text);
            }
        }
    }
    println!(
        "{:15} {:>7} {:>7} {:>7} {:>9} {:>6}",
        "fault", "runs", "done", "refused", "by signal", "wrong"
    );
    for (
        kind,
        Tally {
            runs,
            wrong,
            done,
            refused,
            by_signal,
        },
    ) in &tallies
    {
        println!("{kind:15} {runs:>7} {done:>7} {refused:>7} {by_signal:>9} {wrong:>6}");
    }
    assert!(wrong.is_empty(), "{} wrong", wrong.len());
}
