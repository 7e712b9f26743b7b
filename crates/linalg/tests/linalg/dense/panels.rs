//! Products and right sides in panels.

use std::cell::Cell;
use sunzi_field::Fp32;
use sunzi_linalg::dense::MatrixField;
use sunzi_linalg::internals::{Panels, Room, View, ViewMut};

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
            Panels(panel).each_right_side(ViewMut::new(&mut right, 3, columns), |_, mut some| {
                for i in 0..3 {
                    some.row_mut(i).iter_mut().for_each(|entry| *entry *= 10);
                }
            });
            assert!(right.into_iter().eq((0..3 * columns).map(|at| 10 * at)));
        }
    }
}
