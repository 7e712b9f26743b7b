//! `sunzi poly mul` on good input.

use crate::common::{Sandbox, examples};
use rug::Integer;
use sunzi_testkit as testkit;
use sunzi_testkit::Random;

const PRIMES: [&str; 12] = [
    "3",
    "469762049",
    "2147483647",
    "1125899906842597",
    "2^60-2^18+1",
    "9223372036854775783",
    "2^64-2^32+1",
    "P4",
    "P8",
    "P8F",
    "(2^62+2^36)^16+1",
    "P2F",
];

fn line(coefficients: &[Integer]) -> String {
    let words: Vec<String> = coefficients.iter().map(Integer::to_string).collect();
    words.join(" ")
}

/// A polynomial of this many coefficients below a bound, the last one not zero.
fn random(count: usize, bound: &Integer, seed: u64) -> Vec<Integer> {
    let mut values: Vec<Integer> = (0..count)
        .map(|i| {
            Random::new(seed + i as u64 * 7919)
                .decimal(700)
                .parse::<Integer>()
                .unwrap()
                % bound
        })
        .collect();
    if let Some(last) = values.last_mut() {
        *last = Integer::from(bound - 1);
    }
    values
}

#[test]
fn coefficients_and_expressions_are_the_same_polynomials() {
    let sandbox = Sandbox::with(&[
        (
            "a",
            "1 -2 3\n3*x^2 - 2*x + 1\n0\nx^3\n(x+1)^2\n5\n0 0 7 0 0\n",
        ),
        ("b", "-1 0 1\nx^2-1\n1 2 3\n-x\nx - 1\n0x10\n2x\n"),
    ]);
    let expected = "-1 2 -2 -2 3\n-1 2 -2 -2 3\n0\n0 0 0 0 -1\n-1 -1 1 1\n80\n0 0 0 14\n";
    assert_eq!(sandbox.succeed(&["poly", "mul", "a", "b"]), expected);
}

#[test]
fn products_modulo_primes_are_reduced() {
    let sandbox = Sandbox::with(&[
        ("a", "6 5\n# comment\nx - 2^3\n1 6 # end\n0\n"),
        ("b", "6 5"),
    ]);
    let expected = "1 4 4\n1 1 5\n6 6 2\n0\n";
    assert_eq!(
        sandbox.succeed(&["poly", "mul", "a", "b", "--mod", "7"]),
        expected
    );
    assert_eq!(
        sandbox.succeed(&["poly", "mul", "b", "a", "--mod", "2^3-1"]),
        expected
    );
}

#[test]
fn modular_products_match_the_definition_for_every_thread_count() {
    for (index, text) in PRIMES.into_iter().enumerate() {
        let sandbox = Sandbox::with(&[]);
        let prime = sandbox.prime(text);
        for (length_a, length_b) in [(1, 1), (2, 1), (17, 40), (300, 280), (700, 30)] {
            let seed = 100 * index as u64;
            let (a, b) = (
                random(length_a, &prime, seed),
                random(length_b, &prime, seed + 1),
            );
            let expected: Vec<Integer> = testkit::convolution(&a, &b)
                .into_iter()
                .map(|value| value % &prime)
                .collect();
            sandbox.write("a", line(&a).as_bytes());
            sandbox.write("b", line(&b).as_bytes());
            for threads in ["1", "2"] {
                let found = sandbox.succeed(&[
                    "poly",
                    "mul",
                    "a",
                    "b",
                    "--mod",
                    text,
                    "--threads",
                    threads,
                ]);
                assert!(
                    found == line(&expected) + "\n",
                    "{text}, {length_a} × {length_b}, {threads} threads"
                );
            }
        }
    }
}

#[test]
fn products_over_the_integers_match_the_definition() {
    let sandbox = Sandbox::with(&[]);
    for (length_a, length_b, digits) in [
        (1, 1, 1),
        (3, 50, 18),
        (200, 150, 19),
        (64, 65, 150),
        (20, 500, 39),
    ] {
        let bound = Integer::from(Integer::u_pow_u(10, digits));
        let (a, mut b) = (random(length_a, &bound, 5), random(length_b, &bound, 6));
        for value in b.iter_mut().step_by(3) {
            *value = -value.clone();
        }
        sandbox.write("a", line(&a).as_bytes());
        sandbox.write("b", line(&b).as_bytes());
        let expected = line(&testkit::convolution(&a, &b)) + "\n";
        for threads in ["1", "2"] {
            let found = sandbox.succeed(&["poly", "mul", "a", "b", "--threads", threads]);
            assert!(
                found == expected,
                "{length_a} × {length_b}, {digits} digits"
            );
        }
    }
}

#[test]
fn every_algorithm_gives_the_same_product() {
    let prime = Integer::from(469_762_049);
    let (a, b) = (random(300, &prime, 1), random(256, &prime, 2));
    let sandbox = Sandbox::with(&[("a", &line(&a)), ("b", &line(&b))]);
    for modulus in [
        &["--mod", "469762049"][..],
        &["--mod", "469762051"],
        &["--mod", "2^60-2^18+1"],
        &["--mod", "P4"],
        &["--mod", "(2^60-2)^4+1"],
        &[],
    ] {
        let command = [&["poly", "mul", "a", "b"], modulus].concat();
        let expected = sandbox.run(&command);
        if modulus.contains(&"469762051") {
            // A composite: refused before any algorithm is looked at.
            assert_eq!(expected.code, Some(1));
            continue;
        }
        assert_eq!(expected.code, Some(0));
        let names = sandbox.fail(2, &[&command[..], &["--algorithm", "magic"]].concat());
        let names = names
            .trim()
            .rsplit("the names are ")
            .next()
            .unwrap()
            .to_owned();
        let mut ran = 0;
        for name in names.split(", ") {
            let outcome = sandbox.run(&[&command[..], &["--algorithm", name]].concat());
            match outcome.code {
                Some(0) => {
                    assert!(outcome.stdout == expected.stdout, "{name}");
                    ran += 1;
                }
                _ => {
                    assert!(
                        outcome.code == Some(1) && outcome.stderr.contains(name),
                        "{outcome:?}"
                    );
                    assert!(outcome.stdout.is_empty());
                }
            }
        }
        assert!(ran >= 2);
    }
}

#[test]
fn edge_coefficients_of_big_fields_multiply_rightly() {
    let sandbox = Sandbox::with(&[]);
    for text in ["P4", "P4F", "P8", "P16F", "P2F", "P32"] {
        let prime = sandbox.prime(text);
        let last = Integer::from(&prime - 1);
        // (x − 1)·(x − 1) and p − 2 = −2.
        sandbox.write("a", format!("{last} 1\n{last}\n0\n").as_bytes());
        let found = sandbox.succeed(&["poly", "mul", "a", "a", "--mod", text]);
        assert_eq!(
            found,
            format!("1 {} 1\n1\n0\n", Integer::from(&last - 1)),
            "{text}"
        );
        sandbox.write("b", format!("{prime} {}\n", prime.clone() + 3).as_bytes());
        let found = sandbox.succeed(&["poly", "mul", "b", "b", "--mod", text]);
        assert_eq!(found, "0 0 9\n", "{text}");
    }
}

#[test]
fn json_holds_coefficients_as_texts() {
    let sandbox = Sandbox::with(&[("a", "1 2\n0\n"), ("b", "x - 1\n")]);
    let value = sandbox.json(&["poly", "mul", "a", "b"]);
    assert_eq!(value["results"], serde_json::json!([["-1", "-1", "2"], []]));
    assert_eq!(value["inputs"]["modulus"], serde_json::Value::Null);
    let value = sandbox.json(&["poly", "mul", "a", "a", "--mod", "2^31-1"]);
    assert_eq!(value["results"], serde_json::json!([["1", "4", "4"], []]));
    assert_eq!(value["inputs"]["modulus"], "2147483647");
    assert!(
        value["explanation"]
            .as_str()
            .unwrap()
            .contains("2 × 2 coefficients")
    );
}

#[test]
fn long_lines_are_read_and_written_in_parallel_alike() {
    let a: String = (0..120_000)
        .map(|i| format!("{} ", i * 3571 % 469_762_049))
        .collect();
    let sandbox = Sandbox::with(&[("a", &a), ("b", "0 1")]);
    let expected = format!("0 {}\n", a.trim_end());
    for threads in ["1", "2"] {
        let found = sandbox.succeed(&[
            "poly",
            "mul",
            "a",
            "b",
            "--mod",
            "469762049",
            "--threads",
            threads,
        ]);
        assert!(found == expected);
        assert!(sandbox.succeed(&["poly", "mul", "a", "b", "--threads", threads]) == expected);
    }
}

/// Products that others made with Maple: three lines, A, B and A·B.
#[test]
fn known_products_are_reproduced() {
    let Some(folder) = testkit::data_dir() else {
        return testkit::skip("SUNZI_DATA does not name a folder of known products");
    };
    let mut checked = 0;
    for entry in std::fs::read_dir(folder.join("zx-products")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let [a, b, expected] = lines[..] else {
            panic!("{}: not three lines", path.display())
        };
        let sandbox = Sandbox::with(&[("a", a), ("b", b)]);
        let found = sandbox.succeed(&["poly", "mul", "a", "b"]);
        assert!(
            found.split_whitespace().eq(expected.split_whitespace()),
            "{}",
            path.display()
        );
        checked += 1;
    }
    assert!(checked > 0);
}

#[test]
fn the_examples_give_what_they_promise() {
    let sandbox = Sandbox::with(&[]);
    let path = |name: &str| examples().join(name).display().to_string();
    let found = sandbox.succeed(&[
        "poly",
        "mul",
        &path("cyclotomic-a.txt"),
        &path("cyclotomic-b.txt"),
    ]);
    let expected: String = [12, 30, 105]
        .map(|n| format!("-1{} 1\n", " 0".repeat(n - 1)))
        .concat();
    assert_eq!(found, expected);
    let found = sandbox.succeed(&[
        "poly",
        "mul",
        &path("expressions-a.txt"),
        &path("expressions-b.txt"),
    ]);
    assert_eq!(found.lines().count(), 3);
    assert_eq!(found.lines().next(), Some("-1 2 -2 -2 3"));
    let residues = [
        &path("residues-a.txt"),
        &path("residues-b.txt"),
        "2^60-2^18+1",
    ];
    let found = sandbox.succeed(&[
        "poly",
        "mul",
        residues[0],
        residues[1],
        "--mod",
        residues[2],
    ]);
    assert_eq!(found.split_whitespace().count(), 64 + 48 - 1);
}

#[test]
fn residues_are_reduced_wherever_they_stand() {
    let sandbox = Sandbox::with(&[("f", "98 -1 1/2\n"), ("points", "-1\n98\n0.5\n")]);
    assert_eq!(
        sandbox.succeed(&["poly", "mul", "f", "-e", "1", "--mod", "97"]),
        "1 96 49\n"
    );
    let big = sandbox.prime("P8");
    let half = rug::Integer::from(&big + 1) / 2u32;
    assert_eq!(
        sandbox.succeed(&["poly", "mul", "f", "-e", "1", "--mod", "P8"]),
        format!("98 {} {half}\n", big - 1)
    );
    assert_eq!(
        sandbox.succeed(&["poly", "eval", "-e", "x", "points", "--mod", "97"]),
        "96\n1\n49\n"
    );
    assert_eq!(
        sandbox.succeed(&["poly", "interp", "points", "points", "--mod", "97"]),
        "0 1\n"
    );
    let said = sandbox.fail(
        1,
        &["poly", "interp", "-e", "1\n98", "-e", "1\n2", "--mod", "97"],
    );
    assert!(said.contains("the same point"), "{said}");
    assert_eq!(
        sandbox.succeed(&["dft", "-e", "-96\n97", "--mod", "97"]),
        "1\n1\n"
    );
    assert_eq!(
        sandbox.succeed(&[
            "sparse",
            "spmv",
            "-e",
            "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1\n",
            "-e",
            "-3/2",
            "--mod",
            "97"
        ]),
        "47\n"
    );
}
