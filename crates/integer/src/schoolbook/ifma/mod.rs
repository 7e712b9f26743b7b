//! Schoolbook products with AVX-512 IFMA: 52-bit digits, eight columns in a register.
//!
//! `vpmadd52luq` and `vpmadd52huq` multiply eight pairs of 52-bit digits and add the low or high 52 bits
//! of the products to 64-bit sums. n limbs are n·64/52 digits, so a product of n by n limbs takes about
//! n²·0.38 of these instructions, two of which start in a cycle: a fifth of the cycles of `mulx`.

mod digits;
mod kernel;

use std::arch::x86_64::*;

use super::{MAX_IFMA, MAX_IFMA_WHOLE};
use digits::{Writer, load, vectors_for};

/// The most vectors of digits of an operand that one tile takes.
const TILE: usize = vectors_for(MAX_IFMA_WHOLE);
/// The most vectors of digits of an operand.
const MAX_VECTORS: usize = vectors_for(MAX_IFMA);

/// Digits or columns, aligned to whole cache lines.
#[repr(align(64))]
struct Aligned<const N: usize>([std::mem::MaybeUninit<__m512i>; N]);

impl<const N: usize> Aligned<N> {
    fn uninit() -> Self {
        Self([std::mem::MaybeUninit::uninit(); N])
    }
}

type Product = unsafe fn(*mut u64, *const u64, usize, *const u64, usize);

/// `out = a · b` for operands of `VA` and `VB` digit vectors.
///
/// # Safety
/// `a`, `b` readable for `len_a`, `len_b` limbs, at most those of `VA`, `VB` vectors, `out` writable for
/// `len_a + len_b`.
#[target_feature(enable = "avx512f,avx512bw,avx512ifma,avx512vbmi")]
unsafe fn product<const VA: usize, const VB: usize, const W: usize>(
    out: *mut u64,
    a: *const u64,
    len_a: usize,
    b: *const u64,
    len_b: usize,
) {
    let mut b_digits = Aligned::<VB>::uninit();
    for (v, slot) in b_digits.0.iter_mut().enumerate() {
        // SAFETY: `len_b` limbs are readable at b, as this function asks.
        slot.write(unsafe { load(b, len_b, v) });
    }
    let mut a_digits = [_mm512_setzero_si512(); VA];
    for (v, slot) in a_digits.iter_mut().enumerate() {
        // SAFETY: `len_a` limbs are readable at a, as this function asks.
        *slot = unsafe { load(a, len_a, v) };
    }
    // SAFETY: all VB vectors were written, by digits below 2^52.
    let columns = unsafe { kernel::columns::<VA, VB, W>(&a_digits, b_digits.0.as_ptr().cast()) };
    let mut writer = Writer::new();
    for (v, &column) in columns.iter().enumerate() {
        // SAFETY: `len_a + len_b` limbs are writable at `out`, as this function asks; vectors ascend.
        unsafe { writer.push(column, out, len_a + len_b, v) };
    }
}

/// `columns[..VA + VB] += a · b`, for `VA` and `VB` vectors of digits.
///
/// # Safety
/// Readable and writable for as many vectors; all aligned to 64 bytes; digits below 2^52.
#[target_feature(enable = "avx512f,avx512bw,avx512ifma,avx512vbmi")]
unsafe fn tile<const VA: usize, const VB: usize, const W: usize>(
    columns: *mut __m512i,
    a: *const __m512i,
    b: *const __m512i,
) {
    // SAFETY: VA vectors at a, VB of digits below 2^52 at b, VA + VB columns, all aligned, as this function asks.
    unsafe {
        let a_digits: [__m512i; VA] = std::array::from_fn(|v| a.add(v).read());
        let sums = kernel::columns::<VA, VB, W>(&a_digits, b.cast());
        for (v, &sum) in sums.iter().enumerate() {
            let column = columns.add(v);
            column.write(_mm512_add_epi64(column.read(), sum));
        }
    }
}

type Tile = unsafe fn(*mut __m512i, *const __m512i, *const __m512i);

/// One function for each pair of vector counts, the longer operand first.
macro_rules! table {
    ($function:ident, $type:ty) => {{
        const NONE: $type = $function::<1, 1, 2>;
        [
            table!(@row $function, NONE, 1, 1 2),
            table!(@row $function, NONE, 2, 1 3, 2 4),
            table!(@row $function, NONE, 3, 1 4, 2 5, 3 6),
            table!(@row $function, NONE, 4, 1 5, 2 6, 3 7, 4 8),
            table!(@row $function, NONE, 5, 1 6, 2 7, 3 8, 4 9, 5 10),
            table!(@row $function, NONE, 6, 1 7, 2 8, 3 9, 4 10, 5 11, 6 12),
            table!(@row $function, NONE, 7, 1 8, 2 9, 3 10, 4 11, 5 12, 6 13, 7 14),
            table!(@row $function, NONE, 8, 1 9, 2 10, 3 11, 4 12, 5 13, 6 14, 7 15, 8 16),
            table!(@row $function, NONE, 9, 1 10, 2 11, 3 12, 4 13, 5 14, 6 15, 7 16, 8 17, 9 18),
            table!(@row $function, NONE, 10, 1 11, 2 12, 3 13, 4 14, 5 15, 6 16, 7 17, 8 18, 9 19, 10 20),
        ]
    }};
    (@row $function:ident, $none:ident, $va:literal, $($vb:literal $w:literal),+) => {{
        let mut row = [$none; TILE];
        $(row[$vb - 1] = $function::<$va, $vb, $w>;)+
        row
    }};
}

static PRODUCTS: [[Product; TILE]; TILE] = table!(product, Product);
static TILES: [[Tile; TILE]; TILE] = table!(tile, Tile);

/// `out = a · b` for `MAX_IFMA_WHOLE ≥ a.len() ≥ b.len() ≥ 1`. Not beside other kernels, which would save registers
/// for it.
///
/// # Safety
/// The processor must support AVX-512 F, BW, IFMA and VBMI, and `out.len() = a.len() + b.len()`.
#[inline(never)]
pub(super) unsafe fn mul(out: &mut [u64], a: &[u64], b: &[u64]) {
    let product = PRODUCTS[vectors_for(a.len()) - 1][vectors_for(b.len()) - 1];
    // SAFETY: pointers and lengths of slices, `out` as long as both operands, as this function asks, as well as for a
    // processor with the instructions; the function for these numbers of vectors.
    unsafe { product(out.as_mut_ptr(), a.as_ptr(), a.len(), b.as_ptr(), b.len()) };
}

/// `out = a · b` for `MAX_IFMA ≥ a.len() ≥ b.len() ≥ 1`, in tiles.
///
/// # Safety
/// As [`mul`].
#[target_feature(enable = "avx512f,avx512bw,avx512ifma,avx512vbmi")]
pub(super) unsafe fn mul_tiled(out: &mut [u64], a: &[u64], b: &[u64]) {
    let (va, vb) = (vectors_for(a.len()), vectors_for(b.len()));
    let mut a_digits = Aligned::<MAX_VECTORS>::uninit();
    let mut b_digits = Aligned::<MAX_VECTORS>::uninit();
    let mut columns = Aligned::<{ 2 * MAX_VECTORS }>::uninit();
    for (v, slot) in a_digits.0[..va].iter_mut().enumerate() {
        // SAFETY: pointer and length of a slice.
        slot.write(unsafe { load(a.as_ptr(), a.len(), v) });
    }
    for (v, slot) in b_digits.0[..vb].iter_mut().enumerate() {
        // SAFETY: pointer and length of a slice.
        slot.write(unsafe { load(b.as_ptr(), b.len(), v) });
    }
    for slot in &mut columns.0[..va + vb] {
        slot.write(_mm512_setzero_si512());
    }
    for (start_b, size_b) in tiles(vb) {
        for (start_a, size_a) in tiles(va) {
            let (a, b) = (
                a_digits.0[start_a..].as_ptr(),
                b_digits.0[start_b..].as_ptr(),
            );
            let columns = columns.0[start_a + start_b..].as_mut_ptr();
            // SAFETY: the vectors of both tiles and of their product were written above.
            unsafe {
                if size_a >= size_b {
                    TILES[size_a - 1][size_b - 1](columns.cast(), a.cast(), b.cast());
                } else {
                    TILES[size_b - 1][size_a - 1](columns.cast(), b.cast(), a.cast());
                }
            }
        }
    }
    let mut writer = Writer::new();
    for (v, column) in columns.0[..va + vb].iter().enumerate() {
        // SAFETY: the column was written; pointer and length of a slice.
        unsafe { writer.push(column.assume_init(), out.as_mut_ptr(), out.len(), v) };
    }
}

/// Cuts `vectors` into the fewest tiles, of sizes that differ by at most one: starts and sizes.
fn tiles(vectors: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = vectors.div_ceil(TILE);
    (0..count).map(move |i| {
        let (start, end) = (vectors * i / count, vectors * (i + 1) / count);
        (start, end - start)
    })
}
