//! How finely work is cut into blocks and between threads.
//!
//! Cuts are where results are joined again, and where mistakes hide that only long inputs would show. So the
//! lengths at which work is cut are fields of what does the work, and tests make them short enough to cover every
//! cut with tiny inputs.

/// What the measured lengths of blocks, and of work that is worth another thread, are divided by.
///
/// ```
/// use sunzi_machine::Grain;
///
/// assert_eq!(Grain::default().of(4096), 4096);
/// assert_eq!((Grain::finer(5).of(4096), Grain::finer(20).of(4096)), (128, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Grain {
    log: u32,
}

impl Grain {
    /// Lengths 2^`log` times as short as those that are fastest.
    #[must_use]
    pub const fn finer(log: u32) -> Self {
        Self { log }
    }

    /// A length as it is to be used: 1 at least.
    #[must_use]
    pub fn of(self, length: usize) -> usize {
        length.checked_shr(self.log).unwrap_or(0).max(1)
    }
}
