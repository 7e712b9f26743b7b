//! Real roots.

use crate::common::Sandbox;
use serde_json::json;

#[test]
fn roots_are_told_with_their_multiplicities() {
    // (x − 1)²(x² − 2); no real root; one, of 0.15 as 3/20.
    let sandbox = Sandbox::with(&[("f", "x^4 - 2*x^3 - x^2 + 4*x - 2\n1 0 1 # x^2 + 1\n-3 20\n")]);
    let expected = "# 3 real roots
-1.4142135623730950488 1
1 2
1.4142135623730950488 1
# 0 real roots
# 1 real root
0.15000000000000000000 1
";
    assert_eq!(sandbox.succeed(&["poly", "roots", "f"]), expected);
    assert_eq!(
        sandbox.succeed(&["poly", "roots", "f", "--threads", "2"]),
        expected
    );
    let five = sandbox.succeed(&["poly", "roots", "f", "--digits", "5"]);
    assert!(five.starts_with("# 3 real roots\n-1.4142 1\n1 2\n1.4142 1\n"));
}

#[test]
fn only_some_roots_are_told() {
    let sandbox = Sandbox::with(&[("f", "x^3 - 2*x\n")]);
    let within = |range| sandbox.succeed(&["poly", "roots", "f", "--digits", "3", "--in", range]);
    assert_eq!(within("0,1.5"), "# 2 real roots\n0 1\n1.41 1\n");
    assert_eq!(within("-3/2,-1e-9"), "# 1 real root\n-1.41 1\n");
    assert_eq!(within("1,1.41"), "# 0 real roots\n");
}

#[test]
fn intervals_are_exact_in_json() {
    let sandbox = Sandbox::with(&[("f", "-3 0 4\n-9 0 4\n")]);
    let told = sandbox.json(&["poly", "roots", "f", "--digits", "4"]);
    let roots = &told["results"];
    assert_eq!(
        (&told["command"], &told["inputs"]["digits"]),
        (&json!("poly roots"), &json!(4))
    );
    assert_eq!(roots[0][0]["root"], "-0.8660");
    assert_eq!(
        roots[1][1],
        json!({"root": "1.5", "interval": ["1.5", "1.5"], "multiplicity": 1})
    );
    let ends: Vec<f64> = (0..2)
        .map(|end| {
            let text = roots[0][1]["interval"][end].as_str().unwrap();
            text.parse().unwrap()
        })
        .collect();
    assert!(ends[0] * ends[0] < 0.75 && 0.75 < ends[1] * ends[1]);
    assert!(ends[1] - ends[0] <= 1e-4);
}

#[test]
fn what_has_no_roots_to_tell_is_refused() {
    let sandbox = Sandbox::with(&[
        ("f", "1 2\n0\n"),
        ("bad", "1 2\nx^2 - y\n"),
        ("good", "1 2\n"),
    ]);
    let zero = sandbox.fail(1, &["poly", "roots", "f"]);
    assert!(
        zero.contains("f, line 2") && zero.contains("every number is a root"),
        "{zero}"
    );
    let bad = sandbox.fail(2, &["poly", "roots", "bad"]);
    assert!(bad.contains("bad, line 2, column 7"), "{bad}");
    for range in ["1", "2,1", "a,b", "1,2,3"] {
        let refused = sandbox.fail(2, &["poly", "roots", "good", "--in", range]);
        assert!(refused.contains("--in"), "{refused}");
    }
    sandbox.fail(2, &["poly", "roots", "good", "--digits", "0"]);
}
