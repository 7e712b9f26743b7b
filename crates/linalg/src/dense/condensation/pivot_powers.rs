//! Condensation as Salem and Said have it, without divisions until the end.

use sunzi_field::Field;

use super::super::row_steps::replace_rows;
use super::{first_non_zero, small_determinant};
use crate::elimination::RowByRow;

/// The determinant of these rows, which it uses up.
///
/// The pivots p_1, p_2, … of orders n, n − 1, … are to be divided out n − 2, n − 3, … times. That is each
/// of the products p_1, p_1·p_2, … once: two products a step, and no powers.
pub(super) fn determinant<F: Field>(
    field: &F,
    mut rows: &mut [Vec<F::Elem>],
    work: &RowByRow,
) -> F::Elem {
    let mut pivots = field.one();
    let mut divisor = field.one();
    loop {
        if let Some(determinant) = small_determinant(field, rows) {
            let inverse = field.inv(divisor);
            return inverse.map_or(field.zero(), |inverse| field.mul(determinant, inverse));
        }
        let Some((top, below)) = rows.split_first_mut() else {
            return field.one();
        };
        let Some(place) = first_non_zero(field, top) else {
            return field.zero();
        };
        let pivot = top[place];
        pivots = field.mul(pivots, pivot);
        divisor = field.mul(divisor, pivots);
        let negative = field.neg(pivot);
        let top = &top[place + 1..];
        replace_rows(below, place + top.len(), |row, new| {
            let (left, right) = new.split_at_mut(place);
            field.combine_slices(left, [(negative, &row[..place])]);
            let factor = field.neg(row[place]);
            field.combine_slices(right, [(pivot, &row[place + 1..]), (factor, top)]);
        });
        rows = below;
        work.left(rows.len());
    }
}
