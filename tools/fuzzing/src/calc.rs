//! Expressions of numbers: the exact value reduced by GMP is the value modulo a prime, in bounded time.

use rug::{Integer, Rational};
use std::time::{Duration, Instant};
use sunzi_cli::door;

/// As for expressions in x.
const MOST_TIME: Duration = Duration::from_secs(20);
/// Bytes beyond which an input teaches nothing new.
const LONG: usize = 400;
/// Memory with which numbers are so short that they are soon tested for primality.
const BYTES: u64 = 20_000;
/// The prime by which values are reduced.
const PRIME: u32 = 1_000_003;

pub fn run(data: &[u8]) -> bool {
    let text = &data[..data.len().min(LONG)];
    let start = Instant::now();
    let exact = door::calculate(text, None, BYTES);
    let residue = door::calculate(text, Some(PRIME.into()), BYTES);
    assert!(start.elapsed() < MOST_TIME, "{:?}", start.elapsed());
    for (offset, said) in [&exact, &residue]
        .into_iter()
        .filter_map(|found| found.as_ref().err())
    {
        assert!(
            *offset <= text.len() && !said.is_empty(),
            "{offset}: {said}"
        );
    }
    let Ok(exact) = exact else {
        return false;
    };
    let value: Rational = exact.parse().expect("a rational number");
    match residue {
        Ok(residue) => {
            let (numerator, denominator) = value.into_numer_denom();
            // Factors of the prime may have cancelled, and then it told nothing.
            let expected = denominator
                .invert(&PRIME.into())
                .map(|inverse| (numerator * inverse).modulo(&PRIME.into()));
            let found: Integer = residue.parse().expect("an integer");
            assert_eq!(Ok(found), expected, "{}", String::from_utf8_lossy(text));
        }
        Err((_, said)) => assert!(
            said.contains("a division by") || said.contains("memory"),
            "{said}"
        ),
    }
    true
}
