//! How finely work is cut into blocks and between threads.
//!
//! Cuts are where results are joined again, and where mistakes hide that only long inputs would show. So the
//! lengths at which work is cut are fields of what does the work, and tests make them short enough to cover every
//! cut with tiny inputs.

/// What the built-in lengths of blocks, and of work that is worth another thread, are divided or multiplied by.
///
/// ```
/// use sunzi_machine::Grain;
///
/// assert_eq!(Grain::default().of(4096), 4096);
/// assert_eq!((Grain::finer(5).of(4096), Grain::finer(20).of(4096)), (128, 1));
/// assert_eq!((Grain::coarser(2).of(4096), Grain::coarser(99).of(4096)), (16384, usize::MAX));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Grain {
    /// log2 of the divisor.
    log: u32,
    /// log2 of the factor.
    log_factor: u32,
}

impl Grain {
    /// Lengths 2^`log` times as short as those that are fastest.
    #[must_use]
    pub const fn finer(log: u32) -> Self {
        Self { log, log_factor: 0 }
    }

    /// Lengths 2^`log` times as long: for machines on which another thread costs more.
    #[must_use]
    pub const fn coarser(log: u32) -> Self {
        Self {
            log: 0,
            log_factor: log,
        }
    }

    /// A length as it is to be used: 1 at least.
    #[must_use]
    pub fn of(self, length: usize) -> usize {
        let divided = length.checked_shr(self.log).unwrap_or(0).max(1);
        let factor = 1usize.checked_shl(self.log_factor).unwrap_or(usize::MAX);
        divided.saturating_mul(factor)
    }
}
