//! Inverses and fractions against GMP.

use dashu_int::ops::{BitTest, RemEuclid};
use dashu_int::{IBig, UBig};
use rug::Integer;
use sunzi_field::euclid::{first_remainder_below, inverse};
use sunzi_testkit::{Random, to_gmp};

/// Numbers of up to `words` words, with long runs of equal bits among them.
fn numbers(words: usize) -> Vec<UBig> {
    let mut random = Random::new(words as u64);
    let mut numbers: Vec<UBig> = (1..=words)
        .map(|n| UBig::from_words(&random.words(n)))
        .collect();
    for bits in [1, 31, 62, 63, 64, 65, 127, 128, 64 * words - 1] {
        let power = UBig::ONE << bits;
        numbers.extend([&power - UBig::ONE, power.clone(), power + UBig::ONE]);
    }
    // Quotients of 1 alone.
    let (mut a, mut b) = (UBig::ONE, UBig::ONE);
    while b.bit_len() < 64 * words {
        (a, b) = (b.clone(), a + b);
    }
    numbers.extend([a, b]);
    numbers
}

#[test]
fn inverses_are_those_of_gmp() {
    for modulus in numbers(9) {
        if modulus < UBig::from(2u8) {
            continue;
        }
        for value in numbers(9) {
            let expected = to_gmp(&value).invert(&to_gmp(&modulus)).ok();
            let found = inverse(&value, &modulus).map(|inverse| to_gmp(&inverse));
            assert_eq!(found, expected, "{value} mod {modulus}");
        }
    }
}

#[test]
fn an_inverse_that_has_gone_wrong_elsewhere() {
    let modulus = ((UBig::ONE << 59) + (UBig::ONE << 57) + (UBig::ONE << 39)).pow(8) + UBig::ONE;
    let text = "47010479007169002958755838818130135729858511349526288943061289148306486797115715979172894532944488213665256382930121257402089695783664176285478";
    let value = UBig::from_str_radix(text, 10).unwrap();
    let found = inverse(&value, &modulus).unwrap();
    assert_eq!(value * found % modulus, UBig::ONE);
}

/// The first remainder is found, whatever the bound, as by single steps.
#[test]
fn remainders_are_those_of_single_steps() {
    let numbers = numbers(6);
    for modulus in &numbers {
        for value in numbers.iter().step_by(3) {
            for bits in [1, 2, 20, 64, 100, 190, 300] {
                let bound = UBig::ONE << bits;
                let (mut x, mut y) = (to_gmp(modulus), to_gmp(value) % to_gmp(modulus));
                let (mut s, mut t) = (Integer::ZERO, Integer::from(1));
                while y >= to_gmp(&bound) {
                    let (quotient, rest) = x.div_rem(y.clone());
                    let next = s - quotient * &t;
                    (x, y, s, t) = (y, rest, t, next);
                }
                let (remainder, cofactor): (_, IBig) =
                    first_remainder_below(modulus, value, &bound);
                assert_eq!(to_gmp(&remainder), y);
                assert_eq!(cofactor.to_string(), t.to_string());
            }
        }
    }
}

#[test]
fn negative_values_are_those_of_their_residues() {
    for modulus in [2u64, 7, 12, 1 << 40, u64::MAX] {
        let modulus = IBig::from(modulus);
        for value in [1, 2, 5, 11, 1_000_003] {
            let positive = (&modulus - IBig::from(value)).rem_euclid(modulus.clone());
            assert_eq!(
                inverse(&IBig::from(-value), &modulus),
                inverse(&IBig::from(positive), &modulus)
            );
        }
    }
}
