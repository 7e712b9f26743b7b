//! Sums over dense vectors that are the same on any number of threads.

use sunzi_threads::Threads;

use super::real::{SUMS, total};

/// Elements that are summed by one thread.
const BLOCK: usize = 1 << 13;

/// `Σ a[i]·b[i]`: blocks of 2^13 are summed as lines of matrices are, then their sums in order.
pub(in crate::sparse) fn dot(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len(), "vectors of equal length");
    let blocks = a.chunks(BLOCK).zip(b.chunks(BLOCK));
    let sums = Threads::all().map(blocks, |(a, b)| block(a, b));
    sums.into_iter().sum()
}

fn block(a: &[f64], b: &[f64]) -> f64 {
    let (a_blocks, a_last) = a.as_chunks::<SUMS>();
    let (b_blocks, b_last) = b.as_chunks::<SUMS>();
    let mut sums = [0.0; SUMS];
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        for k in 0..SUMS {
            sums[k] += a[k] * b[k];
        }
    }
    let last = a_last.iter().zip(b_last);
    last.fold(total(sums), |sum, (a, b)| sum + a * b)
}
