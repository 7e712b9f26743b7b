//! Traps: inputs that were made to explode time or memory. Complexity is part of right.
//!
//! Each row of [`cases::all`] runs in a process of its own with a limit of processor time and of memory, and its answer is proved
//! by known text or a property. `cargo test` runs the quick ones; `scripts/traps` runs all of them with the program as it is released, prints
//! their times, and can write the table of `docs/reliability.md`:
//!
//! - `SUNZI_TRAPS=all`, or part of names: what runs. `SUNZI_TRAPS_PROGRAM`: the program.
//! - `SUNZI_TRAPS_PAGE`: the page whose table is written. `SUNZI_TRAPS_INPUTS`: a folder for all inputs, which peers read;
//!   nothing runs then.

#![cfg(target_os = "linux")]

mod cases;
mod inputs;
mod page;
#[expect(
    dead_code,
    reason = "most faults are those of the test that it belongs to"
)]
#[path = "../faults/process.rs"]
mod process;
mod right;

use cases::Trap;
use process::{End, Fault};
use std::fs;
use std::mem::MaybeUninit;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How much longer a run may wait for processors than it may use them.
const BUSY: u32 = 20;
/// How much slower the program may be that is compiled with the tests.
const CHECKED: u32 = 10;
/// Addresses that a program may reserve beside the memory that it uses.
const RESERVED: u64 = 2 << 30;

/// What a run within all limits took.
struct Taken {
    time: Duration,
    peak: u64,
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from)
}

fn write_inputs(trap: &Trap, folder: &Path) {
    for (name, input) in trap.inputs {
        input.write(&folder.join(name));
    }
}

/// Ends the program by a signal when it has computed for so long.
fn limit_processor_time(command: &mut Command, time: Duration) {
    let limit = libc::rlimit {
        rlim_cur: time.as_secs(),
        rlim_max: time.as_secs() + 5,
    };
    // SAFETY: a system call alone, on a structure of its own.
    let prepare = move || match unsafe { libc::setrlimit(libc::RLIMIT_CPU, &limit) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    };
    // SAFETY: what runs between fork and exec are system calls alone.
    unsafe { command.pre_exec(prepare) };
}

/// What all programs that were run and have ended took of the processors.
fn processor_time() -> Duration {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the call fills the structure, of which all zeros are a value.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
        usage.assume_init()
    };
    let duration =
        |time: libc::timeval| Duration::new(time.tv_sec as u64, 1000 * time.tv_usec as u32);
    duration(usage.ru_utime) + duration(usage.ru_stime)
}

/// Runs the program on a trap; what it took, or what is wrong.
fn run(program: &Path, trap: &Trap, slowness: u32) -> Result<Taken, String> {
    let folder = tempfile::tempdir().unwrap();
    write_inputs(trap, folder.path());
    let arguments = trap.arguments.split(' ');
    let mut command = Command::new(program);
    command
        .args(arguments.map(|argument| argument.strip_prefix('@').unwrap_or(argument)))
        .current_dir(folder.path())
        .stdin(Stdio::null());
    let memory = trap.mebibytes << 20;
    let time = Duration::from_secs(trap.seconds) * slowness;
    limit_processor_time(&mut command, time);
    let before = processor_time();
    let bound = Fault::AddressSpace(memory + RESERVED);
    let ended = process::run(command, Some(bound), BUSY * time);
    let time = processor_time() - before;
    let code = match ended.end {
        End::Code(code) => code,
        end => return Err(format!("{end:?} after {time:.1?}")),
    };
    let stdout = String::from_utf8_lossy(&ended.stdout);
    trap.right.judge(code, &stdout, &ended.stderr)?;
    match ended.peak > memory {
        true => Err(format!("{} MiB of memory", ended.peak >> 20)),
        false => Ok(Taken {
            time,
            peak: ended.peak,
        }),
    }
}

#[test]
fn quick_traps_keep_their_limits() {
    let program = Path::new(env!("CARGO_BIN_EXE_sunzi"));
    let wrong: Vec<String> = cases::all()
        .filter(|trap| trap.is_quick)
        .filter_map(|trap| {
            let problem = run(program, trap, CHECKED).err()?;
            Some(format!("{}: {problem}", trap.name))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_are_distinct_and_inputs_are_used() {
    for (at, trap) in cases::all().enumerate() {
        let name = trap.name;
        assert!(
            cases::all().take(at).all(|other| other.name != name),
            "{name}"
        );
        for (input, _) in trap.inputs {
            let argument = format!("@{input}");
            assert!(
                trap.arguments.split(' ').any(|word| word == argument),
                "{name}: {input}"
            );
        }
    }
}

#[test]
fn every_trap_keeps_its_limits() {
    if let Some(folder) = variable("SUNZI_TRAPS_INPUTS") {
        for trap in cases::all() {
            let folder = folder.join(trap.name);
            fs::create_dir_all(&folder).unwrap();
            write_inputs(trap, &folder);
        }
        return;
    }
    let Ok(wanted) = std::env::var("SUNZI_TRAPS") else {
        return sunzi_testkit::skip("all traps: SUNZI_TRAPS asks for them");
    };
    let program = variable("SUNZI_TRAPS_PROGRAM").expect("SUNZI_TRAPS_PROGRAM names the program");
    let page = variable("SUNZI_TRAPS_PAGE");
    let mut rows = Vec::new();
    let mut wrong = Vec::new();
    for trap in cases::all() {
        if wanted != "all" && !trap.name.contains(&wanted) {
            continue;
        }
        match run(&program, trap, 1) {
            Ok(taken) => {
                let (seconds, mebibytes) = (taken.time.as_secs_f64(), taken.peak >> 20);
                println!("{:24} {seconds:8.2} s {mebibytes:6} MiB", trap.name);
                rows.push((trap, taken));
            }
            Err(problem) => {
                println!("{:24} WRONG: {problem}", trap.name);
                wrong.push(format!("{}: {problem}", trap.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    if let Some(page) = page {
        page::rewrite(&page, &rows);
    }
}
