//! From coefficients of two words to residues modulo a prime of 63 bits, where that is the modulus itself.

use super::project::{Polynomials, SPANS, positions};
use crate::field::{Modulus, Scale, field_source, field_table};
use crate::work::sum_of;
use sunzi_device::{Buffer, GpuError, Kernel, Launch, Source, Stream, Work, kernel};

kernel! {
    /// Residues of the coefficients at `positions` of vectors of 2^`log_points`.
    struct Spread<'a> for "spread" {
        residues: &'a mut Buffer<u64> [first + positions],
        first: u64,
        coefficients: &'a Buffer<u32> [2 * total],
        spans: &'a Buffer<u32> [(positions >> log_points) * 2],
        log_points: u32,
        positions: u64,
        total: u64,
        scale: Scale,
        fields: &'a Buffer<u64>,
    }
    work(k, _launch) {
        Work {
            bytes: 8 * (k.total + k.positions),
            multiplications: k.total * sum_of::<u64>(1),
            barriers: 0,
        }
    }
}

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
        let parameters = Spread {
            residues,
            first: start as u64,
            coefficients: polynomials.coefficients,
            spans: polynomials.spans,
            log_points,
            positions: count as u64,
            total: polynomials.coefficients.len() as u64 / 2,
            scale: Scale::One,
            fields: &self.fields,
        };
        stream.launch(&self.kernel, launch, parameters)
    }
}
