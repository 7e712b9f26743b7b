//! `sunzi calc`: values against GMP, and mistakes told at their place.

use crate::common::Sandbox;
use rug::ops::Pow;
use rug::{Complete, Integer, Rational};
#[cfg(unix)]
use std::io::Write;
use sunzi_testkit::Random;

fn value(text: &str) -> String {
    Sandbox::with(&[]).succeed(&["calc", text])
}

/// The answers to lines.
fn values(lines: &[String], more: &[&str]) -> Vec<String> {
    let sandbox = Sandbox::with(&[]);
    let outcome = sandbox.run_with_input(&[&["calc"], more].concat(), lines.join("\n").as_bytes());
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(0), ""));
    let found: Vec<_> = outcome.stdout.lines().map(str::to_owned).collect();
    assert_eq!(found.len(), lines.len());
    found
}

fn same(expressions: &[(&str, &str)], more: &[&str]) {
    let lines: Vec<_> = expressions.iter().map(|case| case.0.to_owned()).collect();
    for ((text, expected), found) in expressions.iter().zip(values(&lines, more)) {
        assert_eq!(found, *expected, "{text}");
    }
}

#[test]
fn operators_bind_as_they_are_written_on_paper() {
    same(
        &[
            ("3^1000 mod 7 + gcd(2^100-1, 2^60-1)", "1048579"),
            ("2^3^2", "512"),
            ("2**10", "1024"),
            ("-2^2", "-4"),
            ("(-2)^2", "4"),
            ("2^-1", "1/2"),
            ("2^-3!", "1/64"),
            ("--3 - -4", "7"),
            ("2*3 mod 4", "2"),
            ("1 + 2*3", "7"),
            ("7 / 2 * 2", "7"),
            ("1/3 + 1/6", "1/2"),
            ("0.1 + 0.2", "3/10"),
            ("1e3 - 1.5e-1", "19997/20"),
            ("0x10 + 0XfF", "271"),
            ("7 // 2", "3"),
            ("-7 // 2", "-4"),
            ("7 // -2", "-4"),
            ("-7 % 3", "2"),
            ("7 % -3", "-2"),
            ("7/2 // 1", "3"),
            ("7/2 % 1", "1/2"),
            ("1/3 mod 7", "5"),
            ("1/3 % 7", "1/3"),
            ("-1 mod 7", "6"),
            ("17 // 5 mod 2", "1"),
            ("100 mod 7 mod 2", "0"),
            ("2^-1 mod 7", "4"),
            ("3 mod 1", "0"),
            ("1/3 mod 1", "0"),
            ("5!", "120"),
            ("3!!", "720"),
            ("0!", "1"),
            ("0^0", "1"),
            ("(-1)^(10^30)", "1"),
            ("0^(10^30)", "0"),
        ],
        &[],
    );
}

#[test]
fn functions_are_those_of_integers() {
    same(
        &[
            ("gcd(12, 18, 8)", "2"),
            ("gcd(-4, 0)", "4"),
            ("lcm(4, 6, 10)", "60"),
            ("binomial(100, 50)", "100891344545564193334812497256"),
            ("binomial(-3, 2)", "6"),
            ("isqrt(99)", "9"),
            ("root(-28, 3)", "-3"),
            ("factorial(20)", "2432902008176640000"),
            ("isprime(2^61-1)", "1"),
            ("isprime(2^67-1)", "0"),
            ("nextprime(10^20)", "100000000000000000039"),
            ("abs(-3/2)", "3/2"),
            ("floor(-3/2) * ceil(3/2)", "-4"),
            ("max(1/2, 1/3, -1) - min(4, 2)", "-3/2"),
        ],
        &[],
    );
}

#[test]
fn everything_is_reduced_modulo_a_number() {
    same(
        &[
            ("7^(10^50)", "1"),
            ("1/3", "4"),
            ("-1", "10"),
            ("2^-1", "6"),
            ("100! + 5", "5"),
            ("7 // 2", "3"),
            ("gcd(24, 36)", "1"),
            ("12 mod 5", "2"),
        ],
        &["--mod", "11"],
    );
    same(&[("3^(2^64) mod 5 + 4", "5")], &["--mod", "2*3"]);
    let named = Sandbox::with(&[]).succeed(&["calc", "-1", "--mod", "P8"]);
    let prime = Sandbox::with(&[]).prime("P8");
    assert_eq!(named.trim(), (prime - 1u32).to_string());
    // In a blink, although the power itself fits nowhere.
    assert_eq!(
        value("7^(10^50) mod (10^40)"),
        value("7^(10^50 mod (4*10^39)) mod (10^40)")
    );
}

#[test]
fn long_numbers_are_gmps() {
    let long = |n: u32| Integer::factorial(n).complete();
    let lines = [
        "5000! / 4990!",
        "2^20000 // 3^5000",
        "binomial(4000, 1999) % 10^50",
    ];
    let found = values(&lines.map(str::to_owned), &[]);
    assert_eq!(found[0], (long(5000) / long(4990)).to_string());
    let three = Integer::from(3);
    let quotient = (Integer::from(1) << 20_000u32) / three.pow(5000);
    assert_eq!(found[1], quotient.to_string());
    let binomial = Integer::binomial_u(4000, 1999).complete();
    assert_eq!(found[2], (binomial % Integer::from(10).pow(50)).to_string());
}

/// What an operator makes of two numbers, if anything.
type Exact = fn(Rational, Rational) -> Option<Rational>;

/// A random expression of exact operators, and its value, if it has one.
fn random_expression(random: &mut Random, depth: u32) -> (String, Option<Rational>) {
    if depth == 0 || random.below(5) == 0 {
        let n = match random.below(4) {
            0 => Integer::from(random.word()),
            1 => Integer::from(random.word()) * Integer::from(random.word()),
            _ => Integer::from(random.below(10)),
        };
        return (n.to_string(), Some(Rational::from(n)));
    }
    let (left, a) = random_expression(random, depth - 1);
    if random.below(8) == 0 {
        let exponent = random.below(5) as i32 - 2;
        let value = a.filter(|a| exponent >= 0 || *a != 0);
        return (
            format!("({left})^{exponent}"),
            value.map(|a| a.pow(exponent)),
        );
    }
    let (right, b) = random_expression(random, depth - 1);
    let (sign, value): (&str, Exact) = match random.below(6) {
        0 => ("+", |a, b| Some(a + b)),
        1 => ("-", |a, b| Some(a - b)),
        2 => ("*", |a, b| Some(a * b)),
        3 => ("/", |a, b| (b != 0).then(|| a / b)),
        4 => ("//", |a, b| (b != 0).then(|| (a / b).floor())),
        _ => ("%", |a, b| {
            (b != 0).then(|| a.clone() - (a / &b).floor() * b)
        }),
    };
    let value = a.zip(b).and_then(|(a, b)| value(a, b));
    (format!("({left}) {sign} ({right})"), value)
}

#[test]
fn random_expressions_are_gmps() {
    let mut random = Random::new(41);
    let (mut lines, mut expected) = (Vec::new(), Vec::new());
    while lines.len() < 3000 {
        if let (text, Some(value)) = random_expression(&mut random, 5) {
            lines.push(text);
            expected.push(value.to_string());
        }
    }
    for ((found, expected), line) in values(&lines, &[]).iter().zip(&expected).zip(&lines) {
        assert_eq!(found, expected, "{line}");
    }
    // Modulo a prime above all numbers that divide: a residue of the same number.
    let prime = (Integer::from(1) << 521) - 1u32;
    let residues = values(&lines, &["--mod", "2^521-1"]);
    for ((found, expected), line) in residues.iter().zip(&expected).zip(&lines) {
        let exact: Rational = expected.parse().unwrap();
        let (numerator, denominator) = exact.into_numer_denom();
        let inverse = denominator.invert(&prime).unwrap();
        let residue = (numerator * inverse).modulo(&prime);
        assert_eq!(*found, residue.to_string(), "{line}");
    }
}

#[test]
fn mistakes_are_told_at_their_place() {
    let sandbox = Sandbox::with(&[]);
    for (text, column, word) in [
        ("1 +", 4, "ends here"),
        ("2 $ 3", 3, "operator"),
        ("1/(2-2)", 2, "division by zero"),
        ("5 // 0", 3, "division by zero"),
        ("2^(1/2)", 2, "isqrt"),
        ("(-3)!", 2, "n!"),
        ("x + 1", 1, "no function `x`"),
        ("5 mod (-3)", 3, "modulus"),
        ("1/2 mod 4", 2, "factor 2"),
        ("3/(7 - 14) mod 7", 2, "division by zero"),
        ("isqrt(-1)", 1, "negative"),
        ("gcd(1/2, 3)", 5, "integer"),
    ] {
        let said = sandbox.fail(2, &["calc", text]);
        let place = format!("sunzi: expression, column {column}: ");
        assert!(
            said.starts_with(&place) && said.contains(word),
            "{text}: {said}"
        );
    }
    for text in [
        "9^(10^30)",
        "(10^15)!",
        "2^2^2^2^2^2",
        "binomial(10^18, 10^17)",
        "1e99999999999",
        "1e9223372036854775807 mod 7",
        "0.1e-99999999999999999999",
    ] {
        let said = sandbox.fail(1, &["calc", text]);
        assert!(
            said.starts_with("sunzi: expression, column "),
            "{text}: {said}"
        );
    }
    let said = sandbox.fail(1, &["calc", "2^(10^9)", "--max-memory", "1G"]);
    assert!(said.contains("memory"), "{said}");
    for modulus in ["0", "-5", "1/2", "x"] {
        sandbox.fail(2, &["calc", "1", "--mod", modulus]);
    }
    let outcome = sandbox.run_with_input(&["calc"], b"# head\n1+1\n\n  2 * * 3\n");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), "2\n"));
    assert!(
        outcome
            .stderr
            .starts_with("sunzi: standard input, line 4, column 7: "),
        "{}",
        outcome.stderr
    );
    assert!(
        sandbox
            .run_with_input(&["calc"], b"")
            .stderr
            .contains("no expression")
    );
}

/// What would take long if parts were evaluated twice, and the deepest expressions of every shape.
#[test]
fn expressions_within_each_other_take_no_time_and_fit_the_stack() {
    let nested = |before: &str, within: &str, after: &str, depth: usize| {
        format!("{}{within}{}", before.repeat(depth), after.repeat(depth))
    };
    let sandbox = Sandbox::with(&[]);
    let factorials = nested("(", "1", "! mod 9)", 50);
    assert_eq!(sandbox.succeed(&["calc", &factorials]), "1\n");
    for (before, after) in [
        ("(", ")"),
        ("1-2*abs(", ")"),
        ("max(1,2//gcd(1,", "))"),
        ("0+-(", ")!!^1*1"),
        ("2^-(", "* 0)"),
        ("1+1*-(", ") mod 7 * 1"),
    ] {
        let each = before.matches(['(', '^']).count();
        for modulus in [&[][..], &["--mod", "97"]] {
            let deep = nested(before, "1", after, 50 / each);
            let outcome = sandbox.run(&[&["calc", &deep][..], modulus].concat());
            assert!(matches!(outcome.code, Some(0..=2)), "{before}: {outcome:?}");
            let deeper = nested(before, "1", after, 50 / each + 1);
            let said = sandbox.fail(2, &["calc", &deeper]);
            assert!(said.contains("within each other"), "{before}: {said}");
        }
    }
}

#[test]
fn lengths_are_told_before_memory_is_gone() {
    let sandbox = Sandbox::with(&[]);
    let little = ["--max-memory", "1G"];
    for text in [
        "1e999999999",
        "max(1e-999999999, 1)",
        "2^(10^9)",
        "binomial(10^12, 10^11)",
        "(10^9)!",
    ] {
        let said = sandbox.fail(1, &[&["calc", text][..], &little].concat());
        assert!(said.contains("memory"), "{text}: {said}");
    }
    for (text, value) in [
        ("0e999999999", "0"),
        ("1e999999999999 mod 7", "6"),
        ("binomial(10^12, 10^12-1)", "1000000000000"),
        ("binomial(2^64-1, 0)", "1"),
        ("binomial(-1, 10^12)", "1"),
        ("2^(10^8) % 10", "6"),
    ] {
        let found = sandbox.succeed(&[&["calc", text][..], &little].concat());
        assert_eq!(found.trim(), value, "{text}");
    }
}

/// What is typed is answered line by line, and a mistake is an answer, too.
#[cfg(unix)]
#[test]
fn a_mistake_on_a_terminal_ends_nothing() {
    let sandbox = Sandbox::with(&[]);
    let (mut outside, inside) = crate::progress::terminal();
    outside
        .write_all(b"1+1\n2 *\n9^(10^30)\n6/4\n\x04")
        .unwrap();
    let output = sandbox.command(&["calc"]).stdin(inside).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "2\n3/2\n");
    let said = String::from_utf8(output.stderr).unwrap();
    let said: Vec<_> = said.lines().collect();
    assert!(
        said[0].starts_with("sunzi: standard input, line 2, column 4: "),
        "{said:?}"
    );
    assert!(
        said[1].starts_with("sunzi: standard input, line 3, column 2: "),
        "{said:?}"
    );
    assert!(output.status.success() && said.len() == 2, "{said:?}");
}

#[test]
fn words_are_one_expression_and_json_holds_texts() {
    let sandbox = Sandbox::with(&[]);
    assert_eq!(sandbox.succeed(&["calc", "-2", "+", "5"]), "3\n");
    let found = sandbox.json(&["calc", "2^100 / 3"]);
    assert_eq!(found["results"][0], "1267650600228229401496703205376/3");
    assert_eq!(found["command"], "calc");
    sandbox.succeed(&["calc", "1/3", "-o", "out"]);
    assert_eq!(sandbox.read("out"), "1/3\n");
}

#[test]
fn random_bytes_never_crash_the_program() {
    let sandbox = Sandbox::with(&[]);
    let mut random = Random::new(12);
    let alphabet = b"0123456789+-*/%^!().,e x_modgcdisqrt=\xc3\xff\0";
    for _ in 0..300 {
        let text = random.text(alphabet, 30);
        for more in [
            &["calc", "--max-memory", "100M"][..],
            &["calc", "--mod", "97", "--max-memory", "100M"],
        ] {
            let outcome = sandbox.run_with_input(more, &text);
            assert!(matches!(outcome.code, Some(0..=2)), "{text:?}: {outcome:?}");
            assert!(
                !outcome.stderr.contains("panicked"),
                "{text:?}: {outcome:?}"
            );
        }
    }
}
