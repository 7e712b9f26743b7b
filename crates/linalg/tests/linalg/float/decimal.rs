//! Decimal numbers of any exponent.

use sunzi_integer::Natural;
use sunzi_linalg::internals::{rounded, scientific, split, text};

#[test]
fn powers_of_two_of_any_size() {
    // log10 2 = 0.30102999566398119521…
    assert_eq!(scientific(1.0, 0, None), "1e0");
    assert_eq!(scientific(1.0, 10, None), "1.024e3");
    assert_eq!(scientific(1.0, 1_000_000, Some(6)), "9.900656e301029");
    assert_eq!(scientific(1.0, -1_000_000, Some(6)), "1.010034e-301030");
    assert_eq!(
        scientific(1.0, 1 << 62, Some(0)).split('e').nth(1),
        Some("1388255822130839283")
    );
    assert_eq!(
        scientific(1.0, i64::MAX, Some(16)),
        "6.9046614899002713e2776511644261678565"
    );
    assert_eq!(
        scientific(1.0, i64::MIN, Some(16)),
        "7.2414846221117472e-2776511644261678567"
    );
}

/// All digits that are asked for, up to the last one's rounding, however many they are.
#[test]
fn many_digits_agree_with_integers() {
    for (mantissa, bits) in [(1.0, 0), (1.5, 1), (1.0 + f64::EPSILON, 52)] {
        let integer = Natural::from(1_u8) << bits;
        let integer = if bits == 0 { integer } else { integer + 1_u8 };
        let integer = if bits == 1 {
            Natural::from(3_u8)
        } else {
            integer
        };
        for exponent in [100_usize, 1000, 100_003] {
            let exact = (&integer << (exponent - bits)).to_string();
            for precision in [0, 17, 45, 60, 100, 700] {
                let (digits, carried) = rounded(
                    &(&integer << (exponent - bits)),
                    exact.len(),
                    exact.len().min(precision + 1),
                );
                let power = (exact.len() - 1 + carried) as i128;
                let expected = text(&digits, power, Some(precision));
                assert_eq!(
                    scientific(mantissa, exponent as i64, Some(precision)),
                    expected
                );
            }
        }
    }
    // Digits computed with more of them do not change.
    for exponent in [i64::MIN, -(1 << 40), 1 << 40, i64::MAX] {
        let many = scientific(1.25, exponent, Some(500));
        for precision in [20, 60, 200] {
            let few = scientific(1.25, exponent, Some(precision));
            assert_eq!(few[..precision], many[..precision]);
        }
    }
}

#[test]
fn powers_of_two_agree_with_integers() {
    for exponent in [100_i64, 1000, 12_345, 99_999] {
        let exact = (Natural::ONE << exponent as usize).to_string();
        let expected = format!("{}.{}e{}", &exact[..1], &exact[1..30], exact.len() - 1);
        let found = scientific(1.0, exponent, Some(40));
        assert_eq!(found[..20], expected[..20]);
        assert_eq!(found.split('e').nth(1), expected.split('e').nth(1));
    }
}

#[test]
fn the_middle_between_two_numbers_is_read_as_the_even_one() {
    // Numbers near 5.6e16 are 8 apart: …380 lies in the middle of …376 and …384, …364 in that of …360 and …368.
    for value in [
        56019697568369376_f64,
        56019697568369384.0,
        56019697568369360.0,
    ] {
        let (mantissa, exponent) = split(value);
        assert_eq!(
            scientific(mantissa, exponent.into(), None),
            format!("{value:e}")
        );
    }
}

#[test]
fn carries_make_another_digit() {
    assert_eq!(scientific(1.249_999_999_999_999_8, 3, Some(3)), "1.000e1");
    assert_eq!(
        scientific(1.249_999_999_999_999_8, 3, None),
        "9.999999999999998e0"
    );
}
