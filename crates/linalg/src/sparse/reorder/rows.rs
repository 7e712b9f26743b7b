//! Algorithms 8 and 9: the order of rows.

use super::super::CsrMatrix;
use super::refine::Columns;

/// An order of rows: first those in which columns begin, then those that lists of columns won.
pub(super) struct RowOrder {
    pub order: Vec<u32>,
    /// How many rows columns begin in.
    pub beginning: usize,
}

pub(super) fn order_rows<E>(matrix: &CsrMatrix<E>, columns: &Columns) -> RowOrder {
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
fn winners<E>(matrix: &CsrMatrix<E>, columns: &Columns, is_beginning: &[bool]) -> Vec<(u32, u32)> {
    let mut counts = vec![0u32; columns.list_count()];
    let mut won = Vec::new();
    for row in (0..matrix.rows()).filter(|&row| !is_beginning[row]) {
        let (indices, _) = matrix.row(row);
        let mut best = (0, columns.list_count() as u32);
        for &column in indices {
            let list = columns.list_of(column);
            let count = &mut counts[list as usize];
            *count += 1;
            if *count > best.0 || (*count == best.0 && list < best.1) {
                best = (*count, list);
            }
        }
        indices
            .iter()
            .for_each(|&column| counts[columns.list_of(column) as usize] = 0);
        won.push((row as u32, best.1));
    }
    won
}
