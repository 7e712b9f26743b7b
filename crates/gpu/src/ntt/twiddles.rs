//! Tables of twiddle factors, made on the device.

use super::plan::{NttPlan, near};
use super::programs::{FillPowers, FillTable, Pointwise};
use crate::elements::Elements;
use crate::field::{Fields, Scale};
use sunzi_device::{GpuError, Launch, Stream};
use sunzi_field::{Fp64, TwoAdicField};

/// Twiddle factors of one direction, modulo one prime after the other.
///
/// With ω_k the root of order 2^(k+2), W\[i\] is the product of the ω_k over the bits k of i; so the factor of block b
/// is W\[b\] on every level, W\[2i\]² = W\[i\], and W\[i + j·2^s\] = W\[i\]·W\[j·2^s\] for i < 2^s.
#[derive(Debug)]
pub(super) struct Factors {
    /// W\[i\] for i < 2^`split`.
    pub table: Elements,
    /// log2 of the factors in `table`.
    pub split: u32,
    /// W\[h·2^near\]^k at h·2^`log_radix` + k, and log2 of these, if there are factors beyond the table.
    pub powers: Option<(Elements, u32)>,
}

/// The kernels that fill tables, and what they are told of the primes.
pub(super) struct Filling<'a> {
    pub points: &'a Pointwise,
    pub fields: &'a Fields,
    pub plan: &'a NttPlan,
}

impl Factors {
    /// Fills them: the W\[i\] of 2^`bits` indices, from each prime's ω_0, ω_1, … (`roots`, as words of prepared factors).
    fn new(
        stream: &Stream,
        filling: &Filling<'_>,
        (bits, roots): (u32, &[u32]),
    ) -> Result<Self, GpuError> {
        let device = stream.device();
        let parameters = filling.plan.parameters();
        let (word, primes) = (filling.fields.word(), filling.fields.moduli().len());
        let width = word.prepared_width();
        let roots = Elements::new(device.filled(stream, roots)?, width);
        let launch = |log_count: u32| {
            let groups = (1u64 << log_count).div_ceil(parameters.threads as u64);
            Launch::rows(groups, primes, parameters.threads, 0)
        };
        let split = filling.plan.split(bits);
        let of_powers = |log_count| {
            let mut powers = Elements::uninit(device, primes << log_count, width)?;
            let fill = FillPowers {
                powers: powers.as_mut(),
                roots: roots.as_ref(),
                bits,
                log_count,
                near: near(word, split),
                radix: parameters.log_radix,
                scale: Scale::One,
                fields: filling.fields,
            };
            stream.launch(&filling.points.fill_powers, launch(log_count)?, fill)?;
            Ok::<_, GpuError>((powers, log_count))
        };
        let log_powers = filling.plan.log_powers(word, bits);
        let mut table = Elements::uninit(device, primes << split, width)?;
        let fill = FillTable {
            table: table.as_mut(),
            roots: roots.as_ref(),
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
pub(super) fn both(
    stream: &Stream,
    filling: &Filling<'_>,
    bits: u32,
) -> Result<[Factors; 2], GpuError> {
    let word = filling.fields.word();
    let [mut roots, mut inverses] = [Vec::new(), Vec::new()];
    for modulus in filling.fields.moduli() {
        let prime = modulus.get();
        let no_root = || GpuError::Shape(format!("{prime} has no root of order 2^{}", bits + 1));
        let field = Fp64::new(prime).map_err(|error| GpuError::Shape(error.to_string()))?;
        // Of orders 4, 8, 16, …, 2^(bits + 1).
        for order in 2..=bits + 1 {
            let root = field.root_of_unity(order).ok_or_else(no_root)?;
            let inverse = modulus.inv(root).ok_or_else(no_root)?;
            word.push_prepared(&mut roots, modulus, root);
            word.push_prepared(&mut inverses, modulus, inverse);
        }
    }
    let make = |roots: &[u32]| Factors::new(stream, filling, (bits, roots));
    Ok([make(&roots)?, make(&inverses)?])
}
