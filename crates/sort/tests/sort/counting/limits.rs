//! What counting sorts refuse, and what they name.

use crate::on_threads::on_threads;
use sunzi_sort::{CountingSort, SortError, reference};

/// The second of two bad keys is the first that its thread meets; the first one is named all the same.
#[test]
fn the_first_bad_key_is_named_whatever_thread_is_quicker() {
    let n = 1 << 20;
    let sort = CountingSort::new(100);
    let first = n / 2 - 1;
    let mut keys: Vec<u32> = (0..n as u32).map(|i| i % 100).collect();
    keys[first..first + 2].fill(200);
    let expected = Err(SortError::KeyOutOfRange {
        index: first,
        key: 200,
        range: 100,
    });
    let before = keys.clone();
    for _ in 0..5 {
        on_threads(2, || {
            assert_eq!(sort.sort(&mut keys), expected);
            assert_eq!(sort.sort_pairs(&mut keys, &mut vec![0_u8; n]), expected);
            assert_eq!(sort.permutation(&keys).map(drop), expected);
        });
    }
    assert!(keys == before);
}

#[test]
fn ranges_beyond_memory_are_refused_by_the_classical_sort() {
    for range in [1 << 62, u64::MAX] {
        let refused = SortError::NoMemoryForRange { range };
        assert_eq!(
            reference::counting_sort(&[0_u32], range),
            Err(refused.clone())
        );
        assert_eq!(
            reference::counting_sort_pairs(&[0_u32], &['a'], range),
            Err(refused)
        );
    }
}

#[test]
fn plans_tell_what_they_are_made_of() {
    for range in [0, 1, 1000, u64::MAX] {
        for width in [0, 1, 7, u64::MAX] {
            for n in [0, 1, 100_000] {
                let sort = CountingSort::new(range).bucket_width(width);
                for plan in [sort.plan_keys(n), sort.plan_records(n)] {
                    assert_eq!((plan.items(), plan.last()), (n, range.saturating_sub(1)));
                    assert!(plan.width() > 0 && plan.buckets() > 0, "{plan}");
                    let covered = plan.buckets() as u128 * u128::from(plan.width());
                    assert!(covered > u128::from(plan.last()), "{plan}");
                }
            }
        }
    }
}
