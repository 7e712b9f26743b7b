//! Every command of the program, as a table of cases tells: `cases.txt`.

mod case;

use crate::common::{Outcome, Sandbox, examples, outcome_with_input};
use crate::devices::has_device;
use crate::layer::layer;
use case::{Case, Run, Step};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use sunzi_testkit::{CudaStandIn, nvrtc, required_or_skipped};

const TABLE: &str = include_str!("cases.txt");

#[test]
fn every_case_of_the_table_comes_out() {
    let (cases, next) = (case::read(TABLE), AtomicUsize::new(0));
    // The last test to end would keep one processor alone.
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Relaxed)) {
                    if let Some(scene) = Scene::new(case) {
                        scene.play(case);
                    }
                }
            });
        }
    });
}

#[test]
fn every_command_stands_in_the_table() {
    let mut called: Vec<String> = Vec::new();
    for case in case::read(TABLE) {
        for step in case.steps {
            match step {
                Step::Run(run) if run.code == 0 => called.push(run.words.join(" ") + " "),
                _ => {}
            }
        }
    }
    // There is a page for each command that the parser of arguments knows.
    let sandbox = Sandbox::with(&[]);
    sandbox.succeed(&["man", "pages"]);
    for page in fs::read_dir(sandbox.path("pages")).unwrap() {
        let page = page.unwrap().file_name().into_string().unwrap();
        let name = page.trim_end_matches(".1").replace('-', " ") + " ";
        let command = name.strip_prefix("sunzi ").unwrap();
        // They are another program, which has tests of its own.
        if matches!(command, "bench " | "paper ") {
            continue;
        }
        let stands = called.iter().any(|call| call.starts_with(command));
        assert!(stands, "no case of cases.txt runs `sunzi {command}`");
    }
}

/// A case in its folder.
struct Scene<'a> {
    title: &'a str,
    sandbox: Sandbox,
    variables: BTreeMap<String, String>,
}

impl<'a> Scene<'a> {
    /// `None` after a word on why what the case needs is not there.
    fn new(case: &'a Case) -> Option<Self> {
        let mut scene = Self {
            title: &case.title,
            sandbox: Sandbox::with(&[]),
            variables: BTreeMap::new(),
        };
        match &*case.need {
            "" => {}
            "opencl" => has_device(&scene.sandbox).then_some(())?,
            "layer" => {
                let has_layers = cfg!(target_os = "linux") && has_device(&scene.sandbox);
                has_layers.then_some(())?;
                let layer = layer().to_str().unwrap().to_owned();
                scene.variables.insert("SUNZI_LAYER".to_owned(), layer);
            }
            "cuda" => scene.lend_stand_in(None)?,
            "ptx" => scene.lend_stand_in(Some(nvrtc()?))?,
            need => panic!("{}: what is {need}?", case.title),
        }
        Some(scene)
    }

    /// The stand-in for NVIDIA's driver, and the compiler: its own, or this one, whose PTX it then runs.
    fn lend_stand_in(&mut self, compiler: Option<PathBuf>) -> Option<()> {
        let stand_in = required_or_skipped(CudaStandIn::build())?;
        let text = |path: &Path| path.to_str().unwrap().to_owned();
        let compiler_path = compiler.clone().unwrap_or_else(|| stand_in.compiler());
        let mut set = |name: &str, value: String| self.variables.insert(name.to_owned(), value);
        set("LD_LIBRARY_PATH", text(stand_in.folder()));
        set("SUNZI_NVRTC", text(&compiler_path));
        set("SUNZI_LOOK_FOR_GPU", "1".to_owned());
        set("SUNZI_STAND_IN_LOG", text(&self.sandbox.path(VIOLATIONS)));
        set("SUNZI_GPU_CACHE", text(&self.sandbox.path("kernels")));
        if compiler.is_some() {
            set("SUNZI_STAND_IN_PTX", "in-turn".to_owned());
            set(
                "SUNZI_STAND_IN_COUNTS",
                text(&self.sandbox.path("counts.csv")),
            );
        }
        Some(())
    }

    fn play(mut self, case: &Case) {
        for step in &case.steps {
            let title = self.title;
            match step {
                Step::Variable(name, value) => {
                    let value = self.resolve(value);
                    self.variables.insert(name.clone(), value);
                }
                Step::Write(file, text) => {
                    let before = fs::read_to_string(self.path(file)).unwrap_or_default();
                    self.sandbox.write(file, (before + text).as_bytes());
                }
                Step::Run(run) => self.run(run),
                Step::Same(one, other) => {
                    assert!(
                        self.lines(one) == self.lines(other),
                        "{title}: {one} differs from {other}"
                    );
                }
                Step::Begins(whole, beginning) => {
                    let begins = self.lines(whole).starts_with(&self.lines(beginning));
                    assert!(
                        begins,
                        "{title}: {whole} does not begin as {beginning} does"
                    );
                }
                Step::Holds(place, text) => {
                    assert!(
                        holds(&self.path(place), text),
                        "{title}: no `{text}` in {place}"
                    );
                }
                Step::None(file) => assert!(!self.path(file).exists(), "{title}: {file} is there"),
            }
        }
        let violations = fs::read_to_string(self.sandbox.path(VIOLATIONS)).unwrap_or_default();
        assert_eq!(
            violations, "",
            "{}: against the rules of the driver",
            self.title
        );
    }

    /// Runs the program, which must do what the case tells.
    fn run(&self, run: &Run) {
        let mut command = Command::new(crate::program());
        command
            .current_dir(self.sandbox.path(""))
            .envs(&self.variables);
        for word in &run.words {
            command.arg(self.word(word));
        }
        let input = run
            .input
            .as_ref()
            .map(|file| fs::read(self.path(file)).unwrap());
        let outcome = outcome_with_input(&mut command, &input.unwrap_or_default());
        let call = format!("{}: sunzi {}", self.title, run.words.join(" "));
        let Outcome {
            code,
            stdout,
            stderr,
        } = outcome;
        assert_eq!(code, Some(run.code), "{call}: {stderr}");
        let is_silent = run.silent && stderr.is_empty();
        assert!(
            is_silent || run.said.is_empty() == stderr.is_empty(),
            "{call}: {stderr}"
        );
        for part in run.said.iter().filter(|_| !is_silent) {
            assert!(stderr.contains(part), "{call}: no `{part}` in {stderr}");
        }
        for part in &run.parts {
            assert!(stdout.contains(part), "{call}: no `{part}` in {stdout}");
        }
        if !run.lines.is_empty() {
            assert_eq!(stdout.lines().collect::<Vec<_>>(), run.lines, "{call}");
        }
        for reader in &run.readers {
            let mut command = Command::new(&reader[0]);
            command.args(reader[1..].iter().map(|word| self.resolve(word)));
            let read = outcome_with_input(&mut command, stdout.as_bytes());
            assert_eq!(read.code, Some(0), "{call} | {reader:?}: {}", read.stderr);
        }
        if let Some(file) = &run.output {
            self.sandbox.write(file, stdout.as_bytes());
        }
    }

    /// A word of a command line: the repository's examples are where they are.
    fn word(&self, word: &str) -> String {
        match word.starts_with("examples/") {
            true => self.path(word).to_str().unwrap().to_owned(),
            false => self.resolve(word),
        }
    }

    fn resolve(&self, word: &str) -> String {
        word.replace("{folder}", self.sandbox.path(".").to_str().unwrap())
            .replace("{sunzi}", crate::program())
    }

    fn path(&self, file: &str) -> PathBuf {
        match file.strip_prefix("examples/") {
            Some(file) => examples().join(file),
            None => self.sandbox.path(file),
        }
    }

    /// The lines of a file that are no comments.
    fn lines(&self, file: &str) -> Vec<String> {
        let text = fs::read_to_string(self.path(file)).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.map(str::to_owned).collect()
    }
}

/// Where the stand-in tells what goes against the rules of NVIDIA's driver.
const VIOLATIONS: &str = "violations";

/// Whether a file, or some file of a folder, holds a text.
fn holds(place: &Path, text: &str) -> bool {
    if place.is_dir() {
        let mut files = fs::read_dir(place).unwrap();
        return files.any(|file| holds(&file.unwrap().path(), text));
    }
    let bytes = fs::read(place).unwrap();
    bytes
        .windows(text.len())
        .any(|window| window == text.as_bytes())
}
