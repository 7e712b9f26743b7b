//! `sunzi int` but for products of pairs: against GMP, at the edges, and what has no result.

use crate::common::Sandbox;
use rug::Integer;
use rug::ops::{DivRounding, Pow, RemRounding};
use sunzi_testkit::Random;

/// Numbers of many lengths and both signs, a line each: around words, runs of ones, and long ones.
fn numbers(seed: u64) -> Vec<Integer> {
    let mut random = Random::new(seed);
    let mut all: Vec<Integer> = [
        "0",
        "1",
        "-1",
        "2",
        "-3",
        "18446744073709551615",
        "-18446744073709551616",
    ]
    .iter()
    .map(|text| text.parse().unwrap())
    .collect();
    for length in [1, 5, 19, 20, 38, 39, 40, 77, 78, 500, 3000] {
        let value: Integer = random.decimal(length).parse().unwrap();
        all.push(-value.clone());
        all.push(value);
    }
    for bits in [64, 128, 192, 4096] {
        all.push((Integer::from(1) << bits) - 1);
        all.push(Integer::from(1) << bits);
    }
    all
}

/// A file of numbers, one a line.
fn column(values: &[Integer]) -> String {
    values.iter().map(|value| format!("{value}\n")).collect()
}

/// Pairs of all numbers of a list with all of another, as two files.
fn pairs(left: &[Integer], right: &[Integer]) -> (Vec<(Integer, Integer)>, Sandbox) {
    let both: Vec<_> = left
        .iter()
        .flat_map(|a| right.iter().map(move |b| (a.clone(), b.clone())))
        .collect();
    let (a, b): (Vec<_>, Vec<_>) = both.iter().cloned().unzip();
    let sandbox = Sandbox::with(&[("a", &column(&a)), ("b", &column(&b))]);
    (both, sandbox)
}

#[test]
fn quotients_and_remainders_are_those_by_the_floor() {
    let all = numbers(1);
    let divisors: Vec<_> = all.iter().filter(|&b| *b != 0).cloned().collect();
    let (both, sandbox) = pairs(&all, &divisors);
    let expected: String = both
        .iter()
        .map(|(a, b)| {
            let (q, r) = (a.clone().div_floor(b), a.clone().rem_floor(b));
            format!("{q}\n{r}\n")
        })
        .collect();
    for threads in ["1", "2", "3", "7"] {
        let found = sandbox.succeed(&["int", "divrem", "a", "b", "--threads", threads]);
        assert!(found == expected, "{threads} threads");
    }
}

#[test]
fn divisors_and_cofactors_are_right() {
    let all = numbers(2);
    let (both, sandbox) = pairs(&all, &all);
    let gcds: Vec<_> = both.iter().map(|(a, b)| a.clone().gcd(b)).collect();
    assert!(sandbox.succeed(&["int", "gcd", "a", "b"]) == column(&gcds));
    for threads in ["1", "3"] {
        let found = sandbox.succeed(&["int", "xgcd", "a", "b", "--threads", threads]);
        let found: Vec<Integer> = found.lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(found.len(), 3 * both.len());
        for ((parts, (a, b)), gcd) in found.chunks(3).zip(&both).zip(&gcds) {
            assert_eq!(&parts[0], gcd);
            assert_eq!(
                Integer::from(&parts[1] * a) + Integer::from(&parts[2] * b),
                *gcd
            );
            let divides = |x: &Integer, y: &Integer| *x == 0 || y.is_divisible(x);
            if !divides(a, b) && !divides(b, a) {
                let twice = Integer::from(gcd * 2);
                assert!(Integer::from(parts[1].abs_ref()) * &twice <= b.clone().abs());
                assert!(Integer::from(parts[2].abs_ref()) * &twice <= a.clone().abs());
            }
        }
    }
}

#[test]
fn powers_and_roots_match_gmp() {
    let all = numbers(3);
    for exponent in [0u32, 1, 2, 3, 7] {
        let text = exponent.to_string();
        let sandbox = Sandbox::with(&[("a", &column(&all))]);
        let powers: Vec<_> = all.iter().map(|a| Integer::from(a.pow(exponent))).collect();
        assert!(sandbox.succeed(&["int", "pow", "a", "-e", &text]) == column(&powers));
        if exponent == 0 {
            continue;
        }
        let radicands: Vec<_> = all
            .iter()
            .filter(|&a| *a >= 0 || exponent % 2 == 1)
            .cloned()
            .collect();
        sandbox.write("r", column(&radicands).as_bytes());
        let roots: Vec<_> = radicands.iter().map(|a| a.clone().root(exponent)).collect();
        assert!(
            sandbox.succeed(&["int", "root", "r", "-e", &text]) == column(&roots),
            "{exponent}"
        );
    }
    let sandbox = Sandbox::with(&[]);
    for (words, answer) in [
        ("pow -e -1 -e -100000000000000000000000000000000001", "-1"),
        ("pow -e 0 -e 100000000000000000000000000000000000", "0"),
        ("pow -e 0 -e 0", "1"),
        ("root -e -1001 -e 3", "-10"),
        ("root -e 1001 -e 100000000000000000000", "1"),
        ("root -e -1001 -e 100000000000000000001", "-1"),
        ("powmod -e 3 -e -1 -e 7", "5"),
        ("powmod -e 3 -e 5 -e -7", "5"),
        ("powmod -e 2 -e 10 -e 1", "0"),
    ] {
        let words: Vec<_> = ["int"].into_iter().chain(words.split(' ')).collect();
        assert_eq!(sandbox.succeed(&words), format!("{answer}\n"), "{words:?}");
    }
}

#[test]
fn powers_modulo_numbers_match_gmp() {
    let all = numbers(4);
    let moduli: Vec<_> = all.iter().filter(|&m| *m > 0).cloned().collect();
    let mut random = Random::new(5);
    let exponent: Integer = random.decimal(60).parse().unwrap();
    let (both, sandbox) = pairs(&all, &moduli);
    let expected: Vec<_> = both
        .iter()
        .map(|(a, m)| a.clone().pow_mod(&exponent, m).unwrap().rem_euc(m))
        .collect();
    let text = exponent.to_string();
    assert!(sandbox.succeed(&["int", "powmod", "a", "-e", &text, "b"]) == column(&expected));
}

#[test]
fn all_integers_of_a_file_are_multiplied() {
    let sandbox = Sandbox::with(&[("one", "# -7 alone\n-7\n"), ("zero", "5\n0\n0x10\n")]);
    assert_eq!(sandbox.succeed(&["int", "product", "one"]), "-7\n");
    assert_eq!(sandbox.succeed(&["int", "product", "zero"]), "0\n");
    let factors: Vec<Integer> = (1..=5000)
        .map(|i| Integer::from(if i % 3 == 0 { -i } else { i }))
        .collect();
    sandbox.write("many", column(&factors).as_bytes());
    let product: Integer = factors.iter().product();
    for threads in ["1", "2", "7"] {
        let found = sandbox.succeed(&["int", "product", "many", "--threads", threads]);
        assert!(found == format!("{product}\n"), "{threads} threads");
    }
    let document = sandbox.json(&["int", "product", "many"]);
    assert_eq!(document["result"]["product"], product.to_string());
    assert_eq!(document["inputs"]["count"], 5000);
}

#[test]
fn parts_have_names_in_json() {
    let sandbox = Sandbox::with(&[]);
    let document = sandbox.json(&["int", "divrem", "-e", "-7", "-e", "2"]);
    assert_eq!(
        document["inputs"]["files"],
        serde_json::json!(["-e -7", "-e 2"])
    );
    assert_eq!(
        document["results"],
        serde_json::json!([{ "quotient": "-4", "remainder": "1" }])
    );
    let document = sandbox.json(&["int", "xgcd", "-e", "240", "-e", "46"]);
    assert_eq!(
        document["results"],
        serde_json::json!([{ "gcd": "2", "s": "-9", "t": "47" }])
    );
    let document = sandbox.json(&["int", "gcd", "-e", "240", "-e", "46"]);
    assert_eq!(document["results"], serde_json::json!(["2"]));
}

#[test]
fn what_has_no_result_is_told_with_its_lines() {
    let sandbox = Sandbox::with(&[("a", "1\n-4\n"), ("zero", "3\n\n0\n")]);
    for (words, told) in [
        (
            "divrem a zero",
            "a, line 2, divided by zero, line 3: division by zero",
        ),
        (
            "powmod a -e 2 zero",
            "a, line 2, with -e 2, line 1, with zero, line 3: division by zero",
        ),
        (
            "pow -e 2 -e -1",
            "-e 2, line 1, to the power of -e -1, line 1: only 1 and -1 have negative powers",
        ),
        ("pow -e 0 -e -1", "division by zero"),
        (
            "powmod -e 4 -e -1 -e 6",
            "there is no inverse: 2 divides the number and the modulus",
        ),
        (
            "root a -e 2",
            "a, line 2, of degree -e 2, line 1: a negative integer has no root of an even degree",
        ),
        ("root a -e 0", "a root has a degree from 1 on"),
        ("root a -e -1", "a root has a degree from 1 on"),
        ("pow -e 2 -e 10000000000000000000", "the power needs about"),
        (
            "pow -e 3 -e 100000000000 --max-memory 1G",
            "the power needs about",
        ),
        (
            "product a --max-memory 10",
            "the product needs at least about",
        ),
    ] {
        let words: Vec<_> = ["int"].into_iter().chain(words.split(' ')).collect();
        let said = sandbox.fail(1, &words);
        assert!(
            said.starts_with("sunzi: ") && said.contains(told),
            "{words:?}: {said}"
        );
    }
    for (words, told) in [
        ("gcd -e 1.5 -e 2", "sunzi: -e 1.5, line 1, column 2: "),
        ("gcd a -e", "a value is required for '-e <TEXT>'"),
        ("gcd -e 4 -e 6 -e 8", "unexpected argument '8' found"),
        ("product -e #", "the file holds no integer"),
    ] {
        let words: Vec<_> = ["int"].into_iter().chain(words.split(' ')).collect();
        let said = sandbox.fail(2, &words);
        assert!(said.contains(told), "{words:?}: {said}");
    }
}
