//! Multiplications that an elimination counts.

use std::sync::Arc;
use sunzi_field::{Field, Fp32};
use sunzi_linalg::dense::{DenseMatrix, product};
use sunzi_linalg::internals::{MULTIPLICATIONS, Room, ViewMut, by_halves, multiplications};
use sunzi_machine::threads::{Meter, Work};

/// What is counted of an elimination of this rank.
fn counted(rows: usize, columns: usize, rank: usize) -> u64 {
    let field = Fp32::new(469_762_049).unwrap();
    let power = |i: usize, t: usize| field.pow(i as u32 + 2, t as u64);
    let a = DenseMatrix::from_fn(rows, rank, power);
    let b = DenseMatrix::from_fn(rank, columns, |t, j| power(j, t));
    let mut entries = product(&field, &a, &b).unwrap().into_entries();
    let meter = Arc::new(Meter::new());
    meter.watch(|| {
        let work = Work::new(u64::MAX, MULTIPLICATIONS);
        let view = ViewMut::new(&mut entries, rows, columns);
        let echelon = by_halves(&field, &mut Room::new(), view, &work);
        assert_eq!(echelon.pivots.len(), rank);
        meter.read().unwrap().done
    })
}

#[test]
fn all_multiplications_are_counted_once() {
    for (rows, columns) in [
        (0, 3),
        (1, 40),
        (16, 16),
        (17, 33),
        (40, 100),
        (100, 40),
        (70, 70),
    ] {
        let full = rows.min(columns);
        assert_eq!(counted(rows, columns, full), multiplications(rows, columns));
        for rank in [0, full / 2] {
            assert!(counted(rows, columns, rank) <= multiplications(rows, columns));
        }
    }
}
