//! Plonky3, by a program of its own, compiled when it is first run: it chooses its instructions when it is compiled, by flags
//! that Sunzi's users don't have. The program stays and is told what to do, line by line, so that its buffers and
//! caches are as warm as everybody's; it times itself.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;

use crate::contender::{Agreement, Contender, Peer};

/// The program, built once.
fn program() -> Result<&'static PathBuf, &'static String> {
    static BUILT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let build = || {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("plonky3");
        // Flags are those of its folder.
        let status = Command::new("cargo")
            .args(["build", "--release", "--quiet", "--locked"])
            .current_dir(&folder)
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_TARGET_DIR")
            .status();
        match status {
            Ok(status) if status.success() => Ok(folder.join("target/release/peers-plonky3")),
            Ok(_) => Err("its program does not compile".to_owned()),
            Err(error) => Err(format!("cargo does not start: {error}")),
        }
    };
    BUILT.get_or_init(build).as_ref()
}

/// The program at work on one input.
struct Plonky3 {
    child: Child,
    commands: ChildStdin,
    answers: BufReader<ChildStdout>,
    output: Vec<u64>,
}

impl Plonky3 {
    /// Sends a line and reads the answer.
    fn ask(&mut self, line: &str) -> String {
        let mut answer = String::new();
        let sent = writeln!(self.commands, "{line}").and_then(|()| self.commands.flush());
        let read = sent.and_then(|()| self.answers.read_line(&mut answer));
        // What worked a moment ago fails: nothing of the case can be believed.
        assert!(matches!(read, Ok(1..)), "Plonky3: its program ended");
        answer
    }
}

impl Contender for Plonky3 {
    fn run(&mut self, times: usize) -> Option<f64> {
        let seconds = self.ask(&format!("run {times}")).trim().parse();
        // Later runs transform what this one gave.
        if self.output.is_empty() {
            let words = self.ask("output");
            let words = words.split_ascii_whitespace();
            self.output = words.filter_map(|word| word.parse().ok()).collect();
        }
        seconds.ok()
    }

    fn output(&self) -> Vec<u64> {
        self.output.clone()
    }
}

impl Drop for Plonky3 {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A transform of vectors that lie one after the other, over a field of that name by that method; `None`, and a line that
/// says why, if there is no program.
pub fn plonky3(
    name: &'static str,
    field: &str,
    input: &[u64],
    columns: usize,
    threads: usize,
    agreement: Agreement,
) -> Option<Peer> {
    let method = name.trim_start_matches("Plonky3 ");
    let clock = if threads > 1 { "wall" } else { "processor" };
    let started = program()
        .cloned()
        .map_err(Clone::clone)
        .and_then(|program| {
            Command::new(program)
                .args([field, method, &columns.to_string(), clock])
                .env("RAYON_NUM_THREADS", threads.to_string())
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .map_err(|error| error.to_string())
        });
    let mut child = match started {
        Ok(child) => child,
        Err(sentence) => {
            super::once(format!("Plonky3: {sentence}"));
            return None;
        }
    };
    let (stdin, stdout) = (child.stdin.take()?, child.stdout.take()?);
    let mut peer = Plonky3 {
        child,
        commands: stdin,
        answers: BufReader::new(stdout),
        output: Vec::new(),
    };
    let words: Vec<String> = input.iter().map(u64::to_string).collect();
    writeln!(peer.commands, "{}", words.join(" ")).ok()?;
    Some(Peer {
        name,
        agreement,
        contender: Box::new(peer),
    })
}
