//! Distribution into buckets (Algorithm 3), in whole cache lines.
//!
//! One line for each bucket collects what goes there, and is written at once, past the caches where the
//! data is larger than they are: a line of memory is written once and never read for it. With one
//! line each, some thousand buckets fit the second cache. Every thread takes a chunk of the input and
//! has bucket segments of its own, which start at line boundaries, so that no line is shared.

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
    chunks: Vec<Chunk<R>>,
    count: usize,
}

/// What one thread put into buckets.
struct Chunk<R> {
    lines: Lines,
    /// Bucket b holds `len[b]` records from line `first[b]` on.
    first: Vec<u32>,
    len: Vec<u32>,
    records: std::marker::PhantomData<R>,
}

impl<R: Copy> Chunk<R> {
    fn bucket(&self, bucket: usize) -> &[R] {
        let (first, len) = (self.first[bucket] as usize, self.len[bucket] as usize);
        let lines = &self.lines.get()[first..first + len.div_ceil(per_line::<R>())];
        // SAFETY: `distribute` filled the first `len` records of these lines, and checked that it did.
        // Lines hold `per_line` records without gaps.
        unsafe { std::slice::from_raw_parts(lines.as_ptr().cast::<R>(), len) }
    }
}

impl<R: Copy> Buckets<R> {
    /// The pieces of a bucket, in order.
    pub fn pieces(&self, bucket: usize) -> impl Iterator<Item = &[R]> + Clone {
        self.chunks.iter().map(move |chunk| chunk.bucket(bucket))
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
/// `check` is asked about each range before; the error is that of the first range which has one.
pub(super) fn distribute<R, I>(
    n: usize,
    count: usize,
    check: impl Fn(Range<usize>) -> Result<(), OrderError> + Sync,
    records: impl Fn(Range<usize>) -> I + Sync,
) -> Result<Buckets<R>, OrderError>
where
    R: Copy + Send + Sync,
    I: Iterator<Item = (usize, R)>,
{
    assert!(fits::<R>(), "records must fill a line evenly");
    let threads = if n < 1 << 16 {
        1
    } else {
        rayon::current_num_threads()
    };
    // Chunks are at most 2^31 records, so that 32 bits count lines and records.
    let len = n.div_ceil(threads).clamp(1, 1 << 31);
    // Errors are kept with their chunks: the first in order counts, whichever thread was first.
    let chunks: Vec<Result<Chunk<R>, OrderError>> = (0..n.div_ceil(len))
        .into_par_iter()
        .map(|chunk| {
            let range = chunk * len..n.min((chunk + 1) * len);
            distribute_chunk(
                range,
                count,
                &check,
                &records,
                n * size_of::<R>() >= STREAM_BYTES,
            )
        })
        .collect();
    let chunks = chunks.into_iter().collect::<Result<_, _>>()?;
    Ok(Buckets { chunks, count })
}

fn distribute_chunk<R: Copy, I: Iterator<Item = (usize, R)>>(
    range: Range<usize>,
    count: usize,
    check: &(impl Fn(Range<usize>) -> Result<(), OrderError> + Sync),
    records: &(impl Fn(Range<usize>) -> I + Sync),
    stream: bool,
) -> Result<Chunk<R>, OrderError> {
    let mut len = vec![0u32; count];
    for start in range.clone().step_by(BLOCK) {
        let block = start..range.end.min(start + BLOCK);
        check(block.clone())?;
        for (bucket, _) in records(block) {
            len[bucket] += 1;
        }
    }
    let mut lines_used = 0;
    let first: Vec<u32> = len
        .iter()
        .map(|&len| {
            let first = lines_used;
            lines_used += len.div_ceil(per_line::<R>() as u32);
            first
        })
        .collect();
    let mut lines = Lines::new(lines_used as usize);
    let filled = if stream {
        fill::<R, true>(lines.get_mut(), &first, records(range))
    } else {
        fill::<R, false>(lines.get_mut(), &first, records(range))
    };
    assert!(filled == len, "a key changed while it was sorted by");
    Ok(Chunk {
        lines,
        first,
        len,
        records: std::marker::PhantomData,
    })
}

/// Fills buckets that start at the lines `first`; the number of records that each got.
fn fill<R: Copy, const STREAM: bool>(
    lines: &mut [Line],
    first: &[u32],
    records: impl Iterator<Item = (usize, R)>,
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
            write_line::<STREAM>(
                &mut lines[(first[bucket] + place / per_line) as usize],
                line,
            );
        }
    }
    for (bucket, line) in open.iter().enumerate() {
        let place = filled[bucket];
        if !place.is_multiple_of(per_line) {
            lines[(first[bucket] + place / per_line) as usize] = *line;
        }
    }
    #[cfg(target_arch = "x86_64")]
    if STREAM {
        // SAFETY: SSE is part of x86-64. What was written past the caches is seen by other threads after this.
        unsafe { std::arch::x86_64::_mm_sfence() };
    }
    filled
}

/// Writes a whole line, past the caches if asked and known how.
#[inline(always)]
fn write_line<const STREAM: bool>(target: &mut Line, line: &Line) {
    #[cfg(target_arch = "x86_64")]
    if STREAM {
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
    *target = *line;
}
