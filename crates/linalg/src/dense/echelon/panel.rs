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
    let mut echelon = Echelon::default();
    if rows == 0 {
        return echelon;
    }
    let mut columns = vec![field.zero(); rows * width];
    for i in 0..rows {
        for (c, &entry) in panel.row(i).iter().enumerate() {
            columns[c * rows + i] = entry;
        }
    }
    let mut scratch = Vec::with_capacity(rows);
    let mut lower: Vec<F::Elem> = Vec::with_capacity(rows * width.min(rows));
    for c in 0..width {
        let rank = echelon.pivots.len();
        let multipliers = |t: usize| &lower[t * rows..(t + 1) * rows];
        let column = &mut columns[c * rows..(c + 1) * rows];
        for t in 0..rank {
            let above = column[t];
            for (entry, &multiplier) in column[..rank].iter_mut().zip(multipliers(t)).skip(t + 1) {
                *entry = field.sub(*entry, field.mul(multiplier, above));
            }
        }
        let (above, below) = column.split_at_mut(rank);
        let row = |t| &multipliers(t)[rank..];
        subtract_combination(field, below, above, row, &mut scratch);
        let found = below.iter().position(|&entry| entry != field.zero());
        let Some((pivot, inverse)) = found.and_then(|at| Some((rank + at, field.inv(below[at])?)))
        else {
            continue;
        };
        echelon.pivots.push(c);
        echelon.exchanges.push(pivot);
        for column in columns
            .chunks_exact_mut(rows)
            .chain(lower.chunks_exact_mut(rows))
        {
            column.swap(rank, pivot);
        }
        let column = &mut columns[c * rows..(c + 1) * rows];
        let first = lower.len();
        lower.extend_from_slice(column);
        field.scale_slice(&mut lower[first + rank + 1..], inverse);
        column[rank + 1..].fill(field.zero());
    }
    for i in 0..rows {
        let row = panel.row_mut(i);
        // Of the columns that gave no pivot, entries are left above the echelon only.
        for (c, entry) in row.iter_mut().enumerate() {
            let belongs = echelon.pivots.get(i).is_some_and(|&pivot| c >= pivot);
            *entry = if belongs {
                columns[c * rows + i]
            } else {
                field.zero()
            };
        }
        for (entry, multipliers) in row.iter_mut().zip(lower.chunks_exact(rows).take(i)) {
            *entry = multipliers[i];
        }
    }
    echelon
}
