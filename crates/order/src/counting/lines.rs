//! Memory in cache lines, in large pages where the system has them.
//!
//! What a distribution fills is new memory, and the system hands that out page by page at the first touch. With
//! pages of 2 MiB that costs a fraction, and thousands of buckets need few entries of the address cache.

use std::mem::MaybeUninit;

use memmap2::MmapMut;

/// Bytes of a cache line.
pub(super) const LINE: usize = 64;
/// From here on pages are asked for.
const MAPPED_BYTES: usize = 4 << 20;

#[repr(C, align(64))]
#[derive(Clone, Copy)]
pub(super) struct Line(pub [MaybeUninit<u8>; LINE]);

/// Lines with anything in them.
pub(super) enum Lines {
    Allocated(Vec<Line>),
    Mapped(MmapMut),
}

impl Lines {
    pub fn new(count: usize) -> Self {
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

    pub fn get(&self) -> &[Line] {
        match self {
            Self::Allocated(lines) => lines,
            // SAFETY: pages are aligned to more than a line, any bytes are a line, and the slice lives no
            // longer than the mapping that it borrows.
            Self::Mapped(bytes) => unsafe {
                std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / LINE)
            },
        }
    }

    pub fn get_mut(&mut self) -> &mut [Line] {
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
