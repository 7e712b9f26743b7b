//! Refinement cut between threads wherever it can be, against comparison.

use crate::on_threads::on_every_thread_count;
use std::cmp::Ordering;
use sunzi_sort::{Direction, Partition, PositionLists};

/// Sets of positions below 6: all subsets, so that lists of every length fall apart; equal ones; and a long list
/// between lists of one or two items, where shares meet.
fn families() -> Vec<Vec<Vec<u32>>> {
    let subset = |bits: u32| (0..6).filter(|&i| bits >> i & 1 == 1).collect::<Vec<u32>>();
    let mut families = vec![
        (0..64).map(|i| subset(i * 37 % 64)).collect(),
        vec![vec![1, 4]; 33],
        vec![Vec::new(); 5],
        (0..40)
            .map(|i| subset(if (7..31).contains(&i) { 5 } else { i }))
            .collect(),
    ];
    families.extend((0..20).map(|count| (0..count).map(|i| subset(i * i % 13)).collect()));
    if cfg!(miri) {
        families.retain(|sets: &Vec<_>| sets.len() < 8);
    }
    families
}

fn compare(sets: &[Vec<u32>], directions: &[Direction], a: u32, b: u32) -> Ordering {
    let position = |item: u32, k: usize| *sets[item as usize].get(k).unwrap_or(&6);
    let step = |(k, direction): (usize, &Direction)| {
        let order = position(a, k).cmp(&position(b, k));
        match direction {
            Direction::Ascending => order,
            Direction::Descending => order.reverse(),
        }
    };
    let mut steps = directions.iter().enumerate().map(step);
    steps.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

#[test]
fn every_cut_on_every_number_of_threads() {
    use Direction::{Ascending, Descending};
    let orders = [
        [Descending; 6],
        [Ascending; 6],
        [
            Descending, Ascending, Descending, Ascending, Descending, Ascending,
        ],
    ];
    on_every_thread_count(|threads| {
        for sets in families() {
            let mut starts = vec![0];
            starts.extend(sets.iter().scan(0, |end, set| {
                *end += set.len();
                Some(*end)
            }));
            let positions = sets.concat();
            let lists = PositionLists::new(&starts, &positions, 6).unwrap();
            for (directions, steps) in orders
                .iter()
                .flat_map(|order| [(order, 1), (order, 2), (order, 6)])
            {
                let directions = &directions[..steps];
                let mut expected: Vec<u32> = (0..sets.len() as u32).collect();
                expected.sort_by(|&a, &b| compare(&sets, directions, a, b));
                let expected = expected.chunk_by(|&a, &b| compare(&sets, directions, a, b).is_eq());
                let expected: Vec<&[u32]> = expected.collect();
                for grain in [1, 2, 3, 8, 31] {
                    let whole = || Partition::whole(sets.len() as u32).with_grain(grain);
                    let mut refined = whole();
                    for (k, &direction) in directions.iter().enumerate() {
                        refined.refine(&lists, k, direction).unwrap();
                    }
                    let case = || {
                        format!(
                            "{threads} threads, {grain} items at a time, {sets:?} by {directions:?}"
                        )
                    };
                    assert!(refined.lists().eq(expected.iter().copied()), "{}", case());
                    assert_eq!(refined.list_count(), expected.len(), "{}", case());
                    // One step, and all others by comparison.
                    let mut settled = whole();
                    settled.refine(&lists, 0, directions[0]).unwrap();
                    settled.settle_by(|a, b| compare(&sets, directions, a, b));
                    assert!(settled.lists().eq(expected.iter().copied()), "{}", case());
                }
            }
        }
    });
}
