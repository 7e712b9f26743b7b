//! Division, cofactors, values and interpolation over Q.

use crate::common::Sandbox;
use serde_json::{Value, json};

/// Runs `poly`, on one thread and on three, which must give the same.
fn run(sandbox: &Sandbox, words: &[&str]) -> String {
    let on = |threads| [&["poly"], words, &["--threads", threads]].concat();
    let found = sandbox.succeed(&on("1"));
    assert!(sandbox.succeed(&on("3")) == found, "{words:?}");
    found
}

#[test]
fn quotients_and_remainders() {
    let sandbox = Sandbox::with(&[
        ("a", "1 0 1\n0\n5\n1/2 1/3 -3/4\nx^2/2 - 1/3\n"),
        ("b", "2*x + 1/3\nx\nx + 1\n[2/3]\n3*x\n"),
        ("one", "x - 1/2\n"),
    ]);
    assert_eq!(
        run(&sandbox, &["divrem", "a", "b"]),
        "-1/12 1/2\n37/36\n0\n0\n0\n5\n3/4 1/2 -9/8\n0\n0 1/6\n-1/3\n"
    );
    assert_eq!(
        run(&sandbox, &["divrem", "a", "one", "--pretty"]),
        "x + 1/2\n5/4\n0\n0\n0\n5\n-3/4*x - 1/24\n23/48\n1/2*x + 1/4\n-5/24\n"
    );
    let found = sandbox.json(&["poly", "divrem", "a", "b"]);
    assert_eq!(found["inputs"]["modulus"], Value::Null);
    assert_eq!(
        found["results"][0],
        json!({"quotient": ["-1/12", "1/2"], "remainder": ["37/36"]})
    );
    assert_eq!(
        found["results"][1],
        json!({"quotient": [], "remainder": []})
    );
}

#[test]
fn cofactors() {
    let sandbox = Sandbox::with(&[
        ("a", "x^2 - 1\n0\n0\n3*x - 3\n4\nx^2 + 1\n"),
        ("b", "1/2 1 1/2\n0\n-2*x + 1\n-1 0 1\n2/3\nx\n"),
    ]);
    assert_eq!(
        run(&sandbox, &["xgcd", "a", "b", "--pretty"]),
        "x + 1\n-1/2\n1\n0\n1\n0\nx - 1/2\n0\n-1/2\nx - 1\n1/3\n0\n1\n0\n3/2\n1\n1\n-x\n"
    );
    let found = sandbox.json(&["poly", "xgcd", "a", "b"]);
    assert_eq!(
        found["results"][0],
        json!({"gcd": ["1", "1"], "s": ["-1/2"], "t": ["1"]})
    );
}

#[test]
fn values_and_the_polynomial_through_them() {
    let sandbox = Sandbox::with(&[
        ("f", "x^2 - 1/3\n0\n7/2\n"),
        ("points", "2/3\n0 # zero\n-1\n0.5\n"),
    ]);
    let values = "1/9\n-1/3\n2/3\n-1/12\n";
    let all = format!("{values}0\n0\n0\n0\n7/2\n7/2\n7/2\n7/2\n");
    assert_eq!(run(&sandbox, &["eval", "f", "points"]), all);
    let found = sandbox.json(&["poly", "eval", "f", "points"]);
    assert_eq!(found["results"][0], json!(["1/9", "-1/3", "2/3", "-1/12"]));
    assert_eq!(
        found["inputs"],
        json!({"files": ["f", "points"], "modulus": Value::Null, "points": 4})
    );
    sandbox.write("values", values.as_bytes());
    let interpolated = ["interp", "points", "values"];
    assert_eq!(run(&sandbox, &interpolated), "-1/3 0 1\n");
    assert_eq!(
        run(&sandbox, &[&interpolated[..], &["--pretty"]].concat()),
        "x^2 - 1/3\n"
    );
    let found = sandbox.json(&["poly", "interp", "points", "values"]);
    assert_eq!(found["results"], json!([["-1/3", "0", "1"]]));
    assert_eq!(found["inputs"]["points"], 4);
    // Consecutive integers, more than a leaf holds.
    let points: String = (-40..40).map(|i| format!("{i}\n")).collect();
    let values: String = (-40i64..40)
        .map(|i| format!("{}/7\n", i * i * i - 2))
        .collect();
    let sandbox = Sandbox::with(&[("points", &points), ("values", &values)]);
    assert_eq!(
        run(&sandbox, &["interp", "points", "values", "--pretty"]),
        "1/7*x^3 - 2/7\n"
    );
}

/// Of every command on polynomials, over Q, over Z and modulo a prime, and in what is written.
#[test]
fn the_variable_has_the_name_that_is_given() {
    let sandbox = Sandbox::with(&[("t", "0.5*t^2 - 2t\n1 2 3\n"), ("s", "t + 16\n")]);
    let pretty =
        |words: &[&str]| sandbox.succeed(&[&["poly"], words, &["--var", "t", "--pretty"]].concat());
    assert_eq!(
        pretty(&["divrem", "t", "-e", "t - 1"]),
        "1/2*t - 3/2\n-3/2\n3*t + 5\n6\n"
    );
    assert_eq!(
        pretty(&["mul", "-e", "2t(t+1)", "-e", "t"]),
        "2*t^3 + 2*t^2\n"
    );
    assert_eq!(
        pretty(&["add", "t", "-e", "tt", "--mod", "97"]),
        "50*t^2 + 95*t\n4*t^2 + 2*t + 1\n"
    );
    assert_eq!(pretty(&["gcd", "-e", "t^2 - 1", "-e", "t + 1"]), "t + 1\n");
    let plain = |words: &[&str]| sandbox.succeed(&[&["poly"], words].concat());
    for (words, expected) in [
        (
            &[
                "eval",
                "-e",
                "lambda^2 - 1/3",
                "-e",
                "0.5",
                "--var",
                "lambda",
            ][..],
            "-1/12\n",
        ),
        (
            &["resultant", "-e", "u - 3", "-e", "u^2", "--var", "u"],
            "9\n",
        ),
        (&["discriminant", "-e", "u^2 - 2", "--var", "u"], "8\n"),
        (
            &["discriminant", "-e", "u^2 - 2", "--var=u", "--mod", "7"],
            "1\n",
        ),
        (
            &["squarefree", "-e", "z^2", "--var", "z", "--pretty"],
            "1\n2: z\n",
        ),
    ] {
        assert_eq!(plain(words), expected, "{words:?}");
    }
    assert!(plain(&["roots", "-e", "w^2 - 4", "--var", "w"]).contains("\n2 1\n"));
    // Alone, x is written either way.
    assert_eq!(
        plain(&["divrem", "-e", "0.5*X^2", "-e", "X - 1", "--pretty"]),
        "1/2*x + 1/2\n1/2\n"
    );
    for (words, said) in [
        (
            &["mul", "t", "t", "--var", "t"][..],
            "t, line 1, column 2: the coefficients are integers here",
        ),
        (
            &["gcd", "-e", "x^2 - 1", "-e", "y"],
            "-e y, line 1, column 1: there is no variable `y`: the variable is x, and --var names another",
        ),
        (
            &["gcd", "-e", "x^2 - 1", "-e", "t", "--var", "t"],
            "-e x^2 - 1, line 1, column 1: there is no variable `x`: the variable is t",
        ),
        (
            &["gcd", "s", "-e", "t + u", "--var", "t"],
            "-e t + u, line 1, column 5: there is no variable `u`: the variable is t",
        ),
        (
            &["gcd", "s", "-e", "2*", "--var", "t"],
            "the expression ends too early: write a sum of terms such as 3*t^2 - 2*t + 1",
        ),
        (
            &["gcd", "s", "s", "--var", "2"],
            "`2` is no name of a variable",
        ),
    ] {
        let found = sandbox.fail(2, &[&["poly"], words].concat());
        assert!(found.contains(said), "{words:?}: {found}");
    }
}

#[test]
fn wrong_input_is_told_with_its_place() {
    let sandbox = Sandbox::with(&[
        ("a", "1 2\n1/2 3/0\n"),
        ("b", "x\n1/2 - 1/3\n"),
        ("c", "x\nx/y\n"),
        ("zero", "1\n0\n"),
        ("f", "1 2\nx\n"),
        ("points", "# points\n1/2\n3\n\n2/4\n"),
        ("values", "1\n2\n3\n"),
        ("few", "1\n2\n"),
        ("wrong", "1\n2 3\n"),
        ("word", "1\nx\n"),
        ("empty", "# nothing\n"),
    ]);
    for verb in ["divrem", "xgcd"] {
        let fail = |file: &str| sandbox.fail(2, &["poly", verb, file, "f"]);
        assert!(
            fail("a").starts_with("sunzi: a, line 2, column 7: a quotient has the denominator 0")
        );
        assert!(fail("b").starts_with("sunzi: b, line 2, column 5: the sign '-' may belong"));
        assert!(fail("c").starts_with("sunzi: c, line 2, column 3: there is no variable `y`"));
        let said = sandbox.fail(2, &["poly", verb, "f", "values"]);
        assert!(said.contains("f, line 3: a line is missing"), "{said}");
        let said = sandbox.fail(1, &["poly", verb, "f", "f", "--device", "opencl"]);
        assert!(
            said.contains("over Q are computed on the processor alone"),
            "{said}"
        );
    }
    assert_eq!(
        sandbox.fail(1, &["poly", "divrem", "f", "zero"]),
        "sunzi: f, line 2, divided by zero, line 2: division by the zero polynomial\n"
    );
    assert_eq!(
        sandbox.fail(1, &["poly", "interp", "points", "values"]),
        "sunzi: points, line 5: the same point as in line 2: interpolation needs distinct points\n"
    );
    let said = sandbox.fail(2, &["poly", "interp", "points", "few"]);
    assert!(
        said.starts_with("sunzi: few, line 3: a line is missing: the file ends after 2 numbers"),
        "{said}"
    );
    let said = sandbox.fail(2, &["poly", "interp", "few", "values"]);
    assert!(
        said.starts_with("sunzi: few, line 3: a line is missing"),
        "{said}"
    );
    for (verb, first) in [("eval", "f"), ("interp", "few")] {
        let fail = |file: &str| sandbox.fail(2, &["poly", verb, first, file]);
        assert!(fail("wrong").contains(
            "wrong, line 2, column 2: a space is not a decimal digit: write one number a line"
        ));
        assert!(fail("word").contains("word, line 2, column 1: 'x' is not"));
        assert!(fail("empty").contains("empty: the file holds no number"));
    }
}

#[test]
fn too_little_memory_is_told() {
    let long = "7".repeat(4000);
    let points: String = (0..300).map(|i| format!("{long}{i}\n")).collect();
    let sandbox = Sandbox::with(&[
        ("f", &format!("x^20000 + {long}")),
        ("g", &format!("{long}*x^2 + 1")),
        ("points", &points),
    ]);
    for words in [
        &["divrem", "f", "g"][..],
        &["xgcd", "f", "f"],
        &["eval", "f", "points"],
        &["interp", "points", "points"],
    ] {
        let said = sandbox.fail(1, &[&["poly"], words, &["--max-memory", "20M"]].concat());
        assert!(said.contains("memory"), "{words:?}: {said}");
    }
}
