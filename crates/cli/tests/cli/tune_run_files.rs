//! Files of `sunzi tune run`, and the end of its program, which launches nothing here.

use crate::common::{Outcome, Sandbox, outcome_with_input};
use crate::layer::layer;
use std::process::Command;

fn command(sandbox: &Sandbox, options: &[&str], program: &[&str]) -> Command {
    let mut command = sandbox.command(&[&["tune", "run"], options, &["--"], program].concat());
    command
        .env("SUNZI_LAYER", layer())
        .env("SUNZI_TUNING", sandbox.path("tuning.json"));
    command
}

fn run(sandbox: &Sandbox, options: &[&str], program: &[&str]) -> Outcome {
    outcome_with_input(&mut command(sandbox, options, program), b"")
}

#[test]
#[cfg(target_os = "linux")]
fn files_are_kept_where_nothing_is_run() {
    let description = "version = 1\n";
    let sandbox = Sandbox::with(&[("old.jsonl", "old\n"), ("p.toml", description)]);
    let outcome = run(&sandbox, &["--record", "old.jsonl"], &["/nonexistent"]);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(
        outcome.stderr.contains("/nonexistent cannot be run"),
        "{outcome:?}"
    );
    assert_eq!(sandbox.read("old.jsonl"), "old\n");
    // A name for two files, and one that is read.
    for options in [
        &["--describe", "p.toml", "--record", "p.toml"][..],
        &["--describe", "p.toml", "--record", "./p.toml"],
        &["--record", "x", "-o", "x"],
    ] {
        let outcome = run(&sandbox, options, &["true"]);
        assert_eq!(outcome.code, Some(2), "{outcome:?}");
    }
    assert_eq!(sandbox.read("p.toml"), description);
    assert!(!sandbox.path("x").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn the_programs_code_and_its_report_are_there() {
    let sandbox = Sandbox::with(&[]);
    let options = ["--record", "r.jsonl", "-o", "r.txt"];
    let outcome = run(&sandbox, &options, &["sh", "-c", "echo out; exit 7"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(7), "out\n"));
    assert!(sandbox.read("r.txt").starts_with("sh ended with code 7\n"));
    assert_eq!(sandbox.read("r.jsonl"), "");
}

#[test]
#[cfg(target_os = "linux")]
fn what_ends_the_run_ends_the_program() {
    let sandbox = Sandbox::with(&[]);
    let program = ["sh", "-c", "echo $$ >new; mv new pid; exec sleep 600"];
    let mut running = command(&sandbox, &["-o", "r.txt"], &program)
        .spawn()
        .unwrap();
    while !sandbox.path("pid").exists() {
        assert!(running.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let id = running.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &id])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(running.wait().unwrap().code(), Some(143));
    assert!(
        sandbox
            .read("r.txt")
            .starts_with("sh ended with code 143\n")
    );
    let left = format!("/proc/{}", sandbox.read("pid").trim());
    assert!(!std::path::Path::new(&left).exists());
}
