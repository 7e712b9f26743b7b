//! Chunks of long integers.

use sunzi_integer::Multiplier;
use sunzi_integer::internals::{BASE, chunks_by_fractions, divide_by_word};
use sunzi_integer::text::DecimalTables;
use sunzi_rns::limbs;
use sunzi_testkit::Random;

/// Chunks, most significant first, by division until nothing is left.
fn chunks_by_division(mut rest: Vec<u64>) -> Vec<u64> {
    let mut chunks = Vec::new();
    while !rest.is_empty() {
        chunks.push(divide_by_word(&mut rest, BASE));
        limbs::truncate_zeros(&mut rest);
    }
    chunks.reverse();
    chunks
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
            let expected = chunks_by_division(value.clone());
            let chunks = chunks_by_fractions(&multiplier, &tables, &value);
            let start = chunks
                .iter()
                .position(|&chunk| chunk != 0)
                .unwrap_or(chunks.len());
            assert_eq!(chunks[start..], expected, "{length} limbs");
        }
    }
}
