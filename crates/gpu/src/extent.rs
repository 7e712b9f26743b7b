//! Whether buffers hold what a call reads and writes.

use crate::{Buffer, GpuError};

/// Checks that a buffer has `count` rows of `words` elements each, one after the other, from element `first` on.
///
/// # Errors
/// [`GpuError::Shape`] if it has not.
pub fn check_rows<T>(
    what: &str,
    buffer: &Buffer<T>,
    first: usize,
    count: usize,
    words: usize,
) -> Result<(), GpuError> {
    let end = count
        .checked_mul(words)
        .and_then(|all| all.checked_add(first));
    if end.is_none_or(|end| end > buffer.len()) {
        return Err(GpuError::Shape(format!(
            "{what}: {count} times {words} elements from {first} on are beyond the end of a buffer of {}",
            buffer.len()
        )));
    }
    Ok(())
}
