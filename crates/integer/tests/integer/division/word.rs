//! Divisors of one and of two limbs, at the ends of the ranges of their estimates.

use sunzi_integer::internals::{TwoLimbs, divide_by_word};

/// Where estimates are at the ends of their ranges.
const EDGES: [u64; 12] = [
    0,
    1,
    2,
    (1 << 32) - 1,
    1 << 32,
    (1 << 63) - 1,
    1 << 63,
    10_000_000_000_000_000_000 - 1,
    10_000_000_000_000_000_000,
    10_000_000_000_000_000_001,
    u64::MAX - 1,
    u64::MAX,
];

#[test]
fn by_one_limb() {
    for word in EDGES.into_iter().filter(|&word| word != 0) {
        for high in EDGES {
            for low in EDGES {
                let mut a = [low, high];
                let remainder = divide_by_word(&mut a, word);
                let expected = u128::from(high) << 64 | u128::from(low);
                let quotient = u128::from(a[1]) << 64 | u128::from(a[0]);
                assert_eq!(quotient, expected / u128::from(word));
                assert_eq!(u128::from(remainder), expected % u128::from(word));
            }
        }
    }
}

#[test]
fn by_two_limbs() {
    for d1 in EDGES.into_iter().filter(|word| word >> 63 == 1) {
        for d0 in EDGES {
            let divisor = TwoLimbs::new(d1, d0);
            for u2 in EDGES {
                for u1 in EDGES {
                    let high = u128::from(u2) << 64 | u128::from(u1);
                    if high >= divisor.divisor() {
                        continue;
                    }
                    for low in EDGES {
                        let (quotient, remainder) = divisor.divide(high, low);
                        let [q, r, d, u] = [quotient.into(), remainder, divisor.divisor(), high]
                            .map(rug::Integer::from);
                        assert!(r < d);
                        assert_eq!(q * d + r, (u << 64u32) + low);
                    }
                }
            }
        }
    }
}
