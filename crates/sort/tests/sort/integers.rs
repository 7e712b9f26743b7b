//! Orders of big integers and Gray codes against comparison, GMP-free: words and naive lists.

use crate::on_threads::on_threads;
use std::cmp::Ordering;

use proptest::prelude::*;
use sunzi_sort::{
    PositionLists, compare_gray_ranks, compare_sparse_integers, gray_code, gray_rank,
    sort_by_gray_rank, sort_integers, sort_sparse_integers,
};

fn flat(sets: &[Vec<u32>]) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0];
    for set in sets {
        starts.push(starts.last().unwrap() + set.len());
    }
    (starts, sets.concat())
}

/// Limbs, from the least significant one, of positions from the most significant bit.
fn limbs(set: &[u32], bits: u32) -> Vec<u64> {
    let mut limbs = vec![0; bits.div_ceil(64) as usize];
    for position in set {
        let bit = bits - 1 - position;
        limbs[bit as usize / 64] |= 1 << (bit % 64);
    }
    limbs
}

/// The stable order by limbs from the top.
fn order_of(integers: &[Vec<u64>]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..integers.len() as u32).collect();
    let top_down = |item: &u32| {
        let limbs = &integers[*item as usize];
        let len = limbs
            .iter()
            .rposition(|&limb| limb != 0)
            .map_or(0, |top| top + 1);
        (len, limbs[..len].iter().rev().copied().collect::<Vec<_>>())
    };
    order.sort_by_key(top_down);
    order
}

/// The rank as a number: each bit is the parity of the code's bits down to it.
fn rank_limbs(code: &[u64]) -> Vec<u64> {
    let mut parity = 0;
    let mut rank = vec![0; code.len()];
    for bit in (0..64 * code.len()).rev() {
        parity ^= code[bit / 64] >> (bit % 64) & 1;
        rank[bit / 64] |= parity << (bit % 64);
    }
    rank
}

fn check(sets: &[Vec<u32>], bits: u32) {
    let (starts, positions) = flat(sets);
    let lists = PositionLists::new(&starts, &positions, bits).unwrap();
    let integers: Vec<Vec<u64>> = sets.iter().map(|set| limbs(set, bits)).collect();
    let ranks: Vec<Vec<u64>> = integers.iter().map(|code| rank_limbs(code)).collect();
    let (order, gray) = (order_of(&integers), order_of(&ranks));
    for threads in [1, 2, 3] {
        on_threads(threads, || {
            assert_eq!(sort_sparse_integers(&lists), order);
            assert_eq!(sort_integers(&integers).unwrap(), order);
            assert_eq!(sort_by_gray_rank(&lists), gray);
        });
    }
}

/// Strictly ascending numbers below `bits`, `ones` of them drawn.
fn sets(n: usize, bits: u64, ones: usize, seed: u64) -> Vec<Vec<u32>> {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    let mut next = move || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (((state >> 33) * bits) >> 31) as u32
    };
    (0..n)
        .map(|_| {
            let mut set: Vec<u32> = (0..ones).map(|_| next()).collect();
            set.sort_unstable();
            set.dedup();
            set
        })
        .collect()
}

#[test]
fn many_shapes() {
    for (n, bits, ones) in [
        (0, 1, 0),
        (1, 1, 1),
        (2, 1, 1),
        (40, 1, 1),
        (500, 3, 2),
        (500, 64, 3),
        (500, 65, 30),
        (3000, 1000, 10),
        (3000, 129, 100),
        (20_000, 5000, 6),
    ] {
        check(&sets(n, bits, ones, 7), bits as u32);
    }
}

#[test]
fn equal_and_nearly_equal_ones() {
    let one = sets(1, 300, 40, 1).remove(0);
    // All equal; all equal but for the last position; prefixes of one another; zeros between.
    check(&vec![one.clone(); 1000], 300);
    let mut last = vec![one.clone(); 1000];
    for (i, set) in last.iter_mut().enumerate() {
        set.pop();
        set.push(*set.last().unwrap() + 1 + (i as u32 * 7) % 3);
    }
    check(&last, 310);
    let prefixes: Vec<Vec<u32>> = (0..1000)
        .map(|i| one[..i * 13 % (one.len() + 1)].to_vec())
        .collect();
    check(&prefixes, 300);
    check(&vec![Vec::new(); 100], 10);
}

#[test]
fn limbs_of_any_length() {
    let integers = [
        vec![0, 0, 0],
        vec![],
        vec![1],
        vec![1, 0],
        vec![0, 1],
        vec![u64::MAX],
        vec![0, 1, 0],
        vec![1 << 32],
        vec![u64::from(u32::MAX)],
        vec![1 << 32 | 1, 5],
        vec![1 << 32, 5],
    ];
    let many: Vec<Vec<u64>> = integers.iter().cycle().take(1000).cloned().collect();
    assert_eq!(sort_integers(&many).unwrap(), order_of(&many));
    let none: [&[u64]; 0] = [];
    assert_eq!(sort_integers(&none).unwrap(), [0u32; 0]);
}

/// G^q by its definition.
fn naive_gray(q: u32) -> Vec<u64> {
    if q == 0 {
        return vec![0];
    }
    let shorter = naive_gray(q - 1);
    let reflected = shorter.iter().rev().map(|code| code | 1 << (q - 1));
    shorter.iter().copied().chain(reflected).collect()
}

#[test]
fn gray_codes_by_definition() {
    let q = 11;
    let codes = naive_gray(q);
    for (rank, &code) in codes.iter().enumerate() {
        assert_eq!(
            (gray_rank(code), gray_code(rank as u64)),
            (rank as u64, code)
        );
    }
    let positions = |code: u64| {
        (0..q)
            .filter(|i| code >> (q - 1 - i) & 1 == 1)
            .collect::<Vec<_>>()
    };
    // All codes in the order of their values come to the order of their ranks.
    let sets: Vec<Vec<u32>> = (0..1 << q).map(positions).collect();
    let (starts, flat_positions) = flat(&sets);
    let lists = PositionLists::new(&starts, &flat_positions, q).unwrap();
    let order: Vec<u64> = sort_by_gray_rank(&lists)
        .into_iter()
        .map(u64::from)
        .collect();
    assert_eq!(order, codes);
    for a in (0..1u64 << q).step_by(17) {
        for b in (0..1u64 << q).step_by(23) {
            let sets = (positions(a), positions(b));
            assert_eq!(
                compare_gray_ranks(&sets.0, &sets.1),
                gray_rank(a).cmp(&gray_rank(b))
            );
            assert_eq!(compare_sparse_integers(&sets.0, &sets.1), a.cmp(&b));
        }
    }
    for code in [0, 1, u64::MAX, 1 << 63, 0x5555_5555_5555_5555] {
        assert_eq!(gray_code(gray_rank(code)), code);
    }
    assert_eq!(compare_gray_ranks(&[], &[]), Ordering::Equal);
}

proptest! {
    #[test]
    fn like_comparison(
        sets in proptest::collection::vec(
            proptest::collection::btree_set(0u32..200, 0..20).prop_map(|set| set.into_iter().collect()),
            0..300,
        ),
    ) {
        check(&sets, 200);
    }
}
