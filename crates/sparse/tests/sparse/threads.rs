//! Products and permutations at the sizes from which threads share them, on several numbers of threads.

use rug::Integer;
use sunzi_field::Fp64;
use sunzi_sparse::{CsrMatrix, Permutation};
use sunzi_testkit::on_every_thread_count;

#[test]
fn sparse_products_and_permutations() {
    let prime = (1 << 63) - 25;
    let field = Fp64::new(prime).unwrap();
    // 2^15 entries and lines are shared: one long line among empty ones, and lines of a few entries.
    for work in (1 << 15) - 1..=(1 << 15) + 1 {
        for lines in [2, 101, 5000] {
            let width = 40_000;
            let long = |i: usize| (lines as u32 / 2, i as u32);
            let short = |i: usize| ((i * 7 % lines) as u32, (i / lines) as u32);
            let place: &dyn Fn(usize) -> (u32, u32) = if lines == 101 { &long } else { &short };
            let entries: Vec<_> = (0..work - lines)
                .map(|i| {
                    let (row, column) = place(i);
                    (row, column, prime - 1 - i as u64 % 2)
                })
                .collect();
            let matrix = CsrMatrix::from_triplets_with(lines, width, &entries, |_, _| {
                unreachable!("no place twice")
            })
            .unwrap();
            let x: Vec<u64> = (0..width as u64).map(|i| prime - 1 - i % 3).collect();
            let mut sums = vec![Integer::new(); lines];
            for &(row, column, value) in &entries {
                sums[row as usize] += Integer::from(value) * x[column as usize];
            }
            let expected: Vec<u64> = sums
                .iter()
                .map(|sum| Integer::from(sum % prime).to_u64().unwrap())
                .collect();
            let order = |n: usize| Permutation::new((0..n as u32).rev().collect()).unwrap();
            let reversed: Vec<u64> = expected.iter().rev().copied().collect();
            let csc = matrix.to_csc();
            on_every_thread_count(|threads| {
                let case = format!("{work}, {lines} lines, {threads} threads");
                assert!(
                    matrix.mul_vector_mod(&field, &x).unwrap() == expected,
                    "{case}"
                );
                assert!(
                    csc.mul_vector_mod(&field, &x).unwrap() == expected,
                    "{case}"
                );
                let permuted = matrix.permuted(&order(lines), &order(width)).unwrap();
                let x: Vec<u64> = x.iter().rev().copied().collect();
                assert!(
                    permuted.mul_vector_mod(&field, &x).unwrap() == reversed,
                    "{case}"
                );
            });
        }
    }
}
