//! What one thread puts into buckets, line by line.
//!
//! A bucket is a list of blocks of lines, which are taken from one store as they are needed. So the keys need
//! not be counted before they are distributed: they are read once.

use std::marker::PhantomData;
use std::mem::{MaybeUninit, size_of};

use memmap2::MmapMut;

use super::plan::Cuts;

/// Bytes of a cache line.
const LINE: usize = 64;
/// From here on pages are asked for.
const MAPPED_BYTES: usize = 4 << 20;

#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line([MaybeUninit<u8>; LINE]);

/// Memory in cache lines, with anything in them, in large pages where the system has them.
///
/// What a distribution fills is new memory, and the system hands that out page by page at the first touch. With pages of
/// 2 MiB that costs a fraction, and thousands of buckets need few entries of the address cache.
enum Lines {
    Allocated(Vec<Line>),
    Mapped(MmapMut),
}

impl Lines {
    fn new(count: usize) -> Self {
        if count * LINE >= MAPPED_BYTES
            && let Ok(mapped) = MmapMut::map_anon(count * LINE)
        {
            // A wish: without large pages all is the same, and slower.
            #[cfg(target_os = "linux")]
            let _ = mapped.advise(memmap2::Advice::HugePage);
            return Self::Mapped(mapped);
        }
        let mut lines = Vec::with_capacity(count);
        // SAFETY: a line may be uninitialized bytes, and there is room for `count`.
        unsafe { lines.set_len(count) };
        Self::Allocated(lines)
    }

    fn get(&self) -> &[Line] {
        match self {
            Self::Allocated(lines) => lines,
            // SAFETY: pages are aligned to more than a line, any bytes are a line, and the slice lives no
            // longer than the mapping that it borrows.
            Self::Mapped(bytes) => unsafe {
                std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / LINE)
            },
        }
    }

    fn get_mut(&mut self) -> &mut [Line] {
        match self {
            Self::Allocated(lines) => lines,
            // SAFETY: pages are aligned to more than a line, any bytes are a line, and the mapping, private to this
            // value, is borrowed mutably.
            Self::Mapped(bytes) => unsafe {
                std::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len() / LINE)
            },
        }
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

/// Buckets that are being filled with records.
pub(super) struct BucketWriter<R> {
    lines: Lines,
    /// Lines of a block, a power of two.
    block: u32,
    /// The bucket of each block that was taken.
    owners: Vec<u32>,
    /// The line that each bucket fills next; at a multiple of `block`, that bucket takes a new block first.
    next: Vec<u32>,
    /// Records in each bucket.
    len: Vec<u32>,
    /// The line of each bucket that is not full yet.
    open: Vec<Line>,
    /// Whether full lines are written past the caches.
    stream: bool,
    records: PhantomData<R>,
}

impl<R: Copy> BucketWriter<R> {
    /// Room for n records in `count` buckets.
    pub(super) fn new(n: usize, count: usize, stream: bool, cuts: &Cuts) -> Self {
        assert!(fits::<R>(), "records must fill a line evenly");
        let full = n / per_line::<R>();
        // The last blocks of all buckets are half empty: together they get no more lines than are full, or one each.
        let block = (full / count.max(1)).clamp(1, cuts.block_lines);
        let block = 1 << block.ilog2();
        let blocks = full / block + count;
        Self {
            lines: Lines::new(blocks * block),
            block: block as u32,
            owners: Vec::with_capacity(blocks),
            next: vec![0; count],
            len: vec![0; count],
            open: vec![Line([MaybeUninit::uninit(); LINE]); count],
            stream,
            records: PhantomData,
        }
    }

    /// Puts a record to the end of a bucket.
    #[inline(always)]
    pub(super) fn put(&mut self, bucket: usize, record: R) {
        let per_line = const { per_line::<R>() as u32 };
        let place = self.len[bucket];
        self.len[bucket] = place + 1;
        let slot = place % per_line;
        let line = &mut self.open[bucket];
        // SAFETY: the slot is below `per_line`, and a line is aligned for records, whose size divides it: `fits`,
        // which `new` has checked.
        unsafe {
            line.0
                .as_mut_ptr()
                .cast::<R>()
                .add(slot as usize)
                .write(record)
        };
        if slot + 1 == per_line {
            let target = self.target(bucket);
            write_line(
                &mut self.lines.get_mut()[target],
                &self.open[bucket],
                self.stream,
            );
        }
    }

    /// Where the open line of a bucket goes.
    #[inline(always)]
    fn target(&mut self, bucket: usize) -> usize {
        let mut line = self.next[bucket];
        if line & (self.block - 1) == 0 {
            line = self.owners.len() as u32 * self.block;
            self.owners.push(bucket as u32);
        }
        self.next[bucket] = line + 1;
        line as usize
    }

    /// Writes the lines that are not full.
    pub(super) fn finish(mut self) -> Chunk {
        let per_line = per_line::<R>() as u32;
        for bucket in 0..self.len.len() {
            if !self.len[bucket].is_multiple_of(per_line) {
                let target = self.target(bucket);
                self.lines.get_mut()[target] = self.open[bucket];
            }
        }
        #[cfg(target_arch = "x86_64")]
        if self.stream {
            // SAFETY: SSE is part of x86-64. What was written past the caches is seen by other threads after this.
            unsafe { std::arch::x86_64::_mm_sfence() };
        }
        let (blocks, starts) = by_owner(&self.owners, self.len.len());
        Chunk {
            lines: self.lines,
            block_lines: self.block as usize,
            blocks,
            starts,
            len: self.len,
        }
    }
}

/// The indices of blocks by their owners, in order, and where those of each owner start.
fn by_owner(owners: &[u32], count: usize) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0; count + 1];
    for &owner in owners {
        starts[owner as usize + 1] += 1;
    }
    for owner in 0..count {
        starts[owner + 1] += starts[owner];
    }
    let mut places = starts.clone();
    let mut blocks = vec![0; owners.len()];
    for (block, &owner) in owners.iter().enumerate() {
        let place = &mut places[owner as usize];
        blocks[*place as usize] = block as u32;
        *place += 1;
    }
    (blocks, starts)
}

/// Buckets that are filled.
pub(super) struct Chunk {
    lines: Lines,
    block_lines: usize,
    /// Bucket b has the blocks `blocks[starts[b]..starts[b + 1]]`, in which `len[b]` records follow each other.
    blocks: Vec<u32>,
    starts: Vec<u32>,
    len: Vec<u32>,
}

impl Chunk {
    /// The number of records of a bucket.
    pub(super) fn len(&self, bucket: usize) -> usize {
        self.len[bucket] as usize
    }

    /// The records of a bucket, in the order in which they came, in pieces.
    ///
    /// # Safety
    /// The chunk was filled with this type.
    pub(super) unsafe fn pieces<'a, R: Copy + 'a>(
        &'a self,
        bucket: usize,
    ) -> impl Iterator<Item = &'a [R]> + Clone {
        let range = self.starts[bucket] as usize..self.starts[bucket + 1] as usize;
        let per_block = self.block_lines * per_line::<R>();
        let blocks = self.blocks[range].iter().enumerate();
        blocks.map(move |(before, &block)| {
            let len = (self.len(bucket) - before * per_block).min(per_block);
            let first = block as usize * self.block_lines;
            let lines = &self.lines.get()[first..first + len.div_ceil(per_line::<R>())];
            // SAFETY: `put` wrote records of this type, as this function asks: the lines of the bucket's blocks in order,
            // `per_line` to a line without gaps, the last line up to the bucket's last record; `len` goes no further.
            // A line is aligned for them, as `fits` says.
            unsafe { std::slice::from_raw_parts(lines.as_ptr().cast::<R>(), len) }
        })
    }
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
