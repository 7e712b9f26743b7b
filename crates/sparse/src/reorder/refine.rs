//! The order of columns: A^1, its merging, and its refinement.

use sunzi_sort::{Direction, Partition};

use crate::places::Places;

/// A^1: the columns by the row in which they begin.
pub(super) struct Columns {
    /// The columns in the order of A^1.
    order: Vec<u32>,
    /// The list of each column.
    list_of: Vec<u32>,
    /// How many non-zeros each column has.
    counts: Vec<u32>,
    /// The row of each list; columns without non-zeros have a list after these.
    beginning_rows: Vec<u32>,
}

/// What is known of a column.
#[derive(Clone, Copy)]
struct Seen {
    first: u32,
    count: u32,
}

/// The columns in their final order.
pub(super) struct Refined {
    pub(super) order: Vec<u32>,
    pub(super) merged_lists: usize,
    pub(super) lists: usize,
    pub(super) open_columns: usize,
    pub(super) iterations: usize,
}

impl Columns {
    pub(super) fn initial(matrix: Places<'_>) -> Self {
        let none = matrix.rows() as u32;
        let mut seen = vec![
            Seen {
                first: none,
                count: 0
            };
            matrix.columns()
        ];
        for row in 0..none {
            for &column in matrix.row(row as usize) {
                let seen = &mut seen[column as usize];
                seen.first = row.min(seen.first);
                seen.count += 1;
            }
        }
        let mut partition = Partition::whole(matrix.columns() as u32);
        let first = |column: u32| seen[column as usize].first;
        partition.refine_by(first, none, Direction::Ascending);
        let mut list_of = vec![0; matrix.columns()];
        let mut beginning_rows = Vec::with_capacity(partition.list_count());
        for (list, columns) in (0..).zip(partition.lists()) {
            columns
                .iter()
                .for_each(|&column| list_of[column as usize] = list);
            beginning_rows.extend(
                columns
                    .first()
                    .map(|&column| first(column))
                    .filter(|&row| row < none),
            );
        }
        Self {
            order: partition.into_order(),
            counts: seen.iter().map(|seen| seen.count).collect(),
            list_of,
            beginning_rows,
        }
    }

    /// The rows in which columns begin, ascending: those that take part in creating A^1.
    pub(super) fn beginning_rows(&self) -> &[u32] {
        &self.beginning_rows
    }

    /// The number of lists of columns with non-zeros.
    pub(super) fn list_count(&self) -> usize {
        self.beginning_rows.len()
    }

    #[inline]
    pub(super) fn list_of(&self, column: u32) -> u32 {
        self.list_of[column as usize]
    }

    /// Merges b lists into one, and refines by the rows that follow until there are more than t·n lists or
    /// no list can be cut.
    pub(super) fn refine(
        &self,
        matrix: Places<'_>,
        row_order: &[u32],
        merge: u32,
        stop: f64,
    ) -> Refined {
        let (m, n) = (matrix.rows() as u32, matrix.columns());
        let places = RowsOfColumns::new(matrix, row_order, self);
        let group = |item: u32| self.list_of[self.order[item as usize] as usize] / merge;
        // Where the rows of a column go on after those of its group.
        let rest: Vec<usize> = (0..n as u32)
            .map(|item| {
                let end = (u64::from(group(item)) + 1) * u64::from(merge);
                let (start, rows) = places.of(item);
                start + rows.iter().take_while(|&&row| u64::from(row) < end).count()
            })
            .collect();
        let mut partition = Partition::whole(n as u32);
        partition.refine_by(group, u32::MAX, Direction::Ascending);
        let merged_lists = partition.list_count();
        let mut iterations = 0;
        while partition.list_count() as f64 <= stop * n as f64 && !partition.is_settled() {
            let direction = if iterations % 2 == 0 {
                Direction::Descending
            } else {
                Direction::Ascending
            };
            let key = |item: u32| {
                let place = rest[item as usize] + iterations;
                if place < places.starts[item as usize + 1] {
                    places.rows[place]
                } else {
                    m
                }
            };
            partition.refine_by(key, m, direction);
            iterations += 1;
        }
        Refined {
            merged_lists,
            lists: partition.list_count(),
            open_columns: partition.open_items(),
            iterations,
            order: partition
                .order()
                .iter()
                .map(|&item| self.order[item as usize])
                .collect(),
        }
    }
}

/// For each column, in an order of columns, its rows, as places in an order of rows, ascending.
struct RowsOfColumns {
    starts: Vec<usize>,
    rows: Vec<u32>,
}

impl RowsOfColumns {
    fn new(matrix: Places<'_>, row_order: &[u32], columns: &Columns) -> Self {
        let mut starts = Vec::with_capacity(columns.order.len() + 1);
        let mut next = vec![0; columns.order.len()];
        let mut start = 0;
        for &column in &columns.order {
            starts.push(start);
            next[column as usize] = start;
            start += columns.counts[column as usize] as usize;
        }
        starts.push(start);
        let mut rows = vec![0; matrix.nnz()];
        for (place, &row) in (0..).zip(row_order) {
            for &column in matrix.row(row as usize) {
                let next = &mut next[column as usize];
                rows[*next] = place;
                *next += 1;
            }
        }
        Self { starts, rows }
    }

    /// Where the rows of the item begin among all, and which they are.
    fn of(&self, item: u32) -> (usize, &[u32]) {
        let start = self.starts[item as usize];
        (start, &self.rows[start..self.starts[item as usize + 1]])
    }
}
