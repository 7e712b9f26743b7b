//! Launches whose number of groups is a product of sizes.

use crate::{GpuError, Launch};

/// A launch of so many groups.
///
/// # Errors
/// [`GpuError::Shape`] for 2^31 groups and more: the kernels' numbers of groups have 32 bits, and drivers take no more.
pub fn launch(groups: u64, threads: usize, shared_bytes: usize) -> Result<Launch, GpuError> {
    if groups >> 31 != 0 {
        return Err(GpuError::Shape(format!(
            "{groups} groups of threads are more than one launch takes: cut the batch into smaller ones"
        )));
    }
    Ok(Launch {
        groups: groups as usize,
        threads,
        shared_bytes,
    })
}
