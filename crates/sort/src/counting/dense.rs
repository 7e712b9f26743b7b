//! Bare keys, about as many as their range: counted bucket by bucket, and written anew.
//!
//! Within a bucket of at most 2^16 keys only 16 bits tell them apart, so that is all that the distribution
//! writes; the sorted keys follow from the counts, and nothing is moved a second time.

use super::buckets::{OutputParts, for_each_bucket};
use super::counter::Counter;
use super::distribute::{self, Buckets};
use super::plan::Cuts;
use super::problem::Key;
use super::problem::check_range;
use super::split::Split;
use crate::error::SortError;

/// Sorts keys from `low` on, below `limit` if there is one, which `split` cuts into `count` buckets of at most `width` ≤ 2^16.
pub(super) fn sort<K: Key>(
    keys: &mut [K],
    low: u64,
    width: u64,
    count: usize,
    split: impl Split,
    limit: Option<u64>,
    cuts: &Cuts,
) -> Result<(), SortError> {
    let input = &*keys;
    let buckets: Buckets<u16> = distribute::distribute(
        input.len(),
        count,
        cuts,
        &|range| check_range(range.start, &input[range], limit),
        |range| {
            input[range].iter().map(move |key| {
                let (bucket, rest) = split.split(key.word().wrapping_sub(low));
                (bucket, rest as u16)
            })
        },
    )?;
    let outputs = OutputParts::new(&buckets.lens(), keys, <[K]>::split_at_mut);
    for_each_bucket(count, &|| {
        let mut counts = vec![0u8; width as usize];
        let (buckets, outputs) = (&buckets, &outputs);
        Box::new(move |bucket| {
            let base = low.wrapping_add(bucket as u64 * width);
            rewrite::<u32, _>(
                buckets.pieces(bucket),
                &mut counts,
                base,
                outputs.take(bucket),
            );
        })
    });
    Ok(())
}

/// Writes the keys `base + rest` of a bucket in order.
///
/// Where some key comes more than 255 times, counters are `Narrow`, unless there are more keys than they can count.
pub fn rewrite<'a, Narrow: Counter, K: Key>(
    pieces: impl Iterator<Item = &'a [u16]> + Clone,
    counts: &mut [u8],
    base: u64,
    output: &mut [K],
) {
    if output.is_empty() {
        return;
    }
    counts.fill(0);
    // Counts of 8 bits keep the table in the first caches; a count that wraps is noticed at the end.
    let mut wrapped = false;
    for piece in pieces.clone() {
        for &rest in piece {
            let count = &mut counts[rest as usize];
            *count = count.wrapping_add(1);
            wrapped |= *count == 0;
        }
    }
    if wrapped {
        return if output.len() <= Narrow::MOST {
            rewrite_by::<Narrow, K>(pieces, counts.len(), base, output)
        } else {
            rewrite_by::<usize, K>(pieces, counts.len(), base, output)
        };
    }
    write_runs(counts.iter().map(|&count| usize::from(count)), base, output);
}

fn rewrite_by<'a, C: Counter, K: Key>(
    pieces: impl Iterator<Item = &'a [u16]>,
    width: usize,
    base: u64,
    output: &mut [K],
) {
    let mut counts = vec![C::default(); width];
    for &rest in pieces.flatten() {
        counts[rest as usize].step();
    }
    write_runs(
        counts.into_iter().map(|mut count| count.replace(0)),
        base,
        output,
    );
}

/// Writes count copies of each key from `base` on.
fn write_runs<K: Key>(counts: impl Iterator<Item = usize>, base: u64, output: &mut [K]) {
    let mut place = 0;
    for (rest, count) in counts.enumerate() {
        let key = K::from_word(base.wrapping_add(rest as u64));
        let end = place + count;
        match output.get_mut(place..place + 4) {
            // Four copies at once, whatever the count, cost less than to ask how many; what is too much is
            // overwritten by the next keys.
            Some(start) if count <= 4 => start.copy_from_slice(&[key; 4]),
            _ => output[place..end].fill(key),
        }
        place = end;
    }
}
