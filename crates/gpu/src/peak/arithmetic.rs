//! Programs, and multiplications a second.

use super::clock::rounds_per_second;
use crate::field::Fields;
use crate::word::Word;
use bytemuck::Pod;
use sunzi_device::{Buffer, DeviceKind, GpuError, Kernel, Launch, Source, Stream, kernel};

const LIMBS: &str = include_str!("../kernels/limbs.cl");
const WORDS: &str = include_str!("words.cl");
const PRODUCTS_MODULO: &str = include_str!("prime.cl");
const DOUBLES: &str = include_str!("doubles.cl");

kernel! {
    /// A launch that does nothing.
    pub(super) unsafe struct Nothing<'a> for "nothing" {
        x: &'a mut Buffer<u32>,
    }
}

kernel! {
    /// A copy by blocks.
    pub(super) unsafe struct CopyQuads<'a> for "copy_quads" {
        to: &'a mut Buffer<u32> [from],
        from: &'a Buffer<u32>,
    }
}

kernel! {
    /// Products in every thread, which has one element.
    unsafe struct Products<'a> for "wide_products" | "chained_products" | "double_products" {
        x: &'a mut Buffer<u32>,
        rounds: u32,
    }
}

kernel! {
    /// Products modulo a prime in every thread, which has one element.
    unsafe struct PrimeProducts<'a> for "prime_products" {
        x: &'a mut Buffer<u64>,
        rounds: u32,
        fields: &'a Fields,
    }
}

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
    with_sizes(Source::new("peak rates", threads))
        .define("QUADS", QUADS)
        .define("COLUMNS", COLUMNS)
        .part(LIMBS)
        .part(WORDS)
}

/// Products modulo a prime.
fn prime(fields: &Fields, threads: usize) -> Source<'static> {
    with_sizes(fields.source("peak rates modulo a prime", threads)).part(PRODUCTS_MODULO)
}

/// Products of doubles.
fn doubles(threads: usize) -> Source<'static> {
    with_sizes(Source::new("peak rates of doubles", threads)).part(DOUBLES)
}

fn with_sizes(source: Source<'static>) -> Source<'static> {
    source.define("CHAINS", CHAINS).define("STEPS", STEPS)
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
    let field = Fields::new(stream, Word::U64, &[PRIME], 0)?;
    let prime = device.program(&prime(&field, group))?;
    let chains = CHAINS * STEPS;
    let wide = words.kernel("wide_products")?;
    let chained = words.kernel("chained_products")?;
    let primes = prime.kernel("prime_products")?;
    let double = if device.info().doubles {
        let program = device.program(&doubles(group))?;
        let kernel = program.kernel("double_products")?;
        let submit = |launch, x: &mut Buffer<f64>, rounds| {
            let x = x.cast_mut();
            stream.launch(&kernel, launch, Products { x, rounds })
        };
        Some(rate(stream, 0.0, chains, submit)?)
    } else {
        None
    };
    let words = |kernel: &Kernel, each| {
        let submit = |launch, x: &mut Buffer<u32>, rounds| {
            stream.launch(kernel, launch, Products { x, rounds })
        };
        rate(stream, 0x9e37_79b9, each, submit)
    };
    let modulo = |launch, x: &mut Buffer<u64>, rounds| {
        let fields = &field;
        stream.launch(&primes, launch, PrimeProducts { x, rounds, fields })
    };
    Ok(Arithmetic {
        wide: words(&wide, chains)?,
        chained: words(&chained, COLUMNS * COLUMNS)?,
        prime: rate(stream, 3_u64 << 50, chains, modulo)?,
        double,
    })
}

/// How many of the operations a second that a thread does `each` of in a round, from a value.
fn rate<T: Pod>(
    stream: &Stream,
    value: T,
    each: usize,
    submit: impl Fn(Launch, &mut Buffer<T>, u32) -> Result<(), GpuError>,
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
    let mut values = device.filled(stream, &vec![value; groups * threads])?;
    let launch = Launch {
        groups: [groups, 1, 1],
        threads: [threads, 1, 1],
        shared_bytes: 0,
    };
    let rounds = rounds_per_second(stream, |rounds| submit(launch, &mut values, rounds))?;
    Ok(rounds * (groups * threads * each) as f64)
}
