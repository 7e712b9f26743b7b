//! Polynomials as expressions: `3*x^2 - 2*x + 1`, `(x+1)^10*(x-1)`, `2x`; in two unknowns `1/2*x^2*y - (x+y)^3`.
//!
//! The text is read first, then expanded within limits on degree, width and work, so that
//! `x^(10^18)` and its like are refused instead of attempted.

mod ambiguity;
mod expand;
mod two_unknowns;

use super::LineError;
use dashu_int::IBig;
use expand::{Limits, Terms};
use sunzi_field::expression::syntax::{self, Dialect};
use sunzi_field::memory::Budget;
use sunzi_integer::{Multiplier, text::DecimalTables};
pub use two_unknowns::{MAX_DEGREE_OF_TWO, TwoUnknowns, Unknowns};

/// The highest degree of an expression; longer polynomials are written as coefficients.
pub const MAX_DEGREE: u64 = 1 << 24;

/// What to write where no expression stands.
const HINT: &str = "write a sum of terms such as 3*x^2 - 2*x + 1";

const LIMITS: Limits = Limits {
    degree: MAX_DEGREE,
    advice: "write such a polynomial as coefficients, from the constant term upward",
};

/// The terms, by their degrees, of the polynomial that an expression stands for, of which there is room for all
/// coefficients, of this many bytes each.
pub fn parse(
    content: &[u8],
    multiplier: &Multiplier,
    tables: &DecimalTables,
    coefficient: usize,
) -> Result<Terms<1>, LineError> {
    ambiguity::check(content)?;
    let tree = syntax::parse(content, Dialect::Polynomial)
        .map_err(|offset| LineError::new(offset, unexpected(content, offset, HINT)))?;
    let terms = expand::expand(&tree, content.len(), &LIMITS, multiplier, tables)?.terms;
    // At most MAX_DEGREE zeros: `expand` refuses more. The other operand of the line is read at the same time.
    let bytes = 2 * (length(&terms) * coefficient) as u64;
    Budget::system()
        .require(bytes)
        .map_err(|error| LineError::too_large(0, error.to_string()))?;
    Ok(terms)
}

/// What is wrong where a text stops to be an expression.
fn unexpected(content: &[u8], offset: usize, hint: &str) -> String {
    let is_open = |&&byte: &&u8| byte == b'(';
    let is_close = |&&byte: &&u8| byte == b')';
    let before = content[..offset].iter();
    let depth = before
        .clone()
        .filter(is_open)
        .count()
        .saturating_sub(before.filter(is_close).count());
    if depth > syntax::MAX_DEPTH {
        let most = syntax::MAX_DEPTH;
        return format!("parentheses are nested more than {most} deep: expand some of them");
    }
    match content.get(offset) {
        None => format!("the expression ends too early: {hint}"),
        Some(&byte @ 0x21..=0x7e) => format!("unexpected '{}': {hint}", char::from(byte)),
        Some(byte) => format!("unexpected byte 0x{byte:02x}: {hint}"),
    }
}

/// How many coefficients a polynomial of these terms has.
pub fn length(terms: &Terms<1>) -> usize {
    terms
        .last_key_value()
        .map_or(0, |(&[degree], _)| degree as usize + 1)
}

/// The coefficients, from the constant term upward, of the polynomial that an expression stands for; none for zero.
pub fn integers(
    content: &[u8],
    multiplier: &Multiplier,
    tables: &DecimalTables,
) -> Result<Vec<IBig>, LineError> {
    let terms = parse(content, multiplier, tables, size_of::<IBig>())?;
    let mut coefficients = vec![IBig::ZERO; length(&terms)];
    for ([exponent], coefficient) in terms {
        coefficients[exponent as usize] = coefficient;
    }
    Ok(coefficients)
}

/// What an expression may take as a vector of coefficients of this many bytes each, in bytes, from a glance at it.
pub fn weight(content: &[u8], coefficient: usize) -> usize {
    // Powers of parentheses can multiply degrees: such a line counts as long.
    let nested = if content.contains(&b'(') { 1 << 20 } else { 0 };
    let exponents = content.split(|&byte| byte == b'^').skip(1).map(|rest| {
        let digits = rest
            .iter()
            .skip_while(|byte| byte.is_ascii_whitespace())
            .take_while(|byte| byte.is_ascii_digit());
        digits.fold(0usize, |value, byte| {
            value
                .saturating_mul(10)
                .saturating_add(usize::from(byte - b'0'))
        })
    });
    let degree = exponents.max().unwrap_or(0).min(MAX_DEGREE as usize);
    content.len() + nested + coefficient * degree
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coefficients(text: &str) -> Result<Vec<i64>, LineError> {
        let small = |value| i64::try_from(value).unwrap();
        Ok(integers(text)?.into_iter().map(small).collect())
    }

    fn integers(text: &str) -> Result<Vec<IBig>, LineError> {
        let (multiplier, tables) = (Multiplier::new(), DecimalTables::new());
        super::integers(text.as_bytes(), &multiplier, &tables)
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
            let start = std::time::Instant::now();
            let result = coefficients(text);
            assert!(result.is_err() || text == signs, "{text:.40}");
            assert!(start.elapsed().as_secs() < 20, "{text:.40}");
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
            let start = std::time::Instant::now();
            let error = integers(&text).expect_err(&text[..40]);
            assert!(error.problem.contains("too much"), "{text:.40}: {error:?}");
            assert!(error.offset < text.len(), "{text:.40}");
            assert!(start.elapsed().as_secs() < 20, "{text:.40}");
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
            let mut expected = IBig::ONE;
            for exponent in 0..70 {
                let text = format!("({base})^{exponent}");
                assert_eq!(integers(&text), Ok(vec![expected.clone()]), "{text}");
                expected *= IBig::from(base);
            }
        }
    }

    #[test]
    fn weights_grow_with_the_degree() {
        assert_eq!(weight(b"x + 1", 24), 5);
        assert!(weight(b"x^1000 + 1", 24) > 24_000);
        let most = 40 + 24 * MAX_DEGREE as usize;
        assert!(weight(b"x ^ 99999999999999999999999 + 1", 24) <= most);
    }
}
