//! What launches come to.

use crate::source::Source;
use std::sync::Arc;

/// What a launch comes to, as the description of its kernel says; what each means says [`LaunchWork`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    /// Bytes of the device's memory that are read and written.
    pub bytes: u64,
    /// 32-bit multiply-adds.
    pub multiplications: u64,
    /// Times that the threads of a group wait for each other.
    pub barriers: usize,
}

/// A launch, and what it comes to.
///
/// Bytes are what it reads and writes once, factors and constants left out; multiplications are 32-bit multiply-adds, those
/// with the zeros that fill up groups included: two for a product of words with all 64 bits, and operations on doubles where
/// residues are doubles.
#[derive(Clone, Debug)]
pub struct LaunchWork {
    /// The program.
    pub source: Arc<Source<'static>>,
    /// Its kernel.
    pub kernel: &'static str,
    /// Groups of threads.
    pub groups: usize,
    /// Threads of a group.
    pub threads: usize,
    /// Bytes of its tile that a group shares: those of [`Launch`](crate::Launch).
    pub shared_bytes: usize,
    /// Times that the threads of a group wait for each other.
    pub barriers: usize,
    /// Bytes of the device's memory that are read and written.
    pub bytes: u64,
    /// 32-bit multiply-adds.
    pub multiplications: u64,
}
