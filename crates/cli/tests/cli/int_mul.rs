//! `sunzi int mul` on good input.

use crate::common::{Sandbox, examples};
use rug::Integer;
use sunzi_testkit::Random;

fn product(a: &str, b: &str) -> String {
    (a.parse::<Integer>().unwrap() * b.parse::<Integer>().unwrap()).to_string()
}

#[test]
fn lines_are_multiplied_in_order() {
    let sandbox = Sandbox::with(&[
        ("a", "12\n-5\n0x10\n+7\n-0\n000123\n"),
        ("b", "3\n6\n-0xFf\n0\n-9\n-0x0\n"),
    ]);
    let expected = "36\n-30\n-4080\n0\n0\n0\n";
    assert_eq!(sandbox.succeed(&["int", "mul", "a", "b"]), expected);
}

#[test]
fn comments_blanks_line_ends_and_a_missing_last_one_do_not_matter() {
    let sandbox = Sandbox::with(&[
        ("a", "# head\r\n\r\n 12 # twelve\r\n\t\n13"),
        ("b", "2\n\n#\n\n3\n\n# end"),
    ]);
    assert_eq!(sandbox.succeed(&["int", "mul", "a", "b"]), "24\n39\n");
}

#[test]
fn one_line_multiplies_every_line_of_the_other_file() {
    let sandbox = Sandbox::with(&[("one", "# three\n-3\n"), ("many", "1\n2\n\n3\n")]);
    let expected = "-3\n-6\n-9\n";
    assert_eq!(sandbox.succeed(&["int", "mul", "one", "many"]), expected);
    assert_eq!(sandbox.succeed(&["int", "mul", "many", "one"]), expected);
    assert_eq!(sandbox.succeed(&["int", "mul", "one", "one"]), "9\n");
}

#[test]
fn standard_input_may_be_either_file() {
    let sandbox = Sandbox::with(&[("a", "12\n13\n")]);
    for arguments in [["int", "mul", "-", "a"], ["int", "mul", "a", "-"]] {
        let outcome = sandbox.run_with_input(&arguments, b"5\n6");
        assert_eq!(
            (outcome.code, outcome.stdout.as_str()),
            (Some(0), "60\n78\n")
        );
    }
}

#[test]
fn long_numbers_match_gmp_with_every_number_of_threads() {
    for (length_a, length_b) in [
        (1_000, 1_000),
        (40_000, 39_999),
        (300_000, 5),
        (200_001, 60_000),
    ] {
        let (a, b) = (
            Random::new(1).decimal(length_a),
            format!("-{}", Random::new(2).decimal(length_b)),
        );
        let sandbox = Sandbox::with(&[("a", &a), ("b", &b)]);
        let expected = product(&a, &b) + "\n";
        for threads in ["1", "2", "3"] {
            let found = sandbox.succeed(&["int", "mul", "a", "b", "--threads", threads]);
            assert!(
                found == expected,
                "{length_a} × {length_b} digits, {threads} threads"
            );
        }
    }
}

#[test]
fn many_lines_span_batches() {
    let numbers: Vec<String> = (0..40_000)
        .map(|i| Random::new(i as u64).decimal(1 + i % 150))
        .collect();
    let a = numbers.join("\n");
    let b: String = numbers
        .iter()
        .rev()
        .map(|number| format!("-{number}\n"))
        .collect();
    let expected: String = numbers
        .iter()
        .zip(numbers.iter().rev())
        .map(|(a, b)| format!("-{}\n", product(a, b)))
        .collect();
    let sandbox = Sandbox::with(&[("a", &a), ("b", &b)]);
    for threads in ["1", "2"] {
        assert!(sandbox.succeed(&["int", "mul", "a", "b", "--threads", threads]) == expected);
    }
}

#[test]
fn every_algorithm_gives_the_same_product() {
    let (a, b) = (Random::new(3).decimal(5_000), Random::new(4).decimal(4_800));
    let sandbox = Sandbox::with(&[("a", &a), ("b", &b)]);
    let expected = product(&a, &b) + "\n";
    let names = sandbox.fail(2, &["int", "mul", "a", "b", "--algorithm", "magic"]);
    assert!(
        names.contains("there is no algorithm `magic`: the names are schoolbook, "),
        "{names}"
    );
    let names = names.trim().rsplit("the names are ").next().unwrap();
    for name in names.split(", ") {
        let outcome = sandbox.run(&["int", "mul", "a", "b", "--algorithm", name]);
        match outcome.code {
            Some(0) => assert!(outcome.stdout == expected, "{name}"),
            // Not every processor runs every algorithm.
            _ => assert!(
                outcome.code == Some(1) && outcome.stderr.contains(name),
                "{outcome:?}"
            ),
        }
    }
}

#[test]
fn json_holds_results_algorithms_and_times() {
    let sandbox = Sandbox::with(&[("a", "12\n-5\n"), ("b", "3\n")]);
    let value = sandbox.json(&["int", "mul", "a", "b", "--threads", "2"]);
    assert_eq!(value["command"], "int mul");
    assert_eq!(value["results"], serde_json::json!(["36", "-15"]));
    assert_eq!(value["inputs"], serde_json::json!({"files": ["a", "b"]}));
    assert_eq!(value["threads"], 2);
    assert_eq!(value["algorithms"]["schoolbook"], 2);
    assert!(
        value["explanation"]
            .as_str()
            .unwrap()
            .contains("1 × 1 limbs")
    );
    for part in ["reading", "computing", "writing", "total"] {
        assert!(value["seconds"][part].as_f64().unwrap() >= 0.0);
    }
}

#[test]
fn json_of_many_batches_is_one_document() {
    let lines: String = (0..20_000).map(|i| format!("{i}\n")).collect();
    let sandbox = Sandbox::with(&[("a", &lines), ("b", "2")]);
    let value = sandbox.json(&["int", "mul", "a", "b"]);
    let results = value["results"].as_array().unwrap();
    assert_eq!(results.len(), 20_000);
    assert_eq!(results[19_999], "39998");
}

#[test]
fn the_examples_give_the_numbers_they_promise() {
    let sandbox = Sandbox::with(&[]);
    let path = |name: &str| examples().join(name).display().to_string();
    let found = sandbox.succeed(&["int", "mul", &path("factors-a.txt"), &path("factors-b.txt")]);
    assert_eq!(
        found,
        std::fs::read_to_string(path("factors-product.txt")).unwrap()
    );
}
