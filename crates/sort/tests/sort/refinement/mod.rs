//! The refinement against sorting whole lists by comparison.

mod cuts;

use crate::on_threads::on_threads;
use std::cmp::Ordering;

use proptest::prelude::*;
use sunzi_sort::{Direction, Partition, PositionLists};

/// Flat lists of the sets given.
fn flat(sets: &[Vec<u32>]) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0];
    for set in sets {
        starts.push(starts.last().unwrap() + set.len());
    }
    (starts, sets.concat())
}

/// Items with equal first positions in one list, lists in the order of positions: the definition.
fn expected(sets: &[Vec<u32>], bits: u32, directions: &[Direction]) -> Vec<Vec<u32>> {
    let position = |item: u32, k: usize| *sets[item as usize].get(k).unwrap_or(&bits);
    let compare = |a: u32, b: u32| {
        (0..directions.len())
            .map(|k| {
                let order = position(a, k).cmp(&position(b, k));
                match directions[k] {
                    Direction::Ascending => order,
                    Direction::Descending => order.reverse(),
                }
            })
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    };
    let mut items: Vec<u32> = (0..sets.len() as u32).collect();
    items.sort_by(|&a, &b| compare(a, b));
    items
        .chunk_by(|&a, &b| compare(a, b).is_eq())
        .map(<[u32]>::to_vec)
        .collect()
}

fn check(sets: &[Vec<u32>], bits: u32, directions: &[Direction], threads: usize) {
    let (starts, positions) = flat(sets);
    let lists = PositionLists::new(&starts, &positions, bits).unwrap();
    on_threads(threads, || {
        let mut partition = Partition::whole(sets.len() as u32);
        for (k, &direction) in directions.iter().enumerate() {
            partition.refine(&lists, k, direction).unwrap();
        }
        let want = expected(sets, bits, directions);
        assert_eq!(partition.list_count(), want.len());
        assert!(partition.lists().eq(want));
    });
}

use Direction::{Ascending, Descending};

proptest! {
    #[test]
    fn like_comparison(
        sets in proptest::collection::vec(
            proptest::collection::btree_set(0u32..40, 0..6).prop_map(|set| set.into_iter().collect()),
            0..700,
        ),
        directions in proptest::collection::vec(prop_oneof![Just(Ascending), Just(Descending)], 0..8),
        threads in 1usize..4,
    ) {
        check(&sets, 40, &directions, threads);
    }
}

#[test]
fn long_lists_and_wide_positions() {
    // A list long enough for digits and for several threads; positions up to the last bit but one of 2^32.
    let bits = u32::MAX;
    let mut state = 1u64;
    let mut next = |below: u64| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((state >> 33) * below) >> 31
    };
    for spread in [1u64, 2, 3, 2047, 2048, 2049, 1 << 22, u64::from(u32::MAX)] {
        let sets: Vec<Vec<u32>> = (0..50_000)
            .map(|_| {
                let mut set: Vec<u32> = (0..next(4)).map(|_| next(spread) as u32).collect();
                set.sort_unstable();
                set.dedup();
                set
            })
            .collect();
        for threads in [1, 2, 3] {
            check(&sets, bits, &[Descending, Descending, Descending], threads);
            check(&sets, bits, &[Ascending, Descending, Ascending], threads);
        }
    }
}

#[test]
fn what_is_wrong_is_named() {
    let error = |starts: &[usize], positions: &[u32]| {
        PositionLists::new(starts, positions, 8)
            .unwrap_err()
            .to_string()
    };
    assert!(error(&[], &[]).contains("no starts"));
    assert!(error(&[1, 1], &[1]).contains("starts at 1"));
    assert!(error(&[0, 2, 1], &[1]).contains("list 1"));
    assert!(error(&[0, 2, 1, 3], &[1, 2, 3]).contains("list 1"));
    assert!(error(&[0, 9], &[1]).contains("9"));
    assert!(error(&[0, 0, 2], &[3, 3]).contains("list 1"));
    assert!(error(&[0, 1], &[8]).contains("position 8"));
    let lists = PositionLists::new(&[0, 0], &[], 8).unwrap();
    assert!(Partition::whole(2).refine(&lists, 0, Ascending).is_err());
}
