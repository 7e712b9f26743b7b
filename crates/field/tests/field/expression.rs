//! Moduli as users write them.

use dashu_int::UBig;
use dashu_int::ops::BitTest;
use rug::Integer;
use sunzi_field::expression::{ExpressionError, ExpressionProblem, MAX_BITS, parse};

fn value(text: &str) -> Integer {
    parse::<UBig>(text).unwrap().to_string().parse().unwrap()
}

fn two_to(exponent: u32) -> Integer {
    Integer::from(1) << exponent
}

/// Powers of two are shifts, and cost no more.
#[test]
fn sums_of_many_long_powers_of_two_are_computed() {
    let exponents = (0..200).map(|i| 1_000_000 - 7 * i);
    let terms: Vec<_> = exponents.clone().map(|e| format!("2^{e}")).collect();
    let sum = exponents.fold(Integer::new(), |sum, e| sum + two_to(e));
    assert!(value(&terms.join("+")) == sum);
}

#[test]
fn moduli_have_their_values() {
    assert_eq!(value("469762049"), 469762049);
    assert_eq!(value("  000017 "), 17);
    assert_eq!(value("2^60-2^18+1"), two_to(60) - two_to(18) + 1);
    let radix = two_to(59) + two_to(57) + two_to(39);
    let mut eighth = Integer::from(1);
    for _ in 0..8 {
        eighth *= &radix;
    }
    assert_eq!(value("(2^59+2^57+2^39)^8+1"), eighth + 1);
    assert_eq!(value("2^3^2"), 512);
    assert_eq!(value("2*3^2*(5-1)"), 72);
    assert_eq!(value("-1+3"), 2);
    assert_eq!(value("(0-1)^7 + 2"), 1);
    assert_eq!(value("0^0 + 1^99999999999999999999 + (0-1)^(10^30)"), 3);
    assert_eq!(value("0^5"), 0);
    assert_eq!(value("((((7))))"), 7);
    assert_eq!(value("0x7fffffff"), two_to(31) - 1);
    assert_eq!(value("0X00Ff * 0x0"), 0);
    assert_eq!(value("10**9+7"), 1_000_000_007);
    assert_eq!(value("2**3^2 * 2 ** 3"), 512 * 8);
}

#[test]
fn errors_name_the_column() {
    let failure = |text| {
        let ExpressionError { column, problem } = parse::<UBig>(text).unwrap_err();
        (column, problem)
    };
    let unexpected = |found| ExpressionProblem::Unexpected { found };
    assert_eq!(failure(""), (1, ExpressionProblem::Unfinished));
    assert_eq!(failure("2^"), (3, ExpressionProblem::Unfinished));
    assert_eq!(failure("2+"), (3, ExpressionProblem::Unfinished));
    assert_eq!(failure("(2+3"), (5, ExpressionProblem::Unfinished));
    assert_eq!(failure("12a"), (3, unexpected('a')));
    assert_eq!(failure("0x"), (2, unexpected('x')));
    assert_eq!(failure("0xfg"), (4, unexpected('g')));
    assert_eq!(failure("2***3"), (4, unexpected('*')));
    assert_eq!(failure("2 ^ é"), (5, unexpected('é')));
    assert_eq!(failure("(2+(3*x))"), (7, unexpected('x')));
    assert_eq!(failure("1 2"), (3, unexpected('2')));
    assert_eq!(failure("7)"), (2, unexpected(')')));
    assert_eq!(failure("1-2"), (1, ExpressionProblem::Negative));
    assert_eq!(
        failure("3 + 2^(1-2)").1,
        ExpressionProblem::NegativeExponent
    );
}

#[test]
fn hostile_sizes_are_refused_at_once() {
    let tower = "2^".repeat(100_000) + "2";
    let digits = "9".repeat(1_000_000);
    let product = "(2^600000)*(2^600000)";
    for text in [
        "2^2^60",
        "10^10^10^10",
        "2^1048576",
        &tower,
        &digits,
        product,
    ] {
        let problem = parse::<UBig>(text).unwrap_err().problem;
        assert_eq!(problem, ExpressionProblem::TooLarge { limit: MAX_BITS });
    }
    assert_eq!(parse::<UBig>("2^1048575").unwrap().bit_len(), MAX_BITS);
    // None of the values is too large, but all together they would take minutes.
    for text in [
        vec!["3^600000"; 20_000].join("+"),
        vec!["(3^300000-1)*(3^300000+1)"; 5_000].join("-"),
        format!("2^1000000{}", "+1-1".repeat(500_000)),
        format!("2^1000000{}", "*1".repeat(1_000_000)),
        format!("2^1000000-({})", vec!["7^5000"; 100_000].join("*1+")),
    ] {
        let start = std::time::Instant::now();
        let problem = parse::<UBig>(&text).unwrap_err().problem;
        assert_eq!(problem, ExpressionProblem::TooMuch, "{text:.40}");
        assert!(start.elapsed().as_secs() < 60, "{text:.40}");
    }
    let long = "2^1000000".to_owned() + &"+1".repeat(1000) + &"*1".repeat(1000);
    assert!(parse::<UBig>(&long).is_ok());
    let nested = "(".repeat(100_000) + "1";
    assert!(parse::<UBig>(&nested).is_err());
    let sixty = "(".repeat(60) + "1" + &")".repeat(60);
    assert_eq!(value(&sixty), 1);
}
