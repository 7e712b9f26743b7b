//! Models of machines: the ideal cache; residence of blocks on a GPU's multiprocessors, the MWP-CWP model of its kernels, and the
//! many-core machine model of programs of kernels.
//!
//! **Problem.** How often does an algorithm have to wait for memory? The *ideal cache* answers without a machine: Z words
//! in lines of L words, any line in any place, and the line whose next use is furthest away leaves first (Frigo,
//! Leiserson, Prokop and Ramachandran, 1999; §2.3 of the 2013 thesis). [`simulate`] counts its misses for a [`Trace`],
//! and those of a cache that lets the least recently used line go.
//!
//! **Bounds.** Misses are exact. A trace may have any length; the arrays it touches may hold up to 2^30 lines together.
//!
//! **Algorithm.** The misses of the best replacement are counted in one pass, without keeping the trace: see
//! `cache/optimal.rs`.
//!
//! **Floor.** An access reads and writes the last use of its line, one random access to a table of 4 bytes a line, and
//! follows a few links in a table of the same size.
//!
//! ```
//! use sunzi_model::{CacheShape, Replacement, Scan, simulate};
//!
//! let cache = CacheShape::new(1024, 8)?;
//! let report = simulate(&Scan::new(1000), cache, Replacement::Optimal)?;
//! assert_eq!((report.misses(), report.hits()), (125, 875)); // 1000 words in lines of 8
//! # Ok::<(), sunzi_model::CacheError>(())
//! ```

mod cache;
mod many_core;
mod mwp_cwp;
mod occupancy;
mod trace;

pub use cache::{
    Array, ArrayReport, CacheError, CacheReport, CacheShape, Replacement, Trace, simulate,
};
pub use many_core::{
    KernelCosts, KernelId, MachineModel, ManyCoreAlgorithm, ManyCoreCosts, ManyCoreProgram,
    UnknownKernel,
};
pub use mwp_cwp::{MwpCwp, MwpCwpDevice, MwpCwpError, Rounding, WarpCounts, WarpLaunch, mwp_cwp};
pub use occupancy::{BlockResources, MultiprocessorLimits, OccupancyError};
pub use trace::{
    BetweenRounds, CountingSort, CsrIndex, PartitionFurther, Preprocessing, PreprocessingThenSort,
    Scan, Spmv,
};
