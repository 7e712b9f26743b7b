//! Chunks of 19 digits.

use sunzi_integer::internals::{BASE, DIGITS, value, write};
use sunzi_testkit::Random;

#[test]
fn every_length_and_digit_survives_a_round_trip() {
    let mut random = Random::new(1);
    for round in 0..20_000 {
        let chunk = (random.word() >> (round % 64)) % BASE;
        let mut text = [0; DIGITS];
        write(&mut text, chunk);
        assert_eq!(text.as_slice(), format!("{chunk:019}").as_bytes());
        assert_eq!(value(&text), chunk);
        let short = chunk.to_string();
        assert_eq!(value(short.as_bytes()), chunk);
    }
}

#[test]
fn the_ends_of_the_range() {
    for chunk in [
        0,
        1,
        9,
        10,
        99_999,
        100_000,
        9_999_999_999,
        10_000_000_000,
        BASE - 1,
    ] {
        let mut text = [0; DIGITS];
        write(&mut text, chunk);
        assert_eq!(text.as_slice(), format!("{chunk:019}").as_bytes());
        assert_eq!(value(&text), chunk);
    }
    assert_eq!(value(b""), 0);
}
