//! Wrong and hostile input of the commands on polynomials modulo a prime.

use crate::common::Sandbox;
use sunzi_testkit::Random;

/// Commands whose files both hold polynomials.
const PAIRS: [&str; 4] = ["divrem", "gcd", "xgcd", "resultant"];

/// Runs `poly verb a b --mod P` with these files and an output file.
fn refused(code: i32, verb: &str, a: &str, b: &str, prime: &str) -> String {
    let sandbox = Sandbox::with(&[("a", a), ("b", b)]);
    sandbox.fail(code, &["poly", verb, "a", "b", "--mod", prime, "-o", "out"])
}

#[test]
fn division_by_zero_cannot_be_done() {
    for (a, b, lines) in [
        ("1 2\n", "0\n", (1, 1)),
        ("0", "0 0 0", (1, 1)),
        ("x\nx\nx\n", "1\n\nx + 1\nx*0\n", (3, 4)),
    ] {
        let (first, second) = lines;
        assert_eq!(
            refused(1, "divrem", a, b, "97"),
            format!(
                "sunzi: a, line {first}, divided by b, line {second}: division by the zero polynomial\n"
            )
        );
    }
}

#[test]
fn empty_files_are_refused() {
    for empty in ["", "\n \n", "# nothing\n"] {
        let polynomial =
            |name| format!("sunzi: {name}: the file holds no polynomial: write one a line\n");
        let integer =
            |name| format!("sunzi: {name}: the file holds no integer: write one a line\n");
        for verb in PAIRS {
            assert_eq!(refused(2, verb, empty, "1", "97"), polynomial("a"));
            assert_eq!(refused(2, verb, "1\n2", empty, "97"), polynomial("b"));
        }
        assert_eq!(refused(2, "eval", empty, "1", "97"), polynomial("a"));
        assert_eq!(refused(2, "eval", "1 2", empty, "97"), integer("b"));
        assert_eq!(refused(2, "interp", empty, "1", "97"), integer("a"));
        assert_eq!(refused(2, "interp", "1", empty, "97"), integer("b"));
    }
}

#[test]
fn wrong_polynomials_are_located() {
    for verb in PAIRS {
        assert_eq!(
            refused(2, verb, "1 2\n3 z4\n", "1 1", "97"),
            "sunzi: a, line 2, column 3: there is no variable `z4`: the variable is x, and --var names another\n"
        );
        assert_eq!(
            refused(2, verb, "1 2", "# head\n 4 1/97\n", "97"),
            "sunzi: b, line 2, column 6: the denominator 97 is 0 modulo 97, so that there is no such residue\n"
        );
        let said = refused(2, verb, "x^2 + + *", "1", "97");
        assert!(
            said.starts_with("sunzi: a, line 1, column 9: unexpected '*'"),
            "{said}"
        );
        let said = refused(2, verb, "x", "(x+1)^1000000", "97");
        assert!(
            said.starts_with("sunzi: b, line 1, column ") && said.contains("as coefficients"),
            "{said}"
        );
        let said = refused(2, verb, "1\n2\n3\n", "1\n2\n", "97");
        assert_eq!(
            said,
            "sunzi: b, line 3: a line is missing: the file ends after 2 polynomials, but a has number 3 in line 3\n"
        );
    }
    assert_eq!(
        refused(2, "eval", "1 2\n1 2.5z\n", "1\n", "97"),
        "sunzi: a, line 2, column 6: 'z' is not a decimal digit\n"
    );
}

#[test]
fn wrong_points_and_values_are_located() {
    for verb in ["eval", "interp"] {
        let wrong = |b: &str| refused(2, verb, "1\n", b, "97");
        assert_eq!(
            wrong("1\n# comment\n  1/97\n4\n"),
            "sunzi: b, line 3, column 5: the denominator 97 is 0 modulo 97, so that there is no such residue\n"
        );
        assert_eq!(
            wrong("1\n2 3\n"),
            "sunzi: b, line 2, column 2: a space is not a decimal digit: write one integer a line\n"
        );
        assert_eq!(
            wrong("1\n2z\n"),
            "sunzi: b, line 2, column 2: 'z' is not a decimal digit\n"
        );
        // Points are no expressions.
        assert!(wrong("1\nx\n").starts_with("sunzi: b, line 2, column 1: 'x' is not"));
        assert!(wrong("1\0").contains("NUL byte"));
    }
    assert_eq!(
        refused(2, "interp", "1\n\n 5z\n", "1\n2\n", "97"),
        "sunzi: a, line 3, column 3: 'z' is not a decimal digit\n"
    );
}

#[test]
fn equal_points_are_named_by_their_lines() {
    for prime in ["97", "2^60-2^18+1", "P4"] {
        assert_eq!(
            refused(
                1,
                "interp",
                "# points\n4\n5\n\n0x4 # again\n5\n",
                "1\n1\n1\n1\n",
                prime
            ),
            "sunzi: a, line 5: the same point as in line 2: interpolation needs distinct points\n"
        );
        // More points than a plain method takes.
        let points: String = (0..90).map(|i| format!("{i}\n")).collect();
        let values = "7\n".repeat(91);
        assert_eq!(
            refused(1, "interp", &format!("{points}33\n"), &values, prime),
            "sunzi: a, line 91: the same point as in line 34: interpolation needs distinct points\n"
        );
    }
    // There are no four different points.
    let said = refused(1, "interp", "0\n1\n2\n1\n", "0\n1\n2\n0\n", "3");
    assert!(
        said.contains("a, line 4: the same point as in line 2"),
        "{said}"
    );
}

#[test]
fn as_many_values_as_points_are_needed() {
    assert_eq!(
        refused(2, "interp", "1\n2\n3\n", "# head\n1\n\n2\n", "97"),
        "sunzi: b, line 5: a line is missing: the file ends after 2 integers, but a has number 3 in line 3\n"
    );
    assert_eq!(
        refused(2, "interp", "5\n", "1\n2\n3\n", "97"),
        "sunzi: a, line 2: a line is missing: the file ends after 1 integer, but b has number 2 in line 2\n"
    );
    // One line goes with many for polynomials only.
    assert!(refused(2, "interp", "1\n2\n", "1\n", "97").contains("a line is missing"));
}

#[test]
fn wrong_usage_ends_with_two() {
    let sandbox = Sandbox::with(&[("a", "1\n2\n")]);
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    for verb in ["divrem", "gcd", "xgcd", "resultant", "eval", "interp"] {
        let wrong: [&[&str]; 9] = [
            &[],
            &["a"],
            &["a", "a", "a", "--mod", "97"],
            &["a", "a", "--mod"],
            &["a", "a", "--mod", "P9"],
            &["a", "a", "--mod", "97", "--algorithm", "plain"],
            &["a", "absent", "--mod", "97"],
            &["absent", "a", "--mod", "97"],
            &["a", "folder", "--mod", "97"],
        ];
        for arguments in wrong {
            let said = sandbox.fail(2, &[&["poly", verb], arguments].concat());
            assert_ne!(said, "", "{verb} {arguments:?}");
        }
        assert_eq!(
            sandbox.fail(2, &["poly", verb, "a", "absent", "--mod", "97"]),
            "sunzi: absent: the file cannot be opened: no such file or directory\n"
        );
        assert_eq!(
            sandbox.fail(2, &["poly", verb, "-", "-", "--mod", "97"]),
            "sunzi: only one file can be standard input (-)\n"
        );
        for modulus in ["15", "2", "2^64+13"] {
            let arguments = ["poly", verb, "a", "a", "--mod", modulus, "-o", "out"];
            assert_ne!(sandbox.fail(1, &arguments), "", "{verb} mod {modulus}");
        }
    }
    for verb in ["resultant", "eval"] {
        // Their results are no polynomials.
        sandbox.fail(2, &["poly", verb, "a", "a", "--mod", "97", "--pretty"]);
    }
}

#[test]
fn too_little_memory_is_told_before_the_start() {
    let line = "1 2 3 ".repeat(1000);
    let sandbox = Sandbox::with(&[("f", &line), ("v", &"5\n".repeat(1000))]);
    for (verb, files, words) in [
        (
            "divrem",
            ["f", "f"],
            "f, line 1, divided by f, line 1: the division needs about ",
        ),
        (
            "gcd",
            ["f", "f"],
            "f, line 1, and f, line 1: the gcd needs about ",
        ),
        ("xgcd", ["f", "f"], "the gcd needs about "),
        (
            "resultant",
            ["f", "f"],
            "f, line 1, and f, line 1: the resultant needs about ",
        ),
        (
            "eval",
            ["f", "v"],
            "v: the evaluation needs at least about ",
        ),
        (
            "interp",
            ["v", "v"],
            "v: the interpolation needs at least about ",
        ),
    ] {
        let [first, second] = files;
        let command = ["poly", verb, first, second, "--mod", "97", "--max-memory"];
        let said = sandbox.fail(1, &[&command[..], &["10K", "-o", "out"]].concat());
        assert!(said.contains(words), "{said}");
        assert!(
            said.contains("of memory, and 10.0 KiB can be used"),
            "{said}"
        );
        if verb != "interp" {
            sandbox.succeed(&[&command[..], &["1G"]].concat());
        }
    }
    // The tree fits, but not what the polynomial takes beside it.
    let command = [
        "poly",
        "eval",
        "f",
        "v",
        "--mod",
        "97",
        "--max-memory",
        "150K",
    ];
    let said = sandbox.fail(1, &command);
    assert!(
        said.contains("f, line 1: the evaluation needs about"),
        "{said}"
    );
}

#[test]
fn an_error_in_the_last_line_keeps_the_old_file() {
    let lines = "7 1\n".repeat(30_000) + "x y\n";
    let sandbox = Sandbox::with(&[
        ("a", &lines),
        ("b", "1 1"),
        ("points", "1\n"),
        ("out", "old\n"),
    ]);
    for (verb, second) in [("divrem", "b"), ("gcd", "b"), ("eval", "points")] {
        let said = sandbox.fail(2, &["poly", verb, "a", second, "--mod", "97", "-o", "out"]);
        assert!(said.starts_with("sunzi: a, line 30001, column "), "{said}");
        assert_eq!(sandbox.read("out"), "old\n");
    }
}

#[test]
fn the_first_error_in_the_order_of_lines_is_told_whatever_the_threads() {
    let mut lines: Vec<&str> = vec!["3 1"; 9_000];
    lines[4_000] = "0";
    let zero = lines.join("\n");
    lines[5_000] = "z";
    let both = lines.join("\n");
    let sandbox = Sandbox::with(&[("a", "1 1"), ("zero", &zero), ("both", &both)]);
    for threads in ["1", "2", "4"] {
        let run = |code, file| {
            sandbox.fail(
                code,
                &[
                    "poly",
                    "divrem",
                    "a",
                    file,
                    "--mod",
                    "97",
                    "--threads",
                    threads,
                ],
            )
        };
        assert_eq!(
            run(1, "zero"),
            "sunzi: a, line 1, divided by zero, line 4001: division by the zero polynomial\n"
        );
        // What cannot be read in a batch is told before what cannot be computed in it.
        assert_eq!(
            run(2, "both"),
            "sunzi: both, line 5001, column 1: there is no variable `z`: the variable is x, and --var names another\n"
        );
    }
}

#[test]
fn random_bytes_never_crash_the_program() {
    let sandbox = Sandbox::with(&[("b", "1 2 3\n")]);
    let mut random = Random::new(9);
    let alphabet = b"0123456789 -+x^*()#\n\n\n\r\t.zX\xff\0";
    for _ in 0..30 {
        let text = random.text(alphabet, 40);
        sandbox.write("a", &text);
        for verb in ["divrem", "gcd", "xgcd", "resultant", "eval", "interp"] {
            for (first, second) in [("a", "b"), ("b", "a"), ("a", "a")] {
                for prime in ["97", "P4"] {
                    let outcome = sandbox.run(&["poly", verb, first, second, "--mod", prime]);
                    assert!(matches!(outcome.code, Some(0..=2)), "{text:?}: {outcome:?}");
                    assert!(
                        !outcome.stderr.contains("panicked"),
                        "{text:?}: {outcome:?}"
                    );
                }
            }
        }
    }
}
