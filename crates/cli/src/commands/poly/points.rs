//! Points, and values at them.

use sunzi::{field::AnyField, memory::Budget};
use sunzi_files::failure::Failure;
use sunzi_files::input::lines::LineReader;
use sunzi_files::input::vector::Vector;
use sunzi_files::memory;
use sunzi_files::numbers::residues::Residues;
use sunzi_files::progress::Progress;

/// Reads points and values for some work.
pub struct PointReader<'a> {
    pub field: &'a AnyField,
    /// What the work is called in sentences: `interpolation`.
    pub work: &'static str,
    /// The bytes that it takes at least, those of points or values among them, by the number of points.
    pub needed: &'a dyn Fn(usize) -> u64,
    pub budget: Budget,
}

impl PointReader<'_> {
    /// All entries of a file, which are refused as soon as they are too many for the memory.
    pub fn read(&self, reader: &mut LineReader) -> Result<Vector<u64>, Failure> {
        let progress = Progress::reading(reader.size());
        let residues = Residues::new(self.field);
        residues.read_vector(reader, &mut |reader, vector| {
            let entries = &vector.entries[..];
            progress.at(reader.bytes_read());
            let needed = (self.needed)(vector.lines.len());
            // Rows may be wider than elements, of which the work consists.
            let held = needed.min(size_of_val(entries) as u64);
            let budget = self.budget.holding(held);
            memory::check(reader.name(), self.work, needed - held, budget)
        })
    }
}
