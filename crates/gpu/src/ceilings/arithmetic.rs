//! Programs, and multiplications a second.

use super::clock::rounds_per_second;
use crate::backend::{Argument, Launch};
use crate::error::GpuError;
use crate::field::{Modulus, ResidueWord, field_source, field_table};
use crate::info::DeviceKind;
use crate::program::{Kernel, Source};
use crate::stream::Stream;
use bytemuck::Pod;

const LIMBS: &str = include_str!("../kernels/limbs.cl");
const CEILINGS: &str = include_str!("words.cl");
const PRODUCTS_MODULO: &str = include_str!("prime.cl");
const DOUBLES: &str = include_str!("doubles.cl");

/// Blocks of 16 bytes that a thread copies.
pub(super) const QUADS: usize = 4;
/// Independent sums of a thread.
const CHAINS: usize = 8;
/// What each of them does in a round.
const STEPS: usize = 8;
/// Words of a row.
const COLUMNS: usize = 8;

/// Copies and products of words.
pub(super) fn words(threads: usize) -> Source<'static> {
    with_sizes(Source::new("ceilings", threads))
        .define("QUADS", QUADS)
        .define("COLUMNS", COLUMNS)
        .part(LIMBS)
        .part(CEILINGS)
}

/// Products modulo a prime.
fn prime(threads: usize) -> Source<'static> {
    with_sizes(field_source::<u64>(
        "ceilings modulo a prime",
        threads,
        true,
    ))
    .part(PRODUCTS_MODULO)
}

/// Products of doubles.
fn doubles(threads: usize) -> Source<'static> {
    with_sizes(Source::new("ceilings of doubles", threads)).part(DOUBLES)
}

fn with_sizes(source: Source<'static>) -> Source<'static> {
    source.define("CHAINS", CHAINS).define("STEPS", STEPS)
}

/// All of them, for groups of 256 threads.
pub(crate) fn sources() -> Vec<Source<'static>> {
    vec![words(256), prime(256), doubles(256)]
}

/// The prime of products modulo one: 2^60 − 2^18 + 1.
const PRIME: u64 = (1 << 60) - (1 << 18) + 1;

/// Products a second.
pub(super) struct Arithmetic {
    pub wide: f64,
    pub chained: f64,
    pub prime: f64,
    pub double: Option<f64>,
}

/// Measures them.
pub(super) fn measure(stream: &Stream) -> Result<Arithmetic, GpuError> {
    let device = stream.device();
    let group = device.info().independent_threads();
    let words = device.program(&words(group))?;
    let prime = device.program(&prime(group))?;
    let chains = CHAINS * STEPS;
    let wide = words.kernel("wide_products")?;
    let chained = words.kernel("chained_products")?;
    let primes = prime.kernel("prime_products")?;
    let modulus = Modulus::new::<u64>(device, PRIME)?;
    let field = field_table::<u64>(stream, &[modulus], 0)?;
    let double = if device.info().doubles {
        let program = device.program(&doubles(group))?;
        let kernel = program.kernel("double_products")?;
        Some(rate(stream, &kernel, 0f64, &[], chains)?)
    } else {
        None
    };
    Ok(Arithmetic {
        wide: rate(stream, &wide, 0x9e37_79b9u32, &[], chains)?,
        chained: rate(stream, &chained, 0x9e37_79b9u32, &[], COLUMNS * COLUMNS)?,
        prime: rate(
            stream,
            &primes,
            u64::from_residue(3 << 50),
            &[(&field).into()],
            chains,
        )?,
        double,
    })
}

/// How many of the operations a second that a thread does `each` of in a round, from a value.
fn rate<T: Pod>(
    stream: &Stream,
    kernel: &Kernel,
    value: T,
    more: &[Argument],
    each: usize,
) -> Result<f64, GpuError> {
    let device = stream.device();
    let info = device.info();
    let threads = info.independent_threads();
    // Several times what runs at once, so that the last groups to end leave little idle.
    let groups = info.units.max(1)
        * match info.kind {
            DeviceKind::Cpu => 4,
            DeviceKind::Gpu | DeviceKind::Accelerator => 64,
        };
    let values = device.filled(stream, &vec![value; groups * threads])?;
    let launch = Launch {
        groups: [groups, 1, 1],
        threads: [threads, 1, 1],
        shared_bytes: 0,
    };
    let rounds = rounds_per_second(stream, |rounds| {
        let mut arguments = vec![Argument::of(&values), Argument::U32(rounds)];
        arguments.extend(more);
        // SAFETY: the arguments are those of the kernel, which has one value for each thread.
        unsafe { stream.launch(kernel, launch, &arguments) }
    })?;
    Ok(rounds * (groups * threads * each) as f64)
}
