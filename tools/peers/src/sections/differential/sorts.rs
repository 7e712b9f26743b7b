//! Sorts of keys, of keys with values, of long and of sparse integers, and of Gray codes, against the standard
//! library's.

use std::cmp::Ordering;

use rug::Integer;
use rug::integer::Order;
use sunzi_sort::{
    CountingSort, Direction, Key, Partition, PositionLists, compare_gray_ranks,
    compare_sparse_integers, gray_code, gray_rank, reference, sort, sort_by_gray_rank, sort_by_key,
    sort_integers, sort_pairs, sort_sparse_integers, sorting_permutation,
};

use super::operation::Operation;
use super::trial::Trial;

const STANDARD: &str = "the standard library's sort";

pub fn operations() -> Vec<Operation> {
    let mut operations = Vec::new();
    // Threads share 2^16 keys.
    for (end, words) in [("", words as Words), ("-long", long_words)] {
        let operation = |name: &str, case: fn(&mut Trial, Words)| {
            let name = format!("sort-{name}{end}");
            Operation::new(name, STANDARD, move |trial| case(trial, words))
        };
        operations.extend([
            operation("keys-u32", keys::<u32>),
            operation("keys-u64", keys::<u64>),
            operation("keys-u8-u16", |trial, words| {
                keys::<u8>(trial, words);
                keys::<u16>(trial, words);
            }),
            operation("pairs", pairs),
            operation("by-key", by_key),
            operation("permutation", permutation),
            operation("below-range", below_range),
        ]);
    }
    // And 2^14 items of other orders.
    for (end, count) in [("", short_count as Count), ("-long", long_count)] {
        let operation = |name: &str, case: fn(&mut Trial, usize)| {
            let name = format!("{name}{end}");
            Operation::new(name, STANDARD, move |trial| {
                let count = count(trial);
                case(trial, count);
            })
        };
        operations.extend([
            operation("sort-integers", integers),
            operation("sort-sparse-integers", sparse),
            operation("sort-gray", gray),
            operation("partition", partition),
        ]);
    }
    operations.extend([
        Operation::alone("compare-sparse", "GMP", comparisons),
        Operation::alone("gray-codes", "the definition", codes),
    ]);
    operations
}

/// Keys and what they are below.
type Words = fn(&mut Trial) -> (Vec<u64>, u64);

/// How many items.
type Count = fn(&mut Trial) -> usize;

fn short_count(trial: &mut Trial) -> usize {
    trial.length(200, 4000)
}

fn long_count(trial: &mut Trial) -> usize {
    trial.beside(&[1 << 14])
}

/// Keys of a kind below a range that is narrow, or as wide as words.
fn words(trial: &mut Trial) -> (Vec<u64>, u64) {
    let rare = if trial.below(16) == 0 {
        1 << 19
    } else {
        1 << 13
    };
    let count = trial.length(1000, rare);
    words_of(trial, count)
}

fn long_words(trial: &mut Trial) -> (Vec<u64>, u64) {
    let count = trial.beside(&[1 << 16, 1 << 17]);
    words_of(trial, count)
}

fn words_of(trial: &mut Trial, count: usize) -> (Vec<u64>, u64) {
    let bits = 1 + trial.below(64) as u32;
    let range = match trial.below(3) {
        0 => count as u64,
        1 => u64::MAX >> (64 - bits),
        _ => trial.random.word() >> (64 - bits),
    };
    let range = range.max(1);
    let (kind, piece) = (trial.operand_kind(), trial.piece());
    (kind.residues(count, range, piece, &mut trial.random), range)
}

fn keys<K: Key + std::fmt::Debug>(trial: &mut Trial, words: Words) {
    let (words, _) = words(trial);
    let mut ours: Vec<K> = words.iter().map(|&word| K::from_word(word)).collect();
    let mut theirs = ours.clone();
    theirs.sort_unstable();
    sort(&mut ours);
    trial.compare(&format!("{} keys", theirs.len()), &ours, &theirs);
}

/// Stable: the values of equal keys stay in their order.
fn pairs(trial: &mut Trial, words: Words) {
    let (mut keys, _) = words(trial);
    let mut values: Vec<u32> = (0..keys.len() as u32).collect();
    let mut theirs: Vec<(u64, u32)> = keys.iter().copied().zip(values.iter().copied()).collect();
    theirs.sort_by_key(|&(key, _)| key);
    let done = sort_pairs(&mut keys, &mut values);
    if trial.expect("pairs", done).is_none() {
        return;
    }
    let ours: Vec<(u64, u32)> = keys.into_iter().zip(values).collect();
    trial.compare("keys and values", &ours, &theirs);
}

fn by_key(trial: &mut Trial, words: Words) {
    let (words, _) = words(trial);
    let mut ours: Vec<(u64, usize)> = words.into_iter().zip(0..).collect();
    let mut theirs = ours.clone();
    theirs.sort_by_key(|&(key, _)| key as u16);
    sort_by_key(&mut ours, |&(key, _)| key as u16);
    trial.compare("records", &ours, &theirs);
}

fn permutation(trial: &mut Trial, words: Words) {
    let (keys, _) = words(trial);
    let mut theirs: Vec<u32> = (0..keys.len() as u32).collect();
    theirs.sort_by_key(|&place| keys[place as usize]);
    if let Some(ours) = trial.expect("permutation", sorting_permutation(&keys)) {
        trial.compare("permutation", &ours, &theirs);
    }
}

/// Sorts that know the range, with buckets of any width; classical ones where the range is short.
fn below_range(trial: &mut Trial, words: Words) {
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
    let mut sorts = || -> Result<(), sunzi_sort::SortError> {
        if range <= 1 << 16 {
            trial.compare(
                "classical",
                &reference::counting_sort(&keys, range)?,
                &theirs,
            );
            let (_, ours) = reference::counting_sort_pairs(&keys, &values, range)?;
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

fn integers(trial: &mut Trial, count: usize) {
    let most = trial.length(4, 16);
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
    if let Some(ours) = trial.expect("order", sort_integers(&all)) {
        compare_orders(trial, &ours, &values);
    }
}

/// Ascending positions of the ones of many integers of this many bits.
fn positions(trial: &mut Trial, count: usize) -> (Vec<usize>, Vec<u32>, u32) {
    let bits = trial.length(100, if count < 1000 { 2000 } else { 200 });
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

fn sparse(trial: &mut Trial, count: usize) {
    sparse_by(trial, count, sort_sparse_integers, |value, _| value);
}

/// The rank of a Gray code: each bit is the parity of the code's bits from the highest down to it.
fn rank(code: Integer, bits: u32) -> Integer {
    let (mut rank, mut shift) = (code, 1);
    while shift < bits {
        rank ^= Integer::from(&rank >> shift);
        shift *= 2;
    }
    rank
}

fn gray(trial: &mut Trial, count: usize) {
    sparse_by(trial, count, sort_by_gray_rank, rank);
}

fn sparse_by(
    trial: &mut Trial,
    count: usize,
    order: fn(&PositionLists<'_>) -> Vec<u32>,
    key: fn(Integer, u32) -> Integer,
) {
    let (starts, positions, bits) = positions(trial, count);
    let lists = PositionLists::new(&starts, &positions, bits);
    let Some(lists) = trial.expect("lists", lists) else {
        return;
    };
    let ours = order(&lists);
    let keys: Vec<Integer> = (0..lists.len() as u32)
        .map(|item| key(integer(lists.get(item), bits), bits))
        .collect();
    compare_orders(trial, &ours, &keys);
}

/// Lists of items whose first positions agree, in the order of these positions, each in its direction.
fn partition(trial: &mut Trial, count: usize) {
    let (starts, positions, bits) = positions(trial, count);
    let lists = PositionLists::new(&starts, &positions, bits);
    let Some(lists) = trial.expect("lists", lists) else {
        return;
    };
    let count = trial.below(6);
    let directions: Vec<Direction> = (0..count)
        .map(|_| *trial.pick(&[Direction::Ascending, Direction::Descending]))
        .collect();
    let mut ours = Partition::whole(lists.len() as u32);
    for (k, &direction) in directions.iter().enumerate() {
        let done = ours.refine(&lists, k, direction);
        if trial.expect("refinement", done).is_none() {
            return;
        }
    }
    let position = |item: u32, k: usize| lists.get(item).get(k).copied().unwrap_or(bits);
    let compare = |&a: &u32, &b: &u32| {
        let orders = directions.iter().enumerate().map(|(k, direction)| {
            let order = position(a, k).cmp(&position(b, k));
            match direction {
                Direction::Ascending => order,
                Direction::Descending => order.reverse(),
            }
        });
        orders.fold(Ordering::Equal, Ordering::then)
    };
    let mut items: Vec<u32> = (0..lists.len() as u32).collect();
    items.sort_by(compare);
    trial.compare("order", ours.order(), &items);
    let lengths: Vec<usize> = ours.lists().map(<[u32]>::len).collect();
    let theirs = items.chunk_by(|a, b| compare(a, b).is_eq());
    trial.compare(
        "lengths of lists",
        &lengths,
        &theirs.map(<[u32]>::len).collect::<Vec<_>>(),
    );
}

/// Two integers by the places of their ones.
fn comparisons(trial: &mut Trial) {
    let (starts, positions, bits) = positions(trial, 9);
    let lists: Vec<&[u32]> = starts
        .windows(2)
        .map(|ends| &positions[ends[0]..ends[1]])
        .collect();
    for pair in lists.windows(2) {
        let [a, b] = [pair[0], pair[1]].map(|positions| integer(positions, bits));
        let ours = compare_sparse_integers(pair[0], pair[1]);
        trial.compare_one("order of integers", ours, a.cmp(&b));
        let ours = compare_gray_ranks(pair[0], pair[1]);
        trial.compare_one("order of ranks", ours, rank(a, bits).cmp(&rank(b, bits)));
    }
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
