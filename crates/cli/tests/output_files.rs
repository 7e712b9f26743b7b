//! Where results go: complete files, or none.

mod common;

use common::Sandbox;
use std::io::Read;
use std::process::{Command, Stdio};

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
#[cfg(unix)]
fn a_symbolic_link_to_nothing_makes_the_file_that_it_names() {
    let sandbox = Sandbox::with(&[("a", "2\n")]);
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    for (link, names) in [
        ("one", "folder/made"),
        ("two", "three"),
        ("three", "made"),
        ("circle", "circle"),
    ] {
        std::os::unix::fs::symlink(names, sandbox.path(link)).unwrap();
    }
    for (link, made) in [("one", "folder/made"), ("two", "made")] {
        sandbox.succeed(&["int", "mul", "a", "a", "-o", link]);
        assert_eq!(sandbox.read(made), "4\n");
        assert!(sandbox.path(link).symlink_metadata().unwrap().is_symlink());
    }
    let said = sandbox.fail(2, &["int", "mul", "a", "a", "-o", "circle"]);
    assert!(said.contains("too many symbolic links"), "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn an_interruption_leaves_no_file_behind() {
    use std::time::{Duration, Instant};
    // What the program ignores from its start, the signal that ends it, and the exit code.
    let cases = [
        ("", "INT", 130),
        ("", "TERM", 143),
        ("", "HUP", 129),
        ("HUP", "INT", 130),
        ("INT", "TERM", 143),
    ];
    for (ignored, signal, code) in cases {
        let sandbox = Sandbox::with(&[("a", "2\n"), ("out", "old\n")]);
        // Standard input stays open, so the program waits for a line.
        let program = sandbox.command(&["int", "mul", "a", "-", "-o", "out"]);
        let mut child = with_signals(&program, ignored)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // Two lines on one side tell which file repeats, which comes before the output is made.
        std::io::Write::write_all(&mut stdin, b"3\n4\n5\n").unwrap();
        let start = Instant::now();
        while sandbox.names().len() < 3 {
            assert!(start.elapsed() < Duration::from_secs(60));
            std::thread::sleep(Duration::from_millis(5));
        }
        if !ignored.is_empty() {
            kill(ignored, child.id());
            std::thread::sleep(Duration::from_millis(20));
            assert!(child.try_wait().unwrap().is_none(), "{ignored} is ignored");
        }
        kill(signal, child.id());
        assert_eq!(
            child.wait().unwrap().code(),
            Some(code),
            "{ignored} {signal}"
        );
        assert_eq!(sandbox.names(), ["a", "out"], "{ignored} {signal}");
        assert_eq!(sandbox.read("out"), "old\n");
    }
}

/// The same command with the signals that end programs as they are by default, but one ignored.
#[cfg(target_os = "linux")]
fn with_signals(command: &Command, ignored: &str) -> Command {
    let mut outer = Command::new("env");
    outer.arg("--default-signal=INT,TERM,HUP");
    if !ignored.is_empty() {
        outer.arg(format!("--ignore-signal={ignored}"));
    }
    outer.arg(command.get_program()).args(command.get_args());
    outer.current_dir(command.get_current_dir().unwrap());
    outer
}

/// Sends a signal by the shell's own `kill`, as a small system has no program of that name.
#[cfg(target_os = "linux")]
fn kill(signal: &str, process: u32) {
    let killed = Command::new("sh")
        .args(["-c", &format!("kill -{signal} {process}")])
        .status();
    assert!(killed.unwrap().success());
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
