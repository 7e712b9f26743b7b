//! Powers of two for rows and columns.

use proptest::prelude::*;
use sunzi_linalg::internals;
use sunzi_linalg::internals::Row;

fn rows(order: usize, exponents: &[Option<i32>]) -> Vec<Row> {
    let entry = |exponent: &Option<i32>| exponent.map_or(0.0, |e| 2f64.powi(e));
    exponents
        .chunks(order)
        .map(|row| Row {
            entries: row.iter().map(entry).collect(),
            shift: 0,
        })
        .collect()
}

/// The largest sum over permutations, by definition.
fn largest_sum(order: usize, exponents: &[Option<i32>], row: usize, used: u32) -> Option<i64> {
    if row == order {
        return Some(0);
    }
    (0..order)
        .filter(|j| used >> j & 1 == 0)
        .filter_map(|j| {
            let own = i64::from(exponents[row * order + j]?);
            Some(own + largest_sum(order, exponents, row + 1, used | 1 << j)?)
        })
        .max()
}

proptest! {
    #[test]
    fn bounds_are_met_by_the_largest_product(
        order in 1_usize..6,
        exponents in prop::collection::vec(prop::option::weighted(0.7, -1000_i32..1000), 25)
    ) {
        let exponents = &exponents[..order * order];
        let found = internals::exponents(&rows(order, exponents));
        let expected = largest_sum(order, exponents, 0, 0);
        prop_assert_eq!(found.is_some(), expected.is_some());
        if let Some((r, c)) = found {
            for (place, exponent) in exponents.iter().enumerate() {
                if let Some(exponent) = exponent {
                    prop_assert!(i64::from(*exponent) <= r[place / order] + c[place % order]);
                }
            }
            // Bounds that add up to the largest sum are met by all its entries.
            prop_assert_eq!(Some(r.iter().chain(&c).sum::<i64>()), expected);
        }
    }
}
