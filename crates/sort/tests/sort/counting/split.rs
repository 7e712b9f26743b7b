//! Buckets and remainders of keys.

use sunzi_sort::internals::{Reciprocal, Split};

#[test]
fn reciprocals_divide() {
    let widths = [
        3,
        5,
        6,
        7,
        1000,
        65535,
        65537,
        1_000_000,
        u64::MAX / 2,
        u64::MAX - 1,
        u64::MAX,
    ];
    for width in widths {
        let split = Reciprocal::new(width);
        for near in [
            0,
            1,
            width,
            2 * (width / 2),
            width.wrapping_mul(77),
            1 << 32,
            1 << 63,
            u64::MAX,
        ] {
            for offset in [near.wrapping_sub(1), near, near.wrapping_add(1)] {
                let expected = ((offset / width) as usize, offset % width);
                assert_eq!(split.split(offset), expected, "{offset} by {width}");
            }
        }
    }
}
