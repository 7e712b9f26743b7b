//! Condensation with pivots made one, several steps in one pass over the rows.

use sunzi_field::Field;

use super::super::row_steps::replace_rows;
use super::{first_non_zero, small_determinant};
use crate::elimination::RowByRow;

/// The determinant of these rows, which it uses up: `STEPS` steps at a time, each row of B the sum of
/// `TERMS` = `STEPS` + 1 rows of A.
pub(super) fn determinant<F: Field, const STEPS: usize, const TERMS: usize>(
    field: &F,
    mut rows: &mut [Vec<F::Elem>],
    work: &RowByRow,
) -> F::Elem {
    const { assert!(TERMS == STEPS + 1) };
    let mut pivots = field.one();
    loop {
        if let Some(determinant) = small_determinant(field, rows) {
            return field.mul(pivots, determinant);
        }
        let condensed = if rows.len() > STEPS {
            condense::<F, STEPS, TERMS>(field, rows)
        } else {
            condense::<F, 1, 2>(field, rows)
        };
        let Some((factor, below)) = condensed else {
            return field.zero();
        };
        pivots = field.mul(pivots, factor);
        rows = below;
        work.left(rows.len());
    }
}

/// The product of pivots with its sign, and the rows that are left.
type Condensed<'a, F> = (<F as Field>::Elem, &'a mut [Vec<<F as Field>::Elem>]);

/// Some steps on more rows than these: the product of their pivots with its sign, and the rows of B.
/// `None` if the determinant is zero.
fn condense<'a, F: Field, const STEPS: usize, const TERMS: usize>(
    field: &F,
    rows: &'a mut [Vec<F::Elem>],
) -> Option<Condensed<'a, F>> {
    let (tops, below) = rows.split_at_mut(STEPS);
    let (factor, places) = reduce::<F, STEPS>(field, tops)?;
    let tops = &*tops;
    let mut columns = places;
    columns.sort_unstable();
    replace_rows(below, tops[0].len() - STEPS, |row, new| {
        // Left of all pivots the first rows are zero.
        let (left, mut rest) = new.split_at_mut(columns[0]);
        left.copy_from_slice(&row[..columns[0]]);
        for (k, &column) in columns.iter().enumerate() {
            let end = columns.get(k + 1).copied().unwrap_or(row.len());
            let range = column + 1..end;
            let (part, others) = rest.split_at_mut(range.len());
            let terms: [_; TERMS] = std::array::from_fn(|term| match term.checked_sub(1) {
                None => (field.one(), &row[range.clone()]),
                Some(step) => (field.neg(row[places[step]]), &tops[step][range.clone()]),
            });
            field.combine_slices(part, terms);
            rest = others;
        }
    });
    Some((factor, below))
}

/// Finds a pivot in each of the first rows, and reduces them until each has a one in its own pivot's
/// column and zeros in those of the others. Returns the product of the pivots, negative if moving their
/// columns to the front, the others kept in order, is an odd permutation; and the pivots' places.
fn reduce<F: Field, const STEPS: usize>(
    field: &F,
    tops: &mut [Vec<F::Elem>],
) -> Option<(F::Elem, [usize; STEPS])> {
    let mut product = field.one();
    let mut places = [0; STEPS];
    for step in 0..STEPS {
        let place = first_non_zero(field, &tops[step])?;
        let pivot = tops[step][place];
        product = field.mul(product, pivot);
        let passed = places[..step]
            .iter()
            .filter(|&&other| other < place)
            .count();
        if (place - passed) % 2 == 1 {
            product = field.neg(product);
        }
        places[step] = place;
        field.scale_slice(&mut tops[step], field.inv(pivot)?);
        let unit = std::mem::take(&mut tops[step]);
        for row in tops.iter_mut().filter(|row| !row.is_empty()) {
            let factor = field.neg(row[place]);
            let old = row.clone();
            field.combine_slices(row, [(field.one(), &old), (factor, &unit)]);
        }
        tops[step] = unit;
    }
    Some((product, places))
}
