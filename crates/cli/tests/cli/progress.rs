//! Progress on a terminal, and silence elsewhere.

use super::common::Sandbox;
use std::fs::File;
use std::io::Read;
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::ptr;
use std::time::{Duration, Instant};

/// Both ends of a terminal that is none: what the program writes to the second comes out of the first.
pub fn terminal() -> (File, OwnedFd) {
    let size = libc::winsize {
        ws_row: 24,
        ws_col: 160,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    let (mut outside, mut inside) = (0, 0);
    // SAFETY: the numbers and the size are there to be written and read, and what may be null is.
    let made = unsafe {
        libc::openpty(
            &mut outside,
            &mut inside,
            ptr::null_mut(),
            ptr::null(),
            &size,
        )
    };
    assert_eq!(made, 0, "{}", std::io::Error::last_os_error());
    // SAFETY: both were just opened, and belong to nobody else.
    unsafe { (File::from_raw_fd(outside), OwnedFd::from_raw_fd(inside)) }
}

/// Runs a command that takes long until its terminal shows all of the words; then a signal ends it. What the terminal
/// got from there on.
fn shows(sandbox: &Sandbox, arguments: &[&str], words: &[&str]) -> String {
    let (mut outside, inside) = terminal();
    let mut child = sandbox
        .command(arguments)
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(inside)
        .spawn()
        .unwrap();
    let (send, receive) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut bytes = [0; 4096];
        // The end of the program is an error here on some systems.
        while let Ok(count @ 1..) = outside.read(&mut bytes) {
            if send.send(bytes[..count].to_vec()).is_err() {
                break;
            }
        }
    });
    let start = Instant::now();
    let mut seen = Vec::new();
    let mut text = String::new();
    let all = loop {
        let Ok(bytes) = receive.recv_timeout(Duration::from_secs(60)) else {
            break false;
        };
        seen.extend(bytes);
        text = String::from_utf8_lossy(&seen).into_owned();
        if words.iter().all(|word| text.contains(word)) {
            break true;
        }
        if start.elapsed() > Duration::from_secs(60) {
            break false;
        }
    };
    let shown_after = start.elapsed();
    // SAFETY: it is the process of the child, which nobody has waited for.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
    let status = child.wait().unwrap();
    reader.join().unwrap();
    assert!(all, "{arguments:?}: {text:?}");
    assert!(shown_after >= Duration::from_secs(1), "{text:?}");
    assert_eq!(status.signal(), Some(libc::SIGINT));
    let rest = receive.iter().flatten().collect::<Vec<u8>>();
    String::from_utf8_lossy(&rest).into_owned()
}

#[test]
fn a_terminal_is_told_how_far_the_work_is() {
    let sandbox = Sandbox::with(&[]);
    let search = "prime search --digits 2 --bits 64 --terms 6 --count 1000000000";
    shows(
        &sandbox,
        &search.split(' ').collect::<Vec<_>>(),
        &[
            " of 1000000000 primes [",
            "0 % of 147,616,960 radices, ",
            "/s, at most ",
            " left",
        ],
    );
    sandbox.write(
        "m",
        b"%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n",
    );
    let products = "sparse spmv m --repeat 4000000000";
    shows(
        &sandbox,
        &products.split(' ').collect::<Vec<_>>(),
        &[
            "multiplying [",
            "0 % of 4,000,000,000 products, ",
            "/s, ",
            " left",
        ],
    );
}

#[test]
fn a_terminal_is_told_what_the_library_counts() {
    let sandbox = Sandbox::with(&[]);
    let mut state = 1u64;
    let mut number = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005) + 1;
        (state >> 20).to_string()
    };
    let row = |_| Vec::from_iter((0..300).map(|_| number())).join(" ");
    let rows = Vec::from_iter((0..300).map(row));
    sandbox.write("m", rows.join("\n").as_bytes());
    shows(
        &sandbox,
        &["matrix", "inverse", "m", "--threads", "1"],
        // The longest step; those before it may be over before anything is shown.
        &[
            "computing [",
            " % of ",
            " rows of fractions, ",
            "/s, ",
            " left",
        ],
    );
}

#[test]
fn a_signal_leaves_no_bar() {
    let sandbox = Sandbox::with(&[]);
    let search = "prime search --digits 2 --bits 64 --terms 6 --count 1000000000";
    let arguments: Vec<&str> = search.split(' ').collect();
    let rest = shows(&sandbox, &arguments, &[" radices"]);
    assert!(rest.ends_with("\r\x1b[2K"), "{rest:?}");
}

#[test]
fn what_ends_soon_shows_nothing() {
    let sandbox = Sandbox::with(&[]);
    let (mut outside, inside) = terminal();
    let done = sandbox
        .command(&["prime", "search", "--digits", "2", "--bits", "16"])
        .stderr(inside)
        .output()
        .unwrap();
    assert!(done.status.success());
    let mut seen = [0; 64];
    assert!(!matches!(outside.read(&mut seen), Ok(1..)));
}
