//! Counting sorts against the standard library's stable sort.

mod cuts;
mod dense;
mod limits;
mod records;
mod split;

use crate::on_threads::on_threads;
use proptest::prelude::*;
use sunzi_sort::{
    CountingSort, Key, reference, sort, sort_by_key, sort_pairs, sorting_permutation,
};

/// Every sort there is, on the same keys, against the stable sort of pairs of key and index.
fn check<K: Key + std::fmt::Debug>(keys: &[K], range: u64, width: Option<u64>, threads: usize) {
    let mut expected: Vec<(K, u32)> = keys.iter().copied().zip(0..).collect();
    expected.sort_by_key(|pair| pair.0);
    let (sorted, order): (Vec<K>, Vec<u32>) = expected.iter().copied().unzip();
    on_threads(threads, || {
        let plan = CountingSort::new(range);
        let plan = width.map_or(plan, |width| plan.bucket_width(width));

        let mut own = keys.to_vec();
        plan.sort(&mut own).unwrap();
        assert!(own == sorted, "{}, m {width:?}", plan.plan_keys(keys.len()));

        let mut own = (keys.to_vec(), (0..keys.len() as u32).collect::<Vec<_>>());
        plan.sort_pairs(&mut own.0, &mut own.1).unwrap();
        assert!(
            own == (sorted.clone(), order.clone()),
            "{}",
            plan.plan_records(keys.len())
        );

        // Values that fill no line evenly.
        let mut own = (
            keys.to_vec(),
            (0..keys.len() as u32).map(|i| [i; 3]).collect::<Vec<_>>(),
        );
        plan.sort_pairs(&mut own.0, &mut own.1).unwrap();
        assert!(own.0 == sorted && own.1.iter().map(|value| &value[1]).eq(&order));

        assert!(plan.permutation(keys).unwrap() == order);
        if width.is_some() {
            return;
        }

        let mut own = keys.to_vec();
        sort(&mut own);
        assert!(own == sorted);

        let mut own = (keys.to_vec(), (0..keys.len() as u32).collect::<Vec<_>>());
        sort_pairs(&mut own.0, &mut own.1).unwrap();
        assert!(own == (sorted.clone(), order.clone()));

        assert!(sorting_permutation(keys).unwrap() == order);

        let mut own: Vec<(u32, K)> = (0..).zip(keys.iter().copied()).collect();
        sort_by_key(&mut own, |pair| pair.1);
        assert!(own.iter().map(|pair| &pair.0).eq(&order));
    });
    if range <= 1 << 24 {
        assert!(reference::counting_sort(keys, range).unwrap() == sorted);
        let values: Vec<u32> = (0..keys.len() as u32).collect();
        assert!(reference::counting_sort_pairs(keys, &values, range).unwrap() == (sorted, order));
    }
}

/// Keys alone.
fn bare<K: Key + std::fmt::Debug>(keys: &[K]) {
    let (mut own, mut expected) = (keys.to_vec(), keys.to_vec());
    sort(&mut own);
    expected.sort_unstable();
    assert_eq!(own, expected);
}

/// Numbers below `below`, scattered.
fn scattered(n: usize, below: u64) -> Vec<u64> {
    let mut state = 88172645463325252u64;
    (0..n)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            ((u128::from(state) * u128::from(below)) >> 64) as u64
        })
        .collect()
}

/// Orders that sorts have stumbled over.
fn adversarial(n: usize, range: u64) -> Vec<Vec<u64>> {
    let last = range - 1;
    let up: Vec<u64> = (0..n as u64)
        .map(|i| (u128::from(i) * u128::from(range) / n.max(1) as u128) as u64)
        .collect();
    let mut pipes = up.clone();
    pipes.truncate(n.div_ceil(2));
    pipes.extend(up[..n / 2].iter().rev());
    vec![
        scattered(n, range),
        vec![0; n],
        vec![last; n],
        (0..n).map(|i| if i % 2 == 0 { last } else { 0 }).collect(),
        up.iter().rev().copied().collect(),
        up,
        pipes,
        // Few keys, one bucket, and nearly all in one bucket.
        scattered(n, range)
            .iter()
            .map(|key| key % 5)
            .map(|key| key.min(last))
            .collect(),
        scattered(n, range.min(1000))
            .iter()
            .map(|key| last - key)
            .collect(),
        scattered(n, range)
            .iter()
            .enumerate()
            .map(|(i, &key)| if i % 100 == 0 { key } else { last / 3 })
            .collect(),
    ]
}

fn narrow<K: Key>(keys: &[u64]) -> Vec<K> {
    keys.iter().map(|&key| K::from_word(key)).collect()
}

#[test]
fn adversarial_orders() {
    for n in [0, 1, 2, 63, 64, 65, 1000, 4095, 4096, 4097] {
        for range in [
            1,
            2,
            3,
            255,
            256,
            257,
            1000,
            65535,
            65536,
            65537,
            1 << 20,
            (1 << 31) + 1,
        ] {
            for keys in adversarial(n, range) {
                check(&narrow::<u32>(&keys), range, None, 1 + n % 3);
            }
        }
    }
}

#[test]
fn long_ones_on_threads() {
    for n in [65535, 65536, 65537, 200_000] {
        for range in [300, 65537, 1 << 32] {
            for (i, keys) in adversarial(n, range).into_iter().enumerate() {
                let threads = [1, 2, 3, 7, 16][(i + n) % 5];
                check(&narrow::<u32>(&keys), range, None, threads);
            }
        }
    }
}

#[test]
fn words_of_all_sizes() {
    for keys in adversarial(70_000, u64::MAX) {
        check(&keys, u64::MAX, None, 2);
        bare(&narrow::<u8>(&keys));
        bare(&narrow::<u16>(&keys));
        bare(&narrow::<usize>(&keys));
    }
    // The whole range of 64 bits has no range as a number; `sort` takes it all the same.
    let mut keys = scattered(300_000, u64::MAX);
    keys.extend([u64::MAX, 0]);
    let mut expected = keys.clone();
    expected.sort_unstable();
    sort(&mut keys);
    assert_eq!(keys, expected);
}

#[test]
fn more_than_one_bucket_again() {
    // So many in one bucket that it is distributed again, and keys that fill little of it.
    let n = 600_000;
    for range in [1 << 40, 1 << 62] {
        let mut keys = scattered(n, 1 << 30);
        keys.push(range - 1);
        check(&keys, range, None, 2);
        let keys: Vec<u64> = keys.iter().map(|key| key % 3 + range / 2).collect();
        check(&keys, range, None, 1);
        let keys = vec![range - 1; n];
        check(&keys, range, None, 3);
    }
}

#[test]
fn any_bucket_width() {
    for width in [
        0,
        1,
        2,
        3,
        10,
        1000,
        4096,
        65535,
        65536,
        65537,
        1_000_000,
        u64::MAX,
    ] {
        for range in [1, 2, 1000, 100_003, 1 << 20] {
            for (i, keys) in adversarial(20_011, range).into_iter().enumerate() {
                check(&narrow::<u32>(&keys), range, Some(width), 1 + i % 3);
            }
        }
    }
}

#[test]
fn keys_out_of_range_are_named() {
    let sort = CountingSort::new(100);
    for (n, index) in [(1, 0), (5000, 4999), (200_000, 150_001), (200_000, 7)] {
        let mut keys: Vec<u32> = narrow(&scattered(n, 100));
        keys[index] = 100;
        let before = keys.clone();
        let message = format!("key 100 at index {index} is out of range: keys must be below 100");
        on_threads(2, || {
            assert_eq!(sort.sort(&mut keys).unwrap_err().to_string(), message);
            assert_eq!(sort.permutation(&keys).unwrap_err().to_string(), message);
            let error = sort.sort_pairs(&mut keys, &mut vec![0u8; n]).unwrap_err();
            assert_eq!(error.to_string(), message);
        });
        assert_eq!(keys, before);
        assert_eq!(
            reference::counting_sort(&keys, 100)
                .unwrap_err()
                .to_string(),
            message
        );
    }
    // The first of several, whatever thread finds one.
    let mut keys = vec![200u32; 200_000];
    let error = on_threads(3, || sort.sort(&mut keys)).unwrap_err();
    assert!(error.to_string().contains("at index 0 "));
    // A thread that is far behind the others with its chunk finds the one that counts.
    for threads in 1..5 {
        let mut keys = vec![0u32; 200_000];
        for index in [49_000, 50_000, 66_667, 100_000, 133_334, 150_000] {
            keys[index] = 200;
        }
        let error = on_threads(threads, || sort.sort(&mut keys)).unwrap_err();
        assert!(error.to_string().contains("at index 49000 "), "{error}");
    }
    assert!(sort.sort_pairs(&mut [1u32], &mut [0u8; 2]).is_err());
    assert!(sort_pairs(&mut [1u32], &mut [0u8; 0]).is_err());
}

proptest! {
    #[test]
    fn like_the_standard_sort(
        keys in proptest::collection::vec(0u64..5000, 0..3000),
        shift in 0u32..50,
        width in proptest::option::of(1u64..1 << 20),
        threads in 1usize..4,
    ) {
        let keys: Vec<u64> = keys.iter().map(|key| key << shift).collect();
        check(&keys, 5000 << shift, width, threads);
    }
}
