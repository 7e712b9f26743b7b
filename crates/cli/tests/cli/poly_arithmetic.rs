//! Sums, powers, derivatives, compositions, shifts, reversals, discriminants and square-free factors, over Z and modulo primes.

use crate::common::Sandbox;
use crate::common::polynomials::{Modulo, PRIMES, line, polynomials};
use serde_json::{Value, json};

/// Runs `poly`, on one thread and on three, which must give the same.
fn run(sandbox: &Sandbox, words: &[&str]) -> String {
    let on = |threads| [&["poly"], words, &["--threads", threads]].concat();
    let found = sandbox.succeed(&on("1"));
    assert!(sandbox.succeed(&on("3")) == found, "{words:?}");
    found
}

fn sandbox() -> Sandbox {
    Sandbox::with(&[
        ("a", "1 2\n0\nx^3 - 2*x\n# a comment\n-5\n"),
        ("b", "0 -2\n0\nx + 1\n5\n"),
        ("one", "x^2 - 1\n"),
        ("n", "2\n0\n1\n3\n"),
        ("c", "-1\n7\n0x2\n0\n"),
    ])
}

#[test]
fn over_the_integers() {
    let sandbox = sandbox();
    for (words, lines) in [
        (&["add", "a", "b"][..], "1\n0\n1 -1 0 1\n0\n"),
        (&["sub", "a", "b"], "1 4\n0\n-1 -3 0 1\n-10\n"),
        (&["add", "a", "one"], "0 2 1\n-1 0 1\n-1 -2 1 1\n-6 0 1\n"),
        (&["sub", "one", "a"], "-2 -2 1\n-1 0 1\n-1 2 1 -1\n4 0 1\n"),
        (&["pow", "a", "n"], "1 4 4\n1\n0 -2 0 1\n-125\n"),
        (
            &["pow", "one", "n"],
            "1 0 -2 0 1\n1\n-1 0 1\n-1 0 3 0 -3 0 1\n",
        ),
        (&["derivative", "a"], "2\n0\n-2 0 3\n0\n"),
        (&["compose", "a", "b"], "1 -4\n0\n-1 1 3 1\n-5\n"),
        (&["compose", "one", "b"], "-1 0 4\n-1\n0 2 1\n24\n"),
        (&["shift", "a", "c"], "-1 2\n0\n4 10 6 1\n-5\n"),
        (&["shift", "one", "c"], "0 -2 1\n48 14 1\n3 4 1\n-1 0 1\n"),
        (&["reverse", "a"], "2 1\n0\n1 0 -2\n-5\n"),
        (&["discriminant", "a"], "1\n0\n32\n0\n"),
    ] {
        assert_eq!(run(&sandbox, words), lines, "{words:?}");
    }
    let pretty = [
        (
            &["pow", "one", "n", "--pretty"][..],
            "x^4 - 2*x^2 + 1\n1\nx^2 - 1\nx^6 - 3*x^4 + 3*x^2 - 1\n",
        ),
        (
            &["shift", "a", "c", "--pretty"],
            "2*x - 1\n0\nx^3 + 6*x^2 + 10*x + 4\n-5\n",
        ),
    ];
    for (words, lines) in pretty {
        assert_eq!(run(&sandbox, words), lines);
    }
}

#[test]
fn modulo_a_prime() {
    let sandbox = Sandbox::with(&[
        ("a", "1 2\n0\nx^3 - 2*x\n4\n"),
        ("b", "0 3\n0\nx + 1\n2\n"),
        ("n", "2\n0\n5\n1000000000000\n"),
        ("c", "4\n3\n2\n0\n"),
    ]);
    for (words, lines) in [
        (&["add", "a", "b"][..], "1\n0\n1 4 0 1\n1\n"),
        (&["sub", "a", "b"], "1 4\n0\n4 2 0 1\n2\n"),
        // Exponents are not reduced: 4^(10^12) is 1, and the fifth power is that of each term.
        (
            &["pow", "a", "n"],
            "1 4 4\n1\n0 0 0 0 0 3 0 0 0 0 0 0 0 0 0 1\n1\n",
        ),
        (&["derivative", "a"], "2\n0\n3 0 3\n0\n"),
        (&["compose", "a", "b"], "1 1\n0\n4 1 3 1\n4\n"),
        (&["shift", "a", "c"], "4 2\n0\n4 0 1 1\n4\n"),
        (&["reverse", "a"], "2 1\n0\n1 0 3\n4\n"),
        (&["discriminant", "a"], "1\n0\n2\n0\n"),
    ] {
        let words = [words, &["--mod", "5"]].concat();
        assert_eq!(run(&sandbox, &words), lines, "{words:?}");
    }
}

#[test]
fn identities_over_every_kind_of_field() {
    for text in PRIMES {
        let sandbox = Sandbox::with(&[]);
        let modulo = Modulo::named(&sandbox, text);
        let lengths = [0, 1, 2, 3, 9, 40];
        let operands = |seed: u64| -> Vec<_> {
            let lengths = lengths.into_iter();
            lengths
                .map(|len| modulo.polynomial(len, seed + len as u64))
                .collect()
        };
        let (a, b) = (operands(1), operands(2));
        for (name, operands) in [("a", &a), ("b", &b)] {
            let lines: String = operands.iter().map(|f| line(f)).collect();
            sandbox.write(name, lines.as_bytes());
        }
        sandbox.write("n", b"2");
        let run = |words: &[&str]| run(&sandbox, &[words, &["--mod", text]].concat());
        let sums: Vec<_> = a.iter().zip(&b).map(|(a, b)| modulo.sum(a, b)).collect();
        assert_eq!(polynomials(&run(&["add", "a", "b"])), sums, "{text}");
        let squares: Vec<_> = a.iter().map(|a| modulo.product(a, a)).collect();
        assert_eq!(polynomials(&run(&["pow", "a", "n"])), squares, "{text}");
        // (a + b) − b, and x + c, then x − c.
        sandbox.write("sums", run(&["add", "a", "b"]).as_bytes());
        let written: String = a.iter().map(|f| line(f)).collect();
        assert_eq!(run(&["sub", "sums", "b"]), written, "{text}");
        sandbox.write("shifted", run(&["shift", "a", "n"]).as_bytes());
        sandbox.write(
            "minus",
            (modulo.prime.clone() - 2u32).to_string().as_bytes(),
        );
        assert_eq!(run(&["shift", "shifted", "minus"]), written, "{text}");
        sandbox.write("x", b"x + 2");
        assert_eq!(
            run(&["compose", "a", "x"]),
            sandbox.read("shifted"),
            "{text}"
        );
        sandbox.write("reversed", run(&["reverse", "a"]).as_bytes());
        let found = polynomials(&sandbox.read("reversed"));
        for (found, a) in found.iter().zip(&a) {
            let mut expected: Vec<_> = a.iter().rev().cloned().collect();
            while expected.last().is_some_and(|x| *x == 0) {
                expected.pop();
            }
            assert_eq!(*found, expected, "{text}");
        }
    }
}

#[test]
fn square_free_factors_modulo_a_prime() {
    let sandbox = Sandbox::with(&[(
        "f",
        "2*x^4*(x^3 - 1)\nx^9 - 1\n2\nx^7*(x + 1)\n(x^2 + 1)^6*(x + 1)^3*x\n",
    )]);
    assert_eq!(
        run(&sandbox, &["squarefree", "f", "--mod", "3", "--pretty"]),
        "2\n3: x + 2\n4: x\n1\n9: x + 2\n2\n1\n1: x + 1\n7: x\n1\n1: x\n3: x + 1\n6: x^2 + 1\n"
    );
    assert_eq!(
        run(&sandbox, &["squarefree", "f", "--mod", "469762049"])
            .lines()
            .nth(1),
        Some("1: 469762048 0 0 1")
    );
    let found = sandbox.json(&["poly", "squarefree", "f", "--mod", "3"]);
    assert_eq!(
        found["results"][0],
        json!({"content": "2", "factors": [
            {"multiplicity": 3, "factor": ["2", "1"]},
            {"multiplicity": 4, "factor": ["0", "1"]},
        ]})
    );
    assert_eq!(found["results"][2], json!({"content": "2", "factors": []}));
    let zero = Sandbox::with(&[("f", "x\n0\n")]);
    let said = zero.fail(1, &["poly", "squarefree", "f", "--mod", "3"]);
    assert!(
        said.starts_with("sunzi: f, line 2: 0 is no product of square-free factors"),
        "{said}"
    );
}

#[test]
fn json_has_coefficients_as_strings() {
    let sandbox = sandbox();
    let found = sandbox.json(&["poly", "pow", "one", "n"]);
    assert_eq!(found["command"], "poly pow");
    assert_eq!(
        found["inputs"],
        json!({"files": ["one", "n"], "modulus": Value::Null})
    );
    assert_eq!(found["results"][0], json!(["1", "0", "-2", "0", "1"]));
    let found = sandbox.json(&["poly", "sub", "one", "one", "--mod", "97"]);
    assert_eq!(found["inputs"]["modulus"], "97");
    assert_eq!(found["results"], json!([[]]));
    let found = sandbox.json(&["poly", "derivative", "one", "--pretty"]);
    assert_eq!(found["results"], json!(["2*x"]));
    let found = sandbox.json(&["poly", "discriminant", "one"]);
    let known =
        json!({"discriminant": "4", "method": "linear", "primes": 0, "dropped": 0, "proved": true});
    assert_eq!(found["results"], json!([known]));
    let found = sandbox.json(&["poly", "discriminant", "one", "--mod", "97"]);
    assert_eq!(found["results"], json!(["4"]));
}

#[test]
fn wrong_numbers_are_located() {
    let sandbox = Sandbox::with(&[
        ("a", "1 2\nx\n"),
        ("negative", "1\n-2\n"),
        ("two", "1\n2 3\n"),
        ("word", "1\n\n x\n"),
        ("long", &format!("1\n{}\n", "9".repeat(30))),
        ("three", "1\n2\n3\n"),
        ("outside", "1\n1/97\n"),
    ]);
    for modulus in [&[][..], &["--mod", "97"]] {
        let fail = |verb: &str, file: &str| {
            sandbox.fail(2, &[&["poly", verb, "a", file], modulus].concat())
        };
        for (file, said) in [
            (
                "negative",
                "negative, line 2, column 1: the exponent is negative",
            ),
            (
                "two",
                "two, line 2, column 2: a space is not a decimal digit: write one integer a line",
            ),
            ("word", "word, line 3, column 2: 'x' is not"),
            ("long", "long, line 2, column 1: the exponent is too large"),
            ("three", "a, line 3: a line is missing"),
        ] {
            let found = fail("pow", file);
            assert!(found.starts_with(&format!("sunzi: {said}")), "{found}");
        }
        for (file, said) in [
            (
                "two",
                "two, line 2, column 2: a space is not a decimal digit: write one integer a line",
            ),
            ("word", "word, line 3, column 2: 'x' is not"),
        ] {
            let found = fail("shift", file);
            assert!(found.starts_with(&format!("sunzi: {said}")), "{found}");
        }
        // The first file holds polynomials, whatever the second one does.
        let found = sandbox.fail(2, &[&["poly", "pow", "word", "a"], modulus].concat());
        assert!(
            found.contains("a, line 1, column 2: a space is not"),
            "{found}"
        );
    }
    let found = sandbox.fail(2, &["poly", "shift", "a", "outside", "--mod", "97"]);
    assert!(found.contains("outside, line 2, column 3"), "{found}");
    for verb in ["add", "sub", "compose", "pow", "shift"] {
        sandbox.fail(2, &["poly", verb, "a"]);
    }
}

#[test]
fn what_fits_no_memory_is_refused() {
    let sandbox = Sandbox::with(&[
        ("f", "x^1000000 + 1\n"),
        ("n", "1000000000\n"),
        ("most", "18446744073709551615\n"),
        ("c", "12345678901234567890\n"),
        ("three", "3\n"),
    ]);
    for modulus in [&[][..], &["--mod", "97"], &["--mod", "P8"]] {
        for words in [
            ["pow", "f", "n"],
            ["pow", "f", "most"],
            ["compose", "f", "f"],
        ] {
            let said = sandbox.fail(1, &[&["poly"], &words[..], modulus].concat());
            assert!(said.starts_with("sunzi: f, line 1, "), "{said}");
            assert!(said.contains("needs about"), "{said}");
        }
        for words in [["add", "f", "f"], ["reverse", "f", "--pretty"]] {
            let limited = [&["poly"], &words[..], modulus, &["--max-memory", "1M"]].concat();
            sandbox.fail(1, &limited);
        }
    }
    for words in [["pow", "three", "most"], ["shift", "f", "c"]] {
        let said = sandbox.fail(1, &[&["poly"], &words[..]].concat());
        assert!(said.contains("needs about"), "{said}");
    }
}
