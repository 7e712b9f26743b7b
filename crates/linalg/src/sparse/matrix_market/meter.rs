//! The memory that entries take as they come.

use sunzi_field::memory::{OutOfMemory, require};

/// Bytes that are taken without asking.
const FREE: u64 = 1 << 26;

/// Counts bytes, and asks for more each time that they have doubled: a file may declare anything, and a packed one
/// holds a thousand times its size.
pub(super) struct Meter<A = fn(u64) -> Result<(), OutOfMemory>> {
    taken: u64,
    allowed: u64,
    ask: A,
}

impl Meter {
    /// Asks the system.
    pub(super) fn new() -> Self {
        Self::asking(require)
    }
}

impl<A: Fn(u64) -> Result<(), OutOfMemory>> Meter<A> {
    fn asking(ask: A) -> Self {
        Self {
            taken: 0,
            allowed: FREE,
            ask,
        }
    }

    /// Counts bytes before they are taken.
    #[inline]
    pub(super) fn add(&mut self, bytes: u64) -> Result<(), OutOfMemory> {
        self.taken = self.taken.saturating_add(bytes);
        if self.taken > self.allowed {
            // What there is stays, so that to double it takes as much again.
            (self.ask)(self.taken)?;
            self.allowed = self.taken.saturating_mul(2);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn stops_before_the_memory_ends() {
        let machine = 1 << 30;
        let taken = Cell::new(0);
        let asked = Cell::new(0);
        let mut meter = Meter::asking(|needed| {
            asked.set(asked.get() + 1);
            let available = machine - taken.get();
            if needed <= available {
                return Ok(());
            }
            Err(OutOfMemory { needed, available })
        });
        while meter.add(1000).is_ok() {
            taken.set(taken.get() + 1000);
        }
        assert!(taken.get() <= machine && taken.get() > machine / 4);
        assert!(asked.get() < 10);
    }

    #[test]
    fn one_entry_may_be_too_large() {
        let mut meter = Meter::new();
        assert!(meter.add(u64::MAX).is_err());
        assert!(meter.add(u64::MAX).is_err());
    }
}
