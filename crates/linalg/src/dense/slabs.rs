//! Long work in slabs of rows or columns, between which it is told how far it is.

use super::product::sealed::Sealed;
use super::view::{View, ViewMut};
use sunzi_threads::Work;

/// Rows or columns of a slab: so many that what is packed once more for each slab takes no time.
const SLAB: usize = 1024;

/// C −= A·B; `each` is told after how many rows.
pub(super) fn subtract_product<F: Sealed>(
    field: &F,
    c: ViewMut<'_, F::Elem>,
    a: View<'_, F::Elem>,
    b: View<'_, F::Elem>,
    each: impl Fn(usize),
) {
    let mut first = 0;
    for slab in c.row_blocks(SLAB) {
        let rows = slab.rows();
        field.subtract_product(slab, a.block((first, rows), (0, a.columns())), b);
        each(rows);
        first += rows;
    }
}

/// Does the same to all right sides of a system.
pub(super) fn each_right_side<E>(mut right: ViewMut<'_, E>, solve: impl Fn(ViewMut<'_, E>)) {
    let work = Work::new(right.columns() as u64, "right sides");
    while right.columns() > 0 {
        let columns = right.columns().min(SLAB);
        let (slab, rest) = right.split_columns(columns);
        solve(slab);
        work.done(columns as u64);
        right = rest;
    }
}
