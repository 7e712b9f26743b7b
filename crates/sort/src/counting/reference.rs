//! Algorithm 1, the counting sort of textbooks: the slow way, which tests trust and figures are compared with.

use super::problem::{Key, check_lengths, check_range};
use crate::error::SortError;

/// The keys in ascending order.
///
/// Time and memory O(n + range); about 3n cache misses when neither keys nor counters fit the cache
/// (Proposition 2). [`CountingSort`](crate::CountingSort) does the same in a fraction of the time.
///
/// # Errors
/// When a key is not below `range`, when there are more than 2^32 − 1 keys, or when there is no memory for `range`
/// counters of 32 bits.
///
/// ```
/// use sunzi_sort::reference::counting_sort;
///
/// assert_eq!(counting_sort(&[3u32, 1, 3, 0], 4)?, [0, 1, 3, 3]);
/// assert!(counting_sort(&[4u32], 4).is_err());
/// # Ok::<(), sunzi::sort::SortError>(())
/// ```
pub fn counting_sort<K: Key>(keys: &[K], range: u64) -> Result<Vec<K>, SortError> {
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

/// Keys and their values in ascending order of the keys, stably.
///
/// # Errors
/// When there are not as many values as keys, and as for [`counting_sort`].
///
/// ```
/// use sunzi_sort::reference::counting_sort_pairs;
///
/// let (keys, values) = counting_sort_pairs(&[3u32, 1, 3], &['a', 'b', 'c'], 4)?;
/// assert_eq!((keys, values), (vec![1, 3, 3], vec!['b', 'a', 'c']));
/// # Ok::<(), sunzi::sort::SortError>(())
/// ```
pub fn counting_sort_pairs<K: Key, V: Copy>(
    keys: &[K],
    values: &[V],
    range: u64,
) -> Result<(Vec<K>, Vec<V>), SortError> {
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
fn starts<K: Key>(keys: &[K], range: u64) -> Result<Vec<u32>, SortError> {
    if keys.len() > u32::MAX as usize {
        return Err(SortError::TooManyItems { items: keys.len() });
    }
    let mut counts = counters(range).ok_or(SortError::NoMemoryForRange { range })?;
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
