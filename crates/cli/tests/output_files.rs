//! Where results go: complete files, or none.

mod common;

use common::Sandbox;
use std::io::Read;
use std::process::Stdio;

#[test]
fn the_output_file_holds_the_result_and_nothing_is_printed() {
    let sandbox = Sandbox::with(&[("a", "2\n3\n")]);
    assert_eq!(sandbox.succeed(&["int", "mul", "a", "a", "-o", "out"]), "");
    assert_eq!(sandbox.read("out"), "4\n9\n");
    assert_eq!(sandbox.names(), ["a", "out"]);
    assert_eq!(
        sandbox.succeed(&["int", "mul", "a", "a", "--output", "-"]),
        "4\n9\n"
    );
    assert_eq!(sandbox.succeed(&["prime", "97", "-o", "prime"]), "");
    assert!(sandbox.read("prime").contains("97"));
}

#[test]
fn an_input_file_may_be_the_output_file() {
    let sandbox = Sandbox::with(&[("a", "2\n3\n")]);
    sandbox.succeed(&["int", "mul", "a", "a", "-o", "a"]);
    assert_eq!(sandbox.read("a"), "4\n9\n");
}

#[test]
fn an_error_keeps_the_old_file() {
    // The error lies in the last line, long after the first results.
    let mut lines = "7\n".repeat(50_000);
    lines.push_str("x\n");
    let sandbox = Sandbox::with(&[("a", &lines), ("out", "old\n")]);
    sandbox.fail(2, &["int", "mul", "a", "a", "-o", "out"]);
    assert_eq!(sandbox.read("out"), "old\n");
}

#[test]
fn places_that_cannot_hold_a_file_are_refused() {
    let sandbox = Sandbox::with(&[("a", "2\n")]);
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    let said = sandbox.fail(2, &["int", "mul", "a", "a", "-o", "folder"]);
    assert_eq!(
        said,
        "sunzi: folder: the output file cannot be made: this is a folder\n"
    );
    let said = sandbox.fail(2, &["int", "mul", "a", "a", "-o", "absent/out"]);
    assert!(
        said.starts_with("sunzi: absent/out: the output file cannot be made: "),
        "{said}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    let sandbox = Sandbox::with(&[("a", "2\n")]);
    let said = sandbox.fail(1, &["int", "mul", "a", "a", "-o", "/dev/full"]);
    assert!(
        said.starts_with("sunzi: /dev/full: the result cannot be written: "),
        "{said}"
    );
    sandbox.succeed(&["int", "mul", "a", "a", "-o", "/dev/null"]);
    assert!(
        std::path::Path::new("/dev/null")
            .metadata()
            .is_ok_and(|device| !device.is_file())
    );
}

#[test]
#[cfg(unix)]
fn a_symbolic_link_stays_and_its_file_is_replaced() {
    let sandbox = Sandbox::with(&[("a", "2\n"), ("real", "old\n")]);
    std::os::unix::fs::symlink("real", sandbox.path("link")).unwrap();
    sandbox.succeed(&["int", "mul", "a", "a", "-o", "link"]);
    assert_eq!(sandbox.read("real"), "4\n");
    assert!(
        sandbox
            .path("link")
            .symlink_metadata()
            .unwrap()
            .is_symlink()
    );
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    let sandbox = Sandbox::with(&[("a", &"123456789\n".repeat(200_000))]);
    let mut child = sandbox
        .command(&["int", "mul", "a", "a"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut start = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut start).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), output.stderr.as_slice()),
        (Some(0), &b""[..])
    );
}

#[test]
fn nothing_is_shown_on_standard_error_unless_it_is_a_terminal() {
    let a = common::digits(3_000_000, 1);
    let sandbox = Sandbox::with(&[("a", &a)]);
    sandbox.succeed(&["int", "mul", "a", "a", "-o", "out"]);
}
