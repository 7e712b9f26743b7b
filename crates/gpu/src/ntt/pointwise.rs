//! Products point by point, and the bit-reversal permutation.

use super::word::{NttWord, field_source};
use crate::{Device, GpuError, Kernel, Source};

/// The kernels.
const POINTWISE: &str = include_str!("../kernels/pointwise.cl");

/// Elements of a thread.
pub const EACH: usize = 4;

/// The program.
pub fn source<E: NttWord>(threads: usize, spare: bool) -> Source<'static> {
    field_source::<E>("products point by point", threads, spare)
        .define("EACH", EACH)
        .part(POINTWISE)
}

/// Its kernels.
#[derive(Debug)]
pub struct Pointwise {
    pub product: Kernel,
    pub bit_reverse: Kernel,
}

impl Pointwise {
    pub fn new<E: NttWord>(device: &Device, threads: usize, spare: bool) -> Result<Self, GpuError> {
        let program = device.program(&source::<E>(threads, spare))?;
        Ok(Self {
            product: program.kernel("pointwise")?,
            bit_reverse: program.kernel("bit_reverse")?,
        })
    }
}
