//! The programs.

use crate::ntt::field_source;
use crate::{DeviceInfo, DeviceKind, Source};

const LIMBS: &str = include_str!("../kernels/limbs.cl");
const CEILINGS: &str = include_str!("../kernels/ceilings.cl");
const PRIME: &str = include_str!("../kernels/ceilings_prime.cl");
const DOUBLES: &str = include_str!("../kernels/ceilings_doubles.cl");

/// Blocks of 16 bytes that a thread copies.
pub const QUADS: usize = 4;
/// Independent sums of a thread.
pub const CHAINS: usize = 8;
/// What each of them does in a round.
pub const STEPS: usize = 8;
/// Words of a row.
pub const COLUMNS: usize = 8;

/// Threads of a group.
pub fn threads(info: &DeviceInfo) -> usize {
    match info.kind {
        DeviceKind::Cpu => 64,
        DeviceKind::Gpu | DeviceKind::Accelerator => 256,
    }
    .min(info.group_threads)
}

/// Copies and products of words.
pub fn words(threads: usize) -> Source<'static> {
    with_sizes(Source::new("ceilings", threads))
        .define("QUADS", QUADS)
        .define("COLUMNS", COLUMNS)
        .part(LIMBS)
        .part(CEILINGS)
}

/// Products modulo a prime.
pub fn prime(threads: usize) -> Source<'static> {
    with_sizes(field_source::<u64>(
        "ceilings modulo a prime",
        threads,
        true,
    ))
    .part(PRIME)
}

/// Products of doubles.
pub fn doubles(threads: usize) -> Source<'static> {
    with_sizes(Source::new("ceilings of doubles", threads)).part(DOUBLES)
}

fn with_sizes(source: Source<'static>) -> Source<'static> {
    source.define("CHAINS", CHAINS).define("STEPS", STEPS)
}

/// All of them, for groups of 256 threads.
pub fn sources() -> Vec<Source<'static>> {
    vec![words(256), prime(256), doubles(256)]
}
