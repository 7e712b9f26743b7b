//! Bare keys, counted.

use sunzi_sort::internals::rewrite;

/// As 32 bits for more than 2^32 keys, so are 8 bits for these.
#[test]
fn more_keys_than_narrow_counters_hold() {
    for len in [1_usize, 255, 256, 511, 512, 513, 3000] {
        let keys: Vec<u16> = (0..len).map(|i| if i % 7 == 3 { 2 } else { 1 }).collect();
        let mut sorted = vec![0_u32; len];
        let pieces = keys.chunks(100);
        rewrite::<u8, _>(pieces, &mut [0; 3], 10, &mut sorted);
        let mut expected: Vec<u32> = keys.iter().map(|&key| 10 + u32::from(key)).collect();
        expected.sort();
        assert_eq!(sorted, expected, "{len} keys");
    }
}
