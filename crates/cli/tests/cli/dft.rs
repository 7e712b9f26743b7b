//! `sunzi dft`, on good and on wrong input.

use crate::common::Sandbox;
use rug::Integer;
use sunzi_testkit::Random;

/// Primes, and the longest lengths that are tried.
const PRIMES: [(&str, usize); 10] = [
    ("469762049", 64),
    ("17", 16),
    ("31", 30),
    ("2^63-25", 60),
    ("2^64-2^32+1", 64),
    ("2^60-2^18+1", 64),
    ("P4", 64),
    ("P8", 128),
    ("(2^62+2^36)^16+1", 64),
    ("P2F", 16),
];

fn lines(values: &[Integer]) -> String {
    values.iter().map(|value| format!("{value}\n")).collect()
}

fn integers(text: &str) -> Vec<Integer> {
    text.lines().map(|line| line.parse().unwrap()).collect()
}

/// Seeded residues, with 0, 1 and p − 1 among them.
fn residues(count: usize, prime: &Integer, seed: u64) -> Vec<Integer> {
    (0..count)
        .map(|i| match i % 8 {
            3 => Integer::new(),
            4 => Integer::from(1),
            5 => Integer::from(prime - 1),
            _ => {
                Random::new(seed + 31 * i as u64)
                    .decimal(400)
                    .parse::<Integer>()
                    .unwrap()
                    % prime
            }
        })
        .collect()
}

#[test]
fn values_match_the_definition_and_come_back() {
    for (text, longest) in PRIMES {
        let sandbox = Sandbox::with(&[]);
        let prime = sandbox.prime(text);
        let units = Integer::from(&prime - 1);
        for count in (1..=longest).filter(|&count| units.is_divisible_u(count as u32)) {
            let x = residues(count, &prime, count as u64);
            sandbox.write("x", lines(&x).as_bytes());
            let found = sandbox.json(&["dft", "x", "--mod", text]);
            let root: Integer = found["details"]["root_of_unity"]
                .as_str()
                .unwrap()
                .parse()
                .unwrap();
            // Of that order and of no smaller one.
            let power = |e: usize| Integer::from(root.pow_mod_ref(&e.into(), &prime).unwrap());
            assert_eq!(power(count), 1, "{text}, {count} points");
            assert!((1..count).all(|e| power(e) != 1), "{text}, {count} points");
            // Horner's rule at the powers of the root.
            let mut point = Integer::from(1);
            let mut expected = Vec::new();
            for _ in 0..count {
                let value = x
                    .iter()
                    .rev()
                    .fold(Integer::new(), |value, x| (value * &point + x) % &prime);
                expected.push(value);
                point = point * &root % &prime;
            }
            let results: Vec<Integer> = found["results"]
                .as_array()
                .unwrap()
                .iter()
                .map(|value| value.as_str().unwrap().parse().unwrap())
                .collect();
            assert_eq!(results, expected, "{text}, {count} points");
            for threads in ["1", "2"] {
                let plain = sandbox.succeed(&["dft", "x", "--mod", text, "--threads", threads]);
                assert_eq!(integers(&plain), expected, "{text}, {count} points");
            }
            sandbox.write("values", lines(&expected).as_bytes());
            let back = sandbox.succeed(&["dft", "values", "--mod", text, "--inverse"]);
            assert_eq!(integers(&back), x, "{text}, {count} points");
        }
    }
}

#[test]
fn names_and_expressions_mean_the_same_field() {
    let sandbox = Sandbox::with(&[("x", "# head\n1\n\n  0x2 # two\n+3\n4")]);
    let named = sandbox.succeed(&["dft", "x", "--mod", "P8"]);
    let written = sandbox.succeed(&["dft", "x", "--mod", "(2^59+2^57+2^39)^8+1"]);
    assert_eq!(named, written);
    assert_eq!(named.lines().next(), Some("10"));
    let outcome = sandbox.run_with_input(&["dft", "-", "--mod", "17"], b"1\n2\n3\n4\n");
    assert_eq!(
        (outcome.code, outcome.stdout.as_str()),
        (Some(0), "10\n6\n15\n7\n")
    );
    assert_eq!(
        sandbox.succeed(&["dft", "x", "--mod", "17", "-o", "out"]),
        ""
    );
    assert_eq!(sandbox.read("out"), "10\n6\n15\n7\n");
}

#[test]
fn json_tells_what_ran() {
    let sandbox = Sandbox::with(&[("x", "1\n2\n3\n4\n")]);
    let found = sandbox.json(&["dft", "x", "--mod", "17", "--inverse"]);
    assert_eq!(found["command"], "dft");
    assert_eq!(found["inputs"]["modulus"], "17");
    assert_eq!(found["inputs"]["points"], 4);
    assert_eq!(found["inputs"]["inverse"], true);
    assert_eq!(found["details"]["root_of_unity"], "13");
    assert_eq!(found["results"].as_array().unwrap().len(), 4);
    assert!(found["algorithm"].is_string() && found["seconds"]["total"].is_number());
    sandbox.write("x", b"1\n2\n3\n");
    let found = sandbox.json(&["dft", "x", "--mod", "31"]);
    assert_eq!(found["inputs"]["points"], 3);
    assert_eq!(found["details"]["root_of_unity"], "25");
    assert_eq!(found["results"], serde_json::json!(["6", "4", "24"]));
    assert_eq!(found["algorithm"], "chirp");
    let explanation = found["explanation"].as_str().unwrap();
    assert!(
        explanation.starts_with("chirp transform of 3 points"),
        "{explanation}"
    );
}

#[test]
fn long_vectors_come_back() {
    for (text, count) in [
        ("469762049", 1 << 17),
        ("469762049", 7 << 14),
        ("P4", 1 << 12),
        ("P4", 55 << 5),
    ] {
        let x: String = (0..count)
            .map(|i| format!("{}\n", i * 3571 % 469_762_049))
            .collect();
        let sandbox = Sandbox::with(&[("x", &x)]);
        for threads in ["1", "2"] {
            sandbox.succeed(&[
                "dft",
                "x",
                "--mod",
                text,
                "-o",
                "values",
                "--threads",
                threads,
            ]);
            let back = sandbox.succeed(&[
                "dft",
                "values",
                "--mod",
                text,
                "--inverse",
                "--threads",
                threads,
            ]);
            assert!(back == x, "{text}");
            let values = sandbox.json(&["dft", "x", "--mod", text, "--threads", threads]);
            let values = values["results"].as_array().unwrap();
            let values: String = values
                .iter()
                .map(|v| format!("{}\n", v.as_str().unwrap()))
                .collect();
            assert!(values == sandbox.read("values"), "{text}");
        }
    }
}

/// Runs `dft x` with an output file.
fn refused(code: i32, modulus: &str, x: &str) -> String {
    let sandbox = Sandbox::with(&[("x", x)]);
    sandbox.fail(code, &["dft", "x", "--mod", modulus, "-o", "out"])
}

#[test]
fn lengths_without_a_transform_are_refused_and_the_remedy_told() {
    assert_eq!(
        refused(1, "17", "1\n2\n3\n"),
        "sunzi: x: the vector has 3 entries, but the number of points must divide p - 1: \
         append 1 zero for 4, or give the first 2 only\n"
    );
    let said = refused(1, "P8", &"5\n".repeat(100));
    assert!(
        said.contains("append 8 zeros for 108, or give the first 96 only"),
        "{said}"
    );
    // (2^60 − 2)^4 + 1: p − 1 = (2·179951·3203431780337)^4.
    assert_eq!(
        refused(1, "(2^60-2)^4+1", &"5\n".repeat(32)),
        "sunzi: x: the vector has 32 entries, but the number of points must divide p - 1: choose a prime p \
         with more factors in p - 1, such as 469762049 (2^26 and 7) or P8 (2^312, 3^8 …), as the next \
         length here is 179951, or give the first 16 only\n"
    );
}

#[test]
fn vectors_that_are_longer_than_any_transform_are_not_read_to_their_end() {
    for count in [17, 20, 32, 100_000] {
        let mut x = "5\n".repeat(count);
        if count > 50_000 {
            x += "no number\n";
        }
        assert_eq!(
            refused(1, "17", &x),
            "sunzi: x: the vector has more than 16 entries, but the number of points must divide \
             p - 1 = 16: give the first 16 only, or choose a prime p with more factors in p - 1, such as \
             469762049 (2^26 and 7) or P8 (2^312, 3^8 …)\n"
        );
    }
}

#[test]
fn wrong_entries_are_located() {
    assert_eq!(
        refused(2, "97", "1\n# comment\n  1/194\n4\n"),
        "sunzi: x, line 3, column 5: the denominator 194 is 0 modulo 97, so that there is no such residue\n"
    );
    assert_eq!(
        refused(2, "97", "1\n2 3\n"),
        "sunzi: x, line 2, column 2: a space is not a decimal digit: write one integer a line\n"
    );
    let said = refused(2, "P8", "1\n2z\n");
    assert!(
        said.starts_with("sunzi: x, line 2, column 2: 'z' is not"),
        "{said}"
    );
    for empty in ["", "\n\n", "# nothing\n"] {
        assert_eq!(
            refused(2, "97", empty),
            "sunzi: x: the file holds no integer: write one a line\n"
        );
    }
}

#[test]
fn the_prime_itself_is_0_and_the_one_below_stays() {
    let sandbox = Sandbox::with(&[]);
    for (text, _) in PRIMES {
        let prime = sandbox.prime(text);
        let below = Integer::from(&prime - 1);
        sandbox.write("x", format!("{below}\n").as_bytes());
        assert_eq!(
            sandbox.succeed(&["dft", "x", "--mod", text]),
            format!("{below}\n")
        );
        sandbox.write("x", format!("{prime}\n").as_bytes());
        assert_eq!(sandbox.succeed(&["dft", "x", "--mod", text]), "0\n");
    }
}

#[test]
fn the_first_error_in_the_file_is_told_whatever_the_threads() {
    let mut x: Vec<String> = (0..40_000).map(|i| i.to_string()).collect();
    x[20_000] = "x".to_owned();
    x[30_000] = "\0".to_owned();
    let sandbox = Sandbox::with(&[("x", &x.join("\n"))]);
    for threads in ["1", "2", "4"] {
        let said = sandbox.fail(2, &["dft", "x", "--mod", "P4", "--threads", threads]);
        assert_eq!(
            said,
            "sunzi: x, line 20001, column 1: 'x' is not a decimal digit\n"
        );
    }
}

#[test]
fn wrong_usage_and_wrong_moduli_are_refused() {
    let sandbox = Sandbox::with(&[("x", "1\n2\n")]);
    for (code, arguments) in [
        (2, &["dft"][..]),
        (2, &["dft", "x"]),
        (2, &["dft", "x", "--mod"]),
        (2, &["dft", "x", "y", "--mod", "17"]),
        (2, &["dft", "absent", "--mod", "17"]),
        (2, &["dft", "x", "--mod", "P9"]),
        (2, &["dft", "x", "--mod", ""]),
        (1, &["dft", "x", "--mod", "15"]),
        (1, &["dft", "x", "--mod", "2"]),
        (1, &["dft", "x", "--mod", "10^8+1"]),
        (1, &["dft", "x", "--mod", "(2^40)^2+1"]),
        (1, &["dft", "x", "--mod", "2^100"]),
        (1, &["dft", "x", "--mod", "17", "--max-memory", "1"]),
    ] {
        assert_ne!(sandbox.fail(code, arguments), "", "{arguments:?}");
    }
    let said = sandbox.fail(1, &["dft", "x", "--mod", "17", "--max-memory", "20"]);
    assert!(
        said.contains("of memory, and 20 bytes can be used"),
        "{said}"
    );
    // 7·64 points need more than as many as a power of two would: known once all are read.
    sandbox.write("x", "1\n".repeat(448).as_bytes());
    let limited = |bytes| ["dft", "x", "--mod", "469762049", "--max-memory", bytes];
    let said = sandbox.fail(1, &limited("11K"));
    assert!(
        said.contains("of memory, and 11.0 KiB can be used"),
        "{said}"
    );
    sandbox.succeed(&limited("1M"));
}

#[test]
fn random_bytes_never_crash_the_program() {
    let sandbox = Sandbox::with(&[]);
    let mut random = sunzi_testkit::Random::new(5);
    let alphabet = b"0123456789 -+x#\n\n\n\r\t.z\xff\0";
    for _ in 0..40 {
        let text = random.text(alphabet, 40);
        sandbox.write("x", &text);
        for modulus in ["97", "P4"] {
            let outcome = sandbox.run(&["dft", "x", "--mod", modulus]);
            assert!(matches!(outcome.code, Some(0..=2)), "{text:?}: {outcome:?}");
            assert!(!outcome.stderr.contains("panicked"), "{outcome:?}");
        }
    }
}
