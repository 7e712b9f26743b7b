//! Buckets one by one, on all threads.

use std::sync::{Mutex, PoisonError};

use sunzi_machine::threads::Threads;

/// Runs of buckets that a thread takes, each with new room.
const RUNS_A_THREAD: usize = 64;

/// Lets the threads work on buckets. Each thread asks `worker` for one now and then, with room of its own.
///
/// Nothing here is generic, so that it is compiled once for all sorts.
pub(super) fn for_each_bucket<'a>(
    count: usize,
    worker: &(dyn Fn() -> Box<dyn FnMut(usize) + 'a> + Sync),
) {
    // Buckets may be of very different lengths: runs of them are short.
    let piece = (count / (RUNS_A_THREAD * sunzi_machine::threads::count())).max(1);
    Threads::all().each((0..count).step_by(piece), |first| {
        (first..count.min(first + piece)).for_each(worker());
    });
}

/// Parts of an output, each of which is handed out once.
pub(super) struct OutputParts<O>(Vec<Mutex<Option<O>>>);

impl<O> OutputParts<O> {
    /// Cuts an output into parts of these lengths.
    pub(super) fn new(lens: &[usize], output: O, cut: impl Fn(O, usize) -> (O, O)) -> Self {
        let mut parts = Vec::with_capacity(lens.len());
        let mut rest = output;
        for &len in lens {
            let part;
            (part, rest) = cut(rest, len);
            parts.push(Mutex::new(Some(part)));
        }
        Self(parts)
    }

    /// The part of a bucket.
    ///
    /// # Panics
    /// When it is asked for a second time.
    pub(super) fn take(&self, bucket: usize) -> O {
        let mut part = self.0[bucket]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        part.take().expect("each bucket is sorted once")
    }
}
