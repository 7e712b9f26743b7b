//! Division, greatest common divisors, resultants, evaluation and interpolation on good input.

use crate::common;
use crate::common::polynomials::{Modulo, PRIMES, Polynomial, column, line, numbers, polynomials};
use crate::common::{Sandbox, examples};
use rug::Integer;
use serde_json::json;

/// Operands in the files `a` and `b`, one pair a line.
fn with_pairs(sandbox: &Sandbox, pairs: &[(Polynomial, Polynomial)]) {
    let (a, b): (String, String) = pairs.iter().map(|(a, b)| (line(a), line(b))).unzip();
    sandbox.write("a", a.as_bytes());
    sandbox.write("b", b.as_bytes());
}

/// Runs `poly verb a b`; whatever the number of threads, the result must be the same.
fn run(sandbox: &Sandbox, verb: &str, files: [&str; 2], prime: &str) -> String {
    let [a, b] = files;
    let on = |threads| ["poly", verb, a, b, "--mod", prime, "--threads", threads];
    let found = sandbox.succeed(&on("1"));
    assert!(sandbox.succeed(&on("2")) == found, "{verb} mod {prime}");
    found
}

/// Pairs of many shapes: lengths on both sides of each other, zeros, constants, common factors.
fn pairs(modulo: &Modulo) -> Vec<(Polynomial, Polynomial)> {
    let lengths = [
        (1, 1),
        (5, 2),
        (2, 5),
        (40, 17),
        (60, 60),
        (300, 130),
        (129, 128),
    ];
    let mut pairs: Vec<_> = lengths
        .into_iter()
        .enumerate()
        .map(|(i, (a, b))| {
            let seed = 10 * i as u64;
            (modulo.polynomial(a, seed), modulo.polynomial(b, seed + 1))
        })
        .collect();
    for (common, a, b) in [(2, 3, 4), (20, 30, 1), (90, 60, 50)] {
        let factor = modulo.polynomial(common, 400);
        let times = |count, seed| modulo.product(&factor, &modulo.polynomial(count, seed));
        pairs.push((times(a, 401), times(b, 402)));
    }
    let some = modulo.polynomial(6, 77);
    pairs.push((Vec::new(), some.clone()));
    pairs.push((some.clone(), some.clone()));
    pairs.push((some, vec![Integer::from(&modulo.prime - 1)]));
    pairs
}

#[test]
fn quotients_and_remainders_give_the_dividend_back() {
    for text in PRIMES {
        let sandbox = Sandbox::with(&[]);
        let modulo = Modulo::named(&sandbox, text);
        let pairs = pairs(&modulo);
        with_pairs(&sandbox, &pairs);
        let found = polynomials(&run(&sandbox, "divrem", ["a", "b"], text));
        assert_eq!(found.len(), 2 * pairs.len(), "{text}");
        for ((a, b), found) in pairs.iter().zip(found.chunks(2)) {
            let [quotient, remainder] = found else {
                unreachable!()
            };
            assert!(remainder.len() < b.len(), "{text}");
            let product = modulo.product(quotient, b);
            assert_eq!(modulo.sum(&product, remainder), *a, "{text}");
        }
    }
}

#[test]
fn greatest_common_divisors_divide_both_and_are_sums_of_multiples() {
    for text in PRIMES {
        let sandbox = Sandbox::with(&[]);
        let modulo = Modulo::named(&sandbox, text);
        let mut pairs = pairs(&modulo);
        pairs.push((modulo.polynomial(4, 5), Vec::new()));
        pairs.push((Vec::new(), Vec::new()));
        with_pairs(&sandbox, &pairs);
        let gcds = polynomials(&run(&sandbox, "gcd", ["a", "b"], text));
        let extended = polynomials(&run(&sandbox, "xgcd", ["a", "b"], text));
        assert_eq!(gcds.len(), pairs.len());
        assert_eq!(extended.len(), 3 * pairs.len());
        for (((a, b), gcd), extended) in pairs.iter().zip(&gcds).zip(extended.chunks(3)) {
            let [again, s, t] = extended else {
                unreachable!()
            };
            assert_eq!(again, gcd, "{text}");
            let sum = modulo.sum(&modulo.product(s, a), &modulo.product(t, b));
            assert_eq!(sum, *gcd, "{text}");
            if a.is_empty() && b.is_empty() {
                assert!(gcd.is_empty());
                continue;
            }
            assert_eq!(gcd.last(), Some(&Integer::from(1)), "{text}");
            for operand in [a, b] {
                assert!(modulo.remainder(operand, gcd).is_empty(), "{text}");
            }
        }
    }
}

#[test]
fn resultants_are_sylvester_determinants() {
    for text in PRIMES {
        let sandbox = Sandbox::with(&[]);
        let modulo = Modulo::named(&sandbox, text);
        let mut pairs = pairs(&modulo);
        // A determinant of many hundred rows takes too long.
        pairs.retain(|(a, b)| !a.is_empty() && a.len() + b.len() < 60);
        with_pairs(&sandbox, &pairs);
        let found = numbers(&run(&sandbox, "resultant", ["a", "b"], text));
        let expected: Vec<_> = pairs.iter().map(|(a, b)| modulo.resultant(a, b)).collect();
        assert_eq!(found, expected, "{text}");
        assert!(expected.contains(&Integer::new()), "{text}");
    }
}

#[test]
fn values_match_the_definition_and_give_the_polynomial_back() {
    for text in PRIMES {
        let sandbox = Sandbox::with(&[]);
        let modulo = Modulo::named(&sandbox, text);
        for count in [1usize, 2, 3, 17, 64, 100, 300] {
            if modulo.prime < count {
                continue;
            }
            // Points in no order, but different: multiples of a unit.
            let step = Integer::from(&modulo.prime - 2);
            let points: Vec<_> = (0..count as u64)
                .map(|i| modulo.reduce(Integer::from(&step * i)))
                .collect();
            let longest = modulo.polynomial(count, 3);
            let polynomials = [
                longest.clone(),
                modulo.polynomial(2 * count + 5, 4),
                Vec::new(),
                vec![Integer::from(1)],
            ];
            let lines: String = polynomials
                .iter()
                .map(|polynomial| line(polynomial))
                .collect();
            sandbox.write("f", lines.as_bytes());
            sandbox.write("points", column(&points).as_bytes());
            let found = numbers(&run(&sandbox, "eval", ["f", "points"], text));
            let expected: Vec<_> = polynomials
                .iter()
                .flat_map(|polynomial| points.iter().map(|point| modulo.value(polynomial, point)))
                .collect();
            assert_eq!(found, expected, "{text}, {count} points");

            sandbox.write("values", column(&found[..count]).as_bytes());
            let back = run(&sandbox, "interp", ["points", "values"], text);
            assert_eq!(back, line(&longest), "{text}, {count} points");
            // Through the values of a longer polynomial goes a shorter one.
            sandbox.write("values", column(&found[count..2 * count]).as_bytes());
            let back = run(&sandbox, "interp", ["points", "values"], text);
            let shorter = common::polynomials::polynomials(&back).remove(0);
            assert!(shorter.len() <= count);
            for (point, value) in points.iter().zip(&found[count..]) {
                assert_eq!(modulo.value(&shorter, point), *value, "{text}");
            }
        }
    }
}

#[test]
fn points_of_an_evaluation_may_be_equal() {
    let sandbox = Sandbox::with(&[("f", "x^2"), ("points", "3\n0x3\n\n# again\n3\n")]);
    assert_eq!(run(&sandbox, "eval", ["f", "points"], "97"), "9\n9\n9\n");
}

/// Long operands, checked by values at a point of the test's choice.
#[test]
fn long_operands_fulfil_their_equations_at_a_point() {
    for text in ["469762049", "2147483647", "2^60-2^18+1", "P4"] {
        let sandbox = Sandbox::with(&[]);
        let modulo = Modulo::named(&sandbox, text);
        let (count, common) = if text == "P4" {
            (900, 200)
        } else {
            (6000, 1500)
        };
        let factor = modulo.polynomial(common, 1);
        // A product with a sparse polynomial, so that the test takes no long products.
        let sparse = |seed| {
            let mut sparse = vec![Integer::new(); count - common];
            for (i, value) in modulo.polynomial(5, seed).into_iter().enumerate() {
                sparse[i * (count - common - 1) / 4] = value;
            }
            modulo.product(&factor, &sparse)
        };
        let (a, b) = (sparse(8), sparse(9));
        with_pairs(&sandbox, &[(a.clone(), b.clone())]);
        let point = modulo.reduce("123456789012345678901234567890".parse().unwrap());
        let at = |polynomial: &[Integer]| modulo.value(polynomial, &point);

        sandbox.write("factor", line(&factor).as_bytes());
        let found = polynomials(&run(&sandbox, "divrem", ["a", "factor"], text));
        assert!(found[1].is_empty(), "{text}");
        let again = modulo.reduce(at(&found[0]) * at(&factor));
        assert_eq!(again, at(&a), "{text}");

        let found = polynomials(&run(&sandbox, "xgcd", ["a", "b"], text));
        let sum = at(&found[1]) * at(&a) + at(&found[2]) * at(&b);
        assert_eq!(modulo.reduce(sum), at(&found[0]), "{text}");
        assert!(found[0].len() >= common, "{text}");
        assert!(modulo.remainder(&found[0], &factor).is_empty(), "{text}");
        assert_eq!(run(&sandbox, "resultant", ["a", "b"], text), "0\n");
        assert_eq!(run(&sandbox, "gcd", ["a", "b"], text), line(&found[0]));
    }
}

#[test]
fn one_line_goes_with_every_line_of_the_other_file() {
    let sandbox = Sandbox::with(&[
        ("many", "x^2 - 1\n# comment\n6 5 1 # (x+2)(x+3)\n\n0\n1\n"),
        ("one", "  x + 1"),
    ]);
    let run = |verb, files| run(&sandbox, verb, files, "97");
    assert_eq!(
        run("divrem", ["many", "one"]),
        "96 1\n0\n4 1\n2\n0\n0\n0\n1\n"
    );
    assert_eq!(run("gcd", ["many", "one"]), "1 1\n1\n1 1\n1\n");
    assert_eq!(run("gcd", ["one", "many"]), "1 1\n1\n1 1\n1\n");
    assert_eq!(run("resultant", ["one", "many"]), "0\n2\n0\n1\n");
    sandbox.write("zero", b"97*x");
    let said = sandbox.fail(1, &["poly", "divrem", "many", "zero", "--mod", "97"]);
    assert_eq!(
        said,
        "sunzi: zero, line 1: division by the zero polynomial\n"
    );
    // Only by the line that is zero nothing can be divided.
    let said = sandbox.fail(1, &["poly", "divrem", "one", "many", "--mod", "97"]);
    assert_eq!(
        said,
        "sunzi: one, line 1, divided by many, line 5: division by the zero polynomial\n"
    );
}

#[test]
fn a_long_line_goes_with_many_short_ones_in_little_memory() {
    let long: String = (0..20_000)
        .map(|i| format!("{} ", 469_000_000 + i))
        .collect();
    let short: String = (1..=400).map(|i| format!("{i} 1\n")).collect();
    let sandbox = Sandbox::with(&[("long", &long), ("short", &short)]);
    for verb in ["gcd", "divrem"] {
        let command = ["poly", verb, "long", "short", "--mod", "469762049"];
        let whole = sandbox.succeed(&command);
        let bounded = [&command[..], &["--max-memory", "64M"]].concat();
        assert!(sandbox.succeed(&bounded) == whole, "{verb}");
    }
}

#[test]
fn resultants_of_zero_and_constants() {
    let sandbox = Sandbox::with(&[("a", "0\n0\n5\n0\n2\n"), ("b", "0\n5\n0\n1 1\n1 1\n")]);
    assert_eq!(
        run(&sandbox, "resultant", ["a", "b"], "97"),
        "0\n0\n0\n0\n2\n"
    );
}

#[test]
fn many_lines_span_batches() {
    let lines: String = (0..20_000).map(|i| format!("{} 0 1\n", i % 97)).collect();
    let sandbox = Sandbox::with(&[("a", &lines), ("b", "0 1"), ("points", "0\n1\n")]);
    let expected: String = (0..20_000).map(|i| format!("0 1\n{}\n", i % 97)).collect();
    assert!(run(&sandbox, "divrem", ["a", "b"], "97") == expected);
    let expected: String = (0..20_000)
        .map(|i| format!("{}\n{}\n", i % 97, (i + 1) % 97))
        .collect();
    assert!(run(&sandbox, "eval", ["a", "points"], "97") == expected);
    let found = sandbox.json(&["poly", "divrem", "a", "b", "--mod", "97"]);
    let results = found["results"].as_array().unwrap();
    assert_eq!(results.len(), 20_000);
}

#[test]
fn standard_input_and_output_files_serve_every_command() {
    let sandbox = Sandbox::with(&[
        ("a", "3 2 1\n"),
        ("points", "1\n2\n3\n"),
        ("values", "6\n11\n18\n"),
    ]);
    for (verb, files, input, expected) in [
        ("divrem", ["-", "a"], "0 0 0 1", "95 1\n6 1\n"),
        ("divrem", ["a", "-"], "1 1", "1 1\n2\n"),
        ("gcd", ["-", "a"], "3 2 1", "3 2 1\n"),
        ("xgcd", ["-", "a"], "2", "1\n49\n0\n"),
        ("resultant", ["a", "-"], "2", "4\n"),
        ("eval", ["-", "points"], "x^2 + 2x + 3", "6\n11\n18\n"),
        ("eval", ["a", "-"], "1\n2\n3", "6\n11\n18\n"),
        ("interp", ["-", "values"], "1\n2\n3", "3 2 1\n"),
        ("interp", ["points", "-"], "6\n11\n18", "3 2 1\n"),
    ] {
        let [first, second] = files;
        let arguments = ["poly", verb, first, second, "--mod", "97"];
        let outcome = sandbox.run_with_input(&arguments, input.as_bytes());
        assert_eq!(
            (outcome.code, &*outcome.stdout, &*outcome.stderr),
            (Some(0), expected, ""),
            "{arguments:?}"
        );
        let to_file = [&arguments[..], &["-o", "out"]].concat();
        let outcome = sandbox.run_with_input(&to_file, input.as_bytes());
        assert_eq!((outcome.code, &*outcome.stdout), (Some(0), ""));
        assert_eq!(sandbox.read("out"), expected, "{arguments:?}");
    }
    assert_eq!(sandbox.names(), ["a", "out", "points", "values"]);
}

#[test]
fn json_names_what_is_found() {
    let sandbox = Sandbox::with(&[
        ("a", "x^3 + 5\n0\n"),
        ("b", "x + 1\n"),
        ("points", "1\n2\n"),
        ("values", "1\n4\n"),
    ]);
    let pair = |verb| sandbox.json(&["poly", verb, "a", "b", "--mod", "97"]);
    let divisions = pair("divrem");
    assert_eq!(divisions["command"], "poly divrem");
    assert_eq!(divisions["inputs"]["modulus"], "97");
    assert_eq!(
        divisions["results"],
        json!([
            {"quotient": ["1", "96", "1"], "remainder": ["4"]},
            {"quotient": [], "remainder": []},
        ])
    );
    assert_eq!(divisions["explanation"], "4 and 2 coefficients");
    for part in ["reading", "computing", "writing", "total"] {
        assert!(divisions["seconds"][part].as_f64().unwrap() >= 0.0);
    }
    let gcds = pair("gcd");
    assert_eq!(gcds["results"], json!([["1"], ["1", "1"]]));
    assert_eq!(gcds["command"], "poly gcd");
    let extended = pair("xgcd");
    assert_eq!(extended["command"], "poly xgcd");
    assert_eq!(
        extended["results"][1],
        json!({"gcd": ["1", "1"], "s": [], "t": ["1"]})
    );
    let resultants = pair("resultant");
    // The value of the second at the root of the first, and its sign.
    assert_eq!(resultants["results"], json!(["93", "0"]));

    let values = sandbox.json(&["poly", "eval", "a", "points", "--mod", "97"]);
    assert_eq!(values["results"], json!([["6", "13"], ["0", "0"]]));
    assert_eq!(values["command"], "poly eval");
    assert_eq!(
        values["inputs"],
        json!({"files": ["a", "points"], "modulus": "97", "points": 2})
    );
    assert_eq!(values["explanation"], "4 coefficients at 2 points");
    let found = sandbox.json(&["poly", "interp", "points", "values", "--mod", "P4"]);
    assert_eq!(found["command"], "poly interp");
    assert_eq!(
        (&found["inputs"]["points"], &found["device"]),
        (&json!(2), &json!("cpu"))
    );
    assert!(found["inputs"]["modulus"].as_str().unwrap().len() > 70);
    let polynomial = found["results"].as_array().unwrap();
    // 3x − 2.
    assert_eq!((polynomial.len(), &polynomial[0][1]), (1, &json!("3")));
    assert!(found["seconds"]["total"].is_number());
}

#[test]
fn pretty_results_are_expressions_that_can_be_read_again() {
    let sandbox = Sandbox::with(&[
        ("a", "x^7 + 96\n0 2 0 0 1\n0\n"),
        ("b", "x + 1\n"),
        ("points", "1\n2\n5\n"),
        ("values", "2\n3\n6\n"),
    ]);
    let pretty = |verb: &str, files: [&str; 2]| {
        let [first, second] = files;
        sandbox.succeed(&["poly", verb, first, second, "--mod", "97", "--pretty"])
    };
    let divisions = pretty("divrem", ["a", "b"]);
    assert_eq!(
        divisions,
        "x^6 + 96*x^5 + x^4 + 96*x^3 + x^2 + 96*x + 1\n95\nx^3 + 96*x^2 + x + 1\n96\n0\n0\n"
    );
    sandbox.write("again", divisions.as_bytes());
    let once = pretty("mul", ["again", "b"]);
    sandbox.write("list", run(&sandbox, "divrem", ["a", "b"], "97").as_bytes());
    assert_eq!(pretty("mul", ["list", "b"]), once);
    assert_eq!(pretty("gcd", ["a", "b"]), "1\n1\nx + 1\n");
    assert_eq!(pretty("xgcd", ["b", "b"]), "x + 1\n0\n1\n");
    assert_eq!(pretty("interp", ["points", "values"]), "x + 1\n");
    let found = sandbox.json(&["poly", "divrem", "a", "b", "--mod", "97", "--pretty"]);
    assert_eq!(
        found["results"][1],
        json!({"quotient": "x^3 + 96*x^2 + x + 1", "remainder": "96"})
    );
    let found = sandbox.json(&[
        "poly", "interp", "points", "values", "--mod", "97", "--pretty",
    ]);
    assert_eq!(found["results"], json!(["x + 1"]));
}

#[test]
fn pretty_products_over_the_integers_keep_their_signs() {
    let sandbox = Sandbox::with(&[("a", "1 -2 3\nx - 1\n-x\n0\n-5\n2 1\n"), ("b", "-1\n")]);
    assert_eq!(
        sandbox.succeed(&["poly", "mul", "a", "b", "--pretty"]),
        "-3*x^2 + 2*x - 1\n-x + 1\nx\n0\n5\n-x - 2\n"
    );
    let found = sandbox.json(&["poly", "mul", "a", "b", "--pretty"]);
    assert_eq!(found["results"][0], "-3*x^2 + 2*x - 1");
    // Long enough for several threads, with zeros between.
    let long: String = (0..30_000).map(|i| format!("{} ", i % 3 - 1)).collect();
    sandbox.write("long", long.as_bytes());
    let product = sandbox.succeed(&["poly", "mul", "long", "b"]);
    let pretty = sandbox.succeed(&["poly", "mul", "long", "b", "--pretty"]);
    sandbox.write("pretty", pretty.as_bytes());
    let one = sandbox.run_with_input(&["poly", "mul", "pretty", "-"], b"1");
    assert!(one.stdout == product);
}

#[test]
fn every_command_tells_examples() {
    let sandbox = Sandbox::with(&[]);
    for verb in [
        "mul",
        "divrem",
        "gcd",
        "xgcd",
        "resultant",
        "eval",
        "interp",
    ] {
        let help = sandbox.succeed(&["poly", verb, "--help"]);
        let examples = help.split("Examples:").nth(1).unwrap();
        assert!(examples.matches(&format!("sunzi poly {verb}")).count() >= 3);
        assert!(help.contains("a name (P4 P8"), "{help}");
    }
}

#[test]
fn the_examples_come_back() {
    let sandbox = Sandbox::with(&[]);
    let path = |name: &str| examples().join(name).display().to_string();
    let (a, b) = (path("cyclotomic-a.txt"), path("cyclotomic-b.txt"));
    sandbox.write(
        "products",
        sandbox.succeed(&["poly", "mul", &a, &b]).as_bytes(),
    );
    let modulo = Modulo::named(&sandbox, "469762049");
    let reduce = |text: &str| -> String {
        let numbers = |line: &str| -> Vec<Integer> {
            let words = line.split_whitespace();
            words
                .map(|word| modulo.reduce(word.parse().unwrap()))
                .collect()
        };
        let lines = text
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty());
        lines.map(|text| line(&numbers(text))).collect()
    };
    sandbox.write("a", reduce(&std::fs::read_to_string(a).unwrap()).as_bytes());
    sandbox.write("b", reduce(&std::fs::read_to_string(b).unwrap()).as_bytes());
    sandbox.write("ab", reduce(&sandbox.read("products")).as_bytes());
    let found = run(&sandbox, "divrem", ["ab", "b"], "469762049");
    let expected: String = sandbox
        .read("a")
        .lines()
        .map(|line| format!("{line}\n0\n"))
        .collect();
    assert_eq!(found, expected);
}
