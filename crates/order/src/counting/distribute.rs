//! Distribution into buckets (Algorithm 3), in whole cache lines.
//!
//! One line for each bucket collects what goes there, and is written at once, past the caches where the
//! data is larger than they are: a line of memory is written once and never read for it. With one
//! line each, some thousand buckets fit the second cache. Every thread takes a chunk of the input and
//! has bucket segments of its own, which start at line boundaries, so that no line is shared.
//!
//! What does not look at records is not generic: the machinery of parallel loops is compiled once for all of them.

use std::marker::PhantomData;
use std::mem::{MaybeUninit, size_of};
use std::ops::Range;

use rayon::prelude::*;

use super::lines::{LINE, Line, Lines};
use crate::error::OrderError;

/// Keys whose range is checked and that are counted at a time, while they are in the first cache.
const BLOCK: usize = 4096;
/// From this many bytes on, lines are written past the caches.
const STREAM_BYTES: usize = 8 << 20;

/// Records in buckets, in the order in which they came.
pub(super) struct Buckets<R> {
    chunks: Vec<Chunk>,
    count: usize,
    records: PhantomData<R>,
}

/// What one thread put into buckets.
struct Chunk {
    lines: Lines,
    /// Bucket b holds `len[b]` records from line `first[b]` on.
    first: Vec<u32>,
    len: Vec<u32>,
}

impl<R: Copy> Buckets<R> {
    /// The pieces of a bucket, in order.
    pub fn pieces(&self, bucket: usize) -> impl Iterator<Item = &[R]> + Clone {
        self.chunks.iter().map(move |chunk| {
            let (first, len) = (chunk.first[bucket] as usize, chunk.len[bucket] as usize);
            let lines = &chunk.lines.get()[first..first + len.div_ceil(per_line::<R>())];
            // SAFETY: `distribute` filled the first `len` records, of type R, of these lines, and checked
            // that it did. Lines hold `per_line` records without gaps.
            unsafe { std::slice::from_raw_parts(lines.as_ptr().cast::<R>(), len) }
        })
    }

    /// The number of records of each bucket.
    pub fn lens(&self) -> Vec<usize> {
        (0..self.count)
            .map(|bucket| {
                self.chunks
                    .iter()
                    .map(|chunk| chunk.len[bucket] as usize)
                    .sum()
            })
            .collect()
    }
}

/// Whether records of this type can be distributed by lines.
pub(super) const fn fits<R>() -> bool {
    let size = size_of::<R>();
    size > 0 && size <= LINE && size.is_power_of_two() && align_of::<R>() <= LINE
}

const fn per_line<R>() -> usize {
    // Only types that fit come so far; others are compiled all the same.
    if fits::<R>() {
        LINE / size_of::<R>()
    } else {
        1
    }
}

/// Distributes n records into `count` buckets, each in the order of the input.
///
/// `records` gives the buckets and records of a range of the input; it must give the same each time.
/// `check` is asked about each range before. Of several errors, that of the earliest range is returned.
pub(super) fn distribute<R, I>(
    n: usize,
    count: usize,
    check: &Check,
    records: impl Fn(Range<usize>) -> I + Sync,
) -> Result<Buckets<R>, OrderError>
where
    R: Copy + Send + Sync,
    I: Iterator<Item = (usize, R)>,
{
    assert!(fits::<R>(), "records must fill a line evenly");
    let stream = n * size_of::<R>() >= STREAM_BYTES;
    let chunks = in_chunks(n, &|range| {
        distribute_chunk(range, count, check, &records, stream)
    })?;
    Ok(Buckets {
        chunks,
        count,
        records: PhantomData,
    })
}

/// Says what is wrong with a range of the input.
type Check<'a> = dyn Fn(Range<usize>) -> Result<(), OrderError> + Sync + 'a;

/// Lets the threads work on a chunk each.
fn in_chunks(
    n: usize,
    work: &(dyn Fn(Range<usize>) -> Result<Chunk, OrderError> + Sync),
) -> Result<Vec<Chunk>, OrderError> {
    let threads = if n < 1 << 16 {
        1
    } else {
        rayon::current_num_threads()
    };
    // Chunks are at most 2^31 records, so that 32 bits count lines and records.
    let len = n.div_ceil(threads).clamp(1, 1 << 31);
    let chunks: Vec<_> = (0..n.div_ceil(len))
        .into_par_iter()
        .map(|chunk| work(chunk * len..n.min((chunk + 1) * len)))
        .collect();
    // One after the other, so that the first error counts, whatever thread was quickest.
    chunks.into_iter().collect()
}

fn distribute_chunk<R: Copy, I: Iterator<Item = (usize, R)>>(
    range: Range<usize>,
    count: usize,
    check: &Check,
    records: &(impl Fn(Range<usize>) -> I + Sync),
    stream: bool,
) -> Result<Chunk, OrderError> {
    let mut len = vec![0u32; count];
    for start in range.clone().step_by(BLOCK) {
        let block = start..range.end.min(start + BLOCK);
        check(block.clone())?;
        for (bucket, _) in records(block) {
            len[bucket] += 1;
        }
    }
    let (first, mut lines) = room(&len, per_line::<R>() as u32);
    let filled = fill(lines.get_mut(), &first, records(range), stream);
    assert!(filled == len, "a key changed while it was sorted by");
    Ok(Chunk { lines, first, len })
}

/// The first line of each bucket of so many records, and lines for all.
fn room(len: &[u32], per_line: u32) -> (Vec<u32>, Lines) {
    let mut used = 0;
    let mut first = Vec::with_capacity(len.len());
    for len in len {
        first.push(used);
        used += len.div_ceil(per_line);
    }
    (first, Lines::new(used as usize))
}

/// Fills buckets that start at the lines `first`; the number of records that each got.
fn fill<R: Copy>(
    lines: &mut [Line],
    first: &[u32],
    records: impl Iterator<Item = (usize, R)>,
    stream: bool,
) -> Vec<u32> {
    let per_line = per_line::<R>() as u32;
    let mut filled = vec![0u32; first.len()];
    let mut open = vec![Line([MaybeUninit::uninit(); LINE]); first.len()];
    for (bucket, record) in records {
        let place = filled[bucket];
        filled[bucket] = place + 1;
        let slot = place % per_line;
        let line = &mut open[bucket];
        // SAFETY: the slot is below `per_line`, the line is aligned for records of a size that divides it.
        unsafe {
            line.0
                .as_mut_ptr()
                .cast::<R>()
                .add(slot as usize)
                .write(record)
        };
        if slot + 1 == per_line {
            let target = &mut lines[(first[bucket] + place / per_line) as usize];
            write_line(target, line, stream);
        }
    }
    for (bucket, line) in open.iter().enumerate() {
        let place = filled[bucket];
        if !place.is_multiple_of(per_line) {
            lines[(first[bucket] + place / per_line) as usize] = *line;
        }
    }
    #[cfg(target_arch = "x86_64")]
    if stream {
        // SAFETY: SSE is part of x86-64. What was written past the caches is seen by other threads after this.
        unsafe { std::arch::x86_64::_mm_sfence() };
    }
    filled
}

/// Writes a whole line, past the caches if asked and known how.
#[inline(always)]
fn write_line(target: &mut Line, line: &Line, stream: bool) {
    #[cfg(target_arch = "x86_64")]
    if stream {
        // SAFETY: SSE2 is part of x86-64; both lines are 64 bytes, aligned. In assembly, since bytes between a
        // record's fields may be uninitialized.
        unsafe {
            std::arch::asm!(
                "movaps {a}, [{from}]",
                "movaps {b}, [{from} + 16]",
                "movaps {c}, [{from} + 32]",
                "movaps {d}, [{from} + 48]",
                "movntps [{to}], {a}",
                "movntps [{to} + 16], {b}",
                "movntps [{to} + 32], {c}",
                "movntps [{to} + 48], {d}",
                from = in(reg) line,
                to = in(reg) target,
                a = out(xmm_reg) _, b = out(xmm_reg) _, c = out(xmm_reg) _, d = out(xmm_reg) _,
                options(nostack, preserves_flags),
            );
        }
        return;
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = stream;
    *target = *line;
}
