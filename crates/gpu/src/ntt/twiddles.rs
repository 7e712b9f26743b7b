//! Tables of twiddle factors, made on the device.

use super::plan::NttParameters;
use crate::backend::{Argument, Launch};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::GpuError;
use crate::field::{Modulus, ResidueWord, Scale};
use crate::program::Kernel;
use crate::stream::Stream;
use sunzi_field::{Fp64, TwoAdicField};

/// Twiddle factors of one direction, modulo one prime after the other.
///
/// With ω_k the root of order 2^(k+2), W\[i\] is the product of the ω_k over the bits k of i; so the factor of block b
/// is W\[b\] on every level, and W\[i + j·2^s\] = W\[i\]·W\[j·2^s\] for i < 2^s.
#[derive(Debug)]
pub(super) struct Factors<E: ResidueWord> {
    /// W\[i\] for i < 2^`split`.
    pub table: Buffer<E>,
    /// W\[i·2^`split`\].
    pub high: Buffer<E>,
    /// log2 of the factors in `table`.
    pub split: u32,
    /// log2 of those in `high`.
    pub log_high: u32,
}

impl<E: ResidueWord> Factors<E> {
    /// Fills them by the kernel `fill_table`: the W\[i\] of 2^`bits` indices, from each prime's ω_0, ω_1, …
    /// (`roots`), with at most 2^`log_table` of them in the first table.
    fn new(
        stream: &Stream,
        kernel: &Kernel,
        fields: &Buffer<E>,
        (primes, bits, roots): (usize, u32, &[E]),
        parameters: &NttParameters,
    ) -> Result<Self, GpuError> {
        let device = stream.device();
        let (split, threads) = (bits.min(parameters.log_table), parameters.threads);
        let powers = device.filled(stream, roots)?;
        let fill = |start: u32, log_count: u32| {
            let mut table = device.buffer::<E>(primes << log_count)?;
            let groups = (1u64 << log_count).div_ceil(threads as u64);
            let launch = Launch::rows(groups, primes, threads, 0)?;
            let arguments = [
                (&mut table).into(),
                (&powers).into(),
                Argument::U32(bits),
                Argument::U32(start),
                Argument::U32(log_count),
                Scale::One.into(),
                fields.into(),
            ];
            // SAFETY: the arguments are those of the kernel; for each prime it writes 2^log_count factors, and reads
            // the powers start .. start + log_count, which are at most all.
            unsafe { stream.launch(kernel, launch, &arguments)? };
            Ok::<_, GpuError>(table)
        };
        Ok(Self {
            table: fill(0, split)?,
            high: fill(split, bits - split)?,
            split,
            log_high: bits - split,
        })
    }
}

/// The twiddle factors with `bits` bits of index, forward and inverse.
pub(super) fn both<E: ResidueWord>(
    device: &Device,
    kernel: &Kernel,
    fields: &Buffer<E>,
    moduli: &[Modulus],
    bits: u32,
    parameters: &NttParameters,
) -> Result<[Factors<E>; 2], GpuError> {
    let mut both = [Vec::new(), Vec::new()];
    for modulus in moduli {
        let prime = modulus.prime();
        let no_root = || GpuError::Shape(format!("{prime} has no root of order 2^{}", bits + 1));
        let field = Fp64::new(prime).map_err(|error| GpuError::Shape(error.to_string()))?;
        // Of orders 4, 8, 16, …, 2^(bits + 1).
        for order in 2..=bits + 1 {
            let root = field.root_of_unity(order).ok_or_else(no_root)?;
            let inverse = modulus.ring().inv(root).ok_or_else(no_root)?;
            both[0].push(modulus.prepared(root));
            both[1].push(modulus.prepared(inverse));
        }
    }
    let stream = device.stream()?;
    let make = |roots: &[E]| {
        Factors::new(
            &stream,
            kernel,
            fields,
            (moduli.len(), bits, roots),
            parameters,
        )
    };
    let both = [make(&both[0])?, make(&both[1])?];
    // Other streams may use them from now on.
    stream.finish()?;
    Ok(both)
}
