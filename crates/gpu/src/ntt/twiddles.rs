//! Tables of twiddle factors, made on the device.

use super::plan::NttParameters;
use crate::backend::{Argument, Launch};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::GpuError;
use crate::field::{Modulus, ResidueWord};
use crate::program::Kernel;
use crate::stream::Stream;
use sunzi_field::{Fp64, TwoAdicField};

/// Twiddle factors of one direction.
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
}

impl<E: ResidueWord> Factors<E> {
    /// Fills them by the kernel `fill_table`: the W\[i\] of 2^`roots.len()` indices, from ω_0, ω_1, …, with at most
    /// 2^`log_table` of them in the first table.
    fn new(
        device: &Device,
        stream: &Stream,
        kernel: &Kernel,
        modulus: &Modulus,
        roots: &[u64],
        log_table: u32,
        threads: usize,
    ) -> Result<Self, GpuError> {
        let bits = roots.len() as u32;
        let split = bits.min(log_table);
        let prepared: Vec<E> = roots.iter().map(|&root| modulus.prepared(root)).collect();
        let mut powers = device.buffer::<E>(prepared.len())?;
        stream.write(&mut powers, &prepared)?;
        let fill = |start: u32, log_count: u32| {
            let mut table = device.buffer::<E>(1 << log_count)?;
            let launch = Launch {
                groups: (1usize << log_count).div_ceil(threads),
                threads,
                shared_bytes: 0,
            };
            let arguments = modulus.arguments::<E>(&[
                (&mut table).into(),
                (&powers).into(),
                Argument::U32(start),
                Argument::U32(log_count),
                modulus.scale::<E>(1),
            ]);
            // SAFETY: the arguments are those of the kernel; it writes 2^log_count factors, and reads the powers
            // start .. start + log_count, which are at most all.
            unsafe { stream.launch(kernel, launch, &arguments)? };
            Ok::<_, GpuError>(table)
        };
        Ok(Self {
            table: fill(0, split)?,
            high: fill(split, bits - split)?,
            split,
        })
    }
}

/// The twiddle factors with `bits` bits of index, forward and inverse.
pub(super) fn both<E: ResidueWord>(
    device: &Device,
    kernel: &Kernel,
    modulus: &Modulus,
    bits: u32,
    parameters: &NttParameters,
) -> Result<[Factors<E>; 2], GpuError> {
    let prime = modulus.prime();
    let no_root = || GpuError::Shape(format!("{prime} has no root of order 2^{}", bits + 1));
    let field = Fp64::new(prime).map_err(|error| GpuError::Shape(error.to_string()))?;
    // Of orders 4, 8, 16, …, 2^(bits + 1).
    let roots: Vec<u64> = (2..=bits + 1)
        .map(|order| field.root_of_unity(order).ok_or_else(no_root))
        .collect::<Result<_, _>>()?;
    let inverses: Vec<u64> = roots
        .iter()
        .map(|&root| modulus.ring().inv(root).ok_or_else(no_root))
        .collect::<Result<_, _>>()?;
    let stream = device.stream()?;
    let make = |roots: &[u64]| {
        Factors::new(
            device,
            &stream,
            kernel,
            modulus,
            roots,
            parameters.log_table,
            parameters.threads,
        )
    };
    let both = [make(&roots)?, make(&inverses)?];
    // Other streams may use them from now on.
    stream.finish()?;
    Ok(both)
}
