//! From coefficients of two words to residues modulo a prime of 63 bits, where that is the modulus itself.

use super::project::{Polynomials, SPANS, positions};
use crate::elements::ElementsMut;
use crate::field::{Fields, Scale};
use crate::word::Word;
use crate::work::sum_of;
use sunzi_device::{Buffer, GpuError, Kernel, Launch, Source, Stream, Work, kernel};

kernel! {
    /// Residues of the coefficients at `positions` of vectors of 2^`log_points`.
    unsafe struct Spread<'a> for "spread" {
        residues: ElementsMut<'a> [first + positions],
        first: u64,
        coefficients: &'a Buffer<u32> [2 * total],
        spans: &'a Buffer<u32> [(positions >> log_points) * 2],
        log_points: u32,
        positions: u64,
        total: u64,
        scale: Scale,
        fields: &'a Fields,
    }
    work(k, _launch) {
        Work {
            bytes: 8 * (k.total + k.positions),
            multiplications: k.total * sum_of(k.fields.word().width(), 1),
            barriers: 0,
        }
    }
}

/// The program, for groups of `threads` threads.
fn source(fields: &Fields, threads: usize) -> Source<'static> {
    fields
        .source("residues of two words", threads)
        .part(SPANS)
        .part(include_str!("spread.cl"))
}

/// Reduces coefficients modulo one prime.
#[derive(Debug)]
pub(crate) struct SpreadContext {
    kernel: Kernel,
    fields: Fields,
    threads: usize,
}

impl SpreadContext {
    /// Compiles the kernel.
    ///
    /// # Errors
    /// [`GpuError::Shape`] for what is no odd prime below 2^63; errors of the device.
    pub(crate) fn new(stream: &Stream, prime: u64, threads: usize) -> Result<Self, GpuError> {
        let device = stream.device();
        let fields = Fields::new(stream, Word::U64, &[prime], 0)?;
        let program = device.program(&source(&fields, threads))?;
        Ok(Self {
            kernel: program.kernel("spread")?,
            fields,
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
        residues: &mut Buffer<u32>,
        polynomials: Polynomials<'_>,
        log_points: u32,
        batch: usize,
        first: usize,
    ) -> Result<(), GpuError> {
        let count = positions(batch, log_points)?;
        let start = positions(first, log_points)?;
        let residues = self.fields.elements_mut(residues)?;
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
