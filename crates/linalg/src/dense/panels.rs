//! Long work in panels of rows or columns, which are counted.

use super::product::Room;
use super::product::sealed::Sealed;
use super::view::{View, ViewMut};
use sunzi_machine::threads::Work;

/// Rows or columns of a panel where blocks are packed, for every four threads: so many that what is packed once more for each
/// panel takes no time.
const PACKED: usize = 1024;

/// Those where nothing is packed.
const UNPACKED: usize = 64;

/// How many rows or columns are computed before they are counted.
#[derive(Clone, Copy)]
pub(super) struct Panels(usize);

impl Panels {
    pub(super) fn of<F: Sealed>() -> Self {
        Self(match F::PACKS {
            true => PACKED * sunzi_machine::threads::count().div_ceil(4),
            false => UNPACKED,
        })
    }

    /// C −= A·B; `each` is told after how many rows.
    pub(super) fn subtract_product<F: Sealed>(
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
    pub(super) fn each_right_side<E>(
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use sunzi_field::Fp32;

    #[test]
    fn products_in_panels_are_those_of_the_whole() {
        let field = Fp32::new(101).unwrap();
        let entries = |count: usize, factor: usize| -> Vec<u32> {
            (0..count)
                .map(|at| (at * at * factor % 101) as u32)
                .collect()
        };
        for (rows, inner, columns) in [(0, 2, 3), (1, 1, 1), (7, 5, 4), (8, 0, 3), (9, 3, 17)] {
            let (a, b) = (entries(rows * inner, 3), entries(inner * columns, 5));
            let (a, b) = (View::new(&a, rows, inner), View::new(&b, inner, columns));
            let mut whole = entries(rows * columns, 7);
            let target = ViewMut::new(&mut whole, rows, columns);
            field.subtract_product(&mut Room::new(), target, a, b);
            for panel in 1..=rows + 1 {
                let mut c = entries(rows * columns, 7);
                let told = Cell::new(0);
                let view = ViewMut::new(&mut c, rows, columns);
                Panels(panel).subtract_product(&field, &mut Room::new(), view, a, b, |count| {
                    assert!(count <= panel);
                    told.set(told.get() + count);
                });
                assert_eq!((&c, told.get()), (&whole, rows));
            }
        }
    }

    #[test]
    fn every_right_side_has_its_turn_once() {
        for columns in 0..6 {
            for panel in 1..=columns + 1 {
                let mut right: Vec<usize> = (0..3 * columns).collect();
                Panels(panel).each_right_side(
                    ViewMut::new(&mut right, 3, columns),
                    |_, mut some| {
                        for i in 0..3 {
                            some.row_mut(i).iter_mut().for_each(|entry| *entry *= 10);
                        }
                    },
                );
                assert!(right.into_iter().eq((0..3 * columns).map(|at| 10 * at)));
            }
        }
    }
}
