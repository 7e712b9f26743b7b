//! Greatest common divisors, resultants and square-free factors over Z.

use crate::common::Sandbox;
use serde_json::{Value, json};

/// 6(x − 1)(x + 1) and −4x(x + 1); x and 0; 0 and 0; coprime ones; long coefficients.
fn sandbox() -> Sandbox {
    let long = "1".repeat(60);
    Sandbox::with(&[
        (
            "a",
            &format!("-6 0 6\nx\n0\n# a comment\nx^3 - 2\n{long}*x + {long}\n"),
        ),
        (
            "b",
            &format!("0 -4 -4\n0\n0\nx^2 + x + 1\n-{long} - {long}*x\n"),
        ),
    ])
}

#[test]
fn greatest_common_divisors() {
    let sandbox = sandbox();
    let long = "1".repeat(60);
    assert_eq!(
        sandbox.succeed(&["poly", "gcd", "a", "b"]),
        format!("2 2\n0 1\n0\n1\n{long} {long}\n")
    );
    assert_eq!(
        sandbox.succeed(&["poly", "gcd", "a", "b", "--pretty", "--threads", "3"]),
        format!("2*x + 2\nx\n0\n1\n{long}*x + {long}\n")
    );
    let found = sandbox.json(&["poly", "gcd", "a", "b"]);
    assert_eq!(found["command"], "poly gcd");
    assert_eq!(found["inputs"]["modulus"], Value::Null);
    assert_eq!(
        found["results"][0],
        json!({"gcd": ["2", "2"], "method": "values", "primes": 0, "dropped": 0, "proved": true})
    );
    // Longer ones by primes.
    let power = |x: &str| format!("({x})*(x^19 + 3^200*x + 5)^2");
    let words = Sandbox::with(&[("a", &power("x + 1")), ("b", &power("x - 1"))]);
    let found = words.json(&["poly", "gcd", "a", "b"]);
    assert_eq!(found["results"][0]["method"], "words");
    // Modulo a prime they are monic.
    let modular = Sandbox::with(&[("a", "6*x^2 - 6"), ("b", "-4*x^2 - 4*x")]);
    assert_eq!(
        modular.succeed(&["poly", "gcd", "a", "b", "--mod", "97"]),
        "1 1\n"
    );
}

#[test]
fn resultants() {
    let sandbox = sandbox();
    // The product of x³ − 2 at both roots of x² + x + 1, which are cube roots of 1, is (1 − 2)².
    assert_eq!(
        sandbox.succeed(&["poly", "resultant", "a", "b"]),
        "0\n0\n0\n1\n0\n"
    );
    let one = Sandbox::with(&[("f", "x^2 - 10^40"), ("g", "x - 1\n3\n2*x + 1\nx^2 - 1\n")]);
    let below = "9".repeat(40);
    // (10^40 − 1)².
    let square = format!("{}8{}1", "9".repeat(39), "0".repeat(39));
    assert_eq!(
        one.succeed(&["poly", "resultant", "f", "g"]),
        format!("-{below}\n9\n-3{below}\n{square}\n")
    );
    let found = one.json(&["poly", "resultant", "f", "g"]);
    let first = &found["results"][0];
    assert_eq!(first["resultant"], json!(format!("-{below}")));
    let how = |index: usize| {
        let result = &found["results"][index];
        assert_eq!(result["proved"], true);
        (&result["method"], result["primes"].as_u64().unwrap())
    };
    assert_eq!(how(0), (&json!("linear"), 0));
    let (method, primes) = how(3);
    assert_eq!(method, "words");
    assert!(primes >= 3);
}

#[test]
fn an_early_end_is_told() {
    // So long a bound that fewer primes than it asks for tell the resultant, the square of the constant term.
    let zeros = "0 ".repeat(60);
    let long = "7".repeat(400);
    let sandbox = Sandbox::with(&[("f", &format!("5 {zeros}{long}")), ("g", "0 0 1")]);
    let proved = ["poly", "resultant", "f", "g"];
    let early = ["poly", "resultant", "f", "g", "--early"];
    assert_eq!(sandbox.succeed(&proved), "25\n");
    let label = "25\n# not proved: wrong with a probability of at most 2^-60 (--early --seed ";
    let seeded = [&early[..], &["--seed", "7"]].concat();
    assert_eq!(sandbox.succeed(&seeded), format!("{label}7)\n"));
    // Another seed each time, which is told.
    let [first, second] = [(); 2].map(|()| sandbox.succeed(&early));
    assert!(first.starts_with(label), "{first}");
    assert_ne!(first, second);
    let told = sandbox.json(&early)["inputs"]["seed"].clone();
    assert!(
        told.as_str()
            .is_some_and(|seed| seed.parse::<u128>().is_ok()),
        "{told}"
    );
    assert_eq!(sandbox.json(&seeded)["inputs"]["seed"], "7");
    assert_eq!(sandbox.json(&proved)["inputs"]["seed"], json!(null));
    let known = |arguments| {
        let result = sandbox.json(arguments)["results"][0].clone();
        assert_eq!(result["resultant"], "25");
        let probability = result["error_probability"].as_f64();
        let most = if result["proved"] == true {
            0.0
        } else {
            2f64.powi(-60)
        };
        assert_eq!(probability, Some(most));
        (result["proved"].clone(), result["primes"].as_u64().unwrap())
    };
    let (is_proved, primes) = known(&proved);
    let (is_proved_early, fewer) = known(&early);
    assert_eq!((is_proved, is_proved_early), (json!(true), json!(false)));
    assert!(fewer < primes);
    sandbox.fail(
        2,
        &["poly", "resultant", "f", "g", "--early", "--mod", "97"],
    );
    // A seed is for what is drawn, and below 2^128.
    sandbox.fail(2, &[&proved[..], &["--seed", "1"]].concat());
    for seed in ["340282366920938463463374607431768211456", "-1", "1.5", ""] {
        sandbox.fail(2, &[&early[..], &["--seed", seed]].concat());
    }
}

#[test]
fn an_early_end_cannot_be_prepared_for() {
    // Modulo each of the first eight primes below 2^50 the resultant is 0.
    let constant = "20657999024648664825370478822120964082918205137152624682640708827408474279199203325109717801425251987799539229133797544427";
    let slope = "- 2251799813685021*x";
    let sandbox = Sandbox::with(&[
        ("f", &format!("-2251799813684925 {slope}")),
        ("g", &format!("{constant} {slope}")),
    ]);
    let proved = sandbox.succeed(&["poly", "resultant", "f", "g"]);
    assert_eq!(proved.trim_start_matches('-').trim_end().len(), 137);
    for _ in 0..5 {
        let early = sandbox.succeed(&["poly", "resultant", "f", "g", "--early"]);
        assert_eq!(early.lines().next(), proved.lines().next());
    }
}

#[test]
fn square_free_factors() {
    let sandbox = Sandbox::with(&[
        ("f", "2*x^4 - 4*x^3 - 6*x^2\n-5\n-x^2 - 2*x - 1\n"),
        ("zero", "1 2\n0\n"),
    ]);
    assert_eq!(
        sandbox.succeed(&["poly", "squarefree", "f"]),
        "2\n1: -3 -2 1\n2: 0 1\n-5\n-1\n2: 1 1\n"
    );
    assert_eq!(
        sandbox.succeed(&["poly", "squarefree", "f", "--pretty", "--threads", "2"]),
        "2\n1: x^2 - 2*x - 3\n2: x\n-5\n-1\n2: x + 1\n"
    );
    let found = sandbox.json(&["poly", "squarefree", "f"]);
    let first = &found["results"][0];
    assert_eq!(first["content"], "2");
    assert_eq!(
        first["factors"],
        json!([
            {"multiplicity": 1, "factor": ["-3", "-2", "1"]},
            {"multiplicity": 2, "factor": ["0", "1"]},
        ])
    );
    assert_eq!(
        (&first["method"], &first["proved"]),
        (&json!("values"), &json!(true))
    );
    let said = sandbox.fail(1, &["poly", "squarefree", "zero"]);
    assert!(said.starts_with("sunzi: zero, line 2"), "{said}");
    assert!(
        said.contains("0 is no product of square-free factors"),
        "{said}"
    );
}

#[test]
fn wrong_input_is_told_with_its_place() {
    let sandbox = Sandbox::with(&[
        ("a", "1 2\nx^2 + y\n"),
        ("b", "1 2\n1 2\n"),
        ("c", "1\n2\n3\n"),
    ]);
    for verb in ["gcd", "resultant"] {
        let said = sandbox.fail(2, &["poly", verb, "b", "a"]);
        assert!(said.starts_with("sunzi: a, line 2, column 7"), "{said}");
        let said = sandbox.fail(2, &["poly", verb, "b", "c"]);
        assert!(said.contains("a line is missing"), "{said}");
        sandbox.fail(2, &["poly", verb, "b"]);
    }
    let said = sandbox.fail(2, &["poly", "squarefree", "a"]);
    assert!(said.starts_with("sunzi: a, line 2, column 7"), "{said}");
    sandbox.fail(2, &["poly", "squarefree"]);
    // Greatest common divisors are always proved.
    sandbox.fail(2, &["poly", "gcd", "b", "b", "--early"]);
}

#[test]
fn too_little_memory_is_told() {
    let sandbox = Sandbox::with(&[("f", &"12345 ".repeat(2000))]);
    for arguments in [&["gcd", "f", "f"][..], &["squarefree", "f"]] {
        let said = sandbox.fail(
            1,
            &[&["poly"], arguments, &["--max-memory", "100K"]].concat(),
        );
        assert!(said.contains("needs"), "{said}");
    }
}

/// Two polynomials of degrees 30 and 20, with a resultant of some thousand bits.
fn long_pair() -> (String, String) {
    let row = |count: u64, step: u64| {
        let coefficients = (1..=count).map(|k| format!("{}{}", k * step, "7".repeat(20)));
        coefficients.collect::<Vec<_>>().join(" ")
    };
    (row(31, 12_345_677), row(21, 7_654_321))
}

#[test]
fn resultants_are_computed_in_parts_and_put_together() {
    let (f, g) = long_pair();
    let sandbox = Sandbox::with(&[
        ("f", &f),
        ("g", &g),
        ("many", "1 2\n3 4\n"),
        ("m", "1 2\n3 4\n"),
    ]);
    let resultant = ["poly", "resultant", "f", "g"];
    let whole = sandbox.json(&resultant);
    let primes = whole["results"][0]["primes"].as_u64().unwrap();
    assert!(primes > 60, "{primes}");
    let expected = sandbox.succeed(&resultant);
    let with = |more: &[&str]| sandbox.succeed(&[&resultant[..], more].concat());
    with(&["--images", "20..200", "-o", "b"]);
    with(&["--images", "0..20", "-o", "a", "--threads", "2"]);
    for parts in [&["a", "b"][..], &["b", "a"]] {
        assert_eq!(with(&[&["--combine"], parts].concat()), expected);
    }
    // All of what is told of it, but for the time it took.
    let mut combined = sandbox.json(&[&resultant[..], &["--combine", "a", "b"]].concat());
    for told in ["command", "inputs", "results", "device"] {
        assert_eq!(combined[told].take(), whole[told], "{told}");
    }
    let none = with(&["--images", "0..0"]);
    assert!(
        none.contains(&format!("\"needed\":{primes},")) && none.ends_with("\"residues\":[]}\n"),
        "{none}"
    );
    // Constants need no images.
    let none = [
        "poly",
        "resultant",
        "-e",
        "3",
        "-e",
        "x^2",
        "--images",
        "0..0",
        "-o",
        "c",
    ];
    sandbox.succeed(&none);
    assert_eq!(
        sandbox.succeed(&[
            "poly",
            "resultant",
            "-e",
            "3",
            "-e",
            "x^2",
            "--combine",
            "c"
        ]),
        "9\n"
    );
    sandbox.succeed(&["det", "m", "--images", "0..200", "-o", "of-m"]);
    sandbox.succeed(&[
        "poly",
        "resultant",
        "g",
        "f",
        "--images",
        "0..200",
        "-o",
        "other",
    ]);

    for (arguments, told) in [
        (
            &["f", "g", "--combine", "b"][..],
            "the images 0..20 are missing",
        ),
        (&["f", "g", "--combine", "a"], "the images 20.."),
        (
            &["f", "g", "--combine", "a", "b", "a"],
            "the images 0..20 are in two parts",
        ),
        (&["f", "g", "--combine", "other"], "of other operands"),
        (&["f", "g", "--combine", "of-m"], "or of another operation"),
        (&["f", "g", "--combine", "f"], "no part that --images wrote"),
        (&["f", "g", "--combine", "nosuch"], "no such file"),
        (&["f", "g", "--images", "5..3"], "as in 0..1000"),
        (
            &["f", "g", "--images", "0..3", "--combine", "a"],
            "cannot be used with",
        ),
        (
            &["f", "g", "--images", "0..3", "--mod", "7"],
            "cannot be used with",
        ),
        (
            &["f", "g", "--combine", "a", "--early"],
            "cannot be used with",
        ),
        (
            &["f", "g", "--images", "0..3", "--json"],
            "leave --json out",
        ),
        (
            &["f", "-", "--combine", "-"],
            "only one file can be standard input",
        ),
        (
            &["f", "g", "--combine", "a", "--device", "opencl"],
            "leave --device out",
        ),
        (
            &["f", "many", "--images", "0..3"],
            "images in parts are of one result: give one line a file",
        ),
        (&["many", "many", "--combine", "a"], "give one line a file"),
        (&["f", "-e", "x +", "--images", "0..3"], "-e x +, line 1"),
    ] {
        let said = sandbox.fail(
            2,
            &[&["poly", "resultant", "-o", "out"], arguments].concat(),
        );
        assert!(said.contains(told), "{arguments:?}: {said}");
    }
    let said = sandbox.fail(2, &["det", "m", "--combine", "a", "b"]);
    assert!(said.contains("or of another operation"), "{said}");
    let said = sandbox.fail(
        1,
        &[&resultant[..], &["--images", "0..3", "--max-memory", "100"]].concat(),
    );
    assert!(said.contains("the resultant needs about"), "{said}");
}

#[test]
fn parts_of_resultants_that_are_damaged_are_refused() {
    let resultant = ["poly", "resultant", "-e", "x^2 - 2", "-e", "x - 1"];
    let sandbox = Sandbox::with(&[]);
    let part = sandbox.succeed(&[&resultant[..], &["--images", "0..1"]].concat());
    let combine = [&resultant[..], &["--combine", "p"]].concat();
    for (from, to, told) in [
        ("\"residues\":[", "\"residues\":[4294967296,", "checksum"),
        ("\"first\":0", "\"first\":1", "checksum"),
        ("\"sunzi_images\":1", "\"sunzi_images\":2", "form 2"),
        ("}", "", "no part that --images wrote"),
        ("\"needed\":1,", "", "no part that --images wrote"),
    ] {
        assert!(part.contains(from), "{part}");
        sandbox.write("p", part.replacen(from, to, 1).as_bytes());
        let said = sandbox.fail(2, &combine);
        assert!(said.contains(told), "{to}: {said}");
    }
    sandbox.write("p", part.as_bytes());
    assert_eq!(sandbox.succeed(&combine), "-1\n");
    sandbox.write("p", b"\n\n");
    let said = sandbox.fail(2, &combine);
    assert!(said.contains("there is no part"), "{said}");
}

#[test]
fn resultants_in_y() {
    let sandbox = Sandbox::with(&[
        ("f", "x^2 + y^2 - 5\n0\n(x + y)^3 - 10^40\n"),
        ("g", "x*y - 2\nx\nx^2 + y^2 - 1\n"),
        ("half", "1/2*x + y\n"),
    ]);
    let resultant = ["poly", "resultant", "f", "g", "--vars", "x,y"];
    let plain = sandbox.succeed(&resultant);
    // Of degree 6 in x, where x³ + 3x(1 − x²) − 10^40 and y(3x² + 1 − x²) meet.
    let lines: Vec<&str> = plain.lines().collect();
    assert_eq!(lines[..2], ["4 0 -5 0 1", "0"]);
    assert_eq!(lines[2].split(' ').count(), 7);
    let pretty = sandbox.succeed(&[&resultant[..], &["--pretty"]].concat());
    assert!(pretty.starts_with("x^4 - 5*x^2 + 4\n0\n8*x^6 "), "{pretty}");
    // The other variable is eliminated where it is named last.
    let other = [
        "poly",
        "resultant",
        "-e",
        "x^2 + y",
        "-e",
        "x - 3",
        "--vars",
        "y,x",
        "--pretty",
    ];
    assert_eq!(sandbox.succeed(&other), "y + 9\n");
    let found = sandbox.json(&resultant);
    assert_eq!(found["inputs"]["variables"], json!(["x", "y"]));
    let first = &found["results"][0];
    assert_eq!(first["resultant"], json!(["4", "0", "-5", "0", "1"]));
    assert_eq!(
        (&first["method"], &first["proved"]),
        (&json!("words"), &json!(true))
    );
    let early = sandbox.json(&[&resultant[..], &["--early", "--seed", "3"]].concat());
    assert_eq!(early["results"][0]["resultant"], first["resultant"]);

    // In parts.
    let one = |more: &[&str]| {
        let resultant = [
            "poly",
            "resultant",
            "-e",
            "(x + y)^3 - 10^40",
            "-e",
            "x^2 + y^2 - 1",
        ];
        sandbox.succeed(&[&resultant[..], &["--vars", "x,y"], more].concat())
    };
    one(&["--images", "3..40", "-o", "b"]);
    one(&["--images", "0..3", "-o", "a"]);
    assert_eq!(one(&["--combine", "b", "a"]), format!("{}\n", lines[2]));
    assert_eq!(
        format!(
            "x^4 - 5*x^2 + 4\n0\n{}",
            one(&["--combine", "a", "b", "--pretty"])
        ),
        pretty
    );
    for (arguments, told) in [
        (&["f", "g", "--combine", "a"][..], "give one line a file"),
        (
            &["half", "half"],
            "half, line 1, column 1: the coefficients are integers here",
        ),
        (&["half", "half", "--mod", "7"], "cannot be used with"),
        (&["half", "half", "--var", "t"], "cannot be used with"),
        (&["-e", "x + z", "-e", "y"], "no variable `z`"),
        (
            &["-e", "x + y", "-e", "y", "--combine", "a"],
            "of other operands",
        ),
    ] {
        let all = [&["poly", "resultant", "--vars", "x,y"], arguments].concat();
        let said = sandbox.fail(2, &all);
        assert!(said.contains(told), "{arguments:?}: {said}");
    }
    let said = sandbox.fail(2, &["poly", "resultant", "f", "g", "--pretty"]);
    assert!(said.contains("--vars"), "{said}");
}

#[test]
fn results_over_z_by_a_method_that_is_asked_for() {
    // Modulo 2^59 + 2^58 + 2^11 to the power of 4, plus 1, the second divides the first.
    let unlucky = "(2^59 + 2^58 + 2^11)^2";
    let sandbox = Sandbox::with(&[
        ("f", "(x^2 + 1)*(x - 7)\n(x + 3^90)*(x^3 - 5)\n0\n"),
        (
            "g",
            &format!("(x - {unlucky})*(x - 7)\n(x + 3^90)*(x^2 + 2)\n4*x - 2\n"),
        ),
    ]);
    for command in ["gcd", "resultant"] {
        let told = |method: &[&str]| {
            let words = [&["poly", command, "f", "g"], method].concat();
            sandbox.json(&words)["results"].as_array().unwrap().clone()
        };
        let (words, big) = (
            told(&["--method", "words"]),
            told(&["--method", "big-prime"]),
        );
        for (words, big) in words.iter().zip(&big) {
            assert_eq!(words[command], big[command]);
            assert_eq!(
                (&words["proved"], &big["proved"]),
                (&json!(true), &json!(true))
            );
            assert!(words["dropped"].is_u64() && big["dropped"].is_u64());
        }
        assert_eq!(
            (&words[1]["method"], &big[1]["method"]),
            (&json!("words"), &json!("big prime"))
        );
        assert_eq!(big[1]["primes"], 1);
    }
    for refused in [["--mod", "97"], ["--method", "other"]] {
        let words = [
            &["poly", "gcd", "f", "g", "--method", "words"][..],
            &refused,
        ]
        .concat();
        sandbox.fail(2, &words);
    }
    sandbox.fail(
        2,
        &[
            "poly",
            "resultant",
            "f",
            "g",
            "--method",
            "words",
            "--early",
        ],
    );
}
