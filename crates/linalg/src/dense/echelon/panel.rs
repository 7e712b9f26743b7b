//! A few columns, eliminated one after the other.

use super::Echelon;
use crate::dense::product::subtract_combination;
use crate::dense::view::ViewMut;
use sunzi_field::Field;

/// Columns of a panel.
pub(super) const WIDTH: usize = 16;

/// Turns a panel into its L and E.
///
/// A column takes all earlier pivots at once (J. Demmel's left-looking variant, *Applied numerical linear
/// algebra*, 1997, §2.6), so that it is read and reduced once for several of them; the columns are
/// copied out, since vectors run along them.
pub(super) fn eliminate<F: Field>(field: &F, mut panel: ViewMut<'_, F::Elem>) -> Echelon {
    let (rows, width) = (panel.rows(), panel.columns());
    let mut columns: Vec<Vec<F::Elem>> = vec![Vec::with_capacity(rows); width];
    for i in 0..rows {
        for (column, &entry) in columns.iter_mut().zip(panel.row(i)) {
            column.push(entry);
        }
    }
    let mut lower: Vec<Vec<F::Elem>> = Vec::with_capacity(width.min(rows));
    let mut echelon = Echelon::default();
    for c in 0..width {
        let rank = lower.len();
        let column = &mut columns[c];
        for t in 0..rank {
            let above = column[t];
            for i in t + 1..rank {
                column[i] = field.sub(column[i], field.mul(lower[t][i], above));
            }
        }
        let (above, below) = column.split_at_mut(rank);
        subtract_combination(field, below, above, |t| &lower[t][rank..]);
        let Some(pivot) = below.iter().position(|&entry| entry != field.zero()) else {
            continue;
        };
        echelon.pivots.push(c);
        echelon.exchanges.push(rank + pivot);
        for column in columns.iter_mut().chain(&mut lower) {
            column.swap(rank, rank + pivot);
        }
        let mut multipliers = columns[c].clone();
        if let Some(inverse) = field.inv(multipliers[rank]) {
            field.scale_slice(&mut multipliers[rank + 1..], inverse);
        }
        columns[c][rank + 1..].fill(field.zero());
        lower.push(multipliers);
    }
    for i in 0..rows {
        let row = panel.row_mut(i);
        // Of the columns that gave no pivot, entries are left above the echelon only.
        for (c, entry) in row.iter_mut().enumerate() {
            let belongs = echelon.pivots.get(i).is_some_and(|&pivot| c >= pivot);
            *entry = if belongs { columns[c][i] } else { field.zero() };
        }
        for (entry, multipliers) in row.iter_mut().zip(&lower[..lower.len().min(i)]) {
            *entry = multipliers[i];
        }
    }
    echelon
}
