//! From coefficients of two words to residues modulo a prime of 63 bits, where that is the modulus itself.

use super::project::{Polynomials, SPANS, positions};
use crate::backend::{Argument, Launch};
use crate::buffer::Buffer;
use crate::error::GpuError;
use crate::field::{Modulus, Scale, field_source, field_table};
use crate::program::{Kernel, Source};
use crate::stream::Stream;

/// The program, for groups of `threads` threads.
pub(crate) fn source(threads: usize, spare: bool) -> Source<'static> {
    field_source::<u64>("residues of two words", threads, spare)
        .part(SPANS)
        .part(include_str!("spread.cl"))
}

/// Reduces coefficients modulo one prime.
#[derive(Debug)]
pub(crate) struct SpreadContext {
    kernel: Kernel,
    fields: Buffer<u64>,
    threads: usize,
}

impl SpreadContext {
    /// Compiles the kernel.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for what is no odd prime below 2^63; errors of the device.
    pub(crate) fn new(stream: &Stream, prime: u64, threads: usize) -> Result<Self, GpuError> {
        let device = stream.device();
        let modulus = Modulus::new::<u64>(device, prime)?;
        let source = source(threads, modulus.is_spare::<u64>());
        Ok(Self {
            kernel: device.program(&source)?.kernel("spread")?,
            fields: field_table(stream, &[modulus], 0)?,
            threads,
        })
    }

    /// Submits the residues of `batch` polynomials of up to 2^`log_points` coefficients each: those of polynomial b go
    /// to `residues` from element (first + b)·2^`log_points` on, followed by zeros.
    ///
    /// # Errors
    /// [`GpuError::Shape`] if the buffers are too short; errors of the device.
    pub(crate) fn run(
        &self,
        stream: &Stream,
        residues: &mut Buffer<u64>,
        polynomials: Polynomials<'_>,
        log_points: u32,
        batch: usize,
        first: usize,
    ) -> Result<(), GpuError> {
        let count = positions(batch, log_points)?;
        let start = positions(first, log_points)?;
        residues.check_rows("residues", start, count, 1)?;
        polynomials.spans.check_rows("spans", 0, batch, 2)?;
        let launch = Launch::new(count.div_ceil(self.threads) as u64, self.threads, 0)?;
        let arguments = [
            residues.into(),
            Argument::U64(start as u64),
            polynomials.coefficients.into(),
            polynomials.spans.into(),
            Argument::U32(log_points),
            Argument::U64(count as u64),
            Argument::U64(polynomials.coefficients.len() as u64 / 2),
            Scale::One.into(),
            (&self.fields).into(),
        ];
        // SAFETY: the arguments are those of the kernel; residues and spans are long enough, and coefficients beyond
        // the end of their buffer are not read.
        unsafe { stream.launch(&self.kernel, launch, &arguments) }
    }
}
