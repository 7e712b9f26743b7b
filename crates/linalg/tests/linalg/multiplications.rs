//! How many multiplications an elimination takes.

use sunzi_linalg::internals::multiplications;

#[test]
fn the_formula_is_the_sum() {
    for rows in 0..12 {
        for columns in 0..12 {
            let sum: usize = (0..rows.min(columns))
                .map(|t| (rows - t) * (columns - t))
                .sum();
            assert_eq!(multiplications(rows, columns), sum as u64);
        }
    }
}
