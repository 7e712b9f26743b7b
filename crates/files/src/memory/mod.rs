//! How much memory a computation may use.

mod allocator;
mod budget;
mod size;

pub use allocator::Counted;
pub use budget::limits;
pub use size::{parse_size, shown};

use crate::error::Failure;
use sunzi_field::memory::available_bytes;

/// Work that needs less than this is not compared with the memory of the machine.
const UNCHECKED_BYTES: u64 = 1 << 26;

/// The memory that may be used, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Available(Option<u64>);

impl Available {
    /// What the system reports as available, and no more than the user allows.
    ///
    /// Only Linux tells; elsewhere the user's limit alone counts.
    pub fn detect(limit: Option<u64>) -> Self {
        Self([limit, available_bytes()].into_iter().flatten().min())
    }

    /// Bytes, if known.
    pub fn bytes(self) -> Option<u64> {
        self.0
    }
}

/// The bytes that can be used, where they are fewer than the `needed` ones, of which `held` lie in
/// memory already; the user's limit counts for all of them.
pub fn shortage(needed: u64, held: u64, limit: Option<u64>) -> Option<u64> {
    if needed < UNCHECKED_BYTES && limit.is_none() {
        return None;
    }
    let free = available_bytes().unwrap_or(u64::MAX);
    let available = free.saturating_add(held).min(limit.unwrap_or(u64::MAX));
    (needed > available).then_some(available)
}

/// Refuses work on a file that needs this many bytes, of which `held` lie in memory already.
pub fn check(
    file: &str,
    work: &str,
    needed: u64,
    held: u64,
    limit: Option<u64>,
) -> Result<(), Failure> {
    match shortage(needed, held, limit) {
        None => Ok(()),
        Some(available) => Err(Failure::Computation(format!(
            "{file}: the {work} needs at least about {} of memory, and {} can be used",
            shown(needed),
            shown(available),
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_limit_counts() {
        assert_eq!(Available::detect(Some(5)).bytes(), Some(5));
        assert_eq!(shortage(6, 0, Some(5)), Some(5));
        assert_eq!(shortage(6, 6, Some(5)), Some(5));
        assert_eq!(shortage(5, 0, Some(5)), None);
        assert_eq!(shortage(6, 0, None), None);
        assert!(available_bytes().is_none() || shortage(u64::MAX, 0, None).is_some());
    }
}
