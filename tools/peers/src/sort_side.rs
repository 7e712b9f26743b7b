//! Sunzi's side of the sorts.

use sunzi_sort::{CountingSort, PositionLists, reference, sort_integers, sort_sparse_integers};

use crate::contender::{Contender, contender};

/// What stands for a long result: its length and a sum in which every place has another weight.
pub fn fingerprint(words: impl Iterator<Item = u64>) -> Vec<u64> {
    let (count, sum) = words.fold((0u64, 0u64), |(count, sum), word| {
        let sum = sum.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(word);
        (count + 1, sum)
    });
    vec![count, sum]
}

/// What stands for sorted pairs: the keys in order, and a sum of what belongs to each, which is the same for
/// sorts that aren't stable.
pub fn pairs_fingerprint(pairs: impl Iterator<Item = (u32, u32)> + Clone) -> Vec<u64> {
    let mut words = fingerprint(pairs.clone().map(|(key, _)| u64::from(key)));
    words.push(pairs.fold(0, |sum, (key, value)| {
        let weight = (u64::from(key) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        sum.wrapping_add((weight ^ weight >> 29).wrapping_mul(u64::from(value)))
    }));
    words
}

/// Pairs of keys and values that lie in slices of their own.
fn zipped<'a>(keys: &'a [u32], values: &'a [u32]) -> impl Iterator<Item = (u32, u32)> + Clone + 'a {
    keys.iter().copied().zip(values.iter().copied())
}

/// A sorted copy of keys below `range`.
pub fn keys(keys: &[u32], range: u64) -> Box<dyn Contender> {
    let sort = CountingSort::new(range);
    contender(
        (keys.to_vec(), keys.to_vec()),
        move |(keys, sorted)| {
            sorted.copy_from_slice(keys);
            sort.sort(sorted).expect("keys lie below the range");
        },
        |(_, sorted)| fingerprint(sorted.iter().map(|&key| u64::from(key))),
    )
}

/// The same by the classical counting sort.
pub fn classical_keys(keys: &[u32], range: u64) -> Box<dyn Contender> {
    contender(
        (keys.to_vec(), Vec::new()),
        move |(keys, sorted)| {
            *sorted = reference::counting_sort(keys, range).expect("keys lie below the range");
        },
        |(_, sorted)| fingerprint(sorted.iter().map(|&key| u64::from(key))),
    )
}

/// Sorted copies of keys below `range` and of their values.
pub fn pairs(keys: &[u32], values: &[u32], range: u64) -> Box<dyn Contender> {
    let sort = CountingSort::new(range);
    let input = (keys.to_vec(), values.to_vec());
    contender(
        (input.clone(), input),
        move |(input, sorted)| {
            sorted.0.copy_from_slice(&input.0);
            sorted.1.copy_from_slice(&input.1);
            sort.sort_pairs(&mut sorted.0, &mut sorted.1)
                .expect("keys lie below the range");
        },
        |(_, sorted)| pairs_fingerprint(zipped(&sorted.0, &sorted.1)),
    )
}

/// The same by the classical counting sort.
pub fn classical_pairs(keys: &[u32], values: &[u32], range: u64) -> Box<dyn Contender> {
    contender(
        (keys.to_vec(), values.to_vec(), (Vec::new(), Vec::new())),
        move |(keys, values, sorted)| {
            *sorted = reference::counting_sort_pairs(keys, values, range)
                .expect("keys lie below the range");
        },
        |(_, _, sorted)| pairs_fingerprint(zipped(&sorted.0, &sorted.1)),
    )
}

/// The order of integers given by the positions of their ones, the most significant bit being 0.
pub fn sparse(starts: &[usize], positions: &[u32], bits: u32) -> Box<dyn Contender> {
    contender(
        (starts.to_vec(), positions.to_vec(), Vec::new()),
        move |(starts, positions, order)| {
            let lists = PositionLists::new(starts, positions, bits).expect("lists ascend");
            *order = sort_sparse_integers(&lists);
        },
        |(_, _, order)| order.iter().map(|&item| u64::from(item)).collect(),
    )
}

/// The order of integers given by limbs.
pub fn dense(integers: Vec<Vec<u64>>) -> Box<dyn Contender> {
    contender(
        (integers, Vec::new()),
        |(integers, order)| *order = sort_integers(integers).expect("few enough, and short enough"),
        |(_, order)| order.iter().map(|&item| u64::from(item)).collect(),
    )
}
