//! Lazy residues stay within their bounds.

use sunzi_field::{Field, Fp32, Fp64};
use sunzi_testkit::{edge_residues, edge_words};

#[test]
fn lazy_residues_of_32_bits_stay_in_range_and_right() {
    for prime in [3, 469762049, 2147483647] {
        let field = Fp32::new(prime).unwrap();
        let wide = u64::from(prime);
        for w in edge_residues(wide) {
            let multiplier = field.prepare(w as u32);
            assert_eq!(multiplier.factor(), w as u32);
            for x in edge_words() {
                let x = x as u32;
                let lazy = field.mul_lazy(x, multiplier);
                assert!(u64::from(lazy.representative()) < 2 * wide);
                let expected = u64::from(x) * w % wide;
                assert_eq!(u64::from(field.canonical(lazy)), expected);
                assert_eq!(u64::from(field.mul_prepared(x, multiplier)), expected);
                let other = field.mul_lazy(!x, multiplier);
                let sum = field.add_lazy(lazy, other);
                let difference = field.sub_lazy(lazy, other);
                assert!(u64::from(sum.representative()) < 2 * wide);
                assert!(u64::from(difference.representative()) < 2 * wide);
                let other = field.canonical(other);
                assert_eq!(field.canonical(sum), field.add(expected as u32, other));
                assert_eq!(
                    field.canonical(difference),
                    field.sub(expected as u32, other)
                );
            }
        }
    }
}

#[test]
fn lazy_residues_of_64_bits_stay_in_range_and_right() {
    for prime in [3, (1 << 60) - (1 << 18) + 1, (1 << 63) - 25] {
        let field = Fp64::new(prime).unwrap();
        for w in edge_residues(prime) {
            let multiplier = field.prepare(w);
            for x in edge_words() {
                let lazy = field.mul_lazy(x, multiplier);
                assert!(lazy.representative() < 2 * prime);
                let expected = (u128::from(x) * u128::from(w) % u128::from(prime)) as u64;
                assert_eq!(field.canonical(lazy), expected);
                assert_eq!(field.mul_prepared(x, multiplier), expected);
                let other = field.mul_lazy(!x, multiplier);
                let sum = field.add_lazy(lazy, other);
                let difference = field.sub_lazy(lazy, other);
                assert!(sum.representative() < 2 * prime);
                assert!(difference.representative() < 2 * prime);
                let other = field.canonical(other);
                assert_eq!(field.canonical(sum), field.add(expected, other));
                assert_eq!(field.canonical(difference), field.sub(expected, other));
            }
        }
    }
}
