//! Counting sorts cut wherever it can be done, on several threads, against the standard stable sort.

use crate::on_threads::on_every_thread_count;
use sunzi_sort::internals::{Cuts, permutation, planned, sort_keys, sort_pairs_planned};
use sunzi_sort::{Finish, SortPlan};

/// Everything is cut as soon as it can be: threads share two items, blocks are lines, buckets are for one record.
const FINEST: Cuts = Cuts {
    shared: 2,
    checked: 1,
    // Miri knows no fence for what is written past the caches.
    streamed: if cfg!(miri) { usize::MAX } else { 0 },
    block_lines: 1,
    bucket: 1,
    buckets_log: 12,
    few: 0,
    many: 1 << 18,
    digit_bits: 2,
    counted: 4,
};

/// Each way to finish a bucket: by digits, by distributing again, by one count, by comparison.
const CUTS: [Cuts; 5] = [
    FINEST,
    Cuts {
        many: 2,
        bucket: 2,
        buckets_log: 1,
        ..FINEST
    },
    Cuts {
        buckets_log: 0,
        ..FINEST
    },
    Cuts {
        buckets_log: 2,
        counted: 1 << 17,
        block_lines: 2,
        ..FINEST
    },
    Cuts {
        few: 5,
        buckets_log: 1,
        ..FINEST
    },
];

/// Keys from 0 to `last`: all equal at either end; runs that end where buckets of any power of two do; descending;
/// spread; all but one at one place.
fn families(n: usize, last: u64) -> Vec<Vec<u64>> {
    let spread = |i: usize| (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 1;
    let below = |key: u64| match last {
        u64::MAX => key,
        _ => key % (last + 1),
    };
    let mut families: Vec<Vec<u64>> = vec![
        vec![0; n],
        vec![last; n],
        (0..n).map(|i| below(spread(i))).collect(),
        (0..n).rev().map(|i| below(i as u64)).collect(),
        (0..n)
            .map(|i| below((1u64 << (i % 64)).wrapping_sub(i as u64 & 1)))
            .collect(),
        (0..n).map(|i| if i == n / 2 { 0 } else { last }).collect(),
        (0..n)
            .map(|i| {
                if i + 1 == n {
                    last
                } else {
                    below(spread(i % 3))
                }
            })
            .collect(),
    ];
    if n == 0 {
        families.truncate(1);
    }
    families
}

fn plan(n: usize, last: u64, width: Option<u64>, finish: Finish, cuts: Cuts) -> SortPlan {
    let usual = 1 << cuts.shift(n, last);
    let width = match finish {
        // Few values to a bucket, in reach of remainders of 16 bits.
        Finish::Rewrite => width.unwrap_or(4),
        Finish::Place => width.map_or(usual, |width| width.max((last >> 12) + 1)),
    };
    planned(n, last, width, finish, cuts)
}

fn check(keys: &[u64], last: u64, width: Option<u64>, cuts: Cuts, threads: usize) {
    let n = keys.len();
    let mut expected: Vec<u32> = (0..n as u32).collect();
    expected.sort_by_key(|&i| keys[i as usize]);
    let sorted: Vec<u64> = expected.iter().map(|&i| keys[i as usize]).collect();
    let case = || format!("{threads} threads, width {width:?}, {cuts:?}: {keys:?}");
    // The least key is a base, wherever it is.
    let low = [0, u64::MAX - last][n % 2];
    let moved: Vec<u64> = keys.iter().map(|key| key + low).collect();
    let sorted: Vec<u64> = sorted.iter().map(|key| key + low).collect();
    let place = plan(n, last, width, Finish::Place, cuts);
    assert_eq!(
        permutation(&moved, low, &place, None).unwrap(),
        expected,
        "{}",
        case()
    );
    let (mut pairs, mut values) = (moved.clone(), (0..n as u64).collect::<Vec<_>>());
    sort_pairs_planned(&mut pairs, &mut values, low, &place, None).unwrap();
    assert_eq!(pairs, sorted, "{}", case());
    assert!(
        values
            .iter()
            .zip(&expected)
            .all(|(&a, &b)| a == u64::from(b)),
        "{}",
        case()
    );
    // Values that fill no line evenly.
    let (mut pairs, mut values) = (
        moved.clone(),
        (0..n as u8).map(|i| [i, 0, i]).collect::<Vec<_>>(),
    );
    sort_pairs_planned(&mut pairs, &mut values, low, &place, None).unwrap();
    assert!(
        values
            .iter()
            .zip(&expected)
            .all(|(a, &b)| u32::from(a[0]) == b),
        "{}",
        case()
    );
    let mut bare = moved.clone();
    sort_keys(&mut bare, low, &place, None).unwrap();
    assert_eq!(bare, sorted, "{}", case());
    if last < 1 << 12 {
        let mut bare = moved;
        let rewrite = plan(n, last, width, Finish::Rewrite, cuts);
        sort_keys(&mut bare, low, &rewrite, None).unwrap();
        assert_eq!(bare, sorted, "rewritten, {}", case());
    }
}

#[test]
fn every_cut_on_every_number_of_threads() {
    let lengths: &[usize] = match cfg!(miri) {
        true => &[0, 1, 9],
        false => &[
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 17, 31, 32, 33, 49, 64,
        ],
    };
    let bounds: &[u64] = match cfg!(miri) {
        // Wide keys make buckets by the thousand, which are too many for Miri.
        true => &[5, 64],
        false => &[0, 1, 5, 64, 1000, 1 << 40, u64::MAX],
    };
    on_every_thread_count(|threads| {
        for &n in lengths {
            for &last in bounds {
                for (i, keys) in families(n, last).iter().enumerate() {
                    let cuts = CUTS[(n + i) % CUTS.len()];
                    if !cfg!(miri) {
                        check(keys, last, None, cuts, threads);
                    }
                    let width = [1, 2, 3, 5, 64][(n + threads) % 5];
                    check(keys, last, Some(width), FINEST, threads);
                }
            }
        }
    });
}

#[test]
fn the_first_key_out_of_range_is_named_wherever_chunks_are_cut() {
    let longest = if cfg!(miri) { 6 } else { 40 };
    on_every_thread_count(|_| {
        for n in 1..longest {
            for wrong in 0..n {
                let mut keys = vec![3u64; n];
                keys[wrong..].fill(9);
                let plan = plan(n, 8, Some(3), Finish::Rewrite, FINEST);
                let error = sort_keys(&mut keys, 0, &plan, Some(9)).unwrap_err();
                let named = format!("key 9 at index {wrong} ");
                assert!(error.to_string().starts_with(&named), "{error}");
            }
        }
    });
}
