//! Triangular systems by blocks.

use crate::dense::product::sealed::Sealed;
use crate::dense::product::{Room, subtract_combination};
use crate::dense::view::{View, ViewMut};
use sunzi_field::Field;

/// Rows of a triangle that is inverted instead of halved: its inverse is applied by one product of blocks.
const SMALL: usize = 16;

/// `x = L⁻¹·x` for the part of `lower` below the diagonal, and ones on it.
pub(crate) fn solve_unit_lower<F: Sealed>(
    field: &F,
    room: &mut Room<F::Elem>,
    lower: View<'_, F::Elem>,
    mut x: ViewMut<'_, F::Elem>,
) {
    let n = lower.rows();
    if n <= SMALL {
        return apply(field, room, &lower_inverse(field, lower), n, x);
    }
    let half = (n / 2).next_multiple_of(SMALL);
    let (mut top, mut bottom) = x.reborrow().split_rows(half);
    solve_unit_lower(
        field,
        room,
        lower.block((0, half), (0, half)),
        top.reborrow(),
    );
    let corner = lower.block((half, n - half), (0, half));
    field.subtract_product(room, bottom.reborrow(), corner, top.as_view());
    let rest = lower.block((half, n - half), (half, n - half));
    solve_unit_lower(field, room, rest, bottom);
}

/// `x = U⁻¹·x` for the part of `upper` from the diagonal on, where there is no zero on it.
pub(crate) fn solve_upper<F: Sealed>(
    field: &F,
    room: &mut Room<F::Elem>,
    upper: View<'_, F::Elem>,
    mut x: ViewMut<'_, F::Elem>,
) {
    let n = upper.rows();
    if n <= SMALL {
        return apply(field, room, &upper_inverse(field, upper), n, x);
    }
    let half = (n / 2).next_multiple_of(SMALL);
    let (mut top, mut bottom) = x.reborrow().split_rows(half);
    let rest = upper.block((half, n - half), (half, n - half));
    solve_upper(field, room, rest, bottom.reborrow());
    let corner = upper.block((0, half), (half, n - half));
    field.subtract_product(room, top.reborrow(), corner, bottom.as_view());
    solve_upper(field, room, upper.block((0, half), (0, half)), top);
}

/// `x = M·x`, as `x − (1 − M)·x`, for a matrix of n rows and columns.
fn apply<F: Sealed>(
    field: &F,
    room: &mut Room<F::Elem>,
    matrix: &[F::Elem],
    n: usize,
    x: ViewMut<'_, F::Elem>,
) {
    let difference: Vec<F::Elem> = (0..n * n)
        .map(|at| {
            let identity = if at / n == at % n {
                field.one()
            } else {
                field.zero()
            };
            field.sub(identity, matrix[at])
        })
        .collect();
    let columns = x.columns();
    let mut copy: Vec<F::Elem> = Vec::with_capacity(n * columns);
    for i in 0..n {
        copy.extend_from_slice(x.row(i));
    }
    field.subtract_product(
        room,
        x,
        View::new(&difference, n, n),
        View::new(&copy, n, columns),
    );
}

/// The inverse of a unit lower triangle: row i is that of the identity less those before it.
fn lower_inverse<F: Field>(field: &F, lower: View<'_, F::Elem>) -> Vec<F::Elem> {
    let n = lower.rows();
    let (mut inverse, mut scratch) = (vec![field.zero(); n * n], Vec::new());
    for i in 0..n {
        let (above, row) = inverse.split_at_mut(i * n);
        row[i] = field.one();
        let factors = &lower.row(i)[..i];
        subtract_combination(
            field,
            &mut row[..n],
            factors,
            |t| &above[t * n..][..n],
            &mut scratch,
        );
    }
    inverse
}

/// The inverse of an upper triangle: row i is that of the identity less those below it, over the pivot.
fn upper_inverse<F: Field>(field: &F, upper: View<'_, F::Elem>) -> Vec<F::Elem> {
    let n = upper.rows();
    let (mut inverse, mut scratch) = (vec![field.zero(); n * n], Vec::new());
    for i in (0..n).rev() {
        let (row, below) = inverse[i * n..].split_at_mut(n);
        row[i] = field.one();
        let factors = &upper.row(i)[i + 1..];
        subtract_combination(field, row, factors, |t| &below[t * n..][..n], &mut scratch);
        // A zero here would be the caller's mistake; its row becomes zero.
        let pivot = field.inv(upper.row(i)[i]).unwrap_or(field.zero());
        field.scale_slice(row, pivot);
    }
    inverse
}
