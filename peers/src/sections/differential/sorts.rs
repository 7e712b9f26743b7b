//! Sorts of keys, of keys with values, of long and of sparse integers, and of Gray codes, against the standard
//! library's.

use rug::Integer;
use rug::integer::Order;
use sunzi_order::{
    CountingSort, Key, PositionLists, classical_counting_sort, classical_counting_sort_pairs,
    gray_code, gray_rank, sort, sort_by_gray_rank, sort_by_key, sort_integers, sort_pairs,
    sort_sparse_integers, sorting_permutation,
};

use super::operation::Operation;
use super::trial::Trial;

const STANDARD: &str = "the standard library's sort";

pub fn operations() -> Vec<Operation> {
    vec![
        Operation::new("sort-keys-u32", STANDARD, keys::<u32>),
        Operation::new("sort-keys-u64", STANDARD, keys::<u64>),
        Operation::new("sort-keys-u8-u16", STANDARD, |trial| {
            keys::<u8>(trial);
            keys::<u16>(trial);
        }),
        Operation::new("sort-pairs", STANDARD, pairs),
        Operation::new("sort-by-key", STANDARD, by_key),
        Operation::new("sort-permutation", STANDARD, permutation),
        Operation::new("sort-below-range", STANDARD, below_range),
        Operation::new("sort-integers", STANDARD, integers),
        Operation::new("sort-sparse-integers", STANDARD, sparse),
        Operation::new("sort-gray", STANDARD, gray),
        Operation::new("gray-codes", "the definition", codes),
    ]
}

/// Keys of a kind below a range that is narrow, or as wide as words.
fn words(trial: &mut Trial) -> (Vec<u64>, u64) {
    let rare = if trial.below(16) == 0 {
        1 << 19
    } else {
        1 << 13
    };
    let (count, bits) = (trial.length(1000, rare), 1 + trial.below(64) as u32);
    let range = match trial.below(3) {
        0 => count as u64,
        1 => u64::MAX >> (64 - bits),
        _ => trial.random.word() >> (64 - bits),
    };
    let range = range.max(1);
    let (kind, piece) = (trial.operand_kind(), trial.piece());
    (kind.residues(count, range, piece, &mut trial.random), range)
}

fn keys<K: Key + std::fmt::Debug>(trial: &mut Trial) {
    let (words, _) = words(trial);
    let mut ours: Vec<K> = words.iter().map(|&word| K::from_word(word)).collect();
    let mut theirs = ours.clone();
    theirs.sort_unstable();
    sort(&mut ours);
    trial.compare(&format!("{} keys", theirs.len()), &ours, &theirs);
}

/// Stable: the values of equal keys stay in their order.
fn pairs(trial: &mut Trial) {
    let (mut keys, _) = words(trial);
    let mut values: Vec<u32> = (0..keys.len() as u32).collect();
    let mut theirs: Vec<(u64, u32)> = keys.iter().copied().zip(values.iter().copied()).collect();
    theirs.sort_by_key(|&(key, _)| key);
    if let Err(error) = sort_pairs(&mut keys, &mut values) {
        return trial.fail(error.to_string());
    }
    let ours: Vec<(u64, u32)> = keys.into_iter().zip(values).collect();
    trial.compare("keys and values", &ours, &theirs);
}

fn by_key(trial: &mut Trial) {
    let (words, _) = words(trial);
    let mut ours: Vec<(u64, usize)> = words.into_iter().zip(0..).collect();
    let mut theirs = ours.clone();
    theirs.sort_by_key(|&(key, _)| key as u16);
    sort_by_key(&mut ours, |&(key, _)| key as u16);
    trial.compare("records", &ours, &theirs);
}

fn permutation(trial: &mut Trial) {
    let (keys, _) = words(trial);
    let mut theirs: Vec<u32> = (0..keys.len() as u32).collect();
    theirs.sort_by_key(|&place| keys[place as usize]);
    match sorting_permutation(&keys) {
        Ok(ours) => trial.compare("permutation", &ours, &theirs),
        Err(error) => trial.fail(error.to_string()),
    }
}

/// Sorts that know the range, with buckets of any width; classical ones where the range is short.
fn below_range(trial: &mut Trial) {
    let (mut keys, range) = words(trial);
    let mut theirs = keys.clone();
    theirs.sort_unstable();
    let mut values: Vec<u32> = (0..keys.len() as u32).collect();
    let mut places = values.clone();
    places.sort_by_key(|&place| keys[place as usize]);
    let mut plan = CountingSort::new(range);
    if trial.below(2) == 0 {
        plan = plan.bucket_width(1 << trial.below(64));
    }
    let mut sorts = || -> Result<(), sunzi_order::OrderError> {
        if range <= 1 << 16 {
            trial.compare(
                "classical",
                &classical_counting_sort(&keys, range)?,
                &theirs,
            );
            let (_, ours) = classical_counting_sort_pairs(&keys, &values, range)?;
            trial.compare("classical values", &ours, &places);
        }
        trial.compare("permutation", &plan.permutation(&keys)?, &places);
        let mut alone = keys.clone();
        plan.sort(&mut alone)?;
        trial.compare("keys", &alone, &theirs);
        plan.sort_pairs(&mut keys, &mut values)?;
        trial.compare("keys with values", &keys, &theirs);
        trial.compare("values", &values, &places);
        Ok(())
    };
    if let Err(error) = sorts() {
        trial.fail(error.to_string());
    }
}

/// Compares orders of items with that of a stable sort.
fn compare_orders(trial: &mut Trial, ours: &[u32], keys: &[Integer]) {
    let mut theirs: Vec<u32> = (0..keys.len() as u32).collect();
    theirs.sort_by_key(|&item| &keys[item as usize]);
    trial.compare("order", ours, &theirs);
}

fn integers(trial: &mut Trial) {
    let (count, most) = (trial.length(200, 4000), trial.length(4, 16));
    // Many have a beginning in common.
    let mut all: Vec<Vec<u64>> = Vec::with_capacity(count);
    for _ in 0..count {
        let mut limbs = match all.last() {
            Some(last) if trial.below(2) == 0 => last.clone(),
            _ => {
                let limbs = 1 + trial.below(most);
                trial.limbs(limbs)
            }
        };
        if !limbs.is_empty() && trial.below(2) == 0 {
            let at = trial.below(limbs.len());
            limbs[at] = limbs[at].wrapping_add(trial.random.below(3));
        }
        all.push(limbs);
    }
    let values: Vec<Integer> = all
        .iter()
        .map(|x| Integer::from_digits(x, Order::Lsf))
        .collect();
    match sort_integers(&all) {
        Ok(ours) => compare_orders(trial, &ours, &values),
        Err(error) => trial.fail(error.to_string()),
    }
}

/// Ascending positions of the ones of many integers of so many bits.
fn positions(trial: &mut Trial) -> (Vec<usize>, Vec<u32>, u32) {
    let (count, bits) = (trial.length(200, 2000), trial.length(100, 2000));
    let ones = trial.length(8, 40);
    let (mut starts, mut positions) = (vec![0], Vec::<u32>::new());
    for _ in 0..count {
        let last = starts[starts.len() - 1];
        let mut own: Vec<u32> = match starts.len().checked_sub(2) {
            Some(before) if trial.below(2) == 0 => positions[starts[before]..last].to_vec(),
            _ => (0..trial.below(ones + 1))
                .map(|_| trial.below(bits) as u32)
                .collect(),
        };
        if trial.below(2) == 0 {
            own.push(trial.below(bits) as u32);
        }
        own.sort_unstable();
        own.dedup();
        positions.extend(own);
        starts.push(positions.len());
    }
    (starts, positions, bits as u32)
}

/// The integer whose bit at position 0 is the highest.
fn integer(positions: &[u32], bits: u32) -> Integer {
    let mut value = Integer::new();
    for &position in positions {
        value.set_bit(bits - 1 - position, true);
    }
    value
}

fn sparse(trial: &mut Trial) {
    sparse_by(trial, sort_sparse_integers, |value, _| value);
}

/// The rank of a Gray code: each bit is the parity of the code's bits from the highest down to it.
fn gray(trial: &mut Trial) {
    sparse_by(trial, sort_by_gray_rank, |code, bits| {
        let (mut rank, mut shift) = (code, 1);
        while shift < bits {
            rank ^= Integer::from(&rank >> shift);
            shift *= 2;
        }
        rank
    });
}

fn sparse_by(
    trial: &mut Trial,
    order: fn(&PositionLists<'_>) -> Vec<u32>,
    key: fn(Integer, u32) -> Integer,
) {
    let (starts, positions, bits) = positions(trial);
    let lists = match PositionLists::new(&starts, &positions, bits) {
        Ok(lists) => lists,
        Err(error) => return trial.fail(error.to_string()),
    };
    let ours = order(&lists);
    let keys: Vec<Integer> = (0..lists.len() as u32)
        .map(|item| key(integer(lists.get(item), bits), bits))
        .collect();
    compare_orders(trial, &ours, &keys);
}

/// Codes of neighbours differ in one bit, and ranks come back.
fn codes(trial: &mut Trial) {
    for rank in trial.limbs(64) {
        trial.compare_one("rank of a code", gray_rank(gray_code(rank)), rank);
        let step = gray_code(rank) ^ gray_code(rank.wrapping_add(1));
        trial.compare_one("bits that change", step.count_ones(), 1);
        trial.compare_one("code", gray_code(rank), rank ^ rank >> 1);
    }
}
