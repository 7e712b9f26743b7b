//! Wrong, empty and hostile input: the exit code, the sentence, and no file left behind.

use crate::common::Sandbox;
use sunzi_testkit::Random;

/// Runs `int mul a b` with these files and an output file.
fn integers(code: i32, a: &str, b: &str) -> String {
    let sandbox = Sandbox::with(&[("a", a), ("b", b)]);
    sandbox.fail(code, &["int", "mul", "a", "b", "-o", "out"])
}

/// Runs `poly mul a a --mod 97` with an output file.
fn residues(a: &str) -> String {
    let sandbox = Sandbox::with(&[("a", a)]);
    sandbox.fail(2, &["poly", "mul", "a", "a", "--mod", "97", "-o", "out"])
}

fn modulus(code: i32, text: &str) -> String {
    let sandbox = Sandbox::with(&[("a", "1 2\n")]);
    let said = sandbox.fail(code, &["poly", "mul", "a", "a", "-o", "out", "--mod", text]);
    // Of numbers that are no primes `prime` says just that.
    let of_prime = sandbox.fail(code, &["prime", text, "-o", "out"]);
    assert!(of_prime == said || code == 1, "{of_prime}");
    said
}

#[test]
fn letters_in_a_number_are_located() {
    let said = integers(2, "1\n # comment\n  12z4\n", "1\n2\n");
    assert_eq!(
        said,
        "sunzi: a, line 3, column 5: 'z' is not a decimal digit\n"
    );
    let said = integers(2, "1\n2\n", "0x1\n0x1g\n");
    assert_eq!(
        said,
        "sunzi: b, line 2, column 4: 'g' is not a hexadecimal digit\n"
    );
    let said = integers(2, "1_000\n", "1\n");
    assert_eq!(
        said,
        "sunzi: a, line 1, column 2: '_' is not a decimal digit\n"
    );
    let said = integers(2, "-\n", "1\n");
    assert_eq!(
        said,
        "sunzi: a, line 1, column 2: a sign has no digits after it\n"
    );
    let said = integers(2, "1\n1 2\n", "1\n2\n");
    assert_eq!(
        said,
        "sunzi: a, line 2, column 2: a space is not a decimal digit: write one integer a line\n"
    );
}

#[test]
fn the_first_error_in_the_order_of_lines_is_told_whatever_the_threads() {
    let mut lines: Vec<String> = (0..9_000).map(|i| i.to_string()).collect();
    lines[4_000] = "x".to_owned();
    lines[8_000] = "y".to_owned();
    let sandbox = Sandbox::with(&[("a", &lines.join("\n")), ("b", &"7\n".repeat(9_000))]);
    for threads in ["1", "2", "4"] {
        let said = sandbox.fail(2, &["int", "mul", "b", "a", "--threads", threads]);
        assert_eq!(
            said,
            "sunzi: a, line 4001, column 1: 'x' is not a decimal digit\n"
        );
    }
}

#[test]
fn missing_lines_are_named() {
    let said = integers(2, "1\n2\n3\n", "1\n\n2\n");
    assert_eq!(
        said,
        "sunzi: b, line 4: a line is missing: the file ends after 2 integers, but a has number 3 in line 3\n"
    );
    let said = integers(2, "1\n2\n", "# head\n1\n2\n3\n");
    assert!(
        said.starts_with("sunzi: a, line 3: a line is missing"),
        "{said}"
    );
    let sandbox = Sandbox::with(&[("a", "1\n1\n"), ("b", "1\n1\n1\n")]);
    let said = sandbox.fail(2, &["poly", "mul", "a", "b", "--mod", "7", "-o", "out"]);
    assert!(
        said.contains("after 2 polynomials, but b has number 3 in line 3"),
        "{said}"
    );
}

#[test]
fn empty_files_are_refused() {
    for empty in ["", "\n\n", "# nothing\n", "   "] {
        assert_eq!(
            integers(2, empty, "1\n"),
            "sunzi: a: the file holds no integer: write one a line\n"
        );
        assert_eq!(
            integers(2, "1\n2\n", empty),
            "sunzi: b: the file holds no integer: write one a line\n"
        );
    }
    assert_eq!(
        residues(""),
        "sunzi: a: the file holds no polynomial: write one a line\n"
    );
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let sandbox = Sandbox::with(&[("a", "1\n")]);
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    let said = sandbox.fail(2, &["int", "mul", "a", "absent", "-o", "out"]);
    assert_eq!(
        said,
        "sunzi: absent: the file cannot be opened: no such file or directory\n"
    );
    let said = sandbox.fail(2, &["int", "mul", "folder", "a"]);
    assert_eq!(said, "sunzi: folder: this is a folder, not a file\n");
    let said = sandbox.fail(2, &["int", "mul", "-", "-"]);
    assert_eq!(said, "sunzi: only one file can be standard input (-)\n");
}

#[test]
fn files_that_are_no_plain_text_are_refused() {
    let sandbox = Sandbox::with(&[("b", "1\n")]);
    for (bytes, words) in [
        (&b"\xff\xfe1\x002\x00"[..], "UTF-16"),
        (b"12\x0034\n", "NUL byte"),
        (b"\x00", "NUL byte"),
    ] {
        sandbox.write("a", bytes);
        let said = sandbox.fail(2, &["int", "mul", "a", "b", "-o", "out"]);
        assert!(
            said.starts_with("sunzi: a, line 1, column ") && said.contains(words),
            "{said}"
        );
    }
    sandbox.write("a", b"12\xc3\xa9\n");
    let said = sandbox.fail(2, &["int", "mul", "a", "b"]);
    assert_eq!(
        said,
        "sunzi: a, line 1, column 3: the byte 0xc3 is not a decimal digit\n"
    );
}

#[test]
fn coefficients_without_a_residue_are_located() {
    assert_eq!(
        residues("1 2 3\n4 1/97 5\n"),
        "sunzi: a, line 2, column 5: the denominator 97 is 0 modulo 97, so that there is no such residue\n"
    );
}

#[test]
fn coefficients_of_a_big_field_are_located() {
    let refused = |a: &str| {
        let sandbox = Sandbox::with(&[("a", a)]);
        sandbox.fail(2, &["poly", "mul", "a", "a", "--mod", "P8", "-o", "out"])
    };
    let said = refused("1 2 3z\n");
    assert_eq!(
        said,
        "sunzi: a, line 1, column 6: 'z' is not a decimal digit\n"
    );
}

#[test]
fn huge_coefficients_are_reduced_quickly() {
    let start = std::time::Instant::now();
    let sandbox = Sandbox::with(&[("a", &format!("1 {}\n", "9".repeat(10_000_000)))]);
    // 10^10000000 - 1, where 10 has the order 96.
    let ten = (0..10_000_000 % 96).fold(1, |power, _| power * 10 % 97);
    assert_eq!(
        sandbox.succeed(&["poly", "mul", "a", "-e", "1", "--mod", "97"]),
        format!("1 {}\n", ten - 1)
    );
    assert!(start.elapsed().as_secs() < 60);
}

#[test]
fn lines_that_may_be_lists_or_expressions_are_refused() {
    for (line, column) in [
        ("1 - 2", 3),
        ("1 + 2", 3),
        ("1 2 -", 5),
        ("1-2", 2),
        ("- 5", 1),
        ("--5", 1),
        ("2 x", 3),
        ("12\tX", 4),
        ("-3 x", 4),
    ] {
        let said = residues(&format!("{line}\n"));
        assert!(
            said.starts_with(&format!("sunzi: a, line 1, column {column}: ")),
            "{line}: {said}"
        );
        assert!(said.contains("list of coefficients"), "{line}: {said}");
    }
    let sandbox = Sandbox::with(&[("a", "x - 2\n2*x\n2x\n2 x + 1\n3 x^2\n1 -2\n(1 - 2)\n")]);
    assert_eq!(
        sandbox.succeed(&["poly", "mul", "a", "a"]),
        "4 -4 1\n0 0 4\n0 0 4\n1 4 4\n0 0 0 0 9\n1 -4 4\n1\n"
    );
}

#[test]
fn wrong_polynomials_are_located() {
    assert_eq!(
        residues("1 2 3z\n"),
        "sunzi: a, line 1, column 6: 'z' is not a decimal digit\n"
    );
    assert_eq!(
        residues("1 2.5.1\n"),
        "sunzi: a, line 1, column 6: a number has two decimal points\n"
    );
    let said = residues("1\n  3*x^2 + + * 4\n");
    assert_eq!(
        said,
        "sunzi: a, line 2, column 13: unexpected '*': write a sum of terms such as 3*x^2 - 2*x + 1\n"
    );
    let said = residues("3*x^\n");
    assert!(
        said.contains("line 1, column 5: the exponent is missing"),
        "{said}"
    );
    let said = residues("2*y^2\n");
    assert!(
        said.contains("line 1, column 3: there is no variable `y`: the variable is x"),
        "{said}"
    );
    let said = residues("t + 1\n");
    assert!(
        said.contains("line 1, column 1: there is no variable `t`"),
        "{said}"
    );
    for hostile in [
        "x^99999999999999999999",
        "x^100000000",
        "(x+1)^1000000",
        "9^99999999",
        "((x^4000)^4000)^4000",
    ] {
        let said = residues(hostile);
        assert!(said.contains("as coefficients"), "{hostile}: {said}");
    }
    let deep = format!("{}x{}", "(".repeat(50_000), ")".repeat(50_000));
    assert!(residues(&deep).contains("parentheses are nested more than 64 deep"));
}

#[test]
fn moduli_that_have_no_field_are_refused() {
    assert_eq!(
        modulus(1, "10"),
        "sunzi: the modulus 10 is even: give an odd prime\n"
    );
    assert_eq!(
        modulus(1, "91"),
        "sunzi: the modulus 91 is not prime, 7 divides it: give an odd prime\n"
    );
    assert_eq!(
        modulus(1, "2^32+1"),
        "sunzi: 2^32+1: the modulus 4294967297 is not prime, 641 divides it: give an odd prime\n"
    );
    let square = modulus(1, "(2^31-1)^2");
    assert!(square.contains("2147483647 divides it"), "{square}");
    for small in ["0", "1"] {
        assert!(modulus(1, small).contains("too small"));
    }
    assert!(modulus(1, "2").contains("odd prime"));
    for large in ["2^64", "2^64+3", "99999999999999999999999999", "2^2^60"] {
        assert!(modulus(1, large).contains("too large"), "{large}");
    }
    assert!(modulus(1, "2^64+13").contains("a prime r^k+1 with k = 2, 4 … 256"));
    let composite = modulus(1, "(2^59+2^57+2^40)^8+1");
    assert!(composite.contains("is not prime"), "{composite}");
    let composite = modulus(1, "2^64+1");
    assert!(
        composite.contains("4294967296^2+1 is not prime"),
        "{composite}"
    );
}

#[test]
fn moduli_that_are_no_numbers_are_wrong_usage() {
    assert!(modulus(2, "").contains("column 1"));
    assert!(modulus(2, "-7").contains("negative"));
    assert!(modulus(2, "2^").contains("column 3"));
    assert!(modulus(2, "seven").contains("unexpected `s`"));
    assert!(modulus(2, "7.0").contains("column 2"));
}

#[test]
fn too_little_memory_is_told_before_the_start() {
    let line = "123456789".repeat(1_000);
    let sandbox = Sandbox::with(&[("a", &line), ("f", &"1 2 3 ".repeat(1_000))]);
    let said = sandbox.fail(
        1,
        &["int", "mul", "a", "a", "--max-memory", "20K", "-o", "out"],
    );
    assert!(
        said.contains("a, line 1, times a, line 1: the product needs about"),
        "{said}"
    );
    assert!(said.contains("20.0 KiB can be used"), "{said}");
    let said = sandbox.fail(
        1,
        &[
            "poly",
            "mul",
            "f",
            "f",
            "--mod",
            "97",
            "--max-memory",
            "10K",
            "-o",
            "out",
        ],
    );
    assert!(
        said.contains("of memory, and 10.0 KiB can be used"),
        "{said}"
    );
    sandbox.succeed(&["int", "mul", "a", "a", "--max-memory", "1G"]);
}

#[test]
fn wrong_usage_ends_with_two() {
    let sandbox = Sandbox::with(&[("a", "1\n")]);
    let wrong: [&[&str]; 14] = [
        &[],
        &["int"],
        &["poly"],
        &["divide"],
        &["int", "mul"],
        &["int", "mul", "a"],
        &["int", "mul", "a", "a", "a"],
        &["int", "mul", "a", "a", "--threads", "0"],
        &["int", "mul", "a", "a", "--threads", "many"],
        &["int", "mul", "a", "a", "--device", "tpu"],
        &["int", "mul", "a", "a", "--device", "any"],
        &["int", "mul", "a", "a", "--device", "opencl:x"],
        &["int", "mul", "a", "a", "--max-memory", "lots"],
        &["poly", "mul", "a", "a", "--mod"],
    ];
    for arguments in wrong {
        assert_ne!(sandbox.fail(2, arguments), "", "{arguments:?}");
    }
}

#[test]
fn random_bytes_never_crash_the_program() {
    let sandbox = Sandbox::with(&[]);
    let mut random = Random::new(11);
    let alphabet = b"0123456789 -+x^*()#\n\r\t.zX\xff";
    for _ in 0..60 {
        let text = random.text(alphabet, 64);
        sandbox.write("a", &text);
        for arguments in [
            &["int", "mul", "a", "a"][..],
            &["poly", "mul", "a", "a"],
            &["poly", "mul", "a", "a", "--mod", "97"],
            &["poly", "mul", "a", "a", "--mod", "P4"],
        ] {
            let outcome = sandbox.run(arguments);
            assert!(matches!(outcome.code, Some(0 | 2)), "{text:?}: {outcome:?}");
        }
    }
}
