//! Records, counted.

use sunzi_sort::internals::count_into;

/// As 32 bits for more than 2^32 records, so are 8 bits for these.
#[test]
fn more_records_than_narrow_counters_hold() {
    for len in [0_usize, 1, 255, 256, 257, 1000] {
        let records = (0..len).map(|i| (i % 3, i));
        let mut sorted = vec![(0, 0); len];
        count_into::<u8, _>(
            records.clone(),
            len,
            3,
            |record| record.0,
            &mut Vec::new(),
            &mut &mut sorted[..],
        );
        let mut expected: Vec<_> = records.collect();
        expected.sort();
        assert_eq!(sorted, expected, "{len} records");
    }
}
