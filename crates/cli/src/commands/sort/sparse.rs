//! Integers as the positions of their ones.

use super::SortOrder;
use super::{Kind, Sorted};
use sunzi::sort::{PositionLists, sort_by_gray_rank, sort_sparse_integers};
use sunzi_files::failure::Failure;
use sunzi_files::input::lines::LineReader;
use sunzi_files::input::vector::{Grown, Vector};
use sunzi_files::numbers::positions;
use sunzi_files::results::Results;

/// Integers as positions of ones.
pub struct Sparse {
    order: SortOrder,
}

impl Sparse {
    pub fn new(order: SortOrder) -> Self {
        Self { order }
    }
}

impl Kind for Sparse {
    /// The positions, the highest first.
    type Item = Vec<u32>;

    fn read(
        &self,
        reader: &mut LineReader,
        grown: &mut Grown<'_, Self::Item>,
    ) -> Result<Vector<Self::Item>, Failure> {
        positions::read_vector(reader, grown)
    }

    fn bytes(&self, positions: &Self::Item) -> u64 {
        (size_of_val(positions) + 2 * size_of_val(&positions[..])) as u64
    }

    fn sort(&self, items: Vec<Self::Item>) -> Sorted<Self::Item> {
        // The order counts positions from the most significant bit.
        let highest = items.iter().filter_map(|item| item.first()).max();
        let bits = highest.map_or(0, |highest| highest + 1);
        let mut starts = Vec::with_capacity(items.len() + 1);
        starts.push(0);
        let mut positions = Vec::new();
        for item in &items {
            positions.extend(item.iter().map(|position| bits - 1 - position));
            starts.push(positions.len());
        }
        let lists =
            PositionLists::new(&starts, &positions, bits).map_err(|error| error.to_string())?;
        let order = match self.order {
            SortOrder::Value => sort_sparse_integers(&lists),
            SortOrder::Gray => sort_by_gray_rank(&lists),
        };
        let mut items: Vec<_> = items.into_iter().map(Some).collect();
        let sorted = order.iter().filter_map(|&item| items[item as usize].take());
        Ok((
            sorted.collect(),
            "refinement",
            "by positions of ones".to_owned(),
        ))
    }

    fn write(
        &self,
        items: &[Self::Item],
        json: bool,
        results: &mut Results,
    ) -> Result<(), Failure> {
        positions::write_results(items, json, results)
    }
}
