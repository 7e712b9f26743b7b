//! Triangular systems by blocks.

use crate::dense::product::{MatrixField, Room, subtract_combination};
use crate::dense::view::{View, ViewMut};
use sunzi_field::Field;

/// Rows of a triangle that is not halved: its inverse is applied by one product of blocks.
const SMALL: usize = 16;

/// Up to so many right sides are solved row by row; for more, the inverse pays.
const FEW: usize = 64;

/// `x = L⁻¹·x` for the part of `lower` below the diagonal, and ones on it.
pub(crate) fn solve_unit_lower<F: MatrixField>(
    field: &F,
    room: &mut Room<F::Elem>,
    lower: View<'_, F::Elem>,
    mut x: ViewMut<'_, F::Elem>,
) {
    let n = lower.rows();
    if n <= SMALL {
        return match x.columns() <= FEW {
            true => substitute_lower(field, lower, x),
            false => apply(field, room, &lower_inverse(field, lower), n, x),
        };
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
pub(crate) fn solve_upper<F: MatrixField>(
    field: &F,
    room: &mut Room<F::Elem>,
    upper: View<'_, F::Elem>,
    mut x: ViewMut<'_, F::Elem>,
) {
    let n = upper.rows();
    if n <= SMALL {
        return match x.columns() <= FEW {
            true => substitute_upper(field, upper, x),
            false => apply(field, room, &upper_inverse(field, upper), n, x),
        };
    }
    let half = (n / 2).next_multiple_of(SMALL);
    let (mut top, mut bottom) = x.reborrow().split_rows(half);
    let rest = upper.block((half, n - half), (half, n - half));
    solve_upper(field, room, rest, bottom.reborrow());
    let corner = upper.block((0, half), (half, n - half));
    field.subtract_product(room, top.reborrow(), corner, bottom.as_view());
    solve_upper(field, room, upper.block((0, half), (0, half)), top);
}

/// `x = L⁻¹·x`: each row less those before it.
fn substitute_lower<F: Field>(field: &F, lower: View<'_, F::Elem>, mut x: ViewMut<'_, F::Elem>) {
    let mut scratch = Vec::new();
    for i in 1..lower.rows() {
        let (above, mut rest) = x.reborrow().split_rows(i);
        let factors = &lower.row(i)[..i];
        subtract_combination(
            field,
            rest.row_mut(0),
            factors,
            |t| above.row(t),
            &mut scratch,
        );
    }
}

/// `x = U⁻¹·x`: each row less those below it, over the pivot.
fn substitute_upper<F: Field>(field: &F, upper: View<'_, F::Elem>, mut x: ViewMut<'_, F::Elem>) {
    let (n, mut scratch) = (upper.rows(), Vec::new());
    for i in (0..n).rev() {
        let (mut rest, below) = x.reborrow().split_rows(i + 1);
        let (factors, row) = (&upper.row(i)[i + 1..n], rest.row_mut(i));
        subtract_combination(field, row, factors, |t| below.row(t), &mut scratch);
        // A zero here would be the caller's mistake; its row becomes zero.
        let pivot = field.inv(upper.row(i)[i]).unwrap_or(field.zero());
        field.scale_slice(row, pivot);
    }
}

/// The inverse of L.
fn lower_inverse<F: Field>(field: &F, lower: View<'_, F::Elem>) -> Vec<F::Elem> {
    let n = lower.rows();
    let mut inverse = identity(field, n);
    substitute_lower(field, lower, ViewMut::new(&mut inverse, n, n));
    inverse
}

/// The inverse of U.
fn upper_inverse<F: Field>(field: &F, upper: View<'_, F::Elem>) -> Vec<F::Elem> {
    let n = upper.rows();
    let mut inverse = identity(field, n);
    substitute_upper(field, upper, ViewMut::new(&mut inverse, n, n));
    inverse
}

fn identity<F: Field>(field: &F, n: usize) -> Vec<F::Elem> {
    let mut entries = vec![field.zero(); n * n];
    entries
        .iter_mut()
        .step_by(n + 1)
        .for_each(|entry| *entry = field.one());
    entries
}

/// `x = M·x`, as `x − (1 − M)·x`, for a matrix of n rows and columns.
fn apply<F: MatrixField>(
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
