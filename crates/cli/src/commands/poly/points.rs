//! Points, and values at them.

use crate::error::Failure;
use crate::fields::CommandField;
use crate::input::lines::LineReader;
use crate::input::vector::{self, Vector};
use crate::memory;
use crate::operation::residues::Residues;
use crate::progress::Progress;

/// Reads points and values for some work.
pub struct PointReader<'a, F: CommandField> {
    pub field: &'a F,
    /// What the work is called in sentences: `interpolation`.
    pub work: &'static str,
    /// The bytes that it takes for so many points, at least.
    pub needed: &'a dyn Fn(usize) -> u64,
    /// The most that it may take.
    pub max_memory: Option<u64>,
}

impl<F: CommandField> PointReader<'_, F> {
    /// All entries of a file, which are refused as soon as they are too many for the memory; `noun` says
    /// what a line holds.
    pub fn read(
        &self,
        reader: &mut LineReader,
        noun: &'static str,
    ) -> Result<Vector<F::Elem>, Failure> {
        let progress = Progress::new(reader.size());
        let residues = Residues::new(self.field.clone(), noun);
        let read_one = |content: &[u8]| {
            let entry = residues.read(content);
            entry.map_err(|error| vector::hinted(content, "integer", error))
        };
        vector::read(reader, "integer", read_one, |reader, vector| {
            let entries = &vector.entries[..];
            progress.at(reader.bytes_read(), "reading");
            let (held, needed) = (size_of_val(entries) as u64, (self.needed)(entries.len()));
            memory::check(reader.name(), self.work, needed, held, self.max_memory)
        })
    }
}
