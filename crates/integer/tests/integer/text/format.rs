//! Chunks of long integers.

use sunzi_integer::Multiplier;
use sunzi_integer::internals::{chunks_by_division, chunks_by_fractions};
use sunzi_integer::text::DecimalTables;
use sunzi_rns::limbs;
use sunzi_testkit::Random;

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
