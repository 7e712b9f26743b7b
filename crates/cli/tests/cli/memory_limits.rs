//! Work within limits of memory: what is done all the same, what is refused, and in which words.

use crate::common::{Outcome, Sandbox};
use std::process::Command;
use sunzi_testkit::Random;

/// Runs the program under `ulimit`.
fn run_under(sandbox: &Sandbox, limit: &str, arguments: &str) -> Outcome {
    let program = sandbox.command(&[]);
    let script = format!(
        "ulimit {limit}; exec {} {arguments}",
        program.get_program().display()
    );
    let mut shell = Command::new("sh");
    shell.current_dir(sandbox.path("")).args(["-c", &script]);
    let output = shell.output().unwrap();
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn refused(sandbox: &Sandbox, limit: &str, arguments: &str, said: &str) {
    let outcome = run_under(sandbox, limit, arguments);
    assert_eq!(outcome.code, Some(1), "{arguments}: {outcome:?}");
    assert_eq!(outcome.stdout, "", "{arguments}");
    assert!(
        outcome.stderr.starts_with(said) && outcome.stderr.lines().count() == 1,
        "{arguments}: {}",
        outcome.stderr
    );
}

#[test]
fn expressions_are_not_expanded_beyond_the_memory() {
    let sandbox = Sandbox::with(&[("e", "x^16000000\n"), ("x", "x\n")]);
    refused(
        &sandbox,
        "-v 1000000",
        "poly mul e x --mod P128",
        "sunzi: e, line 1: this needs about 30.5 GiB of memory",
    );
    assert_eq!(sandbox.names(), ["e", "x"]);
}

#[test]
fn headers_do_not_take_memory_that_is_not_there() {
    let header = "%%MatrixMarket matrix coordinate real general\n1200000000 1 1\n1 1 1\n";
    let array = "%%MatrixMarket matrix array integer general\n60000 60000\n";
    let sandbox = Sandbox::with(&[("m", header), ("array", array)]);
    refused(
        &sandbox,
        "-v 8000000",
        "sparse info m -o out",
        "sunzi: m, line 4: this needs about",
    );
    refused(
        &sandbox,
        "-v 8000000",
        "det array --max-memory 100M",
        "sunzi: array: the determinant needs at least about",
    );
    assert_eq!(sandbox.names(), ["array", "m"]);
}

#[test]
fn rows_that_do_not_fit_together_are_computed_apart() {
    let lines: String = (0..20_000)
        .map(|i| Random::new(i as u64).decimal(1 + i % 60) + "\n")
        .collect();
    let sandbox = Sandbox::with(&[("many", &lines), ("one", &Random::new(3).decimal(500))]);
    let expected = sandbox.succeed(&["int", "mul", "many", "one"]);
    for (limit, more) in [
        ("-v 100000", ""),
        ("-v unlimited", " --max-memory 40M"),
        // Stacks of threads leave room for what is computed.
        ("-v 200000", " --threads 64"),
        ("-d 80000", ""),
    ] {
        let outcome = run_under(&sandbox, limit, &format!("int mul many one{more}"));
        let said = &outcome.stderr[..];
        assert_eq!(outcome.code, Some(0), "{limit}{more}: {said}");
        assert_eq!(
            said.starts_with("sunzi: note: threads: "),
            more.contains("64"),
            "{said}"
        );
        assert!(outcome.stdout == expected, "{limit}{more}");
    }
}

#[test]
fn a_file_without_line_ends_is_known_to_be_binary_before_it_fills_the_memory() {
    let sandbox = Sandbox::with(&[("a", "12\n")]);
    for arguments in ["int mul /dev/zero a", "det /dev/zero", "sort /dev/zero"] {
        let outcome = run_under(&sandbox, "-v 300000", arguments);
        assert_eq!(outcome.code, Some(2), "{arguments}: {outcome:?}");
        assert!(
            outcome.stderr.contains("a NUL byte"),
            "{arguments}: {}",
            outcome.stderr
        );
    }
}

/// The dynamic loader tells which libraries it opens.
#[test]
#[cfg(target_env = "gnu")]
fn drivers_are_not_loaded_for_work_of_the_processor() {
    let sandbox = Sandbox::with(&[("a", "12\n")]);
    for arguments in [
        "int mul a a",
        "poly mul a a",
        "poly mul a a --mod P8 --device cpu",
        "sort a",
    ] {
        let mut command = sandbox.command(&arguments.split(' ').collect::<Vec<_>>());
        let output = command.env("LD_DEBUG", "files").output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments}");
        let opened = String::from_utf8_lossy(&output.stderr);
        assert!(
            opened.contains("libc.so"),
            "{arguments}: the loader says nothing"
        );
        for library in ["libOpenCL", "libcuda", "libnvrtc"] {
            assert!(!opened.contains(library), "{arguments} opens {library}");
        }
    }
}
