//! Chunks of long integers.

use sunzi_integer::Multiplier;
use sunzi_integer::internals::{BASE, chunks_by_division, chunks_by_fractions, divide_by_base};
use sunzi_integer::text::DecimalTables;
use sunzi_rns::limbs;
use sunzi_testkit::Random;

#[test]
fn division_by_the_base_is_division() {
    let edges = [0, 1, 2, BASE / 2, BASE - 2, BASE - 1];
    let lows = [
        0,
        1,
        BASE - 1,
        BASE,
        BASE + 1,
        u64::MAX - 1,
        u64::MAX,
        1 << 63,
    ];
    for high in edges {
        for low in lows {
            let value = u128::from(high) << 64 | u128::from(low);
            let (quotient, remainder) = divide_by_base(high, low);
            assert_eq!(u128::from(quotient), value / u128::from(BASE));
            assert_eq!(u128::from(remainder), value % u128::from(BASE));
        }
    }
    let mut random = Random::new(7);
    for _ in 0..100_000 {
        let (high, low) = (random.below(BASE), random.word());
        let value = u128::from(high) << 64 | u128::from(low);
        let (quotient, remainder) = divide_by_base(high, low);
        assert_eq!(
            (u128::from(quotient), u128::from(remainder)),
            (value / u128::from(BASE), value % u128::from(BASE))
        );
    }
}

/// Both ways give the same chunks, at all the sizes where either might be used.
#[test]
fn fractions_agree_with_division() {
    let (multiplier, tables) = (Multiplier::new(), DecimalTables::new());
    let mut random = Random::new(3);
    for length in 1..300 {
        let mut power = vec![0; length];
        power[length - 1] = 1;
        for value in [random.words(length), vec![u64::MAX; length], power] {
            let mut value = value;
            limbs::truncate_zeros(&mut value);
            let expected = chunks_by_division(&value);
            let chunks = chunks_by_fractions(&multiplier, &tables, &value);
            let start = chunks
                .iter()
                .position(|&chunk| chunk != 0)
                .unwrap_or(chunks.len());
            assert_eq!(chunks[start..], expected, "{length} limbs");
        }
    }
}
