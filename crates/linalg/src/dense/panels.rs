//! Long work in panels of rows or columns, which are counted.

use super::product::{BlockKernels, MatrixField, Room};
use super::view::{View, ViewMut};
use sunzi_machine::threads::Work;

/// Rows or columns of a panel where blocks are packed, for every four threads: so many that what is packed once more for each
/// panel takes no time.
const PACKED: usize = 1024;

/// Those where nothing is packed.
const UNPACKED: usize = 64;

/// How many rows or columns are computed before they are counted.
#[derive(Clone, Copy)]
pub struct Panels(pub usize);

impl Panels {
    pub fn of<F: MatrixField>() -> Self {
        Self(match <F::Kernels as BlockKernels<F>>::PACKS {
            true => PACKED * sunzi_machine::threads::count().div_ceil(4),
            false => UNPACKED,
        })
    }

    /// C −= A·B; `each` is told after how many rows.
    pub fn subtract_product<F: MatrixField>(
        self,
        field: &F,
        room: &mut Room<F::Elem>,
        c: ViewMut<'_, F::Elem>,
        a: View<'_, F::Elem>,
        b: View<'_, F::Elem>,
        each: impl Fn(usize),
    ) {
        let mut first = 0;
        for rows in c.row_blocks(self.0) {
            let count = rows.rows();
            field.subtract_product(room, rows, a.block((first, count), (0, a.columns())), b);
            each(count);
            first += count;
        }
    }

    /// Does the same to all right sides of a system.
    pub fn each_right_side<E>(
        self,
        mut right: ViewMut<'_, E>,
        solve: impl Fn(&mut Room<E>, ViewMut<'_, E>),
    ) {
        let mut room = Room::new();
        let work = Work::new(right.columns() as u64, "right sides");
        while right.columns() > 0 {
            let count = right.columns().min(self.0);
            let (columns, rest) = right.split_columns(count);
            solve(&mut room, columns);
            work.done(count as u64);
            right = rest;
        }
    }
}
