//! How much memory a computation may take, asked before it starts.

mod limits;

use std::fs;
use thiserror::Error;

/// Requests below this many bytes are not checked: asking the system costs some hundred microseconds.
const UNCHECKED_BYTES: u64 = 1 << 24;

/// A computation needs more memory than can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "this needs about {} MiB of memory and {} MiB can be used: use smaller operands, a larger machine, or higher limits",
    needed.div_ceil(1 << 20),
    available >> 20
)]
pub struct OutOfMemory {
    /// Bytes that the computation would take.
    pub needed: u64,
    /// Bytes that the system can give.
    pub available: u64,
}

/// The memory that the system can give now without swapping, in bytes, within the limits set for this process
/// (`ulimit -v` and `-d`) and for its control groups; `None` where the system does not tell (anything but Linux).
///
/// ```
/// if let Some(bytes) = sunzi_field::memory::available_bytes() {
///     println!("{} MiB are free", bytes >> 20);
/// }
/// ```
pub fn available_bytes() -> Option<u64> {
    let all = [meminfo("MemAvailable"), process_bytes(), group_bytes()];
    all.into_iter().flatten().min()
}

/// All memory of the machine in bytes; `None` where the system does not tell.
///
/// ```
/// if let Some(bytes) = sunzi_field::memory::machine_bytes() {
///     println!("{} MiB are built in", bytes >> 20);
/// }
/// ```
pub fn machine_bytes() -> Option<u64> {
    meminfo("MemTotal")
}

/// A figure of the kernel's table of the machine's memory, in bytes.
fn meminfo(name: &str) -> Option<u64> {
    limits::kibibytes(&fs::read_to_string("/proc/meminfo").ok()?, name)
}

/// The memory that the limits of this process (`ulimit -v` and `-d`) leave it, in bytes; `None` where there are none.
///
/// ```
/// if let Some(bytes) = sunzi_field::memory::process_bytes() {
///     println!("{} MiB are left to this process", bytes >> 20);
/// }
/// ```
pub fn process_bytes() -> Option<u64> {
    limits::process_left()
}

/// The memory that the limits of this process's control groups leave it, in bytes; `None` where there are none.
///
/// ```
/// if let Some(bytes) = sunzi_field::memory::group_bytes() {
///     println!("{} MiB are left to this group of processes", bytes >> 20);
/// }
/// ```
pub fn group_bytes() -> Option<u64> {
    limits::groups_left()
}

/// Whether `needed` bytes can be had.
///
/// # Errors
/// [`OutOfMemory`] if the system says that it has less. Small requests and systems that do not
/// tell pass.
///
/// ```
/// use sunzi_field::memory::require;
///
/// assert!(require(1000).is_ok());
/// assert!(require(u64::MAX).is_err());
/// ```
pub fn require(needed: u64) -> Result<(), OutOfMemory> {
    if needed < UNCHECKED_BYTES {
        return Ok(());
    }
    // More than any address space is refused wherever this runs.
    let available = available_bytes().unwrap_or(1 << 47);
    if needed > available {
        return Err(OutOfMemory { needed, available });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_with_both_figures() {
        let OutOfMemory { needed, available } = require(u64::MAX).unwrap_err();
        assert_eq!(needed, u64::MAX);
        assert!(available < u64::MAX);
    }
}
