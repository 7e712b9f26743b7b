//! The classical counting sort, which everything else is compared with.

use super::key::Key;
use crate::error::OrderError;

/// Algorithm 1, the classical counting sort: the keys in ascending order.
///
/// Time and memory O(n + range); about 3n cache misses when neither keys nor counters fit the cache
/// (Proposition 2). [`CountingSort`](super::CountingSort) does the same in a fraction of the time.
///
/// # Errors
/// When a key is not below `range`, when there are more than 2^32 − 1 keys, or when there is no memory for `range`
/// counters of 32 bits.
///
/// ```
/// use sunzi_order::classical_counting_sort;
///
/// assert_eq!(classical_counting_sort(&[3u32, 1, 3, 0], 4)?, [0, 1, 3, 3]);
/// assert!(classical_counting_sort(&[4u32], 4).is_err());
/// # Ok::<(), sunzi_order::OrderError>(())
/// ```
pub fn classical_counting_sort<K: Key>(keys: &[K], range: u64) -> Result<Vec<K>, OrderError> {
    check_range(0, keys, Some(range))?;
    let mut places = starts(keys, range)?;
    let mut sorted = vec![K::from_word(0); keys.len()];
    for &key in keys {
        let place = &mut places[key.word() as usize];
        sorted[*place as usize] = key;
        *place += 1;
    }
    Ok(sorted)
}

/// Algorithm 1 with values: keys and their values in ascending order of the keys, stably.
///
/// # Errors
/// When there are not as many values as keys, and as for [`classical_counting_sort`].
///
/// ```
/// use sunzi_order::classical_counting_sort_pairs;
///
/// let (keys, values) = classical_counting_sort_pairs(&[3u32, 1, 3], &['a', 'b', 'c'], 4)?;
/// assert_eq!((keys, values), (vec![1, 3, 3], vec!['b', 'a', 'c']));
/// # Ok::<(), sunzi_order::OrderError>(())
/// ```
pub fn classical_counting_sort_pairs<K: Key, V: Copy>(
    keys: &[K],
    values: &[V],
    range: u64,
) -> Result<(Vec<K>, Vec<V>), OrderError> {
    check_lengths(keys.len(), values.len())?;
    check_range(0, keys, Some(range))?;
    let mut places = starts(keys, range)?;
    let mut sorted = (keys.to_vec(), values.to_vec());
    for (&key, &value) in keys.iter().zip(values) {
        let place = &mut places[key.word() as usize];
        sorted.0[*place as usize] = key;
        sorted.1[*place as usize] = value;
        *place += 1;
    }
    Ok(sorted)
}

/// The place of the first of each key. Counters have 32 bits, as those of the thesis.
fn starts<K: Key>(keys: &[K], range: u64) -> Result<Vec<u32>, OrderError> {
    if keys.len() > u32::MAX as usize {
        return Err(OrderError::TooManyItems { items: keys.len() });
    }
    let mut counts = counters(range).ok_or(OrderError::NoMemoryForRange { range })?;
    for key in keys {
        counts[key.word() as usize] += 1;
    }
    let mut place = 0;
    for count in &mut counts {
        place += std::mem::replace(count, place);
    }
    Ok(counts)
}

fn counters(range: u64) -> Option<Vec<u32>> {
    let range = usize::try_from(range).ok()?;
    let mut counts = Vec::new();
    counts.try_reserve_exact(range).ok()?;
    counts.resize(range, 0);
    Some(counts)
}

/// Refuses a key that is not below `range`, if there is one; `first` is the index of the first of these keys.
pub(super) fn check_range<K: Key>(
    first: usize,
    keys: &[K],
    range: Option<u64>,
) -> Result<(), OrderError> {
    let Some(range) = range else {
        return Ok(());
    };
    // The greatest is found many at a time; where it is, is asked only when it is too great.
    match keys.iter().max() {
        Some(greatest) if greatest.word() >= range => {
            let index = keys.iter().position(|key| key.word() >= range).unwrap_or(0);
            Err(OrderError::KeyOutOfRange {
                index: first + index,
                key: keys[index].word(),
                range,
            })
        }
        _ => Ok(()),
    }
}

pub(super) fn check_lengths(keys: usize, values: usize) -> Result<(), OrderError> {
    if keys == values {
        Ok(())
    } else {
        Err(OrderError::Lengths { keys, values })
    }
}
