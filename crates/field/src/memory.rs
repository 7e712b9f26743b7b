//! How much memory a computation may take, asked before it starts.

use std::fs;

use thiserror::Error;

/// Requests below this many bytes are not checked: asking the system costs some microseconds.
const UNCHECKED_BYTES: u64 = 1 << 26;

/// A computation needs more memory than the machine can give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "this needs about {} MiB of memory and the machine has {} MiB free: use smaller operands or a larger machine",
    needed >> 20,
    available >> 20
)]
pub struct OutOfMemory {
    /// Bytes that the computation would take.
    pub needed: u64,
    /// Bytes that the system can give.
    pub available: u64,
}

/// The memory that the system can give now without swapping, in bytes, within the limits set for
/// this process's group; `None` where the system does not tell (anything but Linux).
pub fn available_bytes() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| meminfo_available(&text))?;
    let limit = group_file("memory.max");
    let used = group_file("memory.current");
    match (limit, used) {
        (Some(limit), Some(used)) => Some(machine.min(limit.saturating_sub(used))),
        _ => Some(machine),
    }
}

/// A number from the control group's files; `None` if there is none or it is `max`.
fn group_file(name: &str) -> Option<u64> {
    let text = fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?;
    text.trim().parse().ok()
}

/// The line `MemAvailable: … kB` in bytes.
fn meminfo_available(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
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
    fn reads_the_kernels_table() {
        let text = "MemTotal:       100 kB\nMemAvailable:   24 kB\n";
        assert_eq!(meminfo_available(text), Some(24 * 1024));
        assert_eq!(meminfo_available("MemTotal: 1 kB"), None);
        assert_eq!(meminfo_available("MemAvailable: x kB"), None);
    }

    #[test]
    fn refuses_with_both_figures() {
        let OutOfMemory { needed, available } = require(u64::MAX).unwrap_err();
        assert_eq!(needed, u64::MAX);
        assert!(available < u64::MAX);
    }
}
