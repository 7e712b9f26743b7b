//! Distribution into buckets (Algorithm 3), in whole cache lines.
//!
//! One line for each bucket collects what goes there, and is written at once, past the caches where the
//! data is larger than they are: a line of memory is written once and never read for it. With one
//! line each, some thousand buckets fit the second cache. Every thread takes a chunk of the input and
//! has buckets of its own.
//!
//! What does not look at records is not generic: the machinery of parallel loops is compiled once for all of them.

use std::marker::PhantomData;
use std::ops::Range;

use sunzi_machine::threads::Threads;

use super::chunk::{BucketWriter, Chunk};
use super::plan::Cuts;
use crate::error::SortError;

/// Records in buckets, in the order in which they came.
pub(super) struct Buckets<R> {
    chunks: Vec<Chunk>,
    count: usize,
    records: PhantomData<R>,
}

impl<R: Copy> Buckets<R> {
    /// The pieces of a bucket, in order.
    pub(super) fn pieces(&self, bucket: usize) -> impl Iterator<Item = &[R]> + Clone {
        let chunks = self.chunks.iter();
        // SAFETY: `distribute` put records of type R into all chunks.
        chunks.flat_map(move |chunk| unsafe { chunk.pieces::<R>(bucket) })
    }

    /// The number of records of each bucket.
    pub(super) fn lens(&self) -> Vec<usize> {
        (0..self.count)
            .map(|bucket| self.chunks.iter().map(|chunk| chunk.len(bucket)).sum())
            .collect()
    }
}

/// Distributes n records into `count` buckets, each in the order of the input.
///
/// `records` gives the buckets and records of a range of the input. `check` sees each range first. Of
/// several errors, that of the earliest range is returned.
pub(super) fn distribute<R, I>(
    n: usize,
    count: usize,
    cuts: &Cuts,
    check: &Check,
    records: impl Fn(Range<usize>) -> I + Sync,
) -> Result<Buckets<R>, SortError>
where
    R: Copy + Send + Sync,
    I: Iterator<Item = (usize, R)>,
{
    let stream = n * size_of::<R>() >= cuts.streamed;
    let chunks = in_chunks(n, cuts.shared, &|range| {
        let mut writer = BucketWriter::new(range.len(), count, stream, cuts);
        for start in range.clone().step_by(cuts.checked) {
            let block = start..range.end.min(start + cuts.checked);
            check(block.clone())?;
            records(block).for_each(|(bucket, record)| writer.put(bucket, record));
        }
        Ok(writer.finish())
    })?;
    Ok(Buckets {
        chunks,
        count,
        records: PhantomData,
    })
}

/// Says what is wrong with a range of the input.
type Check<'a> = dyn Fn(Range<usize>) -> Result<(), SortError> + Sync + 'a;

/// Lets the threads work on a chunk each, if there are `shared` items.
fn in_chunks(
    n: usize,
    shared: usize,
    work: &(dyn Fn(Range<usize>) -> Result<Chunk, SortError> + Sync),
) -> Result<Vec<Chunk>, SortError> {
    let threads = if n < shared {
        1
    } else {
        sunzi_machine::threads::count()
    };
    // Chunks are at most 2^31 records, so that 32 bits count lines and records.
    let len = n.div_ceil(threads).clamp(1, 1 << 31);
    Threads::all().try_map(0..n.div_ceil(len), |chunk| {
        work(chunk * len..n.min((chunk + 1) * len))
    })
}
