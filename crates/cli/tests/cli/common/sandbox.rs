//! Runs a program in a folder of its own: the one that the test calls `PROGRAM`.

// Tests of two programs share it, and each uses a part.
#![allow(dead_code)]

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A folder for the files of one test.
pub struct Sandbox {
    folder: TempDir,
}

/// How the program ended.
#[derive(Debug)]
pub struct Outcome {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Sandbox {
    /// A folder with these files.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let sandbox = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        for (name, text) in files {
            sandbox.write(name, text.as_bytes());
        }
        sandbox
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The names of all files in the folder, hidden ones included.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(crate::program());
        command.current_dir(self.folder.path()).args(arguments);
        command
    }

    /// What a command that succeeds tells in JSON.
    pub fn json(&self, arguments: &[&str]) -> serde_json::Value {
        serde_json::from_str(&self.succeed(&[arguments, &["--json"]].concat())).unwrap()
    }

    /// The prime of which the program says that `text` means it.
    pub fn prime(&self, text: &str) -> rug::Integer {
        let told = self.json(&["prime", text]);
        told["result"]["prime"].as_str().unwrap().parse().unwrap()
    }

    /// Runs the program with empty standard input.
    pub fn run(&self, arguments: &[&str]) -> Outcome {
        self.run_with_input(arguments, b"")
    }

    /// Runs the program with this standard input.
    pub fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> Outcome {
        outcome_with_input(&mut self.command(arguments), input)
    }

    /// Runs the program, which must succeed and say nothing on standard error.
    pub fn succeed(&self, arguments: &[&str]) -> String {
        let outcome = self.run(arguments);
        assert_eq!(
            (outcome.code, outcome.stderr.as_str()),
            (Some(0), ""),
            "{arguments:?}"
        );
        outcome.stdout
    }

    /// Runs the program, which must fail with this code, print no result and leave no new file;
    /// returns what it says.
    pub fn fail(&self, code: i32, arguments: &[&str]) -> String {
        let before = self.names();
        let outcome = self.run(arguments);
        assert_eq!(outcome.code, Some(code), "{arguments:?}: {outcome:?}");
        assert_eq!(outcome.stdout, "", "{arguments:?}");
        assert_eq!(self.names(), before, "{arguments:?}");
        outcome.stderr
    }
}

/// Runs a program with this standard input.
pub fn outcome_with_input(command: &mut Command, input: &[u8]) -> Outcome {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // The program may end without reading its input: that is no error of the test.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
