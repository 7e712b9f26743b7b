//! Tables of twiddle factors, made on the device.

use super::plan::{NttPlan, near};
use super::programs::{FillPowers, FillTable, Pointwise};
use crate::field::{Modulus, ResidueWord, Scale};
use sunzi_device::{Buffer, Device, GpuError, Launch, Stream};
use sunzi_field::{Fp64, TwoAdicField};

/// Twiddle factors of one direction, modulo one prime after the other.
///
/// With ω_k the root of order 2^(k+2), W\[i\] is the product of the ω_k over the bits k of i; so the factor of block b
/// is W\[b\] on every level, W\[2i\]² = W\[i\], and W\[i + j·2^s\] = W\[i\]·W\[j·2^s\] for i < 2^s.
#[derive(Debug)]
pub(super) struct Factors<E: ResidueWord> {
    /// W\[i\] for i < 2^`split`.
    pub table: Buffer<E::Prepared>,
    /// log2 of the factors in `table`.
    pub split: u32,
    /// W\[h·2^near\]^k at h·2^`log_radix` + k, and log2 of these, if there are factors beyond the table.
    pub powers: Option<(Buffer<E::Prepared>, u32)>,
}

/// The kernels that fill tables, and what they are told of the primes.
pub(super) struct Filling<'a, E: ResidueWord> {
    pub points: &'a Pointwise,
    pub fields: &'a Buffer<E>,
    pub plan: &'a NttPlan,
}

impl<E: ResidueWord> Factors<E> {
    /// Fills them: the W\[i\] of 2^`bits` indices, from each prime's ω_0, ω_1, … (`roots`).
    fn new(
        stream: &Stream,
        filling: &Filling<'_, E>,
        (primes, bits, roots): (usize, u32, &[E::Prepared]),
    ) -> Result<Self, GpuError> {
        let device = stream.device();
        let parameters = filling.plan.parameters();
        let roots = device.filled(stream, roots)?;
        let launch = |log_count: u32| {
            let groups = (1u64 << log_count).div_ceil(parameters.threads as u64);
            Launch::rows(groups, primes, parameters.threads, 0)
        };
        let split = filling.plan.split(bits);
        let of_powers = |log_count| {
            let mut powers = device.buffer::<E::Prepared>(primes << log_count)?;
            let fill = FillPowers {
                powers: &mut powers,
                roots: &roots,
                bits,
                log_count,
                near: near::<E>(split),
                radix: parameters.log_radix,
                scale: Scale::One,
                fields: filling.fields,
            };
            stream.launch(&filling.points.fill_powers, launch(log_count)?, fill)?;
            Ok::<_, GpuError>((powers, log_count))
        };
        let log_powers = filling.plan.log_powers::<E>(bits);
        let mut table = device.buffer::<E::Prepared>(primes << split)?;
        let fill = FillTable {
            table: &mut table,
            roots: &roots,
            bits,
            log_count: split,
            scale: Scale::One,
            fields: filling.fields,
        };
        stream.launch(&filling.points.fill_table, launch(split)?, fill)?;
        Ok(Self {
            table,
            split,
            powers: log_powers.map(of_powers).transpose()?,
        })
    }
}

/// The twiddle factors with `bits` bits of index, forward and inverse.
pub(super) fn both<E: ResidueWord>(
    device: &Device,
    filling: &Filling<'_, E>,
    moduli: &[Modulus],
    bits: u32,
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
            both[0].push(modulus.prepared::<E>(root));
            both[1].push(modulus.prepared::<E>(inverse));
        }
    }
    let stream = device.stream()?;
    let make = |roots: &[E::Prepared]| Factors::new(&stream, filling, (moduli.len(), bits, roots));
    Ok([make(&both[0])?, make(&both[1])?])
}
