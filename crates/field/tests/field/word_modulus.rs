//! Arithmetic modulo any word.

use sunzi_field::primality::jacobi;
use sunzi_field::{Field, Fp64, TwoAdicField, WordModulus};

const EDGES: [u64; 14] = [
    1,
    2,
    3,
    4,
    17,
    0xffff_ffff,
    1 << 32,
    (1 << 60) - (1 << 18) + 1,
    (1 << 63) - 25,
    1 << 63,
    (1 << 63) + 1,
    u64::MAX - 58,
    u64::MAX - 1,
    u64::MAX,
];

#[test]
fn products_and_sums_match_wide_arithmetic() {
    for n in EDGES {
        let ring = WordModulus::new(n);
        for a in EDGES {
            assert_eq!(ring.reduce(a), a % n);
            for b in EDGES {
                let (a, b) = (a % n, b.wrapping_sub(1) % n);
                let product = u128::from(a) * u128::from(b) % u128::from(n);
                assert_eq!(u128::from(ring.mul(a, b)), product, "{a}·{b} mod {n}");
                let sum = (u128::from(a) + u128::from(b)) % u128::from(n);
                assert_eq!(u128::from(ring.add(a, b)), sum, "{a}+{b} mod {n}");
            }
        }
    }
}

#[test]
fn inverses_exist_for_units_only() {
    for n in EDGES {
        let ring = WordModulus::new(n);
        for a in EDGES {
            match ring.inv(a % n) {
                Some(inverse) => assert_eq!(ring.mul(a % n, inverse), 1 % n, "{a} mod {n}"),
                None => {
                    let (mut x, mut y) = (n, a % n);
                    while y != 0 {
                        (x, y) = (y, x % y);
                    }
                    assert!(x > 1, "{a} mod {n}");
                }
            }
        }
    }
}

#[test]
fn limbs_are_reduced_from_the_top() {
    let ring = WordModulus::new(1_000_003);
    assert_eq!(ring.reduce_limbs(&[]), 0);
    let value = u128::MAX;
    assert_eq!(
        u128::from(ring.reduce_limbs(&[u64::MAX; 2])),
        value % 1_000_003
    );
}

#[test]
fn roots_have_exactly_their_order_and_square_to_each_other() {
    for p in [
        3,
        5,
        17,
        469762049,
        (1 << 60) - (1 << 18) + 1,
        (1 << 63) - 25,
    ] {
        let ring = Fp64::new(p).unwrap();
        assert_eq!(ring.root_of_unity(0), Some(1));
        let mut lower = 1;
        for log_n in 1..=(p - 1).trailing_zeros() {
            let root = ring.root_of_unity(log_n).unwrap();
            assert_eq!(ring.pow(root, 1 << (log_n - 1)), p - 1, "{p} {log_n}");
            assert_eq!(ring.mul(root, root), lower);
            lower = root;
        }
        assert_eq!(ring.root_of_unity((p - 1).trailing_zeros() + 1), None);
    }
}

#[test]
fn the_least_non_residue_is_taken() {
    // 3 is the least non-residue mod 469762049 = 7·2^26 + 1, since 2 is a square.
    let ring = Fp64::new(469762049).unwrap();
    assert_eq!(ring.root_of_unity(26), Some(2187)); // 3^7
}

#[test]
fn jacobi_symbols_are_eulers_criterion() {
    for p in [3, 5, 7, 97, 65537, 469762049, (1 << 63) - 25, u64::MAX - 58] {
        let ring = WordModulus::new(p);
        for a in (0..p.min(100)).chain([p - 1, p / 2, p / 3]) {
            let expected = match ring.pow(a, p / 2) {
                power @ 0..=1 => power as i32,
                _ => -1,
            };
            assert_eq!(jacobi(a, p), expected, "{a} modulo {p}");
        }
    }
    assert_eq!([jacobi(2, 15), jacobi(3, 15), jacobi(7, 15)], [1, 0, -1]);
}
