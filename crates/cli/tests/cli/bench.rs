//! `sunzi bench` and `sunzi paper` are another program: how it is found and told. A shell script stands in for it.

use crate::common::{Sandbox, outcome_with_input};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// A folder with the program in it, and no other beside.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with(&[]);
    let here = sandbox.path("sunzi");
    fs::hard_link(crate::program(), &here)
        .or_else(|_| fs::copy(crate::program(), &here).map(drop))
        .unwrap();
    sandbox
}

/// The program in that folder.
fn program(sandbox: &Sandbox, arguments: &[&str]) -> Command {
    let mut command = Command::new(sandbox.path("sunzi"));
    command.args(arguments).env("PATH", sandbox.path("bin"));
    command
}

/// Puts a script in the place of the program that measures.
fn stand_in(sandbox: &Sandbox, file: &str) {
    let script = b"#!/bin/sh\necho \"$@\"\nexit 7\n";
    sandbox.write(file, script);
    fs::set_permissions(sandbox.path(file), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn the_program_that_measures_is_told_all() {
    let beside = sandbox();
    stand_in(&beside, "sunzi-bench");
    let on_the_path = sandbox();
    fs::create_dir(on_the_path.path("bin")).unwrap();
    stand_in(&on_the_path, "bin/sunzi-bench");
    for sandbox in [beside, on_the_path] {
        for (arguments, told) in [
            (&["bench"][..], "\n"),
            (&["bench", "--help"], "--help\n"),
            (&["bench", "--version"], "--version\n"),
            (&["bench", "gpu", "--help"], "gpu --help\n"),
            (
                &["bench", "gfp", "--csv", "a b", "-o", "x"],
                "gfp --csv a b -o x\n",
            ),
            (
                &["--json", "--threads", "2", "bench", "-o", "x", "gfp"],
                "--output x --json --threads 2 gfp\n",
            ),
            (&["paper"], "paper\n"),
            (&["paper", "--help"], "paper --help\n"),
            (
                &["paper", "--json", "2021-table-3.4", "--quick"],
                "--json paper 2021-table-3.4 --quick\n",
            ),
        ] {
            let outcome = outcome_with_input(&mut program(&sandbox, arguments), b"");
            assert_eq!(
                (
                    outcome.code,
                    outcome.stdout.as_str(),
                    outcome.stderr.as_str()
                ),
                (Some(7), told, ""),
                "{arguments:?}"
            );
        }
    }
}

#[test]
fn where_it_is_not_the_sentence_says_how_to_get_it() {
    let sandbox = sandbox();
    let outcome = outcome_with_input(&mut program(&sandbox, &["bench", "gpu"]), b"");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(1), ""));
    for part in [
        "sunzi: the program sunzi-bench",
        "cargo build --release -p sunzi-bench",
    ] {
        assert!(outcome.stderr.contains(part), "{}", outcome.stderr);
    }
}
