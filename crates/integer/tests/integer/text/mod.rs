//! Both directions against GMP, round trips, and refusals.

mod chunk;
mod format;
mod tables;

use proptest::prelude::*;
use rug::Integer as GmpInteger;
use rug::integer::Order;
use sunzi_integer::Multiplier;
use sunzi_integer::text::{DecimalTables, TextError, TextErrorKind};
use sunzi_integer::{Integer, Natural};
use sunzi_testkit::{Kind, Random, from_gmp, on_threads};

struct Checker {
    multiplier: Multiplier,
    tables: DecimalTables,
}

impl Checker {
    fn new() -> Self {
        Self {
            multiplier: Multiplier::new(),
            tables: DecimalTables::new(),
        }
    }

    fn parse(&self, text: &str) -> Integer {
        self.tables
            .parse(&self.multiplier, text.as_bytes())
            .unwrap()
    }

    fn format(&self, value: &Integer) -> String {
        let mut text = Vec::new();
        self.tables
            .format(&self.multiplier, value, &mut text)
            .unwrap();
        String::from_utf8(text).unwrap()
    }

    /// The value in both directions and both radices, as GMP writes it.
    fn check(&self, expected: &GmpInteger) {
        let value = from_gmp(expected);
        let text = expected.to_string();
        assert!(self.parse(&text) == value, "parsing {} digits", text.len());
        assert!(
            self.format(&value) == text,
            "formatting {} digits",
            text.len()
        );
        let sign = if *expected < 0 { "-" } else { "" };
        let hex = format!(
            "{sign}0x{}",
            GmpInteger::from(expected.abs_ref()).to_string_radix(16)
        );
        assert!(parsed(hex.as_bytes()).unwrap() == value);
        assert_eq!(format!("{value:#x}"), hex);
    }
}

/// What is read of bytes, and, if they are text, of that, which is the same.
fn parsed(bytes: &[u8]) -> Result<Integer, TextError> {
    let found = DecimalTables::new().parse(&Multiplier::new(), bytes);
    if let Ok(text) = str::from_utf8(bytes) {
        assert_eq!(text.parse::<Integer>(), found);
        let negative = found.as_ref().is_ok_and(|value| value.is_negative());
        if !negative && !text.starts_with('-') {
            assert_eq!(text.parse::<Natural>().map(Integer::from), found);
        }
    }
    found
}

fn ten_to(exponent: u32) -> GmpInteger {
    GmpInteger::from(GmpInteger::u_pow_u(10, exponent))
}

/// Numbers of digits around the leaf (64 chunks of 19), the first levels and the parallel threshold.
fn lengths() -> impl Iterator<Item = usize> {
    let around = |n: usize| [n - 1, n, n + 1];
    let levels = [
        19 * 2,
        19 * 20,
        19 * 64,
        19 * 128,
        19 * 256,
        19 * 511,
        19 * 512,
        19 * 1024,
        19 * 4096,
    ];
    (1..60).chain(levels.into_iter().flat_map(around))
}

#[test]
fn random_values_of_every_length_match_gmp() {
    let checker = Checker::new();
    for length in lengths() {
        let text = Random::new(length as u64).decimal(length);
        checker.check(&text.parse().unwrap());
        checker.check(&format!("-{text}").parse().unwrap());
    }
}

#[test]
fn powers_of_ten_and_their_neighbours_match_gmp() {
    let checker = Checker::new();
    for length in lengths() {
        let power = ten_to(length as u32);
        checker.check(&power);
        checker.check(&GmpInteger::from(&power - 1));
        checker.check(&GmpInteger::from(&power + 1));
        checker.check(&-power);
    }
}

/// Long runs of zeros and nines at places that are ends of leaves are where rounding shows.
#[test]
fn runs_of_zeros_and_nines_match_gmp() {
    let checker = Checker::new();
    for length in [700, 2500, 5000, 19 * 64 * 7 + 3, 40_000] {
        for low in [1, 18, 19, 20, 600, 19 * 40, 19 * 64] {
            let (high, low) = (ten_to(length), ten_to(low));
            checker.check(&GmpInteger::from(&high - &low));
            checker.check(&GmpInteger::from(&high + &low));
            checker.check(&(GmpInteger::from(&high - &low) + 1));
            checker.check(&(GmpInteger::from(&high + &low) - 1));
            checker.check(&(GmpInteger::from(&high / 2) + &low - 1));
        }
    }
}

#[test]
fn powers_of_two_match_gmp() {
    let checker = Checker::new();
    for bits in (0..200).chain([1279, 1280, 1281, 4095, 4096, 4097, 65_535, 65_536, 300_000]) {
        let power = GmpInteger::from(1) << bits;
        checker.check(&power);
        checker.check(&GmpInteger::from(&power - 1));
        checker.check(&-power);
    }
}

#[test]
fn a_million_digits_match_gmp() {
    let checker = Checker::new();
    let text = Random::new(5).decimal(1_000_003);
    checker.check(&text.parse().unwrap());
}

/// Halves of 512 chunks and more are converted side by side: numbers of that length, one chunk less and
/// more, with runs of zeros and nines, and of bits, up to the halves' ends.
#[test]
fn halves_are_joined_on_any_number_of_threads() {
    let mut random = Random::new(23);
    for threads in [1, 2, 3, 7, 16] {
        on_threads(threads, || {
            let checker = Checker::new();
            for chunks in [512, 1024, 2 * 1024 + 1] {
                for digits in [19 * chunks - 1, 19 * chunks, 19 * chunks + 1] {
                    let high = ten_to(digits);
                    for low in [0, 19 * 256, 19 * 512 - 1, 19 * 512, 19 * 512 + 1] {
                        checker.check(&(&high - ten_to(low) + GmpInteger::from(1)));
                        checker.check(&(GmpInteger::from(&high / 2) + ten_to(low)));
                    }
                }
                for kind in Kind::ALL {
                    let limbs = kind.limbs(chunks as usize, 128, &mut random);
                    checker.check(&GmpInteger::from_digits(&limbs, Order::Lsf));
                }
            }
        });
    }
}

#[test]
fn zeros_and_signs() {
    for text in [
        "0",
        "-0",
        "+0",
        "000",
        "-000000000000000000000000",
        "0x0",
        "-0X00",
    ] {
        assert_eq!(parsed(text.as_bytes()).unwrap(), Integer::ZERO, "{text}");
    }
    assert_eq!(Integer::ZERO.to_string(), "0");
    assert_eq!(format!("{:#x}", Integer::ZERO), "0x0");
    assert_eq!(parsed(b"+12").unwrap(), Integer::from(12));
    let zeros = "0".repeat(5000);
    assert_eq!(
        parsed(format!("-{zeros}77").as_bytes()).unwrap(),
        Integer::from(-77)
    );
    assert_eq!(
        parsed(format!("0x{zeros}fF").as_bytes()).unwrap(),
        Integer::from(255)
    );
    assert_eq!(parsed(zeros.as_bytes()).unwrap(), Integer::ZERO);
}

#[test]
fn refusals_name_the_offset_and_the_reason() {
    use TextErrorKind::*;
    let long = format!("{}z{}", "1".repeat(1000), "1".repeat(1000));
    let long_hex = format!("-0x{}g{}g", "a".repeat(100), "1".repeat(100));
    let cases: [(&str, usize, TextErrorKind); 16] = [
        ("", 0, Empty),
        ("-", 1, LoneSign),
        ("+", 1, LoneSign),
        ("0x", 2, LonePrefix),
        ("-0X", 3, LonePrefix),
        ("a", 0, NotADecimalDigit(b'a')),
        ("--1", 1, NotADecimalDigit(b'-')),
        ("1_000", 1, NotADecimalDigit(b'_')),
        ("12 ", 2, NotADecimalDigit(b' ')),
        (" 12", 0, NotADecimalDigit(b' ')),
        ("1.5", 1, NotADecimalDigit(b'.')),
        ("ff", 0, NotADecimalDigit(b'f')),
        ("x10", 0, NotADecimalDigit(b'x')),
        ("0x1-", 3, NotAHexDigit(b'-')),
        (&long, 1000, NotADecimalDigit(b'z')),
        (&long_hex, 103, NotAHexDigit(b'g')),
    ];
    for (text, offset, kind) in cases {
        assert_eq!(
            parsed(text.as_bytes()),
            Err(TextError { offset, kind }),
            "{text:.20}"
        );
    }
}

#[test]
fn refusals_are_sentences() {
    let said = |text: &[u8]| parsed(text).unwrap_err().to_string();
    assert_eq!(said(b""), "a number is missing");
    assert_eq!(said(b"12z"), "'z' is not a decimal digit");
    assert_eq!(said(b"1\t"), "a tab is not a decimal digit");
    assert_eq!(said(b"0x1 "), "a space is not a hexadecimal digit");
    assert_eq!(said(b"\xff"), "the byte 0xff is not a decimal digit");
    assert_eq!(said(b"-"), "a sign has no digits after it");
    assert_eq!(said(b"0x"), "0x has no digits after it");
}

proptest! {
    #[test]
    fn limbs_survive_a_round_trip(limbs in proptest::collection::vec(any::<u64>(), 0..400), negative: bool) {
                let value = Integer::from_sign_magnitude(negative, Natural::from_limbs(limbs));
        prop_assert_eq!(&parsed(value.to_string().as_bytes()).unwrap(), &value);
        prop_assert_eq!(&parsed(format!("{value:#x}").as_bytes()).unwrap(), &value);
    }

    #[test]
    fn any_bytes_are_read_or_refused(text in proptest::collection::vec(any::<u8>(), 0..60)) {
        if let Err(error) = parsed(&text) {
            prop_assert!(error.offset <= text.len());
        }
    }
}
