//! Algorithms 8 and 9: the order of rows.

use super::refine::Columns;
use crate::places::Places;

/// An order of rows: first those in which columns begin, then those that lists of columns won.
pub(super) struct RowOrder {
    pub(super) order: Vec<u32>,
    /// How many rows columns begin in.
    pub(super) beginning: usize,
}

pub(super) fn order_rows(matrix: Places<'_>, columns: &Columns) -> RowOrder {
    let mut order: Vec<u32> = columns.beginning_rows().to_vec();
    let beginning = order.len();
    let mut is_beginning = vec![false; matrix.rows()];
    order
        .iter()
        .for_each(|&row| is_beginning[row as usize] = true);

    let won = winners(matrix, columns, &is_beginning);
    // Counting sort by winner, rows without non-zeros after all others.
    let mut places = vec![0; columns.list_count() + 2];
    won.iter()
        .for_each(|&(_, list)| places[list as usize + 1] += 1);
    (1..places.len()).for_each(|list| places[list] += places[list - 1]);
    order.resize(matrix.rows(), 0);
    for (row, list) in won {
        let place = &mut places[list as usize];
        order[beginning + *place] = row;
        *place += 1;
    }
    RowOrder { order, beginning }
}

/// For each row in which no column begins, the list that owns the most of its non-zeros, of several
/// the first; rows without non-zeros have the list after the last.
fn winners(matrix: Places<'_>, columns: &Columns, is_beginning: &[bool]) -> Vec<(u32, u32)> {
    let mut owners = Owners::new(columns.list_count());
    let mut won = Vec::with_capacity(matrix.rows() - columns.list_count());
    for row in (0..matrix.rows()).filter(|&row| !is_beginning[row]) {
        let lists = matrix
            .row(row)
            .iter()
            .map(|&column| columns.list_of(column));
        let winner = owners.winner(lists);
        won.push((row as u32, winner.unwrap_or(columns.list_count() as u32)));
    }
    won
}

/// Counts how often lists own non-zeros of a row.
pub(super) struct Owners {
    /// All 0 between rows.
    counts: Vec<u32>,
    lists: Vec<u32>,
}

impl Owners {
    pub(super) fn new(lists: usize) -> Self {
        Self {
            counts: vec![0; lists],
            lists: Vec::new(),
        }
    }

    /// The list that comes most often, of several the first.
    pub(super) fn winner(&mut self, lists: impl Iterator<Item = u32>) -> Option<u32> {
        self.lists.clear();
        self.lists.extend(lists);
        let (mut most, mut best) = (0, None);
        for &list in &self.lists {
            let count = &mut self.counts[list as usize];
            *count += 1;
            if *count > most || (*count == most && Some(list) < best) {
                (most, best) = (*count, Some(list));
            }
        }
        self.lists
            .iter()
            .for_each(|&list| self.counts[list as usize] = 0);
        best
    }
}
