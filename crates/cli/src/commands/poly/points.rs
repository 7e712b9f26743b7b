//! Points, and values at them.

use sunzi::memory::Budget;
use sunzi_files::failure::Failure;
use sunzi_files::input::lines::LineReader;
use sunzi_files::input::vector::{Grown, Vector};
use sunzi_files::memory;
use sunzi_files::progress::Progress;

/// Reads points and values for some work.
pub struct PointReader<'a, T> {
    /// What the work is called in sentences: `interpolation`.
    pub work: &'static str,
    /// The bytes that it takes at least, those of points or values among them.
    pub needed: &'a dyn Fn(&Vector<T>) -> u64,
    pub budget: Budget,
}

impl<T> PointReader<'_, T> {
    /// All entries of a file, which are refused as soon as they are too many for the memory; `read` reads them.
    pub fn read(
        &self,
        reader: &mut LineReader,
        read: impl FnOnce(&mut LineReader, &mut Grown<'_, T>) -> Result<Vector<T>, Failure>,
    ) -> Result<Vector<T>, Failure> {
        let progress = Progress::reading(reader.size());
        read(reader, &mut |reader, vector| {
            progress.at(reader.bytes_read());
            let needed = (self.needed)(vector);
            // Rows may be wider than elements, of which the work consists.
            let held = needed.min(size_of_val(&vector.entries[..]) as u64);
            let budget = self.budget.holding(held);
            memory::check(reader.name(), self.work, needed - held, budget)
        })
    }
}
