//! Runs, and what has to hold when they have ended.

use crate::cases::{Case, Output, write_inputs};
use crate::process::{End, Ended, Fault, run};
use serde_json::Value;
use std::collections::HashMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tempfile::TempDir;

/// What a limited program may hold beyond its limit: its own text, stacks, and what the allocator cannot use.
const BESIDE: u64 = 32 << 20;

/// The longest that a run may take, and what a short one may take beside thirty times what it takes without a fault.
const LONGEST: Duration = Duration::from_secs(120);
const SOON: Duration = Duration::from_secs(20);

/// The form of the results, and where they go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    pub json: bool,
    /// Into a file that is there already, instead of standard output.
    pub file: bool,
}

impl Form {
    /// One of the forms, that the fault concerns.
    pub fn of(case: &Case, turn: usize, fault: Fault) -> Self {
        let to_output = matches!(
            fault,
            Fault::FullOutput | Fault::ClosedOutput | Fault::NoReader
        );
        let to_file = matches!(fault, Fault::Room(_)) || case.output == Output::Picture;
        Self {
            json: turn % 3 == 2 && !case.arguments.contains("--symmetric"),
            file: to_file || !to_output && turn.is_multiple_of(2),
        }
    }
}

/// The name of the output file.
fn output_name(case: &Case) -> &'static str {
    match case.output {
        Output::Picture => "out.png",
        Output::Same | Output::Varying | Output::Refused => "out",
    }
}

/// What a run without a fault gives.
#[derive(Clone, Debug)]
struct Usual {
    /// Of all that must be the same each time.
    digest: u64,
    names: Vec<String>,
    time: Duration,
}

/// The inputs, and what is known of them.
pub struct Harness {
    inputs: TempDir,
    usual: Mutex<HashMap<(&'static str, Form), Usual>>,
}

/// What stands in the output file before.
const OLD: &[u8] = b"old\n";

impl Harness {
    /// With the inputs of long runs if they are wanted.
    pub fn new(long: bool) -> Self {
        let inputs = tempfile::tempdir().unwrap();
        write_inputs(inputs.path(), long);
        Self {
            inputs,
            usual: Mutex::default(),
        }
    }

    /// Runs a case in a folder of its own; how it ended, or what is wrong.
    pub fn run(&self, case: &Case, form: Form, fault: Fault) -> Result<End, String> {
        let folder = tempfile::tempdir().unwrap();
        self.run_in(folder.path(), case, form, fault)
    }

    /// Runs a case in this folder.
    pub fn run_in(
        &self,
        folder: &Path,
        case: &Case,
        form: Form,
        fault: Fault,
    ) -> Result<End, String> {
        let usual = self.usual(case, form);
        prepare(folder, case, form);
        let bound = LONGEST.min(SOON + 30 * usual.time);
        let ended = run(
            self.command(case, form, Some(fault), folder),
            Some(fault),
            bound,
        );
        let verdict = judge(case, form, fault, &ended, &usual, folder);
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let _ = fs::remove_file(entry.path()).or_else(|_| fs::remove_dir_all(entry.path()));
        }
        verdict.map(|()| ended.end).map_err(|problem| {
            let arguments = case.arguments;
            format!(
                "{problem}: {arguments} {form:?} {fault:?}: {:?}: {}",
                ended.end, ended.stderr
            )
        })
    }

    /// How long the case takes without a fault.
    pub fn usual_time(&self, case: &Case) -> Duration {
        let form = Form {
            json: false,
            file: case.output == Output::Picture,
        };
        self.usual(case, form).time
    }

    fn command(&self, case: &Case, form: Form, fault: Option<Fault>, folder: &Path) -> Command {
        let program = std::env::var_os("SUNZI_PROGRAM");
        let program = program.unwrap_or_else(|| env!("CARGO_BIN_EXE_sunzi").into());
        let mut command = Command::new(program);
        command.current_dir(folder).stdin(Stdio::null());
        for word in case.arguments.split(' ') {
            let (kind, name) = word.split_at(1);
            let path = self.inputs.path().join(name);
            match kind {
                "@" => command.arg(path),
                "<" => command.stdin(fs::File::open(path).unwrap()),
                _ => command.arg(word),
            };
        }
        if form.json {
            command.arg("--json");
        }
        if form.file {
            command.args(["-o", output_name(case)]);
        }
        if let Some(Fault::MaxMemory(bytes)) = fault
            && case.takes_limit()
        {
            command.arg(format!("--max-memory={bytes}"));
        }
        command
    }

    fn usual(&self, case: &Case, form: Form) -> Usual {
        let key = (case.arguments, form);
        let known = || self.usual.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().get(&key) {
            return known.clone();
        }
        let folder = tempfile::tempdir().unwrap();
        prepare(folder.path(), case, form);
        let ended = run(self.command(case, form, None, folder.path()), None, LONGEST);
        let (end, said, arguments) = (ended.end, &ended.stderr, case.arguments);
        let digest = match case.output {
            Output::Refused => {
                assert!(matches!(end, End::Code(1 | 2)), "{arguments}: {end:?}");
                0
            }
            _ => {
                assert_eq!((end, &said[..]), (End::Code(0), ""), "{arguments} {form:?}");
                digest(case, form, &ended, folder.path()).unwrap()
            }
        };
        let usual = Usual {
            digest,
            names: names(folder.path()),
            time: ended.time,
        };
        known().insert(key, usual.clone());
        usual
    }
}

/// Puts an old output file into a folder.
fn prepare(folder: &Path, case: &Case, form: Form) {
    if form.file {
        fs::write(folder.join(output_name(case)), OLD).unwrap();
    }
}

/// The names of all files in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// What the program wrote where its results go.
fn written(case: &Case, form: Form, ended: &Ended, folder: &Path) -> Vec<u8> {
    match form.file {
        true => fs::read(folder.join(output_name(case))).unwrap_or_default(),
        false => ended.stdout.clone(),
    }
}

/// What tells of a run and not of its results: times, and what depends on how many threads memory allows.
const FIGURES: [&str; 5] = ["seconds", "threads", "device", "algorithms", "explanation"];

/// What stands for the results of a run that was done: the same each time. Or what is wrong with them.
fn digest(case: &Case, form: Form, ended: &Ended, folder: &Path) -> Result<u64, String> {
    let written = written(case, form, ended, folder);
    let mut hasher = DefaultHasher::new();
    let is_document = form.json && case.output != Output::Picture;
    if is_document {
        let mut document = document(&written)?;
        for figure in FIGURES {
            document.remove(figure);
        }
        if let Some(details) = document.get_mut("details").and_then(Value::as_object_mut) {
            details.remove("seconds_per_product");
        }
        if document.contains_key("error") {
            return Err("an error in the document".to_owned());
        }
        let results = Value::Object(document).to_string();
        match case.output {
            Output::Varying => {}
            _ => results.hash(&mut hasher),
        }
    } else if written.is_empty() {
        return Err("no results".to_owned());
    } else if case.output != Output::Varying {
        written.hash(&mut hasher);
    }
    Ok(hasher.finish())
}

/// A whole document.
fn document(text: &[u8]) -> Result<serde_json::Map<String, Value>, String> {
    serde_json::from_slice(text).map_err(|error| format!("no JSON: {error}"))
}

/// What is wrong with a run that has ended.
fn judge(
    case: &Case,
    form: Form,
    fault: Fault,
    ended: &Ended,
    usual: &Usual,
    folder: &Path,
) -> Result<(), String> {
    let sent = match fault {
        Fault::Signal(signal, _) => Some(signal),
        _ => None,
    };
    match ended.end {
        End::Code(0..=2) => {}
        End::Signal(signal) if sent == Some(signal) => {}
        End::Code(_) | End::Signal(_) => return Err("an unknown end".to_owned()),
        End::Never => return Err("no end".to_owned()),
    }
    if ended.stderr.contains("panicked") {
        return Err("a panic".to_owned());
    }
    if let End::Code(1 | 2) = ended.end {
        let told = ended.stderr.starts_with("sunzi: ") && ended.stderr.ends_with('\n');
        if !told {
            return Err("no sentence".to_owned());
        }
    }
    let unread = fault == Fault::NoReader && !form.file;
    let done = ended.end == End::Code(0) && !unread;
    if done && case.output == Output::Refused {
        return Err("done, and not refused".to_owned());
    }
    if done && digest(case, form, ended, folder)? != usual.digest {
        return Err("another result".to_owned());
    }
    if form.file && !done {
        let written = fs::read(folder.join(output_name(case)));
        let untouched = written.is_ok_and(|bytes| bytes == OLD);
        // A signal may come when all is done, too.
        let late = sent.is_some() && digest(case, form, ended, folder) == Ok(usual.digest);
        if !untouched && !late {
            return Err("the old file is not as it was".to_owned());
        }
    }
    let found = names(folder);
    if found.iter().any(|name| !usual.names.contains(name))
        || ended.end == End::Code(0) && found != usual.names
    {
        return Err(format!("files that do not belong there: {found:?}"));
    }
    let takes_all = !matches!(
        fault,
        Fault::FileSize(_) | Fault::FullOutput | Fault::ClosedOutput | Fault::NoReader
    );
    if let End::Code(code) = ended.end
        && takes_all
        && form.json
        && !ended.stdout.is_empty()
    {
        let document = document(&ended.stdout)?;
        if (code == 0) == document.contains_key("error") {
            return Err("an error in a document without one, or none in one with one".to_owned());
        }
    }
    if let Fault::MaxMemory(bytes) = fault
        && case.takes_limit()
        && ended.peak > bytes + BESIDE
    {
        return Err(format!("{} MiB of memory", ended.peak >> 20));
    }
    Ok(())
}
