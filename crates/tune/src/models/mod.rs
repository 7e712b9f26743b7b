//! Models of a GPU: residence of blocks on its multiprocessors, the MWP-CWP model of its kernels and Little's law, and the many-core
//! machine model of programs of kernels.

mod littles_law;
mod many_core;
mod mwp_cwp;
mod occupancy;

pub use littles_law::{Limit, LittlesLaw, LittlesLawDevice, WithinWarp, littles_law};
pub use many_core::{
    ChunkedProduct, CondensationLaunch, IdealCache, KernelCosts, KernelId, MachineModel,
    ManyCoreAlgorithm, ManyCoreCosts, ManyCoreProgram, PathCosts, ThreadCosts, ThresholdTree,
    TransformCosts, TreeStep, UnknownKernel,
};
pub use mwp_cwp::{MwpCwp, MwpCwpDevice, Rounding, WarpCounts, WarpLaunch, mwp_cwp};
pub use occupancy::{BlockResources, MultiprocessorLimits};
