//! Lengths next to one that there is not.

use sunzi_dft::internals::nearest;

#[test]
fn neighbours_are_those_of_a_list_of_all_divisors() {
    for factors in [
        &[(2, 4)][..],
        &[(2, 1), (3, 2), (7, 1)],
        &[(2, 3), (5, 2), (11, 1), (101, 1)],
    ] {
        let product: u64 = factors
            .iter()
            .map(|&(q, e): &(u64, u32)| q.pow(e))
            .product();
        let divisors: Vec<usize> = (1..=product)
            .filter(|&d| product.is_multiple_of(d))
            .map(|d| d as usize)
            .collect();
        for len in 0..=product as usize + 3 {
            if divisors.contains(&len) {
                continue;
            }
            let below = divisors.iter().copied().rfind(|&d| d < len);
            let above = divisors.iter().copied().find(|&d| d > len);
            assert_eq!(
                nearest(factors, len),
                (below, above),
                "{len} and {factors:?}"
            );
        }
    }
}

#[test]
fn the_ends_of_words_overflow_nothing() {
    let factors = [(2, 8192), (u64::MAX - 58, 256)];
    assert_eq!(nearest(&factors, usize::MAX), (Some(usize::MAX - 58), None));
    let many: Vec<(u64, u32)> = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47]
        .map(|prime| (prime, 256))
        .to_vec();
    let (below, above) = nearest(&many, (1 << 40) + 1);
    assert!(below >= Some(1 << 40) && above <= Some(1 << 41));
}
