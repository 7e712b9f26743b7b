//! Carry chains in blocks of four limbs, at every border of blocks, with carries that run through all of them.

use sunzi_rns::limbs::{addmul_1, difference, submul_1, sum};

/// Past three blocks and what is left of a fourth.
const MOST: usize = 15;

/// Words whose products and sums carry most, least, or in between.
const WORDS: [u64; 6] = [0, 1, 2, 1 << 63, u64::MAX - 1, u64::MAX];

/// Vectors of a length: zeros, ones in all bits, a one at either end, and words that differ.
fn vectors(len: usize) -> Vec<Vec<u64>> {
    let one_at = |at: usize| (0..len).map(|i| u64::from(i == at)).collect();
    let mixed = (0..len as u64).map(|i| (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    vec![
        vec![0; len],
        vec![u64::MAX; len],
        one_at(0),
        one_at(len.saturating_sub(1)),
        mixed.collect(),
    ]
}

#[test]
fn multiples_are_added_and_subtracted_across_blocks() {
    for len in 0..=MOST {
        for (a, out) in vectors(len).into_iter().flat_map(|a| {
            let outs = vectors(len);
            outs.into_iter().map(move |out| (a.clone(), out))
        }) {
            for word in WORDS {
                let (mut carry, mut expected) = (0u128, Vec::new());
                for (&x, &o) in a.iter().zip(&out) {
                    let total = u128::from(x) * u128::from(word) + u128::from(o) + carry;
                    expected.push(total as u64);
                    carry = total >> 64;
                }
                let mut found = out.clone();
                let high = addmul_1(&mut found, &a, word);
                assert_eq!(
                    (&found, u128::from(high)),
                    (&expected, carry),
                    "{a:?} {word}"
                );
                // The way back, from any vector: what is subtracted above is what was carried.
                assert_eq!(submul_1(&mut found, &a, word), high, "{a:?} {word}");
                assert_eq!(found, out);
            }
        }
    }
}

#[test]
fn limbs_beyond_the_operand_stay() {
    for len in 0..=MOST {
        let a = vec![u64::MAX; len];
        let mut out = vec![7; len + 2];
        addmul_1(&mut out, &a, u64::MAX);
        assert_eq!(out[len..], [7, 7]);
        submul_1(&mut out, &a, u64::MAX);
        assert_eq!(out, vec![7; len + 2]);
    }
}

#[test]
fn sums_and_differences_of_any_lengths() {
    for (m, n) in (0..=MOST).flat_map(|m| (0..=MOST).map(move |n| (m, n))) {
        for (a, b) in vectors(m).into_iter().flat_map(|a| {
            let others = vectors(n);
            others.into_iter().map(move |b| (a.clone(), b))
        }) {
            let limb = |x: &[u64], i: usize| u128::from(x.get(i).copied().unwrap_or(0));
            let (mut carry, mut expected) = (0, Vec::new());
            for i in 0..m.max(n) {
                let total = limb(&a, i) + limb(&b, i) + carry;
                expected.push(total as u64);
                carry = total >> 64;
            }
            expected.extend((carry != 0).then_some(1));
            let total = sum(&a, &b);
            assert_eq!(total, expected);
            // What was added is taken away again, and a borrow tells that too much is.
            let (back, borrow) = difference(&total, &b);
            assert_eq!((&back[..m], borrow), (&a[..], 0));
            assert!(back[m..].iter().all(|&limb| limb == 0));
            let (_, borrow) = difference(&a, &total);
            let taken = &total[..m.min(total.len())];
            let is_less = a.iter().rev().lt(taken.iter().rev());
            assert_eq!(borrow == 1, is_less);
        }
    }
}
