//! Operands and results that are text, through files.

use crate::common::Sandbox;
use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;
use sunzi::{Integer, Natural};
use sunzi_testkit::Random;

/// Little memory, and one thread.
const LITTLE: [&str; 6] = ["--scratch", "s", "--max-memory", "1200K", "--threads", "1"];

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with(&[]);
    fs::create_dir(sandbox.path("s")).unwrap();
    sandbox
}

fn integer(limbs: usize, seed: u64) -> Natural {
    let mut random = Random::new(seed);
    Natural::from_limbs(random.words(limbs))
}

fn nothing_is_left(sandbox: &Sandbox) {
    assert_eq!(fs::read_dir(sandbox.path("s")).unwrap().count(), 0);
}

#[test]
fn hexadecimal_integers_of_any_size() {
    let sandbox = sandbox();
    for limbs in [[0, 1], [1, 1], [3, 2], [1000, 1], [40_000, 30_000]] {
        let [a, b] = [0, 1].map(|i| integer(limbs[i], i as u64 + 3));
        // A digit less than whole limbs, and capitals.
        let b = b >> 5;
        sandbox.write("a.txt", format!("# one\n\n  -0x{a:x}  \n\n").as_bytes());
        sandbox.write("b.txt", format!("+0X{b:X}").as_bytes());
        let product = -Integer::from(a.clone() * &b);
        let expected = match product.is_negative() {
            true => format!("-0x{:x}\n", a.clone() * &b),
            false => "0x0\n".to_owned(),
        };
        for more in [&["--scratch", "s"][..], &LITTLE] {
            let call = [&["int", "mul", "a.txt", "b.txt", "-o", "c.txt"], more].concat();
            assert_eq!(sandbox.succeed(&call), "");
            assert!(sandbox.read("c.txt") == expected, "{limbs:?}");
            nothing_is_left(&sandbox);
        }
        // The same by limbs, which have no sign.
        let call = [
            "int",
            "mul",
            "a.txt",
            "b.txt",
            "-o",
            "c.npy",
            "--scratch",
            "s",
        ];
        assert!(
            sandbox
                .fail(2, &call)
                .contains("limbs in a file of NumPy's have no sign")
        );
        let square = [
            "int",
            "mul",
            "a.txt",
            "a.txt",
            "-o",
            "c.npy",
            "--scratch",
            "s",
        ];
        sandbox.succeed(&square);
        let [array, text] = [
            &["int", "mul", "c.npy", "b.txt"][..],
            &["int", "mul", "c.txt", "a.txt"],
        ];
        sandbox.succeed(&[array, &["-o", "d.txt"], &LITTLE].concat());
        sandbox.succeed(&[text, &["-o", "e.txt"], &LITTLE].concat());
        // a²·b, and −(a·b)·(−a).
        assert!(sandbox.read("d.txt") == sandbox.read("e.txt"), "{limbs:?}");
        nothing_is_left(&sandbox);
    }
}

#[test]
fn lists_of_coefficients_are_those_of_memory() {
    let sandbox = sandbox();
    let mut random = Random::new(5);
    let mut list = |count: usize| {
        let values: Vec<_> = (0..count)
            .map(|_| random.below(u64::MAX).cast_signed().to_string())
            .collect();
        values.join(" ") + "\n"
    };
    let edges = "9223372036854775807 -9223372036854775808 0 1 -1 0\n".to_owned();
    let cases = [
        [list(5), list(3)],
        [edges.clone(), edges],
        [list(30_000), list(20_000)],
        ["0\n".to_owned(), list(2)],
    ];
    for [a, b] in cases {
        sandbox.write("a.txt", a.as_bytes());
        sandbox.write("b.txt", format!("# two\n{b}# three\n").as_bytes());
        for modulus in [
            &[][..],
            &["--mod", "2^61-1"],
            &["--mod", "2^31-1"],
            &["--mod", "2^64-2^32+1"],
            &["--mod", "P4"],
        ] {
            let call = [&["poly", "mul", "a.txt", "b.txt"], modulus].concat();
            sandbox.succeed(&[&call[..], &["-o", "expected.txt"]].concat());
            for more in [
                &["--scratch", "s"][..],
                &["--scratch", "s", "--max-memory", "4M"],
            ] {
                assert_eq!(
                    sandbox.succeed(&[&call[..], &["-o", "c.txt"], more].concat()),
                    ""
                );
                assert!(
                    sandbox.read("c.txt") == sandbox.read("expected.txt"),
                    "{modulus:?}"
                );
                nothing_is_left(&sandbox);
            }
        }
    }
}

#[test]
fn vectors_in_lines_are_those_of_memory() {
    let sandbox = sandbox();
    let mut random = Random::new(6);
    let lines: String = (0..1 << 15)
        .map(|_| format!("{}\n", random.below(u64::MAX)))
        .collect();
    sandbox.write("x.txt", format!("# x\n{lines}").as_bytes());
    for modulus in ["2^64-2^32+1", "469762049", "P4"] {
        let call = ["dft", "x.txt", "--mod", modulus, "-o"];
        sandbox.succeed(&[&call[..], &["expected.txt"]].concat());
        sandbox.succeed(
            &[
                &call[..],
                &[
                    "y.txt",
                    "--scratch",
                    "s",
                    "--max-memory",
                    "1M",
                    "--threads",
                    "1",
                ],
            ]
            .concat(),
        );
        assert!(
            sandbox.read("y.txt") == sandbox.read("expected.txt"),
            "{modulus}"
        );
        sandbox.succeed(&[
            "dft",
            "y.txt",
            "--mod",
            modulus,
            "-o",
            "z.txt.gz",
            "--scratch",
            "s",
            "--inverse",
        ]);
        sandbox.succeed(&[
            "dft",
            "expected.txt",
            "--mod",
            modulus,
            "-o",
            "z.txt",
            "--inverse",
        ]);
        sandbox.succeed(&[
            "dft",
            "z.txt.gz",
            "--mod",
            modulus,
            "-o",
            "w.txt",
            "--scratch",
            "s",
        ]);
        assert!(
            sandbox.read("w.txt") == sandbox.read("expected.txt"),
            "{modulus}"
        );
        nothing_is_left(&sandbox);
    }
}

#[test]
fn text_that_cannot_go_through_files_is_told() {
    let sandbox = sandbox();
    sandbox.write("b.txt", b"0x1\n");
    let integer = |text: &str| {
        sandbox.write("a.txt", text.as_bytes());
        let error = sandbox.fail(
            2,
            &[
                "int",
                "mul",
                "a.txt",
                "b.txt",
                "-o",
                "c.txt",
                "--scratch",
                "s",
            ],
        );
        nothing_is_left(&sandbox);
        error
    };
    assert!(integer("12\n").contains("decimal integers are for memory"));
    assert!(integer("").contains("decimal integers are for memory"));
    assert!(integer("0x\n").contains("no digit follows 0x"));
    assert_eq!(
        integer("0x12\n0x13\n"),
        "sunzi: a.txt: byte 7 is no hexadecimal digit: with --scratch a file holds one integer, 0x…\n"
    );
    sandbox.write("g.txt", b"1 2\n");
    let polynomial = |text: &str| {
        sandbox.write("f.txt", text.as_bytes());
        let error = sandbox.fail(
            2,
            &[
                "poly",
                "mul",
                "f.txt",
                "g.txt",
                "-o",
                "c.txt",
                "--scratch",
                "s",
            ],
        );
        nothing_is_left(&sandbox);
        error
    };
    assert!(
        polynomial("1 2\n3 4\n")
            .contains("f.txt, line 2, column 1: with --scratch there is one polynomial a file")
    );
    assert!(polynomial("[1, 2]\n").contains("a list of decimal coefficients"));
    assert!(polynomial("x^2 + 1\n").contains("a list of decimal coefficients"));
    assert!(
        polynomial("1 9223372036854775808\n")
            .contains("column 3: with --scratch coefficients over Z are of 64 bits")
    );
    assert!(polynomial("# nothing\n").contains("holds no polynomial"));
    let plan = ["poly", "mul", "g.txt", "g.txt", "--scratch", "s", "--plan"];
    assert!(sandbox.fail(2, &plan).contains("--plan"));
    for operands in [&["-", "b.txt"][..], &["-e", "0x5", "b.txt"]] {
        let call = [
            &["int", "mul"],
            operands,
            &["-o", "c.txt", "--scratch", "s"],
        ]
        .concat();
        assert!(
            sandbox
                .fail(2, &call)
                .contains("with --scratch operands are files"),
            "{operands:?}"
        );
    }
    let nowhere = [
        "int",
        "mul",
        "b.txt",
        "b.txt",
        "-o",
        "c.txt",
        "--scratch",
        "none",
    ];
    assert!(
        sandbox
            .fail(2, &nowhere)
            .contains("none: no folder can be made in it")
    );
    assert!(!sandbox.path("c.txt").exists());
}

/// A result whose text could not be written is there for the same command, and for no other.
#[test]
#[cfg(target_os = "linux")]
fn a_text_that_cannot_be_written_is_written_later() {
    let sandbox = sandbox();
    let numbers: String = (1..=8).map(|i| format!("{i}\n")).collect();
    sandbox.write("x.txt", numbers.as_bytes());
    let forward = [
        "dft",
        "x.txt",
        "--mod",
        "97",
        "-o",
        "y.txt",
        "--scratch",
        "s",
    ];
    let [inverse, fresh] = ["--inverse", "--fresh"].map(|more| [&forward[..], &[more]].concat());
    let memory = |more: &[&str]| sandbox.succeed(&[&forward[..4], more].concat());
    let full = || {
        let _ = fs::remove_file(sandbox.path("y.txt"));
        std::os::unix::fs::symlink("/dev/full", sandbox.path("y.txt")).unwrap();
        assert!(sandbox.fail(1, &forward).contains("cannot be written"));
        fs::remove_file(sandbox.path("y.txt")).unwrap();
        let told = sandbox.json(&["scratch", "list", "s"]);
        assert_eq!(told["result"]["arrays"].as_array().unwrap().len(), 1);
    };
    full();
    sandbox.succeed(&inverse);
    assert_eq!(sandbox.read("y.txt"), memory(&["--inverse"]));
    sandbox.succeed(&forward);
    assert_eq!(sandbox.read("y.txt"), memory(&[]));
    nothing_is_left(&sandbox);
    // What is damaged meanwhile is not looked at by a command that begins anew.
    full();
    let folder = fs::read_dir(sandbox.path("s"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    for entry in fs::read_dir(folder).unwrap() {
        fs::write(entry.unwrap().path(), b"nothing").unwrap();
    }
    sandbox.succeed(&fresh);
    assert_eq!(sandbox.read("y.txt"), memory(&[]));
    nothing_is_left(&sandbox);
    // A folder that cannot be is told before the work.
    let mut nowhere = forward;
    nowhere[5] = "none/y.txt";
    assert!(sandbox.fail(2, &nowhere).contains("none/y.txt"));
    nothing_is_left(&sandbox);
    // Seven numbers have no transform of 2^k points.
    sandbox.write("seven.txt", b"1\n2\n3\n4\n5\n6\n7\n");
    let mut seven = forward;
    seven[1] = "seven.txt";
    assert!(sandbox.fail(1, &seven).starts_with("sunzi: seven.txt: "));
    nothing_is_left(&sandbox);
    // What is no array of ours stays.
    let precious = sandbox.path("s/sunzi-text-0123456789abcdef");
    fs::create_dir(&precious).unwrap();
    fs::write(precious.join("precious"), b"1").unwrap();
    sandbox.succeed(&["scratch", "clean", "s"]);
    assert!(precious.join("precious").exists());
}

#[test]
fn a_command_that_is_killed_goes_on() {
    let sandbox = sandbox();
    let [a, b] = [1, 2].map(|seed| integer(50_000, seed));
    sandbox.write("a.txt", format!("0x{a:x}\n").as_bytes());
    sandbox.write("b.txt", format!("0x{b:x}\n").as_bytes());
    let expected = format!("0x{:x}\n", a * b);
    let call = [
        &["int", "mul", "a.txt", "b.txt", "-o", "c.txt"][..],
        &LITTLE,
    ]
    .concat();
    sandbox.succeed(&call);
    let mut random = Random::new(8);
    let mut caught = 0;
    // A kill may come too late where the machine is busy: again, then.
    for round in 0..100 {
        fs::remove_file(sandbox.path("c.txt")).unwrap();
        let mut command = sandbox.command(&call);
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // At once when something lies on the disk, or later.
        while fs::read_dir(sandbox.path("s")).unwrap().count() == 0
            && child.try_wait().unwrap().is_none()
        {}
        if round % 2 == 1 {
            sleep(Duration::from_micros(random.below(30_000)));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(!sandbox.path("c.txt").exists() || sandbox.read("c.txt") == expected);
        let told = sandbox.json(&["scratch", "list", "s"]);
        let left = !told["result"]["arrays"].as_array().unwrap().is_empty();
        if left && round % 4 == 3 {
            sandbox.succeed(&["scratch", "clean", "s"]);
            nothing_is_left(&sandbox);
        }
        let outcome = sandbox.run(&call);
        assert_eq!(
            (outcome.code, outcome.stdout.as_str()),
            (Some(0), ""),
            "{outcome:?}"
        );
        assert!(sandbox.read("c.txt") == expected, "round {round}");
        nothing_is_left(&sandbox);
        caught += usize::from(left);
        if caught == 6 {
            return;
        }
    }
    panic!("it comes to its end before most kills");
}
