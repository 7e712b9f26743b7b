//! `sunzi solve`, on good, empty, wrong and hostile input.

use crate::common::Sandbox;
use rug::Rational;

/// Runs `solve f g` on two texts.
fn solved(f: &str, g: &str, more: &[&str]) -> String {
    let sandbox = Sandbox::with(&[("f", f), ("g", g)]);
    sandbox.succeed(&[&["solve", "f", "g"], more].concat())
}

/// Runs `solve f g` with an output file, which must fail.
fn refused(code: i32, f: &str, g: &str, more: &[&str]) -> String {
    let sandbox = Sandbox::with(&[("f", f), ("g", g)]);
    sandbox.fail(code, &[&["solve", "f", "g", "-o", "out"], more].concat())
}

fn json(f: &str, g: &str, more: &[&str]) -> serde_json::Value {
    serde_json::from_str(&solved(f, g, &[more, &["--json"]].concat())).unwrap()
}

#[test]
fn solutions_stand_one_a_line_with_their_multiplicities() {
    // A circle and a parabola that touches it from within.
    assert_eq!(
        solved("x^2 + y^2 - 1", "y - x^2 + 1", &[]),
        "# 3 real solutions of 4 (complex, with multiplicity)\n\
         -1 0 1\n\
         0 -1 2\n\
         1 0 1\n"
    );
    // √2 has the digits 1.41421356237309504880168872…
    let both = |digits: &str| {
        format!(
            "# 2 real solutions of 2 (complex, with multiplicity)\n-{digits} -{digits} 1\n{digits} {digits} 1\n"
        )
    };
    let (f, g) = ("x*y - 2", "x - y");
    assert_eq!(solved(f, g, &[]), both("1.4142135623730950488"));
    assert_eq!(solved(f, g, &["--digits", "5"]), both("1.4142"));
    assert_eq!(
        solved(f, g, &["--digits", "27"]),
        both("1.41421356237309504880168872")
    );
    // Results do not depend on threads.
    for threads in ["1", "2", "3", "7"] {
        assert_eq!(
            solved(f, g, &["--threads", threads]),
            both("1.4142135623730950488")
        );
    }
}

#[test]
fn coefficients_may_be_quotients_and_variables_have_any_names() {
    assert_eq!(
        solved("0.5a - 0.25", "1/3*beta + a", &["--vars", "a,beta"]),
        "# 1 real solution of 1 (complex, with multiplicity)\n0.5 -1.5 1\n"
    );
    // x and y exchanged.
    assert_eq!(
        solved("x - 1", "y - 2", &["--vars", "y,x"]),
        "# 1 real solution of 1 (complex, with multiplicity)\n2 1 1\n"
    );
}

#[test]
fn lines_go_with_lines() {
    let circle = "# radius\n\nx^2 + y^2 - 1 # unit\n";
    let lines = "x\ny - 2\n\nx - 1\n";
    let expected = "# 2 real solutions of 2 (complex, with multiplicity)\n0 -1 1\n0 1 1\n\
                    # 0 real solutions of 2 (complex, with multiplicity)\n\
                    # 1 real solution of 2 (complex, with multiplicity)\n1 0 2\n";
    assert_eq!(solved(circle, lines, &[]), expected);
    assert_eq!(solved(lines, circle, &[]), expected);
    let sandbox = Sandbox::with(&[("f", circle)]);
    let outcome = sandbox.run_with_input(&["solve", "f", "-"], lines.as_bytes());
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(0), expected));
    sandbox.write("g", lines.as_bytes());
    sandbox.succeed(&["solve", "f", "g", "-o", "out"]);
    assert_eq!(sandbox.read("out"), expected);
}

#[test]
fn boxes_hold_their_solutions() {
    let found = solved("x^3 - 2*y", "y^2 - 3", &["--boxes", "--digits", "30"]);
    let mut lines = found.lines();
    assert_eq!(
        lines.next(),
        Some("# 2 real solutions of 6 (complex, with multiplicity)")
    );
    let number = |text: &str| {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits: Rational = format!("{whole}{fraction}").parse().unwrap();
        digits / Rational::from(10).pow_of(fraction.len())
    };
    let mut count = 0;
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let [x0, x1, y0, y1] = [0, 1, 2, 3].map(|index| number(words[index]));
        assert_eq!(words[4], "1");
        // x⁶ = 4·y² = 12 and y² = 3, of one sign.
        let (x0, x1, y0, y1) = match x0 < 0 {
            true => (-x1, -x0, -y1, -y0),
            false => (x0, x1, y0, y1),
        };
        assert!(
            x0.clone().pow_of(6) < 12 && x1.clone().pow_of(6) > 12,
            "{line}"
        );
        assert!(
            y0.clone().pow_of(2) < 3 && y1.clone().pow_of(2) > 3,
            "{line}"
        );
        let narrow = Rational::from(1) / Rational::from(10).pow_of(30);
        assert!(x1 - x0 <= narrow && y1 - y0 <= narrow, "{line}");
        count += 1;
    }
    assert_eq!(count, 2);
}

trait Power {
    fn pow_of(self, exponent: usize) -> Self;
}

impl Power for Rational {
    fn pow_of(self, exponent: usize) -> Self {
        (0..exponent).fold(Rational::from(1), |power, _| power * &self)
    }
}

#[test]
fn common_curves_are_told() {
    let (f, g) = (
        "(x^2 + y^2 - 1)*(x - y)",
        "(x^2 + y^2 - 1)*(x + y - 1)*(x - 2)",
    );
    let found = solved(f, g, &[]);
    let mut lines = found.lines();
    assert_eq!(lines.next(), Some("# common curve: x^2 + y^2 - 1"));
    assert_eq!(
        lines.next(),
        Some("# of the system without it: 2 real solutions of 2 (complex, with multiplicity)")
    );
    assert_eq!(lines.collect::<Vec<_>>(), ["0.5 0.5 1", "2 2 1"]);
    // The point (0, 1) of the other factors is on the circle.
    let found = solved("(x^2 + y^2 - 1)*x", "(x^2 + y^2 - 1)*(y - 1)", &[]);
    assert_eq!(found.lines().last(), Some("0 1 1 # on the common curve"));
    // One polynomial that is zero leaves the other's curve.
    let found = solved("x - x", "x*y - 1", &[]);
    assert_eq!(found.lines().next(), Some("# common curve: x*y - 1"));
}

#[test]
fn json_tells_how_solutions_are_known() {
    let found = json("2*x^2 + y^2 - 3", "x*y - 1/2", &["--digits", "12"]);
    assert_eq!(found["command"], "solve");
    assert_eq!(found["inputs"]["variables"], serde_json::json!(["x", "y"]));
    assert_eq!(found["inputs"]["digits"], 12);
    let system = &found["results"][0];
    let complex = serde_json::json!({"distinct": 4, "with_multiplicity": 4});
    assert_eq!(system["complex"], complex);
    assert_eq!(
        (&system["proved"], &system["common_curve"]),
        (&true.into(), &().into())
    );
    let solutions = system["solutions"].as_array().unwrap();
    assert_eq!(solutions.len(), 4);
    for solution in solutions {
        let number = |key: &str| solution[key].as_str().unwrap().parse::<f64>().unwrap();
        assert!((number("x") * number("y") - 0.5).abs() < 1e-10);
        assert_eq!(solution["x_box"].as_array().unwrap().len(), 2);
        assert_eq!(solution["multiplicity"], 1);
        assert_eq!(solution["on_common_curve"], false);
    }
    assert!(system["seconds"]["elimination"].is_number());
    for key in ["primes", "dropped", "bound_bits"] {
        assert!(system[key].is_u64(), "{key}");
    }
    assert!(found["seconds"]["total"].is_number() && found["threads"].is_u64());
}

#[test]
fn early_ends_are_labelled() {
    // A resultant far below its bound: x² − 3.
    let sandbox = Sandbox::with(&[("f", "y - 2^600*x"), ("g", "y - 2^600*x - x^2 + 3")]);
    let proved = sandbox.succeed(&["solve", "f", "g"]);
    let early = sandbox.succeed(&["solve", "f", "g", "--early"]);
    let is_label = |line: &&str| line.starts_with("# not proved: ");
    assert_eq!(proved.lines().find(is_label), None);
    assert!(early.lines().any(|line| is_label(&line)), "{early}");
    let values = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !is_label(line));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(values(&proved), values(&early));
    let found = sandbox.succeed(&["solve", "f", "g", "--early", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&found).unwrap();
    assert_eq!(found["results"][0]["proved"], false);
    assert_eq!(found["results"][0]["error_probability"], 2f64.powi(-60));
    let seeded = |seed| sandbox.succeed(&["solve", "f", "g", "--early", "--seed", seed]);
    assert!(seeded("3").contains("(--early --seed 3)"));
    assert_eq!(values(&seeded("3")), values(&seeded("4")));
}

#[test]
fn zeros_modulo_a_prime_are_regular_chains() {
    let (f, g) = ("x^2 + y^2 - 5", "x*y - 2");
    assert_eq!(
        solved(f, g, &["--mod", "101"]),
        "# 1 regular chain, 4 points with multiplicity\nx^4 + 96*x^2 + 4\n51*x^3 + 48*x + y\n"
    );
    assert_eq!(
        solved(f, g, &["--mod", "2^64-2^32+1"]),
        "# 1 regular chain, 4 points with multiplicity\nx^4 + 18446744069414584316*x^2 + 4\n9223372034707292161*x^3 + 9223372034707292158*x + y\n"
    );
    let found = json(f, g, &["--mod", "101"]);
    assert_eq!(found["inputs"]["modulus"], "101");
    assert_eq!(found["results"][0]["points"], 4);
    assert_eq!(found["results"][0]["chains"][0]["t"], "x^4 + 96*x^2 + 4");
    // Quotients are residues, too: 1/2 is 51.
    let halves = solved("1/2*x^2 + y^2/2 - 5/2", g, &["--mod", "101"]);
    assert_eq!(halves, solved(f, g, &["--mod", "101"]));
    let said = refused(2, "x + y", "x/202 - 1", &["--mod", "101"]);
    assert!(
        said.starts_with("sunzi: g, line 1, column 1: ") && said.contains("denominator"),
        "{said}"
    );
    let said = refused(1, f, g, &["--mod", "100"]);
    assert!(said.contains("100"), "{said}");
    // r^2 + 1.
    assert_eq!(
        solved("x + y - 3", "2*y - 1", &["--mod", "4294901760^2+1"]),
        "# 1 regular chain, 1 point with multiplicity
\
         x + 9223090564025548798
\
         y + 9223090564025548800
"
    );
    let found = json(f, g, &["--mod", "P8"]);
    assert_eq!(found["results"][0]["points"], 4);
    assert_eq!(found["inputs"]["modulus"].as_str().unwrap().len(), 143);
    let said = refused(1, f, g, &["--mod", "2^127-1"]);
    assert!(said.contains("too large"), "{said}");
}

#[test]
fn pictures_show_curves_and_solutions() {
    let sandbox = Sandbox::with(&[("f", "x^2 + y^2 - 1\n"), ("g", "(y - x^2 + 1)*(y-x-9)^2\n")]);
    let told = sandbox.succeed(&["solve", "f", "g", "-o", "p.svg"]);
    assert!(told.starts_with("# 3 real solutions of "), "{told}");
    let picture = sandbox.read("p.svg");
    for part in [
        "<svg",
        "x^2 + y^2 - 1",
        "3 real solutions",
        "<path",
        "<circle",
        "</svg>",
    ] {
        assert!(picture.contains(part), "{part} is missing");
    }
    let told = sandbox.succeed(&[
        "solve",
        "f",
        "g",
        "-o",
        "p.png",
        "--window",
        "-2,2,-1.5,1.5",
        "--json",
    ]);
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["results"][0]["solutions"].as_array().unwrap().len(), 3);
    let bytes = std::fs::read(sandbox.path("p.png")).unwrap();
    assert_eq!(&bytes[1..4], b"PNG");
    assert_eq!(sandbox.names(), ["f", "g", "p.png", "p.svg"]);
}

#[test]
fn pictures_that_cannot_be_drawn_are_refused() {
    let sandbox = Sandbox::with(&[("f", "x\ny\n"), ("g", "x - 1\n")]);
    let said = sandbox.fail(2, &["solve", "f", "g", "-o", "p.svg"]);
    assert!(said.contains("one system"), "{said}");
    let said = sandbox.fail(2, &["solve", "g", "g", "-o", "p.pdf"]);
    assert!(
        said.contains("p.pdf: pictures are drawn into files that end in .svg or .png"),
        "{said}"
    );
    let said = sandbox.fail(2, &["solve", "g", "g", "-o", "p.png", "--mod", "7"]);
    assert!(said.contains("--mod"), "{said}");
    let said = sandbox.fail(2, &["solve", "g", "g", "--window", "0,1,0,1"]);
    assert!(said.contains("--window is for a picture"), "{said}");
    for (window, word) in [
        ("1,0,0,1", "empty"),
        ("0,1", "four numbers"),
        ("0,1,0,x", "four numbers"),
    ] {
        let said = sandbox.fail(2, &["solve", "g", "g", "-o", "p.svg", "--window", window]);
        assert!(said.contains(word), "{said}");
    }
}

#[test]
fn systems_that_every_point_solves_are_refused() {
    assert_eq!(
        refused(1, "0", "x - x", &[]),
        "sunzi: f, line 1, with g, line 1: every point is a solution: both polynomials are zero\n"
    );
    assert!(refused(1, "0", "0", &["--mod", "7"]).contains("every point is a solution"));
}

#[test]
fn wrong_expressions_are_located() {
    for (text, column, word) in [
        ("x + z", 5, "no variable `z`"),
        ("x^-1", 3, "exponent"),
        (".5*x", 1, "both sides of its point"),
        ("x^1.5", 4, "an exponent is an integer"),
        ("x = y = 2", 7, "one `=`"),
        ("x/y", 3, "divisor"),
        ("x^99999", 1, "degree"),
        ("(x+y+1)^3000", 1, "too much"),
        ("2^999999999", 1, "too much"),
        ("x*\u{e9}", 3, "0xc3"),
    ] {
        for more in [&[][..], &["--mod", "97"]] {
            let said = refused(2, &format!("# head\nx\n{text}\n"), "y\n", more);
            let place = format!("sunzi: f, line 3, column {column}: ");
            assert!(
                said.starts_with(&place) && said.contains(word),
                "{text}: {said}"
            );
        }
    }
    assert!(refused(2, "# nothing\n", "x", &[]).contains("f: the file holds no expression"));
    assert!(refused(2, "x\ny\n", "x\ny\nx\n", &[]).contains("a line is missing"));
    let sandbox = Sandbox::with(&[("f", "x")]);
    assert!(sandbox.fail(2, &["solve", "f", "none"]).contains("none"));
    assert!(
        sandbox
            .fail(2, &["solve", "-", "-"])
            .contains("standard input")
    );
    for (names, word) in [("x", "comma"), ("x,x", "two names"), ("1,2", "no name")] {
        let said = sandbox.fail(2, &["solve", "f", "f", "--vars", names]);
        assert!(said.contains(word), "{said}");
    }
    assert!(
        sandbox
            .fail(2, &["solve", "f", "f", "--digits", "0"])
            .contains("0")
    );
}

#[test]
fn what_does_not_fit_the_memory_is_refused() {
    let said = refused(
        1,
        "x^300*y^300 + 2^9999",
        "(x - y)^200 - 7",
        &["--max-memory", "64M"],
    );
    assert!(said.contains("memory"), "{said}");
}

#[test]
fn help_has_examples() {
    let help = Sandbox::with(&[]).succeed(&["solve", "--help"]);
    for part in [
        "Examples:",
        "--boxes",
        "--digits",
        "--vars",
        "-o p.svg",
        "--window",
        "regular chains",
    ] {
        assert!(help.contains(part), "{part}");
    }
}

#[test]
fn equations_have_two_sides() {
    let sandbox = Sandbox::with(&[]);
    let found = |f: &str, g: &str| sandbox.succeed(&["solve", "-e", f, "-e", g]);
    assert_eq!(
        found("x^2 + y^2 = 1", "x = y + 1"),
        found("x^2 + y^2 - 1", "x - y - 1")
    );
    assert_eq!(
        sandbox.succeed(&["poly", "roots", "-e", "x^2 = 4"]),
        "# 2 real roots\n-2 1\n2 1\n"
    );
    assert_eq!(
        sandbox.succeed(&[
            "poly",
            "gcd",
            "-e",
            "x^2 = 1",
            "-e",
            "0 = 2 - 2x",
            "--mod",
            "97"
        ]),
        "96 1\n"
    );
}

#[test]
fn different_solutions_are_written_differently() {
    let sandbox = Sandbox::with(&[]);
    let told = sandbox.succeed(&[
        "poly",
        "roots",
        "-e",
        "x^60 - 2*(10^20*x - 1)^2",
        "--digits",
        "10",
    ]);
    let lines: Vec<&str> = told.lines().collect();
    assert!(
        lines[0].ends_with("digits, which tell them apart"),
        "{told}"
    );
    let distinct: std::collections::BTreeSet<&str> = lines.iter().copied().collect();
    assert_eq!(distinct.len(), lines.len(), "{told}");
    let told = sandbox.succeed(&[
        "solve",
        "-e",
        "(x - 10^40)^2 + (y + 10^40)^2 = 1",
        "-e",
        "x + y",
    ]);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 3, "{told}");
    assert!(
        lines[0].contains("2 real solutions of 2") && lines[0].contains("apart"),
        "{told}"
    );
    assert_ne!(lines[1], lines[2]);
}
