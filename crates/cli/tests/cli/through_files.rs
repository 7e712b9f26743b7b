//! `sunzi dft` with NumPy's files, through files, and killed on its way.

use crate::common::Sandbox;
use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;
use sunzi_testkit::Random;

/// 2^32 divides p − 1.
const GOLDILOCKS: &str = "2^64-2^32+1";

/// A file as `numpy.save` writes it, with words of this many bytes.
fn npy(word: usize, shape: &str, words: &[u64]) -> Vec<u8> {
    let text = format!("{{'descr': '<u{word}', 'fortran_order': False, 'shape': {shape}, }}");
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    bytes.extend(format!("{text:117}\n").bytes());
    for value in words {
        bytes.extend(&value.to_le_bytes()[..word]);
    }
    bytes
}

/// The words behind a header.
fn words(bytes: &[u8], word: usize) -> Vec<u64> {
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let value = |bytes: &[u8]| {
        bytes
            .iter()
            .rev()
            .fold(0, |all, &byte| all << 8 | u64::from(byte))
    };
    bytes[10 + length..].chunks(word).map(value).collect()
}

fn bytes(sandbox: &Sandbox, name: &str) -> Vec<u8> {
    fs::read(sandbox.path(name)).unwrap()
}

fn lines(values: &[u64]) -> String {
    values.iter().map(|value| format!("{value}\n")).collect()
}

/// A folder with a vector of 2^17 random residues, and their transform in memory.
fn sandbox() -> (Sandbox, Vec<u8>) {
    let sandbox = Sandbox::with(&[]);
    let mut random = Random::new(3);
    let x: Vec<u64> = (0..1 << 17)
        .map(|_| random.below(0xffff_ffff_0000_0001))
        .collect();
    sandbox.write("x.npy", &npy(8, "(131072,)", &x));
    fs::create_dir(sandbox.path("s")).unwrap();
    sandbox.succeed(&["dft", "x.npy", "--mod", GOLDILOCKS, "-o", "expected.npy"]);
    let expected = fs::read(sandbox.path("expected.npy")).unwrap();
    (sandbox, expected)
}

const THROUGH_FILES: [&str; 12] = [
    "dft",
    "x.npy",
    "--mod",
    GOLDILOCKS,
    "-o",
    "y.npy",
    "--scratch",
    "s",
    "--max-memory",
    "700K",
    "--threads",
    "1",
];

#[test]
fn files_of_numpy_hold_the_same_as_lines() {
    let sandbox = Sandbox::with(&[]);
    let x = [5, 0, 96, 7, 1, 2, 3, 4];
    sandbox.write("x.txt", lines(&x).as_bytes());
    let expected = sandbox.succeed(&["dft", "x.txt", "--mod", "97"]);
    for word in [4, 8] {
        sandbox.write("x.npy", &npy(word, "(8,)", &x));
        assert_eq!(sandbox.succeed(&["dft", "x.npy", "--mod", "97"]), expected);
        assert_eq!(
            sandbox.succeed(&["dft", "x.npy", "--mod", "97", "-o", "y.npy"]),
            ""
        );
        let y = fs::read(sandbox.path("y.npy")).unwrap();
        assert_eq!(lines(&words(&y, word)), expected);
        assert!(y.starts_with(b"\x93NUMPY") && y.len() == 4096 + 8 * word);
        assert_eq!(
            sandbox.succeed(&["dft", "y.npy", "--mod", "97", "--inverse"]),
            lines(&x)
        );
        let told = sandbox.json(&["dft", "x.npy", "--mod", "97", "-o", "z.npy"]);
        assert_eq!(told["result"]["type"], ["uint32", "uint64"][word / 8]);
        assert_eq!(told["result"]["file"], "z.npy");
        assert_eq!(fs::read(sandbox.path("z.npy")).unwrap(), y);
    }
    // Of lines, and of a prime that needs 64 bits.
    sandbox.succeed(&["dft", "x.txt", "--mod", "97", "-o", "y.npy"]);
    assert_eq!(
        lines(&words(&fs::read(sandbox.path("y.npy")).unwrap(), 8)),
        expected
    );
    sandbox.write("x.npy", &npy(4, "(8,)", &x));
    sandbox.succeed(&["dft", "x.npy", "--mod", GOLDILOCKS, "-o", "y.npy"]);
    let long = sandbox.succeed(&["dft", "x.txt", "--mod", GOLDILOCKS]);
    assert_eq!(
        lines(&words(&fs::read(sandbox.path("y.npy")).unwrap(), 8)),
        long
    );
    // No power of two.
    sandbox.write("x.npy", &npy(8, "(3,)", &x[..3]));
    sandbox.write("x.txt", lines(&x[..3]).as_bytes());
    assert_eq!(
        sandbox.succeed(&["dft", "x.npy", "--mod", "97"]),
        sandbox.succeed(&["dft", "x.txt", "--mod", "97"])
    );
    // Digits.
    let digits = [1, 2, 3, 4, 5, 6, 7, 8];
    sandbox.write("x.npy", &npy(8, "(2, 4)", &digits));
    sandbox.succeed(&["dft", "x.npy", "--mod", "P4", "-o", "y.npy"]);
    sandbox.succeed(&["dft", "y.npy", "--mod", "P4", "--inverse", "-o", "z.npy"]);
    assert_eq!(words(&fs::read(sandbox.path("z.npy")).unwrap(), 8), digits);
}

#[test]
fn wrong_files_of_numpy_are_told() {
    let sandbox = Sandbox::with(&[]);
    let fail = |bytes: &[u8], prime: &str| {
        sandbox.write("x.npy", bytes);
        let in_memory = sandbox.fail(2, &["dft", "x.npy", "--mod", prime]);
        let through_files = [
            "dft",
            "x.npy",
            "--mod",
            prime,
            "-o",
            "y.npy",
            "--scratch",
            ".",
        ];
        let outcome = sandbox.run(&through_files);
        // Of a file that is read to its end it is not known how much follows.
        let begins = |text: &str| {
            text.split(" follow")
                .next()
                .unwrap()
                .rsplit_once(", and")
                .map_or(text.to_owned(), |(begins, _)| begins.to_owned())
        };
        assert_eq!(outcome.code, Some(2));
        assert_eq!(begins(&outcome.stderr), begins(&in_memory));
        assert!(!sandbox.path("y.npy").exists());
        in_memory
    };
    let x = [1, 2, 3, 97];
    let error = fail(&npy(8, "(4,)", &x), "97");
    assert_eq!(
        error,
        "sunzi: x.npy: entry 3 is no element: it is not below the modulus, 97\n"
    );
    assert!(
        fail(&npy(8, "(4,)", &x[..3]), "97").contains("its header tells of 4 words of 8 bytes")
    );
    assert!(fail(&npy(8, "(3,)", &x), "97").contains("its header tells of 3 words of 8 bytes"));
    assert!(
        fail(&npy(8, "(2, 2)", &x), "97")
            .contains("its shape (2, 2) of words of 8 bytes is not what is needed here")
    );
    assert!(fail(&npy(8, "(4,)", &x), "P4").contains("is not what is needed here"));
    let longer = [npy(8, "(1,)", &[5]), b"abc".to_vec()].concat();
    assert!(fail(&longer, "97").contains("its header tells of 1 words of 8 bytes"));
    assert!(fail(b"1\n2\n", "97").contains("this is no file of numpy.save"));
    assert!(fail(b"", "97").contains("this is no file of numpy.save"));
    let float = String::from_utf8_lossy(&npy(8, "(1,)", &[0])).replace("<u8", "<f8");
    assert!(fail(float.as_bytes(), "97").contains("numpy"));
}

#[test]
fn more_than_memory_is_transformed_through_files() {
    let (sandbox, expected) = sandbox();
    let plan = sandbox.succeed(&[&THROUGH_FILES[..], &["--plan"]].concat());
    assert!(
        plan.contains("3 passes (columns, rows, and a transposition)"),
        "{plan}"
    );
    let told = sandbox.json(&[&THROUGH_FILES[..], &["--plan"]].concat());
    assert_eq!(told["result"]["moved_bytes"], 6 << 20);
    assert!(!sandbox.path("y.npy").exists());

    assert_eq!(sandbox.succeed(&THROUGH_FILES), "");
    assert!(fs::read(sandbox.path("y.npy")).unwrap() == expected);
    let told = sandbox.json(&THROUGH_FILES);
    let result = &told["result"];
    assert_eq!(
        (&result["passes"], &result["type"]),
        (&3.into(), &"uint64".into())
    );
    assert!(result["bytes_written"].as_u64().unwrap() >= 3 << 20);
    assert_eq!(told["inputs"]["order"], "natural");
    assert_eq!(told["algorithm"], "through-files");

    // There and back as a matrix.
    let transposed = ["--order", "transposed"];
    sandbox.succeed(&[&THROUGH_FILES[..], &transposed].concat());
    let mut back = THROUGH_FILES;
    (back[1], back[5]) = ("y.npy", "z.npy");
    sandbox.succeed(&[&back[..], &transposed, &["--inverse"]].concat());
    let [x, z] = ["x.npy", "z.npy"].map(|name| fs::read(sandbox.path(name)).unwrap());
    assert!(words(&x, 8) == words(&z, 8));
    assert_eq!(fs::read_dir(sandbox.path("s")).unwrap().count(), 0);
    assert_eq!(
        sandbox.names(),
        ["expected.npy", "s", "x.npy", "y.npy", "z.npy"]
    );
}

#[test]
fn products_go_through_files() {
    let (sandbox, _) = sandbox();
    let x = words(&bytes(&sandbox, "x.npy"), 8);
    let short = &x[..1000];
    sandbox.write("a.npy", &npy(8, "(1000,)", short));
    sandbox.write("b.npy", &npy(8, "(700,)", &x[..700]));
    let list = |values: &[u64]| {
        let values: Vec<_> = values.iter().map(u64::to_string).collect();
        values.join(" ") + "\n"
    };
    sandbox.write("a.txt", list(short).as_bytes());
    sandbox.write("b.txt", list(&x[..700]).as_bytes());
    let product = |a: &str, b: &str, more: &[&str]| {
        sandbox.succeed(&[&["poly", "mul", a, b, "--mod", GOLDILOCKS], more].concat())
    };
    let expected = product("a.txt", "b.txt", &[]);
    product("a.npy", "b.npy", &["-o", "c.npy", "--scratch", "s"]);
    assert_eq!(list(&words(&bytes(&sandbox, "c.npy"), 8)), expected);
    // Longer than memory, and the square of a file.
    let limit = [
        "-o",
        "c.npy",
        "--scratch",
        "s",
        "--max-memory",
        "1200K",
        "--threads",
        "1",
    ];
    let plan = product("x.npy", "a.npy", &[&limit[..], &["--plan"]].concat());
    assert!(
        plan.contains("by 4 passes (columns, columns, rows, and columns)"),
        "{plan}"
    );
    // Without a name for the result, whatever the operands are called.
    sandbox.write("y.npy", &bytes(&sandbox, "a.npy"));
    let plan = product("y.npy", "y.npy", &["--scratch", "s", "--plan"]);
    assert!(plan.contains("points in memory"), "{plan}");
    fs::remove_file(sandbox.path("y.npy")).unwrap();
    product("x.npy", "a.npy", &limit);
    let by_files = words(&bytes(&sandbox, "c.npy"), 8);
    sandbox.write("x.txt", list(&x).as_bytes());
    assert!(list(&by_files) == product("x.txt", "a.txt", &[]));
    product("x.npy", "x.npy", &limit);
    assert!(list(&words(&bytes(&sandbox, "c.npy"), 8)) == product("x.txt", "x.txt", &[]));
    assert_eq!(fs::read_dir(sandbox.path("s")).unwrap().count(), 0);

    let refused = |arguments: &[&str]| sandbox.fail(2, &[&["poly", "mul"], arguments].concat());
    let named = [
        "a.npy",
        "b.npy",
        "--mod",
        GOLDILOCKS,
        "-o",
        "c.npy",
        "--scratch",
        "s",
        "--algorithm",
        "ntt",
    ];
    assert!(refused(&named).contains("--algorithm"));
    assert!(refused(&["a.npy", "b.npy", "--scratch", "s"]).contains("name it by -o"));
}

#[test]
fn what_does_not_go_together_is_told() {
    let (sandbox, _) = sandbox();
    let with = |at: usize, word: &'static str| {
        let mut arguments = THROUGH_FILES;
        arguments[at] = word;
        sandbox.fail(2, &arguments)
    };
    assert!(with(1, "none.npy").contains("none.npy: the file cannot be opened: no such file"));
    let matrix = [&THROUGH_FILES[..], &["--order", "transposed"]].concat();
    let text: Vec<_> = matrix
        .iter()
        .map(|&word| if word == "y.npy" { "y.txt" } else { word })
        .collect();
    assert!(sandbox.fail(2, &text).contains("is a file of NumPy's"));
    assert!(with(5, "x.npy").contains("the input would be written over"));
    let mut small = THROUGH_FILES;
    small[9] = "100K";
    let error = sandbox.fail(1, &small);
    assert!(
        error.contains("transforms of 131072 points need "),
        "{error}"
    );
    let mut nowhere = THROUGH_FILES;
    nowhere[7] = "none";
    assert!(
        sandbox
            .fail(2, &nowhere)
            .contains("the folder cannot be read")
    );
    for option in [
        &["--order", "transposed"][..],
        &["--plan"],
        &["--fresh"],
        &["--no-verify"],
    ] {
        let arguments = [&["dft", "x.npy", "--mod", "97"], option].concat();
        assert!(
            sandbox.fail(2, &arguments).contains("--scratch"),
            "{option:?}"
        );
    }
    let device = [&THROUGH_FILES[..], &["--device", "opencl"]].concat();
    assert!(sandbox.fail(2, &device).contains("leave --device out"));
}

fn start(sandbox: &Sandbox) -> Child {
    let mut command = sandbox.command(&THROUGH_FILES);
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
#[cfg(unix)]
fn a_command_that_is_killed_goes_on() {
    let (sandbox, expected) = sandbox();
    let mut random = Random::new(17);
    let (mut kills, mut resumed) = (0, 0);
    // How long a run takes here; less where the machine had other work just now.
    let clock = std::time::Instant::now();
    sandbox.succeed(&THROUGH_FILES);
    let mut whole = clock.elapsed().as_micros() as u64;
    for round in 0..100 {
        fs::remove_file(sandbox.path("y.npy")).unwrap();
        let mut child = start(&sandbox);
        sleep(Duration::from_micros(random.below(whole)));
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            whole -= whole / 4;
        } else {
            kills += 1;
            assert!(!sandbox.path("y.npy").exists() || bytes(&sandbox, "y.npy") == expected);
        }
        let outcome = sandbox.run(&THROUGH_FILES);
        assert_eq!(
            (outcome.code, outcome.stdout.as_str()),
            (Some(0), ""),
            "{outcome:?}"
        );
        if outcome
            .stderr
            .contains("an earlier command has begun this: it goes on with pass ")
        {
            resumed += 1;
        } else {
            assert_eq!(outcome.stderr, "");
        }
        assert!(bytes(&sandbox, "y.npy") == expected, "round {round}");
        assert_eq!(fs::read_dir(sandbox.path("s")).unwrap().count(), 0);
        assert_eq!(sandbox.names(), ["expected.npy", "s", "x.npy", "y.npy"]);
        if kills >= 10 && resumed >= 3 {
            return;
        }
    }
    panic!("{kills} kills, {resumed} resumed");
}

/// How many bands the journal of the only job tells of.
fn bands_done(sandbox: &Sandbox) -> usize {
    let mut jobs = fs::read_dir(sandbox.path("s")).unwrap();
    let journal = jobs.find_map(|job| fs::read(job.ok()?.path().join("journal")).ok());
    let lines = journal.map(|journal| journal.iter().filter(|&&byte| byte == b'\n').count());
    lines.unwrap_or(0)
}

#[test]
#[cfg(unix)]
fn a_command_that_is_killed_after_any_band_goes_on() {
    let (sandbox, expected) = sandbox();
    let mut caught = Vec::new();
    // Until it comes to its end before so many bands are seen.
    for bands in 1.. {
        let mut child = start(&sandbox);
        let ended = loop {
            if bands_done(&sandbox) >= bands {
                child.kill().unwrap();
                break child.wait().unwrap().success();
            }
            if child.try_wait().unwrap().is_some() {
                break true;
            }
        };
        let done = bands_done(&sandbox);
        // The journal goes when the result has its name.
        if ended || done < bands {
            assert!(bytes(&sandbox, "y.npy") == expected, "{bands} bands");
            break;
        }
        caught.push(done);
        let outcome = sandbox.run(&THROUGH_FILES);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert!(
            outcome.stderr.contains("it goes on with pass "),
            "{outcome:?}"
        );
        assert!(bytes(&sandbox, "y.npy") == expected, "{bands} bands");
        fs::remove_file(sandbox.path("y.npy")).unwrap();
        assert_eq!(fs::read_dir(sandbox.path("s")).unwrap().count(), 0);
    }
    assert!(caught.len() > 5, "{caught:?}");
}

#[test]
#[cfg(unix)]
fn what_a_killed_command_leaves_is_listed_and_cleaned() {
    let (sandbox, _) = sandbox();
    assert_eq!(sandbox.succeed(&["scratch", "list", "s"]), "");
    let mut random = Random::new(23);
    // Some time before its end, however fast it is.
    loop {
        let mut child = start(&sandbox);
        sleep(Duration::from_micros(random.below(30_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        if fs::read_dir(sandbox.path("s")).unwrap().count() > 0 {
            break;
        }
        let _ = fs::remove_file(sandbox.path("y.npy"));
    }
    let told = sandbox.json(&["scratch", "list", "s"]);
    assert_eq!(told["result"]["jobs"].as_array().unwrap().len(), 1);
    let listed = sandbox.succeed(&["scratch", "list", "s"]);
    assert!(
        listed.contains("bands done") && listed.contains("on the disk"),
        "{listed}"
    );
    assert_eq!(sandbox.succeed(&["scratch", "clean", "s"]), listed);
    assert_eq!(sandbox.succeed(&["scratch", "list", "s"]), "");
    assert_eq!(fs::read_dir(sandbox.path("s")).unwrap().count(), 0);
    assert!(
        sandbox
            .fail(2, &["scratch", "list", "none"])
            .contains("the folder cannot be read")
    );
}

/// Nothing under the name of the result where a file must not get longer than a limit, and all of it once it may.
#[test]
#[cfg(unix)]
fn a_limit_on_files_leaves_no_half_result() {
    let (sandbox, expected) = sandbox();
    for blocks in [1, 100, 1000] {
        let program = crate::program();
        let words = THROUGH_FILES.join(" ");
        let script = format!("ulimit -f {blocks}; exec {} {words}", program);
        let mut shell = std::process::Command::new("bash");
        shell.current_dir(sandbox.path(".")).args(["-c", &script]);
        assert!(
            !shell
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .unwrap()
                .success()
        );
        assert!(!sandbox.path("y.npy").exists());
        let outcome = sandbox.run(&THROUGH_FILES);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        assert!(bytes(&sandbox, "y.npy") == expected);
        fs::remove_file(sandbox.path("y.npy")).unwrap();
    }
}
