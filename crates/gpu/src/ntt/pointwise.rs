//! Products point by point, the bit-reversal permutation, and the kernel of the twiddle factors: one small program.

use super::word::{NttWord, field_source};
use crate::{Device, GpuError, Kernel, Source};

/// The kernels of points.
const POINTWISE: &str = include_str!("../kernels/pointwise.cl");

/// The kernel of twiddle factors.
const TABLES: &str = include_str!("../kernels/ntt_tables.cl");

/// Elements of a thread.
pub const EACH: usize = 4;

/// log2 of the side of the squares that the bit-reversal permutation moves: rows of 128 bytes.
pub const fn log_side<E>() -> u32 {
    (128 / size_of::<E>()).ilog2()
}

/// Bytes of local memory for two such squares, with rows of one element more.
pub const fn square_bytes<E>() -> usize {
    let side = 1 << log_side::<E>();
    2 * side * (side + 1) * size_of::<E>()
}

/// The program.
pub fn source<E: NttWord>(threads: usize, spare: bool) -> Source<'static> {
    field_source::<E>("points of transforms", threads, spare)
        .define("EACH", EACH)
        .define("LOG_SIDE", log_side::<E>())
        .part(POINTWISE)
        .part(TABLES)
}

/// Its kernels.
#[derive(Debug)]
pub struct Pointwise {
    pub product: Kernel,
    pub bit_reverse: Kernel,
    pub bit_reverse_squares: Kernel,
    pub fill_table: Kernel,
}

impl Pointwise {
    pub fn new<E: NttWord>(device: &Device, threads: usize, spare: bool) -> Result<Self, GpuError> {
        let program = device.program(&source::<E>(threads, spare))?;
        Ok(Self {
            product: program.kernel("pointwise")?,
            bit_reverse: program.kernel("bit_reverse")?,
            bit_reverse_squares: program.kernel("bit_reverse_squares")?,
            fill_table: program.kernel("fill_table")?,
        })
    }
}
