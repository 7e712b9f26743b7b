//! What expressions stand for, where others stop to be one, and how long hostile ones take.

use std::time::Instant;

use sunzi_integer::Integer;
use sunzi_poly::{ParsePolyError, Poly};

fn coefficients(text: &str) -> Result<Vec<i64>, ParsePolyError> {
    let small = |value| i64::try_from(value).unwrap();
    Ok(integers(text)?.into_iter().map(small).collect())
}

fn integers(text: &str) -> Result<Vec<Integer>, ParsePolyError> {
    Ok(text.parse::<Poly<Integer>>()?.into_coefficients())
}

#[test]
fn expressions_are_expanded() {
    let cases: [(&str, &[i64]); 25] = [
        ("(-1)^100000000000000000000", &[1]),
        ("(0-1)^18446744073709551617*x", &[0, -1]),
        ("(-1)^18446744073709551616", &[1]),
        ("3*x^2 - 2*x + 1", &[1, -2, 3]),
        ("x", &[0, 1]),
        ("-x", &[0, -1]),
        ("+ x ^ 3", &[0, 0, 0, 1]),
        ("2x^2", &[0, 0, 2]),
        ("2 x + 0", &[0, 2]),
        ("X*x", &[0, 0, 1]),
        ("x - x", &[]),
        ("0", &[]),
        ("5*0*x^9", &[]),
        ("7", &[7]),
        ("x + x + 3*x", &[0, 5]),
        ("(x+1)^3", &[1, 3, 3, 1]),
        ("(x+1)*(x-1)", &[-1, 0, 1]),
        ("-(x+1)^2", &[-1, -2, -1]),
        ("2*(x+1)*3", &[6, 6]),
        ("2(x+1)", &[2, 2]),
        ("2^10*x", &[0, 1024]),
        ("x^0", &[1]),
        ("(x-x)^0", &[1]),
        ("3*-x", &[0, -3]),
        ("x*2^3 - -4", &[4, 8]),
    ];
    for (text, expected) in cases {
        assert_eq!(coefficients(text).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn what_is_no_expression_is_refused_where_it_stops() {
    let cases = [
        ("3*", 2),
        ("x^", 2),
        ("x^x", 2),
        ("x^-1", 2),
        ("x^2^3", 3),
        ("(x+1", 4),
        ("x+1)", 3),
        ("3/x", 1),
        ("1.5*x", 1),
        ("x y", 2),
        ("2*y", 2),
        ("x + 2 3", 6),
        ("x*\u{b2}", 2),
        ("()", 1),
        ("x^(2)", 2),
        ("^2", 0),
    ];
    for (text, offset) in cases {
        assert_eq!(
            coefficients(text).map_err(|error| error.offset),
            Err(offset),
            "{text}"
        );
    }
}

#[test]
fn hostile_sizes_are_refused_quickly() {
    let deep = format!("{}x{}", "(".repeat(100_000), ")".repeat(100_000));
    let signs = format!("1{}1", " -".repeat(50_000));
    let tower = "((((x+1)^50)^50)^50)^50";
    let texts = [
        "x^1000000000",
        "x^99999999999999999999999999",
        "(x^10000)^10000",
        "x^16777216*x",
        "2^1000000000*x",
        "(x+1)^1000000",
        "((9^9999)^9999)^9999",
        tower,
        &deep,
        &signs,
    ];
    for text in texts {
        let start = Instant::now();
        let result = coefficients(text);
        assert!(result.is_err() || text == signs, "{text:.40}");
        assert!(start.elapsed().as_secs() < 60, "{text:.40}");
    }
}

#[test]
fn many_powers_are_refused_at_the_one_that_is_too_much() {
    let monomials: Vec<String> = (0..400)
        .map(|k| format!("(18446744073709551615x)^{}", 262_143 - k))
        .collect();
    let borrows = format!("2^16000000{}", "-1+1".repeat(100_000));
    let copies = format!("{}{}", "2^1000000*(x+1)*".repeat(10_000), "x");
    let wide: Vec<String> = (0..2_000).map(|k| format!("x^{}", 2_000 * k)).collect();
    let narrow: Vec<String> = (0..2_000).map(|k| format!("x^{k}")).collect();
    let moved = format!(
        "{}({})*({}){}",
        "-(".repeat(50),
        wide.join("+"),
        narrow.join("+"),
        ")".repeat(50)
    );
    let texts = [
        monomials.join("+"),
        vec!["3^250000"; 200_000].join("+"),
        vec!["3^250000"; 2_000].join("*"),
        borrows,
        copies,
        moved,
    ];
    for text in texts {
        let start = Instant::now();
        let error = integers(&text).expect_err(&text[..40]);
        assert!(
            error.problem.to_string().contains("too much"),
            "{text:.40}: {error:?}"
        );
        assert!(error.offset < text.len(), "{text:.40}");
        assert!(start.elapsed().as_secs() < 60, "{text:.40}");
    }
}

#[test]
fn long_sums_of_short_terms_are_expanded() {
    let count = 100_000;
    let terms: Vec<String> = (0..count)
        .map(|k| format!("{}*x^{}", k + 1, k % 50_000))
        .collect();
    let values = coefficients(&terms.join(" + ")).unwrap();
    let expected: Vec<i64> = (0..50_000).map(|k| 2 * k + 50_002).collect();
    assert_eq!(values, expected);
}

#[test]
fn powers_of_numbers_match_repeated_products() {
    for base in [-7, -2, -1, 1, 2, 3, 10] {
        let mut expected = Integer::ONE;
        for exponent in 0..70 {
            let text = format!("({base})^{exponent}");
            assert_eq!(integers(&text), Ok(vec![expected.clone()]), "{text}");
            expected *= Integer::from(base);
        }
    }
}
