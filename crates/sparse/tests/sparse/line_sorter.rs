//! Entries of a line, sorted.

use sunzi_sparse::internals::{COUNTED, LineSorter};

#[test]
fn lines_of_any_length_and_width_are_sorted() {
    // Widths of one to four bytes, so that the last pass ends in either row of words.
    for width in [256, 1 << 16, 1 << 24, u32::MAX as usize] {
        for count in [0, 1, 2, COUNTED - 1, COUNTED, 200, 1000] {
            let count = count.min(width);
            // Distinct indices, far apart and out of order.
            let step = width / count.max(1);
            let keys = (0..count).map(|k| (k * 7919 % count * step) as u64);
            let mut keys: Vec<u64> = keys
                .zip(0u64..)
                .map(|(index, place)| index << 32 | place)
                .collect();
            let mut expected = keys.clone();
            expected.sort();
            LineSorter::new(width).sort(&mut keys);
            assert_eq!(keys, expected, "{count} below {width}");
        }
    }
}
