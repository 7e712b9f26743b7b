//! `sunzi sparse …` on wrong, empty and hostile input.

use crate::common::Sandbox;

const HEAD: &str = "%%MatrixMarket matrix coordinate real general\n";

/// Runs `sparse info` on this file, which must be refused as unreadable.
fn unreadable(text: &str) -> String {
    let sandbox = Sandbox::with(&[("m", text)]);
    let said = sandbox.fail(2, &["sparse", "info", "m", "-o", "out"]);
    // All commands read alike.
    for command in [
        &["sparse", "spmv", "m", "-o", "out"][..],
        &[
            "sparse",
            "reorder",
            "m",
            "-o",
            "out",
            "--rows",
            "p",
            "--columns",
            "q",
        ],
        &["sparse", "cache", "m", "-o", "out"],
        &["sparse", "show", "m", "-o", "out.png"],
        &["sparse", "solve", "m", "-o", "out"],
    ] {
        assert_eq!(sandbox.fail(2, command), said, "{command:?}");
    }
    said
}

#[test]
fn malformed_files_are_refused_with_their_place() {
    for (body, said) in [
        (
            "2 2\n1 1 1\n",
            "line 2: the line of sizes has 2 numbers instead of 3: rows, columns and entries",
        ),
        (
            "2 x 1\n1 1 1\n",
            "line 2, column 3: `x` is no natural number",
        ),
        (
            "2 2 1\n% no\n3 1 1\n",
            "line 4, column 1: row 3 is not among 1 to 2",
        ),
        (
            "2 2 1\n1 0 1\n",
            "line 3, column 3: column 0 is not among 1 to 2",
        ),
        (
            "2 2 2\n1 1 1\n",
            "line 4: the file ends after 1 of 2 declared entries",
        ),
        (
            "2 2 1\n1 1 1\n2 2 1\n",
            "line 4, column 1: there are more entries than the 1 that are declared",
        ),
        (
            "2 2 1\n1 1\n",
            "line 3: the line ends where a value is expected",
        ),
        (
            "2 2 1\n1 1 1 1\n",
            "line 3, column 7: `1` follows after the entry, where the line should end",
        ),
        ("2 2 1\n1 1 nan\n", "line 3, column 5: `nan` is not finite"),
        ("2 2 1\n1 1 inf\n", "line 3, column 5: `inf` is not finite"),
        (
            "2 2 1\n1 1 1e999\n",
            "line 3, column 5: `1e999` is too large for a double",
        ),
        ("2 2 1\n1 1 one\n", "line 3, column 5: `one` is no number"),
        ("", "line 2: the file ends before the line of sizes"),
    ] {
        assert_eq!(
            unreadable(&format!("{HEAD}{body}")),
            format!("sunzi: m, {said}\n")
        );
    }
    for (text, said) in [
        ("", "line 1: the file is empty"),
        (
            "1 2\n3 4\n",
            "line 1: the first line must be of the kind `%%MatrixMarket matrix coordinate real general`",
        ),
        (
            "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n",
            "line 1: complex matrices are not supported: only real, integer and pattern ones are, general, symmetric or skew-symmetric",
        ),
        (
            "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n",
            "line 3, column 5: `1.5` is no integer",
        ),
        (
            "%%MatrixMarket matrix coordinate real symmetric\n2 3 1\n1 1 1\n",
            "line 2: a symmetric matrix is square, and this has 2 rows and 3 columns",
        ),
    ] {
        assert_eq!(unreadable(text), format!("sunzi: m, {said}\n"));
    }
}

#[test]
fn compressed_files_that_end_early_are_refused() {
    let text = format!("{HEAD}100 100 1000\n{}", "1 1 1\n".repeat(1000));
    let compressed = sunzi_testkit::gzip(text);
    let sandbox = Sandbox::with(&[]);
    sandbox.write("m", &compressed[..compressed.len() - 12]);
    let said = sandbox.fail(2, &["sparse", "info", "m"]);
    assert!(
        said.starts_with("sunzi: m, line ") && said.contains("the file cannot be read: "),
        "{said}"
    );
}

#[test]
fn sizes_that_lie_take_no_memory() {
    let said = unreadable(&format!(
        "{HEAD}4294967295 4294967295 18446744073709551615\n1 1 1\n"
    ));
    assert!(
        said.starts_with("sunzi: m, line 4: the file ends after 1 of 18446744073709551615"),
        "{said}"
    );
    let sandbox = Sandbox::with(&[("m", &format!("{HEAD}4294967296 1 1\n1 1 1\n"))]);
    let said = sandbox.fail(2, &["sparse", "info", "m"]);
    assert!(
        said.contains("line 2") && said.contains("at most 2^32 - 1 are supported"),
        "{said}"
    );
}

#[test]
fn files_that_cannot_be_opened_are_named() {
    let sandbox = Sandbox::with(&[("m", &format!("{HEAD}1 1 1\n1 1 1\n"))]);
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    let more = |command: &'static str, file: &'static str| ["sparse", command, file];
    for command in ["info", "spmv", "reorder", "cache", "solve"] {
        assert_eq!(
            sandbox.fail(2, &more(command, "absent")),
            "sunzi: absent: the file cannot be opened: no such file or directory\n"
        );
        assert_eq!(
            sandbox.fail(2, &more(command, "folder")),
            "sunzi: folder: this is a folder, not a file\n"
        );
        let said = sandbox.fail(2, &[&more(command, "m")[..], &["-o", "folder"]].concat());
        assert_eq!(
            said,
            "sunzi: folder: the output file cannot be made: this is a folder\n"
        );
    }
    for option in ["--rows", "--columns"] {
        let said = sandbox.fail(2, &["sparse", "reorder", "m", option, "folder"]);
        assert_eq!(
            said,
            "sunzi: folder: the output file cannot be made: this is a folder\n"
        );
    }
}

#[test]
fn vectors_that_do_not_fit_are_refused() {
    let sandbox = Sandbox::with(&[
        ("m", &format!("{HEAD}2 3 1\n1 1 1\n")),
        ("none", &format!("{HEAD}2 0 0\n")),
        ("short", "1\n2\n"),
        ("long", "1\n2\n3\n4\n5\n"),
        ("wrong", "1\n2x\n3\n"),
        ("third", "1/3\n2\n3\n"),
        ("infinite", "1\ninf\n3\n"),
        ("blank", "1\n2 3\n4\n"),
        ("empty", "# nothing\n"),
    ]);
    let run = |code: i32, x: &str, more: &[&str]| {
        sandbox.fail(
            code,
            &[&["sparse", "spmv", "m", x, "-o", "out"], more].concat(),
        )
    };
    assert_eq!(
        run(1, "short", &[]),
        "sunzi: short: the vector has 2 entries, but m has 3 columns\n"
    );
    assert_eq!(
        run(1, "long", &[]),
        "sunzi: long: the vector has more than 3 entries, but m has 3 columns\n"
    );
    assert_eq!(
        run(1, "long", &["--transpose"]),
        "sunzi: long: the vector has more than 2 entries, but m has 2 rows\n"
    );
    assert_eq!(
        run(2, "wrong", &[]),
        "sunzi: wrong, line 2, column 2: 'x' is not a decimal digit\n"
    );
    let said = run(2, "infinite", &[]);
    assert!(
        said.starts_with("sunzi: infinite, line 2, column 1: inf is no number"),
        "{said}"
    );
    let said = run(2, "blank", &[]);
    assert!(
        said.starts_with("sunzi: blank, line 2, column 2: "),
        "{said}"
    );
    assert_eq!(
        run(2, "empty", &[]),
        "sunzi: empty: the file holds no number: write one a line\n"
    );
    let said = run(2, "third", &["--mod", "3"]);
    assert!(
        said.contains("third, line 1, column 3: the denominator 3 is 0 modulo 3"),
        "{said}"
    );
    assert_eq!(
        sandbox.succeed(&["sparse", "spmv", "none", "empty"]),
        "0\n0\n"
    );
    let outcome = sandbox.run(&["sparse", "spmv", "-", "-"]);
    assert_eq!(
        (outcome.code, outcome.stderr.as_str()),
        (Some(2), "sunzi: only one file can be standard input (-)\n")
    );
}

#[test]
fn systems_without_a_solution_by_conjugate_gradients_are_refused() {
    let sandbox = Sandbox::with(&[
        ("rectangle", &format!("{HEAD}1 2 1\n1 1 1\n")),
        ("crooked", &format!("{HEAD}2 2 3\n1 1 1\n2 2 1\n1 2 3\n")),
        ("negative", &format!("{HEAD}2 2 2\n1 1 1\n2 2 -1\n")),
        (
            "good",
            &format!("{HEAD}2 2 4\n1 1 4\n1 2 1\n2 1 1\n2 2 3\n"),
        ),
        ("b", "1\n2\n"),
    ]);
    for file in ["rectangle", "crooked", "negative"] {
        let said = sandbox.fail(1, &["sparse", "solve", file, "-o", "out"]);
        assert!(
            said.starts_with(&format!("sunzi: {file}: "))
                && said.contains("conjugate gradients need"),
            "{said}"
        );
    }
    let said = sandbox.fail(
        1,
        &["sparse", "solve", "good", "--iterations", "1", "-o", "out"],
    );
    assert!(said.contains("after 1 iteration"), "{said}");
    let found = sandbox.succeed(&["sparse", "solve", "good", "b"]);
    let x: Vec<f64> = found.lines().map(|line| line.parse().unwrap()).collect();
    assert!(
        (x[0] - 1.0 / 11.0).abs() < 1e-9 && (x[1] - 7.0 / 11.0).abs() < 1e-9,
        "{found}"
    );
    sandbox.fail(1, &["sparse", "solve", "good", "--tolerance", "nan"]);
}

#[test]
fn unknown_kinds_and_sizes_are_refused() {
    let sandbox = Sandbox::with(&[]);
    let said = sandbox.fail(2, &["sparse", "generate", "torus:3", "-o", "out"]);
    assert!(
        said.starts_with("sunzi: `torus` is no family of matrices: there are chessboard:M,N,K"),
        "{said}"
    );
    for kind in [
        "grid2d",
        "grid2d:3",
        "grid2d:3,x",
        "chessboard:1,2,3,4",
        "chessboard:99,99,2",
        "",
    ] {
        assert_ne!(
            sandbox.fail(2, &["sparse", "generate", kind, "-o", "out"]),
            "",
            "{kind}"
        );
    }
    let said = sandbox.fail(
        1,
        &["sparse", "generate", "grid2d:100000,100000", "-o", "out"],
    );
    assert!(said.contains("grid2d:100000,100000"), "{said}");
}

#[test]
fn wrong_usage_is_refused() {
    let sandbox = Sandbox::with(&[("m", &format!("{HEAD}2 2 1\n1 1 1\n"))]);
    for (code, arguments) in [
        (2, &["info"][..]),
        (2, &["turn", "m"]),
        (2, &["reorder", "m", "--method", "best"]),
        (2, &["reorder", "m", "--block", "0"]),
        (2, &["reorder", "m", "--fraction", "0"]),
        (2, &["reorder", "m", "--fraction", "1.5"]),
        (2, &["reorder", "m", "--fraction", "nan"]),
        (2, &["reorder", "m", "--rows", "-"]),
        (2, &["spmv", "m", "--repeat", "0"]),
        (2, &["spmv", "m", "--mod", "x"]),
        (1, &["spmv", "m", "--mod", "15"]),
        (2, &["cache", "m", "--words", "4", "--line", "8"]),
        (2, &["cache", "m", "--line", "0"]),
        (2, &["cache", "m", "--policy", "fifo"]),
        (2, &["show", "m"]),
        (2, &["show", "m", "-o", "-"]),
        (2, &["show", "m", "-o", "m.jpg"]),
        (2, &["show", "m", "-o", "absent/m.png"]),
        (2, &["info", "m", "--device", "cuda"]),
        (1, &["info", "m", "--max-memory", "10"]),
    ] {
        let said = sandbox.fail(code, &[&["sparse"], arguments].concat());
        assert_ne!(said, "", "{arguments:?}");
    }
    assert_eq!(
        sandbox.fail(2, &["sparse", "show", "m"]),
        "sunzi: a picture needs a file: name it with -o, such as -o m.png or -o m.svg\n"
    );
    assert_eq!(
        sandbox.fail(1, &["sparse", "info", "m", "--max-memory", "10"]),
        "sunzi: m: the matrix needs at least about 64 bytes of memory, and 10 bytes can be used\n"
    );
}

#[test]
fn random_bytes_never_crash_the_program() {
    let sandbox = Sandbox::with(&[]);
    let mut random = sunzi_testkit::Random::new(5);
    let alphabet = b"0123456789 -+.e\n\n\n\r\t%x\xff\0";
    for round in 0..40 {
        let mut text: Vec<u8> = match round % 2 {
            0 => HEAD.bytes().chain(*b"3 3 2\n").collect(),
            _ => HEAD.into(),
        };
        text.extend(random.text(alphabet, 40));
        sandbox.write("m", &text);
        for command in ["info", "spmv", "reorder", "cache", "solve"] {
            let outcome = sandbox.run(&["sparse", command, "m"]);
            assert!(matches!(outcome.code, Some(0..=2)), "{text:?}: {outcome:?}");
            assert!(!outcome.stderr.contains("panicked"), "{outcome:?}");
        }
    }
}
