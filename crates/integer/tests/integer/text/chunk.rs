//! Chunks of 19 digits.

use sunzi_integer::internals::{BASE, DIGITS, value, write};

#[test]
fn every_length_and_digit_survives_a_round_trip() {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    for round in 0..20_000 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(round);
        let chunk = (state >> (round % 64)) % BASE;
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
