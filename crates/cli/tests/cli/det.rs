//! `sunzi det`, on good and on wrong input.

use crate::common::Sandbox;
use crate::common::matrices::{
    self, PRIMES, bareiss, hilbert, hilbert_determinant, market_array, market_coordinates, random,
    table,
};
use rug::{Integer, Rational};

/// Runs `det m` with an output file, which must fail.
fn refused(code: i32, matrix: &str, more: &[&str]) -> String {
    let sandbox = Sandbox::with(&[("m", matrix)]);
    sandbox.fail(code, &[&["det", "m", "-o", "out"], more].concat())
}

#[test]
fn determinants_of_integers_are_exact() {
    for n in [1, 2, 3, 4, 7, 12, 25] {
        for bits in [1, 20, 70, 300] {
            let matrix = random(n, bits, n as u64 + u64::from(bits));
            let expected = format!("{}\n", bareiss(&matrix));
            let sandbox = Sandbox::with(&[
                ("table", &table(&matrix)),
                ("array", &market_array(&matrix)),
                ("coordinates", &market_coordinates(&matrix)),
            ]);
            for file in ["table", "array", "coordinates"] {
                assert_eq!(
                    sandbox.succeed(&["det", file]),
                    expected,
                    "{n} {bits} {file}"
                );
            }
            assert_eq!(
                sandbox.succeed(&["det", "table", "--threads", "2"]),
                expected
            );
        }
    }
}

#[test]
fn quotients_and_decimals_are_exact() {
    for (matrix, determinant) in [
        ("1/2\n", "1/2"),
        ("-3/6\n", "-1/2"),
        ("1.5 -2e-1\n.5 0x10\n", "241/10"),
        ("1/3 2/3\n1/3 2/3\n", "0"),
        ("2/3 0\n0 3/2 # unit\n", "1"),
        ("1e3 0\n0 1e-3\n", "1"),
    ] {
        let sandbox = Sandbox::with(&[("m", matrix)]);
        assert_eq!(
            sandbox.succeed(&["det", "m"]),
            format!("{determinant}\n"),
            "{matrix}"
        );
    }
}

#[test]
fn hilbert_matrices_have_their_closed_form() {
    for n in [1, 2, 5, 20, 60] {
        let sandbox = Sandbox::with(&[("h", &hilbert(n))]);
        let expected = hilbert_determinant(n);
        assert_eq!(sandbox.succeed(&["det", "h"]), format!("{expected}\n"));
        for prime in ["2^60-2^18+1", "P8"] {
            let found = sandbox.succeed(&["det", "h", "--mod", prime]);
            let p = sandbox.prime(prime);
            assert_eq!(
                found.trim(),
                matrices::modulo(&expected, &p).to_string(),
                "{n} mod {prime}"
            );
        }
    }
}

#[test]
fn residues_are_those_of_the_integer() {
    for n in [1, 2, 3, 10, 40] {
        let matrix = random(n, 80, n as u64);
        let determinant = Rational::from(bareiss(&matrix));
        let sandbox = Sandbox::with(&[
            ("m", &table(&matrix)),
            ("coordinates", &market_coordinates(&matrix)),
        ]);
        for text in ["3"].into_iter().chain(PRIMES) {
            let p = sandbox.prime(text);
            let expected = format!("{}\n", matrices::modulo(&determinant, &p));
            for more in [
                &[][..],
                &["--algorithm", "elimination"],
                &["--algorithm", "condensation"],
                &["--threads", "2"],
            ] {
                let found = sandbox.succeed(&[&["det", "m", "--mod", text], more].concat());
                assert_eq!(found, expected, "{n} mod {text} {more:?}");
            }
            assert_eq!(
                sandbox.succeed(&["det", "coordinates", "--mod", text]),
                expected
            );
        }
    }
}

#[test]
fn singular_matrices_have_determinant_0() {
    let mut matrix = random(12, 40, 5);
    let last = matrix[0]
        .iter()
        .zip(&matrix[1])
        .map(|(a, b)| Integer::from(a - b))
        .collect();
    matrix[11] = last;
    let sandbox = Sandbox::with(&[("m", &table(&matrix)), ("zero", "0\n")]);
    for file in ["m", "zero"] {
        for more in [&[][..], &["--mod", "97"], &["--mod", "P8"], &["--early"]] {
            let found = sandbox.succeed(&[&["det", file], more].concat());
            assert_eq!(found.lines().next(), Some("0"), "{file} {more:?}");
        }
    }
}

#[test]
fn every_method_finds_the_same() {
    let matrix = random(15, 70, 9);
    let sandbox = Sandbox::with(&[
        ("m", &table(&matrix)),
        ("q", "1/2 1/3\n-7 0.25\n"),
        ("large", &format!("1{0} 1\n0 1{0}\n", "0".repeat(1200))),
    ]);
    let expected = bareiss(&matrix).to_string();
    for (method, name) in [
        ("residues", "residues"),
        ("lifting", "lifting"),
        ("big-prime", "big prime"),
        ("two-adic", "two-adic"),
        ("fraction-free", "fraction-free"),
    ] {
        let found = sandbox.json(&["det", "m", "--method", method]);
        assert_eq!(found["result"]["determinant"], expected, "{method}");
        assert_eq!(found["result"]["proved"], true);
        // Orders below which no system is lifted, and bits above which no power of two is taken, are others' thresholds.
        let done = found["algorithm"].as_str().unwrap();
        assert!(
            done == name
                || method == "lifting" && done == "residues"
                || method == "two-adic" && done == "fraction-free",
            "{method}: {done}"
        );
        let quotient = sandbox.succeed(&["det", "q", "--method", method]);
        assert_eq!(quotient, "59/24\n", "{method}");
    }
    assert_eq!(
        sandbox.json(&["det", "m", "--method", "big-prime"])["result"]["primes"],
        1
    );
    let said = sandbox.fail(1, &["det", "large", "--method", "big-prime"]);
    assert!(said.contains("bits"), "{said}");
}

#[test]
fn early_termination_is_labelled() {
    // Large entries, so that many primes are needed for a proof, and a small determinant.
    let mut matrix = random(30, 200, 77);
    for (i, row) in matrix.iter_mut().enumerate() {
        row[..i].fill(Integer::new());
        row[i] = Integer::from(if i < 3 { -5 } else { 1 });
    }
    let sandbox = Sandbox::with(&[("m", &table(&matrix))]);
    let found = sandbox.succeed(&["det", "m", "--early"]);
    let mut lines = found.lines();
    assert_eq!(lines.next(), Some(bareiss(&matrix).to_string().as_str()));
    assert!(
        lines.next().is_some_and(
            |line| line.starts_with("# not proved: wrong with a probability of at most 2^-60")
        ),
        "{found}"
    );
    let seeded = ["det", "m", "--early", "--seed", "5"];
    assert!(sandbox.succeed(&seeded).ends_with(" (--early --seed 5)\n"));
    assert_eq!(sandbox.json(&seeded)["inputs"]["seed"], "5");
    assert!(sandbox.json(&seeded)["result"]["error_probability"].as_f64() == Some(2f64.powi(-60)));
    sandbox.fail(2, &["det", "m", "--seed", "5"]);
    assert_eq!(
        sandbox.json(&["det", "m", "--early"])["result"]["proved"],
        false
    );
    let found = sandbox.json(&["det", "m"]);
    assert_eq!(found["result"]["proved"], true);
    assert_eq!(found["command"], "det");
    assert_eq!(found["inputs"]["rows"], 30);
    assert_eq!(found["result"]["determinant"], "-125");
    assert!(found["algorithm"].is_string() && found["seconds"]["total"].is_number());
}

#[test]
fn floating_point_never_overflows() {
    for (n, logarithm) in [(5, -11.4), (100, -5943.0)] {
        let sandbox = Sandbox::with(&[("h", &hilbert(n))]);
        for algorithm in ["elimination", "condensation"] {
            let found = sandbox.json(&["det", "h", "--float", "--algorithm", algorithm]);
            let mantissa = found["result"]["mantissa"].as_f64().unwrap();
            let exponent = found["result"]["exponent"].as_i64().unwrap();
            assert!((1.0..2.0).contains(&mantissa.abs()), "{found}");
            let log10 = mantissa.abs().log10() + exponent as f64 * 2f64.log10();
            // Hilbert matrices are so ill-conditioned that from n = 13 on no digit is right.
            if n == 5 {
                assert!((log10 - logarithm).abs() < 0.1, "{log10}");
                let double = found["result"]["double"].as_f64().unwrap();
                assert!((double.log10() - log10).abs() < 1e-9);
            } else {
                assert!(log10 < -300.0, "{log10}");
                assert!(found["result"]["double"].is_null(), "{found}");
            }
        }
    }
    let diagonal = |value: &str, n: usize| -> String {
        (0..n)
            .map(|i| {
                let row: Vec<&str> = (0..n).map(|j| if i == j { value } else { "0" }).collect();
                row.join(" ") + "\n"
            })
            .collect()
    };
    let sandbox = Sandbox::with(&[("m", &diagonal("2e300", 3)), ("two", "3 1\n1/2 2\n")]);
    let found = sandbox.succeed(&["det", "m", "--float"]);
    assert!(found.contains("e900") && found.contains("* 2^"), "{found}");
    let found = sandbox.succeed(&["det", "two", "--float"]);
    assert!(found.contains("5.5"), "{found}");
}

#[test]
fn matrices_that_are_not_square_are_refused_with_their_sizes() {
    for more in [
        &[][..],
        &["--mod", "97"],
        &["--mod", "P8"],
        &["--float"],
        &["--early"],
    ] {
        assert_eq!(
            refused(1, "1 2 3\n4 5 6\n", more),
            "sunzi: m: the matrix has 2 rows and 3 columns; a determinant needs as many rows as columns\n"
        );
        let market = "%%MatrixMarket matrix array integer general\n1 2\n3\n4\n";
        assert_eq!(
            refused(1, market, more),
            "sunzi: m: the matrix has 1 row and 2 columns; a determinant needs as many rows as columns\n"
        );
    }
}

#[test]
fn wrong_tables_are_located() {
    for more in [&[][..], &["--mod", "97"], &["--float"]] {
        assert_eq!(
            refused(2, "# head\n1 2\n\n3 4 5\n", more),
            "sunzi: m, line 4: the row has 3 entries, but the first row, in line 2, has 2\n"
        );
        assert_eq!(
            refused(2, "1 2\n3\n", more),
            "sunzi: m, line 2: the row has 1 entry, but the first row, in line 1, has 2\n"
        );
        assert_eq!(
            refused(2, "1 2\n3 4x\n", more),
            "sunzi: m, line 2, column 4: 'x' is not a decimal digit\n"
        );
        assert_eq!(
            refused(2, "1 1/0\n1 1\n", more),
            "sunzi: m, line 1, column 5: a quotient has the denominator 0\n"
        );
        assert_eq!(
            refused(2, "", more),
            "sunzi: m: the file holds no row of a matrix: write one a line\n"
        );
        let said = refused(2, "1 nan\n1 1\n", more);
        assert!(said.starts_with("sunzi: m, line 1, column 3: "), "{said}");
    }
    assert_eq!(
        refused(2, "1 1/194\n1 1\n", &["--mod", "97"]),
        "sunzi: m, line 1, column 5: the denominator 194 is 0 modulo 97, so that there is no such residue\n"
    );
    let said = refused(2, "1 1e999\n1 1\n", &["--float"]);
    assert!(
        said.contains("line 1, column 3: ") && said.contains("too large"),
        "{said}"
    );
    let said = refused(2, "1 1e99999999\n1 1\n", &[]);
    assert!(
        said.contains("line 1, column 4: the exponent 99999999 is too large"),
        "{said}"
    );
}

#[test]
fn wrong_usage_is_refused() {
    let sandbox = Sandbox::with(&[("m", "1 2\n3 4\n")]);
    std::fs::create_dir(sandbox.path("folder")).unwrap();
    for (code, arguments) in [
        (2, &["det"][..]),
        (2, &["det", "absent"]),
        (2, &["det", "folder"]),
        (2, &["det", "m", "-o", "folder"]),
        (2, &["det", "m", "--mod", "97", "--float"]),
        (2, &["det", "m", "--mod", "97", "--early"]),
        (2, &["det", "m", "--float", "--early"]),
        (2, &["det", "m", "--algorithm", "cramer"]),
        (2, &["det", "m", "--algorithm", "condensation"]),
        (2, &["det", "m", "--method", "cramer"]),
        (2, &["det", "m", "--method", "residues", "--mod", "97"]),
        (2, &["det", "m", "--method", "residues", "--float"]),
        (2, &["det", "m", "--method", "residues", "--early"]),
        (2, &["det", "m", "--method", "residues", "--images", "0..1"]),
        (
            2,
            &["det", "m", "--method", "residues", "--device", "opencl"],
        ),
        (2, &["det", "m", "--mod", "x"]),
        (1, &["det", "m", "--mod", "15"]),
        (1, &["det", "m", "--max-memory", "10"]),
        (1, &["det", "m", "--device", "cuda"]),
    ] {
        assert_ne!(sandbox.fail(code, arguments), "", "{arguments:?}");
    }
    let outcome = sandbox.run_with_input(&["det", "-"], b"1 2\n3 4\n");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(0), "-2\n"));
}

#[test]
fn denominators_that_lengthen_their_rows_count() {
    // Each 1 becomes an integer of 100 001 digits: 41 kB for every two bytes of the file.
    let order = 60;
    let row = format!("1e-100000{}\n", " 1".repeat(order - 1));
    let sandbox = Sandbox::with(&[("m", &row.repeat(order))]);
    let said = sandbox.fail(1, &["det", "m", "--max-memory", "100M"]);
    assert!(
        said.contains("the determinant needs at least about 14"),
        "{said}"
    );
}

#[test]
fn random_bytes_never_crash_the_program() {
    let sandbox = Sandbox::with(&[]);
    let mut random = sunzi_testkit::Random::new(5);
    let alphabet = b"0123456789 -+/.e#\n\n\n\r\t%x\xff\0";
    for _ in 0..40 {
        let text = random.text(alphabet, 40);
        sandbox.write("m", &text);
        for more in [&[][..], &["--mod", "97"], &["--float"]] {
            let outcome = sandbox.run(&[&["det", "m"], more].concat());
            assert!(matches!(outcome.code, Some(0..=2)), "{text:?}: {outcome:?}");
            assert!(!outcome.stderr.contains("panicked"), "{outcome:?}");
        }
    }
}

#[test]
fn images_are_computed_in_parts_and_put_together() {
    let matrix = random(12, 100, 5);
    let sandbox = Sandbox::with(&[("m", &table(&matrix)), ("q", "1/2 3\n4 5/7\n")]);
    let expected = format!("{}\n", bareiss(&matrix));
    sandbox.succeed(&["det", "m", "--images", "20..60", "-o", "b"]);
    sandbox.succeed(&["det", "m", "--images", "0..20", "-o", "a", "--threads", "2"]);
    assert_eq!(
        sandbox.succeed(&["det", "m", "--combine", "b", "a"]),
        expected
    );
    sandbox.succeed(&["det", "m", "--images", "0..60", "-o", "whole.gz"]);
    assert_eq!(
        sandbox.succeed(&["det", "m", "--combine", "whole.gz"]),
        expected
    );
    let report = sandbox.succeed(&["det", "m", "--combine", "a", "b", "--json"]);
    assert!(
        report.contains("\"proved\": true") && report.contains("\"residues\""),
        "{report}"
    );
    // Entries that are no integers have a common denominator.
    sandbox.succeed(&["det", "q", "--images", "0..9", "-o", "c"]);
    assert_eq!(
        sandbox.succeed(&["det", "q", "--combine", "c"]),
        "-163/14\n"
    );
    let none = sandbox.succeed(&["det", "m", "--images", "0..0"]);
    assert!(
        none.contains("\"needed\":") && none.ends_with("\"residues\":[]}\n"),
        "{none}"
    );

    for (arguments, told) in [
        (&["m", "--combine", "b"][..], "the images 0..20 are missing"),
        (&["m", "--combine", "a"], "the images 20.."),
        (
            &["m", "--combine", "a", "b", "a"],
            "the images 0..20 are in two parts",
        ),
        (&["m", "--combine", "c"], "of other operands"),
        (&["m", "--combine", "m"], "no part that --images wrote"),
        (&["m", "--combine", "nosuch"], "no such file"),
        (&["m", "--images", "5..3"], "as in 0..1000"),
        (&["m", "--images=-1..3"], "as in 0..1000"),
        (&["m", "--images", "7"], "as in 0..1000"),
        (
            &["m", "--images", "0..3", "--combine", "a"],
            "cannot be used with",
        ),
        (&["m", "--images", "0..3", "--float"], "cannot be used with"),
        (
            &["m", "--images", "0..3", "--mod", "7"],
            "cannot be used with",
        ),
        (&["m", "--images", "0..3", "--early"], "cannot be used with"),
        (&["m", "--images", "0..3", "--json"], "leave --json out"),
        (
            &["-", "--combine", "-"],
            "only one file can be standard input",
        ),
        (
            &["m", "--images", "0..3", "--device", "opencl"],
            "leave --device out",
        ),
    ] {
        let said = sandbox.fail(2, &[&["det", "-o", "out"], arguments].concat());
        assert!(said.contains(told), "{arguments:?}: {said}");
    }
}

#[test]
fn the_work_of_images_is_told_beside_that_of_the_quickest_way() {
    let times = |order: usize| -> f64 {
        let matrix = table(&random(order, 100, 5));
        let sandbox = Sandbox::with(&[("m", &matrix)]);
        let told = sandbox.json(&["det", "m"])["explanation"].take();
        let told = told.as_str().unwrap();
        let times = told.strip_prefix("all images (--images) take ").unwrap();
        times.split(' ').next().unwrap().parse().unwrap()
    };
    let [few, many] = [30, 120].map(times);
    assert!(1.0 <= few && few < many, "{few} {many}");
    let sandbox = Sandbox::with(&[("m", "1 2\n3 4\n"), ("zero", "0 0\n3 4\n")]);
    for arguments in [&["det", "m", "--early"][..], &["det", "zero"]] {
        let told = sandbox.json(arguments);
        assert_eq!(told.get("explanation"), None, "{arguments:?}");
    }
}

#[test]
fn parts_that_are_damaged_are_refused() {
    let sandbox = Sandbox::with(&[("m", "1 2\n3 4\n")]);
    let part = sandbox.succeed(&["det", "m", "--images", "0..1"]);
    for (from, to, told) in [
        ("\"residues\":[", "\"residues\":[4294967296,", "checksum"),
        ("\"residues\":[1", "\"residues\":[2", "checksum"),
        ("\"first\":0", "\"first\":1", "checksum"),
        (
            "\"residues\":[",
            "\"residues\":[-1,",
            "no part that --images wrote",
        ),
        ("\"sunzi_images\":1", "\"sunzi_images\":2", "form 2"),
        ("\"job\":\"", "\"job\":\"0", "checksum"),
        ("}", "", "no part that --images wrote"),
        ("\"first\":0,", "", "no part that --images wrote"),
    ] {
        assert!(part.contains(from), "{part}");
        let sandbox = Sandbox::with(&[("m", "1 2\n3 4\n"), ("p", &part.replacen(from, to, 1))]);
        let said = sandbox.fail(2, &["det", "m", "--combine", "p"]);
        assert!(said.contains(told), "{to}: {said}");
    }
    let sandbox = Sandbox::with(&[("m", "1 2\n3 4\n"), ("p", &part), ("empty", "\n\n")]);
    assert_eq!(sandbox.succeed(&["det", "m", "--combine", "p"]), "-2\n");
    assert!(
        sandbox
            .fail(2, &["det", "m", "--combine", "empty"])
            .contains("there is no part")
    );
}
