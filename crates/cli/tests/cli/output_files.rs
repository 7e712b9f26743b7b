//! Where results go: complete files, or none.

use crate::common::Sandbox;
use std::io::Read;
use std::process::{Command, Stdio};
use sunzi_testkit::Random;

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
fn names_that_can_never_be_made_are_refused_before_the_work() {
    let sandbox = Sandbox::with(&[("a", "2\n")]);
    let too_long = "n".repeat(256);
    let mut names = vec![&*too_long, "newdir/", "newdir/.", "a/"];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("newdir/", sandbox.path("link")).unwrap();
        names.push("link");
    }
    for name in names {
        let said = sandbox.fail(2, &["int", "mul", "a", "a", "-o", name]);
        let expected = format!("sunzi: {name}: the output file cannot be made: ");
        assert!(said.starts_with(&expected), "{said}");
    }
}

#[test]
fn outputs_are_made_before_the_work() {
    let sandbox = Sandbox::with(&[]);
    // The work would fail in its turn.
    for work in [
        "sparse cache missing",
        "sparse info missing",
        "prime 91",
        "prime search --digits 8 --bits 4 --terms 1",
    ] {
        let mut arguments: Vec<_> = work.split(' ').collect();
        arguments.extend(["-o", "absent/out"]);
        let said = sandbox.fail(2, &arguments);
        assert!(
            said.starts_with("sunzi: absent/out: the output file cannot be made: "),
            "{work}: {said}"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    let sandbox = Sandbox::with(&[("a", "2\n")]);
    assert_eq!(
        sandbox.fail(1, &["int", "mul", "a", "a", "-o", "/dev/full"]),
        "sunzi: /dev/full: the result cannot be written: no space left on device\n"
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
    assert!(said.contains("symbolic links"), "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_signal_ends_the_program_by_itself_and_keeps_the_old_file() {
    use std::os::unix::process::ExitStatusExt;
    use std::time::Duration;
    // What the program ignores from its start, the signal that ends it, and its number.
    let cases = [
        ("", "INT", 2),
        ("", "TERM", 15),
        ("", "HUP", 1),
        ("HUP", "INT", 2),
        ("INT", "TERM", 15),
        ("", "QUIT", 3),
        ("", "USR1", 10),
        ("", "ALRM", 14),
        ("", "XCPU", 24),
        ("", "KILL", 9),
    ];
    for (ignored, signal, number) in cases {
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
        wait_for_the_output(&sandbox, child.id());
        if !ignored.is_empty() {
            kill(ignored, child.id());
            std::thread::sleep(Duration::from_millis(20));
            assert!(child.try_wait().unwrap().is_none(), "{ignored} is ignored");
        }
        kill(signal, child.id());
        let status = child.wait().unwrap();
        assert_eq!(
            status.signal(),
            Some(number),
            "{ignored} {signal}: {status}"
        );
        assert_eq!(sandbox.names(), ["a", "out"], "{ignored} {signal}");
        assert_eq!(sandbox.read("out"), "old\n");
    }
}

/// Waits until a process has made its output in the folder, with a name or without one.
#[cfg(target_os = "linux")]
fn wait_for_the_output(sandbox: &Sandbox, process: u32) {
    use std::time::{Duration, Instant};
    let folder = sandbox.path("").canonicalize().unwrap();
    let start = Instant::now();
    loop {
        let open = std::fs::read_dir(format!("/proc/{process}/fd"));
        let open = open.into_iter().flatten().flatten();
        let mut files = open.filter_map(|file| std::fs::read_link(file.path()).ok());
        let made = |file: std::path::PathBuf| {
            file.starts_with(&folder) && file.file_name().is_some_and(|name| name != "a")
        };
        if files.any(made) {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_is_too_long_for_its_limit_is_told() {
    let sandbox = Sandbox::with(&[("a", &"123456789\n".repeat(100_000)), ("out", "old\n")]);
    let program = crate::program();
    let said = shell(
        &sandbox,
        1,
        &format!("ulimit -f 8; {program} int mul a a -o out"),
    );
    assert_eq!(
        said,
        "sunzi: out: the result cannot be written: file too large\n"
    );
    assert_eq!(sandbox.names(), ["a", "out"]);
    assert_eq!(sandbox.read("out"), "old\n");
}

/// Runs a line of the shell, which must end with this code; what it says on standard error.
#[cfg(target_os = "linux")]
fn shell(sandbox: &Sandbox, code: i32, line: &str) -> String {
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(sandbox.path(""));
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{line}: {said}");
    said
}

#[test]
#[cfg(target_os = "linux")]
fn a_closed_standard_output_loses_nothing_in_silence() {
    let sandbox = Sandbox::with(&[("a", "2\n")]);
    let program = crate::program();
    for arguments in [
        "int mul a a",
        "prime 97 --json",
        "--help",
        "--version",
        "info",
        // Before the matrix, which is missing.
        "sparse show missing --json -o m.png",
    ] {
        let said = shell(&sandbox, 1, &format!("{program} {arguments} >&-"));
        assert_eq!(
            said, "sunzi: standard output: the result cannot be written: it is closed\n",
            "{arguments}"
        );
    }
    // Where nothing goes there nothing is lost.
    shell(&sandbox, 0, &format!("{program} int mul a a -o out >&-"));
    assert_eq!(sandbox.read("out"), "4\n");
    // What the language puts in its place may also be there by right.
    shell(&sandbox, 0, &format!("{program} int mul a a 1<>/dev/null"));
    shell(
        &sandbox,
        0,
        &format!("{program} int mul a a <&- >/dev/null"),
    );
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_is_told() {
    let sandbox = Sandbox::with(&[]);
    let program = crate::program();
    for arguments in ["--help", "--version", "int mul --help", "info"] {
        let said = shell(&sandbox, 1, &format!("{program} {arguments} >/dev/full"));
        assert_eq!(
            said, "sunzi: standard output: the result cannot be written: no space left on device\n",
            "{arguments}"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_standard_error_that_takes_nothing_changes_no_exit_code() {
    let sandbox = Sandbox::with(&[("a", "2\nx\n")]);
    let program = crate::program();
    for closed in ["2>/dev/full", "2>&-"] {
        shell(&sandbox, 2, &format!("{program} int mul a a {closed}"));
        shell(&sandbox, 2, &format!("{program} int {closed}"));
    }
}

#[test]
#[cfg(unix)]
fn two_outputs_onto_one_file_are_refused() {
    let matrix = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 3\n";
    let sandbox = Sandbox::with(&[("m", matrix), ("old", "old\n")]);
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    for (link, names) in [("link", "old"), ("new", "folder/new"), ("way", "folder")] {
        std::os::unix::fs::symlink(names, sandbox.path(link)).unwrap();
    }
    let collisions = [
        ("x", "x", "x", "-o and --rows"),
        ("x", "y", "./x", "-o and --columns"),
        ("x", "folder/../y", "y", "--rows and --columns"),
        ("old", "link", "y", "-o and --rows"),
        ("new", "way/new", "y", "-o and --rows"),
    ];
    for (matrix, rows, columns, options) in collisions {
        let arguments = ["-o", matrix, "--rows", rows, "--columns", columns];
        let all = [
            &["sparse", "reorder", "m", "--method", "gray"],
            &arguments[..],
        ]
        .concat();
        let said = sandbox.fail(2, &all);
        assert!(
            said.contains(&format!("{options} name the same file")),
            "{said}"
        );
    }
    let all = [
        "sparse",
        "reorder",
        "m",
        "--method",
        "gray",
        "-o",
        "x",
        "--rows",
        "y",
        "--columns",
        "folder/x",
    ];
    sandbox.succeed(&all);
    assert_eq!(sandbox.read("y").lines().count(), 2);
    assert_eq!(sandbox.read("folder/x").lines().count(), 2);
    // A device takes everything.
    let null = ["-o", "/dev/null", "--rows", "/dev/null"];
    sandbox.succeed(&[&["sparse", "reorder", "m", "--method", "gray"], &null[..]].concat());
    assert_eq!(sandbox.read("old"), "old\n");
}

#[test]
#[cfg(target_os = "linux")]
fn an_output_onto_standard_output_is_refused() {
    let matrix = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 3\n";
    let sandbox = Sandbox::with(&[("m", matrix)]);
    std::os::unix::fs::symlink("/dev/stdout", sandbox.path("link.png")).unwrap();
    let program = crate::program();
    for (arguments, file, sentence) in [
        (
            "sparse reorder m --rows out --columns out",
            "out",
            "out: standard output and --rows name the same file",
        ),
        (
            "sparse reorder m --rows x --columns out",
            "out",
            "out: standard output and --columns name the same file",
        ),
        (
            "sparse reorder m -o out --rows /dev/stdout",
            "out",
            "/dev/stdout: -o and --rows name the same file",
        ),
        (
            "sparse show m --json -o out.png",
            "out.png",
            "out.png: standard output and -o name the same file",
        ),
    ] {
        let said = shell(&sandbox, 2, &format!("{program} {arguments} >{file}"));
        assert!(said.contains(sentence), "{arguments}: {said}");
        assert_eq!(sandbox.read(file), "", "{arguments}");
    }
    // A pipe is one stream, too.
    for arguments in [
        ["reorder", "m", "--rows", "/dev/stdout"].as_slice(),
        &["show", "m", "--json", "-o", "link.png"],
    ] {
        let said = sandbox.fail(2, &[&["sparse"], arguments].concat());
        assert!(said.contains("name the same file"), "{said}");
    }
    // One output alone may go there, and the null device takes all.
    for line in [
        "sparse show m -o out.png >out.png",
        "sparse reorder m -o out >out",
        "sparse reorder m --rows /dev/null --columns /dev/null >/dev/null",
    ] {
        shell(&sandbox, 0, &format!("{program} {line}"));
    }
    assert_eq!(sandbox.read("out").lines().count(), 4 + 1);
}

#[test]
#[cfg(target_os = "linux")]
fn a_program_does_not_read_what_it_writes() {
    let numbers = "12345\n".repeat(100);
    let sandbox = Sandbox::with(&[("a", "2\n"), ("q", &numbers)]);
    let program = crate::program();
    for (arguments, name) in [
        ("int mul q a >>q", "q"),
        ("int mul a q 1<>q", "q"),
        ("int mul q a -o q >>q", "q"),
        ("int mul - a <q >>q", "standard input"),
        ("sort q >>q", "q"),
    ] {
        // Blocks of 512 bytes: who goes on for ever is stopped.
        let said = shell(&sandbox, 2, &format!("ulimit -f 99; {program} {arguments}"));
        let expected = format!("sunzi: {name} is also standard output: use -o");
        assert!(said.starts_with(&expected), "{arguments}: {said}");
        assert_eq!(sandbox.read("q"), numbers, "{arguments}");
    }
    // To replace an input is another matter.
    shell(&sandbox, 0, &format!("{program} sort q --unique -o q"));
    assert_eq!(sandbox.read("q"), "12345\n");
}

#[test]
fn a_file_may_have_the_longest_name() {
    let sandbox = Sandbox::with(&[("a", "2\n")]);
    let name = "n".repeat(255);
    for _ in 0..2 {
        sandbox.succeed(&["int", "mul", "a", "a", "-o", &name]);
        assert_eq!(sandbox.read(&name), "4\n");
    }
    assert_eq!(sandbox.names(), ["a", &name]);
}

#[test]
#[cfg(target_os = "linux")]
fn links_of_the_system_to_streams_are_written_directly() {
    let sandbox = Sandbox::with(&[("a", "2\n")]);
    assert_eq!(
        sandbox.succeed(&["int", "mul", "a", "a", "-o", "/dev/stdout"]),
        "4\n"
    );
    let program = crate::program();
    shell(
        &sandbox,
        0,
        &format!("echo first >log; {program} int mul a a -o /dev/stdout >>log"),
    );
    assert_eq!(sandbox.read("log"), "first\n4\n");
}

#[test]
#[cfg(unix)]
fn a_new_file_has_the_permissions_of_any_other_and_an_old_one_keeps_its_own() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::with(&[("a", "2\n"), ("out", "old\n")]);
    let mode = |name: &str| sandbox.path(name).metadata().unwrap().permissions().mode() & 0o777;
    sandbox.succeed(&["int", "mul", "a", "a", "-o", "new"]);
    assert_eq!(mode("new"), mode("a"));
    std::fs::set_permissions(sandbox.path("out"), PermissionsExt::from_mode(0o640)).unwrap();
    sandbox.succeed(&["int", "mul", "a", "a", "-o", "out"]);
    assert_eq!((mode("out"), sandbox.read("out")), (0o640, "4\n".into()));
}

/// A number whose square takes some more digits.
const SEVEN: &str = "70000000";

/// In the lines that are dealt with together, more results than are collected before they are written; an error in the
/// last line of all, among the next ones.
fn late_error() -> Sandbox {
    let mut lines = format!("{SEVEN}\n").repeat(20_000);
    lines.push_str("x\"\n");
    Sandbox::with(&[("a", &lines)])
}

/// Looks whether a document is whole and holds what was said on standard error.
fn check_closed(document: &str, said: &str) {
    let document: serde_json::Value = serde_json::from_str(document).unwrap();
    let error = document["error"].as_str().unwrap();
    assert_eq!(said, format!("sunzi: {error}\n"));
    assert!(error.contains("line 20001"), "{error}");
    let results = document["results"].as_array().unwrap();
    let square = format!("49{}", SEVEN[1..].repeat(2));
    assert!(results.len() > 1000 && results.iter().all(|result| *result == *square));
}

#[test]
fn a_document_that_an_error_ends_is_closed_and_holds_the_error() {
    let sandbox = late_error();
    let outcome = sandbox.run(&["int", "mul", "a", "a", "--json"]);
    assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
    check_closed(&outcome.stdout, &outcome.stderr);
}

#[test]
#[cfg(target_os = "linux")]
fn so_is_one_on_any_other_stream() {
    let sandbox = late_error();
    let program = crate::program();
    let run = format!("{program} int mul a a --json");
    let outcome = sandbox.run(&["int", "mul", "a", "a", "--json", "-o", "/dev/stdout"]);
    assert_eq!(outcome.code, Some(2), "{}", outcome.stderr);
    check_closed(&outcome.stdout, &outcome.stderr);
    for line in [
        format!("mkfifo fifo; cat fifo >got & {run} -o fifo; code=$?; wait; exit $code"),
        // Standard output is elsewhere.
        format!(
            "{{ {run} -o /dev/fd/3 3>&1 >/dev/null; echo $? >code; }} | cat >got; exit $(cat code)"
        ),
    ] {
        let said = shell(&sandbox, 2, &line);
        check_closed(&sandbox.read("got"), &said);
    }
}

/// The same command with the signals that end programs as they are by default, but one ignored.
#[cfg(target_os = "linux")]
fn with_signals(command: &Command, ignored: &str) -> Command {
    let mut outer = Command::new("env");
    outer.arg("--default-signal=INT,TERM,HUP,QUIT,USR1,ALRM,XCPU");
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
    let sandbox = Sandbox::with(&[("a", &"123456789\n".repeat(50_000))]);
    let mut ways: Vec<&[&str]> = vec![&[], &["--json"]];
    if cfg!(target_os = "linux") {
        ways.extend([&["-o", "/dev/stdout"][..], &["--json", "-o", "/dev/stdout"]]);
    }
    for way in ways {
        let mut child = sandbox
            .command(&[&["int", "mul", "a", "a"], way].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut start = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut start).unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*said), (Some(0), ""), "{way:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn so_does_the_reader_of_a_named_pipe() {
    let sandbox = Sandbox::with(&[("a", &"123456789\n".repeat(50_000))]);
    let program = crate::program();
    let line = format!("mkfifo fifo; true <fifo & {program} int mul a a -o fifo");
    assert_eq!(shell(&sandbox, 0, &line), "");
}

#[test]
#[cfg(target_os = "linux")]
fn a_reader_that_goes_away_keeps_no_file_from_its_place() {
    let sandbox = Sandbox::with(&[]);
    sandbox.succeed(&["sparse", "generate", "grid2d:150,150", "-o", "m"]);
    let program = crate::program();
    for (arguments, file) in [
        ("reorder m --rows rows", "rows"),
        ("reorder m --json --columns columns", "columns"),
        ("show m --json -o m.png", "m.png"),
        ("reorder m --rows /dev/stdout -o out", "out"),
    ] {
        shell(&sandbox, 0, &format!("{program} sparse {arguments} | true"));
        let start = std::time::Instant::now();
        // The shell waits for the last program alone.
        while !sandbox.path(file).exists() {
            assert!(start.elapsed().as_secs() < 60, "{arguments}");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    }
}

#[test]
fn nothing_is_shown_on_standard_error_unless_it_is_a_terminal() {
    let a = Random::new(1).decimal(3_000_000);
    let sandbox = Sandbox::with(&[("a", &a)]);
    sandbox.succeed(&["int", "mul", "a", "a", "-o", "out"]);
}
